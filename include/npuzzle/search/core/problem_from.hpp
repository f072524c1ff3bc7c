#pragma once

#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/result.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

/// \file
/// Problems made of callables, and the compiler's first message where a call lacks something.

namespace npuzzle {

/// The type of `problem_from`.
/// \tparam Neighbors, IsGoal reference types to refer to the callables
template <class S, class Neighbors, class IsGoal>
class FunctionProblem {
public:
    using State = S;

    constexpr FunctionProblem(Neighbors list_neighbors, IsGoal test_goal)
        : neighbors_(std::forward<Neighbors>(list_neighbors)), is_goal_(std::forward<IsGoal>(test_goal)) {
        // A number is a heuristic in its place.
        static_assert(
            !requires(const IsGoal& test, const State& state) {
                requires CostType<std::remove_cvref_t<decltype(test(state))>>;
            }, "is_goal, the last of the callables, gives a bool; write: "
               "[](const State& state) { return state == goal; }");
    }

    [[nodiscard]] constexpr decltype(auto) neighbors(const State& state) const
        requires std::invocable<const Neighbors&, const State&>
    {
        return neighbors_(state);
    }

    [[nodiscard]] constexpr bool is_goal(const State& state) const
        requires std::predicate<const IsGoal&, const State&>
    {
        return is_goal_(state);
    }

private:
    Neighbors neighbors_;
    IsGoal is_goal_;
};

/// A `Problem` of two callables:
/// \code
/// auto problem = problem_from<int>([](int x) { return std::vector{x + 1, 2 * x}; },
///                                  [](int x) { return x == 97; });
/// \endcode
/// Several searches are also called without it: `astar(start, neighbors, heuristic, is_goal)`.
template <class State, class Neighbors, class IsGoal>
[[nodiscard]] constexpr auto problem_from(Neighbors neighbors, IsGoal is_goal) {
    using Result = FunctionProblem<State, Neighbors, IsGoal>;
    static_assert(Problem<Result>,
                  "neighbors(state) must give a range of states, Edges or pairs, is_goal(state) a bool");
    return Result(std::move(neighbors), std::move(is_goal));
}

namespace detail {

template <class...>
inline constexpr bool never = false;

template <class R, class C, class A>
void takes_one(R (C::*)(A) const);
template <class R, class C, class A>
void takes_one(R (C::*)(A));
template <class R, class A>
void takes_one(R (*)(A));

/// Whether a type is meant for a problem: it has `State`, and a function that takes one, or both functions,
/// each for one argument. A call with another type may be meant for another function of the same name.
template <class P>
concept LikeProblem = requires(P& problem, const typename P::State& state) {
    problem.neighbors(state);
} || requires(P& problem, const typename P::State& state) { problem.is_goal(state); } || requires {
    takes_one(&P::neighbors);
    takes_one(&P::is_goal);
};

/// Fails to compile if `P` is no problem; the message ends with what to write. So do the others.
template <class P>
constexpr void explain_problem() {
    if constexpr (!requires { typename P::State; }) {
        static_assert(never<P>, "a problem names the type of its states; write: using State = ...;");
    } else if constexpr (!std::copyable<state_t<P>> || !std::equality_comparable<state_t<P>>) {
        static_assert(never<P>, "states are copied and compared; write: "
                                "bool operator==(const State&) const = default;");
    } else if constexpr (!requires { typename neighbors_t<P>; }) {
        static_assert(never<P>, "a problem has a public function neighbors, spelled so and const; write: "
                                "std::vector<State> neighbors(const State&) const;");
    } else if constexpr (!is_neighbor_range<std::remove_reference_t<neighbors_t<P>>, state_t<P>>) {
        static_assert(never<P>, "neighbors gives a range of states, or of edges with costs; write: "
                                "std::vector<npuzzle::Edge<State, int>> neighbors(const State&) const;");
    } else {
        static_assert(Problem<P>, "a problem has a public function is_goal, spelled so, const, and giving a "
                                  "bool; write: bool is_goal(const State&) const;");
    }
}

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

template <class P>
constexpr void explain_missing_heuristic() {
    static_assert(never<P>, "a heuristic is missing after the start, which may be zero; write: "
                            "(problem, start, npuzzle::Zero{})");
}

template <class P, class H, bool is_hashed>
constexpr bool explain_call() {
    if constexpr (Problem<P>) {
        static_assert(HeuristicFor<H, P>,
                      "a heuristic is called with a state, or has a bind(problem) whose value is; it gives a "
                      "number like the costs, and is const or can be copied; write: "
                      "int operator()(const State&) const;");
        if constexpr (is_hashed && HeuristicFor<H, P>) explain_hash<P>();
    } else if constexpr (LikeProblem<P>) {
        explain_problem<P>();
    }
    return true;
}

/// The observer of a search that nobody watches. A default template argument is looked up before constraints,
/// whose failure the compiler would explain at length.
template <class P, class H, bool is_hashed>
struct silent_observer {
    static_assert(explain_call<P, H, is_hashed>());
    using type = SilentObserver;
};

/// \tparam H the heuristic, if the search has one
/// \tparam is_hashed whether the search hashes states
template <class P, class H = Zero, bool is_hashed = false>
using silent_observer_t = typename silent_observer<P, H, is_hashed>::type;

template <class F, class S>
using called_t = decltype(std::declval<F&>()(std::declval<const S&>()));

template <class F, class S>
inline constexpr bool is_like_function = std::invocable<F&, const S&> || requires { &F::operator(); } ||
                                         std::is_function_v<std::remove_pointer_t<F>>;

/// Whether a call is meant to begin with a start and callables. What gives a cost, no bool, is no goal test.
template <class S, class N, class G>
inline constexpr bool are_like_callables = requires {
    requires !LikeProblem<S>; // first: a heuristic must not be called with a problem
    requires is_like_function<N, S> && is_like_function<G, S>;
    requires !requires {
        requires CostType<std::remove_cvref_t<called_t<G, S>>> && !std::convertible_to<called_t<G, S>, bool>;
    };
};

template <class N, class S>
using listed_t = neighbor_traits<element_t<std::remove_reference_t<called_t<N, S>>>, S>;

/// Whether `neighbors` lists states of the type of the start; a number must not lose digits.
template <class N, class S>
inline constexpr bool lists_states = requires {
    requires listed_t<N, S>::is_neighbor;
    requires !std::is_arithmetic_v<S> || requires { S{std::declval<typename listed_t<N, S>::To>()}; };
};

template <class S, class N, class G>
struct called_problem {};

template <class S, class N, class G>
    requires are_like_callables<S, N, G>
struct called_problem<S, N, G> {
    using type = FunctionProblem<S, N&, G&>;
    static_assert(lists_states<N, S>,
                  "neighbors is called with a state, of the type of the start, and gives a range of such "
                  "states, or of pairs of one and a cost; write: "
                  "[](const State& state) { return std::vector<State>{}; }");
    static_assert(!lists_states<N, S> || std::predicate<G&, const S&>,
                  "is_goal is called with a state, of the type of the start, and gives a bool; so is a "
                  "heuristic; write: [](const State& state) { return state == goal; }");
};

/// The problem of a call with callables, to which it refers.
template <class S, class N, class G>
using called_problem_t =
    typename called_problem<std::decay_t<S>, std::remove_reference_t<N>, std::remove_reference_t<G>>::type;

} // namespace detail
} // namespace npuzzle
