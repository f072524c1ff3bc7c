#include <npuzzle/search/core/limits.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

// Searches under limits are in astar_limits.test.cpp.

namespace {

using npuzzle::BasicLimits;
using npuzzle::Limits;
using npuzzle::remaining;
using npuzzle::share;
using npuzzle::Statistics;

} // namespace

TEST_CASE("a time of any unit that is too long is the longest", "[limits]") {
    constexpr auto longest = std::chrono::nanoseconds::max();
    const auto time = [](npuzzle::TimeLimit limit) -> std::chrono::nanoseconds { return limit; };
    CHECK(time(longest) == longest);
    CHECK(time(std::chrono::milliseconds::max()) == longest);
    CHECK(time(std::chrono::hours::max()) == longest);
    CHECK(time(std::chrono::years{300}) == longest);
    CHECK(time(std::chrono::duration<double>(1e30)) == longest);
    CHECK(time(std::chrono::hours::min()) == std::chrono::nanoseconds::min());
    CHECK(time(std::chrono::years{290}) == std::chrono::years{290});
    CHECK(time(std::chrono::milliseconds{5}) == std::chrono::milliseconds{5});
    CHECK(time(std::chrono::duration<float>(0.5F)) == std::chrono::milliseconds{500});
    CHECK(time({}) == std::chrono::nanoseconds{0});

    npuzzle::Statistics used;
    used.seconds = 1e30;
    CHECK(npuzzle::remaining(Limits{.time = std::chrono::seconds{1}}, used).time.count() < 0);
}

TEST_CASE("what is left of limits after a search", "[limits]") {
    using namespace std::chrono_literals;
    const Statistics used{.expanded = 30, .bytes = 500, .seconds = 1.5};
    const auto left =
        remaining(BasicLimits<int>{.expansions = 100, .bytes = 700, .time = 4s, .max_cost = 7}, used);
    CHECK(left.expansions == 70);
    CHECK(left.bytes == 700);
    CHECK(left.time == 2500ms);
    CHECK(left.max_cost == std::optional(7));
    CHECK(remaining(Limits{.expansions = 20}, used).expansions == 0);
    CHECK(remaining(Limits{.time = 1s}, used).time < 0s);
    const Limits none = remaining(Limits{}, used);
    CHECK(none.expansions == Limits::unlimited);
    CHECK(none.time == std::chrono::nanoseconds::max());
}

TEST_CASE("shares of limits add up to them", "[limits]") {
    using namespace std::chrono_literals;
    for (const unsigned count : {1U, 2U, 3U, 7U}) {
        const BasicLimits<int> limits{.expansions = 100, .bytes = 5, .time = 4s, .max_cost = 7};
        std::uint64_t expansions = 0;
        std::uint64_t bytes = 0;
        for (unsigned number = 0; number < count; ++number) {
            const auto one = share(limits, number, count);
            expansions += one.expansions;
            bytes += one.bytes;
            CHECK(one.expansions >= 100 / count);
            CHECK(one.time == 4s);
            CHECK(one.max_cost == std::optional(7));
        }
        CHECK(expansions == 100);
        CHECK(bytes == 5);
    }
    CHECK(share(Limits{.expansions = 3}, 0, 2).expansions == 2);
    CHECK(share(Limits{.expansions = 3}, 1, 2).expansions == 1);
    CHECK(share(Limits{}, 1, 2).expansions == Limits::unlimited);
    CHECK(share(Limits{}, 1, 2).bytes == Limits::unlimited);
}
