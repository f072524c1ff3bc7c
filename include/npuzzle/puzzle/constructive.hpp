#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/window_search.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/solvability.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Constructive solutions: built by rules, not by search. For a board of any size, in time linear in the
/// length of the solution. The length is less than 5 n^3 for size n. `smoothing.hpp` makes such solutions
/// shorter.

namespace npuzzle {

namespace detail {

/// A row and a column, in the coordinates of a frame.
struct LinePosition {
    int row;
    int column;
};

/// A coordinate frame in which the line to be filled is the topmost open row and is filled from left to
/// right. On the board this line may be any row or column.
class LineFrame {
public:
    /// Rows of the frame run from `first` to `last`, columns from `left` to `right`. Each may run in
    /// increasing or decreasing order. They are rows and columns of the board, or columns and rows if the
    /// frame lies on its side.
    LineFrame(int first, int last, int left, int right, bool is_on_its_side, int size)
        : first_(first), last_(last), left_(left), right_(right), down_(last > first ? 1 : -1),
          rightward_(right > left ? 1 : -1), is_on_its_side_(is_on_its_side), size_(size) {}

    /// The frame without its topmost row, and with left and right exchanged.
    LineFrame mirrored_below() const {
        return LineFrame(first_ + down_, last_, right_, left_, is_on_its_side_, size_);
    }

    int height() const { return (last_ - first_) * down_ + 1; }
    int width() const { return (right_ - left_) * rightward_ + 1; }

    LinePosition at(int board_row, int board_column) const {
        const int across = is_on_its_side_ ? board_column : board_row;
        const int along = is_on_its_side_ ? board_row : board_column;
        return {(across - first_) * down_, (along - left_) * rightward_};
    }

    std::int64_t cell(LinePosition position) const {
        const std::int64_t across = first_ + position.row * down_;
        const std::int64_t along = left_ + position.column * rightward_;
        return is_on_its_side_ ? along * size_ + across : across * size_ + along;
    }

    /// What one step adds to a cell number, for north, east, south and west of the frame.
    std::array<std::int64_t, 4> steps() const {
        const std::int64_t south_step = std::int64_t{down_} * (is_on_its_side_ ? 1 : size_);
        const std::int64_t east_step = std::int64_t{rightward_} * (is_on_its_side_ ? size_ : 1);
        return {-south_step, east_step, south_step, -east_step};
    }

    /// The moves of the blank for north, east, south and west of the frame.
    std::array<Move, 4> moves() const {
        const Move forward = is_on_its_side_ ? Move::right : Move::down;
        const Move sideways = is_on_its_side_ ? Move::down : Move::right;
        const Move south_move = down_ > 0 ? forward : inverse(forward);
        const Move east_move = rightward_ > 0 ? sideways : inverse(sideways);
        return {inverse(south_move), east_move, south_move, inverse(east_move)};
    }

private:
    int first_;
    int last_;
    int left_;
    int right_;
    int down_;
    int rightward_;
    bool is_on_its_side_;
    int size_;
};

/// Builds a solution line by line. The tiles of a line are brought to their cells one by one. Cells that are
/// filled are not touched again.
///
/// Each line is seen in a frame in which it is the topmost row and is filled from left to right. On the board
/// it may be any row or column. Directions and coordinates below belong to the frame; row 0 is the line to
/// be filled.
template <class Sink>
class ConstructiveSolver {
    using Cell = std::int64_t; // Not the type of tiles: a store to a tile cannot alias it.
    using Frame = LineFrame;
    using Position = LinePosition;

public:
    /// Requires that the goal can be reached from the board. O(n^2).
    ConstructiveSolver(const Board& board, const Board& goal, Sink& sink)
        : goal_(goal), sink_(sink), size_(board.size()), row_of_(board.size()), blank_(board.blank_cell()),
          tiles_(board.tiles()), cells_(tiles_.size()) {
        for (std::size_t cell = 0; cell < tiles_.size(); ++cell) {
            cells_[static_cast<std::size_t>(tiles_[cell])] = static_cast<std::int32_t>(cell);
        }
    }

