#include <npuzzle/search/kernel/unit_steps.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/two_way_graphs.hpp"

#include <cstdint>
#include <limits>
#include <vector>

using npuzzle::detail::UnitSteps;
using test::Graph;
using test::TwoWayGraph;

TEST_CASE("depths are those of breadth-first search, whatever steps cost", "[unit_steps]") {
    using Counted = UnitSteps<TwoWayGraph<int, false>>;
    static_assert(npuzzle::BackwardProblem<Counted> && !npuzzle::is_weighted<Counted>);
    static_assert(npuzzle::UndirectedProblem<UnitSteps<TwoWayGraph<int, true>>>);
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        test::Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const Counted counted(graph);
        CHECK(counted.goal() == graph.goal());
        CHECK(oracle::costs_from<int>(counted, 0) == oracle::breadth_first(graph, 0));
        for (int vertex = 0; vertex < graph.size(); ++vertex) {
            CHECK(counted.is_goal(vertex) == graph.is_goal(vertex));
            std::vector<int> before;
            for (const auto& edge : graph.predecessors(vertex)) {
                before.push_back(edge.to);
            }
            CHECK(counted.predecessors(vertex) == before);
        }
    }
}

TEST_CASE("walls, and steps of negative cost, are no steps", "[unit_steps]") {
    Graph<int> graph(5);
    graph.connect(0, 1, 7).connect(0, 2, std::numeric_limits<int>::max()).connect(0, 3, -1).connect(0, 4, 0);
    const UnitSteps<Graph<int>> counted(graph);
    CHECK(counted.neighbors(0) == std::vector{1, 4});
    CHECK(counted.pack(3) == 3);
    CHECK(counted.unpack(std::uint16_t{3}) == 3);
}
