#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/catch.hpp"
#include "support/family.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

// What holds of each search of the family, on random graphs, against Dijkstra's algorithm and breadth-first
// search written for the tests.

namespace {

using npuzzle::SilentObserver;
using npuzzle::Status;
using test::Graph;
using test::Member;
using test::Promise;
using test::Random;
using test::Table;

/// Asks for the end at the third expansion of the search whose turn it is.
struct Stopper : SilentObserver {
    npuzzle::StopSource source;
    int left = 2;
    bool is_its_turn = false;
    void expand(const auto&) {
        if (is_its_turn && left-- == 0) {
            source.request_stop();
        }
    }
};

/// What is to be found in a graph, from vertex 0.
template <class P>
struct Truth {
    std::optional<npuzzle::cost_t<P>> least_cost;
    std::optional<int> fewest_steps;

    explicit Truth(const P& graph)
        : least_cost(oracle::least_cost<npuzzle::cost_t<P>>(graph, 0)),
          fewest_steps(oracle::fewest_steps<npuzzle::cost_t<P>>(graph, 0)) {}
};

template <class P, class Result>
void check_against(const Truth<P>& truth, const P& graph, const Member& member, const Result& result) {
    INFO(member.name);
    CHECK(result.status == (truth.least_cost ? Status::solved : Status::unsolvable));
    test::check_path(graph, 0, result);
    CHECK(result.statistics.contract_violations == 0);
    if (!result) {
        return;
    }
    switch (member.promise) {
    case Promise::least_cost:
        CHECK(result.cost == *truth.least_cost);
        break;
    case Promise::cost_within_bound:
        CHECK(static_cast<double>(result.cost) <=
              member.bound * static_cast<double>(*truth.least_cost) * (1 + 1e-12));
        break;
    case Promise::fewest_steps:
        CHECK(static_cast<int>(result.path.size()) - 1 == *truth.fewest_steps);
        break;
    case Promise::a_path:
        break;
    }
}

template <class P, class H>
void check_all(const P& graph, const H& heuristic, bool is_consistent) {
    const Truth<P> truth(graph);
    const auto check = [&](const Member& member, const auto& result) {
        check_against(truth, graph, member, result);
    };
    SilentObserver silent;
    test::with_each_graph_search(graph, 0, heuristic, is_consistent, {}, silent, check);
    test::with_k_shortest_paths(graph, 0, heuristic, {}, silent, check);
    test::with_breadth_first(graph, 0, {}, silent, check);
}

template <class C>
Graph<C> small_graph(std::uint64_t seed, bool is_undirected) {
    Random random(7000 + seed);
    const int vertices = random.between(1, 30);
    auto graph = test::random_graph<C>(seed, vertices, random.between(0, 3 * vertices), random.between(0, 2),
                                       20, std::is_floating_point_v<C> ? 0.25 : 1);
    if (is_undirected) {
        auto both = graph;
        for (int from = 0; from < graph.size(); ++from) {
            for (const auto& edge : graph.neighbors(from)) {
                both.connect(edge.to, from, edge.cost);
            }
        }
        return both;
    }
    return graph;
}

bool has_parallel_edges(const std::vector<npuzzle::Edge<int, int>>& edges) {
    std::set<int> ends;
    for (const auto& edge : edges) {
        ends.insert(edge.to);
    }
    return ends.size() < edges.size();
}

/// The same graph with costs in another unit.
template <class C>
Graph<C> in_units(const Graph<int>& graph, C unit) {
    Graph<C> other(graph.edges.size());
    other.goals = graph.goals;
    for (int from = 0; from < graph.size(); ++from) {
        for (const auto& edge : graph.neighbors(from)) {
            other.connect(from, edge.to, static_cast<C>(edge.cost) * unit);
        }
    }
    return other;
}

/// The exact distances, and infinity where there is no way: consistent.
template <class C>
Table<C> exact_table(const Graph<C>& graph) {
    Table<C> exact{oracle::costs_to_goal<C>(graph, 0)};
    for (int vertex = 0; vertex < graph.size(); ++vertex) {
        exact.values.emplace(vertex, std::numeric_limits<C>::has_infinity ? std::numeric_limits<C>::infinity()
                                                                          : std::numeric_limits<C>::max());
    }
    return exact;
}

template <class C>
Table<C> halved(Table<C> table) {
    for (auto& [vertex, value] : table.values) {
        value = npuzzle::detail::is_infinite(value) ? value : value / 2;
    }
    return table;
}

/// Some of the values, and zero for the others: admissible, but not consistent.
template <class C>
Table<C> with_gaps(Table<C> table, std::uint64_t seed) {
    Random random(seed);
    for (auto& [vertex, value] : table.values) {
        value = random.one_in(2) ? C{} : value;
    }
    return table;
}

} // namespace

