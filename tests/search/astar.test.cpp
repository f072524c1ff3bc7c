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
#include <string>
#include <type_traits>
#include <vector>

// The algorithm: against Dijkstra's on random graphs, under each policy and with each capability. Costs at the
// ends of their types, and the engine, have files of their own.

namespace {

using npuzzle::astar;
using npuzzle::SilentObserver;
using npuzzle::Status;
using npuzzle::Zero;
using test::detour;
using test::Graph;
using test::Random;
using test::random_graph;
using test::Ring;
using test::Table;
using test::WithIndex;
using test::WithMoves;
using test::WithWords;

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

/// The moves lead along the path.
template <class P, class Result>
void check_moves(const P& problem, const Result& result) {
    const auto& path = result ? result.path : result.partial_path;
    REQUIRE(result.moves.size() + 1 == path.size());
    auto state = path.front();
    for (std::size_t i = 0; i < result.moves.size(); ++i) {
        problem.apply(state, result.moves[i]);
        CHECK(state == path[i + 1]);
    }
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

TEMPLATE_TEST_CASE("A* finds the least cost on random graphs, under each policy", "[astar]", unsigned, double,
                   std::int8_t, archetype::Cost) {
    int solved = 0;
    int unsolvable = 0;
    int reopened = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        INFO("seed " << seed);
        Random random(1000 + seed);
        const int vertices = random.between(1, 40);
        // No sums of more than eight bits where there are no more, and exact ones in floating point.
        const auto graph = random_graph<TestType>(seed, vertices, random.between(0, 4 * vertices),
                                                  random.between(0, 2), sizeof(TestType) == 1 ? 4 : 20,
                                                  std::is_floating_point_v<TestType> ? 0.25 : 1);
        const auto least = oracle::least_cost<TestType>(graph, 0);
        const Table<TestType> exact{oracle::costs_to_goal<TestType>(graph, 0)};
        const auto check = [&](const char* name, const auto& result) {
            INFO(name);
            test::check_optimal(graph, 0, result, least);
            solved += result ? 1 : 0;
            unsolvable += result ? 0 : 1;
            reopened += result.statistics.reopened > 0 ? 1 : 0;
        };
        test::with_each_policy(graph, 0, Zero{}, check);
        test::with_each_policy(graph, 0, exact, check); // zero at dead ends: inconsistent
        test::with_each_policy(graph, 0, with_dead_ends(exact, vertices), check);
        test::with_each_policy(graph, 0, random_below(exact, random), check);
    }
    CHECK(solved > 100);
    CHECK(unsolvable > 50);
    CHECK(reopened > 10);
}

TEST_CASE("the reported cost is the path's, even where no heuristic vouches for it", "[astar]") {
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

TEST_CASE("durations are costs", "[astar]") {
    using namespace std::chrono_literals;
    Graph<std::chrono::milliseconds> graph(4);
    graph.connect(0, 3, 5s).connect(0, 1, 1500ms).connect(1, 2, 0ms).connect(2, 3, 3s).add_goal(3);
    const auto result = astar(graph, 0, Zero{});
    CHECK((result.cost == 4500ms));
    CHECK(result.path == std::vector{0, 1, 2, 3});
    const auto guided = astar(graph, 0, [](int vertex) { return vertex == 3 ? 0s : 1s; });
    CHECK((guided.cost == 4500ms));
}

TEST_CASE("all policies do the same where no two f are equal", "[astar]") {
    int solved = 0;
    int reopened = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        Graph<std::int64_t> graph(30);
        // Sums of different powers of two are different.
        for (int edge = 0; edge < 52; ++edge) {
            graph.connect(random.between(0, 28), random.between(1, 28), std::int64_t{1} << edge);
        }
        graph.connect(random.between(0, 28), 29, std::int64_t{1} << 52).add_goal(29);
        const auto least = oracle::least_cost<std::int64_t>(graph, 0);
        Table<std::int64_t> estimates{oracle::costs_to_goal<std::int64_t>(graph, 0)};
        for (auto& [vertex, value] : estimates.values) {
            value = random.one_in(2) ? 0 : value;
        }
        const auto first = astar<test::HeapAndPooled>(graph, 0, estimates);
        test::with_each_policy(graph, 0, estimates, [&](const char* name, const auto& result) {
            INFO(name);
            test::check_optimal(graph, 0, result, least);
            test::check_same_work(first.statistics, result.statistics);
        });
        solved += first ? 1 : 0;
        reopened += first.statistics.reopened > 0 ? 1 : 0;
    }
    CHECK(solved > 50);
    CHECK(reopened > 10);
}

TEST_CASE("ParentOnly finds the same cost, and stores each path", "[astar]") {
    int solved = 0;
    int stored_twice = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        // Small graphs with positive costs, for the number of paths grows exponentially.
        Graph<int> graph(12);
        for (int edge = 0; edge < 22; ++edge) {
            graph.connect(random.between(0, 11), random.between(0, 11), random.between(1, 9));
        }
        graph.add_goal(11);
        const auto least = oracle::least_cost<int>(graph, 0);
        if (!least) {
            continue;
        }
        ++solved;
        const auto closed_set = astar(graph, 0, Zero{});
        const auto check = [&](const char* name, const auto& result) {
            INFO(name);
            CHECK(result.cost == *least);
            test::check_path(graph, 0, result);
            CHECK(result.statistics.duplicates == 0);
            CHECK(result.statistics.reopened == 0);
            CHECK(result.statistics.stored == result.statistics.generated + 1);
            stored_twice += result.statistics.stored > closed_set.statistics.stored ? 1 : 0;
        };
        test::with_each_tree_policy(graph, 0, Zero{}, check);
        test::with_each_tree_policy(graph, 0, Table<int>{oracle::costs_to_goal<int>(graph, 0)}, check);
    }
    CHECK(solved > 50);
    CHECK(stored_twice > 50);
}

