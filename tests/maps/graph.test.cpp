#include <npuzzle/maps/graph.hpp>
#include <npuzzle/search.hpp>
#include <npuzzle/search/parallel.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using npuzzle::Arc;
using npuzzle::EuclideanDistance;
using npuzzle::Graph;
using npuzzle::Point;
using npuzzle::Status;
using npuzzle::UndirectedGraph;
using test::Random;
using Vertex = std::uint32_t;

template <class G>
constexpr bool has_all_capabilities = npuzzle::NumberedProblem<G> && npuzzle::BackwardProblem<G> &&
                                      npuzzle::HasWithGoal<G> && npuzzle::HasLeastCost<G>;
static_assert(has_all_capabilities<Graph<>> && has_all_capabilities<Graph<int>>);
static_assert(has_all_capabilities<Graph<std::chrono::minutes>>);
static_assert(npuzzle::UndirectedProblem<UndirectedGraph<>> && npuzzle::HasWithGoal<UndirectedGraph<>> &&
              !npuzzle::UndirectedProblem<Graph<>>);
static_assert(npuzzle::PositionedProblem<Graph<float>>);
static_assert(!npuzzle::PositionedProblem<Graph<std::chrono::minutes>>);

/// Arcs of costs that are sums without rounding; some cost nothing, some lead back to where they begin.
template <class Cost>
std::vector<Arc<Cost>> random_arcs(Random& random, int vertices, int count) {
    std::vector<Arc<Cost>> arcs;
    const auto any = [&] { return static_cast<Vertex>(random.between(0, vertices - 1)); };
    for (int i = 0; i < count; ++i) {
        const Cost cost = static_cast<Cost>(random.between(0, 20)) / (std::is_floating_point_v<Cost> ? 4 : 1);
        const Vertex from = any();
        arcs.push_back({from, random.one_in(20) ? from : any(), cost});
    }
    return arcs;
}

/// What is true of a graph, by the Floyd-Warshall algorithm over the list that it was made of.
template <class Cost>
struct Distances {
    std::vector<std::vector<double>> least;

    Distances(std::size_t vertices, const std::vector<Arc<Cost>>& arcs, bool is_undirected)
        : least(vertices, std::vector<double>(vertices, std::numeric_limits<double>::infinity())) {
        for (const Arc<Cost>& arc : arcs) {
            lower(arc.from, arc.to, static_cast<double>(arc.cost));
            if (is_undirected) lower(arc.to, arc.from, static_cast<double>(arc.cost));
        }
        for (std::size_t vertex = 0; vertex < vertices; ++vertex) lower(vertex, vertex, 0);
        for (std::size_t by = 0; by < vertices; ++by) {
            for (std::size_t from = 0; from < vertices; ++from) {
                for (std::size_t to = 0; to < vertices; ++to) {
                    lower(from, to, least[from][by] + least[by][to]);
                }
            }
        }
    }
    void lower(std::size_t from, std::size_t to, double cost) {
        least[from][to] = std::min(least[from][to], cost);
    }
};

template <class Result>
void check_least(double least, const Result& result) {
    CHECK(result.status == (std::isfinite(least) ? Status::solved : Status::unsolvable));
    CHECK((!result || static_cast<double>(result.cost) == least));
    CHECK(result.statistics.contract_violations == 0);
}

template <class Cost, bool undirected>
void check_random_graphs() {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        const int vertices = random.between(1, 25);
        const auto arcs = random_arcs<Cost>(random, vertices, random.between(0, 3 * vertices));
        const Graph<Cost, undirected> graph(static_cast<std::size_t>(vertices), arcs);
        const Distances<Cost> distances(graph.size(), arcs, undirected);
        const Vertex start = static_cast<Vertex>(random.between(0, vertices - 1));
        for (Vertex goal = 0; goal < graph.size(); goal += 3) {
            const double least = distances.least[start][goal];
            solved += std::isfinite(least) ? 1 : 0;
            const auto to = graph.with_goal(goal);
            check_least(least, npuzzle::astar(to, start, npuzzle::Zero{}));
            check_least(least, npuzzle::bidirectional_astar(to, start, npuzzle::Zero{}));
        }
        std::size_t reached = 0;
        npuzzle::for_each_reachable(graph, start, [&](Vertex vertex, Cost cost) {
            ++reached;
            CHECK(static_cast<double>(cost) == distances.least[start][vertex]);
        });
        const auto& row = distances.least[start];
        CHECK(static_cast<std::ptrdiff_t>(reached) ==
              std::count_if(row.begin(), row.end(), [](double cost) { return std::isfinite(cost); }));
    }
    CHECK(solved > 100);
}

} // namespace