    /// Passes all moves to the sink, or those that fill the first `cells` cells. Returns their number.
    std::int64_t run(std::int64_t cells = (std::numeric_limits<std::int64_t>::max)()) {
        cells_left_ = cells;
        CellRectangle open{0, size_ - 1, 0, size_ - 1};
        const int goal_row = row_of_(static_cast<int>(goal_.blank_cell()));
        const auto goal_column = static_cast<int>(goal_.blank_cell() - Cell{goal_row} * size_);
        // The line with the goal's blank is left for the end.
        while (open.last_row - open.first_row >= 3 && cells_left_ > 0) {
            if (goal_row > open.first_row) {
                fill_line({open.first_row, open.last_row, open.first_column, open.last_column, false, size_});
                ++open.first_row;
            } else {
                fill_line({open.last_row, open.first_row, open.first_column, open.last_column, false, size_});
                --open.last_row;
            }
            if (goal_column > open.first_column) {
                fill_line({open.first_column, open.last_column, open.first_row, open.last_row, true, size_});
                ++open.first_column;
            } else {
                fill_line({open.last_column, open.first_column, open.first_row, open.last_row, true, size_});
                --open.last_column;
            }
        }
        if (cells_left_ > 0) finish(open);
        return count_;
    }

private:
    // In clockwise order.
    static constexpr unsigned north = 0;
    static constexpr unsigned east = 1;
    static constexpr unsigned south = 2;
    static constexpr unsigned west = 3;

    static constexpr unsigned opposite(unsigned direction) { return (direction + 2) % 4; }

    void enter(const Frame& frame) {
        frame_ = frame;
        step_ = frame.steps();
        move_ = frame.moves();
    }

    Position position_of(Cell cell) const {
        const int row = row_of_(static_cast<int>(cell));
        return frame_.at(row, static_cast<int>(cell - Cell{row} * size_));
    }

    Cell cell_of(std::int32_t tile) const { return cells_[static_cast<std::size_t>(tile)]; }

    /// Copies the tile of one cell to another cell. The entry of the blank's cell in `tiles_` is never read.
    static void relocate(std::int32_t* tiles, std::int32_t* cells, Cell from, Cell to) {
        const std::int32_t tile = tiles[from];
        tiles[to] = tile;
        cells[tile] = static_cast<std::int32_t>(to);
    }

    void slide(unsigned direction) { walk(direction, 1); }

    /// Moves the blank `steps` times in a direction.
    void walk(unsigned direction, int steps) {
        std::int32_t* const tiles = tiles_.data();
        std::int32_t* const cells = cells_.data();
        const Cell step = step_[direction];
        const Move move = move_[direction];
        Cell blank = blank_;
        for (int i = 0; i < steps; ++i, blank += step) {
            relocate(tiles, cells, blank + step, blank);
            sink_(move);
        }
        blank_ = blank;
        count_ += steps;
    }

    /// Moves the tile next to the blank by `steps` cells in a direction. The blank is next to the tile in
    /// that direction. Between two moves of the tile the blank goes around it on the side `side`.
    ///
    /// Each round moves five tiles, some of them more than once. Two of these end up in other cells: a tile
    /// of the tile's own line and one of the line beside it change lines, and go back by one cell.
    void push(unsigned direction, unsigned side, int steps) {
        std::int32_t* const tiles = tiles_.data();
        std::int32_t* const cells = cells_.data();
        const Cell on = step_[direction];
        const Cell out = step_[side];
        Cell line = blank_ - on;
        const std::int32_t tile = tiles[line];
        sink_(move_[opposite(direction)]);
        if (steps > 1) {
            relocate(tiles, cells, line + out, line);
            relocate(tiles, cells, line + out + on, line + out);
            for (int i = 2; i < steps; ++i) {
                line += on;
                relocate(tiles, cells, line + out + on, line);
                relocate(tiles, cells, line + on, line + out);
            }
            line += on;
            relocate(tiles, cells, line + out + on, line + out);
            relocate(tiles, cells, line + on, line + out + on);
            const std::array<Move, 4> around{move_[side], move_[direction], move_[opposite(side)],
                                             move_[opposite(direction)]};
            for (int i = 1; i < steps; ++i) {
                sink_(around[0]);
                sink_(around[1]);
                sink_(around[1]);
                sink_(around[2]);
                sink_(around[3]);
            }
        }
        tiles[line + on] = tile;
        cells[tile] = static_cast<std::int32_t>(line + on);
        blank_ = line;
        count_ += 5 * std::int64_t{steps} - 4;
    }

