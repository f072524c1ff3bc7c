#include <npuzzle/search/d_star_lite.hpp>
#include <npuzzle/search/lpa_star.hpp>

#include "support/catch.hpp"
#include "support/changing_graph.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

// What LPA* and D* Lite share, against Dijkstra's algorithm from scratch.

namespace {

using npuzzle::Status;
using test::ChangingGraph;
using test::Random;

/// The least cost by Dijkstra's algorithm, where arcs of infinite cost are none.
template <class C>
std::optional<C> least_cost(const ChangingGraph<C>& graph, int start) {
    auto passable = graph;
    for (auto& arc : passable.arcs) {
        arc.is_there = arc.is_there && arc.cost < test::infinite_cost<C>();
    }
    return oracle::least_cost<C>(passable, start);
}

template <class C, class Engine>
void check(const ChangingGraph<C>& graph, int start, Engine& engine) {
    const Status status = engine.run();
    const auto least = least_cost(graph, start);
    REQUIRE(status == (least ? Status::solved : Status::unsolvable));
    const auto result = engine.result();
    CHECK(result.status == status);
    CHECK(result.statistics.contract_violations == 0);
    CHECK(result.path.empty() == !least);
    if (least) {
        CHECK(result.path.front() == start);
        CHECK(result.path.back() == graph.goal());
        CHECK(result.cost == *oracle::path_cost<C>(graph, result.path));
        const double share = std::is_integral_v<C> ? 0 : 1e-14;
        CHECK(static_cast<double>(result.cost) <= static_cast<double>(*least) * (1 + share));
        CHECK(static_cast<double>(result.cost) >= static_cast<double>(*least) * (1 - share));
    }
}

/// Changes arcs of a graph, and tells engines where.
template <class C, class... Engines>
void change_arcs(ChangingGraph<C>& graph, Random& random, Engines&... engines) {
    for (const int vertex : graph.change(random)) {
        (engines.update(vertex), ...);
    }
}

/// Calls `work(graph, random)` for so many random graphs.
template <class F>
void for_each_graph(std::uint64_t count, F&& work) {
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        ChangingGraph<int> graph(random, 1, 1);
        work(graph, random);
    }
}

/// Searches graphs again and again, while arcs change and the start of D* Lite moves.
/// \return how often a search has begun again
template <class C>
int replan_on_random_graphs(std::uint64_t graphs, C unit, C spread) {
    int again = 0;
    for (std::uint64_t seed = 0; seed < graphs; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        ChangingGraph<C> graph(random, unit, spread);
        const test::LeastCosts<C> least(graph);
        int start = random.between(0, graph.vertices - 1);
        const int first = start;
        test::Beginnings forward;
        test::Beginnings backward;
        test::Beginnings blind;
        npuzzle::LpaStar lpa_star(graph, start, test::ToGoal<C>{&least}, {}, forward);
        npuzzle::DStarLite d_star_lite(graph, start, test::FromStart<C>{&least}, {}, backward);
        npuzzle::LpaStar without_heuristic(graph, start, npuzzle::Zero{}, {}, blind);
        const auto vertices = static_cast<std::uint64_t>(graph.vertices);
        for (int round = 0; round < 20; ++round) {
            INFO("round " << round);
            check(graph, first, lpa_star);
            check(graph, first, without_heuristic);
            check(graph, start, d_star_lite);
            if (std::is_integral_v<C>) {
                CHECK(lpa_star.statistics().expanded <= 2 * vertices);
                CHECK(d_star_lite.statistics().expanded <= 2 * vertices);
            }
            const auto path = d_star_lite.result().path;
            if (path.size() > 1 && !random.one_in(3)) {
                start = path[1];
                d_star_lite.move_start(start);
            } else if (random.one_in(4)) {
                start = random.between(0, graph.vertices - 1);
                d_star_lite.move_start(start);
            }
            CHECK(d_star_lite.start() == start);
            if (random.one_in(6)) {
                continue;
            }
            change_arcs(graph, random, lpa_star, without_heuristic, d_star_lite);
        }
        // An estimate that is infinite between the places of the start makes D* Lite begin again.
        again += forward.count + blind.count - 2;
    }
    return again;
}

} // namespace

TEST_CASE("replanning finds the least costs on random graphs that change", "[replanning]") {
    CHECK(replan_on_random_graphs<int>(300, 1, 1) == 0);
    CHECK(replan_on_random_graphs<std::uint64_t>(30, 1000, 7) == 0);
}

TEST_CASE("replanning finds the least costs where sums round", "[replanning]") {
    CHECK(replan_on_random_graphs<double>(150, 0.1, 1.4142135623730951) == 0);
}

TEST_CASE("replanning finds the least costs where sums swallow steps, by beginning again", "[replanning]") {
    CHECK(replan_on_random_graphs<double>(300, 0.1, 12345678901.0) > 0);
}

TEST_CASE("states that hold each other up at no cost lose their path together", "[replanning]") {
    Random random(0);
    ChangingGraph<int> graph(random, 1, 1);
    graph.vertices = 4;
    graph.goal_vertex = 3;
    graph.arcs = {{0, 1, 1, 1, true}, {1, 2, 0, 0, true}, {2, 1, 0, 0, true}, {2, 3, 0, 0, true}};
    npuzzle::LpaStar engine(graph, 0, npuzzle::Zero{});
    check(graph, 0, engine);
    graph.arcs.front().is_there = false;
    engine.update(0);
    engine.update(1);
    check(graph, 0, engine);
    graph.arcs.front() = {0, 2, 1, 7, true};
    engine.update(0);
    engine.update(2);
    check(graph, 0, engine);
    CHECK(engine.result().cost == 7);
}

