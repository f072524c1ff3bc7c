#pragma once

#include <boost/graph/astar_search.hpp>
#include <boost/graph/graph_traits.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/property_map/property_map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

/// \file
/// The most common peer: the A* of Boost.Graph on an implicit graph. This file holds the code that a user has
/// to write for it, in three versions: with hash maps as property maps, with states that are
/// numbered when they appear, and with states that have numbers.

namespace peers {

/// The result of a search.
template <class State, class Cost>
struct Outcome {
    bool is_solved = false;
    Cost cost{};
    std::uint64_t expanded = 0;
    std::vector<State> path; ///< from the start to the goal
};

template <class Vertex, class Cost>
struct Step {
    Vertex from;
    Vertex to;
    Cost cost;

    friend bool operator==(const Step&, const Step&) = default;
};

/// An implicit graph. `expand(vertex, emit)` calls `emit(to, cost)` for each step from a vertex. The steps
/// are stored in one buffer, which the next call overwrites. So listing them allocates no memory.
template <class V, class C, class Expand>
class ImplicitGraph {
public:
    using vertex_descriptor = V;
    using edge_descriptor = Step<V, C>;
    using directed_category = boost::directed_tag;
    using edge_parallel_category = boost::disallow_parallel_edge_tag;
    using traversal_category = boost::incidence_graph_tag;
    using out_edge_iterator = const edge_descriptor*;
    using degree_size_type = std::size_t;

    explicit ImplicitGraph(Expand expand) : expand_(std::move(expand)) {}

    std::pair<out_edge_iterator, out_edge_iterator> list(const V& from) const {
        steps_.clear();
        expand_(from, [&](const V& to, C cost) { steps_.push_back({from, to, cost}); });
        return {steps_.data(), steps_.data() + steps_.size()};
    }

private:
    Expand expand_;
    mutable std::vector<edge_descriptor> steps_;
};

template <class V, class C, class Expand>
auto out_edges(const V& from, const ImplicitGraph<V, C, Expand>& graph) {
    return graph.list(from);
}

template <class V, class C, class Expand>
std::size_t out_degree(const V& from, const ImplicitGraph<V, C, Expand>& graph) {
    const auto [begin, end] = graph.list(from);
    return static_cast<std::size_t>(end - begin);
}

template <class V, class C, class Expand>
V source(const Step<V, C>& step, const ImplicitGraph<V, C, Expand>& /*graph*/) {
    return step.from;
}

template <class V, class C, class Expand>
V target(const Step<V, C>& step, const ImplicitGraph<V, C, Expand>& /*graph*/) {
    return step.to;
}

/// A property map over a hash map. Keys that are not in the map have a given value.
template <class Key, class T, class Hash>
class HashPropertyMap {
public:
    using key_type = Key;
    using value_type = T;
    using reference = T;
    using category = boost::read_write_property_map_tag;

    HashPropertyMap(std::unordered_map<Key, T, Hash>& map, T absent) : map_(&map), absent_(absent) {}

    friend T get(const HashPropertyMap& properties, const Key& key) {
        const auto found = properties.map_->find(key);
        return found == properties.map_->end() ? properties.absent_ : found->second;
    }

    friend void put(const HashPropertyMap& properties, const Key& key, const T& value) {
        properties.map_->insert_or_assign(key, value);
    }

private:
    std::unordered_map<Key, T, Hash>* map_;
    T absent_;
};

/// Ends a search at the goal by an exception, as the manual recommends.
struct GoalReached {};

template <class IsGoal>
class GoalVisitor : public boost::default_astar_visitor {
public:
    GoalVisitor(IsGoal is_goal, std::uint64_t& expanded)
        : is_goal_(std::move(is_goal)), expanded_(&expanded) {}

