#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/engine/steps_as_moves.hpp"
#include "npuzzle/search/layers.hpp"

#include <concepts>
#include <cstdint>
#include <utility>

namespace npuzzle {

namespace detail {

/// Breadth-first search on packed states. The words in the order in which they were reached are both the
/// queue and the closed list.
template <PackedProblem P, class O>
search_result_t<P> packed_breadth_first(const P& problem, const state_t<P>& start,
                                        const BasicLimits<int>& limits, O&& observer) {
    const auto is_goal = [&](const state_t<P>& state) { return bool(problem.is_goal(state)); };
    return guarded_search([&] {
        LayerSearch<P, AllLayers<P>, O, decltype(is_goal)> search(problem, start, limits,
                                                                  std::forward<O>(observer), is_goal);
        const bool is_solved = search.run() == SearchStatus::solved;
        return search.outcome(search_result_t<P>{}, [&](search_result_t<P>& result) {
            if (search.layers.stored() > 0) {
                // The goal was reached last; else the state that was expanded last is the deepest.
                const std::uint64_t count = is_solved ? search.layers.stored() : search.statistics_.expanded;
                auto& path = is_solved ? result.path : result.partial_path;
                search.layers.retrace(count > 0 ? static_cast<std::uint32_t>(count - 1) : 0, path,
                                      moves_of<P>(result));
                result.cost = static_cast<int>(path.size()) - 1;
            }
        });
    });
}

} // namespace detail

/// Finds a path of the fewest steps by breadth-first search (Moore 1959), whatever steps cost. It ends as
/// soon as a goal is generated.
///
/// \param limits `max_cost` is the most steps
template <std::derived_from<DefaultPolicy> Policy = EarlyGoalTest, Problem P,
          class O = detail::silent_observer_t<P, Zero, !PackedProblem<P> && detail::hashes_states<P, Policy>>>
search_result_t<P> breadth_first(const P& problem, const detail::named_state_t<P>& start,
                                 BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::in_unit_steps(problem, [&]<class Q>(const Q& steps) {
        if constexpr (PackedProblem<Q> && std::same_as<Policy, EarlyGoalTest>) {
            return detail::packed_breadth_first(steps, start, limits, std::forward<O>(observer));
        } else {
            return astar<Policy>(steps, start, Zero{}, limits, std::forward<O>(observer));
        }
    });
}

/// The same of a start and callables, without a problem: see `problem_from`.
template <std::derived_from<DefaultPolicy> Policy = EarlyGoalTest, class S, class N, class G,
          class P = detail::called_problem_t<S, N, G>, class O = detail::default_observer_t<P, Zero, Policy>>
search_result_t<P> breadth_first(const S& start, N&& neighbors, G&& is_goal, BasicLimits<int> limits = {},
                                 O&& observer = O{}) {
    return breadth_first<Policy>(P(neighbors, is_goal), start, limits, std::forward<O>(observer));
}

} // namespace npuzzle
