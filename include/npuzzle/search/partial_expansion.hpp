#pragma once

#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/partial_expansion_engine.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

namespace npuzzle {

namespace detail {

/// A policy for partial expansion. A node table that was not chosen stores estimates, but for integers of a
/// `CompactProblem`: to evaluate them again costs less than the memory.
template <class Policy>
struct PartialExpansionPolicy : StoringEstimates<Policy> {
    template <class P, class Estimate>
    using NodeTable = std::conditional_t<CompactProblem<P> && HasPlainNodes<P> && std::integral<Estimate>,
                                         typename Policy::template NodeTable<P, Estimate>,
                                         typename StoringEstimates<Policy>::template NodeTable<P, Estimate>>;
};

} // namespace detail

/// A* with partial expansion as an object: see `partial_expansion_astar`.
template <Problem P, class H, class O = SilentObserver,
          std::derived_from<DefaultPolicy> Policy = DefaultPolicy>
    requires HeuristicFor<H, P>
class PartialExpansionAStar
    : public PartialExpansionEngine<
          P, H, O, PartsFor<P, std::remove_cvref_t<H>, detail::PartialExpansionPolicy<Policy>>> {
public:
    using PartialExpansionAStar::PartialExpansionEngine::PartialExpansionEngine;

    PartialExpansionAStar(Policy /*policy*/, const P& problem, const state_t<P>& start, H&& heuristic,
                          limits_t<P> limits = {}, O&& observer = O{})
        : PartialExpansionAStar(problem, start, std::forward<H>(heuristic), limits,
                                std::forward<O>(observer)) {}
    template <class... Rest>
    PartialExpansionAStar(Policy, const P&&, Rest&&...) = delete; ///< The engine refers to the problem.
};

template <class P, class H, class O = SilentObserver>
PartialExpansionAStar(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{})
    -> PartialExpansionAStar<P, H, O>;

template <std::derived_from<DefaultPolicy> Policy, class P, class H, class O = SilentObserver>
PartialExpansionAStar(Policy, const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{})
    -> PartialExpansionAStar<P, H, O, Policy>;

/// Finds a cheapest path by A* with partial expansion: for problems with many neighbors, most of which A*
/// would store and never expand.
///
/// A neighbor is stored when its f is next. At first a node stores those neighbors whose f is no more than
/// its own. If there are others, it goes back on the open list, under the least f of them (T. Yoshizumi, T.
/// Miura, T. Ishida, "A* with partial expansion for large branching factor problems", AAAI 2000). All
/// neighbors are made and evaluated each time. Where the problem has moves and the heuristic is a
/// `SelectingHeuristicFor` it, only those are made that are stored: Enhanced Partial Expansion A*
/// (Goldenberg, Felner, Stern, Sharon, Sturtevant, Holte, Schaeffer, "Enhanced Partial Expansion A*", Journal
/// of Artificial Intelligence Research 50, 2014).
///
/// Take it if `astar` stores many times as many nodes as it expands, or if the problem is a `CompactProblem`
/// and memory is short: the 15-puzzle takes two thirds of it. If neither, it does harm: on maps of eight
/// sides with real costs, it expands 1.8 to 4.9 times as often as `astar`, and stores at most 11 % less.
///
/// Optimal if the heuristic is admissible, consistent or not. Arguments, limits and result are as for
/// `astar`. In the statistics, `expanded` counts each expansion, in part or not, and `generated`, as in the
/// papers, each neighbor that was made, stored or not. The observer is told of the neighbors that are stored
/// only; a node that goes back on the open list has no event.
///
/// \tparam Policy as for `astar`. By default, nodes are in the packed table if the problem is a
/// `CompactProblem` with integer estimates. Otherwise they are in the pooled table, and the states must be
/// hashed (`HasHash`)
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H,
          class O = detail::default_observer_t<P, H, detail::PartialExpansionPolicy<Policy>>>
    requires HeuristicFor<H, P>
search_result_t<P> partial_expansion_astar(const P& problem, const detail::named_state_t<P>& start,
                                           H&& heuristic, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<PartialExpansionAStar<P, H, O, Policy>>(
        problem, start, std::forward<H>(heuristic), limits, std::forward<O>(observer));
}

} // namespace npuzzle
