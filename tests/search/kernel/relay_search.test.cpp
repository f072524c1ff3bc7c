#include <npuzzle/search/kernel/relay_search.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace {

using npuzzle::Status;
using npuzzle::detail::steps_up;

/// The numbers, each beside its neighbors.
struct Line {
    using State = int;
    static constexpr bool is_undirected = true;
    std::vector<int> neighbors(int x) const { return {x - 1, x + 1}; }
    bool is_goal(int x) const { return x == 40; }
    int goal() const { return 40; }
};

using Distance = int (*)(int);
using Estimates = npuzzle::detail::Estimator<Distance, Line>;

} // namespace

TEST_CASE("a bound rises by whole steps", "[relay_search]") {
    CHECK(steps_up(2) == 2);
    CHECK(steps_up(2U) == 2);
    CHECK(steps_up(2.0) == 2);
    CHECK(steps_up(1.25) == 2);
    CHECK(steps_up(1e-9) == 1);
    CHECK(steps_up(1e300) == std::numeric_limits<int>::max());
    CHECK(steps_up(std::uint64_t{1} << 40) == std::numeric_limits<int>::max());
}

TEST_CASE("states of several depths begin a search, and their numbers go on", "[relay_search]") {
    const Line line;
    npuzzle::SilentObserver observer;
    npuzzle::MemoryBudget budget;
    npuzzle::Statistics statistics;
    npuzzle::detail::LimitMonitor monitor(npuzzle::Limits{});
    Distance distance = [](int x) { return x < 40 ? 40 - x : x - 40; };
    npuzzle::detail::RelaySearch<Line, npuzzle::SilentObserver, Estimates> search(
        line, observer, monitor, budget, statistics, Estimates(distance));
    search.start(-1, 12);
    search.add_start(29, 7);      // 11 steps from the goal
    search.add_start(20, 8);      // too far
    search.add_start(53, 65'545); // 13 steps, and beyond the bound by one
    CHECK(search.layers().excess() == 1);
    REQUIRE(search.advance());
    CHECK(search.layers().layers().current_size() == 1);
    for (;;) {
        const Status status = search.expand(16, [&](int x) { return line.is_goal(x); });
        if (status == Status::solved) {
            break;
        }
        if (status == Status::unsolvable) {
            REQUIRE(search.advance());
        }
    }
    CHECK(search.end() == 40);
    CHECK(search.ancestor() == 7);
    CHECK(search.depth() == 10);
}

TEST_CASE("a path by its parts", "[relay_search]") {
    const Line line;
    const npuzzle::detail::LimitMonitor monitor(npuzzle::Limits{});
    Distance distance = [](int x) { return x < 40 ? 40 - x : x - 40; };
    const auto find = [&](int from, std::uint64_t bytes) {
        npuzzle::detail::PathByRelays<Line, Estimates> search(line, monitor, bytes, {}, Estimates(distance));
        std::vector<int> path;
        const Status status = search.append(from, nullptr, 40 - from, 40 - from, path);
        CHECK(status == Status::solved);
        return path;
    };
    std::vector<int> expected;
    for (int x = 39; x >= 0; --x) {
        expected.insert(expected.begin(), x);
        CHECK(find(x, npuzzle::Limits::unlimited) == expected);
    }
    CHECK_THROWS_AS(find(0, 10), std::bad_alloc);
}
