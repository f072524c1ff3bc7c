#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/solvability.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Constructive solutions: built by rules, not by search. For a board of any size, in time linear in the
/// length of the solution, which is less than 5 n^3 for size n. `quick_solution.hpp` has shorter ones.

namespace npuzzle {

namespace detail {

/// Builds a solution line by line. Each line is seen in a frame in which it is row 0 and is filled from left
/// to right; on the board it may be any row or column. Positions and directions below belong to the frame.
template <class Sink>
class ConstructiveSolver {
    using Cell = std::int64_t; // not the type of tiles: a store to a tile cannot alias it

    struct Position {
        int row;
        int column;
    };

public:
    /// Requires that the goal can be reached from the board. O(n^2).
    ConstructiveSolver(const Board& board, const Board& goal, Sink& sink)
        : goal_(goal), sink_(sink), size_(board.size()), blank_cell_(board.blank_cell()),
          tiles_(board.tiles()), cells_(tiles_.size()) {
        for (std::size_t cell = 0; cell < tiles_.size(); ++cell) {
            cells_[static_cast<std::size_t>(tiles_[cell])] = static_cast<std::int32_t>(cell);
        }
    }

    /// Passes all moves to the sink, or those that fill the first `cells` cells. Returns their number.
    std::int64_t run(std::int64_t cells = (std::numeric_limits<std::int64_t>::max)()) {
        cells_left_ = cells;
        const Position blank{static_cast<int>(goal_.blank_cell() / size_),
                             static_cast<int>(goal_.blank_cell() % size_)};
        Position first{0, 0};
        Position last{size_ - 1, size_ - 1};
        // The line with the goal's blank is left for the end.
        while (last.row - first.row >= 3 && cells_left_ > 0) {
            const int height = last.row - first.row + 1;
            const int width = last.column - first.column + 1;
            blank.row > first.row ? fill_line({first, {1, 0}, {0, 1}, height, width})
                                  : fill_line({{last.row, first.column}, {-1, 0}, {0, 1}, height, width});
            blank.row > first.row ? ++first.row : --last.row;
            blank.column > first.column
                ? fill_line({first, {0, 1}, {1, 0}, width, height - 1})
                : fill_line({{first.row, last.column}, {0, -1}, {1, 0}, width, height - 1});
            blank.column > first.column ? ++first.column : --last.column;
        }
        if (cells_left_ > 0) {
            enter({first, {1, 0}, {0, 1}, last.row - first.row + 1, last.column - first.column + 1});
            finish();
        }
        return count_;
    }

private:
    /// Where a frame lies on the board: its first cell, and one step south and east in it.
    struct Frame {
        Position origin;
        Position south;
        Position east;
        int height;
        int width;
    };

    // In clockwise order.
    static constexpr unsigned north = 0;
    static constexpr unsigned east = 1;
    static constexpr unsigned south = 2;
    static constexpr unsigned west = 3;
    static constexpr unsigned nowhere = 4;

    static constexpr unsigned opposite(unsigned direction) { return direction ^ 2U; }

    static constexpr Position beside(Position at, unsigned direction) {
        return {at.row + (direction == south) - (direction == north),
                at.column + (direction == east) - (direction == west)};
    }

    static int distance(Position a, Position b) {
        return std::abs(a.row - b.row) + std::abs(a.column - b.column);
    }

    void enter(const Frame& frame) {
        const auto move = [](Position step) {
            return step.row < 0      ? Move::up
                   : step.row > 0    ? Move::down
                   : step.column < 0 ? Move::left
                                     : Move::right;
        };
        frame_ = frame;
        const Cell down = Cell{frame.south.row} * size_ + frame.south.column;
        const Cell right = Cell{frame.east.row} * size_ + frame.east.column;
        step_ = {-down, right, down, -right};
        const Move to_south = move(frame.south);
        const Move to_east = move(frame.east);
        move_ = {inverse(to_south), to_east, to_south, inverse(to_east)};
        blank_ = position_of(blank_cell_);
    }

    Cell cell_of(Position at) const {
        return Cell{frame_.origin.row} * size_ + frame_.origin.column + at.row * step_[south] +
               at.column * step_[east];
    }

    Position position_of(Cell cell) const {
        const int rows = static_cast<int>(cell / size_) - frame_.origin.row;
        const int columns = static_cast<int>(cell % size_) - frame_.origin.column;
        return {rows * frame_.south.row + columns * frame_.south.column,
                rows * frame_.east.row + columns * frame_.east.column};
    }

    Position position_of_tile(std::int32_t tile) const {
        return position_of(cells_[static_cast<std::size_t>(tile)]);
    }

