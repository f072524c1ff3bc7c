#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/problem_from.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Optimality, policies, costs and capabilities have files of their own: astar_*.test.cpp.

namespace {

using npuzzle::AStar;
using npuzzle::astar;
using npuzzle::SilentObserver;
using npuzzle::Status;
using npuzzle::Zero;
using test::Graph;
using test::Table;

/// Writes down f of each node that is taken from the open list, and the order of the states.
struct Recorder : SilentObserver {
    std::vector<int> states;
    std::vector<int> priorities;

    void expand(const auto& node) { record(node); }
    void goal(const auto& node) { record(node); }

private:
    void record(const auto& node) {
        states.push_back(node.state);
        priorities.push_back(static_cast<int>(node.priority));
    }
};

/// From a to the goal by five steps of 1, or at once by one of 9.
Graph<int> detour() {
    Graph<int> graph(7);
    graph.connect(0, 6, 9).connect(0, 1, 1).connect(1, 2, 1).connect(2, 3, 1).connect(3, 4, 1).connect(4, 6,
                                                                                                       1);
    return graph.add_goal(6);
}

} // namespace

TEST_CASE("a goal that is generated early by a dear path is not accepted", "[astar]") {
    const auto graph = detour();
    test::with_each_policy(graph, 0, Zero{}, [&](const char* name, const auto& result) {
        INFO(name);
        CHECK(result.cost == 5);
        CHECK(result.path == std::vector{0, 1, 2, 3, 4, 6});
        CHECK(result.statistics.expanded == 5);
        CHECK(result.statistics.generated == 6);
    });
}

TEST_CASE("a start that is a goal is the solution", "[astar]") {
    auto graph = detour();
    graph.add_goal(0);
    test::with_each_policy(graph, 0, Zero{}, [&](const char* name, const auto& result) {
        INFO(name);
        CHECK(result.status == Status::solved);
        CHECK(result.cost == 0);
        CHECK(result.path == std::vector{0});
        CHECK(result.statistics.expanded == 0);
        CHECK(result.statistics.generated == 0);
        CHECK(result.statistics.stored == 1);
        CHECK(result.statistics.peak_open == 1);
    });
    CHECK(astar<npuzzle::ParentOnly>(graph, 0, Zero{}).path == std::vector{0});
}

TEST_CASE("a space without a goal is searched to its end", "[astar]") {
    Graph<int> graph(5);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(2, 0, 1).connect(0, 0, 1).connect(0, 1, 3).connect(3, 4,
                                                                                                       1);
    graph.add_goal(4);
    test::with_each_policy(graph, 0, Zero{}, [&](const char* name, const auto& result) {
        INFO(name);
        CHECK(result.status == Status::unsolvable);
        CHECK_FALSE(result);
        CHECK(result.path.empty());
        CHECK(result.statistics.stored == 3);
        CHECK(result.statistics.expanded == 3);
        // To 1, to itself, to 1 again; to 2; to 0.
        CHECK(result.statistics.generated == 5);
        CHECK(result.statistics.duplicates == 3);
        CHECK(result.statistics.bytes > 0);
    });
}

