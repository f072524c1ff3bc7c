#pragma once

#include "npuzzle/search/kernel/bidirectional_engine.hpp"
#include "npuzzle/search/kernel/call.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

/// \file
/// Bidirectional search: from the start and from the goal at once. It ends when a bound proves that no path
/// is cheaper than the best one over a state that both sides have reached.

namespace npuzzle {

/// BAE* if both heuristics declare themselves consistent and can be subtracted, else NBS.
struct AutomaticMethod {};

/// A heuristic that can serve both directions: it binds to the problem, and to the same problem with another
/// goal. `Zero` serves any problem.
template <class H, class P>
concept TwoWayHeuristicFor =
    HeuristicFor<H, P> && (std::same_as<std::remove_cvref_t<H>, Zero> ||
                           (ReversibleProblem<P> && BindsTo<H, P> && BackwardHeuristicFor<H, P>));

namespace detail {

/// The method that `Method` stands for.
template <class Method, class P, class H, class HB>
struct chosen_method {
    using type = Method;
};

template <class P, class H, class HB>
struct chosen_method<AutomaticMethod, P, H, HB> {
    using Target = backward_target_t<P>;
    using Wide = wide_t<std::common_type_t<estimate_t<H, P>, estimate_t<HB, Target>>>;
    static constexpr bool are_consistent =
        declares_consistent<bound_t<H, P>> && declares_consistent<bound_t<HB, Target>>;
    using type = std::conditional_t<are_consistent && HasDifference<Wide>, BaeStar, Nbs>;
};

} // namespace detail

/// Bidirectional A* as an object that can be stepped: `BidirectionalAStar engine(Nbs{}, problem, start,
/// heuristic, backward_heuristic)`; without a method, `AutomaticMethod` chooses. Takes several starts and
/// goals.
template <class Method, BackwardProblem P, class H, class HB, class O = SilentObserver>
    requires(HeuristicFor<H, P> && BackwardHeuristicFor<HB, P>)
class BidirectionalAStar
    : public detail::BidirectionalSearch<
          typename detail::chosen_method<Method, P, std::remove_cvref_t<H>, std::remove_cvref_t<HB>>::type, P,
          H, HB, O> {
public:
    using BidirectionalAStar::BidirectionalSearch::BidirectionalSearch;

    BidirectionalAStar(Method /*method*/, const P& problem, const state_t<P>& start, H&& heuristic,
                       HB&& backward_heuristic, const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{})
        : BidirectionalAStar(problem, start, std::forward<H>(heuristic), std::forward<HB>(backward_heuristic),
                             limits, std::forward<O>(observer)) {}
    template <class... Rest>
    BidirectionalAStar(Method, const P&&, Rest&&...) = delete; ///< The engine refers to the problem.
};

template <class P, class H, class HB, class O = SilentObserver>
BidirectionalAStar(const P&, const state_t<P>&, H&&, HB&&, const limits_t<P>& = {}, O&& = O{})
    -> BidirectionalAStar<AutomaticMethod, P, H, HB, O>;

template <class Method, class P, class H, class HB, class O = SilentObserver>
BidirectionalAStar(Method, const P&, const state_t<P>&, H&&, HB&&, const limits_t<P>& = {}, O&& = O{})
    -> BidirectionalAStar<Method, P, H, HB, O>;

/// Bidirectional breadth-first search as an object that can be stepped. Takes several starts and goals. The
/// bound on the cost, `max_cost`, is the most steps.
template <BackwardProblem P, class O = SilentObserver>
class BidirectionalBreadthFirst : public detail::BidirectionalSearch<detail::Layers, P, Zero, Zero, O> {
public:
    /// No temporary problem: the engine refers to it.
    BidirectionalBreadthFirst(const P&& problem, const state_t<P>& start, const BasicLimits<int>& limits = {},
                              O&& observer = O{}) = delete;

    BidirectionalBreadthFirst(const P& problem, const state_t<P>& start, const BasicLimits<int>& limits = {},
                              O&& observer = O{})
        : BidirectionalBreadthFirst::BidirectionalSearch(problem, start, Zero{}, Zero{}, limits,
                                                         std::forward<O>(observer)) {}
};

template <class P, class O = SilentObserver>
BidirectionalBreadthFirst(const P&, const state_t<P>&, const BasicLimits<int>& = {}, O&& = O{})
    -> BidirectionalBreadthFirst<P, O>;

/// Finds a cheapest path from `start` to `problem.goal()` by two searches toward each other.
///
/// Any `BackwardProblem`, any cost type. Optimal if both heuristics are admissible; `BaeStar` asks for
/// consistent ones. The least cost of a step makes the bounds better, where the problem has it
/// (`HasLeastCost`; 1 if steps cost 1). Memory for the nodes of both sides comes from the same
/// `limits.bytes`; statistics include both sides.
///
/// \tparam Method `BaeStar`, `Nbs`, `MeetInTheMiddle`, or `AutomaticMethod`, which chooses
/// \param heuristic estimates the cost from a state to the goal
/// \param backward_heuristic estimates the cost from the start to a state: see `BackwardHeuristicFor`
/// \param observer receives the events of both sides, as `BidirectionalNodeView`s; at the end, `goal` with a
///        state where they met and the cost of the whole path
/// \return as from `astar`, without a partial path; `unsolvable` is proved by exhausting one of the sides
template <class Method = AutomaticMethod, BackwardProblem P, class H, class HB,
          class O = detail::default_observer_t<P, H, DefaultPolicy>>
    requires(HeuristicFor<H, P> && BackwardHeuristicFor<HB, P>)
search_result_t<P> bidirectional_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       HB&& backward_heuristic, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<BidirectionalAStar<Method, P, H, HB, O>>(
        problem, start, std::forward<H>(heuristic), std::forward<HB>(backward_heuristic), limits,
        std::forward<O>(observer));
}

/// The same with one heuristic for both directions: bound to the problem, and to the problem with `start` as
/// its goal. `bidirectional_astar(puzzle, board, Manhattan{})`.
template <class Method = AutomaticMethod, BackwardProblem P, class H,
          class O = detail::default_observer_t<P, H, DefaultPolicy>>
    requires TwoWayHeuristicFor<H, P>
search_result_t<P> bidirectional_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       limits_t<P> limits = {}, O&& observer = O{}) {
    using Heuristic = const std::remove_cvref_t<H>&;
    return bidirectional_astar<Method, P, Heuristic, Heuristic, O>(problem, start, heuristic, heuristic,
                                                                   limits, std::forward<O>(observer));
}

/// Finds a path of the fewest steps from `start` to `problem.goal()`, layer by layer from both ends, the
/// smaller one first (I. Pohl, "Bi-directional search", Machine Intelligence 6, 1971). Costs play no part,
/// but steps of infinite cost are none.
///
/// \param limits `max_cost` is the most steps
/// \return as from `astar`; `cost` is the cost of the path, by the cheapest of parallel edges
template <BackwardProblem P, class O = detail::default_observer_t<P, Zero, DefaultPolicy>>
search_result_t<P> bidirectional_breadth_first(const P& problem, const detail::named_state_t<P>& start,
                                               BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::run_engine<BidirectionalBreadthFirst<P, O>>(problem, start, limits,
                                                               std::forward<O>(observer));
}

} // namespace npuzzle
