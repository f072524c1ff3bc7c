#pragma once

#include "npuzzle/search/core/problem_from.hpp"
#include "npuzzle/search/engine/best_first.hpp"

#include <concepts>
#include <utility>

namespace npuzzle {

/// A* (Hart, Nilsson, Raphael 1968) as an object: best-first search by f = g + h.
/// \tparam Policy the open list, node table and rules: see `DefaultPolicy`
template <Problem P, class H, class O = SilentObserver,
          std::derived_from<DefaultPolicy> Policy = DefaultPolicy>
    requires HeuristicFor<H, P>
class AStar : public BestFirst<P, H, O, PartsFor<P, H, Policy>> {
public:
    using AStar::BestFirst::BestFirst;
};

template <class P, class H, class O = SilentObserver>
AStar(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> AStar<P, H, O>;

/// Finds a cheapest path from `start` to a goal by A*.
///
/// Any `Problem`, any `HeuristicFor` it (`Zero{}` makes it Dijkstra's algorithm), any cost type. Optimal if
/// the heuristic is admissible. Never throws for lack of memory: that is `Status::memory_limit`. What the
/// problem, the heuristic or the observer throws otherwise passes through.
///
/// \tparam Policy the open list, node table and rules, if they are to be chosen by hand: see `DefaultPolicy`
/// \param limits stopping conditions; statistics are always filled in
/// \param observer receives each event of the search: see `SilentObserver`
/// \return the path, its cost, the moves where the problem has moves, and statistics
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P>
search_result_t<P> astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                         limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<AStar<P, H, O, Policy>>(problem, start, std::forward<H>(heuristic), limits,
                                                      std::forward<O>(observer));
}

/// The same of a start and callables in place of a problem: `neighbors(state)` gives a range of states, of
/// `Edge`s or of pairs of a state and a cost, and `is_goal(state)` a bool. States are of the type of the
/// start.
/// \code
/// astar(1, [](int x) { return std::array{x + 1, 2 * x}; }, Zero{}, [](int x) { return x == 97; });
/// \endcode
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, class S, class N, class H, class G,
          class P = detail::called_problem_t<S, N, G>, class O = detail::default_observer_t<P, H, Policy>>
search_result_t<P> astar(const S& start, N&& neighbors, H&& heuristic, G&& is_goal, limits_t<P> limits = {},
                         O&& observer = O{}) {
    return astar<Policy>(P(neighbors, is_goal), start, std::forward<H>(heuristic), limits,
                         std::forward<O>(observer));
}

/// The same without a heuristic, which is zero then.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, class S, class N, class G,
          class P = detail::called_problem_t<S, N, G>, class O = detail::default_observer_t<P, Zero, Policy>>
search_result_t<P> astar(const S& start, N&& neighbors, G&& is_goal, limits_t<P> limits = {},
                         O&& observer = O{}) {
    return astar<Policy>(P(neighbors, is_goal), start, Zero{}, limits, std::forward<O>(observer));
}

/// Does not compile: a problem is searched with a heuristic. The message says what to write.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P>
search_result_t<P> astar(const P& /*problem*/, const detail::named_state_t<P>& /*start*/) {
    detail::explain_missing_heuristic<P>();
    return {};
}

} // namespace npuzzle
