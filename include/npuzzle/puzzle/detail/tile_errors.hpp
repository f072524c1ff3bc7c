#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace npuzzle::detail {

/// A cell in words: "row 1, column 2", both counted from 0 as in `tile_at`.
[[nodiscard]] NPUZZLE_COLD inline std::string cell_text(std::int64_t cell, int n) {
    return text_of({"row ", number_text(cell / n), ", column ", number_text(cell % n)});
}

/// A tile in words: "tile 5", or "the blank (0)".
[[nodiscard]] NPUZZLE_COLD inline std::string tile_text(std::int64_t tile) {
    return tile == 0 ? "the blank (0)" : text_of({"tile ", number_text(tile)});
}

/// Which tiles a board of size n has, in words: "a 3 x 3 board has the tiles 0 to 8".
[[nodiscard]] NPUZZLE_COLD inline std::string tile_range_text(std::int64_t n) {
    const std::string size = number_text(n);
    return text_of({"a ", size, " x ", size, " board has the tiles 0 to ", number_text(n * n - 1)});
}

/// Throws std::invalid_argument for a tile that no board of size n has.
[[noreturn]] NPUZZLE_COLD inline void throw_tile_out_of_range(const std::string& value, std::int64_t cell,
                                                              int n) {
    throw_invalid({"tile ", value, " at ", cell_text(cell, n), " is out of range: ", tile_range_text(n)});
}

/// Throws std::invalid_argument for a tile that is in two cells.
[[noreturn]] NPUZZLE_COLD inline void throw_tile_twice(std::int64_t tile, std::int64_t first,
                                                       std::int64_t second, int n) {
    throw_invalid(
        {tile_text(tile), " stands twice: at ", cell_text(first, n), " and at ", cell_text(second, n)});
}

/// Throws std::out_of_range for a cell that is not on a board of size n.
[[noreturn]] NPUZZLE_COLD inline void throw_cell_out_of_range(std::int64_t row, std::int64_t col,
                                                              std::int64_t n) {
    const std::string size = number_text(n);
    throw std::out_of_range(
        text_of({"row ", number_text(row), ", column ", number_text(col), " is off the board: a ", size,
                 " x ", size, " board has rows and columns 0 to ", number_text(n - 1)}));
}

} // namespace npuzzle::detail
