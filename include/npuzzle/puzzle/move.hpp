#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string_view>

namespace npuzzle {

/// A move of the blank. The blank changes places with the tile above it, to its left, to its right or below
/// it.
///
/// The numeric order is the order in which searches try the moves (R. E. Korf, "Depth-first
/// iterative-deepening: an optimal admissible tree search", 1985). So node counts can be compared with
/// published ones.
enum class Move : std::uint8_t { up, left, right, down, none };

/// The four moves that move a tile, in the order in which they are tried.
inline constexpr std::array<Move, 4> all_moves{Move::up, Move::left, Move::right, Move::down};

/// The move that undoes `move`. `Move::none` is its own inverse.
[[nodiscard]] constexpr Move inverse(Move move) noexcept {
    return move == Move::none ? Move::none : static_cast<Move>(3 - static_cast<int>(move));
}

namespace detail {
constexpr bool is_vertical(Move move) {
    return move == Move::up || move == Move::down;
}
} // namespace detail

/// The name of a move, as spelled in the enumeration: "up", "left", "right", "down" or "none".
[[nodiscard]] constexpr std::string_view to_string(Move move) noexcept {
    constexpr std::string_view names[]{"up", "left", "right", "down", "none"};
    return names[move < Move::none ? static_cast<std::size_t>(move) : 4];
}

inline std::ostream& operator<<(std::ostream& out, Move move) {
    return out << to_string(move);
}

} // namespace npuzzle
