#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/solvability.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

/// The number of cells of a board of size n.
inline std::size_t cells_of_size(int n) {
    if (n < Board::min_size || n > Board::max_size) {
        throw_invalid({"the size of a board is from 2 to 32767, not ", n});
    }
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
}

} // namespace detail

/// The usual goal: 1 2 ... n * n - 1 row by row, with the blank in the last cell. O(n^2).
/// \throws std::invalid_argument if n is not from 2 to 32767; so do the two below
[[nodiscard]] inline Board goal_blank_last(int n) {
    std::vector<std::int32_t> tiles(detail::cells_of_size(n));
    std::iota(tiles.begin(), tiles.end() - 1, 1);
    return Board(std::move(tiles));
}

/// The goal of R. E. Korf's papers: the blank in the first cell, then 1 2 ... n * n - 1 row by row. O(n^2).
[[nodiscard]] inline Board goal_blank_first(int n) {
    std::vector<std::int32_t> tiles(detail::cells_of_size(n));
    std::iota(tiles.begin(), tiles.end(), 0);
    return Board(std::move(tiles));
}

/// The tiles 1 2 ... n * n - 1 along a spiral from the top-left corner clockwise inward, with the blank at
/// its inner end. O(n^2).
[[nodiscard]] inline Board goal_spiral(int n) {
    std::vector<std::int32_t> tiles(detail::cells_of_size(n));
    const auto cells = static_cast<std::int64_t>(tiles.size());
    std::int64_t tile = 0;
    const auto lay = [&](std::int64_t cell) {
        ++tile;
        tiles[static_cast<std::size_t>(cell)] = tile == cells ? 0 : static_cast<std::int32_t>(tile);
    };
    for (std::int64_t low = 0, high = n - 1; low < high; ++low, --high) { // an odd n leaves the middle blank
        for (std::int64_t k = low; k < high; ++k) lay(low * n + k);
        for (std::int64_t k = low; k < high; ++k) lay(k * n + high);
        for (std::int64_t k = high; k > low; --k) lay(high * n + k);
        for (std::int64_t k = high; k > low; --k) lay(k * n + low);
    }
    return Board(std::move(tiles));
}

/// The first of the usual goals `blank-last`, `blank-first` and `spiral` that can be reached from `board`: a
/// hint for who meant another goal. Empty if there is none. O(n^2).
[[nodiscard]] inline std::string_view reachable_goal(const Board& board) {
    return is_solvable(board, goal_blank_last(board.size()))    ? "blank-last"
           : is_solvable(board, goal_blank_first(board.size())) ? "blank-first"
           : is_solvable(board, goal_spiral(board.size()))      ? "spiral"
                                                                : "";
}

} // namespace npuzzle
