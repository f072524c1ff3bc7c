#pragma once

#include "npuzzle/macros.hpp"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace npuzzle::detail {

/// A piece of a message: a text or a number.
struct TextPiece {
    template <std::convertible_to<std::string_view> Text>
    TextPiece(const Text& its_text) : text(its_text) {} // NOLINT(google-explicit-constructor)
    template <std::integral Number>
    TextPiece(Number number) // NOLINT(google-explicit-constructor)
        : text(std::cmp_less(number, 0) ? "-" : ""), is_number(true),
          magnitude(text.empty() ? static_cast<std::uint64_t>(number)
                                 : 0 - static_cast<std::uint64_t>(number)) {}

    std::string_view text; ///< the sign of a number
    bool is_number = false;
    std::uint64_t magnitude = 0;
};

/// The text of the pieces, one after the other. Out of line, like what follows: messages are not worth the
/// time that it takes to compile them in place.
NPUZZLE_COLD inline std::string text_of(std::initializer_list<TextPiece> pieces) {
    std::string text;
    for (const TextPiece& piece : pieces) {
        text += piece.text;
        if (piece.is_number) text += std::to_string(piece.magnitude);
    }
    return text;
}

/// Throws std::invalid_argument with the pieces, one after the other, as its message.
[[noreturn]] NPUZZLE_COLD inline void throw_invalid(std::initializer_list<TextPiece> pieces) {
    throw std::invalid_argument(text_of(pieces));
}

/// A cell in words: "row 1, column 2", both counted from 0 as in `tile_at`.
NPUZZLE_COLD inline std::string cell_text(std::int64_t cell, int n) {
    return text_of({"row ", cell / n, ", column ", cell % n});
}

/// A tile in words: "tile 5", or "the blank (0)".
NPUZZLE_COLD inline std::string tile_text(std::int64_t tile) {
    return tile == 0 ? "the blank (0)" : text_of({"tile ", tile});
}

/// Which tiles a board of size n has, in words: "a 3 x 3 board has the tiles 0 to 8".
NPUZZLE_COLD inline std::string tile_range_text(std::int64_t n) {
    return text_of({"a ", n, " x ", n, " board has the tiles 0 to ", n * n - 1});
}

[[noreturn]] NPUZZLE_COLD inline void throw_tile_out_of_range(TextPiece value, std::int64_t cell, int n) {
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
    throw std::out_of_range(text_of({"row ", row, ", column ", col, " is off the board: a ", n, " x ", n,
                                     " board has rows and columns 0 to ", n - 1}));
}

/// Appends `number`, which must be 0 or more, padded with spaces on the left to at least `width` characters.
inline void append_padded(std::string& text, int number, int width) {
    const std::string digits = std::to_string(number);
    for (auto length = static_cast<int>(digits.size()); length < width; ++length) text += ' ';
    text += digits;
}

/// What `Board::to_string` returns.
template <class B>
std::string classical_text(const B& board) {
    const int n = board.size();
    std::string text = text_of({n, "\n"});
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
