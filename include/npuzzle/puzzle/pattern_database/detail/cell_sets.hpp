#pragma once

#include "npuzzle/puzzle/detail/grid.hpp"

#include <bit>
#include <cstdint>

/// \file
/// Sets of cells of boards up to size 5, as bits of a word: bit 0 is the first cell.

namespace npuzzle::detail {

/// The number of one bits. The library is also compiled for processors without an instruction for it, on
/// which `std::popcount` is a call.
constexpr unsigned count_cells(std::uint32_t cells) noexcept {
#ifdef __POPCNT__
    return static_cast<unsigned>(std::popcount(cells));
#else
    cells -= cells >> 1 & 0x55555555U;
    cells = (cells & 0x33333333U) + (cells >> 2 & 0x33333333U);
    return ((cells + (cells >> 4)) & 0x0f0f0f0fU) * 0x01010101U >> 24;
#endif
}

/// All cells of an n x n board, for n up to 5.
constexpr std::uint32_t all_cells(int n) noexcept {
    return (std::uint32_t{1} << (n * n)) - 1;
}

constexpr std::uint32_t cell_bit(int cell) noexcept {
    return std::uint32_t{1} << cell;
}

/// The black cells of a chessboard whose first cell is white.
constexpr std::uint32_t black_cells(int n) noexcept {
    std::uint32_t cells = 0;
    for (int cell = 0; cell < n * n; ++cell) cells |= (cell / n + cell % n) % 2 == 1 ? cell_bit(cell) : 0;
    return cells;
}

/// The given cells and their neighbors.
constexpr std::uint32_t grown(int n, std::uint32_t cells) noexcept {
    const std::uint32_t first = all_cells(n) / ((1U << n) - 1); // the first column
    return (cells | cells << n | cells >> n | (cells << 1 & ~first) | (cells & ~first) >> 1) & all_cells(n);
}

/// The cells of `free` that can be reached within `free` from the part of `cells` that is in it.
constexpr std::uint32_t component_of(int n, std::uint32_t free, std::uint32_t cells) noexcept {
    std::uint32_t reached = cells & free;
    for (std::uint32_t before = 0; before != reached;) {
        before = reached;
        reached = grown(n, reached) & free;
    }
    return reached;
}

/// The next greater number with as many one bits: the set of the next rank (W. Gosper, HAKMEM 175, 1972).
constexpr std::uint32_t next_set(std::uint32_t set) noexcept {
    const std::uint32_t lowest = set & (~set + 1);
    const std::uint32_t ripple = set + lowest;
    return ripple | (set ^ ripple) >> 2 >> std::countr_zero(lowest);
}

constexpr std::uint32_t image_of_cells(int n, int symmetry, std::uint32_t cells) noexcept {
    std::uint32_t image = 0;
    for (int cell = 0; cell < n * n; ++cell)
        image |= (cells >> cell & 1U) << image_of_cell(n, symmetry, cell);
    return image;
}

} // namespace npuzzle::detail
