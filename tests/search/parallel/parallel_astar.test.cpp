#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/parallel/parallel_astar.hpp>

#include "support/catch.hpp"
#include "support/large_spaces.hpp"
#include "support/oracles.hpp"
#include "support/policies.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using npuzzle::parallel_astar;
using npuzzle::ParallelOptions;
using npuzzle::Status;
using test::check_optimal;
using test::Graph;
using test::Plane;
using test::Random;
using test::Table;

/// Nodes of packed words have no room for greater costs.
struct Narrow : test::Compact<test::WithWords<test::WithMoves<test::Ring>>> {
    using Compact::Compact;
    static constexpr int longest_path = 15;
};

/// As `check_optimal`, where a search that began on one thread has counted states twice.
template <class P, class Result>
void check_cheapest(const P& problem, const npuzzle::state_t<P>& start, const Result& result,
                    const std::optional<npuzzle::cost_t<P>>& least) {
    CHECK(result.status == (least ? Status::solved : Status::unsolvable));
    test::check_path(problem, start, result);
    CHECK((!least || result.cost == *least));
}

/// From the first node on.
ParallelOptions at_once(unsigned threads) {
    return {.threads = threads, .serial_nodes = 0};
}

template <class C>
Graph<C> some_graph(std::uint64_t seed) {
    Random random(seed);
    const int vertices = random.between(1, 60);
    return test::random_graph<C>(seed, vertices, random.between(0, 4 * vertices), random.between(0, 2), 20,
                                 std::is_floating_point_v<C> ? 0.25 : 1);
}

/// The exact distances, some of them zero: admissible, not consistent.
template <class C>
Table<C> with_gaps(const Graph<C>& graph, std::uint64_t seed) {
    Random random(seed);
    Table<C> table{oracle::costs_to_goal<C>(graph, 0)};
    for (int vertex = 0; vertex < graph.size(); ++vertex) {
        table.values.emplace(vertex, std::numeric_limits<C>::has_infinity ? std::numeric_limits<C>::infinity()
                                                                          : std::numeric_limits<C>::max());
        if (random.one_in(2)) {
            table.values[vertex] = C{};
        }
    }
    return table;
}

} // namespace

TEMPLATE_TEST_CASE("A* on several threads is optimal on random graphs", "[parallel]", int, double) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        INFO("seed " << seed);
        const auto graph = some_graph<TestType>(seed);
        const auto least = oracle::least_cost<TestType>(graph, 0);
        const Table<TestType> table = with_gaps(graph, seed);
        for (const unsigned threads : {1U, 2U, 3U, 8U}) {
            INFO(threads << " threads");
            check_optimal(graph, 0, parallel_astar(graph, 0, table, at_once(threads)), least);
        }
        check_cheapest(graph, 0, parallel_astar(graph, 0, table, {.threads = 2, .serial_nodes = seed % 20}),
                       least);
    }
}

TEMPLATE_TEST_CASE("A* on several threads is optimal with every capability of a problem", "[parallel]",
                   test::WithMoves<test::Ring>, test::WithWords<test::Ring>,
                   test::Compact<test::WithWords<test::WithMoves<test::Ring>>>, test::WithIndex<test::Ring>) {
    for (std::uint64_t seed = 0; seed < 15; ++seed) {
        INFO("seed " << seed);
        const TestType ring(seed, 200, 12);
        const auto least = oracle::least_cost<int>(ring, 0);
        for (const unsigned nodes : {0U, 50U}) {
            const auto result =
                parallel_astar(ring, 0, npuzzle::Zero{}, {.threads = 3, .serial_nodes = nodes});
            check_cheapest(ring, 0, result, least);
        }
    }
}

