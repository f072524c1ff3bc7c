#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace npuzzle {

namespace detail {

template <class B>
class BoundManhattan;

template <>
class BoundManhattan<Board> {
public:
    using Value = std::int64_t;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    explicit BoundManhattan(const Board& goal)
        : row_of_(goal.size()), size_(goal.size()), homes_(static_cast<std::size_t>(goal.cells())) {
        for (Value cell = 0; cell < goal.cells(); ++cell) {
            homes_[as_index(goal.tile(cell))] = static_cast<std::int32_t>(cell);
        }
    }

    Value operator()(const Board& board) const {
        Value sum = 0;
        for (Value cell = 0; cell < board.cells(); ++cell) {
            if (const int tile = board.tile(cell); tile != 0) sum += distance(tile, cell);
        }
        return sum;
    }

    /// O(1).
    Value after(Value value, const Board& before, Move /*move*/, const Board& after) const {
        const Value to = before.blank_cell();
        const int tile = after.tile(to);
        return value + distance(tile, to) - distance(tile, after.blank_cell());
    }

    /// The goal cell of a tile.
    Value home(int tile) const { return homes_[as_index(tile)]; }
    Value row(Value cell) const { return row_of_(static_cast<int>(cell)); }
    Value column(Value cell) const { return cell - row(cell) * size_; }

private:
    Value distance(int tile, Value cell) const {
        const Value rows = row(cell) - row(home(tile));
        const Value columns = column(cell) - column(home(tile));
        return (rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns);
    }

    DivideBySize row_of_;
    Value size_;
    std::vector<std::int32_t> homes_;
};

/// On packed boards. A table holds the change of the sum for each blank cell, move and tile.
template <int N>
class BoundManhattan<PackedBoard<N>> {
public:
    using Value = int;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    explicit constexpr BoundManhattan(const PackedBoard<N>& goal) {
        for (int cell = 0; cell < N * N; ++cell) {
            homes_[as_index(goal.tile(cell))] = static_cast<std::int8_t>(cell);
        }
        for (int from = 0; from < N * N; ++from) {
            for (std::size_t move = 0; move < 4; ++move) {
                const int to = NeighborTable<N>::target[as_index(from)][move];
                for (int tile = 1; tile < N * N && to >= 0; ++tile) {
                    change_[as_index(from)][move][as_index(tile)] =
                        static_cast<std::int8_t>(distance(tile, from) - distance(tile, to));
                }
            }
        }
    }

    constexpr Value operator()(const PackedBoard<N>& board) const {
        Value sum = 0;
        for (int cell = 0; cell < N * N; ++cell) {
            if (const int tile = board.tile(cell); tile != 0) sum += distance(tile, cell);
        }
        return sum;
    }

    /// O(1). A `SlideMove` saves the look-up of the blank's cell.
    template <class AnyMove>
    NPUZZLE_ALWAYS_INLINE constexpr Value after(Value value, const PackedBoard<N>& before, AnyMove move,
                                                const PackedBoard<N>& after) const {
        if constexpr (std::is_same_v<AnyMove, SlideMove>) {
            return value + change(move.from, move.move, before.tile(move.to));
        } else {
            const int blank = before.blank_cell();
            return value + change(blank, move, after.tile(blank));
        }
    }

    /// The change of the value when the blank moves from the cell `blank` and so moves `tile`.
    constexpr Value change(int blank, Move move, int tile) const {
        return change_[as_index(blank)][as_index(move)][as_index(tile)];
    }

private:
    /// The rows have a power of two as their size, so that a tile's field is an index without more work.
    using Changes = std::array<std::int8_t, std::size_t{1} << PackedBoard<N>::bits>;

    constexpr int distance(int tile, int cell) const {
        return DistanceTable<N>::distance[as_index(cell)][as_index(homes_[as_index(tile)])];
    }

    std::array<std::int8_t, N * N> homes_{};
    std::array<std::array<Changes, 4>, N * N> change_{};
};

} // namespace detail

/// The sum over all tiles of the distance to their goal cell, in rows plus columns. The blank is not counted.
///
/// Admissible and consistent: a move brings one tile at most one cell nearer. O(n^2) for a whole board, O(1)
/// after a move. In a search it uses the goal of the puzzle; called with a board, the blank-last goal.
struct Manhattan {
    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    /// Binds the heuristic to a puzzle's goal. O(n^2); for a packed board it makes tables in O(n^4).
    template <int N>
    [[nodiscard]] constexpr auto bind(const SlidingPuzzle<N>& puzzle) const {
        return detail::BoundManhattan<typename SlidingPuzzle<N>::State>(puzzle.goal());
    }

    /// The value for the blank-last goal.
    template <class B>
    [[nodiscard]] constexpr auto operator()(const B& board) const -> decltype(board.manhattan()) {
        return board.manhattan();
    }
};

} // namespace npuzzle