TEMPLATE_TEST_CASE("an engine that begins again finds what a new one finds", "[astar]", test::HeapAndPooled,
                   test::BucketsAndPooled<4>, test::BucketsAndPacked<16>, test::BucketsAndIndexed<>) {
    using Problem = test::WithIndex<test::Compact<test::WithWords<test::WithMoves<test::Ring>>>>;
    using Engine = npuzzle::AStar<Problem, Zero, npuzzle::SilentObserver, TestType>;
    const Problem problem(11, 400, 200);
    Engine engine(problem, 200, Zero{}, npuzzle::Limits{.expansions = 300});
    CHECK(engine.run() == Status::solved);
    std::uint64_t bytes = 0;
    int limited = 0;
    for (int round = 0; round < 3; ++round) {
        for (int start = 0; start < 400; start += 7) {
            engine.restart(start);
            CHECK(engine.status() == Status::running);
            engine.run();
            const auto again = engine.result();
            Engine fresh(problem, start, Zero{}, npuzzle::Limits{.expansions = 300});
            fresh.run();
            const auto expected = fresh.result();
            CHECK(again.status == expected.status);
            CHECK(again.path == expected.path);
            CHECK(again.moves == expected.moves);
            CHECK(again.cost == expected.cost);
            CHECK(again.statistics.expanded == expected.statistics.expanded);
            CHECK(again.statistics.generated == expected.statistics.generated);
            CHECK(again.statistics.stored == expected.statistics.stored);
            CHECK(again.statistics.peak_open == expected.statistics.peak_open);
            limited += again.status == Status::expansion_limit ? 1 : 0;
        }
        if (round == 1) {
            bytes = engine.statistics().bytes;
        }
    }
    CHECK(limited > 0);
    CHECK(engine.statistics().bytes == bytes); // The third round needed nothing that the second had not.
}

TEST_CASE("of equal f, the greatest g goes first", "[astar]") {
    // Two chains to the goal, of equal costs; all estimates are exact. After the first step along one of
    // them, the search never turns to the other.
    Graph<int> graph(20);
    for (int i = 0; i < 9; ++i) {
        graph.connect(i == 0 ? 0 : 2 * i - 1, 2 * i + 1, 1).connect(2 * i, 2 * i + 2, 1);
    }
    graph.connect(17, 19, 1).connect(18, 19, 1).add_goal(19);
    const Table<int> exact{oracle::costs_to_goal<int>(graph, 0)};
    test::with_each_policy(graph, 0, exact, [&](const char* name, const auto& result) {
        INFO(name);
        CHECK(result.cost == 10);
        CHECK((result.statistics.expanded == 10 || std::string(name).find("batch") != std::string::npos));
    });

    // The order within one f, by g: 3 has g = 4, and goes before 1 (g = 1) and 2 (g = 2), all with f = 5.
    Graph<int> levels(5);
    levels.connect(0, 1, 1).connect(0, 2, 2).connect(0, 3, 4);
    const Table<int> estimates{{{0, 5}, {1, 4}, {2, 3}, {3, 1}}};
    Recorder recorder;
    astar(levels, 0, estimates, {}, recorder);
    CHECK(recorder.states == std::vector{0, 3, 2, 1});
    CHECK(recorder.priorities == std::vector{5, 5, 5, 5});
}

TEST_CASE("popped f never decreases under a consistent heuristic", "[astar]") {
    int searches = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto graph = test::random_graph<int>(seed, 60, 200, 2);
        // The least cost to a goal is a consistent heuristic, and so is half of it, rounded up.
        Table<int> half{oracle::costs_to_goal<int>(graph, 0)};
        for (int vertex = 0; vertex < graph.size(); ++vertex) {
            const auto found = half.values.find(vertex);
            if (found == half.values.end()) {
                half.values[vertex] = std::numeric_limits<int>::max();
            } else {
                found->second = (found->second + 1) / 2;
            }
        }
        Recorder recorder;
        const auto result = astar(graph, 0, half, {}, recorder);
        CHECK(result.statistics.reopened == 0);
        CHECK(std::is_sorted(recorder.priorities.begin(), recorder.priorities.end()));
        searches += recorder.priorities.size() > 5 ? 1 : 0;
    }
    CHECK(searches > 30);
}

TEST_CASE("a closed state is reopened when a cheaper path is found", "[astar]") {
    // 2 is closed at cost 3, since 1, on the cheaper path to it, looks dear at first.
    Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(0, 2, 3).connect(1, 2, 1).connect(2, 3, 7).add_goal(3);
    const Table<int> inconsistent{{{1, 8}}};
    test::with_each_policy(graph, 0, inconsistent, [&](const char* name, const auto& result) {
        INFO(name);
        CHECK(result.cost == 9);
        CHECK(result.path == std::vector{0, 1, 2, 3});
        CHECK(result.statistics.reopened == 1);
        CHECK(result.statistics.expanded == 4); // 0, 2, 1, and 2 again.
        CHECK(result.statistics.stored == 4);
    });
}

