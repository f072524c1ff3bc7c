#include <npuzzle/maps.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/open_list/heap.hpp>
#include <npuzzle/search/path_finder.hpp>

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using npuzzle::GridMap;
using npuzzle::JumpPoints;
using npuzzle::OctileDistance;
using npuzzle::PathFinder;
using npuzzle::Status;
using npuzzle::Zero;
using test::Random;

/// Random queries, many of them under a limit, beside the plain call and, without a limit, Dijkstra's
/// algorithm on `steps`.
template <class P, class S, class H>
void compare(const P& problem, const S& steps, const H& heuristic, std::uint64_t seed, int queries) {
    using State = typename P::State;
    using Cost = npuzzle::cost_t<P>;
    Random random(seed);
    PathFinder finder(problem, heuristic);
    std::map<State, std::map<State, Cost>> costs;
    std::map<Status, int> ends;
    for (int query = 0; query < queries; ++query) {
        INFO("seed " << seed << ", query " << query);
        const auto any = [&] { return static_cast<State>(random.below(problem.size())); };
        const State start = static_cast<State>(random.below(8) * 7 % problem.size());
        const State goal = random.one_in(10) ? start : any();
        npuzzle::limits_t<P> limits;
        if (random.one_in(4)) limits.expansions = random.below(40);
        if (random.one_in(4)) limits.max_cost = static_cast<Cost>(random.below(60));
        if (random.one_in(8)) limits.bytes = random.below(20'000);
        const auto found = finder.find(start, goal, limits);
        const auto plain = npuzzle::astar(problem.with_goal(goal), start, heuristic, limits);
        ++ends[plain.status];
        if (plain.status == Status::memory_limit) { // What was kept may have sufficed.
            CHECK((found.status == Status::memory_limit ||
                   found.statistics.expanded >= plain.statistics.expanded));
        } else {
            test::check_same(found, plain);
        }
        if (limits.bytes != npuzzle::Limits::unlimited) CHECK(found.statistics.bytes <= limits.bytes);
        if (found.status == Status::solved || found.status == Status::unsolvable) {
            if (!costs.contains(start)) costs[start] = oracle::costs_from<Cost>(steps, start);
            const auto least = costs[start].find(goal);
            REQUIRE(bool(found) == (least != costs[start].end()));
            if (found) CHECK(std::abs(static_cast<double>(found.cost - least->second)) < 1e-9);
        }
    }
    for (const Status each :
         {Status::solved, Status::expansion_limit, Status::cost_limit, Status::memory_limit}) {
        CHECK(ends[each] > 0);
    }
}

template <class Cost>
GridMap<Cost> random_map(std::uint64_t seed, int width, int height) {
    Random random(seed);
    return GridMap<Cost>(width, height, [&](int, int) { return !random.one_in(4); });
}

/// Arcs that cost at least the distance of their ends on a line.
std::vector<npuzzle::Arc<double>> random_roads(std::uint64_t seed, std::uint32_t count) {
    Random random(seed);
    std::vector<npuzzle::Arc<double>> arcs;
    for (std::uint32_t i = 0; i < 3 * count; ++i) {
        const auto from = static_cast<std::uint32_t>(random.below(count));
        const auto to = static_cast<std::uint32_t>(random.below(count));
        arcs.push_back({from, to, std::abs(double(from) - double(to)) * (1 + double(random.below(4)) / 4)});
    }
    return arcs;
}

std::vector<npuzzle::Point> on_a_line(std::uint32_t count) {
    std::vector<npuzzle::Point> points;
    for (std::uint32_t i = 0; i < count; ++i) points.push_back({double(i), 0});
    return points;
}

} // namespace

TEST_CASE("queries on maps find what plain calls and Dijkstra's algorithm find", "[finder]") {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const auto real = random_map<double>(seed, 23, 17);
        compare(real, real, OctileDistance{}, seed, 800);
        const auto whole = random_map<int>(seed, 40, 25);
        compare(JumpPoints(whole), whole, OctileDistance{}, seed, 800);
        const npuzzle::Graph<> graph(on_a_line(300), random_roads(seed, 300));
        compare(graph, graph, npuzzle::EuclideanDistance{}, seed, 600);
    }
}

TEST_CASE("the heuristic of a puzzle follows the goal of each query", "[finder]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    PathFinder finder(puzzle, npuzzle::Manhattan{});
    Random random(5);
    const auto shuffled = [&] {
        auto board = puzzle.goal();
        for (int i = 0; i < 40; ++i) {
            const auto neighbors = puzzle.neighbors(board);
            board = *(neighbors.begin() + static_cast<int>(random.below(neighbors.size())));
        }
        return board;
    };
    for (int query = 0; query < 100; ++query) {
        const auto start = shuffled();
        const auto goal = shuffled();
        const auto found = finder.find(start, goal);
        const auto plain = npuzzle::astar(puzzle.with_goal(goal), start, npuzzle::Manhattan{});
        test::check_same(found, plain);
    }
}

