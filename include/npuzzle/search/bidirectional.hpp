#pragma once

#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/best_first_engine.hpp"
#include "npuzzle/search/kernel/bidirectional_engine.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

/// \file
/// Bidirectional search: from the start and from the goal at once, until a bound proves that the best path over a state that
/// both have come to is a cheapest one.

namespace npuzzle {

/// The methods of `bidirectional_astar`.
enum class BidirectionalMethod : std::uint8_t {
    automatic, ///< `bae_star` if both heuristics declare themselves consistent and can be subtracted, else `nbs`
    /// MM: no node is expanded from either end whose g is more than half the optimum (R. C. Holte, A. Felner, G. Sharon,
    /// N. R. Sturtevant, "Bidirectional search that is guaranteed to meet in the middle", AAAI 2016); with the least edge
    /// cost in the bound, as MMe (G. Sharon, R. C. Holte, A. Felner, N. R. Sturtevant 2016). Any admissible heuristics.
    mm,
    /// NBS: expands at most twice as many nodes as the least that any such search has to before it can prove its solution
    /// (J. Chen, R. C. Holte, S. Zilles, N. R. Sturtevant, "Front-to-end bidirectional heuristic search with near-optimal
    /// node expansions", IJCAI 2017), if the heuristics are consistent. Optimal under any admissible ones.
    nbs,
    /// BAE*: what one heuristic is wrong by at a node counts for the other (S. K. Sadhukhan, "A new approach to
    /// bidirectional heuristic search using error functions", 2012; V. Alcazar, P. J. Riddle, M. Barley, "A unifying view on
    /// individual bounds and heuristic inaccuracies in bidirectional search", AAAI 2020). Both heuristics must be consistent.
    bae_star,
};

/// A heuristic for the other direction: for the problem with the start as its goal. Called with a state, it estimates the
/// cost from the start to it. One that `BindsTo` problems is bound to `problem.with_goal(start)`, if there is that, else to
/// a problem whose `neighbors` are the predecessors.
template <class H, class P>
concept BackwardHeuristicFor = BackwardProblem<P> && HeuristicFor<H, detail::backward_target_t<P>>;

/// A heuristic that can serve both directions: it binds to the problem, and to the same problem with another goal. `Zero` serves
/// any problem.
template <class H, class P>
concept TwoWayHeuristicFor =
    HeuristicFor<H, P> && (std::same_as<std::remove_cvref_t<H>, Zero> ||
                           (ReversibleProblem<P> && BindsTo<H, P> && BackwardHeuristicFor<H, P>));

namespace detail {

template <class P, class H, class HB>
constexpr Method method_for(BidirectionalMethod method) {
    using BoundHeuristic = bound_t<H, P>;
    using BackwardKept = bound_t<HB, backward_target_t<P>>;
    using Wide = wide_t<std::common_type_t<estimate_t<H, P>, estimate_t<HB, backward_target_t<P>>>>;
    constexpr bool are_consistent = declares_consistent<BoundHeuristic> && declares_consistent<BackwardKept>;
    switch (method) {
    case BidirectionalMethod::mm:
        return Method::mm;
    case BidirectionalMethod::nbs:
        return Method::nbs;
    case BidirectionalMethod::bae_star:
        return Method::bae_star;
    case BidirectionalMethod::automatic:
        break;
    }
    return are_consistent && HasDifference<Wide> ? Method::bae_star : Method::nbs;
}

} // namespace detail

/// Bidirectional A* as an object that can be stepped. Like `AStar` it refers to the problem and, where it was given lvalues,
/// to the heuristics and the observer.
template <BidirectionalMethod method, BackwardProblem P, class H, class HB, class O = SilentObserver>
    requires(HeuristicFor<H, P> && BackwardHeuristicFor<HB, P>)
using BidirectionalAStar = detail::BidirectionalSearch<
    detail::method_for<P, std::remove_cvref_t<H>, std::remove_cvref_t<HB>>(method), P, H, HB, O>;

/// Bidirectional breadth-first search as an object that can be stepped.
template <BackwardProblem P, class O = SilentObserver>
using BidirectionalBreadthFirst = detail::BidirectionalSearch<detail::Method::layers, P, Zero, Zero, O>;

/// Finds a cheapest path from `start` to `problem.goal()` by two searches towards each other.
///
/// Any `BackwardProblem`, any cost type. Optimal if both heuristics are admissible; `BidirectionalMethod::bae_star` asks for consistent
/// ones. The least cost of a step, where the problem says it (`HasLeastCost`; 1 if steps cost 1), sharpens the bounds.
/// Memory for the nodes of both sides comes from the same `limits.bytes`; statistics are those of both sides together.
///
/// \tparam method the method: see `BidirectionalMethod`
/// \param heuristic estimates the cost from a state to the goal
/// \param backward_heuristic estimates the cost from the start to a state: see `BackwardHeuristicFor`
/// \param observer told of the events of both sides, as `BidirectionalNodeView`s; at the end, `goal` is told of a state where
///        they met, with the cost of the whole path
/// \return as from `astar`, but that a search which a limit ended has no path; `unsolvable` is proved by exhausting one of the sides
template <BidirectionalMethod method = BidirectionalMethod::automatic, BackwardProblem P, class H, class HB,
          class O = SilentObserver>
    requires(HeuristicFor<H, P> && BackwardHeuristicFor<HB, P>)
search_result_t<P> bidirectional_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       HB&& backward_heuristic, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<BidirectionalAStar<method, P, H, HB, O>>(
        problem, start, std::forward<H>(heuristic), std::forward<HB>(backward_heuristic), limits,
        std::forward<O>(observer));
}

/// The same with one heuristic for both directions: bound to the problem, and to the problem with `start` as its goal.
/// `bidirectional_astar(puzzle, board, Manhattan{})`.
template <BidirectionalMethod method = BidirectionalMethod::automatic, BackwardProblem P, class H,
          class O = SilentObserver>
    requires TwoWayHeuristicFor<H, P>
search_result_t<P> bidirectional_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       limits_t<P> limits = {}, O&& observer = O{}) {
    using Heuristic = const std::remove_cvref_t<H>&;
    return bidirectional_astar<method, P, Heuristic, Heuristic, O>(problem, start, heuristic, heuristic,
                                                                   limits, std::forward<O>(observer));
}

/// Finds a path of the fewest steps from `start` to `problem.goal()`, layer by layer from both ends, the smaller one first
/// (I. Pohl, "Bi-directional search", Machine Intelligence 6, 1971). What steps cost plays no part, but for walls, which
/// cost the greatest value there is.
///
/// \param limits `max_cost` is the most steps
/// \return as from `astar`; `cost` is that of the path, by the cheapest of parallel edges
template <BackwardProblem P, class O = SilentObserver>
search_result_t<P> bidirectional_breadth_first(const P& problem, const detail::named_state_t<P>& start,
                                               BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::run_engine<BidirectionalBreadthFirst<P, O>>(problem, start, Zero{}, Zero{}, limits,
                                                               std::forward<O>(observer));
}

} // namespace npuzzle