TEMPLATE_TEST_CASE("each search keeps its promise on random graphs", "[family]", int, double) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        INFO("seed " << seed);
        const auto graph = small_graph<TestType>(seed, seed % 2 == 0);
        const Table<TestType> exact = exact_table(graph);
        check_all(graph, exact, true);
        if (std::is_floating_point_v<TestType>) {
            check_all(graph, halved(exact), true);
        }
        check_all(graph, with_gaps(exact, seed), false);
    }
}

TEST_CASE("each search finds a path that the cost type can hold, beside others that it cannot", "[family]") {
    SilentObserver silent;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        INFO("seed " << seed);
        Random random(9000 + seed);
        const int vertices = random.between(2, 12);
        const auto wide =
            test::random_graph<std::int64_t>(seed, vertices, random.between(vertices, 3 * vertices), 1, 90);
        const auto least = oracle::least_cost<std::int64_t>(wide, 0);
        const auto exact = oracle::costs_to_goal<std::int64_t>(wide, 0);
        Graph<std::int8_t> graph(static_cast<std::size_t>(vertices));
        Table<std::int8_t> half;
        for (int vertex = 0; vertex < vertices; ++vertex) {
            for (const auto& edge : wide.neighbors(vertex)) {
                graph.connect(vertex, edge.to, static_cast<std::int8_t>(edge.cost));
            }
            if (wide.is_goal(vertex)) {
                graph.add_goal(vertex);
            }
            const auto found = exact.find(vertex);
            half.values[vertex] =
                static_cast<std::int8_t>(found == exact.end() ? 127
                                                              : std::min<std::int64_t>(126, found->second) /
                                                                    static_cast<std::int64_t>(1 + seed % 2));
        }
        const auto check = [&](const Member& member, const auto& result) {
            INFO(member.name);
            if (least && *least < 127) {
                CHECK(result.status == Status::solved);
                CHECK(result.cost >= *least);
                CHECK((member.promise != Promise::least_cost || result.cost == *least));
                test::check_path(graph, 0, result);
            } else {
                CHECK((result.status == Status::cost_overflow ||
                       (!least && result.status == Status::unsolvable)));
            }
        };
        test::with_each_graph_search(graph, 0, half, false, {}, silent, check);
    }
}

TEST_CASE("the greatest estimate of a narrow type is a number like any other", "[family]") {
    // A line of 300 steps. The estimates are admissible, and some are the greatest of their type.
    constexpr int goal = 300;
    Graph<int> line(goal + 1);
    for (int vertex = 0; vertex < goal; ++vertex) {
        line.connect(vertex, vertex + 1, 1).connect(vertex + 1, vertex, 1);
    }
    line.add_goal(goal);
    const Truth<Graph<int>> truth(line);
    SilentObserver silent;
    const auto check = [&](const Member& member, const auto& result) {
        check_against(truth, line, member, result);
    };
    const auto left = [](int vertex) { return vertex != goal; };
    const auto bytes = [](int vertex) { return static_cast<std::uint8_t>(std::min(255, goal - vertex)); };
    test::with_each_graph_search(line, 0, bytes, false, {}, silent, check);
    check(Member{"A*, the greatest", Promise::least_cost},
          npuzzle::astar(line, 0, npuzzle::MaxOf{left, bytes}));

    // So is the greatest of the estimates' own type, unless it marks dead ends: a path that costs so much
    // overflows.
    const auto endless = [](int vertex) { return vertex == goal ? 0 : std::numeric_limits<int>::max(); };
    CHECK(npuzzle::astar(line, 0, endless).status == Status::cost_overflow);
    CHECK(npuzzle::weighted_astar(line, 0, endless, {.weight = 2}).status == Status::cost_overflow);
    CHECK(npuzzle::astar(line, 0, npuzzle::MarksDeadEnds{endless}).status == Status::unsolvable);
    Table<int> dead_ends;
    for (int vertex = 0; vertex < goal; ++vertex) {
        dead_ends.values.emplace(vertex, endless(vertex));
    }
    test::with_each_graph_search(
        line, 0, dead_ends, false, {}, silent, [](const Member& member, const auto& result) {
            INFO(member.name);
            CHECK((member.name == "Dijkstra" || result.status == Status::unsolvable));
        });
}