TEST_CASE("states are reopened as often as it takes: 2^m expansions for m + 2 states", "[astar]") {
    // In the manner of Martelli 1977. From each of the states 0 to m, an edge leads to each later one; it
    // costs 2^(m-1-k) for each state k that it passes by. The estimates make the latest of the states on the
    // open list go first, so that state j is reached by all 2^(j-1) paths, the dearest first.
    constexpr int m = 8;
    constexpr int last_step = 1 << (m + 1);
    Graph<int> graph(m + 2);
    Table<int> estimates;
    for (int from = 0; from <= m; ++from) {
        int cost = 0;
        for (int to = from + 1; to <= m; ++to) {
            graph.connect(from, to, cost);
            cost += to < m ? 1 << (m - 1 - to) : 0;
        }
        estimates.values[from] = from == 0 ? 0 : (1 << (m - from)) - 1 + (m - from);
        REQUIRE(estimates.values[from] <= last_step);
    }
    graph.connect(m, m + 1, last_step).add_goal(m + 1);
    test::with_each_policy(graph, 0, estimates, [&](const char* name, const auto& result) {
        INFO(name);
        CHECK(result.cost == last_step);
        CHECK(result.path.size() == m + 2);
        CHECK(result.statistics.expanded == 1 << m);
        CHECK(result.statistics.reopened == (1 << m) - 1 - m);
        CHECK(result.statistics.stored == m + 2);
        test::check_statistics(result.status, result.statistics);
    });
}

TEST_CASE("stepping is the same as running", "[astar]") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto graph = test::random_graph<int>(seed, 40, 120, 1);
        AStar<Graph<int>, Zero> stepped(graph, 0, Zero{});
        CHECK(stepped.status() == Status::running);
        std::uint64_t steps = 0;
        while (stepped.step()) {
            ++steps;
            CHECK(stepped.statistics().expanded == steps);
            CHECK(stepped.status() == Status::running);
        }
        AStar<Graph<int>, Zero> run(graph, 0, Zero{});
        CHECK(run.run() == stepped.status());
        const auto a = stepped.result();
        const auto b = run.result();
        const auto c = astar(graph, 0, Zero{});
        for (const auto& other : {b, c}) {
            CHECK(a.status == other.status);
            CHECK(a.path == other.path);
            CHECK(a.cost == other.cost);
            CHECK(a.statistics.expanded == other.statistics.expanded);
            CHECK(a.statistics.generated == other.statistics.generated);
            CHECK(a.statistics.duplicates == other.statistics.duplicates);
            CHECK(a.statistics.stored == other.statistics.stored);
            CHECK(a.statistics.peak_open == other.statistics.peak_open);
            CHECK(a.statistics.bytes == other.statistics.bytes);
        }
    }
}

TEST_CASE("a result before the end says so", "[astar]") {
    const auto graph = detour();
    AStar<Graph<int>, Zero> engine(graph, 0, Zero{});
    CHECK(engine.result().status == Status::running);
    CHECK(engine.statistics().stored == 1);
    engine.step();
    const auto result = engine.result();
    CHECK(result.status == Status::running);
    CHECK_FALSE(result);
    CHECK(result.path.empty());
    CHECK(result.statistics.expanded == 1);
    CHECK(result.statistics.generated == 2);
    CHECK(result.statistics.stored == 3);
}

