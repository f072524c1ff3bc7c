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
std::remove_cvref_t<A>* argument_of(R (C::*)(A) const);
template <class R, class C, class A>
std::remove_cvref_t<A>* argument_of(R (C::*)(A));
template <class R, class A>
std::remove_cvref_t<A>* argument_of(R (*)(A));

/// Whether a type is meant for a problem: it has `State` with one of the two functions, or both for one type.
/// Other types are left alone: a call may be meant for another function of the same name, and a state may have
/// members of these names, though hardly for another type.
template <class P>
concept LikeProblem = requires(P& problem, const typename P::State& state) {
    problem.neighbors(state);
} || requires(P& problem, const typename P::State& state) { problem.is_goal(state); } || requires {
    typename P::State;
    argument_of(&P::neighbors);
} || requires {
    typename P::State;
    argument_of(&P::is_goal);
} || requires {
    requires std::same_as<decltype(argument_of(&P::neighbors)), decltype(argument_of(&P::is_goal))>;
};

/// Fails to compile, with what to write as its message, where a problem is none. Each message ends with that.
template <class P>
constexpr void explain_problem() {
    if constexpr (!requires { typename P::State; }) {
        static_assert(never<P>, "a problem names the type of its states; write: using State = ...;");
    } else if constexpr (!std::equality_comparable<state_t<P>>) {
        static_assert(never<P>, "states are compared; write: bool operator==(const State&) const = default;");
    } else if constexpr (!std::copyable<state_t<P>>) {
        static_assert(never<P>, "states are copied; write: State& operator=(const State&) = default;");
    } else if constexpr (!requires(P& problem, const state_t<P>& state) { problem.neighbors(state); }) {
        static_assert(never<P>, "a problem has a public function neighbors, spelled so; write: "
                                "std::vector<State> neighbors(const State&) const;");
    } else if constexpr (!requires { typename neighbors_t<P>; }) {
        static_assert(never<P>, "neighbors is called on a constant problem; write: "
                                "std::vector<State> neighbors(const State&) const;");
    } else if constexpr (!is_neighbor_range<std::remove_reference_t<neighbors_t<P>>, state_t<P>>) {
        static_assert(never<P>, "neighbors gives a range of states, or of edges with costs; write: "
                                "std::vector<npuzzle::Edge<State, int>> neighbors(const State&) const;");
    } else if constexpr (!requires(P& problem, const state_t<P>& state) { problem.is_goal(state); }) {
        static_assert(never<P>, "a problem has a public function is_goal, spelled so; write: "
                                "bool is_goal(const State&) const;");
    } else {
        static_assert(Problem<P>, "is_goal is called on a constant problem, and gives a bool; write: "
                                  "bool is_goal(const State&) const;");
    }
}

/// The same for a heuristic for the states of a problem.
template <Problem P, class H>
constexpr void explain_heuristic() {
    if constexpr (!std::invocable<bound_t<H, P>&, const state_t<P>&>) {
        static_assert(never<P, H>,
                      "a heuristic is called with a state, or has a bind(problem) whose value is; "
                      "write: int operator()(const State&) const;");
    } else if constexpr (!requires { typename estimate_t<H, P>; }) {
        static_assert(never<P, H>, "the value of a heuristic is a number like the costs; write: "
                                   "int operator()(const State&) const;");
    } else {
        static_assert(HeuristicFor<H, P>, "a constant heuristic is called as it is, or copied; write: "
                                          "int operator()(const State&) const;");
    }
}

