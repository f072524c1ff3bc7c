#pragma once

#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <utility>

namespace npuzzle {

namespace detail {

template <class B>
class BoundHamming {
public:
    using Value = decltype(std::declval<B>().cells());

    static constexpr bool is_consistent = true;

    explicit constexpr BoundHamming(const B& goal) : goal_(goal) {}

    constexpr Value operator()(const B& board) const {
        Value misplaced = 0;
        for (Value cell = 0; cell < board.cells(); ++cell) {
            misplaced += board.tile(cell) != 0 && board.tile(cell) != goal_.tile(cell) ? 1 : 0;
        }
        return misplaced;
    }

    /// O(1).
    constexpr Value after(Value value, const B& before, Move /*move*/, const B& after) const {
        const Value from = after.blank_cell();
        const Value to = before.blank_cell();
        const int tile = after.tile(to);
        return value + (goal_.tile(from) == tile ? 1 : 0) - (goal_.tile(to) == tile ? 1 : 0);
    }

private:
    B goal_;
};

} // namespace detail

/// The number of tiles that are not in their goal cell. The blank is not counted.
///
/// Admissible and consistent: a move brings at most one tile home. O(n^2) for a whole board, O(1) after a
/// move. In a search it uses the goal of the puzzle; called with a board, the blank-last goal.
struct Hamming {
    static constexpr bool is_consistent = true;

    /// Binds the heuristic to a puzzle's goal. O(n^2).
    template <int N>
    [[nodiscard]] constexpr auto bind(const SlidingPuzzle<N>& puzzle) const {
        return detail::BoundHamming<typename SlidingPuzzle<N>::State>(puzzle.goal());
    }

    /// The value for the blank-last goal.
    template <class B>
    [[nodiscard]] constexpr auto operator()(const B& board) const -> decltype(board.hamming()) {
        return board.hamming();
    }
};

} // namespace npuzzle
