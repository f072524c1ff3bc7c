#include <npuzzle/search/shortest_path_tree.hpp>

#include "support/catch.hpp"
#include "support/family.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

// The family beside Boost.Graph's Dijkstra, which shares nothing with it or with the oracles of the other
// tests.

namespace {

using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                         boost::property<boost::edge_weight_t, int>>;

constexpr int unreachable = std::numeric_limits<int>::max();

/// From vertex 0 to each.
std::vector<int> distances_by_boost(const test::Graph<int>& graph) {
    BoostGraph copy(static_cast<std::size_t>(graph.size()));
    for (int from = 0; from < graph.size(); ++from) {
        for (const auto& edge : graph.neighbors(from)) {
            boost::add_edge(static_cast<std::size_t>(from), static_cast<std::size_t>(edge.to), edge.cost,
                            copy);
        }
    }
    std::vector<int> distances(static_cast<std::size_t>(graph.size()));
    boost::dijkstra_shortest_paths(copy, 0, boost::distance_map(distances.data()));
    return distances;
}

std::optional<int> least_cost(const test::Graph<int>& graph, const std::vector<int>& distances) {
    std::optional<int> least;
    for (int vertex = 0; vertex < graph.size(); ++vertex) {
        const int distance = distances[static_cast<std::size_t>(vertex)];
        if (graph.is_goal(vertex) && distance != unreachable && (!least || distance < *least)) {
            least = distance;
        }
    }
    return least;
}

} // namespace

TEST_CASE("each search agrees with Boost.Graph on thousands of random graphs", "[family]") {
    npuzzle::SilentObserver silent;
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        INFO("seed " << seed);
        test::Random random(90'000 + seed);
        const int vertices = random.between(1, 40);
        const auto graph =
            test::random_graph<int>(seed, vertices, random.between(0, 4 * vertices), random.between(0, 3));
        const std::vector<int> distances = distances_by_boost(graph);
        const auto tree = npuzzle::shortest_path_tree(graph, 0);
        for (int vertex = 0; vertex < graph.size(); ++vertex) {
            CHECK(tree.cost_to(vertex).value_or(unreachable) == distances[static_cast<std::size_t>(vertex)]);
        }
        const std::optional<int> least = least_cost(graph, distances);
        solved += least ? 1 : 0;
        test::with_each_graph_search(
            graph, 0, npuzzle::Zero{}, true, {}, silent, [&](const test::Member& member, const auto& result) {
                INFO(member.name);
                CHECK(result.status == (least ? npuzzle::Status::solved : npuzzle::Status::unsolvable));
                if (result && member.promise == test::Promise::least_cost) {
                    CHECK(result.cost == *least);
                }
                if (result && member.promise == test::Promise::cost_within_bound) {
                    CHECK(result.cost <= member.bound * *least);
                }
            });
    }
    CHECK(solved > 1000);
    CHECK(solved < 2900);
}