    void fill_line(const Frame& frame) {
        enter(frame);
        const int end = frame.width - 1;
        for (int column = 0; column < end && cells_left_ > 0; ++column, --cells_left_) {
            bring(goal_.tile(cell_of({0, column})), column);
        }
        if (cells_left_ > 0) {
            fill_last(frame, end);
            --cells_left_;
        }
    }

    /// The last cell of a line can be entered only from the cell below it. Its tile is brought to that cell.
    /// Then nine moves fill the last cell: the two tiles beside it step aside and return.
    void fill_last(const Frame& frame, int end) {
        const Position corner{0, end};
        const std::int32_t tile = goal_.tile(cell_of(corner));
        if (blank_cell_ == cell_of(corner)) slide(south);
        if (cells_[static_cast<std::size_t>(tile)] == cell_of(corner)) return;
        // What is below the line, with left and right exchanged.
        const Position origin{frame.origin.row + frame.south.row + end * frame.east.row,
                              frame.origin.column + frame.south.column + end * frame.east.column};
        enter({origin, frame.south, {-frame.east.row, -frame.east.column}, frame.height - 1, frame.width});
        bring(tile, 0);
        go({0, 1}, {0, 0}, 0);
        enter(frame);
        for (const unsigned direction : {west, north, east, east, south, west, north, west, south}) {
            slide(direction);
        }
    }

    /// Brings a tile to a cell of row 0 other than the last one. The cells to the left of that cell are
    /// filled.
    ///
    /// If the tile continues in the same direction, the blank needs four moves around it. If the tile turns,
    /// the blank needs only two. So the tile moves upward and sideways alternately for as long as both are
    /// needed. A tile from the left enters row 0 last.
    void bring(std::int32_t tile, int column) {
        Position at = position_of_tile(tile);
        const bool is_from_right = at.column > column;
        const unsigned aside = is_from_right ? west : east;
        const int kept = is_from_right ? 0 : 1;
        bool is_upward = begins_upward(at, column);
        while (at.row != 0 || at.column != column) {
            const unsigned direction = is_upward ? north : aside;
            const Position next = beside(at, direction);
            go(next, at, column);
            slide(opposite(direction));
            at = next;
            is_upward = at.column == column || (!is_upward && at.row > kept);
        }
    }

    /// Whether a tile moves upward first. The direction with the greater distance comes first and last: then
    /// fewer steps follow a step in the same direction.
    bool begins_upward(Position at, int column) const {
        const int sideways = std::abs(at.column - column);
        if (at.column <= column) return sideways == 0 || at.row > sideways + 1;
        if (at.row <= 1 || at.row != sideways) return at.row > 1 && at.row > sideways;
        return distance(blank_, beside(at, north)) < distance(blank_, beside(at, west));
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
        const Position from = blank_;
        for (const Position corner : {Position{from.row, to.column}, Position{to.row, from.column}}) {
            if (is_free(from, corner) && is_free(corner, to)) {
                walk(corner);
                walk(to);
                return;
            }
        }
        if (from.row == to.row) { // the tile is between them
            const int row = tile.row + 1 < frame_.height ? tile.row + 1 : tile.row - 1;
            walk({row, from.column});
            walk({row, to.column});
        } else { // the blank goes to the north of the tile, from below or from the left
            const int beside_tile = tile.column + 1 < frame_.width ? tile.column + 1 : tile.column - 1;
            go({tile.row, beside_tile}, tile, column);
            walk({to.row, beside_tile});
        }
        walk(to);
    }

    /// Takes the blank along its row or its column.
    void walk(Position to) {
        if (blank_.row != to.row) slide(blank_.row < to.row ? south : north, std::abs(to.row - blank_.row));
        if (blank_.column != to.column) {
            slide(blank_.column < to.column ? east : west, std::abs(to.column - blank_.column));
        }
    }

    void slide(unsigned direction, int times = 1) {
        const Cell step = step_[direction];
        const Move move = move_[direction];
        Cell cell = blank_cell_;
        for (int i = 0; i < times; ++i, cell += step) {
            const std::int32_t tile = tiles_[static_cast<std::size_t>(cell + step)];
            tiles_[static_cast<std::size_t>(cell)] = tile;
            cells_[static_cast<std::size_t>(tile)] = static_cast<std::int32_t>(cell);
            sink_(move);
        }
        const Position one = beside({0, 0}, direction);
        blank_cell_ = cell;
        blank_ = {blank_.row + one.row * times, blank_.column + one.column * times};
        count_ += times;
    }

