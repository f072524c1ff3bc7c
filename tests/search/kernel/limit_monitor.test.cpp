#include <npuzzle/search/kernel/limit_monitor.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

namespace {

using npuzzle::Limits;
using npuzzle::Status;
using npuzzle::detail::LimitMonitor;
using npuzzle::detail::WorkMonitor;

} // namespace

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

TEST_CASE("a monitor that nobody else waits for looks only at what there is", "[limits]") {
    const auto checks = [](const Limits& limits) {
        LimitMonitor monitor(limits);
        std::uint64_t count = 0;
        std::uint64_t expanded = 0;
        for (; expanded < 1'000'000; ++expanded) {
            if (monitor.is_due(expanded)) {
                ++count;
                if (monitor.check(expanded, false) != Status::running) {
                    break;
                }
            }
        }
        CHECK(expanded == std::min<std::uint64_t>(limits.expansions, 1'000'000));
        return count;
    };
    CHECK(checks({}) == 1);
    CHECK(checks({.expansions = 5000}) == 2);
    CHECK(checks({.time = std::chrono::hours{1}}) > 15);
    CHECK(checks({.stop = npuzzle::StopSource{}.get_token()}) > 15);
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
            CHECK(monitor.check(expanded) == Status::running);
        }
    }
    std::uint64_t checks = 0;
    for (; expanded < 60; ++expanded) {
        if (monitor.is_due(expanded)) {
            ++checks;
            CHECK(monitor.check(expanded) == Status::running);
        }
        std::this_thread::sleep_for(10ms);
    }
    CHECK(checks >= 10);
}

TEST_CASE("work is limited by time and by a stop, not by expansions", "[limits]") {
    WorkMonitor unlimited(Limits{.expansions = 0});
    for (int i = 0; i < 1000; ++i) {
        REQUIRE(unlimited.may_work());
    }
    CHECK(unlimited.status() == Status::running);
    WorkMonitor late(Limits{.time = std::chrono::nanoseconds{0}});
    CHECK_FALSE(late.may_work());
    CHECK(late.status() == Status::time_limit);
    npuzzle::StopSource source;
    WorkMonitor stopped(Limits{.stop = source.get_token()});
    CHECK(stopped.may_work());
    source.request_stop();
    bool is_stopped = false;
    for (int i = 0; i < 100'000 && !is_stopped; ++i) {
        is_stopped = !stopped.may_work();
    }
    CHECK(is_stopped);
    CHECK(stopped.status() == Status::cancelled);
}