namespace {

/// Places on a road, whose steps may change. It cannot be assigned, and its states are hashed.
struct Road {
    using State = std::array<int, 1>;
    const std::vector<int>& costs; ///< of the step from each place to the next one, both ways
    const State end;

    std::vector<npuzzle::Edge<State, int>> neighbors(const State& state) const {
        std::vector<npuzzle::Edge<State, int>> result;
        const auto [place] = state;
        if (place > 0) result.push_back({{place - 1}, costs[static_cast<std::size_t>(place) - 1]});
        if (place < static_cast<int>(costs.size())) {
            result.push_back({{place + 1}, costs[static_cast<std::size_t>(place)]});
        }
        return result;
    }
    bool is_goal(const State& state) const { return state == end; }
    State goal() const { return end; }
    Road with_goal(const State& state) const { return {costs, state}; }
};
static_assert(!std::is_move_assignable_v<Road>);

struct Line {
    using State = std::uint64_t;
    State end = 0;

    std::array<State, 2> neighbors(State at) const { return {at == 0 ? 0 : at - 1, at + 1}; }
    bool is_goal(State at) const { return at == end; }
    State goal() const { return end; }
    Line with_goal(State to) const { return {to}; }
    std::size_t size() const { return std::size_t{1} << 24; }
    std::size_t index(State at) const { return at; }
    State state_at(std::size_t number) const { return number; }
};

struct Throwing : npuzzle::SilentObserver {
    int left = 0;
    void expand(const auto&) {
        if (left-- == 0) throw std::runtime_error("the observer");
    }
};

/// What it is bound to could be bound again.
struct Steps {
    static constexpr bool is_consistent = true;
    int goal = -1'000'000;

    Steps bind(const Road& road) const { return {road.goal()[0]}; }
    int operator()(const Road::State& state) const { return std::abs(state[0] - goal); }
};

} // namespace

TEST_CASE("steps and a heuristic passed as an lvalue may change between queries", "[finder]") {
    std::vector<int> costs(30, 1);
    int goal = 0;
    const auto distance = [&](const Road::State& state) { return std::abs(state[0] - goal); };
    PathFinder finder(Road{costs, {0}}, distance);
    PathFinder bound(Road{costs, {0}}, Steps{});
    Random random(8);
    for (int query = 0; query < 500; ++query) {
        costs[random.below(30)] = random.between(1, 4);
        const int start = random.between(0, 30);
        goal = random.between(0, 30);
        int cost = 0;
        for (int i = (std::min)(start, goal); i < (std::max)(start, goal); ++i) cost += costs[std::size_t(i)];
        for (const auto& found : {finder.find({start}, {goal}), bound.find({start}, {goal})}) {
            CHECK(found.cost == cost);
            CHECK(found.path.size() == static_cast<std::size_t>(std::abs(start - goal)) + 1);
            CHECK(found.statistics.contract_violations == 0);
        }
        test::check_same(bound.find({start}, {goal}), npuzzle::astar(Road{costs, {goal}}, {start}, Steps{}));
    }
}

TEST_CASE("a query after an exception is like any other", "[finder]") {
    const auto map = random_map<int>(3, 30, 30);
    int calls = std::numeric_limits<int>::max();
    bool is_memory = false;
    const auto heuristic = [&](std::uint32_t) {
        if (--calls > 0) return 0;
        if (is_memory) throw std::bad_alloc();
        throw std::runtime_error("the heuristic");
    };
    PathFinder finder(map, heuristic);
    Random random(4);
    const auto any = [&] { return static_cast<std::uint32_t>(random.below(map.size())); };
    int thrown = 0;
    for (int query = 0; query < 600; ++query) {
        const auto start = any();
        const auto goal = any();
        calls = random.between(1, 300);
        is_memory = random.one_in(3);
        try {
            const auto found = finder.find(start, goal);
            CHECK((calls > 0 || found.status == Status::memory_limit));
        } catch (const std::runtime_error&) {
            CHECK_FALSE(is_memory);
            ++thrown;
        }
        calls = std::numeric_limits<int>::max();
        try {
            Throwing observer;
            const int most = observer.left = random.between(0, 300);
            const auto watched = finder.find(start, goal, {}, observer);
            CHECK(watched.statistics.expanded == static_cast<std::uint64_t>(most - observer.left));
        } catch (const std::runtime_error&) {
            ++thrown;
        }
        const auto zero = [](std::uint32_t) { return 0; };
        test::check_same(finder.find(start, goal), npuzzle::astar(map.with_goal(goal), start, zero));
    }
    CHECK(thrown > 100);
}

