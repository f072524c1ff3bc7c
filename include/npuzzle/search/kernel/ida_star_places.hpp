#pragma once

#include "npuzzle/macros.hpp"

#include <cstddef>

/// \file
/// The places of IDA* that are not known at compile time.

namespace npuzzle::detail {

/// The place of a state whose moves are found out at run time: just the move that led to it.
template <class Move>
struct DynamicPlace {
    Move last;

    [[nodiscard]] DynamicPlace after(const Move& move) const { return {move}; }
};

/// The same in the upper part of a divided search. `division->descend(left, move)` is told of each move on
/// the way down, `left` moves above the cut. At the cut, `division->visit(last, state, position,
/// evaluation)` takes the place of the engine's visit.
template <class Move, class Division>
struct DividedPlace {
    Move last;
    std::size_t left; ///< moves to the cut
    Division* division;

    [[nodiscard]] DividedPlace after(const Move& move) const {
        division->descend(left, move);
        return {move, left - 1, division};
    }
};

template <class Place>
inline constexpr bool is_divided = false;

template <class Move, class Division>
inline constexpr bool is_divided<DividedPlace<Move, Division>> = true;

/// Whether the moves of a place are found out at run time.
template <class Place>
inline constexpr bool is_dynamic = is_divided<Place>;

template <class Move>
inline constexpr bool is_dynamic<DynamicPlace<Move>> = true;

} // namespace npuzzle::detail
