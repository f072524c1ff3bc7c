#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

// A* against Dijkstra's algorithm on random graphs: every cost type, every sort of heuristic.

namespace {

using npuzzle::astar;
using npuzzle::Status;
using npuzzle::Zero;
using test::Graph;
using test::Random;
using test::random_graph;
using test::Table;

/// How often a suite met what it is there for.
struct Seen {
    int solved = 0;
    int unsolvable = 0;
    int reopened = 0;
    int start_is_goal = 0;
};

/// Random values from zero to the exact one: admissible, and as inconsistent as can be. Dead ends are left at
/// zero.
template <class C>
Table<C> random_below(const Table<C>& exact, Random& random) {
    Table<C> result = exact;
    for (auto& [vertex, value] : result.values) {
        const auto eighths = static_cast<unsigned>(random.one_in(2) ? 0 : random.between(6, 8));
        if constexpr (std::is_floating_point_v<C>) {
            value = value * static_cast<C>(eighths) / 8;
        } else if constexpr (std::is_integral_v<C>) {
            value = static_cast<C>(static_cast<unsigned>(value) * eighths / 8);
        } else {
            value = C(value.value() * eighths / 8);
        }
    }
    return result;
}

/// The exact distances, and infinity where there is no way.
template <class C>
Table<C> with_dead_ends(const Table<C>& exact, int vertices) {
    Table<C> result = exact;
    if constexpr (std::is_arithmetic_v<C>) {
        for (int vertex = 0; vertex < vertices; ++vertex) {
            result.values.emplace(vertex, std::numeric_limits<C>::has_infinity
                                              ? std::numeric_limits<C>::infinity()
                                              : std::numeric_limits<C>::max());
        }
    }
    return result;
}

template <class C>
class Suite {
public:
    explicit Suite(const Graph<C>& graph) : graph_(graph), least_(oracle::least_cost<C>(graph, 0)) {}

    template <class H>
    void check(const H& heuristic, const char* name) {
        INFO(name);
        const auto result = astar(graph_, 0, heuristic);
        CHECK(result.status == (least_ ? Status::solved : Status::unsolvable));
        test::check_path(graph_, 0, result);
        test::check_statistics(result.status, result.statistics);
        if (least_) {
            CHECK(result.cost == *least_);
        }
        seen.solved += result ? 1 : 0;
        seen.unsolvable += result ? 0 : 1;
        seen.reopened += result.statistics.reopened > 0 ? 1 : 0;
        seen.start_is_goal += result.path.size() == 1 ? 1 : 0;
    }

    static Seen seen;

private:
    const Graph<C>& graph_;
    std::optional<C> least_;
};

template <class C>
Seen Suite<C>::seen;

} // namespace

TEMPLATE_TEST_CASE("A* finds the least cost on random graphs", "[optimality]", unsigned, double, std::int8_t,
                   archetype::Cost) {
    Suite<TestType>::seen = {};
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        INFO("seed " << seed);
        Random random(1000 + seed);
        const int vertices = random.between(1, 40);
        // No sums of more than eight bits where there are no more, and exact ones in floating point.
        const auto graph = random_graph<TestType>(seed, vertices, random.between(0, 4 * vertices),
                                                  random.between(0, 2), sizeof(TestType) == 1 ? 4 : 20,
                                                  std::is_floating_point_v<TestType> ? 0.25 : 1);
        const Table<TestType> exact{oracle::costs_to_goal<TestType>(graph, 0)};
        Suite<TestType> suite(graph);
        suite.check(Zero{}, "zero");
        suite.check(exact, "exact, and zero at dead ends: inconsistent");
        suite.check(with_dead_ends(exact, vertices), "exact, and infinite at dead ends: consistent");
        suite.check(random_below(exact, random), "random, not consistent");
    }
    const Seen& seen = Suite<TestType>::seen;
    CHECK(seen.solved > 300);
    CHECK(seen.unsolvable > 100);
    CHECK(seen.reopened > 30);
    CHECK(seen.start_is_goal > 10);
}

TEST_CASE("durations are costs", "[optimality]") {
    using namespace std::chrono_literals;
    Graph<std::chrono::milliseconds> graph(4);
    graph.connect(0, 3, 5s).connect(0, 1, 1500ms).connect(1, 2, 0ms).connect(2, 3, 3s).add_goal(3);
    const auto result = astar(graph, 0, Zero{});
    CHECK((result.cost == 4500ms));
    CHECK(result.path == std::vector{0, 1, 2, 3});
    const auto guided = astar(graph, 0, [](int vertex) { return vertex == 3 ? 0s : 1s; });
    CHECK((guided.cost == 4500ms));
}

TEST_CASE("the reported cost is the path's, even where no heuristic vouches for it", "[optimality]") {
    int dearer = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        const auto graph = random_graph<int>(seed, 30, 90, 1, 50);
        Table<int> anything;
        for (int vertex = 0; vertex < graph.size(); ++vertex) {
            anything.values[vertex] = graph.is_goal(vertex) ? 0 : random.between(0, 300);
        }
        test::with_each_policy(graph, 0, anything, [&](const char* name, const auto& result) {
            INFO(name);
            test::check_path(graph, 0, result);
            test::check_statistics(result.status, result.statistics);
            const auto least = oracle::least_cost<int>(graph, 0);
            REQUIRE(static_cast<bool>(result) == least.has_value());
            dearer += result && result.cost > *least ? 1 : 0;
        });
    }
    CHECK(dearer > 50);
}