TEST_CASE("with moves, words or both, a weighted search is the same", "[astar]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        INFO("seed " << seed);
        const Ring foot(seed, 150, 75);
        const WithMoves<Ring> moves(seed, 150, 75);
        const WithWords<Ring> words(seed, 150, 75);
        const WithIndex<Ring> index(seed, 150, 75);
        const WithIndex<WithWords<WithMoves<Ring>>> all(seed, 150, 75);
        test::Table<int> estimates{oracle::costs_to_goal<int>(foot, 0)};
        for (auto& [vertex, value] : estimates.values) {
            value = vertex % 3 == 0 ? value : value / 2;
        }

        const auto expected = astar(foot, 0, estimates);
        CHECK((expected ? expected.cost : 0) == oracle::least_cost<int>(foot, 0).value_or(0));
        test::check_path(foot, 0, expected);
        test::check_same(expected, astar(words, 0, estimates));
        test::check_same(expected, astar(index, 0, estimates));
        const auto by_moves = astar(moves, 0, estimates);
        test::check_same(expected, by_moves);
        check_moves(moves, by_moves);
        const auto by_all = astar(all, 0, estimates);
        test::check_same(expected, by_all);
        check_moves(all, by_all);
        const test::Compact<WithWords<WithMoves<Ring>>> compact(seed, 150, 75);
        const auto by_compact = astar(compact, 0, estimates);
        test::check_same(expected, by_compact);
        check_moves(compact, by_compact);
        // Nodes of equal keys, f and g are taken in any order.
        const test::CompactWithEqualKeys<WithMoves<Ring>> equal_keys(seed, 150, 75);
        test::with_each_policy(equal_keys, 0, estimates, [&](const char* name, const auto& result) {
            INFO(name);
            CHECK(result.status == expected.status);
            CHECK((!expected || result.cost == expected.cost));
            test::check_path(equal_keys, 0, result);
        });
        solved += expected ? 1 : 0;
    }
    CHECK(solved > 20);
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
