#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/goal_cells.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace npuzzle {

namespace detail {

/// Computes how many tiles must leave a line so that the rest of the line's own tiles can go home within it.
///
/// The input is the goal coordinate of each of these tiles along the line, in the order in which the tiles
/// stand. The answer is their number less the length of a longest increasing subsequence, which patience
/// sorting finds (C. Schensted 1961).
template <class B>
class LineConflicts;

template <int N>
class LineConflicts<PackedBoard<N>> {
public:
    /// Onto the pile with the least greater top, or onto a new one.
    constexpr void add(int home) {
        const unsigned greater = tops_ >> home << home;
        tops_ = (tops_ & ~(greater & (0U - greater))) | 1U << home;
        must_leave_ += greater != 0 ? 1 : 0;
    }

    constexpr int must_leave() const { return must_leave_; }

private:
    unsigned tops_ = 0; ///< a bit for each
    int must_leave_ = 0;
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

/// `base` to the power of `exponent`.
constexpr unsigned power(unsigned base, int exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/// A table over all arrangements of a line's own tiles, for lines of N cells.
///
/// An arrangement is a number with one digit in base N + 1 for each place; the lowest digit is the first
/// place. A digit is 1 plus the home coordinate of the tile there if the tile belongs to the line, else 0.
///
/// The table has one byte for each arrangement. Its low N bits have one bit for each place: the bit is set if
/// one tile fewer would have to leave if the tile at that place were absent. The bits above hold the least
/// number of tiles that must leave.
template <int N>
class LineArrangementTable {
public:
    constexpr LineArrangementTable() { fill(0, 0, 1, 0, {}); }

    constexpr int must_leave(int arrangement) const {
        return entries_[static_cast<std::size_t>(arrangement)] >> N;
    }

    /// 1 if one tile fewer would have to leave if the tile at `place` were absent; else 0.
    constexpr int gives_way(int arrangement, int place) const {
        return entries_[static_cast<std::size_t>(arrangement)] >> place & 1;
    }

private:
    /// Enters all arrangements whose digits before `place` are given by `taken`.
    constexpr void fill(std::size_t place, unsigned arrangement, unsigned worth, unsigned taken,
                        const LineConflicts<PackedBoard<N>>& conflicts) {
        if (place == N) {
            enter(arrangement, static_cast<unsigned>(conflicts.must_leave()));
            return;
        }
        digits_[place] = 0;
        fill(place + 1, arrangement, worth * (N + 1), taken, conflicts);
        for (unsigned digit = 1; digit <= N; ++digit) {
            if ((taken >> digit & 1U) == 0) {
                LineConflicts<PackedBoard<N>> more = conflicts;
                more.add(static_cast<int>(digit));
                digits_[place] = digit * worth;
                fill(place + 1, arrangement + digits_[place], worth * (N + 1), taken | 1U << digit, more);
            }
        }
    }

    /// Without one of its tiles, an arrangement has a lower digit there. So that arrangement was entered
    /// before.
    constexpr void enter(unsigned arrangement, unsigned must_leave) {
        unsigned entry = must_leave << N;
        for (std::size_t place = 0; must_leave != 0 && place < N; ++place) {
            if (digits_[place] != 0 && entries_[arrangement - digits_[place]] >> N < must_leave) {
                entry |= 1U << place;
            }
        }
        entries_[arrangement] = static_cast<std::uint8_t>(entry);
    }

    /// What the digits that are given add to the arrangement.
    std::array<unsigned, static_cast<std::size_t>(N)> digits_{};
    std::array<std::uint8_t, power(N + 1, N)> entries_{};
};

template <int N>
inline constexpr LineArrangementTable<N> line_arrangements{};

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
            const int tile = board.tile(row * board.size() + column);
            if (const Value home = goal_.cell(tile); tile != 0 && goal_.row(home) == row) {
                conflicts.add(goal_.column(home));
            }
        }
        return conflicts.must_leave();
    }

    constexpr Value in_column(const B& board, Value column) const {
        LineConflicts<B> conflicts;
        for (Value row = 0; row < board.size(); ++row) {
            const int tile = board.tile(row * board.size() + column);
            if (const Value home = goal_.cell(tile); tile != 0 && goal_.column(home) == column) {
                conflicts.add(goal_.row(home));
            }
        }
        return conflicts.must_leave();
    }

    BoundManhattan<B> manhattan_;
    GoalCells<B> goal_;
};

/// Linear conflict on a packed board. It looks up the arrangement of each line in a table.
template <int N>
class BoundLinearConflict<PackedBoard<N>> {
    using B = PackedBoard<N>;
    static constexpr const LineArrangementTable<N>& table = line_arrangements<N>;

public:
    using Value = int;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    /// The arrangements of all rows in one word, with the value in the bits from `value_from` up, and of all
    /// columns in another, for boards so small that they fit. Each move adds to both words a number that
    /// depends only on its cells and its tile.
    struct Evaluation {
        std::uint64_t rows = 0;
        std::uint64_t columns = 0;
    };

    NPUZZLE_COLD explicit constexpr BoundLinearConflict(const B& goal) : manhattan_(goal) {
        for (int cell = 0; cell < N * N; ++cell) {
            if (const auto tile = static_cast<std::size_t>(goal.tile(cell)); tile != 0) {
                home_row_[tile] = static_cast<std::int8_t>(cell / N);
                home_column_[tile] = static_cast<std::int8_t>(cell % N);
            }
        }
        for (int from = 0; from < N * N && fits; ++from) {
            for (std::size_t move = 0; move < 4; ++move) {
                const int to = NeighborTable<N>::target[static_cast<std::size_t>(from)][move];
                for (int tile = 1; tile < N * N && to >= 0; ++tile) {
                    const auto value =
                        static_cast<std::uint64_t>(manhattan_.change(from, static_cast<Move>(move), tile));
                    changes_[static_cast<std::size_t>(from)][move][static_cast<std::size_t>(tile)] = {
                        rows_of(tile, from) - rows_of(tile, to) + (value << value_from),
                        columns_of(tile, from) - columns_of(tile, to)};
                }
            }
        }
    }

