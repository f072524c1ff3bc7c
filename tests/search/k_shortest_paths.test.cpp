#include <npuzzle/search/k_shortest_paths.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace {

using npuzzle::k_shortest_paths;
using npuzzle::KShortestPaths;
using npuzzle::Status;
using test::Table;
using Graph = test::Graph<int>;

constexpr std::size_t all = 1'000'000;

/// A ring whose nodes have no room for costs of 3,000. Each step costs 100.
struct ShortWay : test::CompactWithEqualKeys<test::WithMoves<test::Ring>> {
    explicit ShortWay(int size, int goal) : CompactWithEqualKeys(1, size, goal) {
        costs.assign(costs.size(), {100, 100, -1, -1, -1, -1});
    }
};

/// All paths without repetition, each with its cost: every way is gone, up to the first goal on it.
template <class C>
using Paths = std::map<std::vector<int>, C>;

template <class C>
void go_every_way(const test::Graph<C>& graph, std::vector<int>& path, Paths<C>& paths) {
    if (graph.is_goal(path.back())) {
        paths.emplace(path, *oracle::path_cost<C>(graph, path));
        return;
    }
    for (const auto& edge : graph.neighbors(path.back())) {
        if (std::find(path.begin(), path.end(), edge.to) == path.end()) {
            path.push_back(edge.to);
            go_every_way(graph, path, paths);
            path.pop_back();
        }
    }
}

template <class C>
Paths<C> every_path(const test::Graph<C>& graph, int start = 0) {
    Paths<C> paths;
    std::vector<int> path{start};
    go_every_way(graph, path, paths);
    return paths;
}

/// The result is `k` of all paths, or all of them, and none that is left out costs less.
template <class Result, class C>
void check_paths(const Result& result, const Paths<C>& paths, std::size_t k) {
    std::vector<C> costs;
    for (const auto& [path, cost] : paths) {
        costs.push_back(cost);
    }
    std::sort(costs.begin(), costs.end());
    costs.resize(std::min(k, costs.size()));
    const bool is_right_status = result.status == (paths.empty() ? Status::unsolvable : Status::solved) &&
                                 (result.is_complete || k <= paths.size()) &&
                                 (!result.is_complete || paths.size() <= k);
    bool is_right = result.paths.size() == costs.size() && result.statistics.contract_violations == 0;
    std::set<std::vector<int>> different;
    for (std::size_t i = 0; is_right && i < costs.size(); ++i) {
        const auto& one = result.paths[i];
        const auto known = paths.find(one.path);
        is_right = different.insert(one.path).second && known != paths.end() && known->second == one.cost &&
                   one.cost == costs[i];
    }
    is_right = is_right &&
               (costs.empty() ? result.path.empty()
                              : result.path == result.paths[0].path && result.cost == result.paths[0].cost);
    if (!is_right || !is_right_status) {
        FAIL("other paths than there are: " << result.paths.size() << " of " << paths.size()
                                            << " for k = " << k << ", " << result.status);
    }
}

/// Exact estimates, or some that are admissible and not consistent.
template <class C>
Table<C> table_of(const test::Graph<C>& graph, std::uint64_t seed, bool is_exact) {
    Table<C> table{oracle::costs_to_goal<C>(graph, 0)};
    test::Random random(seed);
    for (auto& [vertex, value] : table.values) {
        value = is_exact || random.one_in(2) ? value : C{};
    }
    return table;
}

/// Corners of squares, in rows; the start and the goal are opposite corners of the whole.
Graph lattice(int side) {
    Graph graph(static_cast<std::size_t>(side * side));
    for (int vertex = 0; vertex < side * side; ++vertex) {
        if (vertex % side + 1 < side) {
            graph.connect(vertex, vertex + 1, 1).connect(vertex + 1, vertex, 1);
        }
        if (vertex + side < side * side) {
            graph.connect(vertex, vertex + side, 1).connect(vertex + side, vertex, 1);
        }
    }
    return graph.add_goal(side * side - 1);
}

} // namespace