    /// Moves the tile next to the blank alternately in two directions, `steps` times in each. The blank is
    /// next to the tile in the first direction, before and after.
    void push_diagonally(unsigned first, unsigned second, int steps) {
        std::int32_t* const tiles = tiles_.data();
        std::int32_t* const cells = cells_.data();
        const Cell on = step_[first];
        const Cell across = step_[second];
        const std::array<Move, 4> moves{move_[opposite(first)], move_[second], move_[first],
                                        move_[opposite(second)]};
        Cell cell = blank_ - on;
        const std::int32_t tile = tiles[cell];
        for (int i = 0; i < steps; ++i) {
            sink_(moves[0]);
            relocate(tiles, cells, cell + across, cell);
            sink_(moves[1]);
            relocate(tiles, cells, cell + on + across, cell + across);
            sink_(moves[2]);
            sink_(moves[3]);
            relocate(tiles, cells, cell + on + on, cell + on);
            sink_(moves[2]);
            cell += on + across;
            relocate(tiles, cells, cell + on, cell + on - across);
            sink_(moves[1]);
        }
        tiles[cell] = tile;
        cells[tile] = static_cast<std::int32_t>(cell);
        blank_ = cell + on;
        count_ += 6 * std::int64_t{steps};
    }

    void walk_rows(int from, int to) { to < from ? walk(north, from - to) : walk(south, to - from); }
    void walk_columns(int from, int to) { to < from ? walk(west, from - to) : walk(east, to - from); }

    /// Takes the blank around a tile, from the side `side` by `quarters` quarter turns.
    void go_clockwise(unsigned side, int quarters) {
        for (; quarters > 0; --quarters, side = (side + 1) % 4) {
            slide((side + 1) % 4);
            slide((side + 2) % 4);
        }
    }

    void go_counterclockwise(unsigned side, int quarters) {
        for (; quarters > 0; --quarters, side = (side + 3) % 4) {
            slide((side + 3) % 4);
            slide((side + 2) % 4);
        }
    }

    void fill_line(const Frame& frame) {
        enter(frame);
        const int end = frame.width() - 1;
        for (int column = 0; column < end && cells_left_ > 0; ++column, --cells_left_) {
            bring(goal_.tile(frame.cell({0, column})), column);
        }
        if (cells_left_ > 0) {
            fill_last(frame, end);
            --cells_left_;
        }
    }

    /// The last cell of a line can be entered only from the cell below it. Its tile is brought to that cell.
    /// Then nine moves fill the last cell: the two tiles beside it step aside and return.
    void fill_last(const Frame& frame, int end) {
        const Cell corner = frame.cell({0, end});
        const std::int32_t tile = goal_.tile(corner);
        if (blank_ == corner) slide(south);
        if (cell_of(tile) == corner) return;
        enter(frame.mirrored_below());
        bring(tile, 0);
        go_east_of({0, 0});
        enter(frame);
        for (const unsigned direction : {west, north, east, east, south, west, north, west, south}) {
            slide(direction);
        }
    }

    /// Brings a tile to a cell of row 0 other than the last one. Does not touch the cells to the left of that
    /// cell.
    ///
    /// If the tile continues in the same direction, the blank needs four moves around it. If the tile turns,
    /// the blank needs only two. So the tile moves upward and sideways alternately for as long as both are
    /// needed.
    void bring(std::int32_t tile, int column) {
        const Position from = position_of(cell_of(tile));
        int upward = from.row;
        int sideways = from.column > column ? from.column - column : column - from.column;
        if (upward + sideways == 0) return;
        const bool is_to_the_right = from.column > column;
        unsigned direction = first_direction(from, upward, sideways, is_to_the_right);
        approach(from, direction, is_to_the_right);
        // A tile from the left enters row 0 last, since the cells to the left of the column must not be
        // touched.
        const int kept = is_to_the_right ? 0 : 1;
        const unsigned aside = is_to_the_right ? west : east;
        if (const int turns = direction == north ? (std::min)(upward - 1 - kept, sideways)
                                                 : (std::min)(sideways - 1, upward - kept);
            turns > 0) {
            push_diagonally(direction, direction == north ? aside : north, turns);
            upward -= turns;
            sideways -= turns;
        }
        for (;;) {
            if (direction == north) {
                const int steps = sideways == 0 ? upward : 1;
                push(north, east, steps);
                upward -= steps;
            } else {
                const int steps = upward == kept ? sideways : 1;
                push(aside, south, steps);
                sideways -= steps;
            }
            if (upward + sideways == 0) return;
            turn(direction, direction == north ? aside : north, upward);
            direction = direction == north ? aside : north;
        }
    }

    /// The direction with the greater distance comes first and last. Then fewer steps follow a step in the
    /// same direction.
    unsigned first_direction(Position from, int upward, int sideways, bool is_to_the_right) const {
        if (sideways == 0) return north;
        if (!is_to_the_right) return upward > sideways + 1 ? north : east;
        if (upward <= 1 || upward < sideways) return west;
        if (upward > sideways) return north;
        const Position blank = position_of(blank_);
        const auto distance = [&](int row, int column) {
            const int rows = row < blank.row ? blank.row - row : row - blank.row;
            const int columns = column < blank.column ? blank.column - column : column - blank.column;
            return rows + columns;
        };
        return distance(from.row - 1, from.column) < distance(from.row, from.column - 1) ? north : west;
    }

