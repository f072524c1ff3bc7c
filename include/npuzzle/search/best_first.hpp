#pragma once

#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/kernel/best_first_engine.hpp"

#include <concepts>
#include <stdexcept>
#include <type_traits>
#include <utility>

/// \file
/// Best-first searches by other priorities than that of A*: solutions that cost more, found sooner.

namespace npuzzle {

namespace detail {

template <class F, class P, class H>
struct priority_of {
    using type = FunctionPriority<F, cost_t<P>, estimate_t<H, P>>;
};

template <class F, class P, class H>
    requires PriorityFor<F, cost_t<P>, estimate_t<H, P>>
struct priority_of<F, P, H> {
    using type = F;
};

/// A policy that opens no node again.
inline constexpr Policy without_reopening{.reopens = false};

} // namespace detail

/// Best-first search by any priority: `phi(g, h)`, where g is the cost of the path to a node and h its estimate; the node of
/// the least value is next, among equals the one of the greatest g. It ends at the first goal that is next; what its path
/// costs depends on the priority: `XdpPriority{w}` and `XupPriority{w}` keep it within w times the optimum.
///
/// \tparam policy `Policy{.reopens = false}` expands each state once. Under a consistent heuristic that keeps the bound of
/// `weighted_astar`, `XdpPriority` and `XupPriority`, but not of any priority.
/// \param limits `max_cost` is kept by g + h, so that it is a proof if the heuristic is admissible
template <Policy policy = Policy{}, Problem P, class H, class Phi, class O = SilentObserver>
    requires HeuristicFor<H, P> && std::invocable<const Phi&, const cost_t<P>&, const estimate_t<H, P>&>
search_result_t<P> best_first(const P& problem, const detail::named_state_t<P>& start, H&& heuristic, Phi phi,
                              limits_t<P> limits = {}, O&& observer = O{}) {
    using BoundHeuristic = std::remove_cvref_t<H>;
    using Priority = typename detail::priority_of<Phi, P, BoundHeuristic>::type;
    using Engine = BestFirstEngine<P, H, O, PartsFor<P, BoundHeuristic, policy, Priority>>;
    return detail::run_engine<Engine>(problem, start, std::forward<H>(heuristic), limits,
                                      std::forward<O>(observer), Priority(std::move(phi)));
}

/// Greedy best-first search: the state that looks nearest to a goal is next, whatever its path has cost (Doran and Michie
/// 1966). Often quick; nothing is known of the cost of the path. Each state is expanded once.
template <Policy policy = detail::without_reopening, Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
search_result_t<P> greedy_best_first(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                     limits_t<P> limits = {}, O&& observer = O{}) {
    using BoundHeuristic = std::remove_cvref_t<H>;
    using Priority = GreedyPriority<cost_t<P>, estimate_t<H, P>>;
    using Engine = BestFirstEngine<P, H, O, PartsFor<P, BoundHeuristic, policy, Priority>>;
    return detail::run_engine<Engine>(problem, start, std::forward<H>(heuristic), limits,
                                      std::forward<O>(observer));
}

/// Weighted A*: f = g + w h (Pohl 1970). The path costs at most w times the optimum if the heuristic is admissible; with
/// `Policy{.reopens = false}`, which expands each state once, if it is consistent (Likhachev, Gordon, Thrun 2003).
///
/// \param weight w, at least 1. An integer keeps integer costs and estimates in integers, and so in the quicker open list.
/// \throws std::invalid_argument if the weight is less than 1
template <Policy policy = Policy{}, Problem P, class H, class W, class O = SilentObserver>
    requires HeuristicFor<H, P> && std::is_arithmetic_v<W> && std::is_arithmetic_v<estimate_t<H, P>>
search_result_t<P> weighted_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                  W weight, limits_t<P> limits = {}, O&& observer = O{}) {
    if (!(weight >= W{1})) {
        throw std::invalid_argument("weighted A* needs a weight of 1 or more");
    }
    using BoundHeuristic = std::remove_cvref_t<H>;
    using Priority = WeightedPriority<cost_t<P>, estimate_t<H, P>, W>;
    using Engine = BestFirstEngine<P, H, O, PartsFor<P, BoundHeuristic, policy, Priority>>;
    return detail::run_engine<Engine>(problem, start, std::forward<H>(heuristic), limits,
                                      std::forward<O>(observer), Priority(weight));
}

} // namespace npuzzle
