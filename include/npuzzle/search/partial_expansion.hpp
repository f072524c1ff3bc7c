#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/kernel/call.hpp"

#include <utility>

/// \file
/// A* that stores few of many neighbours.

namespace npuzzle {

namespace detail {

constexpr Policy in_part(Policy policy) {
    policy.partial_expansion = true;
    return policy;
}

} // namespace detail

/// Finds a cheapest path by A* with partial expansion: for problems with many neighbours, most of which A* would store and
/// never expand.
///
/// A neighbour is stored when its f is next in turn, and not before: at first a node stores those neighbours whose f is no
/// more than its own. If there are others it goes back on the open list, under the least f of them (T. Yoshizumi, T. Miura,
/// T. Ishida, "A* with partial expansion for large branching factor problems", AAAI 2000). It makes and evaluates all
/// neighbours each time. Where the problem has moves and the heuristic is a `SelectingHeuristicFor` it, only those are made
/// that are to be stored: Enhanced Partial Expansion A* (Goldenberg, Felner, Stern, Sharon, Sturtevant, Holte, Schaeffer,
/// "Enhanced Partial Expansion A*", Journal of Artificial Intelligence Research 50, 2014).
///
/// Optimal if the heuristic is admissible, consistent or not. Arguments, limits and result are those of `astar`. In the
/// statistics `expanded` counts each time that a node is expanded, in part or not; `generated`, as in the papers, each
/// neighbour that was made, those that were not stored among them; `stored` tells what is saved. The observer is told of the
/// neighbours that are stored, and of no others; a node that goes back on the open list has no event.
///
/// \tparam policy as for `astar`; nodes are in the pooled table, so that the states have to be hashed (`HasHash`)
template <Policy policy = Policy{}, Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
search_result_t<P> partial_expansion_astar(const P& problem, const detail::named_state_t<P>& start,
                                           H&& heuristic, limits_t<P> limits = {}, O&& observer = O{}) {
    return astar<detail::in_part(policy)>(problem, start, std::forward<H>(heuristic), std::move(limits),
                                          std::forward<O>(observer));
}

} // namespace npuzzle
