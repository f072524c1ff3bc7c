#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/solvability.hpp"
#include "npuzzle/search/node_table/packed.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// The N of a `SlidingPuzzle` whose size is not known before run time.
inline constexpr int dynamic_size = 0;

/// A move of the blank between two cells. Functions that take it are always inlined, so cells that are
/// constants are known at compile time. A type for each move would take longer to compile.
struct SlideMove {
    int from;
    int to;
    Move move;

    constexpr operator Move() const { return move; } // NOLINT(google-explicit-constructor)
};

namespace detail {

/// The cells of a move that the blank can make on `board`.
template <int N>
NPUZZLE_ALWAYS_INLINE constexpr SlideMove slide_of(const PackedBoard<N>& board, Move move) {
    const int from = board.blank_cell();
    return {from, NeighborTable<N>::target[as_index(from)][as_index(move)], move};
}

template <int N>
NPUZZLE_ALWAYS_INLINE constexpr SlideMove slide_of(const PackedBoard<N>&, SlideMove move) {
    return move;
}

} // namespace detail

/// The blank's cell in a board of size N and the move that took it there, known at compile time.
template <int N, int Cell, Move last>
struct BlankPlace {
    /// The number of moves that do not undo the last one.
    static constexpr int moves =
        std::popcount(unsigned{detail::NeighborTable<N>::moves[detail::as_index(Cell)]}) - 1;
};

/// The sliding-tile puzzle as a problem for the searches of `search/`.
///
/// `SlidingPuzzle<N>{}`, for N from 2 to 5: the states are `PackedBoard<N>`s, and searches run at full speed.
/// `SlidingPuzzle{n}`, for any n: the states are `Board`s. The goal is the blank-last one or any given board,
/// as in `SlidingPuzzle{goal_spiral(6)}`; heuristics use it.
///
/// Optional capabilities: `MoveProblem`, `UndirectedProblem`, `is_bipartite` and `TwinProblem`; for fixed N
/// also `PackedProblem` and `UnrolledProblem`; for N = 2 and 3 also `NumberedProblem`. Every step costs 1.
template <int N = dynamic_size>
class SlidingPuzzle {
    static constexpr bool is_packed = N != dynamic_size;

    template <int M>
    struct PackedOf {
        using type = PackedBoard<M>;
    };

public:
    /// `PackedBoard<N>`, or `Board` if the size is not known before run time.
    using State = typename std::conditional_t<is_packed, PackedOf<N>, std::type_identity<Board>>::type;
    using Move = npuzzle::Move;

    static constexpr Move no_move = Move::none;
    static constexpr unsigned move_count = 4;
    /// For fixed N greater than the length of any shortest path: 208 on the 24-puzzle.
    static constexpr int longest_path = 1000;
    static constexpr bool is_undirected = true;
    static constexpr bool is_bipartite = true;

    /// The N x N puzzle with the blank-last goal.
    constexpr SlidingPuzzle()
        requires is_packed
    = default;

    /// The n x n puzzle with the blank-last goal. O(n^2).
    /// \throws std::invalid_argument if n is not from 2 to 32767
    explicit SlidingPuzzle(int n)
        requires(!is_packed)
        : goal_(goal_blank_last(n)) {}

    explicit constexpr SlidingPuzzle(State goal) : goal_(std::move(goal)) {}

    /// \throws std::invalid_argument if the size of `goal` is not N
    explicit SlidingPuzzle(const Board& goal)
        requires is_packed
        : goal_(goal) {}

    /// The goal.
    [[nodiscard]] constexpr const State& goal() const noexcept { return goal_; }
    /// Whether `board` is the goal.
    [[nodiscard]] constexpr bool is_goal(const State& board) const noexcept { return board == goal_; }

    /// Whether a board has the goal's size.
    [[nodiscard]] bool contains(const Board& board) const noexcept
        requires(!is_packed)
    {
        return board.size() == goal_.size();
    }

    /// The same puzzle with another goal, which must have the same size.
    [[nodiscard]] constexpr SlidingPuzzle with_goal(State goal) const {
        return SlidingPuzzle(std::move(goal));
    }

