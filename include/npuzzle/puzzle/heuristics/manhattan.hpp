#pragma once

#include "npuzzle/puzzle/detail/goal_cells.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <cstddef>

namespace npuzzle {

namespace detail {

/// How far each tile is from home on each cell: a table where boards are small.
template <class B>
class HomeDistances {
public:
    using Value = typename GoalCells<B>::Value;

    explicit HomeDistances(const B& goal) : goal_(goal) {}

    Value operator()(int tile, Value cell) const {
        const Value home = goal_.cell(tile);
        const Value rows = goal_.row(cell) - goal_.row(home);
        const Value columns = goal_.column(cell) - goal_.column(home);
        return (rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns);
    }

private:
    GoalCells<B> goal_;
};

template <int N>
class HomeDistances<PackedBoard<N>> {
public:
    using Value = int;

    explicit constexpr HomeDistances(const PackedBoard<N>& goal) {
        for (int home = 0; home < N * N; ++home) {
            distances_[static_cast<std::size_t>(goal.tile(home))] =
                DistanceTable<N>::distance[static_cast<std::size_t>(home)];
        }
    }

    constexpr int operator()(int tile, int cell) const {
        return distances_[static_cast<std::size_t>(tile)][static_cast<std::size_t>(cell)];
    }

private:
    typename DistanceTable<N>::Distances distances_{};
};

template <class B>
class BoundManhattan {
public:
    using Value = typename HomeDistances<B>::Value;

    static constexpr bool is_consistent = true;

    explicit constexpr BoundManhattan(const B& goal) : distance_(goal) {}

    constexpr Value operator()(const B& board) const {
        Value sum = 0;
        for (Value cell = 0; cell < board.cells(); ++cell) {
            if (const int tile = board.tile(cell); tile != 0) {
                sum += distance_(tile, cell);
            }
        }
        return sum;
    }

    /// O(1).
    constexpr Value after(Value value, const B& before, Move /*move*/, const B& after) const {
        const Value from = after.blank_cell();
        const Value to = before.blank_cell();
        const int tile = after.tile(to);
        return value + distance_(tile, to) - distance_(tile, from);
    }

    /// The same for a move whose cells are known at compile time.
    template <int From, int To, Move move>
    constexpr Value after(Value value, const B& before, SlideMove<From, To, move>, const B& /*after*/) const {
        const int tile = before.tile(To);
        return value + distance_(tile, From) - distance_(tile, To);
    }

private:
    HomeDistances<B> distance_;
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
