#include <npuzzle/search/kernel/spur_search.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <utility>
#include <vector>

using npuzzle::Status;
using npuzzle::Zero;
using npuzzle::detail::SpurSearch;

namespace {

/// What the search has found, with what comes before it.
struct Search : SpurSearch<test::Graph<int>, Zero, npuzzle::SilentObserver> {
    using SpurSearch::SpurSearch;

    npuzzle::SearchResult<int, int> found(std::vector<int> before) const {
        npuzzle::SearchResult<int, int> result;
        result.path = std::move(before);
        add_solution(result);
        return result;
    }
};

} // namespace

TEST_CASE("a spur goes on from a path, and comes back to none of its states", "[spur_search]") {
    test::Graph<int> graph(6);
    graph.connect(0, 1, 2).connect(1, 2, 3).connect(2, 5, 1); // the path
    graph.connect(2, 3, 1).connect(3, 0, 0).connect(3, 1, 0).connect(3, 2, 0).connect(3, 4, 10);
    graph.connect(0, 4, 1).connect(4, 5, 4).add_goal(5);
    const std::vector<int> path{0, 1, 2, 5};
    Search search(graph, 0, Zero{}, {}, {});

    CHECK(search.run() == Status::solved);
    CHECK(search.found({}).path == std::vector<int>{0, 4, 5});
    const auto first = search.statistics();

    // By way of 3 it would be cheaper through 0, which is on the path already.
    CHECK(search.run_from(path, 2, 5, [](int next) { return next == 5; }) == Status::solved);
    const auto spur = search.found({0, 1});
    CHECK(spur.path == std::vector<int>{0, 1, 2, 3, 4, 5});
    CHECK(spur.cost == 20);
    CHECK(search.statistics().expanded == first.expanded + 3);

    CHECK(search.run_from(path, 2, 5, [](int next) { return next == 5 || next == 3; }) == Status::unsolvable);
    CHECK(search.statistics().expanded == first.expanded + 4);
    CHECK(search.statistics().stored == 6);

    CHECK(search.run_from(path, 0, 0, [](int next) { return next == 4; }) == Status::solved);
    CHECK(search.found({}).path == path);
    CHECK(search.found({}).cost == 6);
}

TEST_CASE("the cost of what comes before a spur counts for the bound", "[spur_search]") {
    test::Graph<int> graph(3);
    graph.connect(0, 1, 4).connect(1, 2, 3).add_goal(2);
    const auto none = [](int) { return false; };
    for (const int bound : {6, 7}) {
        Search search(graph, 0, Zero{}, {.max_cost = bound}, {});
        CHECK(search.run_from({0, 1}, 1, 4, none) == (bound < 7 ? Status::cost_limit : Status::solved));
    }
}
