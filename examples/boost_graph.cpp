// test:
// needs: boost/graph/adjacency_list.hpp
// What it teaches: a graph of Boost.Graph is searched as it is, without a copy. The results are compared with
// those of boost::dijkstra_shortest_paths.

#include <npuzzle/maps/boost_graph.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <random>
#include <vector>

using Weight = boost::property<boost::edge_weight_t, int>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Weight>;

int main() {
    constexpr std::size_t vertices = 2'000;
    Graph graph(vertices);
    std::mt19937 random(7);
    for (std::size_t i = 0; i < 2 * vertices; ++i) {
        const auto from = random() % vertices;
        const auto to = random() % vertices;
        boost::add_edge(from, to, static_cast<int>(1 + random() % 100), graph);
    }
    const npuzzle::BoostGraph problem(graph);

    const std::size_t start = 0;
    std::vector<int> distances(vertices);
    boost::dijkstra_shortest_paths(graph, start, boost::distance_map(distances.data()));

    int reached = 0;
    int differences = 0;
    std::uint64_t expanded = 0;
    std::uint64_t expanded_from_both_ends = 0;
    for (std::size_t goal = 0; goal < vertices; goal += 10) {
        const auto to = problem.with_goal(goal);
        const auto from_start = npuzzle::astar(to, start, npuzzle::Zero{});
        const auto from_both_ends = npuzzle::bidirectional_astar(to, start, npuzzle::Zero{});
        const bool is_reachable = distances[goal] != std::numeric_limits<int>::max();
        const bool is_equal = from_start ? from_start.cost == distances[goal] : !is_reachable;
        const bool is_equal_from_both_ends =
            from_both_ends ? from_both_ends.cost == distances[goal] : !is_reachable;
        differences += is_equal && is_equal_from_both_ends ? 0 : 1;
        reached += from_start ? 1 : 0;
        expanded += from_start.statistics.expanded;
        expanded_from_both_ends += from_both_ends.statistics.expanded;
    }
    std::cout << boost::num_vertices(graph) << " vertices, " << boost::num_edges(graph)
              << " edges, 200 goals: " << reached << " reached, " << 200 - reached << " out of reach, "
              << differences << " differences from Boost.Graph\n"
              << expanded << " vertices expanded from the start, " << expanded_from_both_ends
              << " from both ends\n";
    return differences == 0 ? 0 : 1;
}
