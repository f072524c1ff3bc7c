#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/text.hpp"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

namespace npuzzle {

/// Writes a board as read_board() reads it: each line of `comment` after `# `, the size on a line, each row
/// on a line in columns as wide as the greatest tile. O(n^2) time. Errors are left in the state of
/// `out`.
inline void write_board(std::ostream& out, const Board& board, std::string_view comment = {}) {
    std::string text;
    while (!comment.empty()) {
        const std::size_t length = comment.find_first_of("\r\n");
        text += "# ";
        text += comment.substr(0, length);
        text += '\n';
        if (length == std::string_view::npos) break;
        comment.remove_prefix(length);
        comment.remove_prefix(comment.substr(0, 2) == "\r\n" ? 2 : 1);
    }
    const int n = board.size();
    detail::append_padded(text, n, 0);
    text += '\n';
    const auto width = static_cast<int>(std::to_string(board.cells() - 1).size());
    std::int64_t cell = 0;
    for (int row = 0; row < n; ++row) {
        for (int col = 0; col < n; ++col, ++cell) {
            if (col != 0) text += ' ';
            detail::append_padded(text, board.tile(cell), width);
        }
        text += '\n';
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
        text.clear();
    }
}

} // namespace npuzzle
