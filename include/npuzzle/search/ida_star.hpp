#pragma once

#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/ida_star_engine.hpp"
#include "npuzzle/search/kernel/steps_as_moves.hpp"

#include <concepts>
#include <utility>

namespace npuzzle {

namespace detail {

/// Runs an engine of IDA*, for a problem without moves on its steps.
template <template <class P, class H, class O> class Engine, Problem P, class H, class O, class... Options>
search_result_t<P> run_ida_star(const P& problem, const state_t<P>& start, H&& heuristic,
                                const limits_t<P>& limits, O&& observer, const Options&... options) {
    if constexpr (has_moves<P>) {
        return run_engine<Engine<P, H, O>>(problem, start, std::forward<H>(heuristic), options..., limits,
                                           std::forward<O>(observer));
    } else {
        return guarded_search([&] {
            const StepsAsMoves<P> steps(problem);
            return with_bound(heuristic, problem, [&]<class B>(B& bound) {
                Engine<StepsAsMoves<P>, B&, O> engine(steps, start, bound, options..., limits,
                                                      std::forward<O>(observer));
                engine.run();
                return without_moves<P>(engine.result());
            });
        });
    }
}

} // namespace detail

/// Finds a cheapest path by iterative-deepening A* (R. E. Korf, "Depth-first iterative-deepening: an optimal
/// admissible tree search", Artificial Intelligence 27, 1985). It makes depth-first searches under a bound on
/// f. The first bound is the f of the start, and each next one is the least f that exceeded the last. It
/// needs memory only for the path, but visits a state once for each path to it. So it suits spaces with few
/// cycles and integer costs.
///
/// Optimal if the heuristic is admissible. Never ends if no goal can be reached and the states are in a
/// cycle that costs something: check first, or give limits. Steps that cost nothing never close a circle.
/// Moves are tried in the order of `for_each_move`, without the one
/// straight back. `statistics.generated` counts the moves of all iterations; published counts add one for the
/// root.
///
/// A state that is expensive to copy is changed by each move, and changed back by its inverse. A problem
/// without moves is searched, too, but each step copies states then. For a heuristic that
/// `declares_zero_at_goals`, `is_goal` is called for few states.
///
/// \return as from `astar`; nothing is stored. A path of more than 2,000 moves ends in
///         `Status::memory_limit`.
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P>
search_result_t<P> ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                            limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_ida_star<IdaStar>(problem, start, std::forward<H>(heuristic), limits,
                                         std::forward<O>(observer));
}

/// `ida_star` with options: `ida_star(problem, start, heuristic, IdaStarOptions{.growth = 2})`. Optimal as
/// without. An observer may be told of several goals, each cheaper than the last.
template <Problem P, class H, std::same_as<IdaStarOptions> Options, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P>
search_result_t<P> ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                            Options options, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_ida_star<IdaStar>(problem, start, std::forward<H>(heuristic), limits,
                                         std::forward<O>(observer), options);
}

/// The same of a start and callables, without a problem: see `problem_from`.
template <class S, class N, class H, class G, class P = detail::called_problem_t<S, N, G>,
          class O = detail::silent_observer_t<P, H>>
search_result_t<P> ida_star(const S& start, N&& neighbors, H&& heuristic, G&& is_goal,
                            limits_t<P> limits = {}, O&& observer = O{}) {
    return ida_star(P(neighbors, is_goal), start, std::forward<H>(heuristic), limits,
                    std::forward<O>(observer));
}

template <class S, class N, class H, class G, std::same_as<IdaStarOptions> Options,
          class P = detail::called_problem_t<S, N, G>, class O = detail::silent_observer_t<P, H>>
search_result_t<P> ida_star(const S& start, N&& neighbors, H&& heuristic, G&& is_goal, Options options,
                            limits_t<P> limits = {}, O&& observer = O{}) {
    return ida_star(P(neighbors, is_goal), start, std::forward<H>(heuristic), options, limits,
                    std::forward<O>(observer));
}

/// The same without a heuristic, which is zero then.
template <class S, class N, class G, class P = detail::called_problem_t<S, N, G>,
          class O = detail::silent_observer_t<P>>
search_result_t<P> ida_star(const S& start, N&& neighbors, G&& is_goal, limits_t<P> limits = {},
                            O&& observer = O{}) {
    return ida_star(P(neighbors, is_goal), start, Zero{}, limits, std::forward<O>(observer));
}

/// `ida_star` for large states: `path` stays empty, `moves` and `cost` are there. The start is moved from;
/// the search holds one more state if the heuristic follows moves.
template <MoveProblem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P>
search_result_t<P> ida_star_moves(const P& problem, detail::named_state_t<P> start, H&& heuristic,
                                  limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine_without_path<IdaStar<P, H, O>>(
        problem, std::move(start), std::forward<H>(heuristic), limits, std::forward<O>(observer));
}

} // namespace npuzzle
