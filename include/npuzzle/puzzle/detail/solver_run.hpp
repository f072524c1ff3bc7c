#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/ida_star.hpp"

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// \file
/// What the searches of a `Solver` share.

namespace npuzzle::detail {

/// A puzzle that `ida_star` does not write out for each place of the blank: compiled in a fifth of the time.
/// With pattern databases, which wait for memory, that costs a tenth of the speed.
template <int N>
class RolledPuzzle : public SlidingPuzzle<N> {
public:
    explicit RolledPuzzle(const SlidingPuzzle<N>& puzzle) : SlidingPuzzle<N>(puzzle) {}

    void with_place() const = delete;
};

/// Limits that several pieces of work, one after another, keep together.
class SharedLimits {
public:
    using Clock = std::chrono::steady_clock;

    explicit SharedLimits(const Limits& limits) : limits_(limits) {}

    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

    bool is_time_over() const {
        return limits_.time != (std::chrono::nanoseconds::max)() && Clock::now() - started_ >= limits_.time;
    }

    bool is_stopped() const { return limits_.stop.stop_requested(); }

    /// What is left after searches that expanded so many states.
    Limits left(std::uint64_t expanded) const {
        Statistics used;
        used.expanded = expanded;
        used.seconds = seconds();
        return remaining(limits_, used);
    }

private:
    Limits limits_;
    Clock::time_point started_ = Clock::now();
};

/// Tells `SolverOptions::progress`.
class SolverObserver : public SilentObserver {
public:
    static constexpr bool sees_nodes = false;

    SolverObserver(SolverAlgorithm algorithm, const SolverOptions& options)
        : algorithm_(algorithm), progress_(&options.progress) {}

    using SilentObserver::progress;

    template <class Bound>
    void progress(const Statistics& statistics, const Bound& bound) {
        if (*progress_) {
            const int now = saturating_cast<int>(bound);
            bound_ = bound_ < now ? now : bound_;
            Statistics all = before_;
            all.merge_sequential(statistics);
            (*progress_)({algorithm_, bound_, all, bytes_ + statistics.bytes});
        }
    }

    /// The next search, after some that have done so much.
    void begin(SolverAlgorithm algorithm, const Statistics& done) {
        algorithm_ = algorithm;
        before_ = done;
    }

    /// Tables of so many bytes are there from now on.
    void hold(std::uint64_t bytes) { bytes_ += bytes; }

private:
    SolverAlgorithm algorithm_;
    int bound_ = 0;     ///< the greatest of all searches
    Statistics before_; ///< of those that are over
    std::uint64_t bytes_ = 0;
    const std::function<void(const SolverProgress&)>* progress_;
};

/// What the searches of a `Solver` came to, all together.
struct SolverRun {
    std::optional<std::vector<Board>> solution;
    Statistics statistics;
    SearchStatus status = SearchStatus::running;
    /// The moves of the best solution that is known, under best effort.
    std::optional<std::vector<Move>> known;
    std::int64_t lower = 0; ///< every solution has as many moves, or more
    /// The most moves of a solution that is looked for.
    std::int64_t max_moves = (std::numeric_limits<std::int64_t>::max)();
    SolverAlgorithm algorithm = SolverAlgorithm::automatic;
    std::string heuristic_name = "none";

    /// The limits of a search, with `max_moves`.
    template <class P>
    limits_t<P> bounded(limits_t<P> limits) const {
        if (max_moves <
            (limits.max_cost ? std::int64_t{*limits.max_cost} : (std::numeric_limits<int>::max)())) {
            limits.max_cost = static_cast<cost_t<P>>(max_moves);
        }
        return limits;
    }

    /// Takes what the next search came to.
    /// \param to_board makes the board of a state
    template <class Result, class ToBoard>
    void keep(const Result& result, const ToBoard& to_board) {
        keep(result.status, result.statistics, result.path.size(),
             [&](std::size_t i) { return to_board(result.path[i]); });
    }

    template <class Result>
    void keep(const Result& result) {
        keep(result, [](const auto& board) { return Board(board); });
    }

    /// Runs IDA* from a board, and takes what it came to: its moves, from which the boards are made.
    template <class P, class H>
    void deepen(const P& puzzle, const Board& start, H&& heuristic, const limits_t<P>& limits,
                SolverObserver& observer) {
        const auto result = ida_star_moves(puzzle, state_t<P>(start), std::forward<H>(heuristic),
                                           bounded<P>(limits), observer);
        keep(result.status, result.statistics, result.moves, start);
    }

private:
    // Both are compiled once for all searches.

    NPUZZLE_COLD void keep(SearchStatus ended, const Statistics& more, const std::vector<Move>& moves,
                           const Board& start) {
        Board board = start;
        const SlidingPuzzle<> puzzle(start);
        keep(ended, more, moves.size() + 1, [&](std::size_t i) {
            if (i > 0) puzzle.apply(board, moves[i - 1]);
            return board;
        });
    }

    NPUZZLE_COLD void keep(SearchStatus ended, const Statistics& more, std::size_t boards,
                           const std::function<Board(std::size_t)>& board) {
        status = ended;
        statistics.merge_sequential(more);
        if (status == SearchStatus::solved) {
            try {
                solution.emplace();
                solution->reserve(boards);
                for (std::size_t i = 0; i < boards; ++i) solution->push_back(board(i));
            } catch (const std::bad_alloc&) {
                solution.reset();
                status = SearchStatus::memory_limit;
            }
        }
    }
};

} // namespace npuzzle::detail
