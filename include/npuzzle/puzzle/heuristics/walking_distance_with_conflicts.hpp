#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/heuristics/detail/conflict_walking_table.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace npuzzle {

namespace detail {

/// The table for boards whose goal has the blank in line `goal_line`. Built at the first use, by the thread
/// that comes first, and kept until the program ends.
template <int N, int goal_line = N - 1>
const ConflictWalkingTable& conflict_walking_table(int line) {
    if constexpr (goal_line > 0) {
        if (line < goal_line) {
            return conflict_walking_table<N, goal_line - 1>(line);
        }
    }
    static const ConflictWalkingTable table(N, goal_line);
    return table;
}

template <int N>
class BoundWalkingDistanceWithConflicts : CarriedArrangements<N> {
    using Base = CarriedArrangements<N>;
    using Arrangements = LineArrangements<N>;
    using B = PackedBoard<N>;
    using Position = ConflictWalkingTable::Position;

public:
    using Value = int;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    /// In each word, above the arrangements: the position of the rows, and that of the columns.
    using Evaluation = typename Base::Words;

    explicit BoundWalkingDistanceWithConflicts(const B& goal)
        : Base(goal), rows_(&conflict_walking_table<N>(goal.blank_cell() / N)),
          columns_(&conflict_walking_table<N>(goal.blank_cell() % N)) {}

    Value operator()(const B& board) const { return value(evaluate(board)); }

    Evaluation evaluate(const B& board) const {
        const BoardCodes codes(board, this->home_row_, this->home_column_);
        const Evaluation lines = this->arrangements(board);
        return {with_position(lines.rows, rows_->at(codes.rows, must_leave(lines.rows))),
                with_position(lines.columns, columns_->at(codes.columns, must_leave(lines.columns)))};
    }

    Value value(const Evaluation& evaluation) const {
        return static_cast<int>(evaluation.rows >> distance_from) +
               static_cast<int>(evaluation.columns >> distance_from);
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
    static constexpr int number_from = Base::arrangement_bits;
    static constexpr int distance_from = number_from + ConflictWalkingTable::number_bits;
    static_assert(distance_from + ConflictWalkingTable::distance_bits <= 64);

    static constexpr std::uint64_t with_position(std::uint64_t lines, const Position& position) {
        return (lines & ((std::uint64_t{1} << number_from) - 1)) |
               std::uint64_t{position.number} << number_from |
               static_cast<std::uint64_t>(position.distance) << distance_from;
    }

    static constexpr Position position_of(std::uint64_t word) {
        constexpr std::uint64_t numbers = (std::uint64_t{1} << ConflictWalkingTable::number_bits) - 1;
        return {static_cast<std::uint32_t>(word >> number_from & numbers),
                static_cast<std::int32_t>(word >> distance_from)};
    }

    static constexpr WalkingPatterns::Lines<std::uint8_t> must_leave(std::uint64_t lines) {
        WalkingPatterns::Lines<std::uint8_t> result{};
        for (int line = 0; line < N; ++line) {
            result[static_cast<std::size_t>(line)] =
                static_cast<std::uint8_t>(Arrangements::must_leave(Base::line_of(lines, line)));
        }
        return result;
    }

    // By force, so that a move known at compile time leaves a few lines of it.
    NPUZZLE_ALWAYS_INLINE Evaluation moved(const Evaluation& evaluation, const B& before, int from, int to,
                                           Move move) const {
        const auto tile = static_cast<std::size_t>(before.tile(to));
        const Evaluation& change = this->change(from, move, static_cast<int>(tile));
        Evaluation result{evaluation.rows + change.rows, evaluation.columns + change.columns};
        const auto way = Base::gives_way(evaluation, result, from, to, move);
        if (Base::is_vertical(move)) {
            const Position position = rows_->moved(position_of(evaluation.rows), from / N, to / N,
                                                   this->home_row_[tile], way.left, way.entered);
            result.rows = with_position(result.rows, position);
        } else {
            const Position position = columns_->moved(position_of(evaluation.columns), from % N, to % N,
                                                      this->home_column_[tile], way.left, way.entered);
            result.columns = with_position(result.columns, position);
        }
        return result;
    }

    const ConflictWalkingTable* rows_;
    const ConflictWalkingTable* columns_;
};

} // namespace detail

/// Walking distance in which the tiles that linear conflict says must leave their row do leave it in a
/// vertical move, and those that must leave their column in a horizontal one. Never less than
/// `WalkingDistance` and `LinearConflict`.
///
/// As for walking distance, the simpler puzzle knows of each row only how many tiles it holds of each home
/// row. Here it also knows how many of those at home must leave: so many of its moves must take one of these
/// away. That number changes with a vertical move only, and by 1 at most. So the value is admissible and
/// consistent. O(n^2) for a whole board, O(1) after a move.
///
/// For packed boards of sizes 2 to 4. The tables depend on the row and the column of the blank in the goal.
/// They are built at their first use. All threads share them until the program ends. For N = 4 a table has
/// 92,534 states and takes 1.7 MB and some milliseconds.
///
/// \throws std::bad_alloc from `bind` if there is no memory for the tables.
struct WalkingDistanceWithConflicts {
    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    /// Binds the heuristic to a puzzle's goal. The first call for a goal with the blank in a new row or
    /// column builds a table.
    template <int N>
        requires(N != dynamic_size && N <= 4)
    [[nodiscard]] auto bind(const SlidingPuzzle<N>& puzzle) const {
        return detail::BoundWalkingDistanceWithConflicts<N>(puzzle.goal());
    }

    /// The value for the blank-last goal.
    template <int N>
        requires(N <= 4)
    [[nodiscard]] int operator()(const PackedBoard<N>& board) const {
        return bind(SlidingPuzzle<N>{})(board);
    }
};

} // namespace npuzzle
