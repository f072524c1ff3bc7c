/// @file
/// Random graphs whose steps cost one and can be gone back, and estimates for them.
#pragma once

#include "support/oracles.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace test {

/// A random graph in which every edge can be gone back.
struct Undirected {
    using State = int;
    static constexpr bool is_undirected = true;
    std::vector<std::vector<int>> edges;
    int goal_vertex;

    Undirected(std::uint64_t seed, int vertices, int count) : edges(static_cast<std::size_t>(vertices)) {
        Random random(seed);
        for (int i = 0; i < count; ++i) {
            const int from = random.between(0, vertices - 1);
            const int to = random.one_in(20) ? from : random.between(0, vertices - 1);
            edges[static_cast<std::size_t>(from)].push_back(to);
            edges[static_cast<std::size_t>(to)].push_back(from);
        }
        goal_vertex = random.between(0, vertices - 1);
    }
    const std::vector<int>& neighbors(int vertex) const { return edges[static_cast<std::size_t>(vertex)]; }
    bool is_goal(int vertex) const { return vertex == goal_vertex; }
    int goal() const { return goal_vertex; }
};

/// The same in words, of which 0 is one.
struct UndirectedWords : Undirected {
    using Undirected::Undirected;
    std::uint32_t pack(int vertex) const { return static_cast<std::uint32_t>(vertex); }
    int unpack(std::uint32_t word) const { return static_cast<int>(word); }
};

/// Admissible estimates of any type, consistent or not; some infinite where there is no way.
template <class Value>
struct UnitEstimates {
    static constexpr bool marks_dead_ends = true;

    std::vector<Value> values;

    UnitEstimates(const Undirected& graph, std::uint64_t seed) {
        Random random(seed);
        const std::map<int, int> depths = oracle::breadth_first(graph, graph.goal());
        const int kind = random.between(0, 4);
        for (int vertex = 0; vertex < static_cast<int>(graph.edges.size()); ++vertex) {
            const auto found = depths.find(vertex);
            if (found == depths.end()) {
                values.push_back(kind > 0 ? Value{}
                                 : std::numeric_limits<Value>::has_infinity
                                     ? std::numeric_limits<Value>::infinity()
                                     : std::numeric_limits<Value>::max());
            } else if (kind == 1) {
                values.push_back(static_cast<Value>(random.between(0, found->second))); // not consistent
            } else {
                values.push_back(static_cast<Value>(found->second) * static_cast<Value>(kind) /
                                 static_cast<Value>(4));
            }
        }
    }
    Value operator()(int vertex) const { return values[static_cast<std::size_t>(vertex)]; }
};

} // namespace test
