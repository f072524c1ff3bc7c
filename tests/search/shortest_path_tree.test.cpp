#include <npuzzle/search/shortest_path_tree.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace {

using npuzzle::shortest_path_tree;
using npuzzle::Status;
using test::Graph;

/// Everything that a tree says, against the costs to the states that it should hold.
template <class Tree, class P, class C>
void check_tree(const Tree& tree, const P& problem, const std::map<int, C>& costs,
                const std::set<int>& starts = {0}) {
    bool is_right = tree.size() == costs.size() && tree.statistics().expanded == costs.size() &&
                    tree.statistics().contract_violations == 0;
    std::set<int> before;
    C last{};
    for (const auto& [state, cost] : tree) {
        is_right = is_right && before.insert(state).second && costs.contains(state) &&
                   costs.at(state) == cost && !(cost < last) && tree.contains(state) &&
                   tree.cost_to(state) == cost;
        last = cost;
        const std::vector<int> path = tree.path_to(state);
        is_right = is_right && !path.empty() && path.back() == state && starts.contains(path.front()) &&
                   oracle::path_cost<C>(problem, path) == cost;
        const std::optional<int> parent = tree.parent_of(state);
        is_right = is_right && (path.size() < 2 ? !parent : parent == path[path.size() - 2]) &&
                   (!parent || before.contains(*parent));
    }
    if (!is_right || before.size() != costs.size()) {
        FAIL("another tree: " << tree.size() << " states instead of " << costs.size());
    }
}

/// The costs of a ring's vertices, and its trees in all kinds of tables.
template <class P>
void check_ring(std::uint64_t seed) {
    const P ring(seed, 61, 12);
    const auto tree = shortest_path_tree(ring, 0);
    CHECK(tree);
    check_tree(tree, ring, oracle::costs_from<int>(ring, 0));
    for (const auto& [vertex, cost] : tree) {
        const auto moves = tree.moves_to(vertex);
        int at = 0;
        int sum = 0;
        for (const auto move : moves) {
            sum += ring.move_cost(at, move);
            ring.apply(at, move);
        }
        CHECK(at == vertex);
        CHECK(sum == cost);
    }
}

} // namespace

TEMPLATE_TEST_CASE("the tree holds what Dijkstra's algorithm finds", "[shortest_path_tree]", int, double) {
    std::size_t unreachable = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed);
        test::Random random(seed);
        const int vertices = random.between(1, 30);
        const auto graph = test::random_graph<TestType>(seed, vertices, random.between(0, 3 * vertices), 2, 5,
                                                        std::is_floating_point_v<TestType> ? 0.25 : 1);
        const auto tree = shortest_path_tree(graph, 0);
        const auto costs = oracle::costs_from<TestType>(graph, 0);
        CHECK(tree.status() == Status::solved);
        check_tree(tree, graph, costs);
        for (int vertex = 0; vertex < graph.size(); ++vertex) {
            if (!costs.contains(vertex)) {
                ++unreachable;
                CHECK_FALSE(tree.contains(vertex));
                CHECK_FALSE(tree.cost_to(vertex));
                CHECK_FALSE(tree.parent_of(vertex));
                CHECK(tree.path_to(vertex).empty());
            }
        }
    }
    CHECK(unreachable > 1000);
}

TEST_CASE("moves, packed states and numbered states", "[shortest_path_tree]") {
    using Moves = test::WithMoves<test::Ring>;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        check_ring<Moves>(seed);
        check_ring<test::WithIndex<Moves>>(seed);
        check_ring<test::CompactWithEqualKeys<Moves>>(seed);
    }
}

TEST_CASE("from the nearest of several starts", "[shortest_path_tree]") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        const auto graph = test::random_graph<int>(seed, 30, 60, 1, 4);
        std::map<int, int> costs;
        const std::vector<int> starts{3, 11, 3, 25};
        for (const int start : starts) {
            for (const auto& [vertex, cost] : oracle::costs_from<int>(graph, start)) {
                const auto [place, is_new] = costs.emplace(vertex, cost);
                place->second = std::min(place->second, cost);
            }
        }
        check_tree(shortest_path_tree(graph, starts), graph, costs, {3, 11, 25});
    }
    const Graph<int> graph(3);
    const auto none = shortest_path_tree(graph, std::vector<int>{});
    CHECK(none);
    CHECK(none.size() == 0);
    CHECK(none.begin() == none.end());
    CHECK_FALSE(none.contains(0));
}

