#include <npuzzle/search/anytime.hpp>
#include <npuzzle/search/kernel/anytime_engine.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

using npuzzle::AnytimeAStar;
using npuzzle::AnytimeOptions;
using npuzzle::AraStar;
using npuzzle::Status;
using test::Table;

namespace {

/// The node that was expanded last.
struct Last : npuzzle::SilentObserver {
    double priority = 0;
    int cost = 0;
    int estimate = 0;
    void expand(const auto& node) {
        priority = static_cast<double>(node.priority);
        cost = node.cost;
        estimate = node.estimate;
    }
};

} // namespace

TEST_CASE("ARA* orders the nodes by the present weight", "[anytime_engine]") {
    int changes = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        INFO("seed " << seed);
        const auto graph = test::random_graph<int>(seed, 60, 200, 0, 50);
        Table<int> heuristic{oracle::costs_to_goal<int>(graph, 0)};
        for (auto& [vertex, value] : heuristic.values) {
            value = value * (vertex % 3) / 2;
        }
        Last last;
        AraStar engine(graph, 0, heuristic, {.weight = 10, .step = 4}, {}, last);
        for (double weight = 10; engine.step();) {
            CHECK(engine.weight() >= 1);
            CHECK(last.priority == last.cost + engine.weight() * last.estimate);
            changes += std::exchange(weight, engine.weight()) > engine.weight() ? 1 : 0;
        }
    }
    CHECK(changes > 20);
}

TEST_CASE("ARA* goes on to the next weight when no f is less than the solution's", "[anytime_engine]") {
    // By the weight 3, node 2 has the f of the solution by node 1.
    test::Graph<int> graph(5);
    graph.connect(0, 1, 1).connect(0, 2, 1).connect(1, 3, 3).connect(2, 4, 1).connect(4, 3, 5).add_goal(3);
    Table<int> heuristic{{{2, 1}}};
    AraStar engine(graph, 0, heuristic, {.weight = 3, .step = 1});
    int steps = 0;
    while (engine.step() && engine.weight() > 2) {
        ++steps;
    }
    CHECK(steps == 2);
    CHECK(engine.result().cost == 4);
}

TEST_CASE("anytime searches begin by the weight 5, and ARA* lowers it by 1", "[anytime_engine]") {
    // By the weight 5, node 2 has the f of the solution by node 1, 21. It may be better by a factor of 21 /
    // 5.
    test::Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(1, 3, 20).connect(0, 2, 1).connect(2, 3, 10).add_goal(3);
    Table<int> heuristic{{{2, 4}}};
    AnytimeAStar astar(graph, 0, heuristic);
    CHECK(astar.weight() == 5);
    AraStar ara(graph, 0, heuristic);
    CHECK(ara.weight() == 5);
    REQUIRE(ara.next_solution());
    CHECK(ara.solution().cost == 21);
    ara.step();
    CHECK(ara.weight() == 4);
    CHECK(ara.solution().cost == 11);
}

TEST_CASE("every second expansion of anytime A* is of the least g + h", "[anytime_engine]") {
    constexpr int infinite = std::numeric_limits<int>::max();
    std::uint64_t turns = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        INFO("seed " << seed);
        const auto graph = test::random_graph<int>(seed, 60, 200, 0, 50);
        Table<int> heuristic{oracle::costs_to_goal<int>(graph, 0)};
        for (int vertex = 0; vertex < graph.size();
             ++vertex) { // consistent, so that the least f does not fall
            const auto [place, is_dead_end] = heuristic.values.try_emplace(vertex, infinite);
            place->second = is_dead_end ? infinite : place->second / 2;
        }
        Last last;
        AnytimeAStar engine(graph, 0, heuristic, {.weight = 10}, {}, last);
        int least = 0;
        while (engine.weight() > 1 && engine.step()) {
            CHECK(last.priority >= last.cost + last.estimate);
            if (engine.statistics().expanded % 2 == 0) {
                const int total = last.cost + last.estimate;
                CHECK(total >= least);
                least = total;
                ++turns;
            }
        }
    }
    CHECK(turns > 300);
}

TEST_CASE("the weight of anytime A* follows the bound", "[anytime_engine]") {
    int changes = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        INFO("seed " << seed);
        const auto graph = test::random_graph<int>(seed, 60, 200, 0, 50);
        Table<int> heuristic{oracle::costs_to_goal<int>(graph, 0)};
        for (auto& [vertex, value] : heuristic.values) {
            value = value * (vertex % 3) / 2;
        }
        AnytimeAStar engine(graph, 0, heuristic, {.weight = 10});
        AnytimeAStar whole(graph, 0, heuristic, AnytimeOptions<int>{10});
        for (double weight = 10; engine.next_solution();) {
            const double bound = engine.solution().bound;
            CHECK(engine.weight() <= weight);
            CHECK((bound == 1 || 0.8 * (engine.weight() - 1) <= bound - 1));
            changes += std::exchange(weight, engine.weight()) > engine.weight() ? 1 : 0;
        }
        for (int weight = 10; whole.next_solution();) {
            CHECK(whole.weight() >= 1);
            CHECK(whole.weight() <= std::exchange(weight, whole.weight()));
        }
        CHECK(engine.result().cost == whole.result().cost);
    }
    CHECK(changes > 20);
}

TEST_CASE("starts may be added while it searches", "[anytime_engine]") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        const auto graph = test::random_graph<int>(seed, 30, 70, 1, 20);
        const auto first = oracle::least_cost<int>(graph, 0);
        const int other = static_cast<int>(seed % 30);
        const auto second = oracle::least_cost<int>(graph, other);
        const auto least = !second ? first : !first ? second : std::min(first, second);
        Table<int> heuristic{oracle::costs_to_goal<int>(graph, 0)};
        heuristic.values.merge(oracle::costs_to_goal<int>(graph, other));
        for (auto& [vertex, value] : heuristic.values) {
            value = seed % 3 == 0 && vertex % 2 == 0 ? 0 : value; // not consistent
        }
        const auto check = [&](auto& engine) {
            for (std::uint64_t i = 0; i < seed % 11; ++i) {
                engine.step();
            }
            const bool is_late = engine.status() != Status::running;
            engine.add_start(other);
            if (is_late) {
                CHECK(engine.solution().is_solution == first.has_value());
                return;
            }
            while (engine.next_solution()) {
                CHECK(engine.solution().cost <= engine.solution().bound * *least + 1e-9);
            }
            CHECK(engine.status() == (least ? Status::solved : Status::unsolvable));
            const auto result = engine.result();
            CHECK((!least || result.cost == *least));
            CHECK((!least || result.path.front() == 0 || result.path.front() == other));
        };
        AnytimeAStar astar(graph, 0, heuristic, {.weight = 3});
        check(astar);
        AraStar ara(graph, 0, heuristic, {.weight = 5, .step = 1});
        check(ara);
    }
}
