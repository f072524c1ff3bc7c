#pragma once

#include "npuzzle/search/core/problem.hpp"

#include <concepts>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

/// \file
/// Heuristics: any callable that estimates what is left to pay from a state to the nearest goal.

namespace npuzzle {

/// The heuristic that is 0 everywhere, in the cost type of the problem. With it, A* is Dijkstra's algorithm.
struct Zero {
    static constexpr bool is_consistent = true;

    template <class State>
    constexpr int operator()(const State&) const {
        return 0;
    }
};

/// Optional capability: a heuristic that needs its problem (the goal, the size of a board) has
/// `bind(problem)`. It returns the callable that the search then uses. So `astar(puzzle, start, Manhattan{})`
/// follows the goal of the puzzle.
template <class H, class P>
concept BindsTo =
    requires(const std::remove_cvref_t<H>& heuristic, const P& problem) { heuristic.bind(problem); };

/// The callable that `astar` uses for a heuristic: `heuristic.bind(problem)` where there is one, else a copy
/// of it.
template <class H, class P>
[[nodiscard]] constexpr auto bind_heuristic(const H& heuristic, const P& problem) {
    if constexpr (BindsTo<H, P>) {
        return heuristic.bind(problem);
    } else {
        return heuristic;
    }
}

namespace detail {

template <class H, class P>
struct bound {
    using type = std::remove_cvref_t<H>;
};

template <class H, class P>
    requires BindsTo<H, P>
struct bound<H, P> {
    using type = std::remove_cvref_t<decltype(std::declval<const std::remove_cvref_t<H>&>().bind(
        std::declval<const P&>()))>;
};

} // namespace detail

/// What a search calls: the heuristic itself, or what its `bind` made for the problem.
template <class H, class P>
using bound_t = typename detail::bound<H, P>::type;

namespace detail {

template <class B, class P>
using value_t = std::remove_cvref_t<decltype(std::declval<B&>()(std::declval<const state_t<P>&>()))>;

/// The type of g + h for what a heuristic was bound to, if there is one.
template <class B, class P>
struct estimate {};

template <class B, class P>
    requires requires { typename value_t<B, P>; }
struct estimate<B, P> : std::conditional_t<std::is_same_v<B, Zero>, std::type_identity<cost_t<P>>,
                                           std::common_type<cost_t<P>, value_t<B, P>>> {};

/// Calls `use(bound)` with what a search would call: `heuristic.bind(problem)`, else the heuristic itself, or
/// a copy of it if it cannot be called as it is.
template <class H, class P, class F>
decltype(auto) with_bound(H& heuristic, const P& problem, F&& use) {
    if constexpr (!BindsTo<H, P> && std::invocable<H&, const state_t<P>&>) {
        return use(heuristic);
    } else {
        auto bound = bind_heuristic(heuristic, problem);
        return use(bound);
    }
}

} // namespace detail

/// The type of g + h: the common type of the problem's costs and the heuristic's values.
template <class H, class P>
using estimate_t = typename detail::estimate<bound_t<H, P>, P>::type;

/// A heuristic for the states of a problem: callable with a state, once it is bound to the problem if it
/// `BindsTo` it. Its value can be added to a cost.
/// - Admissible: it never exceeds the true cost to the nearest goal. Then A* is optimal.
/// - Consistent: along a step, it falls by no more than the cost of the step. Then A* expands no state twice.
/// A heuristic may declare `static constexpr bool is_consistent = true`; debug builds then check each step.
/// - An infinite floating-point value says that no goal can be reached from the state. Values of other types
///   cannot say so, unless the heuristic `declares_dead_ends`.
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
/// of patterns, or sums by kind. `Evaluation`, which is trivially copyable, holds all that is needed of a
/// state:
/// \code
/// Evaluation evaluate(const State&);                                                 // from scratch
/// Evaluation after(const Evaluation&, const State& before, Move, const State& after); // the same, faster
/// Value value(const Evaluation&);                                                    // what is left to pay
/// \endcode
/// and a call gives `value(evaluate(state))`. `ida_star` carries the evaluation from move to move. `AStar`
/// makes an evaluation of each state that it expands, and keeps only values. A heuristic may have both
/// capabilities: `ida_star` then uses evaluations, and `AStar`, which has a value at hand for each state,
/// uses values.
///
/// A heuristic that lacks one of these still works, but is slower. `static_assert` this concept for it, and
/// the compiler says what is missing.
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

/// Optional capability of an evaluating heuristic: `after_within(result, evaluation, before, move, after,
/// limit)` gives the value in the state `after`, and stores its evaluation in `result`. If the value is more
/// than `limit`, it may give any number that is more than `limit` and not more than the value, and leave
/// `result` as it is. So the greatest of several heuristics need not ask all of them: `LazyMaxOf`.
/// Enables: `ida_star` with unit costs evaluates a state that it prunes only as far as it must. It still
/// visits the same states.
template <class H, class P>
concept LazyHeuristicFor =
    EvaluatingHeuristicFor<H, P> &&
    requires(bound_t<H, P>& bound, typename bound_t<H, P>::Evaluation& evaluation, const state_t<P>& state,
             typename P::Move move, const estimate_t<H, P>& limit) {
        {
            bound.after_within(evaluation, evaluation, state, move, state, limit)
        } -> std::convertible_to<estimate_t<H, P>>;
    };

/// Optional capability: the heuristic lists the moves of a state by how they change f = g + h, without making
/// them; an operator selection function (Felner, Goldenberg, Sharon, Stern, Beja, Sturtevant, Schaeffer,
/// Holte, "Partial-expansion A* with selective node generation", AAAI 2012). `for_each_move_of_change(state,
/// last, change, visit)` calls `visit(move)` for each move but the one that takes back `last` (`no_move`:
/// there is none) by which f changes by exactly `change`; if `change` is zero, by zero or less. It returns
/// the least change that is more than `change`, if there is a move of it. Moves to states from which no goal
/// can be reached may be left out. Enables: `partial_expansion_astar` makes no move before its turn.
///
/// For integers only: a sum of rounded numbers does not tell its parts.
template <class H, class P>
concept SelectingHeuristicFor = MoveProblem<P> && HeuristicFor<H, P> && std::integral<estimate_t<H, P>> &&
                                requires(bound_t<H, P>& bound, const state_t<P>& state, typename P::Move last,
                                         const estimate_t<H, P>& change) {
                                    {
                                        bound.for_each_move_of_change(state, last, change, detail::Sink{})
                                    } -> std::convertible_to<std::optional<estimate_t<H, P>>>;
                                };

/// Whether a heuristic declares itself consistent.
template <class H>
inline constexpr bool declares_consistent =
    requires { requires bool(std::remove_cvref_t<H>::is_consistent); };

/// Whether a heuristic declares `static constexpr bool marks_dead_ends = true`: the greatest value of its type
/// says that no goal can be reached from a state. Without it, the greatest integer is a number like any other.
/// If the heuristic has `bind`, what that returns declares it.
template <class H>
inline constexpr bool declares_dead_ends =
    requires { requires bool(std::remove_cvref_t<H>::marks_dead_ends); };

/// Whether a heuristic declares `static constexpr bool is_zero_at_goals = true`: it promises a value of zero,
/// or less, for each goal, so that `ida_star` need not ask `is_goal` of a state whose value is more. A debug
/// build checks it; in any other, a goal with a greater value is passed by.
template <class H>
inline constexpr bool declares_zero_at_goals =
    requires { requires bool(std::remove_cvref_t<H>::is_zero_at_goals); };

/// Whether a heuristic declares `static constexpr bool waits_for_memory = true`: its look-ups go to tables
/// larger than the cache. `ida_star` then evaluates all children of a state before it visits the first, so
/// that their look-ups overlap. It does so if costs are unit costs, the problem has a `move_count`, and the
/// heuristic has evaluations that are small and not lazy. It visits the same states in either case.
template <class H>
inline constexpr bool declares_waits_for_memory =
    requires { requires bool(std::remove_cvref_t<H>::waits_for_memory); };

/// Declares `marks_dead_ends` for a lambda, which cannot do so itself: `MarksDeadEnds{[](const State& state) {
/// ... return std::numeric_limits<int>::max(); }}`.
/// \tparam H a class that can be derived from: a lambda, or a function object
template <class H>
struct MarksDeadEnds : H {
    static constexpr bool marks_dead_ends = true;

