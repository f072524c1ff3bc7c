#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/goal_cells.hpp"
#include "npuzzle/puzzle/heuristics/detail/line_arrangements.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace npuzzle {

namespace detail {

template <class B>
class BoundLinearConflict {
public:
    using Value = typename GoalCells<B>::Value;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    explicit constexpr BoundLinearConflict(const B& goal) : manhattan_(goal), goal_(goal) {}

    constexpr Value operator()(const B& board) const {
        Value leaving = 0;
        for (Value line = 0; line < board.size(); ++line) {
            leaving += in_row(board, line) + in_column(board, line);
        }
        return manhattan_(board) + 2 * leaving;
    }

    /// A tile that moves within a line keeps its order among the line's tiles. So only the line that it
    /// leaves and the line that it enters can change, and of these only the one it belongs to. O(n log n),
    /// O(1) for most moves.
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

/// Linear conflict on a packed board. It looks up the arrangement of each line in a table.
template <int N>
class LookedUpLinearConflict {
    using Arrangements = LineArrangements<N>;
    using B = PackedBoard<N>;

public:
    using Value = int;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    NPUZZLE_COLD explicit constexpr LookedUpLinearConflict(const B& goal) : manhattan_(goal) {
        for (int cell = 0; cell < N * N; ++cell) {
            if (const auto tile = static_cast<std::size_t>(goal.tile(cell)); tile != 0) {
                home_row_[tile] = static_cast<std::int8_t>(cell / N);
                home_column_[tile] = static_cast<std::int8_t>(cell % N);
            }
        }
    }

    constexpr Value operator()(const B& board) const {
        Value leaving = 0;
        for (int line = 0; line < N; ++line) {
            leaving +=
                Arrangements::must_leave(row(board, line)) + Arrangements::must_leave(column(board, line));
        }
        return manhattan_(board) + 2 * leaving;
    }

    /// A tile that moves within a line keeps its order among the line's tiles. So only the line that it
    /// leaves and the line that it enters can change, and of these only the one it belongs to. O(n).
    template <class AnyMove>
        requires std::convertible_to<AnyMove, Move>
    constexpr Value after(Value value, const B& before, AnyMove move, const B& after) const {
        const int from = after.blank_cell();
        const int to = before.blank_cell();
        const auto tile = static_cast<std::size_t>(after.tile(to));
        int leaving = 0;
        if (is_vertical(move)) {
            if (const int line = home_row_[tile]; line == from / N) {
                leaving = -Arrangements::gives_way(row(before, line), from % N);
            } else if (line == to / N) {
                leaving = Arrangements::gives_way(row(after, line), to % N);
            }
        } else {
            if (const int line = home_column_[tile]; line == from % N) {
                leaving = -Arrangements::gives_way(column(before, line), from / N);
            } else if (line == to % N) {
                leaving = Arrangements::gives_way(column(after, line), to / N);
            }
        }
        return manhattan_.after(value, before, move, after) + 2 * leaving;
    }

protected:
    static constexpr bool is_vertical(Move move) { return move == Move::up || move == Move::down; }

    /// The digit of a tile in the arrangement of a row, and of a column.
    constexpr int digit_in_row(int tile, int line) const {
        const auto index = static_cast<std::size_t>(tile);
        return home_row_[index] == line ? home_column_[index] + 1 : 0;
    }
    constexpr int digit_in_column(int tile, int line) const {
        const auto index = static_cast<std::size_t>(tile);
        return home_column_[index] == line ? home_row_[index] + 1 : 0;
    }

private:
    constexpr int row(const B& board, int line) const {
        int arrangement = 0;
        for (int place = N - 1; place >= 0; --place) {
            arrangement = arrangement * LineArrangementTable<N>::base +
                          digit_in_row(board.tile(line * N + place), line);
        }
        return arrangement;
    }

    constexpr int column(const B& board, int line) const {
        int arrangement = 0;
        for (int place = N - 1; place >= 0; --place) {
            arrangement = arrangement * LineArrangementTable<N>::base +
                          digit_in_column(board.tile(place * N + line), line);
        }
        return arrangement;
    }

protected:
    BoundManhattan<B> manhattan_;
    /// By tile. The blank has no home line: -1.
    std::array<std::int8_t, static_cast<std::size_t>(N* N)> home_row_{-1};
    std::array<std::int8_t, static_cast<std::size_t>(N* N)> home_column_{-1};
};

template <int N>
class BoundLinearConflict<PackedBoard<N>> : public LookedUpLinearConflict<N> {
public:
    using LookedUpLinearConflict<N>::LookedUpLinearConflict;
};

/// The arrangements of all rows in one word, with the value above them, and of all columns in another,
/// for boards so small that they fit. Each move adds to both words a number that depends only on its cells and
/// its tile.
template <int N>
    requires(N <= 4)
class BoundLinearConflict<PackedBoard<N>> : public LookedUpLinearConflict<N> {
    using Base = LookedUpLinearConflict<N>;
    using Arrangements = LineArrangements<N>;
    using B = PackedBoard<N>;

public:
    /// The value is in the bits of `rows` from `value_from` up.
    struct Evaluation {
        std::uint64_t rows = 0;
        std::uint64_t columns = 0;
    };