    /// Solves the last nine or four cells in the fewest moves, by IDA* with Manhattan distance (R. E. Korf
    /// 1985).
    void finish() {
        int estimate = 0;
        for (int row = 0; row < frame_.height; ++row) {
            for (int column = 0; column < frame_.width; ++column) {
                const Cell target = cell_of({row, column});
                if (const std::int32_t tile = goal_.tile(target); tile != 0) {
                    estimate += distance(position_of_tile(tile), {row, column});
                    cells_[static_cast<std::size_t>(tile)] = static_cast<std::int32_t>(target);
                }
            }
        }
        for (int most = estimate; !search(most, estimate, nowhere); most += 2) {
        }
        for (const Move move : last_moves_) {
            ++count_;
            sink_(move);
        }
    }

    /// Whether at most `most` moves bring each tile to its cell in `cells_`: they are then in `last_moves_`.
    bool search(int most, int estimate, unsigned last) {
        if (estimate == 0) return true;
        for (const unsigned direction : {north, east, south, west}) {
            const Position from = blank_;
            const Position to = beside(from, direction);
            if (direction == opposite(last) || to.row < 0 || to.row >= frame_.height || to.column < 0 ||
                to.column >= frame_.width) {
                continue;
            }
            std::int32_t& gap = tiles_[static_cast<std::size_t>(cell_of(from))];
            std::int32_t& tile = tiles_[static_cast<std::size_t>(cell_of(to))];
            const Position home = position_of_tile(tile);
            const int next = estimate + distance(from, home) - distance(to, home);
            if (next >= most) continue;
            std::swap(gap, tile);
            blank_ = to;
            last_moves_.push_back(move_[direction]);
            if (search(most - 1, next, direction)) return true;
            last_moves_.pop_back();
            blank_ = from;
            std::swap(gap, tile);
        }
        return false;
    }

    const Board& goal_;
    Sink& sink_;
    int size_;
    Cell blank_cell_;
    Position blank_{};
    std::int64_t count_ = 0;
    std::int64_t cells_left_ = 0; ///< to be filled
    Frame frame_{};
    std::array<Cell, 4> step_{}; ///< what a step adds to a cell, by direction
    std::array<Move, 4> move_{};
    std::vector<std::int32_t> tiles_; ///< the blank's entry is never read
    std::vector<std::int32_t> cells_; ///< the cell of each tile
    std::vector<Move> last_moves_;
};

} // namespace detail

/// An upper bound on the number of moves of a constructive solution of a board of size n, from 2 to 32767: 5
/// n^3 - 9 n^2 + 21 n - 86 from n = 3 on.
///
/// It adds up, over all tiles, the longest path of the blank to the tile and the longest path of the tile to
/// its cell (docs/puzzles.md). I. Parberry's "at most 5 n^3, lower order terms ignored" (1995) is
/// obtained in the same way. O(1).
[[nodiscard]] constexpr std::int64_t constructive_move_bound(int n) noexcept {
    const std::int64_t size = n;
    return n == 2 ? 6 : ((5 * size - 9) * size + 21) * size - 86;
}

/// Calls `sink(move)` for each move of a path from `board` to `goal`, in order. Returns the number of moves:
/// at most `constructive_move_bound(n)`, less than 5 n^3, and about 2.7 n^3 for a large random board.
///
/// The method is I. Parberry's (1995). It fills line after line, alternately a row and a column, from outside
/// toward the goal's blank, and does not touch filled cells again. Each tile is brought to its cell by a
/// shortest path that turns as often as possible. Only the last nine cells are searched. So a move takes
/// amortized O(1). Solutions are shortest for size 2 and 3, but not for larger sizes. Memory: 8 bytes a cell.
///
/// \tparam Sink callable with a `Move`; its exceptions pass through
/// \throws std::invalid_argument if the boards differ in size, or if the goal cannot be reached from the
///     board; the sink is not called then
template <class Sink>
    requires std::invocable<Sink&, Move>
std::int64_t for_each_constructive_move(const Board& board, const Board& goal, Sink&& sink) {
    if (!is_solvable(board, goal)) throw std::invalid_argument("the goal cannot be reached from the board");
    return detail::ConstructiveSolver<std::remove_reference_t<Sink>>(board, goal, sink).run();
}

/// The same for the blank-last goal.
template <class Sink>
    requires std::invocable<Sink&, Move>
std::int64_t for_each_constructive_move(const Board& board, Sink&& sink) {
    return for_each_constructive_move(board, goal_blank_last(board.size()), sink);
}

/// The moves of `for_each_constructive_move`, a byte each.
/// \throws std::invalid_argument as above
[[nodiscard]] inline std::vector<Move> constructive_moves(const Board& board, const Board& goal) {
    std::vector<Move> moves;
    for_each_constructive_move(board, goal, [&](Move move) { moves.push_back(move); });
    return moves;
}

/// The same for the blank-last goal.
[[nodiscard]] inline std::vector<Move> constructive_moves(const Board& board) {
    return constructive_moves(board, goal_blank_last(board.size()));
}

} // namespace npuzzle
