#include <npuzzle/search/dijkstra.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"

#include <cstdint>

TEST_CASE("Dijkstra's algorithm finds the costs of a textbook's, and expands no state twice", "[dijkstra]") {
    int solved = 0;
    int limited = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const auto graph = test::random_graph<int>(seed, 30, 60, 9);
        const auto expected = oracle::least_cost<int>(graph, 0);
        const auto result = npuzzle::dijkstra(graph, 0);
        REQUIRE(result.status == (expected ? npuzzle::Status::solved : npuzzle::Status::unsolvable));
        if (expected) {
            CHECK(result.cost == *expected);
            CHECK(oracle::path_cost<int>(graph, result.path) == *expected);
            ++solved;
        }
        CHECK(result.statistics.expanded <= oracle::costs_from<int>(graph, 0).size());
        CHECK(result.statistics.reopened == 0);
        const auto bounded = npuzzle::dijkstra(graph, 0, {.expansions = 3});
        if (result.statistics.expanded > 3) {
            CHECK(bounded.status == npuzzle::Status::expansion_limit);
            CHECK(bounded.statistics.expanded == 3);
            ++limited;
        }
    }
    CHECK(solved > 10);
    CHECK(limited > 10);
}
