#pragma once

#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/problem.hpp"

#include <concepts>
#include <type_traits>

/// \file
/// What to write where a problem or a heuristic misses something: the compiler's first message.

namespace npuzzle::detail {

template <class...>
inline constexpr bool never = false;

/// Whether a type is meant for a problem. Other types are left alone: a call may be meant for another function
/// of the same name.
template <class P>
concept LikeProblem =
    requires { typename P::State; } || requires { &P::neighbors; } || requires { &P::is_goal; };

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

/// The same for the hash of a problem's states.
template <Problem P>
constexpr bool explain_hash() {
    static_assert(HasHash<P> || never<P>, "states are hashed, by a function beside them; write: "
                                          "friend std::size_t hash_value(const State&);");
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
