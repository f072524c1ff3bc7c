#pragma once

#include "npuzzle/search/core/problem.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

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
                requires std::is_arithmetic_v<std::remove_cvref_t<decltype(test(state))>>;
                requires !std::same_as<std::remove_cvref_t<decltype(test(state))>, bool>;
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

/// A `Problem` of two callables, `neighbors(state)` (a range of states, of `Edge`s or of pairs of a state and
/// a cost) and `is_goal(state)`:
/// \code
/// auto problem = problem_from<int>([](int x) { return std::vector{x + 1, 2 * x}; },
///                                  [](int x) { return x == 97; });
/// \endcode
/// For `astar`, `dijkstra`, `breadth_first`, `weighted_astar`, `greedy_best_first`, `ida_star` and
/// `k_shortest_paths` it need not be made: they are also called with a start and the callables, such as
/// `astar(start, neighbors, heuristic, is_goal)`, and whatever follows the heuristic otherwise. The states
/// are of the type of the start.
template <class State, class Neighbors, class IsGoal>
[[nodiscard]] constexpr auto problem_from(Neighbors neighbors, IsGoal is_goal) {
    using Result = FunctionProblem<State, Neighbors, IsGoal>;
    static_assert(Problem<Result>,
                  "neighbors(state) must give a range of states, Edges or pairs, is_goal(state) a bool");
    return Result(std::move(neighbors), std::move(is_goal));
}

} // namespace npuzzle