TEMPLATE_TEST_CASE("random graphs: the paths are the cheapest of all that there are", "[k_shortest_paths]",
                   int, double) {
    std::size_t several = 0;
    std::size_t unsolvable = 0;
    std::size_t trivial = 0;
    const bool has_fractions = std::is_floating_point_v<TestType>;
    for (std::uint64_t seed = 0; seed < (has_fractions ? 500U : 3000U); ++seed) {
        CAPTURE(seed);
        test::Random random(seed);
        // A fifth of the steps cost nothing, a tenth are double.
        const auto graph = test::random_graph<TestType>(seed, random.between(1, 8), random.between(0, 32), 1,
                                                        random.between(1, 9), has_fractions ? 0.25 : 1);
        const auto paths = every_path(graph);
        several += paths.size() > 5 ? 1 : 0;
        unsolvable += paths.empty() ? 1 : 0;
        trivial += graph.is_goal(0) ? 1 : 0;
        check_paths(k_shortest_paths(graph, 0, Table<TestType>{}, all), paths, all);
        check_paths(k_shortest_paths(graph, 0, table_of(graph, seed, true), all), paths, all);
        const auto rough = table_of(graph, seed, false);
        for (const std::size_t k : {1U, 2U, 3U, 10U}) {
            check_paths(k_shortest_paths(graph, 0, rough, k), paths, k);
        }
    }
    CHECK(several > (has_fractions ? 20 : 100));
    CHECK(unsolvable > 50);
    CHECK(trivial > 50);
}

TEST_CASE("moves, packed states and numbered states", "[k_shortest_paths]") {
    using Moves = test::WithMoves<test::Ring>;
    constexpr std::size_t k = 40;
    const auto check = [&](const auto& ring, const auto& expected) {
        const auto result = k_shortest_paths(ring, 0, npuzzle::Zero{}, k);
        REQUIRE(result.paths.size() == k);
        std::set<std::vector<int>> different;
        for (std::size_t number = 0; number < k; ++number) {
            const auto& one = result.paths[number];
            CHECK(one.cost == expected.paths[number].cost);
            CHECK(different.insert(one.path).second);
            CHECK(std::set<int>(one.path.begin(), one.path.end()).size() == one.path.size());
            REQUIRE(one.moves.size() + 1 == one.path.size());
            int sum = 0;
            for (std::size_t i = 0; i < one.moves.size(); ++i) {
                int vertex = one.path[i];
                sum += ring.move_cost(vertex, one.moves[i]);
                ring.apply(vertex, one.moves[i]);
                CHECK(vertex == one.path[i + 1]);
            }
            CHECK(sum == one.cost);
        }
        CHECK(result.moves == result.paths.front().moves);
    };
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        CAPTURE(seed);
        const Moves ring(seed, 60, 12);
        Graph graph(60);
        for (int vertex = 0; vertex < 60; ++vertex) {
            for (const auto& edge : ring.neighbors(vertex)) {
                graph.connect(vertex, edge.to, edge.cost);
            }
        }
        const auto expected = k_shortest_paths(graph.add_goal(12), 0, npuzzle::Zero{}, k);
        check(ring, expected);
        check(test::WithIndex<Moves>(seed, 60, 12), expected);
        check(test::CompactWithEqualKeys<Moves>(seed, 60, 12), expected);
    }
}

TEST_CASE("one path after another", "[k_shortest_paths]") {
    const Graph graph = lattice(3);
    KShortestPaths engine(graph, 0, npuzzle::Zero{});
    CHECK(engine.status() == Status::running);
    CHECK(engine.take(0).status == Status::running);
    CHECK(engine.statistics().expanded == 0);
    std::uint64_t count = 0;
    int last = 0;
    while (engine.next()) {
        CHECK(engine.count() == ++count);
        CHECK(engine.path().cost >= last);
        last = engine.path().cost;
        if (count == 5) {
            const auto three = engine.take(3);
            CHECK(three.status == Status::solved);
            CHECK_FALSE(three.is_complete);
            CHECK(three.paths.size() == 3);
            CHECK(three.path == three.paths.front().path);
            count += 3;
        }
    }
    CHECK(count == 12);
    CHECK(engine.status() == Status::solved);
    CHECK_FALSE(engine.next());
    const auto no_more = engine.take(3);
    CHECK(no_more.paths.empty());
    CHECK(no_more.path.empty());
    CHECK(no_more.is_complete);
}

