#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/engine/layer_search.hpp"
#include "npuzzle/search/engine/steps_as_moves.hpp"

#include <concepts>
#include <cstdint>
#include <utility>

namespace npuzzle {

namespace detail {

/// Breadth-first search for states that fit a word. The words in the order in which they were reached are both
/// the queue and what the search remembers.
template <PackedProblem P, class O>
class PackedBreadthFirst : public LayerSearch<P, AllLayers<P>, O, GoalsOf<P>> {
public:
    PackedBreadthFirst(const P& problem, const state_t<P>& start, const BasicLimits<int>& limits,
                       O&& observer)
        : PackedBreadthFirst::LayerSearch(problem, start, limits, std::forward<O>(observer), {&problem}) {}

    [[nodiscard]] search_result_t<P> result() const {
        return this->outcome(search_result_t<P>{}, [&](search_result_t<P>& result) {
            const auto& layers = this->layers_;
            const bool is_solved = this->status() == SearchStatus::solved;
            if (layers.stored() > 0 && this->status() != SearchStatus::running) {
                // The goal was reached last; else the state that was expanded last is the deepest.
                const std::uint64_t count = is_solved ? layers.stored() : this->statistics_.expanded;
                auto& path = is_solved ? result.path : result.partial_path;
                layers.retrace(count > 0 ? static_cast<std::uint32_t>(count - 1) : 0, path,
                               moves_of<P>(result));
                result.cost = static_cast<int>(path.size()) - 1;
            }
        });
    }
};

template <class Policy, Problem P, class O>
search_result_t<P> find_fewest_steps(const P& problem, const state_t<P>& start,
                                     const BasicLimits<int>& limits, O&& observer) {
    if constexpr (PackedProblem<P> && std::same_as<Policy, EarlyGoalTest>) {
        return run_engine<PackedBreadthFirst<P, O>>(problem, start, limits, std::forward<O>(observer));
    } else {
        return astar<Policy>(problem, start, Zero{}, limits, std::forward<O>(observer));
    }
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
    if constexpr (!is_weighted<P>) {
        return detail::find_fewest_steps<Policy>(problem, start, limits, std::forward<O>(observer));
    } else {
        return detail::in_costs_of(problem,
                                   detail::find_fewest_steps<Policy>(detail::UnitSteps<P>(problem), start,
                                                                     limits, std::forward<O>(observer)));
    }
}

/// The same of a start and callables, without a problem: see `problem_from`.
template <std::derived_from<DefaultPolicy> Policy = EarlyGoalTest, class S, class N, class G,
          class P = detail::called_problem_t<S, N, G>, class O = detail::default_observer_t<P, Zero, Policy>>
search_result_t<P> breadth_first(const S& start, N&& neighbors, G&& is_goal, BasicLimits<int> limits = {},
                                 O&& observer = O{}) {
    return breadth_first<Policy>(P(neighbors, is_goal), start, limits, std::forward<O>(observer));
}

} // namespace npuzzle
