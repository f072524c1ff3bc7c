#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/combinators.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/policies.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

// The engine: starts, steps, limits, going on and beginning again.

namespace {

using npuzzle::AStar;
using npuzzle::astar;
using npuzzle::Limits;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SilentObserver;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::WeightedAStar;
using npuzzle::WithoutReopening;
using npuzzle::Zero;
using test::detour;
using test::Graph;
using test::Table;
using namespace std::chrono_literals;
using Compact = test::Compact<test::WithWords<test::WithMoves<test::Ring>>>;

struct EarlyInBatches : npuzzle::DefaultPolicy {
    static constexpr std::size_t batch_width = 8;
    static constexpr bool early_goal_test = true;
};

struct Counter : SilentObserver {
    int expanded = 0;
    void expand(const auto&) { ++expanded; }
};

/// Goes on for ever, from each number to two larger ones.
struct Endless {
    using State = std::uint64_t;
    std::vector<State> neighbors(State x) const { return {2 * x + 1, 2 * x + 2}; }
    bool is_goal(State) const { return false; }
};

/// The same, at 5 ms a step.
struct Slow : Endless {
    std::vector<State> neighbors(State x) const {
        std::this_thread::sleep_for(5ms);
        return Endless::neighbors(x);
    }
};

const SlidingPuzzle<3> puzzle;
const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1}); // one of the two that take 31 moves

/// Batches from the beginning, so that a limit may strike within one.
struct InBatches : npuzzle::DefaultPolicy {
    static constexpr std::size_t batch_width = 4;
};

/// Buckets, words as nodes, and batches.
struct Boards {
    using Search = AStar<SlidingPuzzle<3>, Manhattan, SilentObserver, InBatches>;
    static Search make(npuzzle::limits_t<SlidingPuzzle<3>> limits = {}) {
        return {puzzle, board, Manhattan{}, limits};
    }
};

/// The ladder, and nodes with states, which do not wait. Closed nodes stay closed.
struct WeightedBoards {
    struct Pooled : npuzzle::PooledPolicy {};
    using Search = WeightedAStar<SlidingPuzzle<3>, Manhattan, SilentObserver, double, Pooled>;
    static Search make(npuzzle::limits_t<SlidingPuzzle<3>> limits = {}, double weight = 1.25) {
        return {puzzle, board, Manhattan{}, {.weight = weight}, limits};
    }
};

template <class Test>
const auto& undisturbed() {
    static const auto result = [] {
        auto search = Test::make();
        search.run();
        return search.result();
    }();
    return result;
}

/// A search that was interrupted ends like one that was not.
template <class Test>
void check_goes_on(typename Test::Search& search) {
    CHECK(search.resume());
    search.run();
    test::check_same(search.result(), undisturbed<Test>());
}

} // namespace

TEST_CASE("stepping is the same as running", "[engine]") {
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
        for (const auto& other : {run.result(), astar(graph, 0, Zero{})}) {
            test::check_same(stepped.result(), other);
            CHECK(stepped.result().statistics.bytes == other.statistics.bytes);
        }
    }
}

