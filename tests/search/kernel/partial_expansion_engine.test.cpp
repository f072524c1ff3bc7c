#include <npuzzle/search/core/policy.hpp>
#include <npuzzle/search/kernel/partial_expansion_engine.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <vector>

namespace {

using Graph = test::Graph<int>;
using Table = test::Table<int>;

template <class Priority>
using Parts = npuzzle::PartsFor<Graph, Table, npuzzle::PooledPolicy, Priority>;

} // namespace

TEST_CASE("an engine stores a neighbor when its priority is next in turn", "[partial]") {
    Graph graph(5);
    graph.connect(0, 1, 1).connect(0, 2, 2).connect(0, 3, 9).connect(1, 4, 3).connect(2, 4, 1).add_goal(4);
    const Table zero{{}};
    using AStar = npuzzle::AStarPriority<int, int>;
    npuzzle::PartialExpansionEngine<Graph, const Table&, npuzzle::SilentObserver, Parts<AStar>> engine(
        graph, 0, zero);
    std::vector<std::uint64_t> stored;
    while (engine.step()) {
        stored.push_back(engine.statistics().stored);
    }
    CHECK(engine.result().path == std::vector{0, 2, 4});
    CHECK(stored.front() == 1);             // nothing costs 0
    CHECK(engine.statistics().stored == 4); // never 3
    engine.restart(1);
    engine.run();
    CHECK(engine.result().path == std::vector{1, 4});
}

TEST_CASE("an engine expands in part by any priority", "[partial]") {
    Graph graph(4);
    graph.connect(0, 1, 1).connect(0, 2, 5).connect(1, 3, 1).connect(2, 3, 5).add_goal(3);
    const Table nearer_by_two{{{0, 5}, {1, 4}, {2, 1}}};
    using Greedy = npuzzle::GreedyPriority<int, int>;
    npuzzle::PartialExpansionEngine<Graph, const Table&, npuzzle::SilentObserver, Parts<Greedy>> engine(
        graph, 0, nearer_by_two);
    engine.run();
    CHECK(engine.result().path == std::vector{0, 2, 3});
    CHECK(engine.result().cost == 10);
}
