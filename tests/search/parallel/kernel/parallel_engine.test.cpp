#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/core/observer.hpp>
#include <npuzzle/search/parallel/kernel/parallel_engine.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

namespace {

using Problem = test::Graph<int>;
using Search = npuzzle::detail::ParallelSearch<false, Problem, npuzzle::Zero, npuzzle::SilentObserver,
                                               npuzzle::DefaultPolicy, npuzzle::AStarPriority<int, int>>;

} // namespace

TEST_CASE("a search that was begun on one thread goes on with its nodes and its counts", "[parallel]") {
    const auto graph = test::random_graph<int>(9, 500, 1500, 1, 20, 1);
    npuzzle::Zero zero;
    npuzzle::SilentObserver silent;
    const npuzzle::BasicLimits<int> limits;
    const auto least = oracle::least_cost<int>(graph, 0);
    REQUIRE(least.has_value());
    for (const unsigned nodes : {1U, 2U, 30U, 200U}) {
        INFO("from " << nodes << " nodes");
        Search search(graph, zero, silent, {}, limits);
        const auto result = search.run(0, 3, nodes);
        CHECK(result.cost == *least);
        test::check_path(graph, 0, result);
        test::check_statistics(result.status, result.statistics);
    }
}

TEST_CASE("a search that no threads can be added to goes on as it is", "[parallel]") {
    // No memory for the workers: their nodes and those that are there are too much together.
    const auto graph = test::random_graph<int>(9, 5'000, 15'000, 1, 20, 1);
    npuzzle::Zero zero;
    npuzzle::SilentObserver silent;
    Search alone(graph, zero, silent, {}, {});
    const auto expected = alone.run(0, 1, 0);
    npuzzle::BasicLimits<int> limits;
    limits.bytes = expected.statistics.bytes;
    Search search(graph, zero, silent, {}, limits);
    const auto result = search.run(0, 256, expected.statistics.stored * 99 / 100);
    CHECK(result.status == npuzzle::Status::solved);
    CHECK(result.cost == expected.cost);
    CHECK(result.statistics.expanded == expected.statistics.expanded);
    CHECK(result.statistics.bytes <= limits.bytes);
}
