#include <npuzzle/maps/graph.hpp>
#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/maps/landmarks.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>

#include "support/catch.hpp"
#include "support/maps.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/thrown.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

using npuzzle::Landmarks;
using npuzzle::SearchStatus;
using test::Random;

namespace {

/// A round trip through most vertices, arcs between any two, and a few walls.
template <class Cost>
std::vector<npuzzle::Arc<Cost>> random_arcs(std::uint32_t vertices, Cost most, Random& random) {
    std::vector<npuzzle::Arc<Cost>> arcs;
    const auto any = [&] { return static_cast<std::uint32_t>(random.below(vertices)); };
    for (std::uint32_t i = 0; i < 3 * vertices; ++i) {
        const bool is_wall = std::numeric_limits<Cost>::has_infinity && random.one_in(20);
        const auto cost = static_cast<Cost>(most * static_cast<Cost>(random.below(1000)) / 1000);
        arcs.push_back({any(), any(), is_wall ? std::numeric_limits<Cost>::infinity() : cost});
        if (i + 5 < vertices) arcs.back() = {i, (i + 1) % (vertices - 5), arcs.back().cost};
    }
    return arcs;
}

/// No estimate exceeds the cost that is left, nor falls by more than a step costs, and what it calls a dead
/// end is one. Returns the share of the cost that the estimates tell.
template <class Stored, class P>
double check_estimates(const P& problem) {
    using Cost = npuzzle::cost_t<P>;
    const Landmarks<P, Stored> landmarks(problem);
    double told = 0;
    double left = 0;
    for (std::uint32_t from = 0; from < problem.size(); ++from) {
        const auto costs = oracle::costs_from<Cost>(problem, from);
        for (std::uint32_t goal = 0; goal < problem.size(); ++goal) {
            const auto bound = landmarks.bind(problem.with_goal(goal));
            const Cost estimate = bound(from);
            CHECK(bound(goal) == 0);
            for (const auto& [next, cost] : problem.neighbors(from)) {
                if (!npuzzle::detail::is_infinite(bound(next))) REQUIRE(estimate <= cost + bound(next));
            }
            const auto found = costs.find(goal);
            if (found == costs.end() || npuzzle::detail::is_infinite(found->second)) continue;
            REQUIRE(estimate <= found->second);
            told += static_cast<double>(estimate);
            left += static_cast<double>(found->second);
        }
    }
    return told / left;
}

template <class Cost, class Stored = std::uint32_t>
void check_graphs(Cost most, double least_told) {
    Random random(3);
    for (int i = 0; i < 3; ++i) {
        const auto arcs = random_arcs<Cost>(40, most, random);
        CHECK(check_estimates<Stored>(npuzzle::Graph<Cost>(40, arcs)) > 0.6 * least_told);
        CHECK(check_estimates<Stored>(npuzzle::UndirectedGraph<Cost>(40, arcs)) > least_told);
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
    CHECK(check_estimates<std::uint16_t>(npuzzle::Graph<int>(2, {{0, 1, 1}, {1, 0, 1'000'000}})) > 0.9);
}

TEST_CASE("landmarks on a map make searches shorter, in both directions at once too", "[landmarks]") {
    const auto square = test::maze(101, 5);
    const npuzzle::GridMap<> map(101, 101, [&](int x, int y) { return square.is_free(x, y); });
    const Landmarks landmarks(map, 8);
    std::uint64_t expanded = 0, expanded_octile = 0;
    Random random(1);
    const auto cell = [&] { return map.cell(2 * random.between(0, 50), 2 * random.between(0, 50)); };
    for (int i = 0; i < 50; ++i) {
        const auto start = cell();
        const auto to = map.with_goal(cell());
        const auto found = npuzzle::astar(to, start, landmarks);
        const auto other = npuzzle::astar(to, start, npuzzle::OctileDistance{});
        REQUIRE(found.cost == other.cost);
        REQUIRE(npuzzle::bidirectional_astar(to, start, landmarks).cost == other.cost);
        expanded += found.statistics.expanded;
        expanded_octile += other.statistics.expanded;
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

TEST_CASE("one landmark is enough on a line, and is where vertex 0 leads", "[landmarks]") {
    const npuzzle::UndirectedGraph<int> lines(6, {{0, 2, 5}, {2, 4, 7}, {1, 3, 5}, {3, 5, 7}});
    const Landmarks landmarks(lines, 1);
    CHECK(landmarks.bind(lines.with_goal(4))(0) == 12);
    CHECK(landmarks.bind(lines.with_goal(5))(1) == 0);
}

TEST_CASE("landmarks serve costs of all sizes", "[landmarks]") {
    for (const double step : {1e-320, 1e-305, 5e307}) {
        const npuzzle::UndirectedGraph<double> line(3, {{0, 1, step}, {1, 2, step}});
        const auto estimate = Landmarks(line).bind(line.with_goal(2))(0);
        CHECK(estimate <= 2 * step);
        CHECK(estimate >= (step < 1e-307 ? 0 : step));
    }
    // Distances that no type holds.
    const auto check_long = [](auto step) {
        using Cost = decltype(step);
        std::vector<npuzzle::Arc<Cost>> arcs;
        for (std::uint32_t i = 0; i < 400; ++i) arcs.push_back({i, i + 1, step});
        const npuzzle::UndirectedGraph<Cost> line(401, arcs);
        const auto bound =
            Landmarks<npuzzle::UndirectedGraph<Cost>, std::uint8_t>(line, 2).bind(line.with_goal(400));
        for (std::uint32_t i = 0; i < 400; ++i) {
            REQUIRE(bound(i) >= 0);
            REQUIRE(bound(i) <= bound(i + 1) + step);
            REQUIRE_FALSE(npuzzle::detail::is_infinite(bound(i)));
        }
    };
    check_long(std::numeric_limits<std::uint64_t>::max() - 1);
    check_long(1.7e308);
}

TEST_CASE("what cannot be landmarks is refused", "[landmarks]") {
    const npuzzle::Graph<int> graph(2, {{0, 1, 1}});
    CHECK(message_of<std::invalid_argument>([&] { Landmarks(graph, 1); }) == "landmarks: too few searches");
    CHECK_THROWS_AS(Landmarks(graph, 2, 2), std::invalid_argument);
    CHECK(message_of<std::invalid_argument>([&] { Landmarks(graph, 2, 1); }) ==
          "landmarks: no way from state 1 costs anything");
    CHECK_NOTHROW(Landmarks(npuzzle::GridMap<>("@..\n@..")));
    const npuzzle::Graph<int> larger(300, {{0, 1, 1}});
    const Landmarks landmarks(graph);
    CHECK(message_of<std::invalid_argument>([&] {
              static_cast<void>(landmarks.bind(larger.with_goal(299)));
          }) == "landmarks: of another graph");
    CHECK_THROWS_AS(Landmarks(graph, std::size_t{1} << 63), std::bad_alloc);
}

TEST_CASE("the first landmarks are sought where a step leads elsewhere, and not through a wall",
          "[landmarks]") {
    constexpr double wall = std::numeric_limits<double>::infinity();
    const npuzzle::UndirectedGraph<> line(5,
                                          {{0, 0, 5.0}, {0, 1, wall}, {1, 2, 0.0}, {2, 3, 2.0}, {3, 4, 2.0}});
    CHECK(Landmarks(line).bind(line.with_goal(4))(1) == 4);
}
