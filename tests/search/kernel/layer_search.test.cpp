#include <npuzzle/search/kernel/layer_search.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <cstdint>
#include <set>

namespace {

using npuzzle::MemoryBudget;
using npuzzle::SilentObserver;
using npuzzle::Statistics;
using npuzzle::Status;
using npuzzle::detail::AllLayers;
using npuzzle::detail::LayerSearch;
using npuzzle::detail::LimitMonitor;

using Graph = test::Graph<int>;

/// Counts the nodes that are not as in a search without a heuristic by steps of cost 1.
struct Blind : SilentObserver {
    int nodes = 0;
    int wrong = 0;
    void expand(const auto& node) { look(node); }
    void generate(const auto& node, const auto& parent) {
        look(node);
        look(parent);
        wrong += node.cost == parent.cost + 1 ? 0 : 1;
    }
    void look(const auto& node) {
        ++nodes;
        wrong += node.estimate == 0 && node.priority == node.cost ? 0 : 1;
    }
};

/// 0 to 1 and 2, both to 3, 3 to 0 and 4.
Graph diamond() {
    Graph graph(5);
    graph.connect(0, 1, 1).connect(0, 2, 1).connect(1, 3, 1).connect(2, 3, 1).connect(3, 0, 1);
    graph.connect(3, 4, 1);
    return graph;
}

} // namespace

TEST_CASE("a layer is expanded in parts, and then the next", "[layers]") {
    const Graph graph = diamond();
    SilentObserver observer;
    LimitMonitor monitor(npuzzle::Limits{});
    MemoryBudget budget;
    Statistics statistics;
    LayerSearch<Graph, AllLayers<Graph>, SilentObserver> search(graph, observer, monitor, budget, statistics);
    search.start(0);
    std::multiset<int> visited;
    const auto visit = [&](const auto& reached) {
        visited.insert(reached.state);
        return reached.state == 4;
    };
    CHECK(search.expand(16, visit) == Status::unsolvable); // the layer is done
    CHECK(visited == std::multiset<int>{1, 2});
    REQUIRE(search.advance());
    CHECK(search.depth() == 1);
    CHECK(search.expand(1, visit) == Status::running);
    CHECK(search.expand(1, visit) == Status::running);
    CHECK(search.expand(1, visit) == Status::unsolvable);
    CHECK(visited == std::multiset<int>{1, 2, 3});
    CHECK(statistics.duplicates == 1);
    REQUIRE(search.advance());
    CHECK(search.expand(1, visit) == Status::solved); // a visit returned true
    CHECK(statistics.expanded == 4);
    CHECK(statistics.generated == 6);
    CHECK(statistics.peak_open == 3);
}

TEST_CASE("a layer is expanded up to a limit", "[layers]") {
    const Graph graph = diamond();
    SilentObserver observer;
    LimitMonitor monitor(npuzzle::Limits{.expansions = 2});
    MemoryBudget budget;
    Statistics statistics;
    LayerSearch<Graph, AllLayers<Graph>, SilentObserver> search(graph, observer, monitor, budget, statistics);
    const auto pass = [](const auto&) { return false; };
    search.start(0);
    CHECK(search.expand(16, pass) == Status::unsolvable);
    REQUIRE(search.advance());
    CHECK(search.expand(16, pass) == Status::expansion_limit);
    CHECK(statistics.expanded == 2);
    CHECK(search.layers().stored() == 4); // what was expanded has left its neighbors
}

TEST_CASE("an observer of layers sees steps of cost 1, and no estimates", "[layers]") {
    const Graph graph = diamond();
    Blind observer;
    LimitMonitor monitor(npuzzle::Limits{});
    MemoryBudget budget;
    Statistics statistics;
    LayerSearch<Graph, AllLayers<Graph>, Blind> search(graph, observer, monitor, budget, statistics);
    search.start(0);
    const auto pass = [](const auto&) { return false; };
    do {
        CHECK(search.expand(16, pass) == Status::unsolvable);
    } while (search.advance());
    CHECK(observer.nodes == 5 + 2 * 6);
    CHECK(observer.wrong == 0);
}
