#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/heuristics/hamming.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/twin_search.hpp"
#include "npuzzle/search/astar.hpp"

#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace npuzzle {

/// The heuristics that a `Solver` knows by name.
enum class SolverHeuristic : std::uint8_t { hamming, manhattan, linear_conflict };

/// How a `Solver` proves that a board is unsolvable.
enum class UnsolvableProof : std::uint8_t {
    parity,      ///< by counting, at once
    twin_search, ///< by searching from the board and from its twin until one of them is solved
};

/// What a `Solver` may be told.
struct SolverOptions {
    SolverHeuristic heuristic = SolverHeuristic::linear_conflict;
    UnsolvableProof proof = UnsolvableProof::parity;
    /// The board to reach; the blank-last one if there is none given.
    // Before the limits: g++ 12 destroys them twice if, in `{.goal = board}`, the copy of the board throws after them.
    std::optional<Board> goal = std::nullopt;
    Limits limits = {};
    /// Whether an unsolvable board makes the constructor throw `std::invalid_argument`.
    bool throws_if_unsolvable = false;
};

namespace detail {

/// One of the named heuristics, chosen at run time, so that a solver is compiled once for all of them.
class NamedHeuristic {
    template <class B>
    class Bound {
        using Variant = std::variant<BoundHamming<B>, BoundManhattan<B>, BoundLinearConflict<B>>;

    public:
        using Value = typename GoalCells<B>::Value;

        static constexpr bool is_consistent = true;

        Bound(SolverHeuristic name, const B& goal) : chosen_(choose(name, goal)) {}

        Value operator()(const B& board) const {
            return std::visit([&](const auto& heuristic) { return heuristic(board); }, chosen_);
        }

        Value after(Value value, const B& before, Move move, const B& after) const {
            return std::visit(
                [&](const auto& heuristic) { return heuristic.after(value, before, move, after); }, chosen_);
        }

    private:
        static Variant choose(SolverHeuristic name, const B& goal) {
            switch (name) {
            case SolverHeuristic::hamming:
                return BoundHamming<B>(goal);
            case SolverHeuristic::manhattan:
                return BoundManhattan<B>(goal);
            case SolverHeuristic::linear_conflict:
                break;
            }
            return BoundLinearConflict<B>(goal);
        }

        Variant chosen_;
    };

public:
    explicit NamedHeuristic(SolverHeuristic name) : name_(name) {}

    template <int N>
    auto bind(const SlidingPuzzle<N>& puzzle) const {
        return Bound<typename SlidingPuzzle<N>::State>(name_, puzzle.goal());
    }

private:
    SolverHeuristic name_;
};

} // namespace detail

/// Solves a board in the fewest moves, in its constructor, and answers questions afterwards: the same answers however
/// often and in whatever order they are asked. A solver never changes, other than by being assigned to.
///
/// The search is A*, on packed boards for n <= 5 and on `Board`s beyond. Boards of n = 4 take from milliseconds to
/// minutes, and up to some gigabytes of memory; random boards of n = 5 and more are beyond A* with these heuristics, so
/// give limits.
class Solver {
public:
    /// Solves `board`. Lack of memory is a status.
    /// \throws std::invalid_argument if a goal of another size is given, or if the board is unsolvable and
    ///         `options.throws_if_unsolvable`.
    explicit Solver(const Board& board, const SolverOptions& options = {}) {
        solve(board, detail::NamedHeuristic(options.heuristic), options);
    }

    /// Solves `board` with a heuristic of one's own, in place of `options.heuristic`: any callable that takes a `Board`,
    /// or a `PackedBoard<N>` if it is to be fast. It must be admissible, to the goal given.
    /// \throws what the heuristic throws, and std::invalid_argument as above, or if the heuristic does not take boards
    ///         of this size.
    template <class H>
        requires(HeuristicFor<H, SlidingPuzzle<>> || HeuristicFor<H, SlidingPuzzle<2>> ||
                 HeuristicFor<H, SlidingPuzzle<3>> || HeuristicFor<H, SlidingPuzzle<4>> ||
                 HeuristicFor<H, SlidingPuzzle<5>>)
    Solver(const Board& board, H&& heuristic, const SolverOptions& options = {}) {
        solve(board, heuristic, options);
    }

