#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solvability.hpp"
#include "npuzzle/search/ida_star.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Solutions of boards of any size that are built by rules, not by search, in time linear in their length.
/// `quick_solution.hpp` has shorter ones.

namespace npuzzle {

namespace detail {

struct Position {
    int row;
    int column;
};

inline int distance(Position a, Position b) {
    return std::abs(a.row - b.row) + std::abs(a.column - b.column);
}

/// Builds a solution line by line, from outside: `fill_line` lets `bring` move each tile of a line to its
/// cell. Each line is seen in a frame in which it is row 0 and is filled from left to right; on the board it
/// may be any row or column. Positions and directions below belong to the frame.
template <class Sink>
class ConstructiveSolver {
    using Cell = std::int64_t; // not the type of tiles: a store to a tile cannot alias it

    /// Where a frame lies on the board: its first cell, and what a step south and a step east add to a cell.
    struct Frame {
        Cell origin;
        Cell south;
        Cell east;
        int height;
        int width;
    };

public:
    /// Requires that the goal can be reached from the board. O(n^2).
    ConstructiveSolver(const Board& board, const Board& goal, Sink& sink)
        : goal_(goal), sink_(sink), size_(board.size()), blank_(board.blank_cell()), tiles_(board.tiles()),
          cells_(tiles_.size()) {
        for (std::size_t cell = 0; cell < tiles_.size(); ++cell) {
            cells_[as_index(tiles_[cell])] = static_cast<std::int32_t>(cell);
        }
    }

    /// Passes all moves to the sink, or those that fill the first `cells` cells. Returns their number.
    std::int64_t run(std::int64_t cells = (std::numeric_limits<std::int64_t>::max)()) {
        cells_left_ = cells;
        Cell row = 0;
        Cell column = 0;
        int side = static_cast<int>(size_); // of the square that is not filled yet
        // The line with the goal's blank is left for the end.
        for (; side > 3 && cells_left_ > 0; --side) {
            const bool is_top = goal_.blank_cell() / size_ > row;
            fill_line(
                {(is_top ? row : row + side - 1) * size_ + column, is_top ? size_ : -size_, 1, side, side});
            row += is_top ? 1 : 0;
            const bool is_left = goal_.blank_cell() % size_ > column;
            fill_line({row * size_ + (is_left ? column : column + side - 1), is_left ? 1 : -1, size_, side,
                       side - 1});
            column += is_left ? 1 : 0;
        }
        if (cells_left_ > 0) {
            enter({row * size_ + column, size_, 1, side, side});
            finish(side);
        }
        return count_;
    }

private:
    enum Direction : unsigned { north, east, south, west };

    static constexpr unsigned opposite(unsigned direction) { return direction ^ 2U; }

    static constexpr Position beside(Position at, unsigned direction) {
        return {at.row + (direction == south) - (direction == north),
                at.column + (direction == east) - (direction == west)};
    }

    void enter(const Frame& frame) {
        frame_ = frame;
        step_ = {-frame.south, frame.east, frame.south, -frame.east};
        std::transform(step_.begin(), step_.end(), move_.begin(), [&](Cell step) {
            return step == -1 ? Move::left : step == 1 ? Move::right : step < 0 ? Move::up : Move::down;
        });
    }

    Cell cell_of(Position at) const {
        return frame_.origin + at.row * frame_.south + at.column * frame_.east;
    }

    Position position_of(Cell cell) const {
        const auto rows = static_cast<int>(cell / size_ - frame_.origin / size_);
        const auto columns = static_cast<int>(cell % size_ - frame_.origin % size_);
        const bool is_upright = frame_.south == size_ || frame_.south == -size_;
        return {(is_upright ? rows : columns) * (frame_.south < 0 ? -1 : 1),
                (is_upright ? columns : rows) * (frame_.east < 0 ? -1 : 1)};
    }

    void fill_line(const Frame& frame) {
        enter(frame);
        const int end = frame.width - 1;
        for (int column = 0; column < end && cells_left_ > 0; ++column, --cells_left_)
            bring(goal_.tile(cell_of({0, column})), column);
        if (cells_left_-- > 0) fill_last(frame, cell_of({0, end}));
    }