TEST_CASE("a result before the end says so", "[engine]") {
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

TEST_CASE("a search has as many starts as it is given", "[engine]") {
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
            CHECK(late.statistics().reopened == (steps < 2 ? 0 : 1));
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

TEST_CASE("a start is known again, may be a dead end, or beyond the bound", "[engine]") {
    Graph<int> graph(4);
    graph.connect(0, 1, 3).connect(2, 1, 1).add_goal(1);
    const Table<int> estimates{{{3, std::numeric_limits<int>::max()}, {0, 3}, {2, 1}}};
    AStar engine(graph, 0, estimates, {.max_cost = 2});
    CHECK(engine.statistics().stored == 1);
    CHECK(engine.statistics().peak_open == 0); // beyond the bound
    engine.add_start(3);
    engine.add_start(0);
    CHECK(engine.statistics().stored == 2);
    engine.add_start(2);
    CHECK(engine.run() == Status::solved);
    engine.add_start(0); // has no effect any more
    CHECK(engine.result().path == std::vector{2, 1});
}

TEST_CASE("an engine is made of what it is given", "[engine]") {
    const auto graph = detour();
    const Table<int> lvalue;
    Counter counter;
    AStar by_value(graph, 0, Table<int>{});
    AStar by_reference(graph, 0, lvalue);
    AStar observed(graph, 0, lvalue, npuzzle::Limits{.expansions = 2}, counter);
    STATIC_REQUIRE(std::same_as<decltype(by_value), AStar<Graph<int>, Table<int>>>);
    STATIC_REQUIRE(std::same_as<decltype(by_reference), AStar<Graph<int>, const Table<int>&>>);
    STATIC_REQUIRE(std::same_as<decltype(observed), AStar<Graph<int>, const Table<int>&, Counter&>>);
    STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<decltype(by_value)>);
    CHECK(by_value.run() == Status::solved);
    CHECK(by_reference.run() == Status::solved);
    CHECK(observed.run() == Status::expansion_limit);
    CHECK(counter.expanded == 2);
}

TEMPLATE_TEST_CASE("an engine that begins again finds what a new one finds", "[engine]", test::HeapAndPooled,
                   test::BucketsAndPooled<4>, test::BucketsAndPacked<16>, test::BucketsAndIndexed<>) {
    using Problem = test::WithIndex<Compact>;
    using Engine = AStar<Problem, Zero, SilentObserver, TestType>;
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
            test::check_same(again, fresh.result());
            limited += again.status == Status::expansion_limit ? 1 : 0;
        }
        if (round == 1) {
            bytes = engine.statistics().bytes;
        }
    }
    CHECK(limited > 0);
    CHECK(engine.statistics().bytes == bytes); // The third round needed nothing that the second had not.
}

TEST_CASE("goals and estimates may change between two searches of an engine", "[engine]") {
    Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(2, 3, 1).connect(0, 3, 9).add_goal(2);
    Table<int> estimates{{{0, 2}, {1, 1}}};
    AStar engine(graph, 0, estimates); // refers to both
    engine.run();
    CHECK(engine.result().path == std::vector{0, 1, 2});
    graph.goals = {false, false, false, true};
    estimates.values = {{0, 3}, {1, std::numeric_limits<int>::max()}, {2, 1}};
    engine.restart(0);
    engine.run();
    CHECK(engine.result().path == std::vector{0, 3}); // not through 1, which the new estimates rule out
    estimates.values = {{0, 3}, {1, 2}, {2, 1}};
    engine.restart(0);
    engine.run();
    CHECK(engine.result().path == std::vector{0, 1, 2, 3});
    // A temporary is the engine's own, and does not follow.
    AStar owner(graph, 0, Table<int>(estimates));
    estimates.values = {{1, std::numeric_limits<int>::max()}};
    owner.restart(0);
    CHECK(owner.run() == Status::solved);
}

TEST_CASE("a bound on the cost holds for each search of an engine that is used again", "[engine]") {
    Graph<int> graph(3);
    graph.connect(0, 1, 4).connect(1, 2, 4).add_goal(2);
    AStar engine(graph, 0, Zero{}, {.max_cost = 4});
    CHECK(engine.run() == Status::cost_limit);
    engine.restart(1);
    CHECK(engine.run() == Status::solved);
    engine.restart(0);
    CHECK(engine.run() == Status::cost_limit);
    CHECK(engine.result().path.empty());
}

TEST_CASE("a bound that bars only detours is no reason why there is no solution", "[engine]") {
    test::WithMoves<test::Ring> ring(1, 300, -1); // without a goal
    for (auto& row : ring.costs) {
        std::replace_if(row.begin(), row.end(), [](int cost) { return cost > 1; }, 1);
        std::replace(row.begin(), row.end(), 0, 1);
    }
    int farthest = 0;
    for (const auto& [vertex, cost] : oracle::costs_from<int>(ring, 0)) {
        farthest = std::max(farthest, cost);
    }
    CHECK(astar(ring, 0, Zero{}, {.max_cost = farthest}).status == Status::unsolvable);
    CHECK(astar(ring, 0, Zero{}, {.max_cost = farthest - 1}).status == Status::cost_limit);
}

