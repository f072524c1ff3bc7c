/// @file
/// Random graphs that can be searched from both ends, and reference values from their true costs.
#pragma once

#include <npuzzle/search/core/problem.hpp>

#include "support/oracles.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace test {

/// A graph with one goal that knows the edges into each vertex.
template <class C, bool undirected>
struct TwoWayGraph {
    using State = int;
    using Cost = C;
    using Edge = npuzzle::Edge<int, C>;

    static constexpr bool is_undirected = undirected;

    std::vector<std::vector<Edge>> edges;
    std::vector<std::vector<Edge>> edges_back;
    int goal_vertex = 0;
    C least{};

    const std::vector<Edge>& neighbors(int vertex) const { return edges[static_cast<std::size_t>(vertex)]; }
    const std::vector<Edge>& predecessors(int vertex) const {
        return edges_back[static_cast<std::size_t>(vertex)];
    }
    int goal() const { return goal_vertex; }
    bool is_goal(int vertex) const { return vertex == goal_vertex; }
    C least_cost() const { return least; }
    int size() const { return static_cast<int>(edges.size()); }

    void connect(int from, int to, C cost) {
        edges[static_cast<std::size_t>(from)].push_back({to, cost});
        edges_back[static_cast<std::size_t>(to)].push_back({from, cost});
        if (undirected && from != to) {
            edges[static_cast<std::size_t>(to)].push_back({from, cost});
            edges_back[static_cast<std::size_t>(from)].push_back({to, cost});
        }
    }
};

/// The same graph with all edges reversed.
template <class Graph>
struct Backward {
    using State = int;
    const Graph* graph;

    const auto& neighbors(int vertex) const { return graph->predecessors(vertex); }
};
template <class Graph>
Backward(const Graph*) -> Backward<Graph>;

/// A graph of 2 to 40 vertices, sparse or dense, with or without edges of cost zero. It may have self-loops,
/// parallel edges and unconnected parts. It declares its least cost, or zero. Costs are multiples of `unit`.
template <class C, bool undirected>
TwoWayGraph<C, undirected> random_two_way_graph(Random& random, double unit) {
    TwoWayGraph<C, undirected> graph;
    const int vertices = random.between(2, random.one_in(3) ? 40 : 12);
    graph.edges.resize(static_cast<std::size_t>(vertices));
    graph.edges_back.resize(static_cast<std::size_t>(vertices));
    const int smallest = random.one_in(2) ? 0 : random.between(1, 3);
    const int largest = smallest + random.between(0, random.one_in(2) ? 3 : 12);
    const auto any = [&] { return random.between(0, vertices - 1); };
    const int count = vertices * random.between(2, 6) / (undirected ? 3 : 2);
    int least = std::numeric_limits<int>::max();
    for (int i = 0; i < count; ++i) {
        const int from = any();
        const int to = random.one_in(20) ? from : any();
        const int copies = random.one_in(10) ? 2 : 1;
        for (int copy = 0; copy < copies; ++copy) {
            const int units = random.between(smallest, largest);
            least = std::min(least, units);
            graph.connect(from, to, static_cast<C>(units * unit));
        }
    }
    graph.goal_vertex = any();
    graph.least = random.one_in(3) || count == 0 ? C{} : static_cast<C>(least * unit);
    return graph;
}

/// An estimate for each vertex.
template <class C, bool consistent>
struct Estimates {
    static constexpr bool is_consistent = consistent;

    static constexpr bool marks_dead_ends = true;

    std::vector<C> values;

    C operator()(int vertex) const { return values[static_cast<std::size_t>(vertex)]; }
};

