/// @file
/// Fuzzes the whole family of searches against the oracles of the tests: the bytes are a small problem, its
/// heuristic and its limits.
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/layers.hpp>

#include "searches.hpp"
#include "support/policies.hpp"
#include "support/problems.hpp"
#include "support/unit_graphs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using fuzz::Bytes;
using fuzz::Judge;
using npuzzle::astar;
using enum test::Promise;

/// A ring of moves with the capabilities of a problem, and each open list and node table.
void search_ring(Bytes bytes) {
    using Ring = test::Compact<test::WithIndex<test::WithWords<test::WithMoves<test::Ring>>>>;
    constexpr int vertices = 31;
    Ring ring(0, vertices, bytes.below(vertices));
    const int share = bytes.next();
    auto limits = fuzz::limits_of<int>(bytes, 1);
    for (auto& row : ring.costs) {
        for (int& cost : row) cost = bytes.empty() ? -1 : bytes.below(16) - 3;
        for (int& cost : row) cost = std::max(cost, -1); // no such step
    }
    test::Table<int> table{oracle::costs_to_goal<int>(ring, 0)};
    for (auto& [vertex, cost] : table.values) cost = cost * share / 255;

    const Judge judge(ring, limits);
    const auto check = [&](const char* name, const auto& result) { judge({name, least_cost}, result); };
    check("A*", astar(ring, 0, table, limits));
    check("heap, pooled", astar<test::HeapAndPooled>(ring, 0, table, limits));
    check("ladder, pooled", astar<test::LadderAndPooled>(ring, 0, table, limits));
    check("buckets, pooled, batches of 3", astar<test::BucketsAndPooled<3>>(ring, 0, table, limits));
    check("heap, packed", astar<test::HeapAndPacked>(ring, 0, table, limits));
    check("buckets, packed, batches of 16", astar<test::BucketsAndPacked<16>>(ring, 0, table, limits));
    check("heap, indexed", astar<test::HeapAndIndexed>(ring, 0, table, limits));
    check("buckets, indexed, batches of 5", astar<test::BucketsAndIndexed<5>>(ring, 0, table, limits));
    judge({"weighted", cost_within_bound, 2},
          npuzzle::weighted_astar(ring, 0, table, npuzzle::WeightOptions<int>{2}, limits));

    npuzzle::SilentObserver silent;
    limits.expansions = std::min<std::uint64_t>(limits.expansions, 500);
    const Judge bounded(ring, limits);
    test::with_each_tree_search(ring, 0, table, limits, silent, bounded);
}

/// A graph whose steps cost one and can be gone back, layer by layer.
template <class Graph>
void search_layers(Bytes bytes) {
    const int vertices = 1 + bytes.below(16);
    Graph graph(0, vertices, 0);
    graph.goal_vertex = bytes.below(vertices);
    const npuzzle::Limits limits{.expansions = fuzz::limits_of<int>(bytes, 1).expansions};
    while (!bytes.empty()) {
        const int ends = bytes.next();
        const int from = ends / 16 % vertices;
        const int to = ends % 16 % vertices;
        graph.edges[static_cast<std::size_t>(from)].push_back(to);
        graph.edges[static_cast<std::size_t>(to)].push_back(from);
    }
    const Judge judge(graph, npuzzle::BasicLimits<int>{.expansions = limits.expansions});
    const auto check = [&](const char* name, const auto& result) { judge({name, fewest_steps}, result); };
    check("breadth-first", npuzzle::breadth_first(graph, 0, limits));
    check("frontier", npuzzle::frontier_search(graph, 0, limits));
    check("bidirectional breadth-first", npuzzle::bidirectional_breadth_first(graph, 0, limits));
    const auto depth = npuzzle::frontier_depth(graph, 0);
    const auto fewest = judge.fewest_steps();
    fuzz::require(depth.status == (fewest ? npuzzle::Status::solved : npuzzle::Status::unsolvable) &&
                      (!fewest || depth.cost == *fewest),
                  "frontier_depth is another depth");
    std::vector<std::uint64_t> counts;
    for (const auto& [vertex, steps] : oracle::breadth_first(graph, 0)) {
        counts.resize(std::max(counts.size(), static_cast<std::size_t>(steps) + 1));
        ++counts[static_cast<std::size_t>(steps)];
    }
    fuzz::require(npuzzle::breadth_first_layers(graph, 0).counts == counts, "layers have other counts");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, std::min<std::size_t>(size, 200));
    switch (bytes.next() % 5) {
    case 0:
        fuzz::search_graph_of_integers(bytes);
        break;
    case 1:
        fuzz::search_graph_of_reals(bytes);
        break;
    case 2:
        search_ring(bytes);
        break;
    case 3:
        search_layers<test::Undirected>(bytes);
        break;
    default:
        search_layers<test::UndirectedWords>(bytes);
    }
    return 0;
}
