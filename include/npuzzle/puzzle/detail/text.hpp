#pragma once

#include "npuzzle/macros.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace npuzzle::detail {

/// A number in decimal digits. Out of line, like what follows: messages are not worth the time that it takes
/// to compile them in place.
template <class Number>
[[nodiscard]] NPUZZLE_COLD std::string number_text(Number number) {
    return std::to_string(number);
}

/// The text of the pieces, one after the other.
[[nodiscard]] NPUZZLE_COLD inline std::string text_of(std::initializer_list<std::string_view> pieces) {
    std::string text;
    for (const std::string_view piece : pieces) text += piece;
    return text;
}

/// Throws std::invalid_argument with the pieces, one after the other, as its message.
[[noreturn]] NPUZZLE_COLD inline void throw_invalid(std::initializer_list<std::string_view> pieces) {
    throw std::invalid_argument(text_of(pieces));
}

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

[[noreturn]] NPUZZLE_COLD inline void throw_tile_out_of_range(const std::string& value, std::int64_t cell,
                                                              int n) {
    throw_invalid({"tile ", value, " at ", cell_text(cell, n), " is out of range: ", tile_range_text(n)});
}

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

/// The number of decimal digits of `number`, which must be 0 or more.
[[nodiscard]] constexpr int decimal_digits(std::int64_t number) noexcept {
    int digits = 1;
    for (; number >= 10; number /= 10) ++digits;
    return digits;
}

/// Appends `number`, which must be 0 or more, padded with spaces on the left to at least `width` characters.
inline void append_padded(std::string& text, int number, int width) {
    const std::string digits = std::to_string(number);
    for (auto length = static_cast<int>(digits.size()); length < width; ++length) text += ' ';
    text += digits;
}

/// What `Board::to_string` returns.
template <class B>
[[nodiscard]] std::string classical_text(const B& board) {
    const int n = board.size();
    const auto cells = static_cast<std::int64_t>(board.cells());
    const int widest = decimal_digits(cells - 1);
    std::string text;
    text.reserve(static_cast<std::size_t>(cells * ((widest < 2 ? 2 : widest) + 1) + n + 8));
    append_padded(text, n, 0);
    text += '\n';
    decltype(board.cells()) cell = 0;
    for (int row = 0; row < n; ++row) {
        for (int col = 0; col < n; ++col, ++cell) {
            append_padded(text, board.tile(cell), 2);
            text += ' ';
        }
        text += '\n';
    }
    return text;
}

} // namespace npuzzle::detail
