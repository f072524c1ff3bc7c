#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/move.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What pictures and pages share: boards that are checked, escaped text, drawn boards.

namespace npuzzle::detail {

/// The moves of the blank from each board to the next. O(n^2) for each.
/// \throws std::invalid_argument if there are no boards, if they are not all of one size, or if a board is
///         not one move from the one before
[[nodiscard]] inline std::vector<Move> moves_of(const std::vector<Board>& boards) {
    if (boards.empty()) throw std::invalid_argument("there are no boards to draw");
    const int n = boards.front().size();
    std::vector<Move> moves;
    for (std::size_t step = 1; step < boards.size(); ++step) {
        const Board& from = boards[step - 1];
        const Board& to = boards[step];
        if (to.size() != n) {
            throw std::invalid_argument("boards of size " + std::to_string(n) + " and of size " +
                                        std::to_string(to.size()) + " are not of one solution");
        }
        const std::vector<Board> reached = from.neighbors();
        if (std::find(reached.begin(), reached.end(), to) == reached.end()) {
            throw std::invalid_argument("board " + std::to_string(step) +
                                        " of the solution is not one move from the board before");
        }
        const std::int64_t by = to.blank_cell() - from.blank_cell();
        moves.push_back(by == -n ? Move::up : by == -1 ? Move::left : by == 1 ? Move::right : Move::down);
    }
    return moves;
}

/// `text` escaped for use between tags and in quotes. Control characters, which XML cannot hold, become
/// U+FFFD.
[[nodiscard]] inline std::string escaped_for_xml(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
        escaped += c == '&'     ? "&amp;"
                   : c == '<'   ? "&lt;"
                   : c == '>'   ? "&gt;"
                   : c == '"'   ? "&quot;"
                   : is_control ? "\xEF\xBF\xBD"
                                : std::string(1, c);
    }
    return escaped;
}

/// The given title, or such as "A sliding-tile puzzle of 3 by 3, solved in 1 move"; escaped.
[[nodiscard]] inline std::string title_of(const std::vector<Board>& boards, const std::string& title) {
    if (!title.empty()) return escaped_for_xml(title);
    const std::string size = std::to_string(boards.front().size());
    return "A sliding-tile puzzle of " + size + " by " + size + ", solved in " +
           std::to_string(boards.size() - 1) + (boards.size() == 2 ? " move" : " moves");
}

/// Writes text without the stream's locale, width or fill. Errors are left in the state of `out`.
inline void write_text(std::ostream& out, std::string_view text) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

/// A board drawn as SVG, in whole pixels, so that the same boards give the same picture everywhere.
struct BoardDrawing {
    BoardDrawing(std::int64_t size_of_board, std::int64_t side_of_tile)
        : size(size_of_board), tile(side_of_tile), gap(1 + tile / 20), board(size * (tile + gap) + 3 * gap),
          spacing(4 + tile / 2) {
        const std::int64_t digits = decimal_digits(size * size - 1);
        // Half the tile, less where numbers have many digits.
        number = 1 + (digits <= 2 ? tile / 2 : tile * 11 / (10 * digits));
    }

    [[nodiscard]] static std::string translation(std::int64_t x, std::int64_t y) {
        return "transform=\"translate(" + std::to_string(x) + ' ' + std::to_string(y) + ")\"";
    }
    [[nodiscard]] static std::string text(const std::string& attributes, std::int64_t x, std::int64_t y,
                                          const std::string& what) {
        return "<text" + attributes + " x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\">" +
               what + "</text>";
    }
    /// A rectangle with rounded corners.
    [[nodiscard]] static std::string rectangle(const std::string& attributes, std::int64_t x, std::int64_t y,
                                               std::int64_t width, std::int64_t height, std::int64_t radius) {
        return "<rect" + attributes + " x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
               "\" width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(height) + "\" rx=\"" +
               std::to_string(radius) + "\"/>";
    }

    /// The left edge of the tile in a cell, and its upper one.
    [[nodiscard]] std::int64_t left(std::int64_t cell) const { return 2 * gap + cell % size * (tile + gap); }
    [[nodiscard]] std::int64_t top(std::int64_t cell) const { return 2 * gap + cell / size * (tile + gap); }

    /// A tile with its number; its upper left corner is at (x, y). The height of a digit is about 0.72 of the
    /// font size.
    [[nodiscard]] std::string drawn_tile(int tile_number, std::int64_t x, std::int64_t y) const {
        const std::int64_t baseline = (50 * tile + 36 * number + 50) / 100;
        return rectangle("", x, y, tile, tile, tile / 8) +
               text("", x + tile / 2, y + baseline, std::to_string(tile_number));
    }
    [[nodiscard]] std::string frame() const {
        return rectangle(" class=\"frame\"", 0, 0, board, board, tile / 6) + '\n';
    }

    /// The beginning of a picture: the attributes that every picture has, its title, its style rules and its
    /// background.
    [[nodiscard]] std::string head(std::int64_t width, std::int64_t height, const std::string& title) const {
        const std::string size_text = std::to_string(width) + "\" height=\"" + std::to_string(height);
        std::string head =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"npuzzle\" role=\"img\" width=\"" + size_text +
            "\" viewBox=\"0 0 " + std::to_string(width) + ' ' + std::to_string(height) + "\" aria-label=\"" +
            title + "\">\n<title>" + title + "</title>\n<style>\n";
        const auto add = [&](const std::vector<std::string>& rules) {
            for (const std::string& rule : rules) head += ".npuzzle " + rule + " }\n";
        };
        add({"text { font: 600 " + std::to_string(number) +
                 "px system-ui, -apple-system, \"Segoe UI\", \"DejaVu Sans\", sans-serif; text-anchor: "
                 "middle; "
                 "fill: #3d2c12",
             ".caption { font-size: " + std::to_string(2 + tile * 3 / 8) + "px; fill: #57606a",
             ".moved text { fill: #ffffff", "rect { fill: #f2dfb8", ".moved rect { fill: #1b66c9",
             ".frame { fill: #8a6d45", ".page { fill: #ffffff"});
        head += "@media (prefers-color-scheme: dark) {\n";
        add({"text { fill: #f0e6d2", ".caption { fill: #9aa4af", ".moved text { fill: #06182f",
             "rect { fill: #57493a", ".moved rect { fill: #79b5ff", ".frame { fill: #2b241d",
             ".page { fill: #0d1117"});
        return head + "}\n</style>\n" + rectangle(" class=\"page\"", 0, 0, width, height, tile / 4) + '\n';
    }

    std::int64_t size;
    std::int64_t tile;
    std::int64_t gap;
    std::int64_t board; ///< the side of the board, with its frame
    std::int64_t spacing;
    std::int64_t number = 0; ///< the font size of the numbers
};

} // namespace npuzzle::detail