TEST_CASE("a problem may say which states belong together", "[parallel]") {
    for (const int goals : {0, 1}) {
        const auto graph = test::random_graph<int>(3, 2'000, 5'000, goals, 20, 1);
        const auto serial = npuzzle::astar(graph, 0, npuzzle::Zero{});
        for (const int size : {1, 50, 2'000}) { // the last: one owner has all
            INFO("districts of " << size);
            const test::WithDistricts<Graph<int>> problem(graph, size);
            const auto result = parallel_astar(problem, 0, npuzzle::Zero{}, at_once(3));
            check_optimal(problem, 0, result, oracle::least_cost<int>(graph, 0));
            CHECK((goals > 0 || result.statistics.stored == serial.statistics.stored));
        }
    }
}

TEST_CASE("A* on several threads takes any parts", "[parallel]") {
    const test::Compact<test::WithWords<test::WithMoves<test::Ring>>> ring(4, 300, 40);
    const auto least = oracle::least_cost<int>(ring, 0);
    const npuzzle::Zero zero;
    check_optimal(ring, 0, parallel_astar<test::HeapAndPooled>(ring, 0, zero, at_once(2)), least);
    check_optimal(ring, 0, parallel_astar<test::LadderAndPooled>(ring, 0, zero, at_once(3)), least);
    check_optimal(ring, 0, parallel_astar<test::BucketsAndPacked<16>>(ring, 0, zero, at_once(2)), least);
    CHECK(parallel_astar<npuzzle::EarlyGoalTest>(ring, 0, zero, at_once(2)).status == Status::solved);
}

TEST_CASE("other priorities keep their promise on several threads", "[parallel]") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        INFO("seed " << seed);
        const auto graph = some_graph<int>(seed);
        const auto least = oracle::least_cost<int>(graph, 0);
        const Table<int> exact{oracle::costs_to_goal<int>(graph, 0)};
        const auto heuristic = [&](int vertex) {
            const auto found = exact.values.find(vertex);
            return found == exact.values.end() ? 0 : found->second / 2; // consistent
        };
        const auto check = [&](const auto& result, double bound) {
            CHECK(result.status == (least ? Status::solved : Status::unsolvable));
            test::check_path(graph, 0, result);
            if (least) {
                CHECK(result.cost <= bound * *least);
            }
        };
        const auto options = at_once(3);
        const auto weighted = [](int g, int h) { return g + 2 * h; };
        check(npuzzle::parallel_best_first(graph, 0, heuristic, weighted, options), 2);
        check(npuzzle::parallel_best_first(graph, 0, heuristic, npuzzle::XdpPriority{1.5}, options), 1.5);
        const auto greedy = [](int, int h) { return h; };
        check(npuzzle::parallel_best_first<npuzzle::WithoutReopening>(graph, 0, heuristic, greedy, options),
              1e9);
    }
}

