#pragma once

#include "npuzzle/search/core/heuristic.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>

/// \file
/// Optional capabilities that only some searches ask for: `problem.hpp` and `heuristic.hpp` have the others.

namespace npuzzle {

/// `goal()` is the one state for which `is_goal` holds.
template <class P>
concept HasGoalState = requires(const P& problem) {
    { problem.goal() } -> std::convertible_to<typename P::State>;
};

/// `with_goal(state)` is the same problem with `state` as its goal.
template <class P>
concept HasWithGoal = HasGoalState<P> && requires(const P& problem, const typename P::State& state) {
    { problem.with_goal(state) } -> std::convertible_to<P>;
};

/// `static constexpr bool is_undirected = true;`: every step leads both ways at the same cost.
template <class P>
concept UndirectedProblem = Problem<P> && HasGoalState<P> && bool(P::is_undirected);

/// `state_at(number)` is the state with this index. No other number is asked for. Enables: layers in two bits
/// for each number (`breadth_first_layers`).
template <class P>
concept NumberedProblem = IndexedProblem<P> && requires(const P& problem, std::size_t number) {
    { problem.state_at(number) } -> std::convertible_to<typename P::State>;
};

/// The problem can be searched backward from its goal. Unless it is undirected, `predecessors(state)` is the
/// range of states (or of `Edge`s) from which one step leads to `state`. It lasts until the next call of it or
/// of `neighbors`.
template <class P>
concept BackwardProblem =
    Problem<P> && HasGoalState<P> &&
    (UndirectedProblem<P> || requires(const P& problem, const typename P::State& state) {
        problem.predecessors(state);
        requires detail::is_neighbor_range<std::remove_reference_t<decltype(problem.predecessors(state))>,
                                           typename P::State>;
    });

/// `least_cost()`: no step costs less. Enables: a sharper bound of bidirectional search, unless each step
/// costs 1.
template <class P>
concept HasLeastCost = Problem<P> && requires(const P& problem) {
    { problem.least_cost() } -> std::convertible_to<cost_t<P>>;
};

/// Whether `static constexpr bool is_bipartite = true;` says that each step leads from one half of the states
/// to the other. Enables: searches by layers that do not look for a neighbor in the layer of the state itself.
template <class P>
inline constexpr bool is_bipartite = requires { requires bool(P::is_bipartite); };

/// The states fall into few places that are known at compile time (in the sliding puzzle: the blank's cell and
/// the last move). Enables: `ida_star` unrolled over them.
///
/// `with_place(state, last, f)` calls `f(place)` for a state that the move `last` led to; `place.moves` is
/// the constant number of its moves. `any_move(place, f)` calls `f(next, move)` for each of them in the order
/// of `for_each_move`, until one returns true, and returns whether one did: `next` is the place that the move
/// leads to, and `move`, of a type of its own, converts to `Move` and is taken by `apply`.
template <class P>
concept UnrolledProblem =
    MoveProblem<P> && requires(const P& problem, const state_t<P>& state, const typename P::Move& last) {
        problem.with_place(state, last, detail::Sink{});
    };

/// Whether a heuristic declares `static constexpr bool is_zero_at_goals = true`: `ida_star` need not ask
/// `is_goal` of a state whose value is more than zero. A debug build checks it.
template <class H>
inline constexpr bool declares_zero_at_goals =
    requires { requires bool(std::remove_cvref_t<H>::is_zero_at_goals); };

/// Whether a heuristic declares `static constexpr bool waits_for_memory = true`: its look-ups go to tables
/// larger than the cache. Under unit costs `ida_star` then evaluates all children of a state before it visits
/// the first, so that look-ups overlap, if there is a `move_count`, and evaluations are small and not lazy.
template <class H>
inline constexpr bool declares_waits_for_memory =
    requires { requires bool(std::remove_cvref_t<H>::waits_for_memory); };

/// `after_within(result, evaluation, before, move, after, limit)` gives the value in the state `after`, and
/// stores its evaluation in `result`. If the value is more than `limit`, it may give any number that is more
/// than `limit` and not more than the value, and leave `result` as it is. Enables: `ida_star` with unit costs
/// evaluates a state that it prunes only as far as it must, such as one of the heuristics of `MaxOf`.
template <class H, class P>
concept LazyHeuristicFor =
    EvaluatingHeuristicFor<H, P> &&
    requires(bound_t<H, P>& bound, typename bound_t<H, P>::Evaluation& evaluation, const state_t<P>& state,
             typename P::Move move, const estimate_t<H, P>& limit) {
        {
            bound.after_within(evaluation, evaluation, state, move, state, limit)
        } -> std::convertible_to<estimate_t<H, P>>;
    };

namespace detail {

template <class Range, class State>
inline constexpr bool is_state_range =
    is_iterable<const Range> && requires { requires std::convertible_to<element_t<const Range>, State>; };

/// Calls `use(bound)` with a heuristic as an engine would keep it.
template <class H, class P, class F>
decltype(auto) with_bound(H& heuristic, const P& problem, F&& use) {
    kept_t<H&, P> bound = make_bound_heuristic(heuristic, problem);
    return use(bound);
}

} // namespace detail
} // namespace npuzzle