TEST_CASE("a state that is not known when it is updated is found where a new step leads to it",
          "[replanning]") {
    Random random(0);
    ChangingGraph<int> graph(random, 1, 1);
    graph.vertices = 5;
    graph.goal_vertex = 4;
    graph.arcs = {{0, 1, 1, 1, true},  {1, 4, 1, 9, true},  {1, 2, 1, 1, false},
                  {2, 3, 1, 1, false}, {3, 4, 1, 1, false}, {0, 3, 1, 8, true}};
    npuzzle::LpaStar engine(graph, 0, npuzzle::Zero{});
    check(graph, 0, engine);
    CHECK(engine.result().cost == 10);
    for (auto& arc : graph.arcs) {
        arc.is_there = true;
    }
    for (const int vertex : {3, 2, 1, 4}) { // 2 is not known, and 3 costs more than it will.
        engine.update(vertex);
    }
    check(graph, 0, engine);
    CHECK(engine.result().cost == 4);
    CHECK(engine.statistics().expanded > 1);
}

TEST_CASE("costs may change between the steps of a search", "[replanning]") {
    int changes = 0;
    for_each_graph(100, [&](ChangingGraph<int>& graph, Random& random) {
        const test::LeastCosts<int> least(graph);
        int start = 0;
        npuzzle::LpaStar lpa_star(graph, 0, test::ToGoal<int>{&least});
        npuzzle::DStarLite d_star_lite(graph, start, test::FromStart<int>{&least});
        for (int round = 0; round < 10; ++round) {
            for (int i = random.between(0, 6); i > 0; --i) {
                lpa_star.step();
                d_star_lite.step();
            }
            changes += lpa_star.status() == Status::running ? 1 : 0;
            change_arcs(graph, random, lpa_star, d_star_lite);
            if (random.one_in(3)) {
                start = random.between(0, graph.vertices - 1);
                d_star_lite.move_start(start);
            }
            if (random.one_in(2)) {
                check(graph, 0, lpa_star);
                check(graph, start, d_star_lite);
            }
        }
    });
    CHECK(changes > 100);
}

TEST_CASE("costs may change after a limit has ended a search", "[replanning]") {
    int struck = 0;
    for_each_graph(60, [&](ChangingGraph<int>& graph, Random& random) {
        npuzzle::LpaStar engine(graph, 0, npuzzle::Zero{}, {.expansions = 2});
        for (int round = 0; round < 6; ++round) {
            for (int change = 0; engine.run() == Status::expansion_limit && change < 3; ++change) {
                ++struck;
                change_arcs(graph, random, engine);
            }
            while (engine.run() == Status::expansion_limit) {
                engine.resume();
            }
            check(graph, 0, engine);
            change_arcs(graph, random, engine);
        }
    });
    CHECK(struck > 50);
}

TEST_CASE("limits strike a search that replans at any moment, and it can go on", "[replanning]") {
    for_each_graph(60, [&](ChangingGraph<int>& graph, Random& random) {
        npuzzle::LpaStar engine(graph, 0, npuzzle::Zero{}, {.expansions = 1});
        for (int round = 0; round < 6; ++round) {
            int runs = 0;
            while (engine.run() == Status::expansion_limit) {
                CHECK(engine.statistics().expanded == 1);
                CHECK(engine.result().path.empty());
                engine.resume();
                REQUIRE(++runs < 1000);
            }
            check(graph, 0, engine);
            engine.resume();
            CHECK(engine.status() != Status::running); // There is nothing left to do.
            change_arcs(graph, random, engine);
        }
    });
}

TEST_CASE("a bound on the cost is kept at each search", "[replanning]") {
    int bounded = 0;
    for_each_graph(100, [&](ChangingGraph<int>& graph, Random& random) {
        const test::LeastCosts<int> least(graph);
        const int bound = random.between(0, 8);
        int start = 0;
        npuzzle::DStarLite engine(graph, start, test::FromStart<int>{&least}, {.max_cost = bound});
        for (int round = 0; round < 10; ++round) {
            const Status status = engine.run();
            const auto cost = least_cost(graph, start);
            if (cost) {
                CHECK(status == (*cost <= bound ? Status::solved : Status::cost_limit));
                bounded += *cost > bound ? 1 : 0;
            } else {
                CHECK((status == Status::unsolvable || status == Status::cost_limit));
            }
            const auto next = graph.neighbors(start);
            if (!next.empty() && random.one_in(2)) {
                start = next.front().to;
                engine.move_start(start);
            }
            change_arcs(graph, random, engine);
        }
    });
    CHECK(bounded > 50);
}

TEST_CASE("without memory a search that replans ends, and begins again when it goes on", "[replanning]") {
    Random random(3);
    ChangingGraph<int> graph(random, 1, 1);
    int refused = 0;
    for (std::uint64_t bytes = 2'000; bytes <= 8'000; bytes += 150) {
        npuzzle::LpaStar engine(graph, 0, npuzzle::Zero{}, {.bytes = bytes});
        for (int round = 0; round < 8; ++round) {
            const Status status = engine.run();
            CHECK(engine.statistics().bytes <= bytes);
            if (status == Status::memory_limit) {
                CHECK(engine.result().path.empty());
                ++refused;
            } else {
                check(graph, 0, engine);
            }
            change_arcs(graph, random, engine);
        }
    }
    CHECK(refused > 5);
    CHECK(refused < 300);
}