    /// Takes the blank from behind a tile, which has just moved in the direction `last`, to the side `next`,
    /// to which the tile moves next.
    /// \param row the row of the tile
    void turn(unsigned last, unsigned next, int row) {
        if (last == east && row == 1) {
            go_counterclockwise(west, 3); // the way over the top is closed
        } else {
            slide(next);
            slide(last);
        }
    }

    /// Takes the blank to the side of a tile to which the tile moves first.
    void approach(Position tile, unsigned side, bool is_to_the_right) {
        if (side == east) {
            go_east_of(tile);
        } else if (side == west) {
            go_west_of(tile);
        } else {
            go_north_of(tile, is_to_the_right);
        }
    }

    /// The blank goes along its row, then along the column to the left of the tile.
    void go_west_of(Position tile) {
        const Position blank = position_of(blank_);
        if (blank.row == tile.row && blank.column > tile.column) {
            walk_columns(blank.column, tile.column + 1);
            tile.row == 0 ? go_clockwise(east, 2) : go_counterclockwise(east, 2);
            return;
        }
        walk_columns(blank.column, tile.column - 1);
        walk_rows(blank.row, tile.row);
    }

    void go_east_of(Position tile) {
        const Position blank = position_of(blank_);
        if (blank.column > tile.column) {
            walk_rows(blank.row, tile.row);
            walk_columns(blank.column, tile.column + 1);
        } else if (blank.row != tile.row) {
            walk_columns(blank.column, tile.column + 1);
            walk_rows(blank.row, tile.row);
        } else {
            walk_columns(blank.column, tile.column - 1);
            tile.row + 1 < frame_.height() ? go_counterclockwise(west, 2) : go_clockwise(west, 2);
        }
    }

    void go_north_of(Position tile, bool is_to_the_right) {
        const Position blank = position_of(blank_);
        if (tile.row == 1) {
            // The tile is below its target, which the blank can enter only from the right.
            if (blank.row == 0) {
                walk_columns(blank.column, tile.column);
            } else {
                go_east_of(tile);
                go_counterclockwise(east, 1);
            }
        } else if (blank.column == tile.column && blank.row > tile.row) {
            walk_rows(blank.row, tile.row + 1);
            is_to_the_right ? go_clockwise(south, 2) : go_counterclockwise(south, 2);
        } else {
            walk_rows(blank.row, tile.row - 1);
            walk_columns(blank.column, tile.column);
        }
    }

    /// Solves the last nine or four cells in the fewest moves.
    void finish(const CellRectangle& open) {
        tiles_[static_cast<std::size_t>(blank_)] = 0;
        WindowSearch search(size_);
        std::int64_t estimate = 0;
        for (int row = open.first_row; row <= open.last_row; ++row) {
            for (int column = open.first_column; column <= open.last_column; ++column) {
                const Cell target = Cell{row} * size_ + column;
                const std::int32_t tile = goal_.tile(target);
                if (tile != 0) {
                    estimate += search.distance(cell_of(tile), target);
                    cells_[static_cast<std::size_t>(tile)] = static_cast<std::int32_t>(target);
                }
            }
        }
        search.run(tiles_.data(), cells_.data(), blank_, open, static_cast<int>(estimate),
                   (std::numeric_limits<int>::max)(), (std::numeric_limits<std::uint64_t>::max)());
        for (const Move move : search.moves()) {
            ++count_;
            sink_(move);
        }
    }

    const Board& goal_;
    Sink& sink_;
    int size_;
    DivideBySize row_of_;
    Cell blank_;
    std::int64_t count_ = 0;
    std::int64_t cells_left_ = 0; ///< to be filled
    std::array<Cell, 4> step_{};
    std::array<Move, 4> move_{};
    Frame frame_{0, 0, 0, 0, false, 1};
    std::vector<std::int32_t> tiles_;
    std::vector<std::int32_t> cells_; ///< the cell of each tile
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
/// toward the goal's blank. Each tile of a line is brought to its cell by a shortest path that turns as
/// often as possible. Only the last nine cells are searched. So the time is linear in the number of moves,
/// amortized O(1) for each. Solutions are shortest for size 2 and 3, but not for larger sizes.
///
/// Memory: 8 bytes for each cell.
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

/// The moves of `for_each_constructive_move` as a vector: one byte for each of about 2.7 n^3 moves.
/// \throws std::invalid_argument if the boards differ in size, or if the goal cannot be reached from the
///     board
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