/// The same for the hash of a problem's states.
template <Problem P>
constexpr void explain_hash() {
    static_assert(!PrunesMoves<P>,
                  "moves are pruned by the path to a state, of which this search keeps one: search the "
                  "problem with all moves, such as the map of JumpPoints, or by another search; write: "
                  "ida_star(problem, start, heuristic)");
    static_assert(PrunesMoves<P> || HasHash<P>,
                  "states are hashed: a struct of one to eight public members by these, others by a "
                  "function beside them; write: friend std::size_t hash_value(const State&);");
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

template <class F, class S>
using called_t = decltype(std::declval<F&>()(std::declval<const S&>()));

/// Whether a type is meant to be called with a state.
template <class F, class S>
inline constexpr bool is_like_function = std::invocable<F&, const S&> || requires { &F::operator(); } ||
                                         std::is_function_v<std::remove_pointer_t<F>>;

/// Whether a call is meant to begin with a start and callables, and not with a problem. What gives a cost,
/// and no bool, is no goal test.
template <class S, class N, class G>
inline constexpr bool are_like_callables = requires {
    // In this order: a heuristic must not be called with a problem.
    requires !LikeProblem<S>;
    requires is_like_function<N, S>;
    requires is_like_function<G, S>;
    requires !requires {
        requires CostType<std::remove_cvref_t<called_t<G, S>>> && !std::convertible_to<called_t<G, S>, bool>;
    };
};

/// The same for the callables of a call without a problem. What is not called with a state may be a heuristic
/// as well, where the call has both.
template <class S, class N, class G>
constexpr bool explain_callables() {
    if constexpr (!std::copyable<S> || !std::equality_comparable<S>) {
        static_assert(never<S>, "states are copied and compared; write: "
                                "bool operator==(const State&) const = default;");
    } else if constexpr (!std::invocable<N&, const S&>) {
        static_assert(never<N>, "neighbors is called with a state, of the type of the start; write: "
                                "[](const State& state) { return std::vector<State>{}; }");
    } else if constexpr (!requires { typename element_t<std::remove_reference_t<called_t<N, S>>>; }) {
        static_assert(never<N>,
                      "neighbors gives a range of states, or of pairs of a state and a cost; write: "
                      "[](const State& state) { return std::vector<State>{}; }");
    } else {
        using Neighbor = neighbor_traits<element_t<std::remove_reference_t<called_t<N, S>>>, S>;
        // A number must not lose digits.
        constexpr bool lists_states =
            Neighbor::is_neighbor &&
            (!std::is_arithmetic_v<S> || requires(typename Neighbor::To end) { S{end}; });
        static_assert(lists_states || !std::convertible_to<S, typename Neighbor::To>,
                      "a start is of the type of the states that neighbors gives; write: State(start)");
        static_assert(lists_states || std::convertible_to<S, typename Neighbor::To>,
                      "neighbors gives a range of states, or of pairs of a state and a cost; write: "
                      "[](const State& state) { return std::vector<State>{}; }");
        static_assert(!lists_states || std::invocable<G&, const S&>,
                      "a heuristic and is_goal are called with a state, of the type of the start; "
                      "write: [](const State& state) { return state == goal; }");
        static_assert(!lists_states || !std::invocable<G&, const S&> || std::predicate<G&, const S&>,
                      "is_goal gives a bool; write: [](const State& state) { return state == goal; }");
    }
    return true;
}

/// Explains what is wrong with a call, if anything is.
template <class P, class H, bool is_hashed>
constexpr bool explain_call() {
    if constexpr (Problem<P>) {
        if constexpr (!HeuristicFor<H, P>) {
            explain_heuristic<P, H>();
        } else if constexpr (is_hashed && !HasHash<P>) {
            explain_hash<P>();
        }
    } else if constexpr (LikeProblem<P>) {
        explain_problem<P>();
    }
    return true;
}

/// The observer of a search that nobody watches. As the default of a template argument it is looked up before
/// the constraints of a call are, whose failure the compiler would explain at length.
template <class P, class H, bool is_hashed>
struct silent_observer {
    static_assert(explain_call<P, H, is_hashed>());
    using type = SilentObserver;
};

/// \tparam H the heuristic, if the search has one
/// \tparam is_hashed whether the search hashes states
template <class P, class H = Zero, bool is_hashed = false>
using silent_observer_t = typename silent_observer<P, H, is_hashed>::type;

} // namespace npuzzle::detail