TEST_CASE("each search keeps its promise where memory is the path alone", "[family]") {
    SilentObserver silent;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        const int vertices = random.between(1, 8);
        const auto graph =
            test::random_graph<int>(seed, vertices, random.between(0, 2 * vertices), random.between(0, 2));
        const Truth<Graph<int>> truth(graph);
        if (std::any_of(graph.edges.begin(), graph.edges.end(), has_parallel_edges)) {
            continue; // They take any of these edges, and the check of the path the cheapest.
        }
        test::with_each_tree_search(
            graph, 0, exact_table(graph), {}, silent,
            [&](const Member& member, const auto& result) { check_against(truth, graph, member, result); });
    }
}

TEST_CASE("each search keeps its promise with moves", "[family]") {
    SilentObserver silent;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        INFO("seed " << seed);
        // A goal that can be reached: IDA* alone would not end. In every other ring two moves lead half-way
        // round.
        const bool has_parallel_moves = seed % 2 == 0;
        const test::WithMoves<test::Ring> ring(seed, has_parallel_moves ? 60 : 61, 12);
        const Truth<test::WithMoves<test::Ring>> truth(ring);
        if (!truth.least_cost) {
            continue;
        }
        const Table<int> exact{oracle::costs_to_goal<int>(ring, 0)};
        const auto heuristic = [&](int vertex) { return exact(vertex); };
        const auto check = [&](const Member& member, const auto& result) {
            if (has_parallel_moves && member.promise == Promise::a_path) {
                return; // They take any of these moves, and the check of the path the cheapest.
            }
            check_against(truth, ring, member, result);
            CHECK(result.moves.size() + 1 == result.path.size());
            for (std::size_t i = 0; i < result.moves.size(); ++i) {
                int vertex = result.path[i];
                ring.apply(vertex, result.moves[i]);
                CHECK(vertex == result.path[i + 1]);
            }
        };
        test::with_each_graph_search(ring, 0, heuristic, false, {}, silent, check);
        test::with_k_shortest_paths(ring, 0, heuristic, {}, silent, check);
        test::with_breadth_first(ring, 0, {}, silent, check);
        check(Member{"IDA*", Promise::least_cost}, npuzzle::ida_star(ring, 0, heuristic));
        for (const unsigned threads : {1U, 2U, 3U, 8U}) {
            check(Member{"IDA* on " + std::to_string(threads) + " threads", Promise::least_cost},
                  npuzzle::parallel_ida_star(ring, 0, heuristic, {.threads = threads, .least_divided = 1}));
        }
    }
}

TEST_CASE("an expansion limit strikes each search at any moment, and is exact", "[family]") {
    SilentObserver silent;
    for (const std::uint64_t seed : {3U, 8U, 21U}) {
        const auto graph = test::random_graph<int>(seed, 30, 90, 0);
        const Table<int> table = with_gaps(exact_table(graph), seed);
        std::map<std::string_view, std::uint64_t> needs;
        std::map<std::string_view, int> costs;
        const auto note = [&](const Member& member, const auto& result) {
            REQUIRE(result.status != Status::expansion_limit);
            needs[member.name] = result.statistics.expanded;
            costs[member.name] = result.cost;
        };
        test::with_each_graph_search(graph, 0, table, true, {}, silent, note);
        test::with_k_shortest_paths(graph, 0, table, {}, silent, note);
        test::with_breadth_first(graph, 0, {}, silent, note);
        for (std::uint64_t limit = 0; limit <= 40; ++limit) {
            const auto check = [&](const Member& member, const auto& result) {
                INFO(member.name << ", limit " << limit);
                test::check_path(graph, 0, result);
                if (limit < needs[member.name]) {
                    CHECK(result.status == Status::expansion_limit);
                    CHECK(result.statistics.expanded == limit);
                    const bool has_way = !result.path.empty() || !result.partial_path.empty();
                    CHECK(has_way == (member.name != "all cheapest paths"));
                } else if (result) {
                    CHECK(result.statistics.expanded == needs[member.name]);
                    CHECK(result.cost == costs[member.name]);
                }
            };
            test::with_each_graph_search(graph, 0, table, true, {.expansions = limit}, silent, check);
            test::with_k_shortest_paths(graph, 0, table, {.expansions = limit}, silent, check);
            test::with_breadth_first(graph, 0, {.expansions = limit}, silent, check);
        }
    }
    const auto graph = test::random_graph<int>(5, 8, 14, 1);
    for (std::uint64_t limit = 0; limit <= 60; ++limit) {
        test::with_each_tree_search(
            graph, 0, Table<int>{}, {.expansions = limit}, silent,
            [&](const Member& member, const auto& result) {
                INFO(member.name << ", limit " << limit);
                test::check_path(graph, 0, result);
                CHECK(result.statistics.expanded <= limit);
                CHECK((result.status != Status::expansion_limit || result.statistics.expanded == limit));
            });
    }
}