    constexpr Value operator()(const B& board) const {
        Value leaving = 0;
        for (int line = 0; line < N; ++line) {
            leaving += table.must_leave(row(board, line)) + table.must_leave(column(board, line));
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
                leaving = -table.gives_way(row(before, line), from % N);
            } else if (line == to / N) {
                leaving = table.gives_way(row(after, line), to % N);
            }
        } else {
            if (const int line = home_column_[tile]; line == from % N) {
                leaving = -table.gives_way(column(before, line), from / N);
            } else if (line == to % N) {
                leaving = table.gives_way(column(after, line), to / N);
            }
        }
        return manhattan_.after(value, before, move, after) + 2 * leaving;
    }

    constexpr Evaluation evaluate(const B& board) const
        requires(N <= 4)
    {
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

    constexpr int value(const Evaluation& evaluation) const
        requires(N <= 4)
    {
        return static_cast<int>(evaluation.rows >> value_from);
    }

    /// O(1).
    template <class AnyMove>
        requires(N <= 4)
    NPUZZLE_ALWAYS_INLINE constexpr Evaluation after(const Evaluation& evaluation, const B& before,
                                                     AnyMove move, const B& after) const {
        if constexpr (requires { move.from; }) { // known at compile time
            return moved(evaluation, before, move.from, move.to, move.move);
        } else {
            return moved(evaluation, before, before.blank_cell(), after.blank_cell(), move);
        }
    }

private:
    static constexpr bool fits = N <= 4;
    static constexpr int line_bits = std::bit_width(power(N + 1, N) - 1);
    static constexpr int value_from = 48;
    static_assert(!fits || line_bits * N <= value_from);

    static constexpr bool is_vertical(Move move) { return move == Move::up || move == Move::down; }

    /// Where the tile leaves its home line, Manhattan distance rises by 1; where it enters its home line, it
    /// falls by 1. For a tile that must give way in that line it is the other way round: one tile fewer had to
    /// leave without it.
    NPUZZLE_ALWAYS_INLINE constexpr Evaluation moved(const Evaluation& evaluation, const B& before, int from,
                                                     int to, Move move) const {
        const Evaluation& change = changes_[static_cast<std::size_t>(from)][static_cast<std::size_t>(move)]
                                           [static_cast<std::size_t>(before.tile(to))];
        Evaluation result{evaluation.rows + change.rows, evaluation.columns + change.columns};
        const bool is_across_rows = is_vertical(move);
        const int left = is_across_rows ? to / N : to % N; // of the lines across the move of the blank
        const int entered = is_across_rows ? from / N : from % N;
        const int place = is_across_rows ? to % N : to / N;
        const int way =
            table.gives_way(line_of(is_across_rows ? result.rows : result.columns, entered), place) -
            table.gives_way(line_of(is_across_rows ? evaluation.rows : evaluation.columns, left), place);
        result.rows += static_cast<std::uint64_t>(way) << (value_from + 1);
        return result;
    }

    static constexpr int line_of(std::uint64_t lines, int line) {
        return static_cast<int>(lines >> (line_bits * line) & ((std::uint64_t{1} << line_bits) - 1));
    }

    constexpr std::uint64_t rows_of(int tile, int cell) const {
        return in_line(digit_in_row(tile, cell / N), cell / N, cell % N);
    }
    constexpr std::uint64_t columns_of(int tile, int cell) const {
        return in_line(digit_in_column(tile, cell % N), cell % N, cell / N);
    }
    static constexpr std::uint64_t in_line(int digit, int line, int place) {
        return (static_cast<std::uint64_t>(digit) * power(N + 1, place)) << (line_bits * line);
    }

    /// The digit of a tile in the arrangement of a row, and of a column.
    constexpr int digit_in_row(int tile, int line) const {
        const auto index = static_cast<std::size_t>(tile);
        return home_row_[index] == line ? home_column_[index] + 1 : 0;
    }
    constexpr int digit_in_column(int tile, int line) const {
        const auto index = static_cast<std::size_t>(tile);
        return home_column_[index] == line ? home_row_[index] + 1 : 0;
    }

    constexpr int row(const B& board, int line) const {
        int arrangement = 0;
        for (int place = N - 1; place >= 0; --place) {
            arrangement = arrangement * (N + 1) + digit_in_row(board.tile(line * N + place), line);
        }
        return arrangement;
    }

    constexpr int column(const B& board, int line) const {
        int arrangement = 0;
        for (int place = N - 1; place >= 0; --place) {
            arrangement = arrangement * (N + 1) + digit_in_column(board.tile(place * N + line), line);
        }
        return arrangement;
    }

    BoundManhattan<B> manhattan_;
    /// By tile. The blank has no home line: -1.
    std::array<std::int8_t, static_cast<std::size_t>(N* N)> home_row_{-1};
    std::array<std::int8_t, static_cast<std::size_t>(N* N)> home_column_{-1};
    /// By the blank's cell, its move, and the tile.
    std::array<std::array<std::array<Evaluation, std::size_t{1} << B::bits>, 4>,
               fits ? static_cast<std::size_t>(N* N) : 0>
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