    /// The boards that are one move away, in the order up, left, right, down of the blank's moves.
    [[nodiscard]] auto neighbors(const State& board) const { return board.neighbors(); }

    /// The board with two tiles exchanged. Exactly one of the two boards can reach the goal.
    [[nodiscard]] constexpr State twin(const State& board) const { return board.twin(); }

    /// Whether the goal can be reached from `board`. Decided by parity. O(n^2).
    /// \throws std::invalid_argument if the board does not have the goal's size
    [[nodiscard]] constexpr bool is_solvable(const State& board) const {
        return npuzzle::is_solvable(board, goal_);
    }

    /// Calls `visit(move)` for each move that the blank can make on `board`, except the one that undoes
    /// `last`, in the order up, left, right, down.
    template <class F>
    constexpr void for_each_move(const State& board, Move last, F&& visit) const {
        const Move back = inverse(last);
        if constexpr (is_packed) {
            unsigned moves = detail::NeighborTable<N>::moves[detail::as_index(board.blank_cell())];
            moves &= ~(1U << static_cast<unsigned>(back));
            for (; moves != 0; moves &= moves - 1) visit(static_cast<Move>(std::countr_zero(moves)));
        } else {
            detail::for_each_slide(board.size(), static_cast<int>(board.blank_cell()), [&](Move move, int) {
                if (move != back) visit(move);
            });
        }
    }

    /// Makes a move in place. Requires that the blank can make it. O(1).
    constexpr void apply(State& board, Move move) const {
        if constexpr (is_packed) {
            apply(board, detail::slide_of(board, move));
        } else {
            const std::int64_t n = board.size();
            const std::int64_t steps[4] = {-n, -1, 1, n};
            board.slide(board.blank_cell() + steps[detail::as_index(move)]);
        }
    }

    /// Makes a move whose cells are known at compile time.
    NPUZZLE_ALWAYS_INLINE constexpr void apply(State& board, SlideMove move) const {
        board.slide(move.to, move.from);
    }

    /// Calls `visit(place)` for the blank's cell, and the move `last` that took it there.
    template <class F>
        requires is_packed
    constexpr void with_place(const State& board, Move last, F&& visit) const {
        const int place = last == Move::none ? -1 : 4 * board.blank_cell() + static_cast<int>(last);
        [&]<int... Places>(std::integer_sequence<int, Places...>) {
            ((place == Places ? at_place<Places / 4, static_cast<Move>(Places % 4)>(visit) : void()), ...);
        }(std::make_integer_sequence<int, 4 * N * N>{});
    }

    /// Calls `visit(next_place, move)` for the moves from a place, in the order up, left, right, down, until
    /// one call returns true. Leaves out the move that undoes `last`.
    template <int Cell, Move last, class F>
    constexpr bool any_move(BlankPlace<N, Cell, last>, F&& visit) const {
        return slide<Cell, last, Move::up>(visit) || slide<Cell, last, Move::left>(visit) ||
               slide<Cell, last, Move::right>(visit) || slide<Cell, last, Move::down>(visit);
    }

    /// The move that undoes `move`.
    [[nodiscard]] static constexpr Move inverse(Move move) noexcept { return npuzzle::inverse(move); }

    /// Packed words leave out the last cell, which the others determine.
    static constexpr unsigned word_bits =
        is_packed ? (N <= 4 ? 4U : 5U) * static_cast<unsigned>(N * N - 1) : 0U;

    /// The board as a word of `word_bits` bits: its own word without the last cell. O(1).
    [[nodiscard]] constexpr auto pack(const State& board) const
        requires is_packed
    {
        using Word = typename State::Word;
        return static_cast<Word>(board.word() & ((Word{1} << word_bits) - 1));
    }