TEST_CASE("a tree that a limit cut holds the cheapest states, at their costs", "[shortest_path_tree]") {
    const auto graph = test::random_graph<int>(7, 60, 200, 2, 9);
    const auto whole = shortest_path_tree(graph, 0);
    REQUIRE(whole);
    REQUIRE(whole.size() > 40);
    for (std::size_t most = 0; most < whole.size(); ++most) {
        const auto tree = shortest_path_tree(graph, 0, {.expansions = most});
        CHECK(tree.status() == Status::expansion_limit);
        CHECK_FALSE(tree);
        std::map<int, int> costs;
        for (std::size_t i = 0; i < most; ++i) {
            costs.emplace(whole[i].state, whole[i].cost);
        }
        check_tree(tree, graph, costs);
        for (std::size_t i = most; i < whole.size(); ++i) {
            CHECK_FALSE(tree.contains(whole[i].state)); // though some of them wait on the open list
        }
    }
    for (int bound = -1; bound <= whole[whole.size() - 1].cost; ++bound) {
        const auto tree = shortest_path_tree(graph, 0, {.max_cost = bound});
        std::map<int, int> costs;
        for (const auto& [state, cost] : whole) {
            if (cost <= bound) {
                costs.emplace(state, cost);
            }
        }
        CHECK(tree.status() == (costs.size() == whole.size() ? Status::solved : Status::cost_limit));
        check_tree(tree, graph, costs);
    }
    Graph<int> detour(3); // the first path to a vertex costs too much, the second does not
    detour.connect(0, 1, 9).connect(0, 2, 1).connect(2, 1, 1);
    CHECK(shortest_path_tree(detour, 0, {.max_cost = 2}).status() == Status::solved);
    CHECK(shortest_path_tree(detour, 0, {.max_cost = 1}).status() == Status::cost_limit);
    const auto cut_off = shortest_path_tree(graph, 0, {.bytes = whole.statistics().bytes / 2});
    CHECK(cut_off.status() == Status::memory_limit);
    CHECK(cut_off.statistics().bytes <= whole.statistics().bytes / 2);
    for (const auto& [state, cost] : cut_off) {
        CHECK(whole.cost_to(state) == cost);
    }
    CHECK(shortest_path_tree(graph, 0, {.time = std::chrono::nanoseconds{0}}).status() == Status::time_limit);
    npuzzle::StopSource source;
    source.request_stop();
    CHECK(shortest_path_tree(graph, 0, {.stop = source.get_token()}).status() == Status::cancelled);
}

TEST_CASE("costs that the type cannot hold end in a status", "[shortest_path_tree]") {
    constexpr int large = 2'000'000'000;
    Graph<int> graph(3);
    graph.connect(0, 1, large).connect(1, 2, large);
    const auto tree = shortest_path_tree(graph, 0);
    CHECK(tree.status() == Status::cost_overflow);
    CHECK(tree.size() == 2);
    CHECK_FALSE(tree.contains(2));
    CHECK(npuzzle::shortest_path_tree<npuzzle::WithoutReopening>(graph, 0).size() == 2);
    int visited = 0;
    npuzzle::for_each_reachable<npuzzle::WithoutReopening>(graph, 0, [&](int, int) { ++visited; });
    CHECK(visited == 2);
}

TEST_CASE("each state that can be reached is visited once, by what it costs", "[for_each_reachable]") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto graph = test::random_graph<int>(seed, 30, 60, 3);
        std::map<int, int> costs;
        int last = 0;
        const auto all = npuzzle::for_each_reachable(graph, 0, [&](int vertex, int cost) {
            CHECK(costs.emplace(vertex, cost).second);
            CHECK(cost >= last);
            last = cost;
        });
        CHECK(all);
        CHECK(all.statistics.expanded == costs.size());
        CHECK(costs == oracle::costs_from<int>(graph, 0));
    }
}

TEST_CASE("a walk through all states ends at a limit, and says so", "[for_each_reachable]") {
    Graph<int> line(5);
    line.connect(0, 1, 2).connect(1, 2, 2).connect(2, 3, 2).connect(3, 4, 2).add_goal(1);
    std::vector<int> visited;
    const auto visit = [&](int vertex, int) { visited.push_back(vertex); };
    const auto by_cost = npuzzle::for_each_reachable(line, 0, visit, {.max_cost = 4});
    CHECK(by_cost.status == Status::cost_limit);
    CHECK_FALSE(by_cost);
    CHECK(visited == std::vector{0, 1, 2});

    line.connect(0, 4, 9).connect(0, 3, 9).connect(0, 3, 3).connect(3, 4, 1);
    CHECK(npuzzle::for_each_reachable(line, 0, visit, {.max_cost = 4}).status == Status::solved);
    Graph<std::int8_t> far(3); // the second path ends beyond the costs that the type can hold
    far.connect(0, 1, 100).connect(1, 2, 100);
    CHECK(npuzzle::for_each_reachable(far, 0, [](int, int) {}, {.max_cost = 110}).status ==
          Status::cost_limit);

    visited.clear();
    CHECK(npuzzle::for_each_reachable(line, 0, visit, {.expansions = 2}).status == Status::expansion_limit);
    CHECK(visited == std::vector{0, 1});
}