    /// What the heuristic is bound to, declared as well. \throws what binding the heuristic throws
    template <class P>
        requires BindsTo<H, P>
    [[nodiscard]] constexpr auto bind(const P& problem) const {
        return MarksDeadEnds<bound_t<H, P>>{H::bind(problem)};
    }
};

template <class H>
MarksDeadEnds(H) -> MarksDeadEnds<H>;

/// Declares a heuristic to be consistent and changes nothing else, like `MarksDeadEnds`:
/// `weighted_astar(map, start, Consistent{[](const Cell& cell) { ... }}, {.weight = 2})`. The declaration is
/// not checked for all states: see `verify_consistency`.
template <class H>
struct Consistent : H {
    static constexpr bool is_consistent = true;

    /// What the heuristic is bound to, declared as well. \throws what binding the heuristic throws
    template <class P>
        requires BindsTo<H, P>
    [[nodiscard]] constexpr auto bind(const P& problem) const {
        return Consistent<bound_t<H, P>>{H::bind(problem)};
    }
};

template <class H>
Consistent(H) -> Consistent<H>;

namespace detail {

/// Whether an estimate of a heuristic can say that no goal can be reached.
template <class B, class Estimate>
inline constexpr bool has_dead_ends = std::numeric_limits<Estimate>::has_infinity || declares_dead_ends<B>;

/// Converts a value of a heuristic. In a wider type, only dead ends are infinite.
template <class To, class B, class From>
[[nodiscard]] constexpr To convert_value(const From& value) {
    if constexpr (declares_dead_ends<B>) {
        return saturating_cast<To>(value);
    } else {
        return clamping_cast<To>(value);
    }
}

/// Whether a heuristic evaluates some of its parts from scratch even after a move. `ida_star` still follows
/// its moves; `AStar` evaluates only new states instead.
template <class B>
inline constexpr bool calls_parts_anew = requires { requires bool(B::calls_parts_anew); };

} // namespace detail

} // namespace npuzzle