TEST_CASE("a query that is refused leaves the next one alone", "[finder]") {
    const GridMap<> map("....\n....\n");
    PathFinder finder(map, OctileDistance{});
    for (int i = 0; i < 2; ++i) { // before the first query, and after one
        CHECK_THROWS_AS(finder.find(0, 8), std::invalid_argument);
        CHECK_THROWS_AS(finder.find(8, 0), std::invalid_argument);
        CHECK_THROWS_AS(finder.find(0, 3, {.max_cost = std::nan("")}), std::invalid_argument);
        CHECK(finder.find(0, 3).cost == 3);
    }
    std::atomic<bool> stop = true;
    CHECK(finder.find(0, 3, {.stop = stop}).status == Status::cancelled);
    CHECK(finder.find(0, 3).path.size() == 4);

    PathFinder line(Line{});
    npuzzle::SilentObserver silent;
    CHECK_THROWS_AS(line.find(0, Line{}.size()), std::invalid_argument);
    CHECK_THROWS_AS(line.find(0, Line{}.size(), {}, silent), std::invalid_argument);
    CHECK(line.find(0, 3).cost == 3);
}

TEST_CASE("a query without memory gives up what the finder kept, and so does one with fewer bytes",
          "[finder]") {
    const GridMap<int> map(300, 300, [](int, int) { return true; });
    PathFinder finder(map, Zero{});
    const auto far = static_cast<std::uint32_t>(map.size() - 1);
    const auto all = finder.find(0, far);
    CHECK(all.cost == 299 * 7);
    const auto few = finder.find(0, 1, {.bytes = all.statistics.bytes / 2});
    CHECK(few.status == Status::solved);
    CHECK(few.statistics.bytes <= all.statistics.bytes / 2);
    test::memory.arm(1, true);
    const auto none = finder.find(0, far);
    test::memory.disarm();
    CHECK(none.status == Status::memory_limit);
    CHECK(finder.find(0, far).cost == 299 * 7);
}

TEST_CASE("a policy can be named, and a copy has memory of its own", "[finder]") {
    const auto map = random_map<double>(1, 50, 50);
    const PathFinder first(npuzzle::HeapPolicy{}, map, OctileDistance{});
    static_assert(
        std::is_same_v<decltype(first), const PathFinder<GridMap<>, OctileDistance, npuzzle::HeapPolicy>>);
    std::vector finders(3, first);
    Random random(2);
    for (int query = 0; query < 300; ++query) {
        const auto start = static_cast<std::uint32_t>(random.below(map.size()));
        const auto goal = static_cast<std::uint32_t>(random.below(map.size()));
        test::check_same(finders[random.below(3)].find(start, goal),
                         npuzzle::astar<npuzzle::HeapPolicy>(map.with_goal(goal), start, OctileDistance{}));
    }
    PathFinder uninformed(map);
    static_assert(std::is_same_v<decltype(uninformed), PathFinder<GridMap<>, Zero>>);
    test::check_same(uninformed.find(0, 2499), npuzzle::astar(map.with_goal(2499), 0, Zero{}));
}

TEST_CASE("a query costs what it expands, whatever the size of the map", "[finder]") {
    std::array<std::uint64_t, 2> allocations{};
    std::array<std::uint64_t, 2> bytes{};
    for (const bool is_large : {false, true}) {
        const int side = is_large ? 1000 : 8;
        const GridMap<> map(side, side, [](int, int) { return true; });
        PathFinder finder(map, OctileDistance{});
        const auto first = finder.find(9, 9);
        const std::uint64_t held = test::memory.bytes;
        test::memory.arm(test::Memory::never);
        for (std::uint32_t start = 0; start < 64; ++start) {
            const auto result = finder.find(start, start);
            CHECK(result.path == std::vector{start});
            CHECK(result.statistics.bytes == first.statistics.bytes);
        }
        allocations[is_large] = test::memory.allocations;
        bytes[is_large] = test::memory.bytes - held;
    }
    CHECK(allocations[0] == allocations[1]);
    CHECK(bytes[0] == 0);
    CHECK(bytes[1] == 0);
    const GridMap<> map(1000, 1000, [](int, int) { return true; });
    CHECK(npuzzle::astar(map.with_goal(9), 9, OctileDistance{}).statistics.bytes < map.size() / 20);

    PathFinder finder{Line{}};
    CHECK(finder.find(1, 5000).cost == 4999); // From here on it has an index of all states.
    std::uint64_t expanded = 0;
    for (int query = 1; query <= 5000; ++query) { // To clear the index each time would take half a minute.
        const std::uint64_t start = Line{}.size() / 5001 * static_cast<std::uint64_t>(query);
        expanded += finder.find(start, start + 2).statistics.expanded;
    }
    CHECK(expanded < 5000 * 5);
}
