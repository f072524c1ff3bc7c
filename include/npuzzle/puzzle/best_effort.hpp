#pragma once

#include "npuzzle/puzzle/board.hpp"
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

/// \file
/// Best effort for `Solver`: the best solution that can be had within the limits, and what is proved of its
/// length.

namespace npuzzle {

/// What `solver_best_effort` may be told.
struct BestEffortOptions {
    /// How long a board is searched before a quick solution is looked for. Boards that are solved within this
    /// time take no longer than without best effort.
    TimeLimit first_search = std::chrono::milliseconds{250};
    /// For `quick_solution`. Its expansions do not count among those of the solver.
    Limits quick = QuickSolutionOptions{}.limits;
};

namespace detail {

/// What `SolverOptions::best_effort` does.
inline void make_best_effort(const BestEffortOptions& times, const Board& board, const SolverOptions& options,
                             SolverRun& run, const std::function<void(const SolverOptions&)>& search) {
    const Board goal = options.goal ? *options.goal : goal_blank_last(board.size());
    const SharedLimits limits(options.limits);
    Statistics before;
    const auto tell = [&](const SolverProgress& progress) {
        const std::int64_t upper = std::ssize(*run.known);
        run.lower = (std::min)(upper, (std::max)(run.lower, std::int64_t{progress.bound}));
        if (!options.progress) return;
        SolverProgress all = progress;
        all.bound = saturating_cast<int>(run.lower);
        all.upper = upper;
        all.statistics.expanded += before.expanded;
        all.statistics.seconds = limits.seconds();
        options.progress(all);
    };
    const auto take = [&](const std::vector<Move>& moves) {
        if (run.known && moves.size() >= run.known->size()) return;
        run.known = moves;
        tell({SolverAlgorithm::automatic, 0, run.statistics});
    };
    const auto is_proved = [&] {
        return run.status == SearchStatus::solved || run.status == SearchStatus::cost_limit ||
               std::cmp_equal(run.known->size(), run.lower);
    };
    const auto search_within = [&](std::chrono::nanoseconds time) {
        SolverOptions told = options;
        told.best_effort = nullptr;
        told.progress = tell;
        told.limits = limits.left(before.expanded);
        told.limits.time = std::min<std::chrono::nanoseconds>(told.limits.time, time);
        run.statistics = {};
        search(told);
        run.statistics = before.merge_sequential(run.statistics);
        run.statistics.seconds = limits.seconds();
        before = run.statistics;
    };
    const auto part = [&](std::chrono::nanoseconds most, int of) {
        return (std::min)(most, options.limits.time / of);
    };

    run.lower = LinearConflict{}.bind(SlidingPuzzle<>(goal))(board);
    take(quick_solution(board, goal, {.limits = {.time = {}}}));
    // The same search as without best effort, and so the same answer if it finds one.
    search_within(part(times.first_search, 4));
    if (!is_proved() && run.status != SearchStatus::cancelled) {
        QuickSolutionOptions quick{times.quick, take, run.lower};
        // Boards of size 4 are solved in seconds.
        quick.limits.time = part(board.size() <= 4 ? times.first_search : times.quick.time, 2);
        quick.limits.bytes = (std::min)(quick.limits.bytes, options.limits.bytes);
        quick.limits.stop = options.limits.stop;
        (void)quick_solution(board, goal, quick);
        // The lengths of all solutions have one parity.
        run.max_moves = std::ssize(*run.known) - 2;
        if (!is_proved()) search_within(options.limits.time);
    }
    run.statistics.seconds = limits.seconds();
    if (!is_proved()) return;
    if (run.status == SearchStatus::solved) {
        run.known = run.moves;
    } else {
        run.keep(SearchStatus::solved, {}, board, *run.known);
    }
    run.lower = std::ssize(*run.known);
}

} // namespace detail

/// For `SolverOptions::best_effort`: `Solver(board, {.best_effort = npuzzle::solver_best_effort(), .limits =
/// limits})`.
///
/// A constructive solution is known at once. A first search follows; if it does not solve the board, so do
/// beams (`quick_solution`), and then the search that the solver would make without this, for solutions
/// shorter than the best that is known: where there is none, that one is proved to be a shortest one.
/// Whenever a limit ends this, `Solver::best_moves`, `upper` and `lower` hold what is known. Does nothing for
/// unsolvable boards.
/// \throws std::bad_alloc
[[nodiscard]] inline SolverBestEffort solver_best_effort(BestEffortOptions options = {}) {
    return [times = std::move(options)](const Board& board, const SolverOptions& told, detail::SolverRun& run,
                                        const auto& search) {
        detail::make_best_effort(times, board, told, run, search);
    };
}

} // namespace npuzzle
