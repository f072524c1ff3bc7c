#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/heuristics/detail/walking_table.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

template <int N>
class BoundWalkingDistance {
    using B = PackedBoard<N>;
    using Table = WalkingTable<N>;

public:
    using Value = int;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    struct Evaluation {
        typename Table::Position rows;
        typename Table::Position columns;
    };

    explicit BoundWalkingDistance(const B& goal)
        : rows_(&walking_table<N>(goal.blank_cell() / N)),
          columns_(&walking_table<N>(goal.blank_cell() % N)) {
        for (int cell = 0; cell < N * N; ++cell) {
            if (const auto tile = static_cast<std::size_t>(goal.tile(cell)); tile != 0) {
                home_row_[tile] = static_cast<std::int8_t>(cell / N);
                home_column_[tile] = static_cast<std::int8_t>(cell % N);
            }
        }
    }

    Value operator()(const B& board) const { return value(evaluate(board)); }

    Evaluation evaluate(const B& board) const {
        const BoardCodes codes(board, home_row_, home_column_);
        return {rows_->at(codes.rows), columns_->at(codes.columns)};
    }

    Value value(const Evaluation& evaluation) const {
        return evaluation.rows.distance + evaluation.columns.distance;
    }

    /// O(1).
    Evaluation after(const Evaluation& evaluation, const B& before, Move move, const B& after) const {
        return moved(evaluation, before, before.blank_cell(), after.blank_cell(), move);
    }

    /// The same for a move whose cells are known at compile time.
    NPUZZLE_ALWAYS_INLINE Evaluation after(const Evaluation& evaluation, const B& before, SlideMove move,
                                           const B& /*after*/) const {
        return moved(evaluation, before, move.from, move.to, move.move);
    }

private:
    // By force, so that a move known at compile time leaves a line or two of it.
    NPUZZLE_ALWAYS_INLINE Evaluation moved(const Evaluation& evaluation, const B& before, int from, int to,
                                           Move move) const {
        const auto tile = static_cast<std::size_t>(before.tile(to));
        if (move == Move::up || move == Move::down) {
            return {rows_->moved(evaluation.rows, from / N, to / N, home_row_[tile]), evaluation.columns};
        }
        return {evaluation.rows, columns_->moved(evaluation.columns, from % N, to % N, home_column_[tile])};
    }

    const Table* rows_;
    const Table* columns_;
    std::array<std::int8_t, std::size_t{1} << B::bits> home_row_{};
    std::array<std::int8_t, std::size_t{1} << B::bits> home_column_{};
};

} // namespace detail

/// Walking distance (Ken'ichiro Takahashi, known as takaken, for his 15-puzzle solver).
///
/// It forgets the column of each tile, and does not distinguish tiles of the same home row. This simpler
/// puzzle is solved exactly: the least number of vertical moves that bring each tile to its home row, where
/// each move exchanges a tile with the blank. Horizontal moves are treated in the same way. The value is the
/// sum of the two, since no move is both. It is never less than Manhattan distance. Admissible and
/// consistent. O(n^2) for a whole board, O(1) after a move (O(n) for N = 5).
///
/// For packed boards of sizes 2 to 5. The tables depend on the row and the column of the blank in the goal.
/// They are built at their first use. All threads share them until the program ends.
/// - N = 4: 24,964 patterns, 0.4 MB, built in a few milliseconds.
/// - N = 5: 65,650,495 patterns, 36 MB (180 MB during the build), built in about five seconds.
///
/// \throws std::bad_alloc from `bind` if there is no memory for the tables.
struct WalkingDistance {
    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    /// Binds the heuristic to a puzzle's goal. The first call for a goal with the blank in a new row or
    /// column builds a table.
    template <int N>
        requires(N != dynamic_size)
    [[nodiscard]] auto bind(const SlidingPuzzle<N>& puzzle) const {
        return detail::BoundWalkingDistance<N>(puzzle.goal());
    }

    /// The value for the blank-last goal.
    template <int N>
    [[nodiscard]] int operator()(const PackedBoard<N>& board) const {
        return bind(SlidingPuzzle<N>{})(board);
    }
};

} // namespace npuzzle
