#include <npuzzle/search/shortest_path_tree.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"

#include <cstdint>
#include <map>
#include <vector>

using npuzzle::Status;
using test::Graph;

TEST_CASE("each state that can be reached is visited once, by what it costs", "[for_each_reachable]") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto graph = test::random_graph<int>(seed, 30, 60, 3);
        std::map<int, int> costs;
        int last = 0;
        const auto all = npuzzle::for_each_reachable(graph, 0, [&](int vertex, int cost) {
            CHECK(costs.emplace(vertex, cost).second);
            CHECK(cost >= last);
            last = cost;
        });
        CHECK(all);
        CHECK(all.statistics.expanded == costs.size());
        CHECK(costs == oracle::costs_from<int>(graph, 0));
    }
}

TEST_CASE("a walk through all states ends at a limit, and says so", "[for_each_reachable]") {
    Graph<int> line(5);
    line.connect(0, 1, 2).connect(1, 2, 2).connect(2, 3, 2).connect(3, 4, 2).add_goal(1);
    std::vector<int> visited;
    const auto visit = [&](int vertex, int) { visited.push_back(vertex); };
    const auto by_cost = npuzzle::for_each_reachable(line, 0, visit, {.max_cost = 4});
    CHECK(by_cost.status == Status::cost_limit);
    CHECK_FALSE(by_cost);
    CHECK(visited == std::vector{0, 1, 2});

    line.connect(0, 4, 9).connect(0, 3, 9).connect(0, 3, 3).connect(3, 4, 1);
    CHECK(npuzzle::for_each_reachable(line, 0, visit, {.max_cost = 4}).status == Status::solved);
    Graph<std::int8_t> far(3); // the second path ends beyond the costs that the type can hold
    far.connect(0, 1, 100).connect(1, 2, 100);
    CHECK(npuzzle::for_each_reachable(far, 0, [](int, int) {}, {.max_cost = 110}).status ==
          Status::cost_limit);

    visited.clear();
    CHECK(npuzzle::for_each_reachable(line, 0, visit, {.expansions = 2}).status == Status::expansion_limit);
    CHECK(visited == std::vector{0, 1});
}
