#pragma once

#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/visual/detail/svg.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// A drawn board: the positions of its tiles in whole pixels, and its colors.

namespace npuzzle::detail {

/// The measurements of a drawn board, computed from its size and the side of a tile.
struct BoardDrawing {
    BoardDrawing(std::int64_t size_of_board, std::int64_t side_of_tile)
        : size(size_of_board), tile(side_of_tile), gap(1 + tile / 20), board(size * (tile + gap) + 3 * gap),
          spacing(4 + tile / 2) {
        const std::int64_t digits = decimal_digits(size * size - 1);
        // Half the tile, less where numbers have many digits.
        number = 1 + (digits <= 2 ? tile / 2 : tile * 11 / (10 * digits));
    }

    /// The left edge of the tile in a cell, and its upper one.
    [[nodiscard]] std::int64_t left(std::int64_t cell) const { return 2 * gap + cell % size * (tile + gap); }
    [[nodiscard]] std::int64_t top(std::int64_t cell) const { return 2 * gap + cell / size * (tile + gap); }

    /// A tile with its number; its upper left corner is at (x, y). The height of a digit is about 0.72 of the
    /// font size.
    [[nodiscard]] std::string drawn_tile(int tile_number, std::int64_t x, std::int64_t y) const {
        const std::int64_t baseline = (50 * tile + 36 * number + 50) / 100;
        return svg_rectangle("", x, y, tile, tile, tile / 8) +
               svg_text("", x + tile / 2, y + baseline, std::to_string(tile_number));
    }

    [[nodiscard]] std::string frame() const {
        return svg_rectangle<std::int64_t>("frame", 0, 0, board, board, tile / 6);
    }

    /// The style rules of boards in a picture of class `kind`; `more` goes with them, `more_dark` in a dark
    /// scheme.
    [[nodiscard]] std::string rules(const std::string& kind, std::string_view more = {},
                                    std::string_view more_dark = {}) const {
        std::string text;
        const auto rule = [&](std::string_view what, std::string_view looks) {
            text.append(".").append(kind).append(" ").append(what).append(" { ").append(looks).append(" }\n");
        };
        rule("text", "font: 600 " + std::to_string(number) + "px " + std::string(svg_font) +
                         "; text-anchor: middle; fill: #3d2c12");
        rule(".caption", "font-size: " + std::to_string(2 + tile * 3 / 8) + "px; fill: #57606a");
        rule(".moved text", "fill: #ffffff");
        rule("rect", "fill: #f2dfb8");
        rule(".moved rect", "fill: #1b66c9");
        rule(".frame", "fill: #8a6d45");
        rule(".page", "fill: #ffffff");
        text.append(more).append("@media (prefers-color-scheme: dark) {\n");
        rule("text", "fill: #f0e6d2");
        rule(".caption", "fill: #9aa4af");
        rule(".moved text", "fill: #06182f");
        rule("rect", "fill: #57493a");
        rule(".moved rect", "fill: #79b5ff");
        rule(".frame", "fill: #2b241d");
        rule(".page", "fill: #0d1117");
        return text.append(more_dark).append("}\n");
    }

    std::int64_t size;
    std::int64_t tile;
    std::int64_t gap;
    std::int64_t board; ///< the side of the board, with its frame
    std::int64_t spacing;
    std::int64_t number = 0; ///< the font size of the numbers
};

} // namespace npuzzle::detail
