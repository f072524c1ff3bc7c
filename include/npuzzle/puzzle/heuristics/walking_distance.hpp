#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace npuzzle {

namespace detail {

/// The patterns of walking distance for one direction of lines, say rows, and their distances from the goal.
///
/// A pattern gives for each row how many of its tiles belong in each row: three bits for each count. The
/// blank is in the row that has one tile fewer. A breadth-first search from the goal numbers the patterns.
class WalkingTable {
public:
    /// A pattern, and its distance from the goal.
    struct Position {
        std::uint32_t number = 0;
        std::int32_t distance = 0;
    };

    /// For boards of size n, up to 4, whose goal has the blank in line `goal_line`.
    /// \throws std::bad_alloc
    NPUZZLE_NOINLINE WalkingTable(int n, int goal_line) : numbers_(std::size_t{1} << 16) {
        std::uint64_t goal = 0;
        for (int line = 0; line < n; ++line) {
            goal += unit(line, line) * static_cast<std::uint64_t>(line == goal_line ? n - 1 : n);
        }
        std::vector<std::uint64_t> patterns{goal};
        std::vector<int> blanks{goal_line};
        slot(goal) = {goal, 0};
        distances_.push_back(0);
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            links_.resize(8 * (i + 1));
            for (const bool is_down : {false, true}) {
                const int from = blanks[i];
                const int to = is_down ? from + 1 : from - 1;
                for (int home = 0; home < n && to >= 0 && to < n; ++home) {
                    if ((patterns[i] / unit(to, home) & 7) == 0) continue; // no such tile is there
                    const std::uint64_t next = patterns[i] - unit(to, home) + unit(from, home);
                    Slot& found = slot(next);
                    if (found.pattern == 0) {
                        found = {next, static_cast<std::uint32_t>(patterns.size())};
                        patterns.push_back(next);
                        blanks.push_back(to);
                        distances_.push_back(static_cast<std::uint8_t>(distances_[i] + 1));
                    }
                    // The blank's line tells the parity of a distance, so a move changes it by exactly 1.
                    const bool is_farther = distances_[found.number] > distances_[i];
                    links_[link(i, is_down, home)] =
                        static_cast<std::uint16_t>(found.number << 1 | (is_farther ? 1 : 0));
                }
            }
        }
    }

    /// What one tile in `line` that belongs in line `home` adds to a pattern.
    static constexpr std::uint64_t unit(int line, int home) {
        return std::uint64_t{1} << (12 * line + 3 * home);
    }

    Position at(std::uint64_t pattern) const {
        const std::uint32_t number = slot(pattern).number;
        return {number, distances_[number]};
    }

    /// The position after a move: the blank goes from line `from` to line `to`, and a tile that belongs in
    /// line `home` goes the other way.
    NPUZZLE_ALWAYS_INLINE Position moved(Position position, int from, int to, int home) const {
        const std::uint16_t step = links_[link(position.number, from < to, home)];
        return {static_cast<std::uint32_t>(step >> 1), position.distance - 1 + 2 * (step & 1)};
    }

private:
    struct Slot {
        std::uint64_t pattern;
        std::uint32_t number;
    };

    static constexpr std::size_t link(std::size_t number, bool is_down, int home) {
        return number * 8 + (is_down ? 4 : 0) + as_index(home);
    }

    /// Of a hash table with linear probing: where a pattern is, or belongs.
    Slot& slot(std::uint64_t pattern) const {
        std::size_t at = pattern * 0x9e3779b97f4a7c15 >> 48;
        while (numbers_[at].pattern != 0 && numbers_[at].pattern != pattern) at = (at + 1) % numbers_.size();
        return numbers_[at];
    }

    mutable std::vector<Slot> numbers_;
    std::vector<std::uint8_t> distances_;
    /// Twice the number of the pattern that a move leads to, plus 1 if that is farther from the goal.
    std::vector<std::uint16_t> links_;
};