TEST_CASE("limits end the search, and what was found stays", "[k_shortest_paths]") {
    const Graph graph = lattice(4);
    constexpr std::size_t k = 10;
    const auto whole = k_shortest_paths(graph, 0, npuzzle::Zero{}, k);
    REQUIRE(whole.paths.size() == k);
    const auto is_beginning = [&](const auto& result) {
        return result.paths.size() <= k &&
               std::equal(result.paths.begin(), result.paths.end(), whole.paths.begin(),
                          [](const auto& a, const auto& b) { return a.path == b.path && a.cost == b.cost; });
    };
    for (std::uint64_t limit = 0; limit < whole.statistics.expanded; ++limit) {
        const auto result = k_shortest_paths(graph, 0, npuzzle::Zero{}, k, {.expansions = limit});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.statistics.expanded == limit);
        CHECK_FALSE(result.is_complete);
        CHECK(is_beginning(result));
        CHECK(result.paths.empty() == result.path.empty());
        CHECK(result.paths.empty() != result.partial_path.empty());
    }
    CHECK(k_shortest_paths(graph, 0, npuzzle::Zero{}, k, {.expansions = whole.statistics.expanded}));
    std::size_t most = 0;
    for (std::uint64_t limit = 0; limit < whole.statistics.bytes; limit += 611) {
        const auto result = k_shortest_paths(graph, 0, npuzzle::Zero{}, k, {.bytes = limit});
        CHECK(result.status == Status::memory_limit);
        CHECK(result.statistics.bytes <= limit);
        CHECK(is_beginning(result));
        most = std::max(most, result.paths.size());
    }
    CHECK(most > 3);
    CHECK(k_shortest_paths(graph, 0, npuzzle::Zero{}, k, {.time = std::chrono::nanoseconds{0}}).status ==
          Status::time_limit);

    bool is_enough = false;
    KShortestPaths engine(graph, 0, npuzzle::Zero{}, {.stop = [&] { return is_enough; }});
    REQUIRE(engine.next());
    REQUIRE(engine.next());
    is_enough = true;
    while (engine.next()) {
    }
    CHECK(engine.status() == Status::cancelled);
    CHECK(engine.count() < 184);
}

TEST_CASE("a bound on the cost is kept by all paths", "[k_shortest_paths]") {
    std::size_t cut = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        const auto graph = test::random_graph<int>(seed, 7, 18, 1);
        const auto paths = every_path(graph);
        for (const int bound : {-1, 0, 3, 8, 100}) {
            auto cheap = paths;
            std::erase_if(cheap, [&](const auto& path) { return path.second > bound; });
            const auto result =
                k_shortest_paths(graph, 0, table_of(graph, seed, false), all, {.max_cost = bound});
            if (cheap.empty()) {
                CHECK((result.status == Status::cost_limit ||
                       (paths.empty() && result.status == Status::unsolvable)));
                CHECK(result.paths.empty());
            } else {
                cut += cheap.size() < paths.size() ? 1 : 0;
                check_paths(result, cheap, all);
            }
            CHECK(result.is_complete);
        }
    }
    CHECK(cut > 50);
}

TEST_CASE("paths that the cost type cannot hold are no silent loss", "[k_shortest_paths]") {
    constexpr int large = 2'000'000'000;
    Graph graph(4);
    graph.connect(0, 1, large).connect(1, 2, large).connect(0, 3, 2).connect(3, 2, 3).add_goal(2);
    const auto result = k_shortest_paths(graph, 0, npuzzle::Zero{}, all);
    CHECK(result.status == Status::cost_overflow);
    CHECK(result.paths.size() == 1);
    CHECK_FALSE(result.is_complete);
    CHECK(k_shortest_paths(graph, 0, npuzzle::Zero{}, 1).status == Status::solved);
}

TEST_CASE("nothing is proved of paths that nodes cannot hold", "[k_shortest_paths]") {
    REQUIRE_FALSE(npuzzle::PackedNodeTable<ShortWay, int>::can_hold(3000));
    const ShortWay both_ways(40, 10); // 10 steps, or 30
    for (const int bound : {1000, 3000}) {
        const auto result = k_shortest_paths(both_ways, 0, npuzzle::Zero{}, all, {.max_cost = bound});
        CHECK(result.paths.size() == 1);
        CHECK(result.status == (bound == 1000 ? Status::solved : Status::cost_overflow));
        CHECK(result.is_complete == (bound == 1000));
    }
    const ShortWay too_far(60, 30);
    const auto bounded = k_shortest_paths(too_far, 0, npuzzle::Zero{}, all, {.max_cost = 1000});
    CHECK(bounded.status == Status::cost_limit);
    const auto result = k_shortest_paths(too_far, 0, npuzzle::Zero{}, all, {.max_cost = 3000});
    CHECK(result.status == Status::cost_overflow);
    CHECK_FALSE(result.is_complete);
}
