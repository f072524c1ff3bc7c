#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/engine/work_monitor.hpp>

#include "support/catch.hpp"

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<stop_token>)
#include <stop_token>
#endif

// Searches under limits are in astar_limits.test.cpp.

namespace {

using npuzzle::BasicLimits;
using npuzzle::Limits;
using npuzzle::remaining;
using npuzzle::Statistics;
using npuzzle::Status;
using npuzzle::StopSource;
using npuzzle::StopToken;

static_assert(std::is_nothrow_copy_constructible_v<StopToken> &&
              std::is_nothrow_move_constructible_v<StopToken>);
static_assert(std::convertible_to<bool (*)(), StopToken>);
static_assert(std::convertible_to<const std::atomic<bool>&, StopToken>);
static_assert(!std::convertible_to<std::atomic<bool>, StopToken>, "it would not live long enough");
static_assert(!std::convertible_to<const std::atomic<bool>, StopToken>);
static_assert(!std::convertible_to<bool, StopToken> && !std::convertible_to<int, StopToken>);
static_assert(!std::convertible_to<void (*)(), StopToken>);
struct BothWays {
    bool operator()() const { return true; }
    static bool stop_requested() { return true; }
};
static_assert(std::convertible_to<BothWays, StopToken>);
static_assert(std::is_aggregate_v<Limits>);

/// The whole numbers, without a goal.
struct Endless {
    using State = int;
    std::vector<int> neighbors(int x) const { return {x - 1, x + 1}; }
    bool is_goal(int x) const { return x == goal(); }
    int goal() const { return -1'000'000'000; }
    static constexpr bool is_undirected = true;
};

} // namespace

TEST_CASE("a time of any unit that is too long is the longest", "[limits]") {
    constexpr auto longest = std::chrono::nanoseconds::max();
    const auto time = [](npuzzle::TimeLimit limit) -> std::chrono::nanoseconds { return limit; };
    CHECK(time(longest) == longest);
    CHECK(time(std::chrono::milliseconds::max()) == longest);
    CHECK(time(std::chrono::hours::max()) == longest);
    CHECK(time(std::chrono::years{300}) == longest);
    CHECK(time(std::chrono::duration<double>(1e30)) == longest);
    CHECK(time(std::chrono::duration<double, std::nano>(0x1p63)) == longest); // one more than fits
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
    CHECK(remaining(Limits{.time = 0s}, used).time == 0s);
    const Limits none = remaining(Limits{}, used);
    CHECK(none.expansions == Limits::unlimited);
    CHECK(none.time == std::chrono::nanoseconds::max());
}

TEST_CASE("a source stops all that have its token", "[limits]") {
    StopToken token;
    {
        StopSource source;
        const StopSource copy = source;
        token = source.get_token();
        const StopToken other = copy.get_token();
        CHECK(token.stop_possible());
        CHECK_FALSE(token.stop_requested());
        CHECK(source.request_stop());
        CHECK_FALSE(copy.request_stop()); // it was requested before
        CHECK(source.stop_requested());
        CHECK(copy.stop_requested());
        CHECK(other.stop_requested());
        const StopSource moved = std::move(source);
        CHECK(source.stop_requested()); // it is copied: each source has a state
        CHECK(moved.stop_requested());
        source = StopSource();
        CHECK_FALSE(source.stop_requested());
    }
    CHECK(token.stop_requested()); // although the sources are gone
}

TEST_CASE("tokens are copied, moved and assigned", "[limits]") {
    const auto count = std::make_shared<int>(0);
    {
        StopToken first = [count] { return ++*count > 2; };
        CHECK(count.use_count() == 2);
        const StopToken second = first; // shares the function
        CHECK(count.use_count() == 2);
        CHECK_FALSE(first.stop_requested());
        CHECK_FALSE(second.stop_requested());
        CHECK(second.stop_requested());
        const StopToken third = std::move(first);
        CHECK_FALSE(first.stop_possible());
        first = third;
        CHECK(first.stop_requested());
    }
    CHECK(count.use_count() == 1);
}

TEST_CASE("a token is made of what tells by value, by call or by a member", "[limits]") {
    std::atomic<bool> flag{false};
    const StopToken by_flag = flag;
    CHECK_FALSE(by_flag.stop_requested());
    flag = true;
    CHECK(by_flag.stop_requested());

    const StopToken by_function = std::function<bool()>([&] { return !flag; });
    CHECK_FALSE(by_function.stop_requested());
    flag = false;
    CHECK(by_function.stop_requested());

    CHECK(StopToken([only = std::make_unique<bool>(true)] { return *only; }).stop_requested());

    struct Member {
        bool stop_requested() const { return true; }
    };
    CHECK(StopToken(Member{}).stop_requested());
}

#if defined(__cpp_lib_jthread)
TEST_CASE("a token is made of one of the standard library", "[limits]") {
    CHECK_FALSE(StopToken(std::stop_token()).stop_requested());
    std::stop_source source;
    const Limits limits{.stop = source.get_token()};
    CHECK_FALSE(limits.stop.stop_requested());
    source.request_stop();
    CHECK(limits.stop.stop_requested());
}
#endif

TEST_CASE("searches ask between expansions, on their own thread", "[limits]") {
    const auto caller = std::this_thread::get_id();
    int asked = 0;
    const auto third_time = [&] {
        CHECK(std::this_thread::get_id() == caller);
        return ++asked % 3 == 0;
    };
    CHECK(npuzzle::astar(Endless{}, 0, npuzzle::Zero{}, {.stop = third_time}).status == Status::cancelled);
    CHECK(asked == 3);
    CHECK(npuzzle::breadth_first(Endless{}, 0, {.stop = third_time}).status == Status::cancelled);
    CHECK(npuzzle::bidirectional_breadth_first(Endless{}, 0, {.stop = third_time}).status ==
          Status::cancelled);
    CHECK(asked == 9);
}