    /// The board of a word that `pack` returned. O(log N).
    template <class Word>
        requires is_packed
    [[nodiscard]] constexpr State unpack(Word word) const {
        // The exclusive or of all cells equals the one of all tiles.
        constexpr Word all_tiles = [] {
            Word tiles = 0;
            for (unsigned tile = 0; tile < N * N; ++tile) tiles ^= tile;
            return tiles;
        }();
        Word folded = word;
        for (unsigned fields = std::bit_ceil(static_cast<unsigned>(N * N)) / 2; fields > 0; fields /= 2) {
            folded ^= folded >> (State::bits * fields);
        }
        const Word last = (folded ^ all_tiles) & ((Word{1} << State::bits) - 1);
        return State::from_word(word | last << word_bits);
    }

    /// The rank of a board among all arrangements of its tiles in lexicographic order (D. H. Lehmer 1960).
    [[nodiscard]] constexpr std::size_t index(const State& board) const noexcept
        requires(is_packed && N <= 3)
    {
        std::size_t rank = 0;
        std::uint64_t smaller = tiles_in_order; // for each tile, how many smaller ones have not come yet
        for (int cell = 0; cell < N * N; ++cell) {
            const int shift = State::bits * board.tile(cell);
            rank = rank * static_cast<std::size_t>(N * N - cell) +
                   static_cast<std::size_t>(smaller >> shift & cell_mask);
            smaller -= ones << State::bits << shift; // no field borrows from another
        }
        return rank;
    }

    /// The board of a number: see `index`.
    [[nodiscard]] constexpr State state_at(std::size_t number) const noexcept
        requires(is_packed && N <= 3)
    {
        using Word = typename State::Word;
        std::array<unsigned, N * N> smaller{};
        for (std::size_t cell = N * N; cell-- > 0;) {
            smaller[cell] = static_cast<unsigned>(number % (N * N - cell));
            number /= N * N - cell;
        }
        Word left = tiles_in_order; // those that have not come yet
        Word word = 0;
        for (unsigned cell = 0; cell < N * N; ++cell) {
            const unsigned shift = State::bits * smaller[cell];
            word |= (left >> shift & cell_mask) << (State::bits * cell);
            const Word below = (Word{1} << shift) - 1;
            left = (left & below) | (left >> State::bits & ~below);
        }
        return State::from_word(word);
    }

    /// The number of arrangements: (N * N)!.
    [[nodiscard]] static constexpr std::size_t size() noexcept
        requires(is_packed && N <= 3)
    {
        return N == 2 ? 24 : 362'880;
    }

private:
    /// The field of a cell in a board's word.
    static constexpr std::uint64_t cell_mask = 15;
    /// One in each field, and each tile in the field of its number.
    static constexpr std::uint64_t ones = 0x111111111;
    static constexpr std::uint64_t tiles_in_order = 0x876543210;

    /// The cell that a move of the blank leads to; negative if there is none.
    static constexpr int target(int cell, Move move) {
        return detail::NeighborTable<N>::target[detail::as_index(cell)][detail::as_index(move)];
    }

    template <int Cell, Move last, class F>
    static constexpr void at_place(F& visit) {
        if constexpr (target(Cell, npuzzle::inverse(last)) >= 0) visit(BlankPlace<N, Cell, last>{});
    }

    template <int Cell, Move last, Move move, class F>
    static constexpr bool slide(F& visit) {
        constexpr int to = target(Cell, move);
        if constexpr (to >= 0 && move != npuzzle::inverse(last)) {
            return visit(BlankPlace<N, to, move>{}, SlideMove{Cell, to, move});
        } else {
            return false;
        }
    }

    State goal_{};
};

SlidingPuzzle(int) -> SlidingPuzzle<dynamic_size>;
SlidingPuzzle(Board) -> SlidingPuzzle<dynamic_size>;

template <int N>
SlidingPuzzle(PackedBoard<N>) -> SlidingPuzzle<N>;

/// A `SlidingPuzzle` that is no `UnrolledProblem`: `ida_star` compiles in a fifth of the time. With pattern
/// databases, which wait for memory, that costs a tenth of the speed.
template <int N>
class RolledPuzzle : public SlidingPuzzle<N> {
public:
    explicit RolledPuzzle(const SlidingPuzzle<N>& puzzle) : SlidingPuzzle<N>(puzzle) {}

    void with_place() const = delete;
};

} // namespace npuzzle
