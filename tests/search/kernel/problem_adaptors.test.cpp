#include <npuzzle/search/kernel/problem_adaptors.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/two_way_graphs.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using npuzzle::detail::Reversed;
using npuzzle::detail::UnitSteps;
using test::Graph;
using test::TwoWayGraph;

/// Costs to a vertex are costs from it against the edges.
template <bool is_undirected>
int check_costs() {
    using Graph = TwoWayGraph<int, is_undirected>;
    static_assert(npuzzle::Problem<Reversed<Graph>>);
    static_assert(npuzzle::is_weighted<Reversed<Graph>>);
    int reached = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        test::Random random(seed);
        const auto graph = test::random_two_way_graph<int, is_undirected>(random, 1);
        const int start = random.between(0, graph.size() - 1);
        const Reversed<Graph> reversed(graph, start);
        CHECK(reversed.goal() == start);
        for (int vertex = 0; vertex < graph.size(); ++vertex) {
            CHECK(reversed.is_goal(vertex) == (vertex == start));
        }
        const auto costs = oracle::costs_from<int>(reversed, graph.goal());
        for (int vertex = 0; vertex < graph.size(); ++vertex) {
            const auto forward = oracle::costs_from<int>(graph, vertex);
            const auto there = forward.find(graph.goal());
            REQUIRE((costs.count(vertex) != 0) == (there != forward.end()));
            if (there != forward.end()) {
                REQUIRE(costs.at(vertex) == there->second);
                ++reached;
            }
        }
    }
    return reached;
}

/// The number line from 0 to 99, forward only, with hashes and indices of its own.
struct Line {
    using State = int;
    std::vector<int> neighbors(int x) const { return x < 99 ? std::vector{x + 1} : std::vector<int>{}; }
    std::vector<int> predecessors(int x) const { return x > 0 ? std::vector{x - 1} : std::vector<int>{}; }
    int goal() const { return 99; }
    bool is_goal(int x) const { return x == 99; }
    std::size_t hash(int x) const { return static_cast<std::size_t>(1000 - x); }
    std::size_t index(int x) const { return static_cast<std::size_t>(x); }
    std::size_t size() const { return 100; }
};

} // namespace

TEST_CASE("a reversed problem goes against the edges, from the goal to the start", "[problem_adaptors]") {
    CHECK(check_costs<false>() > 500);
    CHECK(check_costs<true>() > 500);
}

TEST_CASE("a reversed problem hashes and numbers states as the problem does", "[problem_adaptors]") {
    const Line line;
    const Reversed<Line> reversed(line, 7);
    static_assert(npuzzle::IndexedProblem<Reversed<Line>> && !npuzzle::is_weighted<Reversed<Line>>);
    CHECK(reversed.hash(40) == npuzzle::detail::hash_state(line, 40));
    CHECK(reversed.index(40) == 40);
    CHECK(reversed.size() == 100);
    CHECK(reversed.neighbors(40) == std::vector{39});
}

TEST_CASE("depths are those of breadth-first search, whatever steps cost", "[problem_adaptors]") {
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

TEST_CASE("walls, and steps of negative cost, are no steps", "[problem_adaptors]") {
    Graph<int> graph(5);
    graph.connect(0, 1, 7).connect(0, 2, std::numeric_limits<int>::max()).connect(0, 3, -1).connect(0, 4, 0);
    const UnitSteps<Graph<int>> counted(graph);
    CHECK(counted.neighbors(0) == std::vector{1, 4});
    CHECK(counted.pack(3) == 3);
    CHECK(counted.unpack(std::uint16_t{3}) == 3);
}
