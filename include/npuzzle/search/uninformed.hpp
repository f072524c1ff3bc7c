#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/best_first_engine.hpp"
#include "npuzzle/search/cost.hpp"
#include "npuzzle/search/depth_first_engine.hpp"
#include "npuzzle/search/detail/packed_breadth_first.hpp"
#include "npuzzle/search/detail/unit_steps.hpp"
#include "npuzzle/search/hash.hpp"
#include "npuzzle/search/heuristic.hpp"
#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/observer.hpp"
#include "npuzzle/search/policy.hpp"
#include "npuzzle/search/problem.hpp"
#include "npuzzle/search/result.hpp"
#include "npuzzle/search/with_goals.hpp"

#include <concepts>
#include <cstddef>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Searches that ask for no heuristic.

namespace npuzzle {

/// Finds a cheapest path by Dijkstra's algorithm (1959): A* with no estimate.
template <Policy policy = Policy{}, Problem P, class O = SilentObserver>
detail::search_result_t<P> dijkstra(const P& problem, const detail::named_state_t<P>& start,
                                    detail::limits_t<P> limits = {}, O&& observer = O{}) {
    return astar<policy>(problem, start, Zero{}, limits, std::forward<O>(observer));
}

/// The outcome of `for_each_reachable`; true if all that can be reached was visited.
struct Exploration {
    /// `solved` if every state that can be reached was visited, else what ended the search before.
    Status status = Status::running;
    Statistics statistics;

    explicit operator bool() const { return status == Status::solved; }
};

namespace detail {

/// Calls a function for each state that is expanded.
template <class F>
struct Visitor : SilentObserver {
    explicit Visitor(F& visit) : visit_(&visit) {}

    template <class Node>
    void expand(const Node& node) {
        (*visit_)(node.state, node.cost);
    }

private:
    F* visit_;
};

} // namespace detail

/// Calls `visit(state, cost)` for each state that can be reached from `start`, once, in the order of what a cheapest path to it
/// costs, by Dijkstra's algorithm (1959). Goals are states like others. On an undirected problem that is what a pattern
/// database holds, or any table of the distances to a goal: start from there.
///
/// \param limits `max_cost` ends the search before the first state that costs more, with `Status::cost_limit`
/// \return never throws for lack of memory: that is `Status::memory_limit`. What the problem or `visit` throws otherwise
///         passes through.
template <Policy policy = Policy{}, Problem P, std::invocable<const state_t<P>&, const cost_t<P>&> F>
Exploration for_each_reachable(const P& problem, const detail::named_state_t<P>& start, F&& visit,
                               detail::limits_t<P> limits = {}) {
    detail::Visitor<std::remove_reference_t<F>> visitor(visit);
    const auto without_goal = with_goals(problem, [](const state_t<P>&) { return false; });
    const auto result = astar<policy>(without_goal, start, Zero{}, limits, visitor);
    return {result.status == Status::unsolvable ? Status::solved : result.status, result.statistics};
}

namespace detail {

/// Finds the cost and the moves of a path of a weighted problem: each step by the cheapest way there is.
template <Problem P>
void weigh(const P& problem, search_result_t<P>& result) {
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

inline constexpr Policy stopping_early{.stops_early = true};

template <Policy policy, Problem P, class O>
search_result_t<P> find_fewest_steps(const P& problem, const state_t<P>& start,
                                     const BasicLimits<int>& limits, O&& observer) {
    if constexpr (PackedProblem<P> && policy == stopping_early) {
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
template <Policy policy = detail::stopping_early, Problem P, class O = SilentObserver>
detail::search_result_t<P> breadth_first(const P& problem, const detail::named_state_t<P>& start,
                                         BasicLimits<int> limits = {}, O&& observer = O{}) {
    if constexpr (!is_weighted<P>) {
        return detail::find_fewest_steps<policy>(problem, start, limits, std::forward<O>(observer));
    } else {
        auto found = detail::find_fewest_steps<policy>(detail::UnitSteps<P>(problem), start, limits,
                                                       std::forward<O>(observer));
        detail::search_result_t<P> result;
        result.status = found.status;
        result.statistics = found.statistics;
        if (found) {
            try {
                result.path = std::move(found.path);
                detail::weigh(problem, result);
            } catch (const std::bad_alloc&) {
                result = {};
                result.status = Status::memory_limit;
                result.statistics = found.statistics;
            }
        }
        return result;
    }
}

/// Finds some path by depth-first search: the neighbours of a state one after another, with all that comes behind each
/// before the next. Memory linear in the depth; no state is known again but those on the path, so that a state is
/// searched once for each path that leads to it.
///
/// \param max_depth the most steps of a path; a search that this bound kept from going on ends with `Status::depth_limit`
template <Problem P, class O = SilentObserver>
detail::search_result_t<P> depth_first(const P& problem, const detail::named_state_t<P>& start,
                                       std::size_t max_depth, detail::limits_t<P> limits = {},
                                       O&& observer = O{}) {
    return detail::run_engine<DepthFirstEngine<P, O>>(problem, start, max_depth, limits,
                                                      std::forward<O>(observer));
}

/// Finds a path of the fewest steps by iterative deepening: depth-first searches to depth 0, 1, 2 and so on (Korf 1985).
/// Memory linear in the depth, time that of breadth-first search in a tree, and exponentially more where many paths lead
/// to a state. An unsolvable problem ends when no path without a repeated state is left.
template <Problem P, class O = SilentObserver>
detail::search_result_t<P> iterative_deepening(const P& problem, const detail::named_state_t<P>& start,
                                               detail::limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::guarded_search([&] {
        DepthFirstEngine<P, O> engine(problem, start, 0, limits, std::forward<O>(observer));
        for (std::size_t depth = 1; engine.run() == Status::depth_limit; ++depth) {
            engine.deepen(depth);
        }
        return engine.result();
    });
}

} // namespace npuzzle
