#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/kernel/limit_monitor.hpp>
#include <npuzzle/search/memory/budget.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <thread>
#include <type_traits>
#include <vector>

// Searches under limits are in astar_limits.test.cpp.

namespace {

using npuzzle::BudgetAllocator;
using npuzzle::Limits;
using npuzzle::MemoryBudget;
using npuzzle::Status;
using npuzzle::detail::LimitMonitor;

static_assert(!std::is_copy_constructible_v<MemoryBudget> && !std::is_copy_assignable_v<MemoryBudget>);

} // namespace

TEST_CASE("by default there are no limits", "[limits]") {
    const Limits limits;
    CHECK(limits.expansions == Limits::unlimited);
    CHECK(limits.bytes == Limits::unlimited);
    CHECK(limits.time == std::chrono::nanoseconds::max());
    CHECK_FALSE(limits.stop.stop_possible());
    const Limits some{.expansions = 1'000'000, .time = std::chrono::seconds{5}};
    CHECK(some.expansions == 1'000'000);
    CHECK(some.bytes == Limits::unlimited);
}

TEST_CASE("a budget counts, and refuses what is beyond its limit", "[limits]") {
    MemoryBudget budget(100);
    budget.acquire(60);
    budget.acquire(40);
    CHECK(budget.used() == 100);
    CHECK_THROWS_AS(budget.acquire(1), std::bad_alloc);
    CHECK_THROWS_AS(budget.acquire(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
    CHECK(budget.used() == 100);
    budget.acquire(0);
    budget.release(60);
    CHECK(budget.used() == 40);
    CHECK(budget.peak() == 100);
    CHECK_THROWS_AS(budget.acquire(61), std::bad_alloc);
    budget.acquire(60);
    CHECK(budget.peak() == 100);

    MemoryBudget none(0);
    CHECK_THROWS_AS(none.acquire(1), std::bad_alloc);
    CHECK(none.peak() == 0);

    MemoryBudget unlimited;
    unlimited.acquire(std::numeric_limits<std::size_t>::max());
    CHECK_THROWS_AS(unlimited.acquire(1), std::bad_alloc);
}

TEST_CASE("an allocator is on a budget", "[limits]") {
    MemoryBudget budget(1000);
    {
        std::vector<std::uint32_t, BudgetAllocator<std::uint32_t>> values{
            BudgetAllocator<std::uint32_t>(budget)};
        values.reserve(100);
        CHECK(budget.used() == 400);
        values.resize(100);
        CHECK_THROWS_AS(values.reserve(200), std::bad_alloc); // Old and new storage at one time.
        CHECK(values.size() == 100);
        CHECK(budget.used() == 400);
        values.reserve(150);
        CHECK(budget.used() == 600);
        CHECK(budget.peak() == 1000);
    }
    CHECK(budget.used() == 0);

    BudgetAllocator<std::uint64_t> allocator(budget);
    CHECK_THROWS_AS(allocator.allocate(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
    CHECK(budget.used() == 0);

    MemoryBudget other(1000);
    CHECK(allocator == BudgetAllocator<char>(budget));
    CHECK(allocator == BudgetAllocator<char>(allocator));
    CHECK(allocator != BudgetAllocator<std::uint64_t>(other));
}

TEST_CASE("a monitor counts expansions exactly", "[limits]") {
    for (const std::uint64_t limit : {0U, 1U, 2U, 3U, 100U, 5000U}) {
        LimitMonitor monitor({.expansions = limit});
        std::uint64_t expanded = 0;
        for (;; ++expanded) {
            if (monitor.is_due(expanded) && monitor.check(expanded) != Status::running) {
                break;
            }
            REQUIRE(expanded < limit);
        }
        CHECK(expanded == limit);
        CHECK(monitor.check(expanded) == Status::expansion_limit);
    }
}

TEST_CASE("a monitor is seldom due", "[limits]") {
    LimitMonitor monitor(Limits{});
    std::uint64_t checks = 0;
    for (std::uint64_t expanded = 0; expanded < 10'000'000; ++expanded) {
        if (monitor.is_due(expanded)) {
            ++checks;
            REQUIRE(monitor.check(expanded) == Status::running);
        }
    }
    CHECK(checks >= 10'000'000 / 65'536);
    CHECK(checks < 10'000);
}

TEST_CASE("a monitor sees that a stop was requested", "[limits]") {
    npuzzle::StopSource source;
    LimitMonitor monitor({.stop = source.get_token()});
    CHECK(monitor.check(0) == Status::running);
    source.request_stop();
    CHECK(monitor.check(1) == Status::cancelled);
}

TEST_CASE("a monitor sees that time has passed", "[limits]") {
    using namespace std::chrono_literals;
    LimitMonitor none({.time = 0ns});
    CHECK(none.check(0) == Status::time_limit);
    LimitMonitor negative({.time = -1s});
    CHECK(negative.check(0) == Status::time_limit);

    LimitMonitor monitor({.time = 20ms});
    std::this_thread::sleep_for(25ms);
    CHECK(monitor.check(0) == Status::time_limit);
    CHECK(monitor.seconds() >= 0.025);

    LimitMonitor ample({.time = 1h});
    CHECK(ample.check(0) == Status::running);
    CHECK(ample.seconds() >= 0);
}

TEST_CASE("a monitor of slow expansions is due often", "[limits]") {
    using namespace std::chrono_literals;
    // As if expansions took no time at first, and then 10 ms each: that is noticed before long.
    LimitMonitor monitor(Limits{});
    std::uint64_t expanded = 0;
    for (; expanded < 16; ++expanded) {
        if (monitor.is_due(expanded)) {
            monitor.check(expanded);
        }
    }
    std::uint64_t checks = 0;
    for (; expanded < 60; ++expanded) {
        if (monitor.is_due(expanded)) {
            ++checks;
            monitor.check(expanded);
        }
        std::this_thread::sleep_for(10ms);
    }
    CHECK(checks >= 10);
}