TEST_CASE("where a limit strikes, the path goes to what looks nearest to a goal", "[engine]") {
    Graph<int> chain(50);
    for (int vertex = 0; vertex + 1 < 50; ++vertex) {
        chain.connect(vertex, vertex + 1, 2);
    }
    chain.add_goal(49);
    const auto left = [](int vertex) { return 2 * (49 - vertex); };
    for (std::uint64_t limit = 0; limit < 49; ++limit) {
        const auto result = astar(chain, 0, left, {.expansions = limit});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.path.empty());
        CHECK(result.partial_path.size() == limit + 1);
        CHECK(result.partial_path.back() == static_cast<int>(limit));
        CHECK(result.cost == 2 * static_cast<int>(limit));
    }
}

TEST_CASE(
    "where a limit strikes a search without a heuristic, the path goes to the state of the greatest cost",
    "[engine]") {
    Graph<int> graph(6);
    graph.connect(0, 1, 1).connect(0, 2, 5).connect(1, 3, 2).connect(3, 4, 9).connect(4, 5, 9).add_goal(5);
    const auto result = astar(graph, 0, Zero{}, {.expansions = 3});
    CHECK(result.status == Status::expansion_limit);
    CHECK(result.path.empty());
    CHECK(result.partial_path == std::vector{0, 2}); // taken up fourth
    CHECK(result.cost == 5);
    const auto in_words = astar<npuzzle::DefaultPolicy>(graph, 0, Zero{}, {.expansions = 2});
    CHECK(in_words.partial_path == std::vector{0, 1, 3});
    CHECK(astar<npuzzle::ParentOnly>(graph, 0, Zero{}, {.expansions = 2}).partial_path.empty());
}

TEST_CASE("an engine that opens nothing again expands each state once, and may miss the least cost",
          "[engine]") {
    // From 0 to 3 the cheap way is by 1 and 2, but 1 looks dear.
    Graph<int> graph(5);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(0, 2, 3).connect(2, 3, 1).connect(3, 4, 10).add_goal(4);
    const Table<int> table{{{1, 10}}};
    const auto best = astar(graph, 0, table);
    CHECK(best.cost == 13);
    CHECK(best.statistics.reopened > 0);
    const auto once = astar<WithoutReopening>(graph, 0, table);
    CHECK(once.cost == 14);
    CHECK(once.statistics.reopened == 0);
    CHECK(once.statistics.expanded == 4);
    test::check_path(graph, 0, once);
}

TEST_CASE("an engine that stops early ends at the first goal generated", "[engine]") {
    Graph<int> graph(4);
    graph.connect(0, 3, 9).connect(0, 1, 1).connect(1, 3, 1).add_goal(3);
    using Early = npuzzle::EarlyGoalTest;
    const auto result = astar<Early>(graph, 0, Zero{});
    CHECK(result.status == Status::solved);
    CHECK(result.cost == 9);
    CHECK(result.statistics.expanded == 1);
    CHECK(astar<Early>(graph, 3, Zero{}).path == std::vector{3});
    CHECK(astar(graph, 0, Zero{}).cost == 2);
}

TEST_CASE("batches of an engine that stops early lose nothing", "[engine]") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const test::WithWords<test::WithMoves<test::Ring>> ring(seed, 500, 250);
        const auto result = astar<EarlyInBatches>(ring, 0, Zero{});
        test::check_path(ring, 0, result);
        CHECK(result.status == astar(ring, 0, Zero{}).status);
    }
}

