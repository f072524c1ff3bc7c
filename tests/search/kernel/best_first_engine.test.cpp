#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/kernel/best_first_engine.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

#include <cstdint>
#include <utility>
#include <vector>

// What A* makes no use of; the rest is in the tests of A*.

namespace {

using npuzzle::BestFirstEngine;
using npuzzle::PartsFor;
using npuzzle::SilentObserver;
using npuzzle::Status;
using npuzzle::WithoutReopening;
using npuzzle::Zero;
using test::Graph;
using test::Table;

struct EarlyInBatches : npuzzle::PackedPolicy {
    static constexpr std::size_t batch_width = 8;
    static constexpr bool early_goal_test = true;
};

} // namespace

TEST_CASE("where a limit strikes, the path goes to what looks nearest to a goal", "[family]") {
    Graph<int> chain(50);
    for (int vertex = 0; vertex + 1 < 50; ++vertex) {
        chain.connect(vertex, vertex + 1, 2);
    }
    chain.add_goal(49);
    const auto left = [](int vertex) { return 2 * (49 - vertex); };
    for (std::uint64_t limit = 0; limit < 49; ++limit) {
        const auto result = npuzzle::astar(chain, 0, left, {.expansions = limit});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.path.empty());
        CHECK(result.partial_path.size() == limit + 1);
        CHECK(result.partial_path.back() == static_cast<int>(limit));
        CHECK(result.cost == 2 * static_cast<int>(limit));
    }
}

TEST_CASE(
    "where a limit strikes a search without a heuristic, the path goes to the state of the greatest cost",
    "[engine]") {
    Graph<int> graph(6);
    graph.connect(0, 1, 1).connect(0, 2, 5).connect(1, 3, 2).connect(3, 4, 9).connect(4, 5, 9).add_goal(5);
    const auto result = npuzzle::astar(graph, 0, Zero{}, {.expansions = 3});
    CHECK(result.status == Status::expansion_limit);
    CHECK(result.path.empty());
    CHECK(result.partial_path == std::vector{0, 2}); // taken up fourth
    CHECK(result.cost == 5);
    const auto in_words = npuzzle::astar<npuzzle::PackedPolicy>(graph, 0, Zero{}, {.expansions = 2});
    CHECK(in_words.partial_path == std::vector{0, 1, 3});
    CHECK(npuzzle::astar<npuzzle::ParentOnly>(graph, 0, Zero{}, {.expansions = 2}).partial_path.empty());
}

TEST_CASE("among several starts, too, the path where a limit strikes begins at one of them", "[engine]") {
    Graph<int> graph(6);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(3, 4, 1).connect(4, 5, 1).add_goal(5);
    const Table<int> table{{{0, 1}, {1, 3}, {2, 3}, {3, 2}, {4, 0}}};
    npuzzle::AStar engine(graph, 0, table, {.expansions = 2});
    engine.add_start(3);
    engine.run();
    const auto result = std::as_const(engine).result();
    CHECK(result.status == Status::expansion_limit);
    CHECK(result.partial_path == std::vector{3, 4});
    CHECK(result.cost == 1);
}

TEST_CASE("an engine that opens nothing again expands each state once, and may miss the least cost",
          "[engine]") {
    // From 0 to 3 the cheap way is by 1 and 2, but 1 looks dear.
    Graph<int> graph(5);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(0, 2, 3).connect(2, 3, 1).connect(3, 4, 10).add_goal(4);
    const Table<int> table{{{1, 10}}};
    const auto best = npuzzle::astar(graph, 0, table);
    CHECK(best.cost == 13);
    CHECK(best.statistics.reopened > 0);
    const auto once = npuzzle::astar<WithoutReopening>(graph, 0, table);
    CHECK(once.cost == 14);
    CHECK(once.statistics.reopened == 0);
    CHECK(once.statistics.expanded == 4);
    test::check_path(graph, 0, once);
}

TEST_CASE("an engine that stops early ends at the first goal generated", "[engine]") {
    Graph<int> graph(4);
    graph.connect(0, 3, 9).connect(0, 1, 1).connect(1, 3, 1).add_goal(3);
    using Early = npuzzle::EarlyGoalTest;
    const auto result = npuzzle::astar<Early>(graph, 0, Zero{});
    CHECK(result.status == Status::solved);
    CHECK(result.cost == 9);
    CHECK(result.statistics.expanded == 1);
    CHECK(npuzzle::astar<Early>(graph, 3, Zero{}).path == std::vector{3});
    CHECK(npuzzle::astar(graph, 0, Zero{}).cost == 2);
}

TEST_CASE("batches of an engine that stops early lose nothing", "[engine]") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const test::WithWords<test::WithMoves<test::Ring>> ring(seed, 500, 250);
        const auto result = npuzzle::astar<EarlyInBatches>(ring, 0, Zero{});
        test::check_path(ring, 0, result);
        CHECK(result.status == npuzzle::astar(ring, 0, Zero{}).status);
    }
}

TEST_CASE("a bound on the cost holds for each search of an engine that is used again", "[engine]") {
    Graph<int> graph(3);
    graph.connect(0, 1, 4).connect(1, 2, 4).add_goal(2);
    npuzzle::AStar engine(graph, 0, Zero{}, {.max_cost = 4});
    CHECK(engine.run() == Status::cost_limit);
    engine.restart(1);
    CHECK(engine.run() == Status::solved);
    engine.restart(0);
    CHECK(engine.run() == Status::cost_limit);
    CHECK(engine.result().path.empty());
}