    /// Whether the goal can be reached. Known by parity even if a limit ended the search.
    bool is_solvable() const { return is_solvable_; }

    /// The least number of moves to the goal; -1 if the board is unsolvable or a limit ended the search.
    int moves() const { return solution_ ? static_cast<int>(solution_->size()) - 1 : -1; }

    /// The boards from the initial one to the goal, each one move from the last; none if the board is unsolvable or a
    /// limit ended the search.
    const std::optional<std::vector<Board>>& solution() const { return solution_; }

    /// `solved`, `unsolvable`, or the limit that ended the search.
    Status status() const { return status_; }

    /// What the search did; all zero where parity made a search needless.
    const Statistics& statistics() const { return statistics_; }

private:
    template <class H>
    void solve(const Board& board, H&& heuristic, const SolverOptions& options) {
        if (options.goal && options.goal->size() != board.size()) {
            throw std::invalid_argument("the board has size " + std::to_string(board.size()) +
                                        ", its goal has size " + std::to_string(options.goal->size()));
        }
        if (!takes_size<std::remove_reference_t<H>>(board.size())) {
            throw std::invalid_argument("the heuristic does not take boards of size " +
                                        std::to_string(board.size()));
        }
        is_solvable_ = options.goal ? npuzzle::is_solvable(board, *options.goal) : board.is_solvable();
        if (!is_solvable_ && options.proof == UnsolvableProof::parity) {
            status_ = Status::unsolvable;
        } else {
            search_by_size(board, heuristic, options);
        }
        if (status_ == Status::unsolvable) {
            is_solvable_ = false;
            if (options.throws_if_unsolvable) {
                throw std::invalid_argument("the board is unsolvable");
            }
        }
    }

    template <class H>
    static constexpr bool takes_size(int n) {
        return HeuristicFor<H, SlidingPuzzle<>> || (n == 2 && HeuristicFor<H, SlidingPuzzle<2>>) ||
               (n == 3 && HeuristicFor<H, SlidingPuzzle<3>>) ||
               (n == 4 && HeuristicFor<H, SlidingPuzzle<4>>) || (n == 5 && HeuristicFor<H, SlidingPuzzle<5>>);
    }

    template <class H>
    void search_by_size(const Board& board, H& heuristic, const SolverOptions& options) {
        switch (board.size()) {
        case 2:
            return search_packed<2>(board, heuristic, options);
        case 3:
            return search_packed<3>(board, heuristic, options);
        case 4:
            return search_packed<4>(board, heuristic, options);
        case 5:
            return search_packed<5>(board, heuristic, options);
        default:
            return search_unpacked(board, heuristic, options);
        }
    }

    template <int N, class H>
    void search_packed(const Board& board, H& heuristic, const SolverOptions& options) {
        if constexpr (HeuristicFor<H, SlidingPuzzle<N>>) {
            const auto puzzle = options.goal ? SlidingPuzzle<N>(*options.goal) : SlidingPuzzle<N>();
            search(puzzle, PackedBoard<N>(board), heuristic, options);
        } else {
            search_unpacked(board, heuristic, options);
        }
    }

    template <class H>
    void search_unpacked(const Board& board, H& heuristic, const SolverOptions& options) {
        if constexpr (HeuristicFor<H, SlidingPuzzle<>>) {
            const auto puzzle = options.goal ? SlidingPuzzle(*options.goal) : SlidingPuzzle(board.size());
            search(puzzle, board, heuristic, options);
        }
    }

    template <class P, class H>
    void search(const P& puzzle, const state_t<P>& start, H& heuristic, const SolverOptions& options) {
        const auto result = options.proof == UnsolvableProof::twin_search
                                ? twin_search(puzzle, start, heuristic, options.limits)
                                : astar(puzzle, start, heuristic, options.limits);
        status_ = result.status;
        statistics_ = result.statistics;
        if (result) {
            try {
                solution_.emplace();
                solution_->reserve(result.path.size());
                for (const auto& board : result.path) {
                    solution_->push_back(Board(board));
                }
            } catch (const std::bad_alloc&) {
                solution_.reset();
                status_ = Status::memory_limit;
            }
        }
    }

    std::optional<std::vector<Board>> solution_;
    Statistics statistics_;
    Status status_ = Status::running;
    bool is_solvable_ = false;
};

} // namespace npuzzle
