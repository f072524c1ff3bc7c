#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/engine/work_monitor.hpp"
#include "npuzzle/search/ida_star.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// \file
/// What a `Solver`, its pattern databases and its best effort share.

namespace npuzzle::detail {

/// Limits on several pieces of work together, which are done one after another.
class SharedLimits {
public:
    explicit SharedLimits(const Limits& limits) : limits_(limits) {}

    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

    /// `cancelled`, `time_limit`, or `running` if neither a stop nor the time ends the work.
    SearchStatus status() const {
        return limits_.stop.stop_requested()             ? SearchStatus::cancelled
               : Clock::now() - started_ >= limits_.time ? SearchStatus::time_limit
                                                         : SearchStatus::running;
    }

    /// What is left after searches that expanded so many states.
    Limits left(std::uint64_t expanded) const {
        return remaining(limits_, {.expanded = expanded, .seconds = seconds()});
    }

private:
    using Clock = std::chrono::steady_clock;

    Limits limits_;
    Clock::time_point started_ = Clock::now();
};

/// Passes the progress of searches on to `SolverOptions::progress`.
struct SolverObserver : SilentObserver {
    static constexpr bool sees_nodes = false;
    using SilentObserver::progress;

    template <class Bound>
    void progress(const Statistics& statistics, const Bound& now) {
        if (!*callback) return;
        bound = (std::max)(bound, saturating_cast<int>(now));
        Statistics all = before;
        all.merge_sequential(statistics);
        (*callback)({algorithm, bound, all, bytes + statistics.bytes});
    }

    const std::function<void(const SolverProgress&)>* callback = nullptr;
    SolverAlgorithm algorithm = SolverAlgorithm::automatic;
    int bound = 0;           ///< the greatest of all searches
    Statistics before = {};  ///< of the searches that are over
    std::uint64_t bytes = 0; ///< of the pattern databases
};

/// The outcome of all searches of a `Solver` together.
struct SolverRun {
    std::optional<std::vector<Board>> solution;
    std::vector<Move> moves; ///< of the solution, even without memory for its boards
    Statistics statistics;
    SearchStatus status = SearchStatus::running;
    /// Under best effort, the moves of the best solution so far.
    std::optional<std::vector<Move>> best_moves;
    std::int64_t lower = 0;       ///< no solution has fewer moves
    std::optional<int> max_moves; ///< searches look for no longer solutions
    SolverAlgorithm algorithm = SolverAlgorithm::automatic;
    std::string heuristic_name = "none";

    /// Called before each search.
    /// \param bytes of the pattern databases that it uses
    NPUZZLE_COLD void begin(const SolverOptions& options, SolverAlgorithm its_algorithm,
                            std::string its_heuristic, std::uint64_t bytes = 0) {
        algorithm = its_algorithm;
        heuristic_name = std::move(its_heuristic);
        observer_ = {{}, &options.progress, algorithm, observer_.bound, statistics, bytes};
    }

    /// Runs A* from a board, which is `state` in the puzzle, and records its outcome.
    template <class P, class H>
    void run_astar(const P& puzzle, const state_t<P>& state, const Board& start, H&& heuristic,
                   const Limits& limits) {
        const auto result =
            astar(puzzle, state, std::forward<H>(heuristic), with_max_moves<P>(limits), observer_);
        record(result.status, result.statistics, start, result.moves);
    }

    /// Runs IDA* from a board, and records its outcome.
    template <class P, class H>
    void run_ida_star(const P& puzzle, const Board& start, H&& heuristic, const Limits& limits) {
        const auto result = ida_star(puzzle, state_t<P>(start), std::forward<H>(heuristic),
                                     with_max_moves<P>(limits), observer_);
        record(result.status, result.statistics, start, result.moves);
    }

    /// Records the outcome of a search from a board: the moves, too, if there is no memory for the boards.
    NPUZZLE_COLD void record(SearchStatus its_status, const Statistics& its_statistics, const Board& start,
                             const std::vector<Move>& its_moves) {
        status = its_status;
        statistics.merge_sequential(its_statistics);
        if (status != SearchStatus::solved) return;
        try {
            moves = its_moves;
            std::vector<Board> boards;
            boards.reserve(moves.size() + 1);
            boards.push_back(start);
            const SlidingPuzzle<> puzzle(start);
            for (const Move move : moves) puzzle.apply(boards.emplace_back(boards.back()), move);
            solution = std::move(boards);
        } catch (const std::bad_alloc&) {
            status = SearchStatus::memory_limit;
        }
    }

private:
    template <class P>
    limits_t<P> with_max_moves(const Limits& limits) const {
        limits_t<P> bounded = limits;
        bounded.max_cost = max_moves;
        return bounded;
    }

    SolverObserver observer_;
};

/// The pattern databases that a `Solver` could use.
struct TableSupply {
    std::string partition = {}; ///< its name or its drawing
    TableUse use = TableUse::automatic;
    bool are_there = false;
    bool can_be_saved = false; ///< there is a folder for them
    std::uint64_t bytes = 0;
    std::uint64_t bytes_to_build = 0; ///< the peak while they are built
};

/// IDA* with pattern databases in memory.
using TableSearch = std::function<void(const Limits&, SolverRun&)>;

/// Where a `Solver` finds pattern databases: an interface, so that a program without tables compiles none of
/// their code.
class TableSource {
public:
    virtual ~TableSource() = default;

    /// \throws std::invalid_argument if there is no such partition
    virtual TableSupply supply(const Board& goal) const = 0;

    /// Loads the tables, or builds them if they are missing; nothing if a stop or the time ends that.
    /// \throws std::bad_alloc; TableFileError also if tables are missing that are not to be built
    virtual TableSearch load(const Board& board, const Board& goal, const SharedLimits& limits) const = 0;
};

} // namespace npuzzle::detail
