#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/cell_set.hpp"
#include "npuzzle/puzzle/detail/text.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

/// \file
/// Decides by parity whether one board can be reached from another.
///
/// Every move exchanges the blank with a tile. This turns an even arrangement into an odd one and an odd one
/// into an even one. It also takes the blank to a cell of the other color of a chessboard. So a board can be
/// reached from another only if this holds: the two arrangements differ in parity exactly if their blanks are
/// on different colors. The condition is also sufficient (W. W. Johnson and W. E. Story, "Notes on the '15'
/// puzzle", 1879).

namespace npuzzle {

namespace detail {

/// Throws std::invalid_argument for a goal that is not of the board's size.
[[noreturn]] NPUZZLE_COLD inline void throw_sizes_differ(std::int64_t board, std::int64_t goal) {
    throw_invalid({"the board has size ", number_text(board), ", its goal has size ", number_text(goal)});
}

/// The color of a cell of a chessboard of size n: the parity of its row plus its column.
template <class Cell>
[[nodiscard]] constexpr bool is_dark_cell(Cell cell, int n) noexcept {
    return ((cell / n + cell % n) & 1) != 0;
}

/// is_odd_arrangement() for boards of at most 64 cells.
template <class B>
[[nodiscard]] constexpr bool is_odd_small_arrangement(const B& board) noexcept {
    std::uint64_t unvisited = ~std::uint64_t{0} >> (64 - board.cells());
    bool is_odd = false;
    while (unvisited != 0) {
        const int first = std::countr_zero(unvisited);
        int cell = first;
        do {
            unvisited &= ~(std::uint64_t{1} << cell);
            cell = board.tile(cell);
            is_odd = !is_odd;
        } while (cell != first);
        is_odd = !is_odd;
    }
    return is_odd;
}

/// is_odd_arrangement() for boards of any size.
///
/// To follow one cycle after the other would wait for memory at each step: seven times as long as this on a
/// random board of size 16000. So several walks are made at once, each along its own stretch of a cycle. A
/// walk can meet visited cells only at the first cell of a stretch, since every other visited cell has been
/// entered from the only cell that leads to it. At its own first cell the walk has closed a cycle. At the
/// first cell of another stretch the two stretches are joined to one.
template <class B>
[[nodiscard]] bool is_odd_large_arrangement(const B& board) {
    struct Stretch {
        std::int64_t first;
        std::int64_t last;
    };
    constexpr std::size_t max_walks = 16;
    const auto cells = static_cast<std::int64_t>(board.cells());
    CellSet visited(cells);
    std::array<Stretch, max_walks> walks;
    for (std::size_t k = 0; k < max_walks; ++k) {
        const std::int64_t cell = static_cast<std::int64_t>(k) * cells / static_cast<std::int64_t>(max_walks);
        visited.insert(cell);
        walks[k] = {cell, cell};
    }
    std::int64_t unvisited = 0;
    std::size_t active = max_walks;
    bool is_odd = (cells & 1) != 0;
    while (active != 0) {
        for (std::size_t k = 0; k < active; ++k) {
            const std::int64_t next = board.tile(static_cast<decltype(board.cells())>(walks[k].last));
            if (visited.insert(next)) {
                walks[k].last = next;
                continue;
            }
            if (next == walks[k].first) {
                is_odd = !is_odd;
            } else {
                std::size_t other = 0;
                while (walks[other].first != next) ++other;
                walks[other].first = walks[k].first;
            }
            unvisited = visited.next_absent(unvisited, cells);
            if (unvisited < cells) {
                visited.insert(unvisited);
                walks[k] = {unvisited, unvisited};
            } else {
                walks[k] = walks[--active];
            }
        }
    }
    return is_odd;
}

/// Whether the arrangement "cell c holds tile t", as the permutation c -> t, is odd. It is odd if the number
/// of cells minus the number of cycles is odd. O(n^2) time, one bit of memory for each cell (none up to 64
/// cells).
template <class B>
[[nodiscard]] constexpr bool is_odd_arrangement(const B& board) {
    return board.cells() <= 64 ? is_odd_small_arrangement(board) : is_odd_large_arrangement(board);
}

/// Whether the blank-last goal can be reached from `board`. The goal is one cycle through all cells; it is
/// not built.
template <class B>
[[nodiscard]] constexpr bool is_solvable_to_blank_last(const B& board) {
    const bool goal_is_odd = board.cells() % 2 == 0;
    const bool arrangements_differ = is_odd_arrangement(board) != goal_is_odd;
    const bool colors_differ =
        is_dark_cell(board.blank_cell(), board.size()) != is_dark_cell(board.cells() - 1, board.size());
    return arrangements_differ == colors_differ;
}

} // namespace detail

/// Whether `goal` can be reached from `board` by moves of the blank. Decided by parity, without a search.
///
/// It counts the cycles of the two arrangements. O(n^2) time, one bit of memory for each cell (none up to 64
/// cells).
///
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
        detail::throw_sizes_differ(board.size(), goal.size());
    }
    const bool arrangements_differ = detail::is_odd_arrangement(board) != detail::is_odd_arrangement(goal);
    const bool colors_differ = detail::is_dark_cell(board.blank_cell(), board.size()) !=
                               detail::is_dark_cell(goal.blank_cell(), goal.size());
    return arrangements_differ == colors_differ;
}

} // namespace npuzzle
