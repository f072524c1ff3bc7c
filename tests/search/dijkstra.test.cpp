#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/dijkstra.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <cstdint>

TEST_CASE("Dijkstra's algorithm is A* without an estimate: the same costs and expansions", "[dijkstra]") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const auto graph = test::random_graph<int>(seed, 30, 60, 9);
        const auto expected = npuzzle::astar(graph, 0, npuzzle::Zero{});
        const auto result = npuzzle::dijkstra(graph, 0);
        CHECK(result.status == expected.status);
        CHECK(result.cost == expected.cost);
        CHECK(result.statistics.expanded == expected.statistics.expanded);
        const auto bounded = npuzzle::dijkstra(graph, 0, {.expansions = 3});
        CHECK(bounded.statistics.expanded <= 3);
    }
}
