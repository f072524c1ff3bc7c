#include <npuzzle/search/kernel/bidirectional_sides.hpp>

#include "support/catch.hpp"
#include "support/two_way_graphs.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

using npuzzle::detail::backward_target_t;
using npuzzle::detail::BestMeeting;
using npuzzle::detail::forward_problem_t;
using npuzzle::detail::Reversed;
using npuzzle::detail::UnitSteps;
using Graph = test::TwoWayGraph<int, false>;
using Meeting = BestMeeting<int, int, std::int64_t>;

constexpr int most = std::numeric_limits<int>::max();

TEST_CASE("the best meeting is the cheapest, the first of several", "[bidirectional_sides]") {
    Meeting best{std::optional<int>{}};
    CHECK_FALSE(best);
    CHECK(best.may_improve(1'000'000));
    best.meet(1, 5, 6);
    best.meet(2, 4, 8);
    best.meet(3, 3, 7);
    best.meet(4, 7, 3);
    CHECK(best.state() == 3);
    CHECK(best.cost() == 10);
    CHECK(best.bound() == 10);
    CHECK(best.may_improve(9));
    CHECK_FALSE(best.may_improve(10));
    CHECK_FALSE(best.is_too_dear(1'000'000));
    CHECK_FALSE(best.has_pruned());
}

TEST_CASE("what costs more than is allowed is no solution, and is noted", "[bidirectional_sides]") {
    Meeting best(10);
    CHECK_FALSE(best.is_too_dear(10));
    CHECK_FALSE(best.has_pruned());
    best.meet(1, 5, 6);
    CHECK_FALSE(best);
    CHECK(best.has_pruned());
    CHECK(Meeting(10).is_too_dear(11));
    best.meet(2, 5, 5);
    CHECK(best.cost() == 10);
}

TEST_CASE("what the type cannot hold is dropped, and may have been better", "[bidirectional_sides]") {
    Meeting best{std::optional<int>{}};
    best.meet(1, most - 1, most - 1);
    CHECK_FALSE(best);
    CHECK(best.has_pruned());
    best.meet(2, 50, 50);
    best.drop(100);
    CHECK_FALSE(best.has_dropped_better());
    CHECK_FALSE(best.has_overflowed({40, 60, 0}, 80));
    CHECK(best.has_overflowed({40, 60, 0}, std::numeric_limits<std::int64_t>::max()));
    CHECK(best.has_dropped_better()); // at a cost of 40

    Meeting other{std::optional<int>{}};
    CHECK(other.has_overflowed({40, std::numeric_limits<std::int64_t>::max(), 0}, 80));
    CHECK(other.has_pruned());
}

TEST_CASE("backward heuristics are bound to the reversed problem, or to that with another goal",
          "[bidirectional_sides]") {
    struct WithGoal : test::TwoWayGraph<int, true> {
        WithGoal with_goal(int vertex) const {
            WithGoal other = *this;
            other.goal_vertex = vertex;
            return other;
        }
    };
    STATIC_REQUIRE(std::is_same_v<backward_target_t<Graph>, Reversed<Graph>>);
    STATIC_REQUIRE(std::is_same_v<backward_target_t<WithGoal>, WithGoal>);
    STATIC_REQUIRE(std::is_same_v<forward_problem_t<npuzzle::Nbs, Graph>, Graph>);
    STATIC_REQUIRE(std::is_same_v<forward_problem_t<npuzzle::detail::Layers, Graph>, UnitSteps<Graph>>);
}