TEST_CASE("a graph has the cheapest paths of its list of arcs", "[graph]") {
    check_random_graphs<double, false>();
    check_random_graphs<int, true>();
}

TEST_CASE("neighbors and predecessors are the arcs, in the order of the list", "[graph]") {
    const std::vector<Arc<int>> arcs{{2, 0, 5}, {0, 1, 3}, {0, 1, 7}, {1, 1, 0}, {0, 2, 4}};
    using Row = std::vector<npuzzle::Edge<Vertex, int>>;
    const auto row = [](const auto& range) {
        Row edges;
        for (const auto& edge : range) edges.push_back(edge);
        return edges;
    };
    const Graph<int> graph(4, arcs);
    CHECK(graph.size() == 4);
    CHECK(graph.least_cost() == 0);
    CHECK(row(graph.neighbors(0)) == Row{{1, 3}, {1, 7}, {2, 4}});
    CHECK(row(graph.neighbors(1)) == Row{{1, 0}});
    CHECK(row(graph.neighbors(3)).empty());
    CHECK(row(graph.predecessors(1)) == Row{{0, 3}, {0, 7}, {1, 0}});
    CHECK(row(graph.predecessors(0)) == Row{{2, 5}});

    const UndirectedGraph<int> both(4, arcs);
    CHECK(row(both.neighbors(0)) == Row{{2, 5}, {1, 3}, {1, 7}, {2, 4}});
    CHECK(row(both.neighbors(1)) == Row{{0, 3}, {0, 7}, {1, 0}}); // the arc to itself once
    CHECK(row(both.predecessors(2)) == row(both.neighbors(2)));

    CHECK(Graph<int>(3, {{0, 1, 4}, {1, 2, 2}}).least_cost() == 2);
    CHECK(Graph<int>(3, {}).least_cost() == 0);
    CHECK(Graph<int>(0, {}).size() == 0);
}

TEST_CASE("a graph has the goal that it is given", "[graph]") {
    const Graph<> graph(3, {{0, 1, 1.0}, {1, 2, 1.0}});
    CHECK_THROWS_AS(graph.goal(), std::logic_error);
    CHECK_THROWS_AS(npuzzle::dijkstra(graph, 0), std::logic_error);
    CHECK(npuzzle::dijkstra(graph.with_goal(2), 0).cost == 2);
    CHECK(npuzzle::dijkstra(npuzzle::with_goals(graph, std::vector<Vertex>{1, 2}), 0).cost == 1);
    CHECK(message_of<std::invalid_argument>([&] { return graph.with_goal(3); }) ==
          "no goal 3 in a graph of 3 vertices");
}

