#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string_view>

namespace npuzzle {

/// A move of the blank, which changes places with the tile above it, to its left, to its right or below it.
///
/// Searches try moves in their numeric order, as R. E. Korf, "Depth-first iterative-deepening: an optimal
/// admissible tree search", 1985: so counts of nodes can be compared with published ones.
enum class Move : std::uint8_t { up, left, right, down, none };

/// The four moves, in the order in which they are tried.
inline constexpr std::array<Move, 4> all_moves{Move::up, Move::left, Move::right, Move::down};

/// The move that undoes `move`. `Move::none` is its own inverse.
[[nodiscard]] constexpr Move inverse(Move move) noexcept {
    return move == Move::none ? Move::none : static_cast<Move>(3 - static_cast<int>(move));
}

/// The name of a move: "up", "left", "right", "down" or "none".
[[nodiscard]] constexpr std::string_view to_string(Move move) noexcept {
    constexpr std::string_view names[]{"up", "left", "right", "down", "none"};
    return names[move < Move::none ? static_cast<std::size_t>(move) : 4];
}

inline std::ostream& operator<<(std::ostream& out, Move move) {
    return out << to_string(move);
}

} // namespace npuzzle