TEST_CASE("the limit of expansions is exact, under each policy", "[limits]") {
    const auto graph = test::random_graph<int>(11, 50, 150, 1);
    std::map<std::string, std::uint64_t> need; // policies differ in the order of equal f
    test::with_each_policy(graph, 0, Zero{}, [&](const std::string& name, const auto& whole) {
        REQUIRE(whole.status == Status::solved);
        REQUIRE(whole.statistics.expanded > 10);
        need[name] = whole.statistics.expanded;
    });
    for (std::uint64_t limit = 0; limit < 55; ++limit) {
        test::with_each_policy(
            graph, 0, Zero{},
            [&](const std::string& name, const auto& result) {
                INFO(name << ", limit " << limit << " of " << need[name]);
                test::check_path(graph, 0, result);
                CHECK(result.statistics.expanded == std::min(limit, need[name]));
                CHECK(result.statistics.stored >= 1);
                // At `need`, too, it is solved: a goal that is next is accepted.
                CHECK(result.status == (limit < need[name] ? Status::expansion_limit : Status::solved));
            },
            Limits{.expansions = limit});
    }
    Graph<int> line(3);
    line.connect(0, 1, 1).connect(1, 2, 1);
    CHECK(astar(line, 0, Zero{}, {.expansions = 2}).status == Status::expansion_limit);
    CHECK(astar(line, 0, Zero{}, {.expansions = 3}).status == Status::unsolvable);
}

TEST_CASE("no more bytes are used than the limit, under each policy", "[limits]") {
    const Compact ring(3, 3000, 1500);
    std::map<std::string, npuzzle::Statistics> whole;
    std::vector<std::uint64_t> limits{0, 1};
    test::with_each_policy(ring, 0, Zero{}, [&](const std::string& name, const auto& result) {
        REQUIRE(result.status == Status::solved);
        whole[name] = result.statistics;
        const std::uint64_t need = result.statistics.bytes;
        limits.insert(limits.end(), {need / 64, need / 4, need / 2, need - 1, need, need + 1});
    });
    CHECK(whole.size() == 7);
    for (const std::uint64_t limit : limits) {
        test::with_each_policy(
            ring, 0, Zero{},
            [&](const std::string& name, const auto& result) {
                const std::uint64_t need = whole[name].bytes;
                INFO(name << ", limit " << limit << " of " << need);
                CHECK(result.statistics.bytes <= limit);
                CHECK(result.status == (limit < need ? Status::memory_limit : Status::solved));
                CHECK(result.path.empty() == (limit < need));
                CHECK(result.statistics.expanded <= whole[name].expanded);
            },
            Limits{.bytes = limit});
    }
}

