#pragma once

#include "npuzzle/search/astar.hpp"

#include <concepts>
#include <utility>

namespace npuzzle {

/// Finds a cheapest path by Dijkstra's algorithm (1959): A* with no estimate.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P,
          class O = detail::default_observer_t<P, Zero, Policy>>
search_result_t<P> dijkstra(const P& problem, const detail::named_state_t<P>& start, limits_t<P> limits = {},
                            O&& observer = O{}) {
    return astar<Policy>(problem, start, Zero{}, limits, std::forward<O>(observer));
}

/// The same of a start and callables, without a problem: see `problem_from`.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, class S, class N, class G,
          class P = detail::called_problem_t<S, N, G>, class O = detail::default_observer_t<P, Zero, Policy>>
search_result_t<P> dijkstra(const S& start, N&& neighbors, G&& is_goal, limits_t<P> limits = {},
                            O&& observer = O{}) {
    return dijkstra<Policy>(P(neighbors, is_goal), start, limits, std::forward<O>(observer));
}

} // namespace npuzzle
