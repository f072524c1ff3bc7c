#pragma once

#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/text.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// Decides by parity whether one board can be reached from another.
///
/// Every move exchanges the blank with a tile. This changes the parity of the arrangement, and takes the
/// blank to a cell of the other color of a chessboard. So a board can be reached from another only if the two
/// arrangements differ in parity exactly if their blanks are on different colors. This is also sufficient (W.
/// W. Johnson and W. E. Story, "Notes on the '15' puzzle", 1879).

namespace npuzzle {

namespace detail {

/// Whether the number of cells minus the number of cycles of the permutation c -> t, "cell c holds tile t",
/// is odd. `visit(cell)` marks a cell and says whether it was unmarked.
template <class B, class Visit>
constexpr bool is_odd_by_cycles(const B& board, Visit&& visit) {
    using Cell = decltype(board.cells());
    bool is_odd = (board.cells() & 1) != 0;
    for (Cell first = 0; first < board.cells(); ++first) {
        if (!visit(first)) continue;
        is_odd = !is_odd;
        for (Cell cell = board.tile(first); cell != first; cell = board.tile(cell)) visit(cell);
    }
    return is_odd;
}

template <class B>
bool is_odd_large_arrangement(const B& board) {
    std::vector<bool> visited(static_cast<std::size_t>(board.cells()));
    return is_odd_by_cycles(board, [&](std::int64_t cell) {
        if (visited[as_index(cell)]) return false;
        visited[as_index(cell)] = true;
        return true;
    });
}

/// Whether an arrangement is odd.
template <class B>
constexpr bool is_odd_arrangement(const B& board) {
    if (board.cells() > 64) return is_odd_large_arrangement(board);
    std::uint64_t unvisited = ~std::uint64_t{0};
    return is_odd_by_cycles(board, [&](auto cell) {
        const std::uint64_t bit = std::uint64_t{1} << cell;
        const bool is_new = (unvisited & bit) != 0;
        unvisited &= ~bit;
        return is_new;
    });
}

/// Whether either the arrangement is odd or the blank is on a dark cell. No move changes this.
template <class B>
constexpr bool parity_of(const B& board) {
    const auto row_and_column = board.blank_cell() / board.size() + board.blank_cell() % board.size();
    return is_odd_arrangement(board) != ((row_and_column & 1) != 0);
}

/// Whether the blank-last goal can be reached. It is one cycle through all cells, with a light one last.
template <class B>
constexpr bool is_solvable_to_blank_last(const B& board) {
    return parity_of(board) == (board.cells() % 2 == 0);
}

} // namespace detail

/// Whether `goal` can be reached from `board` by moves of the blank. Decided by parity, from the cycles of
/// the two arrangements. O(n^2) time; a bit of memory for each cell if there are more than 64.
/// \tparam B `Board` or `PackedBoard<N>` (constexpr for the latter), or any type with `size()`, `cells()`,
///     `tile(cell)` and `blank_cell()`
/// \throws std::invalid_argument if the boards differ in size
template <class B>
    requires requires(const B& board) {
        board.size();
        board.tile(board.blank_cell());
        board.cells();
    }
[[nodiscard]] constexpr bool is_solvable(const B& board, const B& goal) {
    if (board.size() != goal.size()) {
        detail::throw_invalid({"the board has size ", board.size(), ", its goal has size ", goal.size()});
    }
    return detail::parity_of(board) == detail::parity_of(goal);
}

} // namespace npuzzle