    template <class Vertex, class Graph>
    void examine_vertex(const Vertex& vertex, const Graph& /*graph*/) {
        if (is_goal_(vertex)) {
            throw GoalReached{};
        }
        ++*expanded_;
    }

private:
    IsGoal is_goal_;
    std::uint64_t* expanded_;
};

/// Calls Boost's A* with the given maps. Returns whether the goal was reached.
template <class Cost, class Graph, class Vertex, class Heuristic, class IsGoal, class Predecessors,
          class Ranks, class Distances, class Colors, class Indices>
bool call_astar(const Graph& graph, const Vertex& start, Heuristic heuristic, IsGoal is_goal,
                std::uint64_t& expanded, Predecessors predecessors, Ranks ranks, Distances distances,
                Colors colors, Indices indices) {
    using Edge = typename Graph::edge_descriptor;
    const auto weights = boost::make_function_property_map<Edge>([](const Edge& edge) { return edge.cost; });
    put(distances, start, Cost{});
    put(ranks, start, heuristic(start));
    put(predecessors, start, start);
    try {
        boost::astar_search_no_init(graph, start, heuristic,
                                    GoalVisitor<IsGoal>(std::move(is_goal), expanded), predecessors, ranks,
                                    distances, weights, colors, indices, std::less<Cost>(), std::plus<Cost>(),
                                    std::numeric_limits<Cost>::max(), Cost{});
    } catch (const GoalReached&) {
        return true;
    }
    return false;
}

/// The path to the goal, from the step that led to each state.
template <class State>
std::vector<State> walk_back(const auto& predecessors, const State& start, const State& goal) {
    std::vector<State> path{goal};
    while (path.back() != start) {
        path.push_back(State(predecessors.at(path.back())));
    }
    std::reverse(path.begin(), path.end());
    return path;
}

/// A* with `std::unordered_map`s as property maps.
template <class Cost, class Hash, class State, class Expand, class Heuristic, class IsGoal>
Outcome<State, Cost> astar_with_hash_maps(const State& start, Expand expand, Heuristic heuristic,
                                          IsGoal is_goal) {
    const ImplicitGraph<State, Cost, Expand> graph(std::move(expand));
    constexpr Cost infinity = std::numeric_limits<Cost>::max();
    std::unordered_map<State, State, Hash> predecessors;
    std::unordered_map<State, Cost, Hash> ranks;
    std::unordered_map<State, Cost, Hash> distances;
    std::unordered_map<State, boost::default_color_type, Hash> colors;
    std::unordered_map<State, std::size_t, Hash> numbers; // numbers for the places in the heap
    const auto number_of = [&](const State& state) {
        return numbers.try_emplace(state, numbers.size()).first->second;
    };
    State goal = start;
    const auto is_goal_noted = [&](const State& state) {
        goal = state;
        return is_goal(state);
    };

    Outcome<State, Cost> outcome;
    outcome.is_solved =
        call_astar<Cost>(graph, start, std::move(heuristic), is_goal_noted, outcome.expanded,
                         HashPropertyMap<State, State, Hash>(predecessors, start),
                         HashPropertyMap<State, Cost, Hash>(ranks, infinity),
                         HashPropertyMap<State, Cost, Hash>(distances, infinity),
                         HashPropertyMap<State, boost::default_color_type, Hash>(colors, boost::white_color),
                         boost::make_function_property_map<State>(number_of));
    if (outcome.is_solved) {
        outcome.cost = distances.at(goal);
        outcome.path = walk_back(predecessors, start, goal);
    }
    return outcome;
}

/// A* with states that are numbered by hand when they appear, and vectors that grow with them.
template <class Cost, class Hash, class State, class Expand, class Heuristic, class IsGoal>
Outcome<State, Cost> astar_with_numbered_states(const State& start, Expand expand, Heuristic heuristic,
                                                IsGoal is_goal) {
    using Number = std::uint32_t;
    constexpr Cost infinity = std::numeric_limits<Cost>::max();
    std::unordered_map<State, Number, Hash> numbers;
    std::vector<State> states;
    std::vector<Number> predecessors;
    std::vector<Cost> ranks;
    std::vector<Cost> distances;
    std::vector<boost::default_color_type> colors;
    const auto number_of = [&](const State& state) {
        const auto [place, is_new] = numbers.try_emplace(state, static_cast<Number>(states.size()));
        if (is_new) {
            states.push_back(state);
            predecessors.push_back(place->second);
            ranks.push_back(infinity);
            distances.push_back(infinity);
            colors.push_back(boost::white_color);
        }
        return place->second;
    };
    const auto expand_number = [&](Number number, auto&& emit) {
        const State state = states[number];
        expand(state, [&](const State& next, Cost cost) { emit(number_of(next), cost); });
    };
    const ImplicitGraph<Number, Cost, decltype(expand_number)> graph(expand_number);
    // The vectors move when they grow. So a map must refer to the vector, not to its elements.
    const auto map = [](auto& values) {
        return boost::make_function_property_map<Number>(
            [&values](Number number) -> decltype(auto) { return values[number]; });
    };

    Outcome<State, Cost> outcome;
    Number goal = 0;
    outcome.is_solved = call_astar<Cost>(
        graph, number_of(start), [&](Number number) { return heuristic(states[number]); },
        [&](Number number) {
            goal = number;
            return is_goal(states[number]);
        },
        outcome.expanded, map(predecessors), map(ranks), map(distances), map(colors),
        boost::identity_property_map{});
    if (outcome.is_solved) {
        outcome.cost = distances[goal];
        for (Number number = goal;; number = predecessors[number]) {
            outcome.path.push_back(states[number]);
            if (predecessors[number] == number) {
                break;
            }
        }
        std::reverse(outcome.path.begin(), outcome.path.end());
    }
    return outcome;
}

/// The property maps of states that are numbers, which can be kept for another search.
template <class Cost>
struct VectorMaps {
    std::vector<std::uint32_t> predecessors;
    std::vector<Cost> ranks;
    std::vector<Cost> distances;
    std::vector<boost::default_color_type> colors;
};

/// A* with states that are the numbers below `count`, and vectors of that size. Their set-up is part of the
/// time.
template <class Cost, class Expand, class Heuristic, class IsGoal>
Outcome<std::size_t, Cost> astar_with_vector_maps(VectorMaps<Cost>& maps, std::size_t start,
                                                  std::size_t count, Expand expand, Heuristic heuristic,
                                                  IsGoal is_goal) {
    const ImplicitGraph<std::size_t, Cost, Expand> graph(std::move(expand));
    constexpr Cost infinity = std::numeric_limits<Cost>::max();
    auto& [predecessors, ranks, distances, colors] = maps;
    predecessors.resize(count);
    ranks.assign(count, infinity);
    distances.assign(count, infinity);
    colors.assign(count, boost::white_color);

    Outcome<std::size_t, Cost> outcome;
    std::size_t goal = start;
    const boost::identity_property_map number;
    outcome.is_solved = call_astar<Cost>(
        graph, start, std::move(heuristic),
        [&](std::size_t state) {
            goal = state;
            return is_goal(state);
        },
        outcome.expanded, boost::make_iterator_property_map(predecessors.begin(), number),
        boost::make_iterator_property_map(ranks.begin(), number),
        boost::make_iterator_property_map(distances.begin(), number),
        boost::make_iterator_property_map(colors.begin(), number), number);
    if (outcome.is_solved) {
        outcome.cost = distances[goal];
        outcome.path = walk_back(predecessors, start, goal);
    }
    return outcome;
}

} // namespace peers
