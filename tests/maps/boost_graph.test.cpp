#include <npuzzle/maps/boost_graph.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace {

using npuzzle::BoostGraph;
using npuzzle::Status;
using npuzzle::Zero;

struct Road {
    int toll = 0;
    double length = 0;
};

using Weight = boost::property<boost::edge_weight_t, int>;
template <class Direction, class Vertices = boost::vecS>
using Weighted = boost::adjacency_list<boost::vecS, Vertices, Direction, boost::no_property, Weight>;
using Directed = Weighted<boost::directedS>;
using Bidirectional = Weighted<boost::bidirectionalS>;
using Undirected = Weighted<boost::undirectedS>;
using Listed = Weighted<boost::directedS, boost::listS>;
using Bundled = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Road>;

struct IsOdd {
    bool operator()(std::size_t vertex) const { return vertex % 2 == 1; }
};
using Filtered = boost::filtered_graph<Undirected, boost::keep_all, IsOdd>;

static_assert(npuzzle::IndexedProblem<BoostGraph<Directed>> && npuzzle::HasWithGoal<BoostGraph<Directed>>);
static_assert(!npuzzle::BackwardProblem<BoostGraph<Directed>>);
static_assert(npuzzle::BackwardProblem<BoostGraph<Bidirectional>>);
static_assert(!npuzzle::UndirectedProblem<BoostGraph<Bidirectional>>);
static_assert(npuzzle::UndirectedProblem<BoostGraph<Undirected>> &&
              npuzzle::HasWithGoal<BoostGraph<Undirected>>);
static_assert(npuzzle::Problem<BoostGraph<Listed>> && !npuzzle::IndexedProblem<BoostGraph<Listed>>);
static_assert(npuzzle::HasHash<BoostGraph<Listed>>);
static_assert(npuzzle::Problem<BoostGraph<Filtered>> && !npuzzle::IndexedProblem<BoostGraph<Filtered>>);

template <class G>
G random_graph(test::Random& random, std::size_t vertices, int edges) {
    G graph(vertices);
    for (int i = 0; i < edges; ++i) {
        const auto from = vertex(random.below(vertices), graph);
        const auto to = vertex(random.below(vertices), graph);
        boost::add_edge(from, to, random.between(0, 9), graph);
    }
    return graph;
}

} // namespace

TEMPLATE_TEST_CASE("searches of a graph of Boost.Graph find what its Dijkstra finds", "[boost_graph]",
                   Directed, Bidirectional, Undirected) {
    int solved = 0;
    int unsolvable = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        INFO("seed " << seed);
        test::Random random(seed);
        const std::size_t vertices = 1 + random.below(30);
        const auto graph = random_graph<TestType>(random, vertices, random.between(0, 60));
        std::vector<int> distances(num_vertices(graph));
        boost::dijkstra_shortest_paths(graph, 0, boost::distance_map(distances.data()));
        const BoostGraph problem(graph);
        CHECK(problem.size() == num_vertices(graph));
        for (std::size_t goal = 0; goal < distances.size(); ++goal) {
            const bool is_reachable = distances[goal] != std::numeric_limits<int>::max();
            (is_reachable ? solved : unsolvable) += 1;
            const auto to = problem.with_goal(goal);
            const auto check = [&](const auto& result) {
                REQUIRE(result.status == (is_reachable ? Status::solved : Status::unsolvable));
                if (!result) return;
                CHECK(result.cost == distances[goal]);
                CHECK(oracle::path_cost<int>(to, result.path) == distances[goal]);
            };
            check(npuzzle::astar(to, 0, Zero{}));
            if constexpr (npuzzle::BackwardProblem<BoostGraph<TestType>>) {
                check(npuzzle::bidirectional_astar(to, 0, Zero{}, Zero{}));
            }
        }
    }
    CHECK(solved > 100);
    CHECK(unsolvable > 100);
}

TEST_CASE("vertices need not be numbers, or not all of them", "[boost_graph]") {
    test::Random random(1);
    const auto listed = random_graph<Listed>(random, 20, 60);
    const auto start = vertex(0, listed);
    const BoostGraph problem(listed);
    const auto costs = oracle::costs_from<int>(problem, start);
    REQUIRE(costs.size() > 10);
    for (const auto& [goal, cost] : costs) {
        CHECK(npuzzle::astar(problem.with_goal(goal), start, Zero{}).cost == cost);
    }

    Undirected chain(6);
    for (const std::size_t from : {0U, 1U, 2U, 3U, 4U}) boost::add_edge(from, from + 1, 1, chain);
    boost::add_edge(1, 3, 7, chain);
    boost::add_edge(3, 5, 7, chain);
    const Filtered odd(chain, boost::keep_all{}, IsOdd{});
    CHECK(npuzzle::astar(BoostGraph(odd).with_goal(5), 1, Zero{}).path == std::vector<std::size_t>{1, 3, 5});
    CHECK(npuzzle::astar(BoostGraph(chain).with_goal(5), 1, Zero{}).cost == 4);
}

TEST_CASE("the weights are those of any property map", "[boost_graph]") {
    Bundled graph(3);
    boost::add_edge(0, 1, {.toll = 1, .length = 2.5}, graph);
    boost::add_edge(1, 2, {.toll = 1, .length = 2.5}, graph);
    boost::add_edge(0, 2, {.toll = 3, .length = 4}, graph);
    const BoostGraph tolls(graph, boost::get(&Road::toll, graph));
    const BoostGraph lengths(graph, boost::get(&Road::length, graph));
    CHECK(npuzzle::astar(tolls.with_goal(2), 0, Zero{}).path == std::vector<std::size_t>{0, 1, 2});
    CHECK(npuzzle::astar(lengths.with_goal(2), 0, Zero{}).cost == 4);
}

TEST_CASE("a graph of Boost.Graph has the goal that it is given", "[boost_graph]") {
    const Directed graph(2);
    const BoostGraph problem(graph);
    CHECK_THROWS_AS(problem.goal(), std::logic_error);
    CHECK_THROWS_AS(npuzzle::astar(problem, 0, Zero{}), std::logic_error);
    CHECK_THROWS_AS(problem.with_goal(2), std::invalid_argument);
    CHECK_THROWS_AS(npuzzle::astar(problem.with_goal(1), 2, Zero{}), std::invalid_argument);
    CHECK(problem.with_goal(1).goal() == 1);
    CHECK(npuzzle::astar(problem.with_goal(1), 0, Zero{}).status == Status::unsolvable);
}
