#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/solver_run.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/quick_solution.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/result.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace npuzzle {

/// The options of `solver_best_effort`.
struct BestEffortOptions {
    /// The time of the first search for a shortest solution. Boards that it solves take no longer than
    /// without best effort.
    TimeLimit first_search = std::chrono::milliseconds{250};
    /// For `quick_solution`. Its expansions do not count among those of the solver.
    Limits quick = QuickSolutionOptions{}.limits;
};

namespace detail {

/// What `SolverOptions::best_effort` does: see `solver_best_effort`.
inline void solve_best_effort(const BestEffortOptions& best_effort, const Board& board,
                              const SolverOptions& options, SolverRun& run,
                              const std::function<void(const SolverOptions&)>& search) {
    const Board goal = options.goal ? *options.goal : goal_blank_last(board.size());
    const SharedLimits limits(options.limits);
    const auto tell_progress = [&](SolverProgress progress) {
        const std::int64_t upper = std::ssize(*run.best_moves);
        run.lower = (std::min)(upper, (std::max)(run.lower, std::int64_t{progress.bound}));
        if (!options.progress) return;
        progress.bound = saturating_cast<int>(run.lower);
        progress.upper = upper;
        progress.statistics.seconds = limits.seconds();
        options.progress(progress);
    };
    const auto keep_if_shorter = [&](const std::vector<Move>& moves) {
        if (run.best_moves && moves.size() >= run.best_moves->size()) return;
        run.best_moves = moves;
        tell_progress({.statistics = run.statistics});
    };
    const auto is_proved = [&] {
        return !run.moves.empty() || run.status == SearchStatus::cost_limit ||
               std::cmp_equal(run.best_moves->size(), run.lower);
    };
    const auto search_within = [&](std::chrono::nanoseconds time) {
        SolverOptions told = options;
        told.best_effort = nullptr;
        told.progress = tell_progress;
        told.limits = limits.left(run.statistics.expanded);
        told.limits.time = std::min<std::chrono::nanoseconds>(told.limits.time, time);
        search(told);
    };
    const auto at_most = [&](std::chrono::nanoseconds time, int share) {
        return (std::min)(time, options.limits.time / share);
    };

    run.lower = LinearConflict{}.bind(SlidingPuzzle<>(goal))(board);
    keep_if_shorter(quick_solution(board, goal, {.limits = {.time = {}}}));
    // The same search as without best effort, and so the same answer if it finds one.
    search_within(at_most(best_effort.first_search, 4));
    if (!is_proved() && run.status != SearchStatus::cancelled) {
        QuickSolutionOptions quick{best_effort.quick, keep_if_shorter, run.lower};
        // Searches solve boards of size 4 in seconds.
        quick.limits.time = at_most(board.size() <= 4 ? best_effort.first_search : best_effort.quick.time, 2);
        quick.limits.bytes = (std::min)(quick.limits.bytes, options.limits.bytes);
        quick.limits.stop = options.limits.stop;
        (void)quick_solution(board, goal, quick);
        // All solutions have the same parity.
        run.max_moves = saturating_cast<int>(std::ssize(*run.best_moves) - 2);
        if (!is_proved()) search_within(options.limits.time);
    }
    run.statistics.seconds = limits.seconds();
    if (!is_proved()) return;
    if (run.moves.empty()) {
        run.record(SearchStatus::solved, {}, board, *run.best_moves);
    } else {
        run.best_moves = run.moves;
    }
    run.lower = std::ssize(*run.best_moves);
}

} // namespace detail

/// For `SolverOptions::best_effort`: `Solver(board, {.best_effort = npuzzle::solver_best_effort(), .limits =
/// limits})`. The solver keeps the best solution that it finds within the limits, and what is proved of its
/// length.
///
/// A constructive solution is known at once. Then comes a first search. If it does not solve the board, beams
/// look for shorter solutions (`quick_solution`). A last search looks for solutions shorter than the best: if
/// there is none, the best is proved to be a shortest one. Whenever a limit ends this, `Solver::best_moves`,
/// `upper` and `lower` hold what is known. Does nothing for unsolvable boards.
/// \throws std::bad_alloc
[[nodiscard]] inline SolverBestEffort solver_best_effort(BestEffortOptions options = {}) {
    return std::bind_front(detail::solve_best_effort, std::move(options));
}

} // namespace npuzzle