TEST_CASE("a byte limit strikes each search at any moment, and is kept", "[family]") {
    SilentObserver silent;
    const auto graph = test::random_graph<int>(4, 400, 1200, 0);
    const Table<int> table = exact_table(graph);
    for (std::uint64_t limit = 0; limit <= 60'000; limit += 3'000) {
        const auto check = [&](const Member& member, const auto& result) {
            INFO(member.name << ", limit " << limit);
            test::check_path(graph, 0, result);
            CHECK(result.statistics.bytes <= limit);
            CHECK((result || result.status == Status::memory_limit));
            CHECK((limit > 0 || result.status == Status::memory_limit));
        };
        test::with_each_graph_search(graph, 0, table, true, {.bytes = limit}, silent, check);
        test::with_k_shortest_paths(graph, 0, table, {.bytes = limit}, silent, check);
        test::with_breadth_first(graph, 0, {.bytes = limit}, silent, check);
    }
}

TEST_CASE("an observer that asks for the end soon gets it from each search", "[family]") {
    constexpr int length = 200;
    Graph<int> chain(length);
    for (int vertex = 0; vertex + 1 < length; ++vertex) {
        chain.connect(vertex, vertex + 1, 1);
    }
    int members = 1;
    for (int turn = 0; turn < members; ++turn) {
        Stopper stopper;
        int number = 0;
        stopper.is_its_turn = turn == 0;
        const auto check = [&](const Member& member, const auto& result) {
            if (number == turn) {
                INFO(member.name);
                CHECK(result.status == Status::cancelled);
                CHECK(result.statistics.expanded >= 3);
                CHECK(result.statistics.expanded <= 16);
            }
            stopper.is_its_turn = ++number == turn;
        };
        const auto stop = stopper.source.get_token();
        test::with_each_graph_search(chain, 0, Table<int>{}, true, {.stop = stop}, stopper, check);
        test::with_k_shortest_paths(chain, 0, Table<int>{}, {.stop = stop}, stopper, check);
        test::with_breadth_first(chain, 0, {.stop = stop}, stopper, check);
        test::with_each_tree_search(chain, 0, Table<int>{}, {.stop = stop}, stopper, check);
        members = number;
    }
    CHECK(members >= 19);
}

TEST_CASE("a bound on the cost is kept, and proves that nothing is cheaper", "[family]") {
    SilentObserver silent;
    int bounded = 0;
    int further = 0; // A path of more steps alone is cheap enough.
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        INFO("seed " << seed);
        const auto graph = small_graph<int>(seed, seed % 2 == 0);
        const Truth<Graph<int>> truth(graph);
        if (!truth.least_cost) {
            continue;
        }
        const int least = *truth.least_cost;
        const Table<int> table = with_gaps(exact_table(graph), seed);
        for (const int bound : {-1, 0, least - 1, least, least + 1, 2 * least, 1000}) {
            const auto check = [&](const Member& member, const auto& result) {
                INFO(member.name << ", bound " << bound << " for " << least);
                test::check_path(graph, 0, result);
                if (bound < least) {
                    CHECK(result.status == Status::cost_limit);
                    ++bounded;
                } else {
                    CHECK(result.status == Status::solved);
                    CHECK(result.cost <= bound);
                }
            };
            test::with_each_graph_search(graph, 0, table, false, {.max_cost = bound}, silent, check);
            test::with_k_shortest_paths(graph, 0, table, {.max_cost = bound}, silent, check);
            if (graph.size() <= 8) {
                const auto result = npuzzle::iterative_deepening(graph, 0, {.max_cost = bound});
                REQUIRE(result.status == (bound < least ? Status::cost_limit : Status::solved));
                if (!result) continue;
                CHECK(result.cost <= bound);
                const auto fewest = oracle::fewest_steps<int>(graph, 0, bound);
                CHECK(static_cast<int>(result.path.size()) - 1 == fewest);
                further += fewest != truth.fewest_steps ? 1 : 0;
            }
        }
        for (const int bound : {-1, *truth.fewest_steps - 1, *truth.fewest_steps, 100}) {
            const auto result = npuzzle::breadth_first(graph, 0, {.max_cost = bound});
            CHECK(result.status == (bound < *truth.fewest_steps ? Status::cost_limit : Status::solved));
        }
    }
    CHECK(bounded > 500);
    CHECK(further > 0);
}

