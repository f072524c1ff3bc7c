#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/table_source.hpp"
#include "npuzzle/puzzle/heuristics/hamming.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// The puzzles of sizes 2 to W as one problem, so that a search is compiled once for all of them. A board
/// lies in the upper left corner of one of size W, whose other tiles never move. At size W it is
/// `SlidingPuzzle<W>`.
template <int W>
class CornerPuzzle : public SlidingPuzzle<W> {
    static constexpr int width = W;

public:
    using State = PackedBoard<W>;

    NPUZZLE_COLD explicit CornerPuzzle(const Board& goal)
        : SlidingPuzzle<W>(placed(goal)), size_(goal.size()) {
        for (int cell = 0; cell < width * width; ++cell) {
            unsigned moves = NeighborTable<width>::moves[static_cast<std::size_t>(cell)];
            if (cell % width + 1 == size_) {
                moves &= ~(1U << static_cast<unsigned>(Move::right));
            }
            if (cell / width + 1 == size_) {
                moves &= ~(1U << static_cast<unsigned>(Move::down));
            }
            moves_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(moves);
        }
    }

    [[nodiscard]] int size() const { return size_; }

    void with_place() const = delete;

    std::vector<State> neighbors(const State& board) const {
        std::vector<State> result;
        for_each_move(board, Move::none, [&](Move move) {
            result.push_back(board);
            this->apply(result.back(), move);
        });
        return result;
    }

    /// As in `SlidingPuzzle`, within the corner.
    template <class F>
    void for_each_move(const State& board, Move last, F&& visit) const {
        unsigned moves = moves_[static_cast<std::size_t>(board.blank_cell())];
        moves &= ~(1U << static_cast<unsigned>(inverse(last)));
        for (; moves != 0; moves &= moves - 1) {
            visit(static_cast<Move>(std::countr_zero(moves)));
        }
    }

    State twin(const State& board) const { return placed(taken_out(board).twin()); }

    /// A board, in the corner.
    NPUZZLE_COLD static State placed(const Board& board) {
        const int n = board.size();
        std::array<int, std::size_t{width} * width> tiles{};
        int others = n * n;
        for (int cell = 0; cell < width * width; ++cell) {
            const int row = cell / width;
            const int column = cell % width;
            tiles[static_cast<std::size_t>(cell)] =
                row < n && column < n ? board.tile(row * n + column) : others++;
        }
        return State(tiles);
    }

    /// The board that is in the corner.
    NPUZZLE_COLD Board taken_out(const State& board) const {
        std::vector<std::int32_t> tiles;
        for (int row = 0; row < size_; ++row) {
            for (int column = 0; column < size_; ++column) {
                tiles.push_back(board.tile(row * width + column));
            }
        }
        return Board(std::move(tiles));
    }

private:
    int size_;
    std::array<std::uint8_t, std::size_t{width} * width> moves_{};
};

/// A named heuristic, chosen at run time, so that a search is compiled once for all of them. Linear conflict
/// is inlined into the search. Those with tables are called through a pointer, from scratch. Not declared
/// consistent, since pattern databases are not.
template <class B>
class NamedHeuristic {
public:
    using Value = typename GoalCells<B>::Value;

    static constexpr bool is_zero_at_goals = true;

    /// \param size of the boards, which is less than the goal's if they lie in a corner
    /// \param tables walking distance or pattern databases, for the names in which they occur
    NamedHeuristic(SolverHeuristic name, const B& goal, int size, TileHeuristic tables)
        : name_(name), linear_conflict_(goal), manhattan_(goal), hamming_(goal), size_(size),
          tables_(std::move(tables)) {}

    Value operator()(const B& board) const {
        return name_ == SolverHeuristic::linear_conflict ? linear_conflict_(board) : other(board);
    }

    Value after(Value value, const B& before, Move move, const B& after) const {
        return name_ == SolverHeuristic::linear_conflict ? linear_conflict_.after(value, before, move, after)
                                                         : other_after(value, before, move, after);
    }

private:
    NPUZZLE_NOINLINE Value other(const B& board) const {
        switch (name_) {
        case SolverHeuristic::hamming:
            return hamming_(board);
        case SolverHeuristic::manhattan:
            return manhattan_(board);
        case SolverHeuristic::linear_conflict_or_walking_distance: {
            const Value conflicts = linear_conflict_(board);
            const Value walking = from_tables(board);
            return conflicts < walking ? walking : conflicts;
        }
        default:
            return from_tables(board);
        }
    }

    NPUZZLE_NOINLINE Value other_after(Value value, const B& before, Move move, const B& after) const {
        switch (name_) {
        case SolverHeuristic::hamming:
            return hamming_.after(value, before, move, after);
        case SolverHeuristic::manhattan:
            return manhattan_.after(value, before, move, after);
        default:
            return other(after);
        }
    }

    int from_tables(const B& board) const {
        const int width = static_cast<int>(board.size());
        std::array<std::uint8_t, max_cells> tiles{};
        std::size_t cell = 0;
        for (int row = 0; row < size_; ++row) {
            for (int column = 0; column < size_; ++column) {
                tiles[cell++] = static_cast<std::uint8_t>(board.tile(row * width + column));
            }
        }
        return tables_(tiles.data());
    }

    /// Tables are for boards up to size 5.
    static constexpr std::size_t max_cells = 25;

    SolverHeuristic name_;
    BoundLinearConflict<B> linear_conflict_;
    BoundManhattan<B> manhattan_;
    BoundHamming<B> hamming_;
    int size_;
    TileHeuristic tables_;
};

/// The board whose tiles stand in `tiles`, row by row.
template <int N>
PackedBoard<N> packed(const std::uint8_t* tiles) {
    using Word = typename PackedBoard<N>::Word;
    Word word = 0;
    for (int cell = N * N; cell-- > 0;) {
        word = word << PackedBoard<N>::bits | static_cast<Word>(tiles[cell]);
    }
    return PackedBoard<N>::from_word(word);
}

[[noreturn]] inline void throw_without_uint128() {
    throw std::invalid_argument("heuristics with tables need an integer of 128 bits at size 5, which this "
                                "compiler does not have here");
}

template <int N>
TileHeuristic walking_distance_of_size(const Board& goal) {
    return [bound = BoundWalkingDistance<N>(PackedBoard<N>(goal))](const std::uint8_t* tiles) {
        return bound(packed<N>(tiles));
    };
}

/// Walking distance to a goal, where the name of a heuristic includes it; else nothing.
inline TileHeuristic walking_distance_named(SolverHeuristic name, const Board& goal) {
    if (name != SolverHeuristic::walking_distance &&
        name != SolverHeuristic::linear_conflict_or_walking_distance) {
        return {};
    }
    switch (goal.size()) {
    case 2:
        return walking_distance_of_size<2>(goal);
    case 3:
        return walking_distance_of_size<3>(goal);
    case 4:
        return walking_distance_of_size<4>(goal);
    default:
        if constexpr (has_uint128) {
            return walking_distance_of_size<5>(goal);
        } else {
            throw_without_uint128();
        }
    }
}

} // namespace npuzzle::detail
