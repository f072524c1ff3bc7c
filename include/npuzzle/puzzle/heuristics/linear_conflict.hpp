#pragma once

#include "npuzzle/puzzle/detail/goal_cells.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace npuzzle {

namespace detail {

/// Takes the coordinates, along a line, at which the line's own tiles belong, in the order in which they stand, and
/// tells how many of them must leave the line so that the rest can go home in it: all but a longest increasing
/// subsequence, which is found by patience sorting (C. Schensted 1961).
template <class B>
class LineConflicts;

template <int N>
class LineConflicts<PackedBoard<N>> {
public:
    constexpr void add(int home) {
        std::size_t pile = 0;
        while (pile < piles_ && tops_[pile] < home) {
            ++pile;
        }
        tops_[pile] = home;
        piles_ += pile == piles_ ? 1 : 0;
        ++tiles_;
    }

    constexpr int must_leave() const { return static_cast<int>(tiles_ - piles_); }

private:
    std::array<int, static_cast<std::size_t>(N)> tops_{};
    std::size_t piles_ = 0;
    std::size_t tiles_ = 0;
};

template <>
class LineConflicts<Board> {
public:
    void add(std::int64_t home) {
        const auto pile = std::lower_bound(tops_.begin(), tops_.end(), home);
        if (pile == tops_.end()) {
            tops_.push_back(home);
        } else {
            *pile = home;
        }
        ++tiles_;
    }

    std::int64_t must_leave() const { return tiles_ - static_cast<std::int64_t>(tops_.size()); }

private:
    std::vector<std::int64_t> tops_;
    std::int64_t tiles_ = 0;
};

template <class B>
class BoundLinearConflict {
public:
    using Value = typename GoalCells<B>::Value;

    static constexpr bool is_consistent = true;

    explicit constexpr BoundLinearConflict(const B& goal) : manhattan_(goal), goal_(goal) {}

    constexpr Value operator()(const B& board) const {
        Value leaving = 0;
        for (Value line = 0; line < board.size(); ++line) {
            leaving += in_row(board, line) + in_column(board, line);
        }
        return manhattan_(board) + 2 * leaving;
    }

    /// A tile that moves within a line keeps its place among the line's tiles. So only the line that it leaves and the
    /// one that it enters can differ, and of these only the one it belongs to. O(n log n), O(1) for most moves.
    constexpr Value after(Value value, const B& before, Move move, const B& after) const {
        const Value from = after.blank_cell();
        const Value to = before.blank_cell();
        const Value home = goal_.cell(after.tile(to));
        Value leaving = 0;
        if (move == Move::up || move == Move::down) {
            const Value line = goal_.row(home);
            if (line == goal_.row(from) || line == goal_.row(to)) {
                leaving = in_row(after, line) - in_row(before, line);
            }
        } else {
            const Value line = goal_.column(home);
            if (line == goal_.column(from) || line == goal_.column(to)) {
                leaving = in_column(after, line) - in_column(before, line);
            }
        }
        return manhattan_.after(value, before, move, after) + 2 * leaving;
    }

private:
    constexpr Value in_row(const B& board, Value row) const {
        LineConflicts<B> conflicts;
        for (Value column = 0; column < board.size(); ++column) {
            if (const int tile = board.tile(row * board.size() + column); tile != 0) {
                if (const Value home = goal_.cell(tile); goal_.row(home) == row) {
                    conflicts.add(goal_.column(home));
                }
            }
        }
        return conflicts.must_leave();
    }

    constexpr Value in_column(const B& board, Value column) const {
        LineConflicts<B> conflicts;
        for (Value row = 0; row < board.size(); ++row) {
            if (const int tile = board.tile(row * board.size() + column); tile != 0) {
                if (const Value home = goal_.cell(tile); goal_.column(home) == column) {
                    conflicts.add(goal_.row(home));
                }
            }
        }
        return conflicts.must_leave();
    }

    BoundManhattan<B> manhattan_;
    GoalCells<B> goal_;
};

} // namespace detail

/// Manhattan distance, plus two moves for each tile that must leave its line to let others pass (O. Hansson, A. Mayer,
/// M. Yung, "Criticizing solutions to relaxed models yields powerful admissible heuristics", 1992): in each row and
/// column, of the tiles that belong there as many as are not in a longest increasing subsequence by where they belong.
/// That is the least number that must leave, not the number of conflicting pairs, so it is admissible and consistent.
/// In a search it follows the puzzle's goal; called with a board of either kind, the blank-last one.
struct LinearConflict {
    static constexpr bool is_consistent = true;

    template <int N>
    constexpr auto bind(const SlidingPuzzle<N>& puzzle) const {
        return detail::BoundLinearConflict<typename SlidingPuzzle<N>::State>(puzzle.goal());
    }

    template <int N>
    constexpr int operator()(const PackedBoard<N>& board) const {
        return bind(SlidingPuzzle<N>{})(board);
    }

    std::int64_t operator()(const Board& board) const { return bind(SlidingPuzzle(board.size()))(board); }
};

} // namespace npuzzle
