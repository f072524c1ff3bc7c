#pragma once

#include "npuzzle/search/core/problem.hpp"

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

/// \file
/// Heuristics: any callable that estimates the cost from a state to the nearest goal; and f = g + h.

namespace npuzzle {

/// The heuristic that is 0 everywhere, in the cost type of the problem. With it, A* is Dijkstra's algorithm.
struct Zero {
    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    constexpr int operator()(const auto& /*state*/) const { return 0; }
};

/// Optional capability: `bind(problem)` returns the callable that the search then uses.
template <class H, class P>
concept BindsTo =
    requires(const std::remove_cvref_t<H>& heuristic, const P& problem) { heuristic.bind(problem); };

namespace detail {

/// A heuristic as an engine keeps it.
template <class H, class P>
constexpr decltype(auto) make_bound_heuristic(H&& heuristic, const P& problem) {
    if constexpr (BindsTo<H, P>) {
        return heuristic.bind(problem);
    } else {
        return std::forward<H>(heuristic);
    }
}

} // namespace detail

/// `heuristic.bind(problem)`, or without `bind` a copy of the heuristic.
template <class H, class P>
[[nodiscard]] constexpr auto bind_heuristic(const H& heuristic, const P& problem) {
    return detail::make_bound_heuristic(heuristic, problem);
}

/// What a search calls: what `bind_heuristic` gives.
template <class H, class P>
using bound_t = std::remove_cvref_t<decltype(detail::make_bound_heuristic(
    std::declval<const std::remove_cvref_t<H>&>(), std::declval<const P&>()))>;

template <class H>
inline constexpr bool declares_consistent =
    requires { requires bool(std::remove_cvref_t<H>::is_consistent); };

/// Whether a heuristic declares `static constexpr bool marks_dead_ends = true`: the greatest value of its type
/// says that no goal can be reached.
template <class H>
inline constexpr bool declares_dead_ends =
    requires { requires bool(std::remove_cvref_t<H>::marks_dead_ends); };

namespace detail {

/// Whether an estimate of a heuristic can say that no goal can be reached.
template <class B, class Estimate>
inline constexpr bool has_dead_ends = std::numeric_limits<Estimate>::has_infinity || declares_dead_ends<B>;

/// Converts a value of a heuristic. In a wider type, only dead ends are infinite.
template <class To, class B, class From>
constexpr To convert_value(const From& value) {
    return declares_dead_ends<B> ? saturating_cast<To>(value) : clamping_cast<To>(value);
}

/// Whether parts are evaluated from scratch even after a move. `AStar` then evaluates only new states.
template <class B>
inline constexpr bool calls_parts_anew = requires { requires bool(B::calls_parts_anew); };

template <class B, class P>
using value_t = std::remove_cvref_t<decltype(std::declval<B&>()(std::declval<const state_t<P>&>()))>;

/// How an engine keeps a heuristic: what it was bound to, a reference to an lvalue, or the value itself.
template <class H, class P>
using kept_t = std::conditional_t<std::is_lvalue_reference_v<H> && !BindsTo<H, P> &&
                                      std::invocable<H, const state_t<P>&>,
                                  H, bound_t<H, P>>;

} // namespace detail

/// The common type of costs and the heuristic's values, of g + h. Beyond 2^24, `float` tells no costs apart.
template <class H, class P>
using estimate_t =
    typename std::conditional_t<std::is_same_v<bound_t<H, P>, Zero>, std::type_identity<cost_t<P>>,
                                std::common_type<cost_t<P>, detail::value_t<bound_t<H, P>, P>>>::type;

/// Callable with a state, once it is bound to the problem if it `BindsTo` it. The value adds to a cost.
/// - Admissible: it never exceeds the true cost to the nearest goal. Then A* is optimal.
/// - Consistent: along a step, it falls by no more than the cost of the step. Then A* expands no state twice.
///   A heuristic may declare `static constexpr bool is_consistent = true`; debug builds then check each step.
/// - An infinite value says that no goal can be reached; of integers, if the heuristic `declares_dead_ends`.
/// - NaN is a contract violation, and is taken for zero.
///
/// A heuristic that changes when it is called, and is passed as `const`, is copied.
template <class H, class P>
concept HeuristicFor = Problem<P> && requires { typename estimate_t<H, P>; } &&
                       (BindsTo<H, P> || std::invocable<H&, const state_t<P>&> ||
                        std::constructible_from<std::remove_cvref_t<H>, H>);

/// Optional capability: `after(value, before, move, after)` gives the value in the state `after`, reached
/// from `before` (where it was `value`) by `move`. Equal to calling the heuristic on `after`, and faster.
template <class H, class P>
concept IncrementalHeuristicFor =
    MoveProblem<P> && HeuristicFor<H, P> &&
    // A value must not be mistaken for an evaluation: see `EvaluatingHeuristicFor`.
    !requires { requires std::convertible_to<estimate_t<H, P>, typename bound_t<H, P>::Evaluation>; } &&
    requires(bound_t<H, P>& bound, const estimate_t<H, P>& value, const state_t<P>& state,
             typename P::Move move) {
        { bound.after(value, state, move, state) } -> std::convertible_to<estimate_t<H, P>>;
    };

/// Optional capability: for a heuristic that needs more than its value to follow a move, such as the numbers
/// of patterns, in a trivially copyable `Evaluation`:
/// \code
/// Evaluation evaluate(const State&);                                                 // from scratch
/// Evaluation after(const Evaluation&, const State& before, Move, const State& after); // the same, faster
/// Value value(const Evaluation&);                                                    // the estimate
/// \endcode
/// and a call gives `value(evaluate(state))`. `ida_star` carries the evaluation from move to move; `AStar`
/// makes one of each state that it expands, unless the heuristic follows moves by values, too.
///
/// If a function is lacking, the heuristic is slower: `static_assert` this concept, and the compiler says what
/// is missing.
template <class H, class P>
concept EvaluatingHeuristicFor =
    MoveProblem<P> && HeuristicFor<H, P> &&
    std::is_trivially_copyable_v<typename bound_t<H, P>::Evaluation> &&
    std::default_initializable<typename bound_t<H, P>::Evaluation> &&
    requires(bound_t<H, P>& bound, const typename bound_t<H, P>::Evaluation& evaluation,
             const state_t<P>& state, typename P::Move move) {
        { bound.evaluate(state) } -> std::same_as<typename bound_t<H, P>::Evaluation>;
        { bound.after(evaluation, state, move, state) } -> std::same_as<typename bound_t<H, P>::Evaluation>;
        { bound.value(evaluation) } -> std::convertible_to<estimate_t<H, P>>;
    };

/// A function of g and h whose values are ordered, of type `F::Value`; the node of the least goes first. It
/// must give the same value each time. An optional `estimate(priority, cost)` gives exactly the estimate that
/// made a priority; tables then need not store it.
template <class F, class Cost, class Estimate>
concept PriorityFor = std::copy_constructible<F> && std::totally_ordered<typename F::Value> &&
                      requires(const F& priority, const Cost& cost, const Estimate& estimate) {
                          { priority(cost, estimate) } -> std::same_as<typename F::Value>;
                      };

/// f = g + h: what makes a best-first search A*.
template <class Cost, class Estimate>
struct AStarPriority {
    using Value = Estimate;

    [[nodiscard]] constexpr Value operator()(const Cost& cost, const Estimate& estimate) const {
        return detail::saturating_add(detail::saturating_cast<Estimate>(cost), estimate);
    }
    [[nodiscard]] constexpr Estimate estimate(const Value& priority, const Cost& cost) const
        requires std::integral<Estimate> && std::integral<Cost>
    {
        return static_cast<Estimate>(priority - static_cast<Estimate>(cost));
    }
};

} // namespace npuzzle