TEST_CASE("no bound on the cost takes rounding for a proof", "[family]") {
    SilentObserver silent;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto units = small_graph<int>(seed, seed % 2 == 0);
        const Truth<Graph<int>> truth(units);
        if (!truth.least_cost) {
            continue;
        }
        const double unit = static_cast<double>(1 + seed % 9) / 10;
        const auto graph = in_units(units, unit);
        Table<double> table;
        for (const auto& [vertex, cost] : oracle::costs_to_goal<int>(units, 0)) {
            table.values.emplace(vertex, static_cast<double>(cost) * unit);
        }
        const auto within = [&](double bound, auto check) {
            const auto check_one = [&](const Member& member, const auto& result) {
                INFO("seed " << seed << ", " << member.name << ", bound " << bound);
                check(member, result);
            };
            test::with_each_graph_search(graph, 0, table, true, {.max_cost = bound}, silent, check_one);
            test::with_k_shortest_paths(graph, 0, table, {.max_cost = bound}, silent, check_one);
            if (graph.size() <= 8) {
                test::with_each_tree_search(graph, 0, table, {.max_cost = bound}, silent, check_one);
            }
        };
        const double least = static_cast<double>(*truth.least_cost) * unit;
        double found = least;
        within(least, [&](const Member& member, const auto& result) {
            CHECK(result.status == Status::solved);
            found = member.promise == Promise::least_cost && result.cost < found ? result.cost : found;
        });
        within(found, [](const Member&, const auto& result) { CHECK(result.status == Status::solved); });
        within(least - unit,
               [](const Member&, const auto& result) { CHECK(result.status == Status::cost_limit); });
        CHECK(npuzzle::k_shortest_paths(graph, 0, table, 50, {.max_cost = least + 2 * unit}).paths.size() ==
              npuzzle::k_shortest_paths(units, 0, npuzzle::Zero{}, 50, {.max_cost = *truth.least_cost + 2})
                  .paths.size());
    }
}

TEST_CASE("no path costs as little as a bound that is negative", "[family]") {
    SilentObserver silent;
    const auto check = [](const Member& member, const auto& result) {
        INFO(member.name);
        CHECK(result.status == Status::cost_limit);
    };
    const auto real = Graph<double>(2).connect(0, 1, 3).add_goal(1);
    for (const double bound : {-1.0, -std::numeric_limits<double>::infinity()}) {
        test::with_each_graph_search(real, 0, Table<double>{}, true, {.max_cost = bound}, silent, check);
    }
    const auto whole = Graph<int>(1).add_goal(0);
    const auto none = [](int) { return 0U; };
    CHECK(npuzzle::astar(whole, 0, none, {.max_cost = -1}).status == Status::cost_limit);
    CHECK(npuzzle::ida_star(whole, 0, none, {.max_cost = -1}).status == Status::cost_limit);
}

TEST_CASE("a search without a solution gives the path to the nearest state", "[family]") {
    SilentObserver silent;
    Graph<int> graph(5);
    graph.connect(0, 1, 2).connect(1, 2, 2).connect(2, 3, 2).connect(1, 0, 2).add_goal(4);
    const Table<int> nearest_is_2{{{0, 6}, {1, 5}, {2, 3}, {3, 4}}};
    const auto check_end = [&](Status status) {
        return [&graph, status](const Member& member, const auto& result) {
            INFO(member.name);
            const bool is_blind = member.name == "Dijkstra" || member.name == "breadth-first";
            CHECK(result.status == (is_blind ? Status::unsolvable : status));
            test::check_path(graph, 0, result);
            CHECK(result.partial_path == (member.name == "all cheapest paths" ? std::vector<int>{}
                                          : is_blind ? std::vector{0, 1, 2, 3} // the farthest
                                                     : std::vector{0, 1, 2}));
        };
    };
    test::with_each_graph_search(graph, 0, nearest_is_2, false, {}, silent, check_end(Status::unsolvable));
    test::with_k_shortest_paths(graph, 0, nearest_is_2, {}, silent, check_end(Status::unsolvable));
    test::with_breadth_first(graph, 0, {}, silent, check_end(Status::unsolvable));
    test::with_each_graph_search(graph, 0, nearest_is_2, false, {.max_cost = 7}, silent,
                                 check_end(Status::cost_limit));
    // A bound that bars nothing proves nothing more.
    test::with_each_graph_search(graph, 0, nearest_is_2, false, {.max_cost = 100}, silent,
                                 check_end(Status::unsolvable));
}
