#include <npuzzle/search/kernel/astar_then.hpp>

#include "support/catch.hpp"
#include "support/unit_graphs.hpp"

#include <cstdint>
#include <map>
#include <vector>

TEST_CASE("states by their depths are numbered in that order", "[astar_then]") {
    const test::Undirected graph(1, 10, 10);
    npuzzle::MemoryBudget budget;
    npuzzle::detail::StatesByDepth<test::Undirected> states(graph, budget);
    for (const auto& [state, depth] : std::multimap<int, int>{{1, 4}, {2, 2}, {3, 4}, {4, 7}}) {
        states.add(state, depth);
    }
    CHECK(states.size() == 4);
    CHECK(states.depth_of(0) == 2);
    CHECK(states.depth_of(2) == 4);
    CHECK(states.depth_of(3) == 7);
    CHECK(states.first_of(4) == 1);
    CHECK(states.first_of(7) == 3);
    std::map<std::uint64_t, int> seen;
    for (int depth = -1; depth < 10; ++depth) {
        states.for_each(depth, 1, 3, [&](int state, std::uint64_t number) { seen[number] = state; });
    }
    CHECK(seen == std::map<std::uint64_t, int>{{1, 1}, {2, 3}});
}

TEST_CASE("A* stops at its bytes, leaves its open nodes, and knows its states", "[astar_then]") {
    const test::UndirectedWords graph(4, 200, 300);
    npuzzle::SilentObserver observer;
    npuzzle::detail::LeavingAStar<test::UndirectedWords, npuzzle::Zero, npuzzle::SilentObserver> search(
        graph, 0, npuzzle::Zero{}, {}, observer);
    search.run_until(1); // as many as it holds from its beginning
    CHECK(search.status() == npuzzle::Status::running);
    for (int i = 0; i < 10; ++i) {
        search.step();
    }
    REQUIRE(search.status() == npuzzle::Status::running);
    const auto depths = oracle::breadth_first(graph, 0);
    const npuzzle::detail::KnownByTable known(search.table());
    int open = 0;
    search.take_open([&](const auto& node, int priority) {
        ++open;
        const int state = node.state();
        const int cost = node.cost();
        CHECK(depths.at(state) == cost);
        CHECK(priority == cost);
        CHECK(known.contains(state, cost));
        CHECK_FALSE(known.contains(state, cost - 1));
    });
    CHECK(open == static_cast<int>(search.table().size()) - 10);
}
