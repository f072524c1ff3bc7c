#include <npuzzle/search/kernel/ida_star_bounds.hpp>

#include "support/catch.hpp"

#include <limits>
#include <optional>

namespace {

using npuzzle::detail::CostBound;
using npuzzle::detail::Overshoot;
using npuzzle::detail::UnitCostBound;

} // namespace

TEST_CASE("the next bound on f is the least that was beyond the last", "[ida_star]") {
    CostBound<int, int> bound;
    bound.set(10);
    CHECK_FALSE(bound.next(0).has_value());
    const auto start = bound.start();
    auto child = start;
    REQUIRE(bound.advance(child, 4));
    CHECK(bound.cost(child) == 4);
    CHECK(bound.depth(child) == 1);
    CHECK(bound.admits(start, child, 6));
    CHECK_FALSE(bound.admits(start, child, 9));
    CHECK_FALSE(bound.admits(start, child, 8));
    CHECK_FALSE(bound.admits(start, child, 11));
    CHECK(bound.next(3) == std::optional(12));
    CHECK_FALSE(bound.has_overflowed());
    CHECK_FALSE(bound.advance(child, std::numeric_limits<int>::max() - 3));
    CHECK(bound.has_overflowed());
    bound.set(12);
    CHECK_FALSE(bound.next(0).has_value());
}

TEST_CASE("a sum that the type cannot hold is noted, and is no bound", "[ida_star]") {
    constexpr int most = std::numeric_limits<int>::max();
    CostBound<int, int> bound;
    bound.set(10);
    auto child = bound.start();
    REQUIRE(bound.advance(child, most - 1));
    CHECK_FALSE(bound.has_overflowed());
    CHECK_FALSE(bound.admits(bound.start(), child, 5));
    CHECK_FALSE(bound.next(1).has_value());
    CHECK(bound.has_overflowed());
}

TEST_CASE("an infinite estimate is no bound", "[ida_star]") {
    CostBound<double, double> bound;
    bound.set(1);
    auto child = bound.start();
    REQUIRE(bound.advance(child, 0.5));
    CHECK_FALSE(bound.admits(bound.start(), child, std::numeric_limits<double>::infinity()));
    CHECK_FALSE(bound.next(1).has_value());
    CHECK_FALSE(bound.has_overflowed());
}

TEMPLATE_TEST_CASE("unit costs: the same bounds from what is left of them", "[ida_star]",
                   (UnitCostBound<int, int, false, 100>), (UnitCostBound<int, unsigned, false, 100>)) {
    using Value = typename TestType::Value;
    TestType bound;
    bound.set(10);
    auto at = bound.start();
    for (int depth = 0; depth < 4; ++depth) {
        REQUIRE(bound.advance(at, 1));
    }
    CHECK(bound.cost(at) == 4);
    CHECK(bound.depth(at) == 4);
    auto child = at;
    REQUIRE(bound.advance(child, 1));
    CHECK(bound.admits(at, child, Value{5}));
    CHECK_FALSE(bound.admits(at, child, Value{8}));
    CHECK_FALSE(bound.admits(at, child, Value{7}));
    CHECK(bound.next(2) == std::optional<Value>(12));
}

TEST_CASE("unit costs of a consistent heuristic: beyond the bound by 1 or by 2", "[ida_star]") {
    UnitCostBound<int, int, true, 100> bound;
    bound.set(10);
    auto child = bound.start();
    REQUIRE(bound.advance(child, 1));
    CHECK_FALSE(bound.admits(bound.start(), child, 11));
    CHECK(bound.next(1) == std::optional(12));
    bound.set(10);
    CHECK_FALSE(bound.admits(bound.start(), child, 10));
    CHECK(bound.next(1) == std::optional(11));
    bound.set(10);
    CHECK_FALSE(bound.next(0).has_value());
}

TEST_CASE("a histogram of what is beyond the bound gives the next one", "[ida_star]") {
    Overshoot<double> beyond;
    CHECK_FALSE(beyond.least().has_value());
    CHECK_FALSE(beyond.bound_for(1).has_value());
    for (int i = 1; i <= 1000; ++i) {
        beyond.add(10, 10 + i / 1000.0);
    }
    CHECK(beyond.least() == std::optional(10.001));
    CHECK(beyond.bound_for(0) == beyond.least());
    const double few = *beyond.bound_for(100);
    CHECK(few >= 10.1);
    CHECK(few <= 10.13); // a bin is a quarter of an octave
    const double half = *beyond.bound_for(1e9);
    CHECK(half >= 10.5);
    CHECK(half <= 10.65);
    beyond.clear();
    CHECK_FALSE(beyond.least().has_value());
}
