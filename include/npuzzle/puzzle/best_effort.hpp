#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/solver_run.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/quick_solution.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/result.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <optional>
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

/// One board of a solver that makes its best effort.
class BestEffortRun {
public:
    BestEffortRun(const Board& board, const SolverOptions& options, SolverRun& run)
        : board_(board), goal_(options.goal ? *options.goal : goal_blank_last(board.size())),
          options_(options), told_(options), run_(run), limits_(options.limits) {
        told_.best_effort = nullptr;
        told_.progress = [this](const SolverProgress& progress) { tell(progress); };
    }

    void solve(const BestEffortOptions& times, const std::function<void(const SolverOptions&)>& search) {
        run_.lower = LinearConflict{}.bind(SlidingPuzzle<>(goal_))(board_);
        const auto part = [&](std::chrono::nanoseconds most, int of) {
            return (std::min)(most, options_.limits.time / of);
        };
        take(quick_solution(board_, goal_, {.limits = {.time = {}}}));
        // The same search as without best effort, and so the same answer if it finds one.
        search_within(search, part(times.first_search, 4));
        if (!is_proved() && run_.status != SearchStatus::cancelled) {
            QuickSolutionOptions quick{times.quick, [this](const std::vector<Move>& moves) { take(moves); },
                                       run_.lower};
            // Boards of size 4 are solved in seconds.
            quick.limits.time = part(board_.size() <= 4 ? times.first_search : times.quick.time, 2);
            quick.limits.bytes = (std::min)(quick.limits.bytes, options_.limits.bytes);
            quick.limits.stop = options_.limits.stop;
            (void)quick_solution(board_, goal_, quick);
            // The lengths of all solutions have one parity.
            run_.max_moves = std::ssize(*run_.known) - 2;
            if (!is_proved()) search_within(search, options_.limits.time);
        }
        finish_run();
    }

private:
    bool is_proved() const {
        return run_.status == SearchStatus::solved || run_.status == SearchStatus::cost_limit ||
               std::cmp_equal(run_.known->size(), run_.lower);
    }

    void take(const std::vector<Move>& moves) {
        if (!run_.known || moves.size() < run_.known->size()) {
            run_.known = moves;
            tell({SolverAlgorithm::automatic, 0, run_.statistics});
        }
    }

    void tell(const SolverProgress& progress) {
        const auto upper = static_cast<std::int64_t>(run_.known->size());
        run_.lower = (std::min)(upper, (std::max)(run_.lower, std::int64_t{progress.bound}));
        if (options_.progress) {
            SolverProgress all = progress;
            all.bound =
                static_cast<int>(std::min<std::int64_t>(run_.lower, (std::numeric_limits<int>::max)()));
            all.upper = upper;
            all.statistics.expanded += before_.expanded;
            all.statistics.seconds = limits_.seconds();
            options_.progress(all);
        }
    }

    /// Searches for no longer than `time`.
    void search_within(const std::function<void(const SolverOptions&)>& search,
                       std::chrono::nanoseconds time) {
        told_.limits = limits_.left(before_.expanded);
        told_.limits.time = std::min<std::chrono::nanoseconds>(told_.limits.time, time);
        run_.statistics = {};
        search(told_);
        run_.statistics = before_.merge_sequential(run_.statistics);
        run_.statistics.seconds = limits_.seconds();
        before_ = run_.statistics;
    }

    void finish_run() {
        run_.statistics.seconds = limits_.seconds();
        if (run_.status == SearchStatus::solved) {
            run_.known = run_.moves;
        } else if (is_proved()) {
            run_.keep(SearchStatus::solved, {}, board_, *run_.known);
        } else {
            return;
        }
        run_.lower = std::ssize(*run_.known);
    }

    const Board& board_;
    const Board goal_;
    const SolverOptions& options_;
    SolverOptions told_;
    SolverRun& run_;
    SharedLimits limits_;
    Statistics before_;
};

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
    return [options = std::move(options)](const Board& board, const SolverOptions& told,
                                          detail::SolverRun& run, const auto& search) {
        detail::BestEffortRun(board, told, run).solve(options, search);
    };
}

} // namespace npuzzle