TEST_CASE("each search refuses a start that is no vertex", "[graph]") {
    const auto graph = Graph<int>(3, {{0, 1, 1}, {1, 2, 1}}).with_goal(2);
    const npuzzle::Zero zero;
    const auto check = [](const std::string& name, auto&& search) {
        INFO(name);
        CHECK_NOTHROW(search(Vertex{0}));
        for (const Vertex no_vertex : {3U, 99U, 4'000'000'000U}) {
            CHECK(message_of<std::invalid_argument>([&] { search(no_vertex); }) ==
                  "no state " + std::to_string(no_vertex) + " in a problem of 3 states");
        }
    };
    check("A*", [&](Vertex start) { npuzzle::astar(graph, start, zero); });
    check("a second start", [&](Vertex start) {
        npuzzle::AStar engine(graph, 0, zero);
        engine.add_start(start);
    });
    check("beam", [&](Vertex start) { npuzzle::beam_search(graph, start, zero, {.width = 2}); });
    check("anytime", [&](Vertex start) { npuzzle::anytime_astar(graph, start, zero, [](const auto&) {}); });
    check("k paths", [&](Vertex start) { npuzzle::k_shortest_paths(graph, start, zero, 2); });
    check("all paths", [&](Vertex start) { npuzzle::count_optimal(graph, start, zero); });
    check("depth first", [&](Vertex start) { npuzzle::depth_first(graph, start, {.max_depth = 9}); });
    check("breadth first", [&](Vertex start) { npuzzle::breadth_first(graph, start); });
    check("both ends", [&](Vertex start) { npuzzle::bidirectional_astar(graph, start, zero); });
    check("LPA*", [&](Vertex start) { npuzzle::LpaStar engine(graph, start, zero); });
    check("D* Lite", [&](Vertex start) { npuzzle::DStarLite engine(graph, start, zero); });
    check("a start that moves", [&](Vertex start) {
        npuzzle::DStarLite engine(graph, 0, zero);
        engine.move_start(start);
        engine.update(start);
    });
    check("two threads", [&](Vertex start) {
        npuzzle::parallel_astar(graph, start, zero, {.threads = 2, .serial_nodes = 0});
    });
    check("files", [&](Vertex start) {
        npuzzle::external_astar(graph, start, zero,
                                {.folder = std::filesystem::temp_directory_path().string()});
    });
    check("layers", [&](Vertex start) { npuzzle::breadth_first_layers(graph, start); });
    check("a walk", [&](Vertex start) { npuzzle::for_each_reachable(graph, start, [](Vertex, int) {}); });
    check("a tree", [&](Vertex start) { static_cast<void>(npuzzle::shortest_path_tree(graph, start)); });
    check("goals", [&](Vertex goal) { static_cast<void>(npuzzle::with_goals(graph, std::vector{goal})); });
    check("samples", [&](Vertex at) { static_cast<void>(npuzzle::verify_consistency(graph, zero, {at})); });
    const Graph<int> empty(0, {});
    CHECK(message_of<std::invalid_argument>([&] {
              static_cast<void>(npuzzle::shortest_path_tree(empty, 0));
          }) == "no state 0 in a problem of 0 states");
}

TEST_CASE("what is wrong with an arc is said", "[graph]") {
    const auto message = [](std::vector<Arc<double>> arcs) {
        arcs.insert(arcs.begin(), {0, 1, 1});
        return message_of<std::invalid_argument>([&] { return Graph<>(3, arcs); });
    };
    CHECK(message({{1, 3, 1}}) == "arc 1, from 1 to 3: no such vertex in a graph of 3");
    CHECK(message({{1, 2, -0.5}}) == "arc 1, from 1 to 2: its cost is negative");
    CHECK(message({{1, 2, std::numeric_limits<double>::quiet_NaN()}}) ==
          "arc 1, from 1 to 2: its cost is not a number");
    CHECK_THROWS_AS(Graph<>(4'294'967'295, {}), std::invalid_argument);
    CHECK_NOTHROW(Graph<>(std::vector<Point>{{1e150, -1e150}}, {}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double bad : {nan, std::numeric_limits<double>::infinity(), -1e200}) {
        CHECK(message_of<std::invalid_argument>([&] {
                  return Graph<>(std::vector<Point>{{0, 0}, {1, bad}}, {});
              }) == "vertex 1 has a coordinate that is no number from -1e150 to 1e150");
        CHECK_THROWS_AS(Graph<>(std::vector<Point>{{bad, 0}}, {}), std::invalid_argument);
    }
}

TEST_CASE("a cost may be of any cost type", "[graph]") {
    using std::chrono::minutes;
    const Graph<minutes> graph(std::vector<Point>{{0, 0}, {1, 0}, {2, 0}},
                               {{0, 1, minutes{5}}, {1, 2, minutes{7}}, {0, 2, minutes{13}}});
    CHECK(npuzzle::dijkstra(graph.with_goal(2), 0).cost == minutes{12});
    CHECK(graph.least_cost() == minutes{5});
    constexpr double wall = std::numeric_limits<double>::infinity();
    const Graph<> walled(std::vector<Point>{{0, 0}, {1, 0}}, {{0, 1, wall}});
    CHECK(npuzzle::astar(walled.with_goal(1), 0, EuclideanDistance{}).status == Status::unsolvable);
}

TEMPLATE_TEST_CASE("the straight line is consistent on any graph with coordinates", "[graph]", int, double) {
    using Cost = TestType;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        std::vector<Point> points;
        for (int count = random.between(2, 30); count > 0; --count) {
            points.push_back({random.between(-100, 100) / 7.0, random.between(-100, 100) / 7.0});
        }
        auto arcs =
            random_arcs<Cost>(random, static_cast<int>(points.size()), 3 * static_cast<int>(points.size()));
        if (seed % 2 == 0) { // as on a map of roads, where no road is shorter than the straight line
            for (auto& arc : arcs) {
                const Point& a = points[arc.from];
                const Point& b = points[arc.to];
                const double length = std::hypot(a.x - b.x, a.y - b.y) * (1 + random.between(0, 3) / 4.0);
                arc.cost = static_cast<Cost>(std::is_integral_v<Cost> ? std::ceil(length) : length);
            }
        }
        const Graph<Cost> graph(points, arcs);
        std::vector<Vertex> all(points.size());
        std::iota(all.begin(), all.end(), Vertex{0});
        const auto to = graph.with_goal(static_cast<Vertex>(random.below(all.size())));
        CHECK(npuzzle::verify_consistency(to, EuclideanDistance{}, all));
        CHECK((seed % 2 != 0 || graph.cost_per_distance() >= 1 - 1e-6));
        const auto informed = npuzzle::astar(to, 0, EuclideanDistance{});
        const auto blind = npuzzle::dijkstra(to, 0);
        REQUIRE(informed.status == blind.status);
        if (!blind) continue;
        CHECK(static_cast<double>(informed.cost) == Approx(static_cast<double>(blind.cost)).epsilon(1e-5));
    }
}

TEST_CASE("the straight line is worth what the cheapest arc of its length is", "[graph]") {
    const std::vector<Point> points{{0, 0}, {3, 4}, {6, 8}, {6, 8}};
    const UndirectedGraph<> roads(points, {{0, 1, 15}, {1, 2, 10}, {2, 3, 0}});
    CHECK(roads.cost_per_distance() == 2);
    CHECK(EuclideanDistance{}.bind(roads.with_goal(2))(0) == 20);
    CHECK(npuzzle::bidirectional_astar(roads.with_goal(3), 0, EuclideanDistance{}).cost == 25);

    // Integers round up: what is left to pay is an integer, too. 10 is 10, whatever rounding says.
    const UndirectedGraph<int> tolls(points, {{0, 1, 7}, {1, 2, 10}});
    CHECK(EuclideanDistance{}.bind(tolls.with_goal(2))(1) == 7);
    CHECK(EuclideanDistance{}.bind(tolls.with_goal(2))(0) == 14);
    const UndirectedGraph<int> steps(std::vector<Point>{{0, 0}, {1, 1}, {2, 0}}, {{0, 1, 2}, {1, 2, 2}});
    CHECK(EuclideanDistance{}.bind(steps.with_goal(2))(0) == 3); // 2 * sqrt(2)

    const Graph<> short_steps(std::vector<Point>{{}, {0.5, 0}}, {{0, 1, 1}});
    CHECK(short_steps.position(0) == Point{0, 0});
    CHECK(short_steps.cost_per_distance() == 2);
    const Graph<> loops(points, {{2, 3, 1}, {0, 0, 1}});
    CHECK(loops.cost_per_distance() == 0);
    CHECK_THROWS_AS(Graph<>(2, {}).cost_per_distance(), std::logic_error);
    CHECK_THROWS_AS(EuclideanDistance{}.bind(Graph<>(2, {}).with_goal(0)), std::logic_error);
}
