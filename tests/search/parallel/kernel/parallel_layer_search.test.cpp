#include <npuzzle/search/parallel/kernel/parallel_layer_search.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

using npuzzle::Status;

using Graph = test::Graph<int>;
using Search =
    npuzzle::detail::ParallelLayerSearch<Graph, npuzzle::detail::AllLayers<Graph>, npuzzle::SilentObserver>;

TEST_CASE("a layer is expanded by several workers, and then the next", "[parallel][layers]") {
    // A tree in which each vertex has three children.
    Graph tree(1 + 3 + 9 + 27 + 81);
    for (int vertex = 1; vertex < tree.size(); ++vertex) {
        tree.connect((vertex - 1) / 3, vertex, 1);
    }
    npuzzle::SilentObserver observer;
    npuzzle::detail::LimitMonitor monitor(npuzzle::Limits{});
    npuzzle::MemoryBudget budget;
    npuzzle::Statistics statistics;
    {
        Search search(tree, observer, monitor, budget, statistics, {.threads = 3, .least_divided = 9});
        search.start(0);
        std::array<int, 3> reached{}; // by each worker: two of them never write to the same
        const auto visit = [&](const auto& neighbor, std::size_t worker) {
            ++reached[worker];
            return neighbor.state == 100;
        };
        std::uint64_t size = 1;
        for (int depth = 0; depth < 3; ++depth) {
            CHECK(search.depth() == depth);
            CHECK(search.layer_size() == size);
            CHECK(search.expand(16, visit) == Status::unsolvable); // the layer is done
            REQUIRE(search.advance());
            size *= 3;
        }
        CHECK(statistics.expanded == 13);
        CHECK(statistics.generated == 39);
        CHECK(statistics.peak_open == 36);
        CHECK(search.stored() == 40);
        CHECK(reached[0] + reached[1] + reached[2] == 39);
        CHECK(reached[1] > 0);
        CHECK(search.expand(16, visit) == Status::solved);
        CHECK(search.end().state == 100);
        search.clear();
        CHECK(search.stored() == 0);
    }
    CHECK(budget.used() == 0);
}