    NPUZZLE_COLD explicit constexpr BoundLinearConflict(const B& goal) : Base(goal) {
        for (int from = 0; from < N * N; ++from) {
            for (const Move move : all_moves) {
                const int to =
                    NeighborTable<N>::target[static_cast<std::size_t>(from)][static_cast<std::size_t>(move)];
                for (int tile = 1; tile < N * N && to >= 0; ++tile) {
                    const auto value = static_cast<std::uint64_t>(this->manhattan_.change(from, move, tile));
                    changes_[static_cast<std::size_t>(from)][static_cast<std::size_t>(move)]
                            [static_cast<std::size_t>(tile)] = {
                                rows_of(tile, from) - rows_of(tile, to) + (value << value_from),
                                columns_of(tile, from) - columns_of(tile, to)};
                }
            }
        }
    }

    constexpr Evaluation evaluate(const B& board) const {
        Evaluation evaluation;
        for (int cell = 0; cell < N * N; ++cell) {
            if (const int tile = board.tile(cell); tile != 0) {
                evaluation.rows += rows_of(tile, cell);
                evaluation.columns += columns_of(tile, cell);
            }
        }
        evaluation.rows += static_cast<std::uint64_t>((*this)(board)) << value_from;
        return evaluation;
    }

    constexpr int value(const Evaluation& evaluation) const {
        return static_cast<int>(evaluation.rows >> value_from);
    }

    using LookedUpLinearConflict<N>::after;

    constexpr Evaluation after(const Evaluation& evaluation, const B& before, Move move,
                               const B& after) const {
        return moved(evaluation, before, before.blank_cell(), after.blank_cell(), move);
    }

    /// The same for a move whose cells are known at compile time.
    NPUZZLE_ALWAYS_INLINE constexpr Evaluation after(const Evaluation& evaluation, const B& before,
                                                     SlideMove move, const B& /*after*/) const {
        return moved(evaluation, before, move.from, move.to, move.move);
    }

private:
    static constexpr int line_bits = std::bit_width(power(N + 1, N) - 1);
    static constexpr int value_from = 48;
    static_assert(line_bits * N <= value_from);

    /// Where the tile leaves its home line, Manhattan distance rises by 1; where it enters its home line, it
    /// falls by 1. For a tile that must give way in that line it is the other way round: one tile fewer had to
    /// leave without it.
    NPUZZLE_ALWAYS_INLINE constexpr Evaluation moved(const Evaluation& evaluation, const B& before, int from,
                                                     int to, Move move) const {
        const Evaluation& change = changes_[static_cast<std::size_t>(from)][static_cast<std::size_t>(move)]
                                           [static_cast<std::size_t>(before.tile(to))];
        Evaluation result{evaluation.rows + change.rows, evaluation.columns + change.columns};
        const bool is_vertical = Base::is_vertical(move);
        const int left = is_vertical ? to / N : to % N; // of the lines across the move of the blank
        const int entered = is_vertical ? from / N : from % N;
        const int place = is_vertical ? to % N : to / N;
        const int way =
            Arrangements::gives_way(line_of(is_vertical ? result.rows : result.columns, entered), place) -
            Arrangements::gives_way(line_of(is_vertical ? evaluation.rows : evaluation.columns, left), place);
        result.rows += static_cast<std::uint64_t>(way) << (value_from + 1);
        return result;
    }

    static constexpr int line_of(std::uint64_t lines, int line) {
        return static_cast<int>(lines >> (line_bits * line) & ((std::uint64_t{1} << line_bits) - 1));
    }

    constexpr std::uint64_t rows_of(int tile, int cell) const {
        return in_line(this->digit_in_row(tile, cell / N), cell / N, cell % N);
    }
    constexpr std::uint64_t columns_of(int tile, int cell) const {
        return in_line(this->digit_in_column(tile, cell % N), cell % N, cell / N);
    }
    static constexpr std::uint64_t in_line(int digit, int line, int place) {
        return (static_cast<std::uint64_t>(digit) * power(N + 1, place)) << (line_bits * line);
    }

    /// By the blank's cell, its move, and the tile.
    std::array<std::array<std::array<Evaluation, std::size_t{1} << B::bits>, 4>,
               static_cast<std::size_t>(N* N)>
        changes_{};
};

/// Linear conflict to the blank-last goal. Computed once, at compile time.
template <int N>
inline constexpr BoundLinearConflict<PackedBoard<N>> linear_conflict_to_blank_last{PackedBoard<N>{}};

} // namespace detail

/// Manhattan distance, plus two moves for each tile that must leave its line to let others pass (O. Hansson,
/// A. Mayer, M. Yung, "Criticizing solutions to relaxed models yields powerful admissible heuristics", 1992).
///
/// In each row and column, only the tiles that belong there count. The tiles that must leave are those
/// outside a longest increasing subsequence of their goal coordinates. This is the least number that must
/// leave, not the number of conflicting pairs. So the heuristic is admissible and consistent.
///
/// A whole board takes O(n^2 log n), a move O(n log n) at most and O(1) mostly. On packed boards the lines
/// are looked up in tables.
///
/// In a search it uses the goal of the puzzle. Called with a `Board` or a `PackedBoard`, it uses the
/// blank-last goal.
struct LinearConflict {
    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    /// Binds the heuristic to a puzzle's goal. O(n^2); for a packed board it also makes the tables of its
    /// moves.
    template <int N>
    [[nodiscard]] constexpr auto bind(const SlidingPuzzle<N>& puzzle) const {
        return detail::BoundLinearConflict<typename SlidingPuzzle<N>::State>(puzzle.goal());
    }

    /// The value for the blank-last goal.
    template <int N>
    [[nodiscard]] constexpr int operator()(const PackedBoard<N>& board) const {
        return detail::linear_conflict_to_blank_last<N>(board);
    }

    /// The value for the blank-last goal.
    [[nodiscard]] std::int64_t operator()(const Board& board) const {
        return bind(SlidingPuzzle(board.size()))(board);
    }
};

} // namespace npuzzle
