#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
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

// How many tiles must leave a line so that the rest of the line's own tiles can go home within it: their
// number less the length of a longest increasing subsequence of their goal coordinates, which patience
// sorting finds (C. Schensted 1961).

/// `base` to the power of `exponent`.
constexpr unsigned power(unsigned base, int exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/// A table over all arrangements of a line's own tiles, for lines of N cells.
///
/// An arrangement is a number with one digit in base N + 1 for each place, the first place lowest. A digit is
/// 1 plus the home coordinate of the tile there if the tile belongs to the line, else 0. The low N bits of an
/// entry say at which places a tile gives way: without it one tile fewer has to leave. The bits above hold
/// the least number of tiles that must leave.
template <int N>
class LineArrangementTable {
public:
    constexpr LineArrangementTable() { fill(0, 0, 1, 0, 0, 0); }

    constexpr int must_leave(int arrangement) const { return entries_[as_index(arrangement)] >> N; }

    constexpr int gives_way(int arrangement, int place) const {
        return entries_[as_index(arrangement)] >> place & 1;
    }

private:
    /// Enters all arrangements whose digits before `place` are given.
    /// \param taken a bit for each of these digits
    /// \param tops a bit for each top of a pile
    constexpr void fill(std::size_t place, unsigned arrangement, unsigned worth, unsigned taken,
                        unsigned tops, unsigned must_leave) {
        if (place == N) return enter(arrangement, must_leave);
        digits_[place] = 0;
        fill(place + 1, arrangement, worth * (N + 1), taken, tops, must_leave);
        for (unsigned digit = 1; digit <= N; ++digit) {
            if ((taken >> digit & 1U) != 0) continue;
            // Onto the pile with the least greater top, or onto a new one.
            const unsigned greater = tops >> digit << digit;
            digits_[place] = digit * worth;
            fill(place + 1, arrangement + digits_[place], worth * (N + 1), taken | 1U << digit,
                 (tops & ~(greater & (0U - greater))) | 1U << digit, must_leave + (greater != 0 ? 1 : 0));
        }
    }

    /// An arrangement without one of its tiles has a lower digit there, so it was entered before.
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
    std::array<unsigned, N> digits_{};
    std::array<std::uint8_t, power(N + 1, N)> entries_{};
};

template <int N>
inline constexpr LineArrangementTable<N> line_arrangements{};

template <class B>
class BoundLinearConflict;

template <>
class BoundLinearConflict<Board> {
public:
    using Value = std::int64_t;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    explicit BoundLinearConflict(const Board& goal) : manhattan_(goal) {}

    Value operator()(const Board& board) const {
        Value leaving = 0;
        for (Value line = 0; line < board.size(); ++line) {
            leaving += must_leave(board, line, true) + must_leave(board, line, false);
        }
        return manhattan_(board) + 2 * leaving;
    }

    /// A tile that moves within a line keeps its order among the line's tiles. So of the line that it leaves
    /// and the line that it enters, only the one it belongs to can change. O(n log n), O(1) for most moves.
    Value after(Value value, const Board& before, Move move, const Board& after) const {
        const Value from = after.blank_cell();
        const Value to = before.blank_cell();
        const bool is_row = is_vertical(move); // it leaves a row for another one
        const Value line = line_of(manhattan_.home(after.tile(to)), is_row);
        Value leaving = 0;
        if (line == line_of(from, is_row) || line == line_of(to, is_row)) {
            leaving = must_leave(after, line, is_row) - must_leave(before, line, is_row);
        }
        return manhattan_.after(value, before, move, after) + 2 * leaving;
    }

private:
    /// The row or the column of a cell.
    Value line_of(Value cell, bool is_row) const {
        return is_row ? manhattan_.row(cell) : manhattan_.column(cell);
    }

    Value must_leave(const Board& board, Value line, bool is_row) const {
        const Value n = board.size();
        std::vector<Value> tops;
        Value tiles = 0;
        for (Value place = 0; place < n; ++place) {
            const int tile = board.tile(is_row ? line * n + place : place * n + line);
            const Value home = manhattan_.home(tile);
            if (tile == 0 || line_of(home, is_row) != line) continue;
            const Value along = line_of(home, !is_row);
            const auto pile = std::lower_bound(tops.begin(), tops.end(), along);
            pile == tops.end() ? tops.push_back(along) : void(*pile = along);
            ++tiles;
        }
        return tiles - static_cast<Value>(tops.size());
    }

    BoundManhattan<Board> manhattan_;
};

/// Linear conflict on a packed board. It looks up the arrangement of each line in a table. Axis 0 has the
/// rows as its lines, axis 1 the columns.
template <int N>
class BoundLinearConflict<PackedBoard<N>> {
    using B = PackedBoard<N>;
    static constexpr const LineArrangementTable<N>& table = line_arrangements<N>;

public:
    using Value = int;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    /// By axis, the arrangements of all lines in one word, if they fit. The first word has the value in the
    /// bits from `value_from` up. A move adds to both words a number that depends only on its cells and its
    /// tile.
    struct Evaluation {
        std::array<std::uint64_t, 2> lines{};
    };

    NPUZZLE_COLD explicit constexpr BoundLinearConflict(const B& goal) : manhattan_(goal) {
        for (int cell = 0; cell < N * N; ++cell) {
            const std::size_t tile = as_index(goal.tile(cell));
            home_[0][tile] = static_cast<std::int8_t>(tile != 0 ? cell / N : -1);
            home_[1][tile] = static_cast<std::int8_t>(tile != 0 ? cell % N : -1);
        }
        for (int from = 0; from < N * N && fits; ++from) {
            for (std::size_t move = 0; move < 4; ++move) {
                const int to = NeighborTable<N>::target[as_index(from)][move];
                for (int tile = 1; tile < N * N && to >= 0; ++tile) {
                    const auto value =
                        static_cast<std::uint64_t>(manhattan_.change(from, static_cast<Move>(move), tile));
                    changes_[as_index(from)][move][as_index(tile)].lines = {
                        share<0>(tile, from) - share<0>(tile, to) + (value << value_from),
                        share<1>(tile, from) - share<1>(tile, to)};
                }
            }
        }
    }

    constexpr Value operator()(const B& board) const {
        Value leaving = 0;
        for (int line = 0; line < N; ++line) {
            leaving +=
                table.must_leave(arrangement<0>(board, line)) + table.must_leave(arrangement<1>(board, line));
        }
        return manhattan_(board) + 2 * leaving;
    }

    /// As on a `Board`. O(n).
    template <class AnyMove>
        requires std::convertible_to<AnyMove, Move>
    constexpr Value after(Value value, const B& before, AnyMove move, const B& after) const {
        const int leaving = is_vertical(move) ? change<0>(before, after) : change<1>(before, after);
        return manhattan_.after(value, before, move, after) + 2 * leaving;
    }

    constexpr Evaluation evaluate(const B& board) const
        requires(N <= 4)
    {
        Evaluation evaluation;
        for (int cell = 0; cell < N * N; ++cell) {
            evaluation.lines[0] += share<0>(board.tile(cell), cell);
            evaluation.lines[1] += share<1>(board.tile(cell), cell);
        }
        evaluation.lines[0] += static_cast<std::uint64_t>((*this)(board)) << value_from;
        return evaluation;
    }

    constexpr int value(const Evaluation& evaluation) const
        requires(N <= 4)
    {
        return static_cast<int>(evaluation.lines[0] >> value_from);
    }

    /// O(1).
    template <class AnyMove>
        requires(N <= 4)
    NPUZZLE_ALWAYS_INLINE constexpr Evaluation after(const Evaluation& evaluation, const B& before,
                                                     AnyMove move, const B& /*after*/) const {
        const SlideMove slide = slide_of(before, move);
        return is_vertical(move) ? moved<0>(evaluation, before, slide) : moved<1>(evaluation, before, slide);
    }

private:
    static constexpr bool fits = N <= 4;
    static constexpr int line_bits = std::bit_width(power(N + 1, N) - 1);
    static constexpr int value_from = 48;
    static_assert(!fits || line_bits * N <= value_from);

    template <std::size_t axis>
    static constexpr int line_of(int cell) {
        return axis == 0 ? cell / N : cell % N;
    }

    /// The digit of a tile in the arrangement of a line. The blank has none.
    template <std::size_t axis>
    constexpr int digit(int tile, int line) const {
        const std::size_t index = as_index(tile);
        return home_[axis][index] == line ? home_[1 - axis][index] + 1 : 0;
    }

    template <std::size_t axis>
    constexpr int arrangement(const B& board, int line) const {
        int arrangement = 0;
        for (int place = N - 1; place >= 0; --place) {
            const int cell = axis == 0 ? line * N + place : place * N + line;
            arrangement = arrangement * (N + 1) + digit<axis>(board.tile(cell), line);
        }
        return arrangement;
    }

    /// How many more tiles must leave a line after the blank has crossed lines.
    template <std::size_t axis>
    constexpr int change(const B& before, const B& after) const {
        const int from = after.blank_cell();
        const int to = before.blank_cell();
        const int line = home_[axis][as_index(after.tile(to))];
        if (line == line_of<axis>(from)) {
            return -table.gives_way(arrangement<axis>(before, line), line_of<1 - axis>(from));
        }
        return line == line_of<axis>(to)
                   ? table.gives_way(arrangement<axis>(after, line), line_of<1 - axis>(to))
                   : 0;
    }

    /// What a tile in a cell adds to the arrangements.
    template <std::size_t axis>
    constexpr std::uint64_t share(int tile, int cell) const {
        const int line = line_of<axis>(cell);
        return static_cast<std::uint64_t>(digit<axis>(tile, line)) * power(N + 1, line_of<1 - axis>(cell))
               << (line_bits * line);
    }

    /// Where the tile leaves its home line, Manhattan distance rises by 1; where it enters, it falls by 1.
    /// For a tile that must give way in that line it is the other way round: without it, one tile fewer has
    /// to leave.
    template <std::size_t axis>
    NPUZZLE_ALWAYS_INLINE constexpr Evaluation moved(const Evaluation& evaluation, const B& before,
                                                     SlideMove slide) const {
        const auto [from, to, move] = slide;
        const Evaluation& change = changes_[as_index(from)][as_index(move)][as_index(before.tile(to))];
        Evaluation result{{evaluation.lines[0] + change.lines[0], evaluation.lines[1] + change.lines[1]}};
        const auto gives_way = [place = line_of<1 - axis>(slide.to)](const Evaluation& lines, int line) {
            const std::uint64_t arrangement =
                lines.lines[axis] >> (line_bits * line) & ((std::uint64_t{1} << line_bits) - 1);
            return table.gives_way(static_cast<int>(arrangement), place);
        };
        const int way = gives_way(result, line_of<axis>(from)) - gives_way(evaluation, line_of<axis>(to));
        result.lines[0] += static_cast<std::uint64_t>(way) << (value_from + 1);
        return result;
    }

    BoundManhattan<B> manhattan_;
    /// By axis and tile: the line where it belongs.
    std::array<std::array<std::int8_t, N * N>, 2> home_{};
    /// By the blank's cell, its move, and the tile.
    std::array<std::array<std::array<Evaluation, std::size_t{1} << B::bits>, 4>, fits ? N * N : 0> changes_{};
};

/// Linear conflict to the blank-last goal. Computed once, at compile time.
template <int N>
inline constexpr BoundLinearConflict<PackedBoard<N>> linear_conflict_to_blank_last{PackedBoard<N>{}};

} // namespace detail

/// Manhattan distance, plus two moves for each tile that must leave its line to let others pass (O. Hansson,
/// A. Mayer, M. Yung, "Criticizing solutions to relaxed models yields powerful admissible heuristics", 1992).
///
/// In each row and column, only the tiles that belong there count, and the least number of them leaves: so
/// the heuristic is admissible and consistent. A whole board takes O(n^2 log n), a move O(n log n) at most
/// and O(1) mostly. On packed boards the lines are looked up in tables.
///
/// In a search it uses the goal of the puzzle; called with a board, the blank-last goal.
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
