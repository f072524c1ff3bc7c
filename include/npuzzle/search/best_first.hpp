#pragma once

#include "npuzzle/search/engine/best_first.hpp"
#include "npuzzle/search/engine/priority.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

/// \file
/// Best-first searches by other priorities than A*'s: solutions that cost more, found sooner.

namespace npuzzle {

namespace detail {

/// The engine by a policy and a priority.
template <class P, class H, class O, class Policy, class PriorityType>
using best_first_t = BestFirst<P, H, O, PartsFor<P, H, Policy, PriorityType>>;

/// A priority as an engine keeps it: as it is, or made of any other callable.
template <class F, class P, class H>
using priority_t = std::conditional_t<PriorityFor<F, cost_t<P>, estimate_t<H, P>>, F,
                                      FunctionPriority<F, cost_t<P>, estimate_t<H, P>>>;

} // namespace detail

/// Best-first search by any priority `phi(g, h)`, where g is the cost of the path to a node and h its
/// estimate. The node of the least value is next, among equals the one of the greatest g. It ends at the
/// first goal that is next. The cost of the path depends on the priority: `XdpPriority{w}` and
/// `XupPriority{w}` keep it within w times the optimum.
///
/// \tparam Policy `WithReopening` opens closed states again. By default this is not done with `XdpPriority`
/// and `XupPriority` if the heuristic declares itself consistent: their bounds hold without it.
/// \param limits `max_cost` is compared with g + h, so it is a proof if the heuristic is admissible
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H, class Phi,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P> && std::invocable<const Phi&, const cost_t<P>&, const estimate_t<H, P>&>
search_result_t<P> best_first(const P& problem, const detail::named_state_t<P>& start, H&& heuristic, Phi phi,
                              limits_t<P> limits = {}, O&& observer = O{}) {
    using Priority = detail::priority_t<Phi, P, H>;
    return detail::run_engine<detail::best_first_t<P, H, O, Policy, Priority>>(
        problem, start, std::forward<H>(heuristic), limits, std::forward<O>(observer),
        Priority{std::move(phi)});
}

/// Greedy best-first search as an object: see `greedy_best_first`.
template <Problem P, class H, class O = SilentObserver,
          std::derived_from<DefaultPolicy> Policy = WithoutReopening>
    requires HeuristicFor<H, P>
class GreedySearch
    : public detail::best_first_t<P, H, O, Policy, GreedyPriority<cost_t<P>, estimate_t<H, P>>> {
public:
    using GreedySearch::BestFirst::BestFirst;
};

template <class P, class H, class O = SilentObserver>
GreedySearch(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> GreedySearch<P, H, O>;

/// Greedy best-first search: the state of the least estimate is next, whatever its path costs (Doran and
/// Michie 1966). Often quick; nothing is known of the cost of the path. Without a `max_cost`, each state
/// is expanded once.
template <std::derived_from<DefaultPolicy> Policy = WithoutReopening, Problem P, class H,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P>
search_result_t<P> greedy_best_first(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                     limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<GreedySearch<P, H, O, Policy>>(problem, start, std::forward<H>(heuristic),
                                                             limits, std::forward<O>(observer));
}

/// The same of a start and callables, without a problem: see `problem_from`.
template <std::derived_from<DefaultPolicy> Policy = WithoutReopening, class S, class N, class H, class G,
          class P = detail::called_problem_t<S, N, G>, class O = detail::default_observer_t<P, H, Policy>>
search_result_t<P> greedy_best_first(const S& start, N&& neighbors, H&& heuristic, G&& is_goal,
                                     limits_t<P> limits = {}, O&& observer = O{}) {
    return greedy_best_first<Policy>(P(neighbors, is_goal), start, std::forward<H>(heuristic), limits,
                                     std::forward<O>(observer));
}

/// Does not compile: the search is nothing without a heuristic. The message says what to write.
template <std::derived_from<DefaultPolicy> Policy = WithoutReopening, Problem P>
search_result_t<P> greedy_best_first(const P& /*problem*/, const detail::named_state_t<P>& /*start*/) {
    detail::explain_missing_heuristic<P>();
    return {};
}

/// Does not compile, likewise.
template <std::derived_from<DefaultPolicy> Policy = WithoutReopening, class S, class N, class G,
          class P = detail::called_problem_t<S, N, G>>
search_result_t<P> greedy_best_first(const S& /*start*/, N&& /*neighbors*/, G&& /*is_goal*/) {
    static_assert(detail::never<S>, "a heuristic or is_goal is missing after neighbors; write: "
                                    "(start, neighbors, npuzzle::Zero{}, is_goal)");
    return {};
}

/// The options of weighted A*: `{.weight = 1.5}`; `WeightOptions<int>{.weight = 2}` keeps integer costs and
/// estimates in integers, which have a faster open list.
template <class W = double>
    requires std::is_arithmetic_v<W>
struct WeightOptions {
    W weight; ///< w, at least 1
};

template <class W>
WeightOptions(W) -> WeightOptions<W>;

/// Weighted A* as an object: see `weighted_astar`.
/// \tparam W the type of the weight
template <Problem P, class H, class O = SilentObserver, class W = double,
          std::derived_from<DefaultPolicy> Policy = DefaultPolicy>
    requires HeuristicFor<H, P> && std::is_arithmetic_v<estimate_t<H, P>>
class WeightedAStar
    : public detail::best_first_t<P, H, O, Policy, WeightedPriority<cost_t<P>, estimate_t<H, P>, W>> {
    using Priority = WeightedPriority<cost_t<P>, estimate_t<H, P>, W>;

public:
    /// \throws std::invalid_argument if the weight is less than 1
    WeightedAStar(detail::Lasting<P> problem, const state_t<P>& start, H&& heuristic,
                  WeightOptions<W> options, limits_t<P> limits = {}, O&& observer = O{})
        : WeightedAStar::BestFirst(problem, start, std::forward<H>(heuristic), limits,
                                   std::forward<O>(observer),
                                   Priority(detail::checked_weight(options.weight))) {}
};

template <class P, class H, class W = double, class O = SilentObserver>
WeightedAStar(const P&, const state_t<P>&, H&&, WeightOptions<W>, limits_t<P> = {}, O&& = O{})
    -> WeightedAStar<P, H, O, W>;

/// Weighted A*: f = g + w h (Pohl 1970). The path costs at most w times the optimum if the heuristic is
/// admissible. If it declares itself consistent, each state is expanded once, which keeps the bound
/// (Likhachev, Gordon, Thrun 2003), unless there is a `max_cost` or the policy is `WithReopening`.
///
/// \throws std::invalid_argument if the weight is less than 1
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H, class W = double,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P> && std::is_arithmetic_v<estimate_t<H, P>>
search_result_t<P> weighted_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                  WeightOptions<W> options, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<WeightedAStar<P, H, O, W, Policy>>(problem, start, std::forward<H>(heuristic),
                                                                 options, limits, std::forward<O>(observer));
}

/// The same of a start and callables, without a problem: see `problem_from`.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, class S, class N, class H, class G,
          class W = double, class P = detail::called_problem_t<S, N, G>,
          class O = detail::default_observer_t<P, H, Policy>>
search_result_t<P> weighted_astar(const S& start, N&& neighbors, H&& heuristic, G&& is_goal,
                                  WeightOptions<W> options, limits_t<P> limits = {}, O&& observer = O{}) {
    return weighted_astar<Policy>(P(neighbors, is_goal), start, std::forward<H>(heuristic), options, limits,
                                  std::forward<O>(observer));
}

} // namespace npuzzle
