#include <npuzzle/search/astar.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

// Bounds, limits and beginning again, where an engine is what is asked.

namespace {

using npuzzle::Status;
using npuzzle::WithoutReopening;
using npuzzle::Zero;
using test::Graph;
using test::Table;
using Walked = test::WithMoves<test::Ring>;

/// Half of what is left to the goal, evaluated anew for each state.
struct Half {
    std::map<int, int> left;
    int operator()(int vertex) const {
        const auto found = left.find(vertex);
        return found == left.end() ? 0 : found->second / 2;
    }
};
/// The same, which can tell the estimate of a neighbor before it is looked up.
struct FollowingHalf : Half {
    int after(int /*value*/, int /*before*/, std::uint8_t /*move*/, int after) const {
        return (*this)(after);
    }
};

struct EarlyInBatches : npuzzle::PackedPolicy {
    static constexpr std::size_t batch_width = 8;
    static constexpr bool early_goal_test = true;
};

static_assert(npuzzle::IncrementalHeuristicFor<FollowingHalf, Walked>);
static_assert(!npuzzle::IncrementalHeuristicFor<Half, Walked>);

} // namespace

TEST_CASE("a bound that bars only detours is no reason why there is no solution", "[engine]") {
    Walked ring(1, 300, -1); // without a goal
    for (auto& row : ring.costs) {
        std::replace_if(row.begin(), row.end(), [](int cost) { return cost > 1; }, 1);
        std::replace(row.begin(), row.end(), 0, 1);
    }
    int farthest = 0;
    for (const auto& [vertex, cost] : oracle::costs_from<int>(ring, 0)) {
        farthest = std::max(farthest, cost);
    }
    const FollowingHalf nothing{};
    CHECK(npuzzle::astar(ring, 0, nothing, {.max_cost = farthest}).status == Status::unsolvable);
    CHECK(npuzzle::astar(ring, 0, nothing, {.max_cost = farthest - 1}).status == Status::cost_limit);
}

TEST_CASE("a start is known again, may be a dead end, or beyond the bound", "[engine]") {
    Graph<int> graph(4);
    graph.connect(0, 1, 3).connect(2, 1, 1).add_goal(1);
    const Table<int> estimates{{{3, std::numeric_limits<int>::max()}, {0, 3}, {2, 1}}};
    npuzzle::AStar engine(graph, 0, estimates, {.max_cost = 2});
    CHECK(engine.statistics().stored == 1);
    CHECK(engine.statistics().peak_open == 0); // beyond the bound
    engine.add_start(3);
    engine.add_start(0);
    CHECK(engine.statistics().stored == 2);
    engine.add_start(2);
    CHECK(engine.run() == Status::solved);
    engine.add_start(0); // has no effect any more
    CHECK(engine.result().path == std::vector{2, 1});
}

TEST_CASE("goals and estimates may change between two searches of an engine", "[engine]") {
    Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(2, 3, 1).connect(0, 3, 9).add_goal(2);
    Table<int> estimates{{{0, 2}, {1, 1}}};
    npuzzle::AStar engine(graph, 0, estimates); // refers to both
    engine.run();
    CHECK(engine.result().path == std::vector{0, 1, 2});
    graph.goals = {false, false, false, true};
    estimates.values = {{0, 3}, {1, std::numeric_limits<int>::max()}, {2, 1}};
    engine.restart(0);
    engine.run();
    CHECK(engine.result().path == std::vector{0, 3}); // not through 1, which the new estimates rule out
    estimates.values = {{0, 3}, {1, 2}, {2, 1}};
    engine.restart(0);
    engine.run();
    CHECK(engine.result().path == std::vector{0, 1, 2, 3});
    // A temporary is the engine's own, and does not follow.
    npuzzle::AStar owner(graph, 0, Table<int>(estimates));
    estimates.values = {{1, std::numeric_limits<int>::max()}};
    owner.restart(0);
    CHECK(owner.run() == Status::solved);
}

TEST_CASE("the most entries on the open list are those at the worst moment", "[engine]") {
    // A broom: the list is longest after the second step, and then falls.
    Graph<int> graph(8);
    graph.connect(0, 1, 1).add_goal(7);
    for (int leaf = 2; leaf < 7; ++leaf) {
        graph.connect(1, leaf, 1);
    }
    npuzzle::AStar engine(graph, 0, Zero{});
    CHECK(engine.run() == Status::unsolvable);
    CHECK(engine.statistics().peak_open == 5);
}

TEST_CASE("where a limit strikes, the path goes to what looks nearest to a goal", "[engine]") {
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
