#include <npuzzle/maps/graph.hpp>
#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/maps/landmarks.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/path_finder.hpp>

#include "support/catch.hpp"
#include "support/maps.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/thrown.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

using npuzzle::Landmarks;
using npuzzle::SearchStatus;
using test::Random;

namespace {

/// A random graph: a round trip through most of its vertices, arcs between any two, and a few walls.
template <class Graph, class Cost>
Graph random_graph(std::uint32_t vertices, Cost most, Random& random) {
    std::vector<npuzzle::Arc<Cost>> arcs;
    for (std::uint32_t i = 0; i < 3 * vertices; ++i) {
        const auto vertex = [&] { return static_cast<std::uint32_t>(random.below(vertices)); };
        const auto cost = static_cast<Cost>(most * static_cast<Cost>(random.below(1000)) / 1000);
        arcs.push_back({vertex(), vertex(), cost});
        if (i + 5 < vertices) arcs.back() = {i, (i + 1) % (vertices - 5), cost};
        if (std::numeric_limits<Cost>::has_infinity && random.one_in(20)) {
            arcs.back().cost = std::numeric_limits<Cost>::infinity();
        }
    }
    return Graph(vertices, arcs);
}

/// No estimate exceeds the cost that is left, nor falls by more than a step costs, and what it calls a dead
/// end is one. Returns the share of the cost that the estimates tell.
template <class L, class P>
double check_estimates(const L& landmarks, const P& problem) {
    using Cost = npuzzle::cost_t<P>;
    double told = 0;
    double left = 0;
    for (std::size_t goal = 0; goal < problem.size(); ++goal) {
        const P to = problem.with_goal(problem.state_at(goal));
        const auto bound = landmarks.bind(to);
        CHECK(bound(to.goal()) == 0);
        for (std::size_t from = 0; from < problem.size(); ++from) {
            const Cost estimate = bound(problem.state_at(from));
            for (const auto& [next, cost] : problem.neighbors(problem.state_at(from))) {
                if (!npuzzle::detail::is_infinite(bound(next))) REQUIRE(estimate <= cost + bound(next));
            }
            const auto found = npuzzle::dijkstra(to, problem.state_at(from));
            if (found.status != SearchStatus::solved) continue;
            REQUIRE(estimate <= found.cost);
            told += static_cast<double>(estimate);
            left += static_cast<double>(found.cost);
        }
    }
    return told / left;
}

template <class Cost, class Stored = std::uint32_t>
void check_graphs(Cost most, double least_told) {
    Random random(3);
    for (int i = 0; i < 3; ++i) {
        using Directed = npuzzle::Graph<Cost>;
        using Undirected = npuzzle::UndirectedGraph<Cost>;
        const auto directed = random_graph<Directed, Cost>(40, most, random);
        const auto undirected = random_graph<Undirected, Cost>(40, most, random);
        CHECK(check_estimates(Landmarks<Directed, Stored>(directed), directed) > 0.6 * least_told);
        CHECK(check_estimates(Landmarks<Undirected, Stored>(undirected), undirected) > least_told);
    }
}

} // namespace

TEST_CASE("the estimates are consistent and near, whatever the type of costs", "[landmarks]") {
    check_graphs<int>(1000, 0.8);
    check_graphs<std::int64_t, std::uint64_t>(std::int64_t{1} << 53, 0.8); // no cost is rounded up
    check_graphs<std::int64_t>(std::int64_t{1} << 50, 0.8);                // in units
    check_graphs<double>(7.7, 0.8);
    check_graphs<double>(1e-300, 0.8);
    check_graphs<float>(7.7F, 0.8F);
    check_graphs<long double, std::uint64_t>(7.7L, 0.8);
    check_graphs<int, std::uint16_t>(30'000, 0.75);
    check_graphs<double, std::uint16_t>(7.7, 0.75);
    check_graphs<int, std::uint8_t>(3, 0.3); // hardly any room
}

TEST_CASE("landmarks on a map make searches shorter, in both directions at once too", "[landmarks]") {
    const auto square = test::maze(101, 5);
    const npuzzle::GridMap<> map(101, 101, [&](int x, int y) { return square.is_free(x, y); });
    const Landmarks landmarks(map, 8);
    npuzzle::PathFinder finder(map, landmarks);
    npuzzle::PathFinder octile(map, npuzzle::OctileDistance{});
    std::uint64_t expanded = 0;
    std::uint64_t expanded_octile = 0;
    Random random(1);
    for (int i = 0; i < 50; ++i) {
        const auto cell = [&] { return map.cell(2 * random.between(0, 50), 2 * random.between(0, 50)); };
        const auto start = cell();
        const auto goal = cell();
        const auto found = finder.find(start, goal);
        const auto other = octile.find(start, goal);
        REQUIRE(found.status == SearchStatus::solved);
        REQUIRE(found.cost == other.cost);
        expanded += found.statistics.expanded;
        expanded_octile += other.statistics.expanded;
        const auto to = map.with_goal(goal);
        REQUIRE(npuzzle::bidirectional_astar(to, start, landmarks).cost == other.cost);
    }
    CHECK(2 * expanded < expanded_octile);
}

TEST_CASE("landmarks prove that there is no path", "[landmarks]") {
    const npuzzle::UndirectedGraph<int> graph(5, {{0, 1, 1}, {1, 2, 1}, {3, 4, 1}});
    const Landmarks landmarks(graph);
    for (const std::uint32_t start : {0U, 3U}) {
        const auto found = npuzzle::astar(graph.with_goal(start == 0 ? 4 : 2), start, landmarks);
        CHECK(found.status == SearchStatus::unsolvable);
        CHECK(found.statistics.expanded <= 1);
    }
    const npuzzle::Graph<int> one_way(3, {{0, 1, 1}, {1, 2, 1}});
    const auto back = npuzzle::astar(one_way.with_goal(0), 2, Landmarks(one_way));
    CHECK(back.status == SearchStatus::unsolvable);
    const npuzzle::Graph<std::int16_t> far(3, {{0, 1, 30'000}, {1, 2, 30'000}, {1, 0, 1}, {2, 1, 1}});
    CHECK(npuzzle::astar(far.with_goal(2), 0, Landmarks(far)).status == SearchStatus::cost_overflow);
}

TEST_CASE("what cannot be landmarks is refused", "[landmarks]") {
    const npuzzle::Graph<int> graph(2, {{0, 1, 1}});
    CHECK(message_of<std::invalid_argument>([&] { Landmarks(graph, 1); }) == "landmarks: too few searches");
    CHECK_THROWS_AS(Landmarks(graph, 2, 2), std::invalid_argument);
    CHECK(message_of<std::invalid_argument>([&] { Landmarks(graph, 2, 1); }) ==
          "landmarks: no step that costs anything leads from the state to begin with, number 1");
    CHECK_NOTHROW(Landmarks(npuzzle::GridMap<>("@..\n@..")));
}