    /// The last cell of a line can be entered only from the cell below it. Its tile is brought to that cell.
    /// Then nine moves fill the last cell: the two tiles beside it step aside and return.
    void fill_last(const Frame& frame, Cell corner) {
        const std::int32_t tile = goal_.tile(corner);
        if (blank_ == corner) slide({south});
        if (cells_[as_index(tile)] == corner) return;
        // What is below the line, with left and right exchanged.
        enter({corner + frame.south, frame.south, -frame.east, frame.height - 1, frame.width});
        bring(tile, 0);
        go({0, 1}, {0, 0}, 0);
        enter(frame);
        slide({west, north, east, east, south, west, north, west, south});
    }

    /// Brings a tile to a cell of row 0 other than the last one. The cells to the left of that cell are
    /// filled.
    ///
    /// If the tile continues in the same direction, the blank needs four moves around it. If the tile turns,
    /// the blank needs only two. So the tile moves upward and sideways alternately for as long as both are
    /// needed. A tile from the left enters row 0 last.
    void bring(std::int32_t tile, int column) {
        Position at = position_of(cells_[as_index(tile)]);
        if (at.row == 0 && at.column == column) return;
        const bool is_from_right = at.column > column;
        const unsigned aside = is_from_right ? west : east;
        const int kept = is_from_right ? 0 : 1;
        unsigned direction = begins_upward(at, column) ? north : aside;
        go(beside(at, direction), at, column);
        slide({opposite(direction)});
        at = beside(at, direction);
        while (at.row != 0 || at.column != column) {
            const unsigned last = direction;
            direction = at.column == column || (last != north && at.row > kept) ? north : aside;
            if (direction == last) { // to the end of this line
                const unsigned side = direction == north ? east : south;
                slide({side, direction, direction, opposite(side), opposite(direction)},
                      direction == north ? at.row : std::abs(at.column - column));
                at = {direction == north ? 0 : at.row, column};
            } else {
                const bool is_closed = last == east && at.row == 1; // the way over the top
                is_closed ? go(beside(at, direction), at, column) : slide({direction, last});
                slide({opposite(direction)});
                at = beside(at, direction);
            }
        }
    }

    /// Whether a tile moves upward first. The direction with the greater distance comes first and last: then
    /// fewer steps follow a step in the same direction.
    bool begins_upward(Position at, int column) const {
        const int sideways = std::abs(at.column - column);
        if (at.column <= column) return sideways == 0 || at.row > sideways + 1;
        if (at.row <= 1 || at.row != sideways) return at.row > 1 && at.row > sideways;
        const Position blank = position_of(blank_);
        return distance(blank, beside(at, north)) < distance(blank, beside(at, west));
    }

    /// Takes the blank to a cell beside a tile by a shortest way, past the tile and the filled cells: those
    /// of row 0 to the left of `column`.
    void go(Position to, Position tile, int column) {
        const auto is_free = [&](Position a, Position b) { // a part of one line
            const auto [top, bottom] = std::minmax(a.row, b.row);
            const auto [left, right] = std::minmax(a.column, b.column);
            const bool has_tile =
                top <= tile.row && tile.row <= bottom && left <= tile.column && tile.column <= right;
            return !has_tile && (top > 0 || left >= column);
        };
        const Position from = position_of(blank_);
        for (const Position corner : {Position{from.row, to.column}, Position{to.row, from.column}}) {
            if (is_free(from, corner) && is_free(corner, to)) {
                walk(from, corner);
                return walk(corner, to);
            }
        }
        // The tile is between them in a row, or the blank goes north of the tile from below or the left.
        const int below = tile.row + 1 < frame_.height ? tile.row + 1 : tile.row - 1;
        const int right = tile.column + 1 < frame_.width ? tile.column + 1 : tile.column - 1;
        go(from.row == to.row ? Position{below, from.column} : Position{tile.row, right}, tile, column);
        go(to, tile, column);
    }

    /// Takes the blank along a row or a column.
    void walk(Position from, Position to) {
        slide({to.row < from.row ? north : south}, std::abs(to.row - from.row));
        slide({to.column < from.column ? west : east}, std::abs(to.column - from.column));
    }

