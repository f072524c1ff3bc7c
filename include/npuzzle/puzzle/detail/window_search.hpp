#pragma once

#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/move.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// \file
/// A shortest path between two arrangements of tiles on a part of a board of any size.

namespace npuzzle::detail {

/// The cells from one row and column to another, both included.
struct CellRectangle {
    int first_row;
    int last_row;
    int first_column;
    int last_column;
};

/// Finds a shortest path from one arrangement of tiles to another by IDA* with Manhattan distance (R. E. Korf
/// 1985). It works in place, so the cost depends only on the length of the path, not on the size of the
/// board.
class WindowSearch {
public:
    /// For boards of size n.
    explicit WindowSearch(int n) : size_(n), row_of_(n), step_{-n, -1, 1, n} {}

    /// The Manhattan distance between two cells.
    std::int64_t distance(std::int64_t cell, std::int64_t target) const {
        const std::int64_t rows = row_of_(static_cast<int>(cell)) - row_of_(static_cast<int>(target));
        const std::int64_t columns = column_of(cell) - column_of(target);
        return (rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns);
    }

    /// Searches for a path of fewer than `limit` moves on which the blank stays in `area`. Returns true if it
    /// found one within `expansions` expansions: `moves()` is then a shortest path. The tiles are unchanged
    /// afterwards.
    ///
    /// \param tiles what each cell holds; 0 at `blank`, and nowhere else in the area
    /// \param targets the cell to which each tile is to go
    /// \param estimate the sum of the tiles' distances to their targets
    bool run(std::int32_t* tiles, const std::int32_t* targets, std::int64_t blank, const CellRectangle& area,
             int estimate, int limit, std::uint64_t expansions) {
        tiles_ = tiles;
        targets_ = targets;
        area_ = area;
        remaining_ = expansions;
        const int row = row_of_(static_cast<int>(blank));
        const auto column = static_cast<int>(column_of(blank));
        // Each move changes the distance by one. So the length of every path has the parity of the first
        // estimate.
        for (int bound = estimate; bound < limit && remaining_ > 0; bound += 2) {
            moves_.resize(static_cast<std::size_t>(bound));
            bound_ = bound;
            if (visit(blank, row, column, Move::none, 0, estimate)) return true;
        }
        return false;
    }

    const std::vector<Move>& moves() const { return moves_; }

private:
    std::int64_t column_of(std::int64_t cell) const {
        return cell - std::int64_t{row_of_(static_cast<int>(cell))} * size_;
    }

    bool visit(std::int64_t blank, int row, int column, Move last, int depth, int estimate) {
        if (estimate == 0) {
            moves_.resize(static_cast<std::size_t>(depth));
            return true;
        }
        if (remaining_ == 0) return false;
        --remaining_;
        const Move back = inverse(last);
        return (row > area_.first_row && back != Move::up &&
                attempt(Move::up, blank, row, column, depth, estimate)) ||
               (column > area_.first_column && back != Move::left &&
                attempt(Move::left, blank, row, column, depth, estimate)) ||
               (column < area_.last_column && back != Move::right &&
                attempt(Move::right, blank, row, column, depth, estimate)) ||
               (row < area_.last_row && back != Move::down &&
                attempt(Move::down, blank, row, column, depth, estimate));
    }

    bool attempt(Move move, std::int64_t blank, int row, int column, int depth, int estimate) {
        const std::int64_t next = blank + step_[static_cast<std::size_t>(move)];
        const std::int32_t tile = tiles_[next];
        const std::int32_t target = targets_[tile];
        const int target_row = row_of_(target);
        int next_row = row;
        int next_column = column;
        bool is_nearer = false;
        switch (move) {
        case Move::up:
            --next_row;
            is_nearer = target_row >= row;
            break;
        case Move::down:
            ++next_row;
            is_nearer = target_row <= row;
            break;
        case Move::left:
            --next_column;
            is_nearer = target - target_row * size_ >= column;
            break;
        default:
            ++next_column;
            is_nearer = target - target_row * size_ <= column;
            break;
        }
        const int next_estimate = is_nearer ? estimate - 1 : estimate + 1;
        if (depth + 1 + next_estimate > bound_) return false;
        tiles_[blank] = tile;
        tiles_[next] = 0;
        const bool is_found = visit(next, next_row, next_column, move, depth + 1, next_estimate);
        tiles_[next] = tile;
        tiles_[blank] = 0;
        if (is_found) moves_[static_cast<std::size_t>(depth)] = move;
        return is_found;
    }

    int size_;
    DivideBySize row_of_;
    std::array<std::int64_t, 4> step_;
    std::int32_t* tiles_ = nullptr;
    const std::int32_t* targets_ = nullptr;
    CellRectangle area_{};
    std::uint64_t remaining_ = 0;
    int bound_ = 0;
    std::vector<Move> moves_;
};

} // namespace npuzzle::detail
