#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/packed_breadth_first.hpp"
#include "npuzzle/search/kernel/unit_steps.hpp"

#include <new>
#include <optional>
#include <utility>

/// \file
/// Breadth-first search.

namespace npuzzle {

namespace detail {

/// Finds the cost and the moves of a path of a weighted problem: each step by the cheapest way there is.
template <Problem P>
void fill_costs(const P& problem, search_result_t<P>& result) {
    for (std::size_t i = 1; i < result.path.size(); ++i) {
        std::optional<cost_t<P>> least;
        const auto consider = [&](const state_t<P>& to, const cost_t<P>& cost) {
            const bool is_better =
                is_equal(to, result.path[i]) && !(cost < cost_t<P>{}) && (!least || cost < *least);
            if (is_better) {
                least = cost;
            }
            return is_better;
        };
        if constexpr (detail::has_moves<P>) {
            auto best = P::no_move;
            problem.for_each_move(result.path[i - 1], P::no_move, [&](move_t<P> move) {
                state_t<P> to = result.path[i - 1];
                problem.apply(to, move);
                if (consider(to, problem.move_cost(result.path[i - 1], move))) {
                    best = move;
                }
            });
            result.moves.push_back(best);
        } else {
            for (auto&& neighbor : problem.neighbors(result.path[i - 1])) {
                consider(neighbor.to, neighbor.cost);
            }
        }
        result.cost = saturating_add<cost_t<P>>(result.cost, *least);
    }
}

inline constexpr Policy with_early_goal_test{.early_goal_test = true};

template <Policy policy, Problem P, class O>
search_result_t<P> find_fewest_steps(const P& problem, const state_t<P>& start,
                                     const BasicLimits<int>& limits, O&& observer) {
    if constexpr (PackedProblem<P> && policy == with_early_goal_test) {
        return run_engine<PackedBreadthFirst<P, O>>(problem, start, limits, std::forward<O>(observer));
    } else {
        return astar<policy>(problem, start, Zero{}, limits, std::forward<O>(observer));
    }
}

} // namespace detail

/// Finds a path of the fewest steps by breadth-first search (Moore 1959), whatever steps cost. It ends as soon as a goal
/// is generated.
///
/// \param limits `max_cost` is the most steps
template <Policy policy = detail::with_early_goal_test, Problem P, class O = SilentObserver>
search_result_t<P> breadth_first(const P& problem, const detail::named_state_t<P>& start,
                                 BasicLimits<int> limits = {}, O&& observer = O{}) {
    if constexpr (!is_weighted<P>) {
        return detail::find_fewest_steps<policy>(problem, start, limits, std::forward<O>(observer));
    } else {
        auto found = detail::find_fewest_steps<policy>(detail::UnitSteps<P>(problem), start, limits,
                                                       std::forward<O>(observer));
        search_result_t<P> result;
        result.status = found.status;
        result.statistics = found.statistics;
        if (found) {
            try {
                result.path = std::move(found.path);
                detail::fill_costs(problem, result);
            } catch (const std::bad_alloc&) {
                result = {};
                result.status = Status::memory_limit;
                result.statistics = found.statistics;
            }
        }
        return result;
    }
}

} // namespace npuzzle