    void slide(std::initializer_list<unsigned> directions, int times = 1) {
        std::int32_t* const tiles = tiles_.data();
        std::int32_t* const cells = cells_.data();
        Cell blank = blank_;
        for (int i = 0; i < times; ++i) {
            for (const unsigned direction : directions) {
                const Cell next = blank + step_[direction];
                const std::int32_t tile = tiles[next];
                tiles[blank] = tile;
                cells[tile] = static_cast<std::int32_t>(blank);
                blank = next;
                sink_(move_[direction]);
            }
        }
        blank_ = blank;
        count_ += times * std::ssize(directions);
    }

    /// Solves the square that is left, of nine or four cells, in the fewest moves: it is a board of its own.
    void finish(int side) {
        std::vector<std::int32_t> goal;
        std::vector<std::int32_t> tiles(static_cast<std::size_t>(side * side));
        std::int32_t named = 0;
        for (int cell = 0; cell < side * side; ++cell) {
            const std::int32_t tile = goal_.tile(cell_of({cell / side, cell % side}));
            const Position at = position_of(tile != 0 ? cells_[as_index(tile)] : blank_);
            goal.push_back(tile != 0 ? ++named : 0);
            tiles[as_index(at.row * side + at.column)] = goal.back();
        }
        const SlidingPuzzle<> square(Board(std::move(goal)));
        const auto solution = ida_star(square, Board(std::move(tiles)), Manhattan{});
        if (!solution) throw std::bad_alloc();
        count_ += std::ssize(solution.moves);
        for (const Move move : solution.moves) sink_(move);
    }

    const Board& goal_;
    Sink& sink_;
    Cell size_;
    Cell blank_;
    std::int64_t count_ = 0;
    std::int64_t cells_left_ = 0; ///< to be filled
    Frame frame_{};
    std::array<Cell, 4> step_{}; ///< what a step adds to a cell, by direction
    std::array<Move, 4> move_{};
    std::vector<std::int32_t> tiles_; ///< the blank's entry is never read
    std::vector<std::int32_t> cells_; ///< the cell of each tile
};

} // namespace detail

/// An upper bound on the number of moves of a constructive solution of a board of size n, from 2 to 32767: 5
/// n^3 - 9 n^2 + 21 n - 86 from n = 3 on. It adds up, over all tiles, the longest path of the blank to the
/// tile and the longest path of the tile to its cell (docs/puzzles.md), as I. Parberry (1995) does. O(1).
[[nodiscard]] constexpr std::int64_t constructive_move_bound(int n) noexcept {
    const std::int64_t size = n;
    return n == 2 ? 6 : ((5 * size - 9) * size + 21) * size - 86;
}

/// Calls `sink(move)` for each move of a path from `board` to `goal`, in order. Returns the number of moves:
/// at most `constructive_move_bound(n)`, and about 2.7 n^3 for a large random board.
///
/// The method is I. Parberry's (1995). It fills line after line, alternately a row and a column, from outside
/// toward the goal's blank, and does not touch filled cells again. Each tile is brought to its cell by a
/// shortest path that turns as often as possible. Only the last nine cells are searched. So a move takes
/// amortized O(1). Solutions are shortest for size 2 and 3, but not for larger sizes. Memory: 8 bytes a cell.
/// \throws std::invalid_argument, before the first call, if the boards differ in size or the goal cannot be
///     reached; what the sink throws
template <class Sink>
    requires std::invocable<Sink&, Move>
std::int64_t for_each_constructive_move(const Board& board, const Board& goal, Sink&& sink) {
    if (!is_solvable(board, goal)) throw std::invalid_argument("the goal cannot be reached from the board");
    return detail::ConstructiveSolver<std::remove_reference_t<Sink>>(board, goal, sink).run();
}

/// The moves of `for_each_constructive_move`, a byte each. Throws as above.
[[nodiscard]] inline std::vector<Move> constructive_moves(const Board& board, const Board& goal) {
    std::vector<Move> moves;
    for_each_constructive_move(board, goal, [&](Move move) { moves.push_back(move); });
    return moves;
}

} // namespace npuzzle
