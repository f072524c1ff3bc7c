#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/visual/detail/drawing.hpp"

#include <algorithm>
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

/// Draws a solution, such as `Solver::solution()`, as an SVG picture: a grid of its boards. The tile that
/// moved has another color, and the number of moves is below each board. Colors follow the viewer's light or
/// dark scheme.
///
/// \param boards from the first to the last, each one move from the one before
/// \throws std::invalid_argument if there are no boards, if they are not all of one size, if one is not one
///         move from the one before, if `options.columns` is negative or `options.tile_size` is not from 1 to
///         10000.
///
/// O(n^2) time a board; writes board by board. Errors are left in the state of `out`.
inline void write_solution_svg(std::ostream& out, const std::vector<Board>& boards,
                               const SolutionSvgOptions& options = {}) {
    static_cast<void>(detail::moves_of(boards));
    if (options.columns < 0)
        throw std::invalid_argument("there cannot be " + std::to_string(options.columns) + " columns");
    if (options.tile_size < 1 || options.tile_size > 10000) {
        throw std::invalid_argument("the size of a tile is from 1 to 10000 pixels, not " +
                                    std::to_string(options.tile_size));
    }

    const detail::BoardDrawing drawing(boards.front().size(), options.tile_size);
    const std::int64_t across = drawing.board + drawing.spacing;
    const std::int64_t down = across + drawing.spacing + drawing.gap; // with a caption
    const auto count = static_cast<std::int64_t>(boards.size());
    const auto rows_of = [&](std::int64_t columns) { return (count + columns - 1) / columns; };
    std::int64_t columns = (std::min)(std::int64_t{options.columns}, count);
    if (columns == 0) {
        // The least number that makes the picture twice as wide as it is high, reduced as far as the number of
        // rows stays the same, so that the last row is not almost empty.
        columns = 1;
        while (columns < count && columns * across < 2 * rows_of(columns) * down) ++columns;
        columns = rows_of(rows_of(columns));
    }
    detail::write_text(out, drawing.head(columns * across + drawing.spacing,
                                         rows_of(columns) * down + drawing.spacing,
                                         detail::title_of(boards, options.title)));
    for (std::int64_t step = 0; step < count; ++step) {
        const Board& board = boards[static_cast<std::size_t>(step)];
        const std::int64_t moved = step == 0 ? -1 : boards[static_cast<std::size_t>(step - 1)].blank_cell();
        std::string text = "<g " +
                           drawing.translation(drawing.spacing + step % columns * across,
                                               drawing.spacing + step / columns * down) +
                           ">\n" + drawing.frame();
        for (std::int64_t cell = 0; cell < board.cells(); ++cell) {
            if (const int tile = board.tile(cell); tile != 0) {
                const std::string drawn = drawing.drawn_tile(tile, drawing.left(cell), drawing.top(cell));
                text += (cell == moved ? "<g class=\"moved\">" + drawn + "</g>" : drawn) + '\n';
            }
        }
        text += drawing.text(" class=\"caption\"", drawing.board / 2, drawing.board + drawing.spacing,
                             step == 0 ? "start" : std::to_string(step));
        detail::write_text(out, text + "\n</g>\n");
    }
    detail::write_text(out, "</svg>\n");
}

} // namespace npuzzle
