/// @file
/// Graphs that can be searched from both ends, and estimates by vertex.
#pragma once

#include <npuzzle/search/core/problem.hpp>

#include <cstddef>
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
    int goal_vertex;
    C least{};

    TwoWayGraph(int vertices, int the_goal)
        : edges(static_cast<std::size_t>(vertices)), edges_back(edges), goal_vertex(the_goal) {}

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

/// An estimate for each vertex.
template <class C, bool consistent>
struct Estimates {
    static constexpr bool is_consistent = consistent;
    static constexpr bool marks_dead_ends = true;

    std::vector<C> values;

    C operator()(int vertex) const { return values[static_cast<std::size_t>(vertex)]; }
};

} // namespace test