/// The table for boards of size N whose goal has the blank in line `goal_line`. Built at the first use, and
/// kept until the program ends.
template <int N>
NPUZZLE_COLD const WalkingTable& walking_table(int goal_line) {
    static std::array<std::once_flag, N> made;
    static std::array<const WalkingTable*, N> tables{};
    const std::size_t line = as_index(goal_line);
    std::call_once(made[line], [&] { tables[line] = new WalkingTable(N, goal_line); });
    return *tables[line];
}

template <int N>
class BoundWalkingDistance {
    using B = PackedBoard<N>;

public:
    using Value = int;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    struct Evaluation {
        WalkingTable::Position rows;
        WalkingTable::Position columns;
    };

    explicit BoundWalkingDistance(const B& goal)
        : rows_(&walking_table<N>(goal.blank_cell() / N)),
          columns_(&walking_table<N>(goal.blank_cell() % N)) {
        for (int cell = 0; cell < N * N; ++cell) {
            home_row_[as_index(goal.tile(cell))] = static_cast<std::int8_t>(cell / N);
            home_column_[as_index(goal.tile(cell))] = static_cast<std::int8_t>(cell % N);
        }
    }

    Value operator()(const B& board) const { return value(evaluate(board)); }

    Evaluation evaluate(const B& board) const {
        std::uint64_t rows = 0;
        std::uint64_t columns = 0;
        for (int cell = 0; cell < N * N; ++cell) {
            if (const std::size_t tile = as_index(board.tile(cell)); tile != 0) {
                rows += WalkingTable::unit(cell / N, home_row_[tile]);
                columns += WalkingTable::unit(cell % N, home_column_[tile]);
            }
        }
        return {rows_->at(rows), columns_->at(columns)};
    }

    Value value(const Evaluation& evaluation) const {
        return evaluation.rows.distance + evaluation.columns.distance;
    }

    /// O(1).
    template <class AnyMove>
    NPUZZLE_ALWAYS_INLINE Evaluation after(const Evaluation& evaluation, const B& before, AnyMove move,
                                           const B& /*after*/) const {
        const SlideMove slide = slide_of(before, move);
        const std::size_t tile = as_index(before.tile(slide.to));
        if (is_vertical(slide.move)) {
            return {rows_->moved(evaluation.rows, slide.from / N, slide.to / N, home_row_[tile]),
                    evaluation.columns};
        }
        return {evaluation.rows,
                columns_->moved(evaluation.columns, slide.from % N, slide.to % N, home_column_[tile])};
    }

private:
    const WalkingTable* rows_;
    const WalkingTable* columns_;
    std::array<std::int8_t, std::size_t{1} << B::bits> home_row_{};
    std::array<std::int8_t, std::size_t{1} << B::bits> home_column_{};
};

} // namespace detail

/// Walking distance (Ken'ichiro Takahashi, known as takaken, for his 15-puzzle solver).
///
/// It forgets the column of each tile, and does not distinguish tiles of the same home row. This simpler
/// puzzle is solved exactly: the least number of vertical moves that bring each tile to its home row. The
/// value is this plus the same for horizontal moves, and never less than Manhattan distance. Admissible and
/// consistent. O(n^2) for a whole board, O(1) after a move.
///
/// For packed boards of sizes 2 to 4. The tables depend on the row and the column of the blank in the goal:
/// 24,964 patterns for size 4, 1.5 MB, built in a few milliseconds at the first use. All threads share them.
///
/// \throws std::bad_alloc from `bind` if there is no memory for the tables.
struct WalkingDistance {
    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    /// Binds the heuristic to a puzzle's goal. The first call for a goal with the blank in a new row or
    /// column builds a table.
    template <int N>
        requires(N >= 2 && N <= 4)
    [[nodiscard]] auto bind(const SlidingPuzzle<N>& puzzle) const {
        return detail::BoundWalkingDistance<N>(puzzle.goal());
    }

    /// The value for the blank-last goal.
    template <int N>
        requires(N >= 2 && N <= 4)
    [[nodiscard]] int operator()(const PackedBoard<N>& board) const {
        return bind(SlidingPuzzle<N>{})(board);
    }
};

} // namespace npuzzle
