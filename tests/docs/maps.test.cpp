// The code in docs/maps/: what stands there stands here, and is run.

#include <npuzzle/io/moving_ai.hpp>
#include <npuzzle/maps.hpp>
#include <npuzzle/maps/boost_graph.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/path_finder.hpp>

#include "support/catch.hpp"

#include <boost/graph/adjacency_list.hpp>

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

TEST_CASE("docs/maps/graph.md", "[docs]") {
    const std::vector<npuzzle::Point> towns{{0, 0}, {3, 4}, {6, 8}, {0, 8}};
    const npuzzle::UndirectedGraph<> roads(towns, {{0, 1, 5.5}, {1, 2, 6.0}, {0, 3, 8.0}, {3, 2, 7.0}});

    npuzzle::PathFinder finder(roads, npuzzle::EuclideanDistance{}); // once, for any number of queries
    const auto result = finder.find(0, 2);
    CHECK(result.cost == 11.5);

    const npuzzle::Landmarks landmarks(roads); // once for a graph
    npuzzle::PathFinder by_landmarks(roads, landmarks);
    CHECK(by_landmarks.find(0, 2).cost == 11.5);

    const npuzzle::Graph<int> one_way(3, {{0, 1, 2}, {1, 2, 2}, {0, 2, 5}});
    CHECK(npuzzle::astar(one_way.with_goal(2), 0, npuzzle::Zero{}).cost == 4);
}

TEST_CASE("docs/maps/graph.md, arcs from a file", "[docs]") {
    std::istringstream file("0 1 5.5\n1 2 6\n0 3 8\n3 2 7\n");
    std::vector<npuzzle::Arc<double>> arcs;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double length = 0;
    while (file >> from >> to >> length) {
        arcs.push_back({from, to, length});
    }
    const npuzzle::UndirectedGraph<> network(4, arcs);
    CHECK(npuzzle::astar(network.with_goal(2), 0, npuzzle::Zero{}).cost == 11.5);
}

TEST_CASE("docs/maps/graph.md, both directions", "[docs]") {
    const npuzzle::Graph<> graph(std::vector<npuzzle::Point>{{0, 0}, {1, 0}, {2, 0}}, {{0, 1, 1}, {1, 2, 1}});
    const std::uint32_t start = 0;
    const std::uint32_t goal = 2;
    const npuzzle::EuclideanDistance distance;
    const auto result = npuzzle::bidirectional_astar(graph.with_goal(goal), start, distance,
                                                     distance.bind(graph.with_goal(start)));
    CHECK(result.cost == 2);
}

namespace {

struct Road {
    double length;
};

using Roads = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Road>;

} // namespace

TEST_CASE("docs/maps/graph.md, Boost.Graph", "[docs]") {
    Roads roads(3);
    boost::add_edge(0, 1, {2.5}, roads);
    boost::add_edge(1, 2, {1.5}, roads);
    const npuzzle::BoostGraph problem(roads, boost::get(&Road::length, roads));
    const auto result = npuzzle::astar(problem.with_goal(2), 0, npuzzle::Zero{});
    CHECK(result.cost == 4);
}

TEST_CASE("docs/maps/jump_points.md", "[docs]") {
    const npuzzle::GridMap<> map("......\n"
                                 ".@@@..\n"
                                 "...@..\n");
    const npuzzle::JumpPoints jumps(map);
    const auto start = map.cell(0, 2);
    const auto goal = map.cell(5, 2);
    npuzzle::PathFinder finder(jumps, npuzzle::OctileDistance{});
    const auto result = finder.find(start, goal);
    const std::vector<std::uint32_t> cells = npuzzle::cells_along(jumps, result.path);
    const auto by_steps = npuzzle::astar(map.with_goal(goal), start, npuzzle::OctileDistance{});
    CHECK(std::abs(result.cost - by_steps.cost) < 1e-12);
    CHECK(cells.size() == by_steps.path.size());

    const auto found =
        npuzzle::weighted_astar(jumps.with_goal(goal), start, npuzzle::OctileDistance{}, {.weight = 1.5});
    CHECK(found.cost <= 1.5 * by_steps.cost);
}

TEST_CASE("docs/maps/grid_map.md", "[docs]") {
    const npuzzle::GridMap<> map("......\n"
                                 ".@@@..\n"
                                 "...@..\n");
    npuzzle::PathFinder finder(map, npuzzle::OctileDistance{});
    const auto result = finder.find(map.cell(0, 2), map.cell(5, 2)); // from column 0, row 2
    CHECK(std::abs(result.cost - (7 + std::sqrt(2.0))) < 1e-10);
    std::ostringstream out;
    const auto cells = npuzzle::cells_along(map, result.path);      // each cell, also between jump points
    const auto corners = npuzzle::turning_points(map, result.path); // and both ends
    for (const npuzzle::GridMove move : npuzzle::moves_along(map, result.path)) out << move << ' ';
    CHECK(out.str() == "up up right right right right down-right down ");
    CHECK(cells == result.path);
    CHECK(corners.front() == cells.front());

    const auto is_free = [](int x, int y) { return x % 4 != 2 || y % 8 == 0; };
    const npuzzle::GridMap<int> fences(100, 100, is_free, {.corners = npuzzle::CornerRule::one_free});
    const npuzzle::GridMap<int> streets(100, 100, is_free, {.sides = npuzzle::Sides::four, .straight = 1});

    const auto hills = map.with_weights([](int x, int) { return x < 3 ? 1.0 : 2.5; });
    CHECK(npuzzle::astar(hills.with_goal(5), 0, npuzzle::OctileDistance{}).cost == 2 + 1.75 + 2 * 2.5);
    CHECK(fences.size() == streets.size());
}

TEST_CASE("docs/io.md, maps", "[docs]") {
    std::istringstream input("type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n");
    std::istringstream scenario_input("version 1\n0\ta.map\t3\t2\t0\t0\t2\t0\t4.00000000\n");
    const npuzzle::GridMap<> map(npuzzle::read_map(input, "a.map"));
    for (const auto& task : npuzzle::read_scenarios(scenario_input, "a.map.scen")) {
        const auto to = map.with_goal(map.cell(task.goal_x, task.goal_y));
        const auto result =
            npuzzle::astar(to, map.cell(task.start_x, task.start_y), npuzzle::OctileDistance{});
        CHECK(std::abs(result.cost - task.length) < 1e-6);
    }
}
