/// @file
/// Reference implementations: textbook algorithms in a simple form, which share no code with the library.
/// They use `problem.neighbors(state)` and need states that are ordered by `<`.
#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace oracle {

/// The target of an element of `neighbors`, which is either a state or an edge.
template <class State, class Neighbor>
const State& target(const Neighbor& neighbor) {
    if constexpr (std::convertible_to<const Neighbor&, const State&>) {
        return neighbor;
    } else {
        return neighbor.to;
    }
}

template <class Sum, class State, class Neighbor>
Sum step_cost(const Neighbor& neighbor) {
    if constexpr (std::convertible_to<const Neighbor&, const State&>) {
        return Sum{1};
    } else {
        return static_cast<Sum>(neighbor.cost);
    }
}

/// The number of steps from `start` to each reachable state, whatever the steps cost: breadth-first search.
template <class P>
std::map<typename P::State, int> breadth_first(const P& problem, const typename P::State& start) {
    using State = typename P::State;
    std::map<State, int> depths{{start, 0}};
    std::vector<State> layer{start};
    for (int depth = 1; !layer.empty(); ++depth) {
        std::vector<State> next;
        for (const State& state : layer) {
            for (const auto& neighbor : problem.neighbors(state)) {
                const State& to = target<State>(neighbor);
                if (depths.emplace(to, depth).second) {
                    next.push_back(to);
                }
            }
        }
        layer = std::move(next);
    }
    return depths;
}

/// The least cost from `start` to each reachable state: Dijkstra's algorithm. Costs are summed as `Sum`,
/// which may be wider than the problem's cost type.
template <class Sum, class P>
std::map<typename P::State, Sum> costs_from(const P& problem, const typename P::State& start) {
    using State = typename P::State;
    std::map<State, Sum> costs{{start, Sum{}}};
    std::set<std::pair<Sum, State>> frontier{{Sum{}, start}};
    while (!frontier.empty()) {
        const auto [cost, state] = *frontier.begin();
        frontier.erase(frontier.begin());
        for (const auto& neighbor : problem.neighbors(state)) {
            const State& to = target<State>(neighbor);
            const Sum reached = static_cast<Sum>(cost + step_cost<Sum, State>(neighbor));
            const auto known = costs.find(to);
            if (known == costs.end()) {
                costs.emplace(to, reached);
            } else if (reached < known->second) {
                frontier.erase({known->second, to});
                known->second = reached;
            } else {
                continue;
            }
            frontier.emplace(reached, to);
        }
    }
    return costs;
}

/// The cost of the cheapest goal that is reachable from `start`, if there is one.
template <class Sum, class P>
std::optional<Sum> least_cost(const P& problem, const typename P::State& start) {
    std::optional<Sum> least;
    for (const auto& [state, cost] : costs_from<Sum>(problem, start)) {
        if (problem.is_goal(state) && (!least || cost < *least)) {
            least = cost;
        }
    }
    return least;
}

/// The fewest steps of a path to a goal that costs no more than `max_cost`, if there is one: the least cost to
/// each state by paths of 0, 1, 2 and so on steps.
template <class Sum, class P>
std::optional<int> fewest_steps(const P& problem, const typename P::State& start,
                                const std::optional<Sum>& max_cost = {}) {
    using State = typename P::State;
    const int longest = static_cast<int>(breadth_first(problem, start).size());
    std::map<State, Sum> costs{{start, Sum{}}};
    for (int steps = 0; steps < longest; ++steps) {
        std::map<State, Sum> next;
        for (const auto& [state, cost] : costs) {
            if (max_cost && *max_cost < cost) continue;
            if (problem.is_goal(state)) return steps;
            for (const auto& neighbor : problem.neighbors(state)) {
                const Sum reached = static_cast<Sum>(cost + step_cost<Sum, State>(neighbor));
                const auto [known, is_new] = next.emplace(target<State>(neighbor), reached);
                if (!is_new && reached < known->second) known->second = reached;
            }
        }
        costs = std::move(next);
    }
    return std::nullopt;
}

/// The least cost to a goal from each state that is reachable from `start`. States from which no goal is
/// reachable are left out. Bellman's equations, iterated until nothing changes.
template <class Sum, class P>
std::map<typename P::State, Sum> costs_to_goal(const P& problem, const typename P::State& start) {
    using State = typename P::State;
    const auto states = breadth_first(problem, start);
    std::map<State, Sum> costs;
    for (const auto& [state, depth] : states) {
        if (problem.is_goal(state)) {
            costs.emplace(state, Sum{});
        }
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (const auto& [state, depth] : states) {
            for (const auto& neighbor : problem.neighbors(state)) {
                const auto onward = costs.find(target<State>(neighbor));
                if (onward == costs.end()) {
                    continue;
                }
                const Sum through = static_cast<Sum>(step_cost<Sum, State>(neighbor) + onward->second);
                const auto known = costs.find(state);
                if (known == costs.end()) {
                    costs.emplace(state, through);
                    has_changed = true;
                } else if (through < known->second) {
                    known->second = through;
                    has_changed = true;
                }
            }
        }
    }
    return costs;
}

/// The cost of a path, by the cheapest of parallel edges. Nothing if a step of it is not a step of the
/// problem.
template <class Sum, class P>
std::optional<Sum> path_cost(const P& problem, const std::vector<typename P::State>& path) {
    using State = typename P::State;
    Sum total{};
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        std::optional<Sum> step;
        for (const auto& neighbor : problem.neighbors(path[i])) {
            if (target<State>(neighbor) == path[i + 1]) {
                const Sum cost = step_cost<Sum, State>(neighbor);
                step = !step || cost < *step ? cost : *step;
            }
        }
        if (!step) {
            return std::nullopt;
        }
        total = static_cast<Sum>(total + *step);
    }
    return total;
}

} // namespace oracle