TEST_CASE("a search has as many starts as it is given", "[astar]") {
    Graph<int> graph(6);
    graph.connect(0, 1, 4).connect(1, 5, 4).connect(2, 3, 1).connect(3, 5, 2).connect(4, 5, 9).add_goal(5);
    AStar<Graph<int>, Zero> engine(graph, 0, Zero{});
    engine.add_start(2);
    engine.add_start(4);
    engine.add_start(2);
    CHECK(engine.statistics().stored == 3);
    CHECK(engine.run() == Status::solved);
    CHECK(engine.result().cost == 3);
    CHECK(engine.result().path == std::vector{2, 3, 5});

    SECTION("also while it runs, when the start is known by a path already") {
        Graph<int> chain(4);
        chain.connect(0, 1, 5).connect(1, 2, 1).connect(2, 3, 1).add_goal(3);
        for (const int steps : {0, 1, 2, 3}) {
            AStar<Graph<int>, Zero> late(chain, 0, Zero{});
            for (int i = 0; i < steps; ++i) {
                late.step();
            }
            late.add_start(1);
            CHECK(late.run() == Status::solved);
            CHECK(late.result().cost == 2);
            CHECK(late.result().path == std::vector{1, 2, 3});
        }
    }
    SECTION("none of which needs to lead anywhere") {
        const npuzzle::MarksDeadEnds dead{
            [](int vertex) { return vertex == 2 ? std::numeric_limits<int>::max() : 0; }};
        AStar<Graph<int>, decltype(dead)> other(graph, 0, decltype(dead)(dead));
        other.add_start(2);
        CHECK(other.run() == Status::solved);
        CHECK(other.result().path == std::vector{0, 1, 5});
    }
}

TEST_CASE("an engine is made of what it is given", "[astar]") {
    const auto graph = detour();
    const Table<int> lvalue;
    Recorder recorder;
    AStar by_value(graph, 0, Table<int>{});
    AStar by_reference(graph, 0, lvalue);
    AStar observed(graph, 0, lvalue, npuzzle::Limits{.expansions = 2}, recorder);
    STATIC_REQUIRE(std::same_as<decltype(by_value), AStar<Graph<int>, Table<int>>>);
    STATIC_REQUIRE(std::same_as<decltype(by_reference), AStar<Graph<int>, const Table<int>&>>);
    STATIC_REQUIRE(std::same_as<decltype(observed), AStar<Graph<int>, const Table<int>&, Recorder&>>);
    STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<decltype(by_value)>);
    CHECK(by_value.run() == Status::solved);
    CHECK(by_reference.run() == Status::solved);
    CHECK(observed.run() == Status::expansion_limit);
    CHECK(recorder.states == std::vector{0, 1});
}

TEST_CASE("an engine keeps what it was given for good, and refers to the rest", "[astar]") {
    const auto graph = detour();
    auto counter = std::make_shared<int>(0);
    struct Heuristic {
        std::shared_ptr<int> calls;
        int operator()(int) const {
            ++*calls;
            return 0;
        }
    };
    {
        AStar engine(graph, 0, Heuristic{counter});
        CHECK(counter.use_count() == 2);
        engine.run();
        CHECK(*counter == 6);
    }
    CHECK(counter.use_count() == 1);
    {
        const Heuristic lvalue{counter};
        AStar engine(graph, 0, lvalue);
        CHECK(counter.use_count() == 2);
        engine.run();
        CHECK(*counter == 12);
    }
    CHECK(counter.use_count() == 1);
}

TEST_CASE("a problem, a heuristic and an observer that have only what is asked of them are searched",
          "[astar]") {
    const archetype::Problem problem;
    const archetype::State start(0);

    const auto plain = astar(problem, start, Zero{});
    REQUIRE(plain);
    CHECK(plain.cost.value() == archetype::Problem::least_cost);
    CHECK(plain.path.size() == 4);
    CHECK(plain.path.back() == archetype::State(9));

    using Node = npuzzle::NodeView<archetype::State, archetype::Cost, archetype::Cost, archetype::Cost>;
    std::string log;
    const auto observed = astar(problem, start, archetype::Heuristic{}, {}, archetype::Observer<Node>(log));
    CHECK(observed.cost.value() == archetype::Problem::least_cost);
    CHECK(log.substr(0, 38) == "start expand generate generate expand ");
    CHECK(log.substr(log.size() - 5) == "goal ");
    CHECK(log.find("duplicate") != std::string::npos);

    CHECK(astar<npuzzle::ParentOnly>(problem, start, archetype::Heuristic{}).cost == plain.cost);
}
