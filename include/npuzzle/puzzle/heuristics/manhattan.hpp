#pragma once

#include "npuzzle/puzzle/detail/goal_cells.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

namespace npuzzle {

namespace detail {

template <class B>
class BoundManhattan {
public:
    using Value = typename GoalCells<B>::Value;

    static constexpr bool is_consistent = true;

    explicit constexpr BoundManhattan(const B& goal) : goal_(goal) {}

    constexpr Value operator()(const B& board) const {
        Value sum = 0;
        for (Value cell = 0; cell < board.cells(); ++cell) {
            if (const int tile = board.tile(cell); tile != 0) {
                sum += distance(cell, goal_.cell(tile));
            }
        }
        return sum;
    }

    /// O(1).
    constexpr Value after(Value value, const B& before, Move /*move*/, const B& after) const {
        const Value from = after.blank_cell();
        const Value to = before.blank_cell();
        const Value home = goal_.cell(after.tile(to));
        return value + distance(to, home) - distance(from, home);
    }

private:
    constexpr Value distance(Value a, Value b) const {
        if constexpr (requires { DistanceTable<B::size()>::distance; }) {
            return DistanceTable<B::size()>::distance[static_cast<std::size_t>(a)]
                                                     [static_cast<std::size_t>(b)];
        } else {
            const Value rows = goal_.row(a) - goal_.row(b);
            const Value columns = goal_.column(a) - goal_.column(b);
            return (rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns);
        }
    }

    GoalCells<B> goal_;
};

} // namespace detail

/// The sum over all tiles of the rows plus columns to where they belong. Admissible and consistent, since a move brings
/// one tile one cell nearer at most. In a search it follows the puzzle's goal; called with a board of either kind, the
/// blank-last one.
struct Manhattan {
    static constexpr bool is_consistent = true;

    template <int N>
    constexpr auto bind(const SlidingPuzzle<N>& puzzle) const {
        return detail::BoundManhattan<typename SlidingPuzzle<N>::State>(puzzle.goal());
    }

    template <class B>
    constexpr auto operator()(const B& board) const -> decltype(board.manhattan()) {
        return board.manhattan();
    }
};

} // namespace npuzzle
