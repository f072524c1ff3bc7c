#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/visual/detail/solution_boards.hpp"
#include "npuzzle/visual/detail/svg.hpp"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

/// \file
/// A solution as a picture: its boards side by side, as SVG.

namespace npuzzle {

/// What write_solution_svg() may be told.
struct SolutionSvgOptions {
    /// How many boards stand in a row; with 0, as many as make the picture about twice as wide as it is high.
    int columns = 0;
    /// The side of a tile, in pixels.
    int tile_size = 32;
    /// What a screen reader says, and most viewers show under the pointer; if empty, the size and the number
    /// of moves.
    std::string title = {};
};

namespace detail {

/// Draws boards into a text, by whole pixels and without the stream's locale, so that the same boards make
/// the same picture everywhere.
class SolutionSvg {
public:
    SolutionSvg(const std::vector<Board>& boards, const SolutionSvgOptions& options)
        : boards_(boards), size_(boards.front().size()), tile_(options.tile_size), gap_(1 + tile_ / 20),
          number_(number_size()), board_(size_ * (tile_ + gap_) + 3 * gap_), spacing_(4 + tile_ / 2),
          caption_(spacing_ + gap_), columns_(columns(options.columns)) {}

    [[nodiscard]] std::string head(const std::string& title) const {
        const auto count = static_cast<std::int64_t>(boards_.size());
        const std::int64_t rows = (count + columns_ - 1) / columns_;
        const std::string width = std::to_string(columns_ * (board_ + spacing_) + spacing_);
        const std::string height = std::to_string(rows * (board_ + caption_ + spacing_) + spacing_);
        std::string rules;
        rules.append(".npuzzle text { font: 600 ")
            .append(std::to_string(number_))
            .append("px ")
            .append(svg_font);
        rules += "; text-anchor: middle; "
                 "fill: #3d2c12 }\n"
                 ".npuzzle .caption { font-size: " +
                 std::to_string(2 + tile_ * 3 / 8) +
                 "px; fill: #57606a }\n"
                 ".npuzzle .moved text { fill: #ffffff }\n"
                 ".npuzzle rect { fill: #f2dfb8 }\n"
                 ".npuzzle .moved rect { fill: #1b66c9 }\n"
                 ".npuzzle .frame { fill: #8a6d45 }\n"
                 ".npuzzle .page { fill: #ffffff }\n"
                 "@media (prefers-color-scheme: dark) {\n"
                 ".npuzzle text { fill: #f0e6d2 }\n"
                 ".npuzzle .caption { fill: #9aa4af }\n"
                 ".npuzzle .moved text { fill: #06182f }\n"
                 ".npuzzle rect { fill: #57493a }\n"
                 ".npuzzle .moved rect { fill: #79b5ff }\n"
                 ".npuzzle .frame { fill: #2b241d }\n"
                 ".npuzzle .page { fill: #0d1117 }\n"
                 "}\n";
        return svg_head(width, height, title, rules, std::to_string(tile_ / 4));
    }

    /// One board of the solution, with its caption; `step` is how many moves were made before it.
    [[nodiscard]] std::string board(std::size_t step) const {
        const auto place = static_cast<std::int64_t>(step);
        const std::int64_t left = spacing_ + place % columns_ * (board_ + spacing_);
        const std::int64_t top = spacing_ + place / columns_ * (board_ + caption_ + spacing_);
        const Board& board = boards_[step];
        const std::int64_t moved_cell = step == 0 ? -1 : boards_[step - 1].blank_cell();
        std::string text = "<g transform=\"translate(" + std::to_string(left) + ' ' + std::to_string(top) +
                           ")\">\n" + svg_rectangle<std::int64_t>("frame", 0, 0, board_, board_, tile_ / 6) +
                           '\n';
        for (std::int64_t cell = 0; cell < board.cells(); ++cell) {
            if (const int tile = board.tile(cell); tile != 0) {
                text += drawn_tile(tile, cell, cell == moved_cell);
            }
        }
        text += svg_text("caption", board_ / 2, board_ + caption_ - gap_,
                         step == 0 ? "start" : std::to_string(step)) +
                "\n</g>\n";
        return text;
    }

private:
    [[nodiscard]] std::string drawn_tile(int tile, std::int64_t cell, bool has_moved) const {
        const std::int64_t x = 2 * gap_ + cell % size_ * (tile_ + gap_);
        const std::int64_t y = 2 * gap_ + cell / size_ * (tile_ + gap_);
        const std::string drawn = svg_rectangle("", x, y, tile_, tile_, tile_ / 8) +
                                  svg_text("", x + tile_ / 2, y + baseline(), std::to_string(tile));
        return (has_moved ? "<g class=\"moved\">" + drawn + "</g>" : drawn) + '\n';
    }

    /// The size of the type in which the numbers are set: half the tile, less where they have many digits.
    [[nodiscard]] std::int64_t number_size() const {
        const std::int64_t digits = decimal_digits(boards_.front().cells() - 1);
        return 1 + (digits <= 2 ? tile_ / 2 : tile_ * 11 / (10 * digits));
    }

    /// How far below the upper edge of its tile a number stands. Digits are about 0.72 of the size of their
    /// type high.
    [[nodiscard]] std::int64_t baseline() const { return (50 * tile_ + 36 * number_ + 50) / 100; }

    /// The least number of columns that makes the picture twice as wide as it is high; then as few as will do
    /// for the same number of rows, so that the last row is not left almost empty.
    [[nodiscard]] std::int64_t columns(std::int64_t wanted) const {
        const auto count = static_cast<std::int64_t>(boards_.size());
        if (wanted > 0) return wanted < count ? wanted : count;
        std::int64_t columns = 1;
        while (columns < count && columns * (board_ + spacing_) < 2 * ((count + columns - 1) / columns) *
                                                                      (board_ + caption_ + spacing_)) {
            ++columns;
        }
        const std::int64_t rows = (count + columns - 1) / columns;
        return (count + rows - 1) / rows;
    }

    const std::vector<Board>& boards_;
    std::int64_t size_;
    std::int64_t tile_;
    std::int64_t gap_;
    std::int64_t number_;
    std::int64_t board_;
    std::int64_t spacing_;
    std::int64_t caption_;
    std::int64_t columns_;
};

} // namespace detail

/// Draws a solution, such as Solver::solution(), as an SVG picture: a grid of its boards, the tile that moved
/// in another colour, and under each board the number of moves made. Colours follow the viewer's light or
/// dark scheme.
///
/// \param boards from the first to the last, each one move from the one before
/// \throws std::invalid_argument if there are no boards, if they are not all of one size, if
///         `options.columns` is negative or `options.tile_size` is not from 1 to 10000.
///
/// O(n^2) time a board; writes board by board. Errors are left in the state of `out`.
inline void write_solution_svg(std::ostream& out, const std::vector<Board>& boards,
                               const SolutionSvgOptions& options = {}) {
    detail::require_boards_of_one_size(boards);
    if (options.columns < 0)
        throw std::invalid_argument("there cannot be " + std::to_string(options.columns) + " columns");
    if (options.tile_size < 1 || options.tile_size > 10000) {
        throw std::invalid_argument("the size of a tile is from 1 to 10000 pixels, not " +
                                    std::to_string(options.tile_size));
    }
    const detail::SolutionSvg picture(boards, options);
    detail::write_text(out, picture.head(options.title.empty() ? detail::title_of(boards) : options.title));
    for (std::size_t step = 0; step < boards.size(); ++step) detail::write_text(out, picture.board(step));
    detail::write_text(out, "</svg>\n");
}

} // namespace npuzzle
