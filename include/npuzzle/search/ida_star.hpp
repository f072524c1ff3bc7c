#pragma once

#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/enhanced_ida_star.hpp"
#include "npuzzle/search/kernel/ida_star_engine.hpp"

#include <concepts>
#include <utility>

/// \file
/// Iterative-deepening A*.

namespace npuzzle {

/// Finds a cheapest path by iterative-deepening A* (R. E. Korf, "Depth-first iterative-deepening: an optimal
/// admissible tree search", Artificial Intelligence 27, 1985): depth-first searches under a bound on f, first
/// that of the start, then each time the least f that went over the last one. Needs memory for the path
/// alone, and visits a state once for each path to it, so it suits spaces with few cycles and integer costs.
///
/// Optimal if the heuristic is admissible. Never ends by itself if no goal can be reached and the states are
/// in a cycle: ask first, or give limits. Moves are tried in the order of `for_each_move`, the one that goes
/// straight back is left out. `statistics.generated` counts each move made, in all iterations; published
/// counts add one for the root.
///
/// A state that is dear to copy is changed by each move and changed back by its inverse; no memory is taken
/// for a node then. A heuristic that `declares_zero_at_goals` saves the question `is_goal` for most states.
///
/// \return as from `astar`; nothing is stored. A path of more than 2,000 moves ends in
///         `Status::memory_limit`.
template <MoveProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
search_result_t<P> ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                            limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<IdaStar<P, H, O>>(problem, start, std::forward<H>(heuristic), limits,
                                                std::forward<O>(observer));
}

/// `ida_star` with options: `ida_star(problem, start, heuristic, IdaStarOptions{.table_bytes = 1 << 28})`.
/// Optimal as without; where costs are real numbers and there is a table, up to the rounding of sums. With a
/// table the states have to be hashed, and are copied for each move.
///
/// \return as from `ida_star`. `stored` and `bytes` are those of the table; `duplicates` counts the moves
/// that it cut off. If the table does not fit in `limits.bytes`, the search ends with `Status::memory_limit`.
/// An observer may be told of more than one goal, each cheaper than the one before.
template <MoveProblem P, class H, std::same_as<IdaStarOptions> Options, class O = SilentObserver>
    requires HeuristicFor<H, P> && HasHash<P>
search_result_t<P> ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                            Options options, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<EnhancedIdaStar<P, H, O>>(problem, start, std::forward<H>(heuristic), options,
                                                        limits, std::forward<O>(observer));
}

/// `ida_star` for states that are so large that nobody wants the path in copies of them: `path` is empty,
/// `moves` and `cost` are there. The start is moved from; besides it there is one more state, if the
/// heuristic follows moves.
template <MoveProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
search_result_t<P> ida_star_moves(const P& problem, detail::named_state_t<P> start, H&& heuristic,
                                  limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::guarded_search([&] {
        IdaStar<P, H, O> engine(problem, std::move(start), std::forward<H>(heuristic), limits,
                                std::forward<O>(observer));
        engine.run();
        return engine.result_without_path();
    });
}

} // namespace npuzzle