TEST_CASE("time is limited", "[limits]") {
    const auto at_once = astar(Endless{}, 0, Zero{}, {.time = 0s});
    CHECK(at_once.status == Status::time_limit);
    CHECK(at_once.statistics.expanded == 0);

    const auto started = std::chrono::steady_clock::now();
    const auto result = astar(Endless{}, 0, Zero{}, {.bytes = 2'000'000'000, .time = 30ms});
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    CHECK(result.status == Status::time_limit);
    CHECK(result.statistics.expanded > 0);
    CHECK(result.statistics.seconds >= 0.03);
    CHECK(result.statistics.seconds <= elapsed.count());
    CHECK(elapsed.count() < 10); // A few milliseconds more, on a machine that has nothing else to do.

    const auto slow = astar(Slow{}, 0, Zero{}, {.time = 40ms});
    CHECK(slow.status == Status::time_limit);
    CHECK(slow.statistics.expanded < 40);

    CHECK(astar(Endless{}, 0, Zero{}, {.expansions = 1000, .time = 1h}).status == Status::expansion_limit);
}

TEST_CASE("a goal that is next is accepted, whatever the limit", "[limits]") {
    Graph<int> graph(2);
    graph.connect(0, 1, 1).add_goal(1);
    npuzzle::StopSource source;
    source.request_stop();
    CHECK(astar(graph, 1, Zero{}, {.expansions = 0}).status == Status::solved);
    CHECK(astar(graph, 1, Zero{}, {.time = 0s}).status == Status::solved);
    CHECK(astar(graph, 1, Zero{}, {.stop = source.get_token()}).status == Status::solved);
    CHECK(astar(graph, 0, Zero{}, {.stop = source.get_token()}).status == Status::cancelled);
}

TEST_CASE("a search is cancelled before it starts, and by another thread", "[limits]") {
    npuzzle::StopSource source;
    source.request_stop();
    const auto at_once = astar(Endless{}, 0, Zero{}, {.stop = source.get_token()});
    CHECK(at_once.status == Status::cancelled);
    CHECK(at_once.statistics.expanded == 0);
    CHECK(at_once.statistics.stored == 1);
    npuzzle::StopSource later;
    std::thread other([&] {
        std::this_thread::sleep_for(20ms);
        later.request_stop();
    });
    const auto result = astar(Slow{}, 0, Zero{}, {.time = 30s, .stop = later.get_token()});
    other.join();
    CHECK(result.status == Status::cancelled);
    CHECK(result.statistics.seconds < 10);
}

TEMPLATE_TEST_CASE("a search that a limit ended at any moment goes on as if it had not", "[resume]", Boards,
                   WeightedBoards) {
    const auto& expected = undisturbed<TestType>();
    REQUIRE(expected.status == Status::solved);
    const std::uint64_t all = expected.statistics.expanded;
    REQUIRE(all > 500);
    std::vector<std::uint64_t> moments{0, 1, 2, 3, 5, 6, 10, 65, 1'000, all - 1, all};
    for (std::uint64_t at = 128; at < all; at += all / 6) {
        moments.push_back(at);
    }
    for (const std::uint64_t at : moments) {
        auto search = TestType::make({.expansions = at});
        search.run();
        if (search.status() == Status::solved) { // A goal that is next is accepted.
            CHECK(at == all);
            continue;
        }
        CHECK(search.status() == Status::expansion_limit);
        check_goes_on<TestType>(search);
    }
}

TEMPLATE_TEST_CASE("a search goes on after each of many limits", "[resume]", Boards, WeightedBoards) {
    auto search = TestType::make({.expansions = 0});
    std::uint64_t at = 0;
    for (; search.run() == Status::expansion_limit; at += 397) {
        CHECK(search.result().partial_path.size() > (at > 0 ? 1U : 0U));
        search.resume({.expansions = at + 397});
    }
    test::check_same(search.result(), undisturbed<TestType>());
}

TEST_CASE("a search goes on after a stop and after its time limit, by runs or by steps", "[resume]") {
    std::uint64_t asked = 0;
    auto stopped = Boards::make({.stop = [&asked] { return ++asked == 5; }});
    CHECK(stopped.run() == Status::cancelled);
    check_goes_on<Boards>(stopped);
    auto late = Boards::make({.time = std::chrono::nanoseconds{0}});
    CHECK(late.run() == Status::time_limit);
    check_goes_on<Boards>(late);
    auto mixed = Boards::make({.expansions = 1'001});
    mixed.run();
    CHECK(mixed.resume());
    while (mixed.step()) {
    }
    CHECK(mixed.result().cost == 31);
}

TEST_CASE("a batch does not come before the node at which a step met a limit", "[resume]") {
    Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(0, 2, 3).connect(1, 3, 1).connect(2, 3, 1).add_goal(3);
    AStar<Graph<int>, Zero, SilentObserver, test::BucketsAndPooled<4>> search(graph, 0, Zero{},
                                                                              {.expansions = 1});
    while (search.step()) {
    }
    CHECK(search.resume());
    search.run();
    CHECK(search.result().cost == 2); // by 1, which waits; by 2 it is 4
}

TEST_CASE("a search that is over, or has no memory, does not go on", "[resume]") {
    auto search = Boards::make();
    search.run();
    CHECK_FALSE(search.resume());
    CHECK(search.status() == Status::solved);
    auto cramped = Boards::make({.bytes = 100'000});
    CHECK(cramped.run() == Status::memory_limit);
    CHECK_FALSE(cramped.resume());
    CHECK(cramped.status() == Status::memory_limit);
}