/// Admissible estimates made from the true costs to an end. Consistent ones are the costs, half of them
/// rounded down, the costs limited by some number, the maximum of two of these, or zero. Inconsistent ones
/// are anything from zero to the costs. For vertices without a path the estimate is infinite, or the greatest
/// that the others have.
template <class C, bool consistent>
Estimates<C, consistent> estimates_of(const std::map<int, C>& costs, int vertices, Random& random) {
    C most{};
    for (const auto& [vertex, cost] : costs) {
        most = std::max(most, cost);
    }
    const C cap = static_cast<C>(static_cast<int>(most) * random.between(0, 4) / 4);
    const auto kind = random.below(5);
    const bool tells_dead_ends = random.one_in(2);
    Estimates<C, consistent> estimates;
    for (int vertex = 0; vertex < vertices; ++vertex) {
        const auto found = costs.find(vertex);
        if (found == costs.end() && tells_dead_ends) {
            estimates.values.push_back(std::numeric_limits<C>::has_infinity
                                           ? std::numeric_limits<C>::infinity()
                                           : std::numeric_limits<C>::max());
            continue;
        }
        const C cost = found == costs.end() ? most : found->second;
        const C half =
            static_cast<C>(static_cast<int>(cost) / 2); // changes by no more than an integer step cost
        if (!consistent) {
            estimates.values.push_back(
                random.one_in(3) ? cost : static_cast<C>(random.between(0, static_cast<int>(cost))));
        } else if (kind == 0) {
            estimates.values.push_back(C{});
        } else if (kind == 1) {
            estimates.values.push_back(cost);
        } else if (kind == 2 && std::numeric_limits<C>::is_integer) {
            estimates.values.push_back(half);
        } else if (kind == 3 && std::numeric_limits<C>::is_integer) {
            estimates.values.push_back(std::max(half, std::min(cap, cost)));
        } else {
            estimates.values.push_back(std::min(cap, cost));
        }
    }
    return estimates;
}

/// The heuristics of both directions, made of the true costs.
template <class C, bool is_consistent>
struct Heuristics {
    Estimates<C, is_consistent> forward;
    Estimates<C, is_consistent> backward;
};

template <class C, bool is_consistent, class Graph>
Heuristics<C, is_consistent> heuristics_of(const Graph& graph, const std::vector<int>& starts,
                                           const std::vector<int>& goals, Random& random) {
    return {
        estimates_of<C, is_consistent>(oracle::costs_from_nearest<C>(Backward{&graph}, goals), graph.size(),
                                       random),
        estimates_of<C, is_consistent>(oracle::costs_from_nearest<C>(graph, starts), graph.size(), random)};
}

template <class C, bool is_consistent, class Graph>
Heuristics<C, is_consistent> heuristics_of(const Graph& graph, int start, Random& random) {
    return heuristics_of<C, is_consistent>(graph, std::vector{start}, std::vector{graph.goal()}, random);
}

/// The least number of nodes that must be expanded, from either end, so that of each pair with max(f(u),
/// f(v), g(u) + g(v) + epsilon) < optimum at least one is. This is a minimum vertex cover of a bipartite
/// graph. It is as large as a maximum matching (D. König 1931), which is found by augmenting paths.
template <class C, class H>
std::size_t least_cover(const std::map<int, C>& from_start, const std::map<int, C>& to_goal, const H& forward,
                        const H& backward, C epsilon, C optimum) {
    std::vector<C> left;
    std::vector<C> right;
    for (const auto& [vertex, cost] : from_start) {
        if (forward(vertex) < optimum && cost + forward(vertex) < optimum) {
            left.push_back(cost);
        }
    }
    for (const auto& [vertex, cost] : to_goal) {
        if (backward(vertex) < optimum && cost + backward(vertex) < optimum) {
            right.push_back(cost);
        }
    }
    constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> partner(right.size(), nobody);
    std::size_t matched = 0;
    for (std::size_t first = 0; first < left.size(); ++first) {
        std::vector<bool> is_seen(right.size(), false);
        const auto augment = [&](const auto& self, std::size_t one) -> bool {
            for (std::size_t other = 0; other < right.size(); ++other) {
                if (left[one] + right[other] + epsilon < optimum && !is_seen[other]) {
                    is_seen[other] = true;
                    if (partner[other] == nobody || self(self, partner[other])) {
                        partner[other] = one;
                        return true;
                    }
                }
            }
            return false;
        };
        matched += augment(augment, first) ? 1 : 0;
    }
    return matched;
}

} // namespace test
