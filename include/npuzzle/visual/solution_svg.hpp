#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/visual/detail/board_drawing.hpp"
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

/// Options of `write_solution_svg`.
struct SolutionSvgOptions {
    /// The number of boards in a row. With 0, the picture is about twice as wide as it is high.
    int columns = 0;
    /// The side of a tile, in pixels.
    int tile_size = 32;
    /// The title for screen readers, which most viewers also show under the pointer. If empty, the size and
    /// the number of moves.
    std::string title = {};
};

namespace detail {

/// Draws boards as text, in whole pixels and without the stream's locale, so that the same boards give the
/// same picture everywhere.
class SolutionSvg {
public:
    SolutionSvg(const std::vector<Board>& boards, const SolutionSvgOptions& options)
        : boards_(boards), drawing_(boards.front().size(), options.tile_size),
          caption_(drawing_.spacing + drawing_.gap), columns_(columns(options.columns)) {}

    [[nodiscard]] std::string head(const std::string& title) const {
        const auto count = static_cast<std::int64_t>(boards_.size());
        const std::int64_t rows = (count + columns_ - 1) / columns_;
        return svg_head("npuzzle", std::to_string(columns_ * across() + drawing_.spacing),
                        std::to_string(rows * down() + drawing_.spacing), title, drawing_.rules("npuzzle"),
                        std::to_string(drawing_.tile / 4));
    }

    /// One board of the solution with its caption. `step` is the number of moves before it.
    [[nodiscard]] std::string board(std::size_t step) const {
        const auto place = static_cast<std::int64_t>(step);
        const std::int64_t left = drawing_.spacing + place % columns_ * across();
        const std::int64_t top = drawing_.spacing + place / columns_ * down();
        const Board& board = boards_[step];
        const std::int64_t moved_cell = step == 0 ? -1 : boards_[step - 1].blank_cell();
        std::string text = "<g transform=\"translate(" + std::to_string(left) + ' ' + std::to_string(top) +
                           ")\">\n" + drawing_.frame() + '\n';
        for (std::int64_t cell = 0; cell < board.cells(); ++cell) {
            if (const int tile = board.tile(cell); tile != 0) {
                const std::string drawn = drawing_.drawn_tile(tile, drawing_.left(cell), drawing_.top(cell));
                text += (cell == moved_cell ? "<g class=\"moved\">" + drawn + "</g>" : drawn) + '\n';
            }
        }
        return text +
               svg_text("caption", drawing_.board / 2, drawing_.board + caption_ - drawing_.gap,
                        step == 0 ? "start" : std::to_string(step)) +
               "\n</g>\n";
    }

private:
    /// The distance from one board to the next, and from one row to the next.
    [[nodiscard]] std::int64_t across() const { return drawing_.board + drawing_.spacing; }
    [[nodiscard]] std::int64_t down() const { return drawing_.board + caption_ + drawing_.spacing; }

    /// The least number of columns that makes the picture twice as wide as it is high. It is then reduced as
    /// far as the number of rows stays the same, so that the last row is not almost empty.
    [[nodiscard]] std::int64_t columns(std::int64_t wanted) const {
        const auto count = static_cast<std::int64_t>(boards_.size());
        if (wanted > 0) return wanted < count ? wanted : count;
        std::int64_t columns = 1;
        while (columns < count && columns * across() < 2 * ((count + columns - 1) / columns) * down()) {
            ++columns;
        }
        const std::int64_t rows = (count + columns - 1) / columns;
        return (count + rows - 1) / rows;
    }

    const std::vector<Board>& boards_;
    BoardDrawing drawing_;
    std::int64_t caption_;
    std::int64_t columns_;
};

} // namespace detail

/// Draws a solution, such as `Solver::solution()`, as an SVG picture: a grid of its boards. The tile that
/// moved has another color, and the number of moves is below each board. Colors follow the viewer's light or
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
    detail::require_tile_size(options.tile_size);
    const detail::SolutionSvg picture(boards, options);
    detail::write_text(out, picture.head(options.title.empty() ? detail::title_of(boards) : options.title));
    for (std::size_t step = 0; step < boards.size(); ++step) detail::write_text(out, picture.board(step));
    detail::write_text(out, "</svg>\n");
}

} // namespace npuzzle
