#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/kernel/best_first_base.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace {

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

static_assert(npuzzle::IncrementalHeuristicFor<FollowingHalf, Walked>);
static_assert(!npuzzle::IncrementalHeuristicFor<Half, Walked>);

} // namespace

TEST_CASE("neighbors beyond the bound are not stored where they can be told early, and nothing else changes",
          "[best_first_base]") {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        CAPTURE(seed);
        const Walked ring(seed, 300, 150);
        const Half half{oracle::costs_to_goal<int>(ring, 0)};
        const FollowingHalf following{half};
        const int least = half.left.at(0);
        for (const int bound : {least / 2, least - 1, least}) {
            const auto expected = npuzzle::astar(ring, 0, half, {.max_cost = bound});
            const auto result = npuzzle::astar(ring, 0, following, {.max_cost = bound});
            CHECK(expected.status == (bound < least ? npuzzle::Status::cost_limit : npuzzle::Status::solved));
            CHECK(result.status == expected.status);
            CHECK(result.path == expected.path);
            CHECK(result.statistics.expanded == expected.statistics.expanded);
            CHECK(result.statistics.generated == expected.statistics.generated);
            CHECK(result.statistics.stored < expected.statistics.stored);
            // In the end all that is stored is expanded, but the first that was beyond the bound.
            CHECK((bound == least || result.statistics.stored <= result.statistics.expanded + 1));
        }
    }
}

TEST_CASE("a bound that bars only detours is no reason why there is no solution", "[best_first_base]") {
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
    CHECK(npuzzle::astar(ring, 0, nothing, {.max_cost = farthest}).status == npuzzle::Status::unsolvable);
    CHECK(npuzzle::astar(ring, 0, nothing, {.max_cost = farthest - 1}).status == npuzzle::Status::cost_limit);
}

TEST_CASE("a start is known again, may be a dead end, or beyond the bound", "[best_first_base]") {
    test::Graph<int> graph(4);
    graph.connect(0, 1, 3).connect(2, 1, 1).add_goal(1);
    const test::Table<int> estimates{{{3, std::numeric_limits<int>::max()}, {0, 3}, {2, 1}}};
    npuzzle::AStar engine(graph, 0, estimates, {.max_cost = 2});
    CHECK(engine.statistics().stored == 1);
    CHECK(engine.statistics().peak_open == 0); // beyond the bound
    engine.add_start(3);
    engine.add_start(0);
    CHECK(engine.statistics().stored == 2);
    engine.add_start(2);
    CHECK(engine.run() == npuzzle::Status::solved);
    engine.add_start(0); // has no effect any more
    CHECK(engine.result().path == std::vector{2, 1});
}

TEST_CASE("an engine that begins again forgets, and counts anew", "[best_first_base]") {
    test::Graph<int> graph(3);
    graph.connect(0, 1, 1).connect(1, 2, 1).add_goal(2);
    npuzzle::AStar engine(graph, 0, npuzzle::Zero{});
    engine.run();
    CHECK(engine.statistics().expanded == 2);
    engine.restart(1);
    CHECK(engine.status() == npuzzle::Status::running);
    CHECK(engine.statistics().stored == 1);
    engine.run();
    CHECK(engine.statistics().expanded == 1);
    CHECK(engine.result().path == std::vector{1, 2});
}

TEST_CASE("goals and estimates may change between two searches of an engine", "[best_first_base]") {
    test::Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(2, 3, 1).connect(0, 3, 9).add_goal(2);
    test::Table<int> estimates{{{0, 2}, {1, 1}}};
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
}

TEST_CASE("a heuristic passed as a temporary is the engine's own, and does not follow", "[best_first_base]") {
    test::Graph<int> graph(3);
    graph.connect(0, 1, 1).connect(1, 2, 1).add_goal(2);
    test::Table<int> estimates{{{0, 2}, {1, 1}}};
    npuzzle::AStar engine(graph, 0, test::Table<int>(estimates));
    estimates.values = {{1, std::numeric_limits<int>::max()}};
    engine.restart(0);
    CHECK(engine.run() == npuzzle::Status::solved);
}

TEST_CASE("an engine that begins again forgets how near it had come", "[best_first_base]") {
    test::Graph<int> graph(8);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(2, 3, 1).connect(4, 5, 1).connect(5, 6, 1).add_goal(7);
    const test::Table<int> estimates{{{0, 4}, {1, 3}, {2, 2}, {3, 1}, {4, 8}, {5, 9}, {6, 9}}};
    npuzzle::AStar engine(graph, 0, estimates, {.expansions = 2});
    CHECK(engine.run() == npuzzle::Status::expansion_limit);
    CHECK(engine.result().partial_path == std::vector{0, 1, 2});
    engine.restart(4);
    CHECK(engine.result().partial_path.empty());
    CHECK(engine.run() == npuzzle::Status::expansion_limit);
    CHECK(engine.result().partial_path == std::vector{4});
}

TEST_CASE("the most entries on the open list are those at the worst moment", "[best_first_base]") {
    // A broom: the list is longest after the second step, and then falls.
    test::Graph<int> graph(8);
    graph.connect(0, 1, 1).add_goal(7);
    for (int leaf = 2; leaf < 7; ++leaf) {
        graph.connect(1, leaf, 1);
    }
    npuzzle::AStar engine(graph, 0, npuzzle::Zero{});
    CHECK(engine.run() == npuzzle::Status::unsolvable);
    CHECK(engine.statistics().peak_open == 5);
}
