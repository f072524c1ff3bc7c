#pragma once

#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/observer.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

/// \file
/// What to write where a problem or a heuristic misses something: the compiler's first message.

namespace npuzzle::detail {

template <class...>
inline constexpr bool never = false;

template <class R, class C, class A>
std::type_identity<std::remove_cvref_t<A>> argument_of(R (C::*)(A) const);
template <class R, class C, class A>
std::type_identity<std::remove_cvref_t<A>> argument_of(R (C::*)(A));
template <class R, class A>
std::type_identity<std::remove_cvref_t<A>> argument_of(R (*)(A));

template <class P>
concept NamesNeighbors = requires { argument_of(&P::neighbors); };

template <class P>
concept NamesIsGoal = requires { argument_of(&P::is_goal); };

/// Whether a type is meant for a problem. Other types are left alone: a call may be meant for another
/// function of the same name, and a state may have members of these names, though hardly for another type.
template <class P>
concept LikeProblem =
    HasNeighbors<P> || HasGoalTest<P> ||
    (requires { typename P::State; } && (NamesNeighbors<P> || NamesIsGoal<P>)) ||
    (NamesNeighbors<P> && NamesIsGoal<P> && requires {
        requires std::same_as<decltype(argument_of(&P::neighbors)), decltype(argument_of(&P::is_goal))>;
    });

template <class P>
concept AnswersNeighbors = requires(P& problem, const typename P::State& state) { problem.neighbors(state); };

template <class P>
concept AnswersIsGoal = requires(P& problem, const typename P::State& state) { problem.is_goal(state); };

/// Fails to compile, with what to write as its message. Each message ends with that.
template <LikeProblem P>
constexpr bool explain_problem() {
    if constexpr (!requires { typename P::State; }) {
        static_assert(never<P>, "a problem names the type of its states; write: using State = ...;");
    } else if constexpr (!std::equality_comparable<typename P::State>) {
        static_assert(never<P>, "states are compared; write: bool operator==(const State&) const = default;");
    } else if constexpr (!HasState<P>) {
        static_assert(never<P>, "states are copied; write: State& operator=(const State&) = default;");
    } else if constexpr (!AnswersNeighbors<P>) {
        static_assert(never<P>, "a problem has a public function neighbors, spelled so; write: "
                                "std::vector<State> neighbors(const State&) const;");
    } else if constexpr (!AnswersNeighbors<const P>) {
        static_assert(never<P>, "neighbors is called on a constant problem; write: "
                                "std::vector<State> neighbors(const State&) const;");
    } else if constexpr (!HasNeighbors<P>) {
        static_assert(never<P>, "neighbors gives a range of states, or of edges with costs; write: "
                                "std::vector<npuzzle::Edge<State, int>> neighbors(const State&) const;");
    } else if constexpr (!AnswersIsGoal<P>) {
        static_assert(never<P>, "a problem has a public function is_goal, spelled so; write: "
                                "bool is_goal(const State&) const;");
    } else if constexpr (!HasGoalTest<P>) {
        static_assert(never<P>, "is_goal is called on a constant problem, and gives a bool; write: "
                                "bool is_goal(const State&) const;");
    }
    return true;
}

/// The same for a heuristic for the states of a problem.
template <Problem P, class H>
constexpr bool explain_heuristic() {
    if constexpr (!std::invocable<bound_t<H, P>&, const state_t<P>&>) {
        static_assert(never<P, H>,
                      "a heuristic is called with a state, or has a bind(problem) whose value is; "
                      "write: int operator()(const State&) const;");
    } else if constexpr (!requires { typename estimate<bound_t<H, P>, P>::type; }) {
        static_assert(never<P, H>, "the value of a heuristic is a number like the costs; write: "
                                   "int operator()(const State&) const;");
    } else if constexpr (!HeuristicFor<H, P>) {
        static_assert(never<P, H>, "a constant heuristic is called as it is, or copied; write: "
                                   "int operator()(const State&) const;");
    }
    return true;
}

/// The same for a call of a problem and a start alone.
template <class P>
constexpr void explain_missing_heuristic() {
    static_assert(never<P>, "a heuristic is missing after the start, which may be zero; write: "
                            "(problem, start, npuzzle::Zero{})");
}

/// The same for a call of a start and two callables.
template <class S>
constexpr void explain_missing_callable() {
    static_assert(never<S>, "a heuristic or is_goal is missing after neighbors; write: "
                            "(start, neighbors, npuzzle::Zero{}, is_goal)");
}

/// The same for the hash of a problem's states.
template <Problem P>
constexpr bool explain_hash() {
    if constexpr (PrunesMoves<P>) {
        static_assert(never<P>,
                      "moves are pruned by the path to a state, of which this search keeps one: search the "
                      "problem with all moves, such as the map of JumpPoints, or by another search; write: "
                      "ida_star(problem, start, heuristic)");
    } else {
        static_assert(HasHash<P> || never<P>,
                      "states are hashed: a struct of one to eight public members by these, others by a "
                      "function beside them; write: friend std::size_t hash_value(const State&);");
    }
    return true;
}

template <class F, class S>
concept CalledWith = requires(F& f, const S& state) { f(state); };

template <class F, class S>
using called_t = decltype(std::declval<F&>()(std::declval<const S&>()));

/// Whether a type is meant to be called with a state.
template <class F, class S>
concept LikeFunction =
    CalledWith<F, S> || requires { &F::operator(); } || std::is_function_v<std::remove_pointer_t<F>>;

/// Whether it may be a goal test: not if its value is a cost, and no bool.
template <class G, class S>
concept LikeGoalTest = LikeFunction<G, S> && !requires {
    requires CostType<std::remove_cvref_t<called_t<G, S>>> && !std::convertible_to<called_t<G, S>, bool>;
};

/// Whether a call is meant to begin with a start and callables, and not with a problem.
template <class S, class N, class G>
concept LikeCallables = !LikeProblem<S> && LikeFunction<N, S> && LikeGoalTest<G, S>;

/// What an element of `neighbors` leads to.
template <class Element>
struct end_of_element {
    using type = Element;
};

template <class To, class C>
struct end_of_element<Edge<To, C>> {
    using type = To;
};

template <class To, class C>
struct end_of_element<std::pair<To, C>> {
    using type = To;
};

template <class N, class S>
using listed_t = element_t<std::remove_reference_t<called_t<N, S>>>;

/// Whether callables list states of the type of the start. A number must not lose digits.
template <class N, class S>
concept ListsStates =
    neighbor_traits<listed_t<N, S>, S>::is_neighbor &&
    (!std::is_arithmetic_v<S> || requires(typename end_of_element<listed_t<N, S>>::type end) { S{end}; });

/// The same for the callables of a call without a problem. What is not called with a state may be a heuristic
/// as well, where the call has both.
template <class S, class N, class G>
constexpr bool explain_callables() {
    if constexpr (!std::copyable<S> || !std::equality_comparable<S>) {
        static_assert(never<S>, "states are copied and compared; write: "
                                "bool operator==(const State&) const = default;");
    } else if constexpr (!CalledWith<N, S>) {
        static_assert(never<N>, "neighbors is called with a state, of the type of the start; write: "
                                "[](const State& state) { return std::vector<State>{}; }");
    } else if constexpr (!requires { typename listed_t<N, S>; }) {
        static_assert(never<N>,
                      "neighbors gives a range of states, or of pairs of a state and a cost; write: "
                      "[](const State& state) { return std::vector<State>{}; }");
    } else if constexpr (!ListsStates<N, S>) {
        static_assert(!std::convertible_to<S, typename end_of_element<listed_t<N, S>>::type> || never<N>,
                      "a start is of the type of the states that neighbors gives; write: State(start)");
        static_assert(never<N>,
                      "neighbors gives a range of states, or of pairs of a state and a cost; write: "
                      "[](const State& state) { return std::vector<State>{}; }");
    } else if constexpr (!CalledWith<G, S>) {
        static_assert(never<G>, "a heuristic and is_goal are called with a state, of the type of the start; "
                                "write: [](const State& state) { return state == goal; }");
    } else if constexpr (!std::convertible_to<called_t<G, S>, bool>) {
        static_assert(never<G>,
                      "is_goal gives a bool; write: [](const State& state) { return state == goal; }");
    }
    return true;
}

/// The observer of a search that nobody watches. As the default of a template argument it is looked up before
/// the constraints of a call are, whose failure the compiler would explain at length.
template <class P, class H, bool is_hashed>
struct silent_observer {
    using type = SilentObserver;
};

template <LikeProblem P, class H, bool is_hashed>
    requires(!Problem<P>)
struct silent_observer<P, H, is_hashed> {
    using type = SilentObserver;
    static_assert(explain_problem<P>());
};

template <Problem P, class H, bool is_hashed>
    requires(!HeuristicFor<H, P>)
struct silent_observer<P, H, is_hashed> {
    using type = SilentObserver;
    static_assert(explain_heuristic<P, H>());
};

template <Problem P, class H>
    requires(HeuristicFor<H, P> && !HasHash<P>)
struct silent_observer<P, H, true> {
    using type = SilentObserver;
    static_assert(explain_hash<P>());
};

/// \tparam H the heuristic, if the search has one
/// \tparam is_hashed whether the search hashes states
template <class P, class H = Zero, bool is_hashed = false>
using silent_observer_t = typename silent_observer<P, H, is_hashed>::type;

} // namespace npuzzle::detail
