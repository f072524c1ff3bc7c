#pragma once

#include "npuzzle/macros.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace npuzzle::detail {

/// A cell in words: "row 1, column 2", both counted from 0 as in `tile_at`.
[[nodiscard]] inline std::string cell_text(std::int64_t cell, int n) {
    return "row " + std::to_string(cell / n) + ", column " + std::to_string(cell % n);
}

/// A tile in words: "tile 5", or "the blank (0)".
[[nodiscard]] inline std::string tile_text(std::int64_t tile) {
    return tile == 0 ? "the blank (0)" : "tile " + std::to_string(tile);
}

/// Which tiles a board of size n has, in words: "a 3 x 3 board has the tiles 0 to 8".
[[nodiscard]] inline std::string tile_range_text(int n) {
    return "a " + std::to_string(n) + " x " + std::to_string(n) + " board has the tiles 0 to " +
           std::to_string(std::int64_t{n} * n - 1);
}

/// Throws std::invalid_argument for a tile that no board of size n has.
[[noreturn]] inline void throw_tile_out_of_range(const std::string& value, std::int64_t cell, int n) {
    throw std::invalid_argument("tile " + value + " at " + cell_text(cell, n) +
                                " is out of range: " + tile_range_text(n));
}

/// Throws std::invalid_argument for a tile that is in two cells.
[[noreturn]] inline void throw_tile_twice(std::int64_t tile, std::int64_t first, std::int64_t second, int n) {
    throw std::invalid_argument(tile_text(tile) + " stands twice: at " + cell_text(first, n) + " and at " +
                                cell_text(second, n));
}

/// Throws std::out_of_range for a cell that is not on a board of size n.
[[noreturn]] inline void throw_cell_out_of_range(int row, int col, int n) {
    throw std::out_of_range("row " + std::to_string(row) + ", column " + std::to_string(col) +
                            " is off the board: a " + std::to_string(n) + " x " + std::to_string(n) +
                            " board has rows and columns 0 to " + std::to_string(n - 1));
}

} // namespace npuzzle::detail
