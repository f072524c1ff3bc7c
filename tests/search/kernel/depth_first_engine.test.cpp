#include <npuzzle/search/kernel/depth_first_engine.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <cstdint>
#include <vector>

namespace {

using npuzzle::DepthFirstEngine;
using npuzzle::SilentObserver;
using npuzzle::Status;
using test::Graph;

struct Order : SilentObserver {
    std::vector<int> expanded;
    std::vector<int> dropped;
    std::vector<int> goals;
    void expand(const auto& node) { expanded.push_back(node.state); }
    void duplicate(const auto& node) { dropped.push_back(node.state); }
    void goal(const auto& node) { goals.push_back(node.state); }
};

Graph<int> tree() {
    Graph<int> graph(7);
    graph.connect(0, 1, 1).connect(0, 2, 1).connect(1, 3, 1).connect(1, 4, 1).connect(2, 5, 1).connect(2, 6,
                                                                                                       1);
    return graph;
}

} // namespace

TEST_CASE("the first neighbor goes first, with all that comes behind it", "[depth_first]") {
    auto graph = tree();
    graph.add_goal(5).connect(3, 0, 1);
    Order order;
    DepthFirstEngine<Graph<int>, Order&> engine(graph, 0, {.max_depth = 10}, {}, order);
    int steps = 0;
    while (engine.step()) {
        ++steps;
    }
    CHECK(engine.status() == Status::solved);
    CHECK(order.expanded == std::vector{0, 1, 3, 4, 2});
    CHECK(order.dropped == std::vector{0});
    CHECK(order.goals == std::vector{5});
    CHECK(steps == 5);
    CHECK(engine.result().path == std::vector{0, 2, 5});
    CHECK(engine.result().cost == 2);
    CHECK_FALSE(engine.step());
    const auto statistics = engine.statistics();
    CHECK(statistics.expanded == 5);
    CHECK(statistics.generated == 7);
    CHECK(statistics.duplicates == 1);
    CHECK(statistics.stored == 3);
    CHECK(statistics.peak_open == 3);
}

TEST_CASE("a bound on the depth is told from the end of the space", "[depth_first]") {
    const auto graph = tree();
    for (std::size_t depth = 0; depth < 5; ++depth) {
        DepthFirstEngine<Graph<int>> engine(graph, 0, {.max_depth = depth});
        CHECK(engine.run() == (depth <= 2 ? Status::depth_limit : Status::unsolvable));
        CHECK(engine.statistics().expanded == (depth == 0 ? 0 : depth == 1 ? 1 : depth == 2 ? 3 : 7));
    }
    DepthFirstEngine<Graph<int>> engine(graph, 0, {.max_depth = 0});
    for (std::size_t depth = 1; depth <= 2; ++depth) {
        CHECK(engine.run() == Status::depth_limit);
        engine.deepen(depth);
    }
    CHECK(engine.run() == Status::depth_limit);
    CHECK(engine.statistics().expanded == 0 + 1 + 3);
}

TEST_CASE("costs that the type cannot hold are not followed", "[depth_first]") {
    Graph<std::int8_t> graph(3);
    graph.connect(0, 1, 100).connect(1, 2, 100).add_goal(2);
    DepthFirstEngine<Graph<std::int8_t>> engine(graph, 0, {.max_depth = 10});
    CHECK(engine.run() == Status::cost_overflow);
}