TEST_CASE("limits end a search on several threads", "[parallel]") {
    const Plane plane;
    const npuzzle::Zero zero;
    const Plane::State start{0, 0};
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        for (const unsigned nodes : {0U, 1'000U}) {
            INFO(threads << " threads from " << nodes << " nodes");
            const ParallelOptions options{.threads = threads, .serial_nodes = nodes};
            const auto check = [&](const auto& result, Status status) {
                CHECK(result.status == status);
                CHECK(!result.partial_path.empty());
                test::check_path(plane, start, result);
                return result.statistics;
            };
            for (const unsigned most : {0U, 1U, 63U, 64U, 5'000U}) {
                const auto statistics =
                    check(parallel_astar(plane, start, zero, options, {.expansions = most}),
                          Status::expansion_limit);
                CHECK(statistics.expanded <= most);
                CHECK(statistics.expanded + 64 * threads >= most);
            }
            for (const unsigned most : {100'000U, 1'000'000U}) {
                const auto statistics =
                    check(parallel_astar(plane, start, zero, options, {.bytes = most}), Status::memory_limit);
                CHECK(statistics.bytes <= most);
            }
            CHECK(parallel_astar(plane, start, zero, options, {.bytes = 0}).status == Status::memory_limit);
            check(parallel_astar(plane, start, zero, options, {.time = std::chrono::milliseconds(20)}),
                  Status::time_limit);
            std::atomic<int> asked{0};
            check(parallel_astar(plane, start, zero, options, {.stop = [&] { return ++asked > 5; }}),
                  Status::cancelled);
        }
    }
}

TEST_CASE("limits strike in time, also where expansions are slow and where a thread has nothing to do",
          "[parallel]") {
    const auto neighbors = [](int x) {
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
        return std::array{x + 1};
    };
    const auto never = [](int) { return false; };
    std::atomic<int> asked{0};
    const auto begin = std::chrono::steady_clock::now();
    CHECK(parallel_astar(npuzzle::problem_from<int>(neighbors, never), 0, npuzzle::Zero{}, at_once(4),
                         {.time = std::chrono::milliseconds{200}})
              .status == Status::time_limit);
    CHECK(parallel_astar(npuzzle::problem_from<int>(neighbors, never), 0, npuzzle::Zero{}, at_once(4),
                         {.stop = [&] { return ++asked > 20; }})
              .status == Status::cancelled);
    // Without it, 64 expansions would take 1.28 s.
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds{1'200});
}

TEST_CASE("the states of one thread are spread over its node table", "[parallel]") {
    struct Tree { // a state is hashed as its word is
        using State = int;
        [[nodiscard]] std::vector<npuzzle::Edge<int, int>> neighbors(int n) const {
            return {{2 * n + 1, 1}, {2 * n + 2, 2}};
        }
        [[nodiscard]] bool is_goal(int /*n*/) const { return false; }
        [[nodiscard]] std::uint32_t pack(int n) const { return static_cast<std::uint32_t>(n); }
        [[nodiscard]] int unpack(std::uint32_t word) const { return static_cast<int>(word); }
    };
    // Where they are not, this takes half a minute.
    CHECK(parallel_astar(Tree{}, 0, npuzzle::Zero{}, at_once(2),
                         {.expansions = 100'000, .time = std::chrono::seconds{5}})
              .status == Status::expansion_limit);
}

TEST_CASE("a bound on the cost is kept and proved on several threads", "[parallel]") {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto graph = some_graph<int>(seed);
        const auto least = oracle::least_cost<int>(graph, 0);
        for (const int bound : {least.value_or(0) - 1, least.value_or(0)}) {
            INFO("seed " << seed << ", bound " << bound);
            const auto result = parallel_astar(graph, 0, npuzzle::Zero{}, at_once(2), {.max_cost = bound});
            CHECK((!least || result.status == (bound < *least ? Status::cost_limit : Status::solved)));
            test::check_path(graph, 0, result);
        }
    }
    // One beyond the costs that nodes can have proves nothing.
    const Narrow ring(1, 400, 200);
    for (const int bound : {15, 300}) {
        const auto result = parallel_astar(ring, 0, npuzzle::Zero{}, at_once(2), {.max_cost = bound});
        CHECK(result.status == (bound == 15 ? Status::cost_limit : Status::cost_overflow));
    }
}

TEST_CASE("an observer is told of the progress of all threads, on its own", "[parallel]") {
    test::ProgressObserver observer;
    const auto result = parallel_astar(Plane{}, {0, 0}, npuzzle::Zero{}, at_once(2),
                                       {.time = std::chrono::milliseconds(200)}, observer);
    CHECK(result.status == Status::time_limit);
    CHECK(observer.calls > 3);
    CHECK(observer.is_here);
    CHECK(observer.last == result.statistics);
    test::ProgressObserver once;
    CHECK(parallel_astar(Plane{}, {0, 0}, npuzzle::Zero{}, {.threads = 2}, {.expansions = 0}, once).status ==
          Status::expansion_limit);
    CHECK(once.calls == 1);
}

TEST_CASE("what a problem throws on any thread comes out of the call", "[parallel]") {
    struct Throwing : Plane {
        std::shared_ptr<std::atomic<int>> left;
        [[nodiscard]] std::vector<State> neighbors(const State& at) const {
            if (left->fetch_sub(1) == 1) {
                throw std::system_error(std::make_error_code(std::errc::not_supported)); // once
            }
            return Plane::neighbors(at);
        }
    };
    for (const int left : {1, 2, 100, 3'000, 50'000}) {
        for (const unsigned threads : {2U, 8U}) {
            const Throwing problem{{}, std::make_shared<std::atomic<int>>(left)};
            CHECK_THROWS_AS(parallel_astar(problem, {0, 0}, npuzzle::Zero{},
                                           {.threads = threads, .serial_nodes = 200},
                                           {.expansions = 200'000}),
                            std::system_error);
        }
    }
}

TEST_CASE("states that own memory travel between threads", "[parallel]") {
    const std::string start = "a word that is too long to be kept in place: ";
    const auto neighbors = [&](const std::string& word) {
        std::vector<std::string> result{word + 'a', word + 'b'};
        if (word.size() > start.size()) {
            result.push_back(word.substr(0, word.size() - 1));
        }
        return result;
    };
    const std::string goal = start + "abbabaab";
    const auto is_goal = [&](const std::string& word) { return word == goal; };
    const auto result = parallel_astar(npuzzle::problem_from<std::string>(neighbors, is_goal), start,
                                       npuzzle::Zero{}, at_once(3));
    CHECK(result.cost == 8);
    REQUIRE(result.path.size() == 9);
    for (std::size_t i = 0; i < result.path.size(); ++i) {
        CHECK(result.path[i] == goal.substr(0, start.size() + i));
    }
    // Ended while states are on their way, which are destroyed once.
    const auto never = [](const std::string&) { return false; };
    CHECK(parallel_astar(npuzzle::problem_from<std::string>(neighbors, never), start, npuzzle::Zero{},
                         at_once(3), {.expansions = 2'000})
              .status == Status::expansion_limit);
}

TEST_CASE("a heuristic that counts is copied for each thread", "[parallel]") {
    struct Counting {
        int calls = 0;
        int operator()(const Plane::State& at) { return ++calls > 0 ? at[0] + 300 + std::abs(at[1]) : 0; }
    };
    const Plane plane{-300};
    Counting heuristic;
    const auto result = parallel_astar(plane, {0, 0}, heuristic, at_once(3));
    CHECK(result.cost == 300);
}
