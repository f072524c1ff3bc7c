#include <npuzzle/search/kernel/expansion.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace {

using npuzzle::Statistics;
using npuzzle::detail::Estimator;
using npuzzle::detail::Nothing;

/// A line of numbers with moves.
struct MovedLine {
    using State = int;
    using Move = int;
    static constexpr int no_move = 0;
    std::vector<npuzzle::Edge<int, int>> neighbors(int x) const { return {{x - 1, 3}, {x + 1, 2}}; }
    template <class F>
    void for_each_move(int, int last, F f) const {
        for (const int move : {-1, 1}) {
            if (move != -last) {
                f(move);
            }
        }
    }
    void apply(int& x, int move) const { x += move; }
    int inverse(int move) const { return -move; }
    int move_cost(int, int move) const { return move < 0 ? 3 : 2; }
    bool is_goal(int x) const { return x == 0; }
};

struct FollowedDistance {
    int operator()(int x) const { return x; }
    int after(int estimate, int, int move, int) const { return estimate + move; }
};

using Visits = std::vector<std::pair<int, int>>;

} // namespace

TEST_CASE("neighbors come with the cost of their steps, the way back left out", "[expansion]") {
    Visits visits;
    const auto note = [&](int state, int step, const auto&) { visits.emplace_back(state, step); };
    SECTION("by moves") {
        const auto never = [](int, int) { return false; };
        npuzzle::detail::for_each_neighbor(MovedLine{}, 5, MovedLine::no_move, never, note);
        CHECK(visits == Visits{{4, 3}, {6, 2}});
        visits.clear();
        npuzzle::detail::for_each_neighbor(MovedLine{}, 5, 1, never, note);
        CHECK(visits == Visits{{6, 2}});
    }
    SECTION("without moves, by a question") {
        test::Graph<int> graph(4);
        graph.connect(0, 1, 7).connect(0, 2, 1).connect(0, 3, 0);
        npuzzle::detail::for_each_neighbor(
            graph, 0, Nothing{}, [](int state, int) { return state == 2; }, note);
        CHECK(visits == Visits{{1, 7}, {3, 0}});
        visits.clear();
        npuzzle::detail::for_each_neighbor(
            graph, 0, Nothing{}, [](int, int step) { return step == 0; }, note);
        CHECK(visits == Visits{{1, 7}, {2, 1}});
    }
}

TEST_CASE("a step is followed unless its cost is negative or its path's cost cannot be held", "[expansion]") {
    Statistics statistics;
    std::vector<std::int8_t> overflowed;
    const auto can_hold = [](std::int8_t cost) { return cost != std::numeric_limits<std::int8_t>::max(); };
    const auto follows = [&](int step, int cost) {
        return npuzzle::detail::may_follow(static_cast<std::int8_t>(step), static_cast<std::int8_t>(cost),
                                           can_hold, statistics,
                                           [&](std::int8_t sum) { overflowed.push_back(sum); });
    };
    CHECK(follows(7, 12));
    CHECK(follows(0, 5));
    CHECK(statistics.generated == 0); // It counts when it arrives.
    CHECK_FALSE(follows(100, 127));
    CHECK(overflowed == std::vector<std::int8_t>{127});
    CHECK(statistics.generated == 1);
    CHECK_FALSE(follows(127, 127)); // a wall
    CHECK(overflowed.size() == 1);
    CHECK(statistics.generated == 2);
    CHECK(statistics.contract_violations == 0);
}

TEST_CASE("an estimate follows a move where the heuristic can", "[expansion]") {
    FollowedDistance followed;
    const Estimator<FollowedDistance, MovedLine> estimator(followed);
    STATIC_REQUIRE(estimator.is_incremental);
    CHECK(estimator.evaluate_child(estimator.evaluation_of(5, 5), 5, 1, 6) == 6);
    CHECK(estimator.after(estimator.evaluation_of(5, 5), 5, 1, 6) == 6);
    CHECK(estimator.estimate_of_child(6, 1000) == 6);

    auto called = [](int x) { return 2 * x; };
    const Estimator<decltype(called), MovedLine> from_scratch(called);
    STATIC_REQUIRE_FALSE(from_scratch.is_incremental);
    STATIC_REQUIRE(std::same_as<decltype(from_scratch.evaluate_child(0, 5, 1, 6)), Nothing>);
    STATIC_REQUIRE(std::same_as<decltype(from_scratch.evaluation_of(5, 10)), Nothing>);
    CHECK(from_scratch.after(Nothing{}, 5, 1, 6) == 12);
    CHECK(from_scratch.estimate_of_child(Nothing{}, 6) == 12);

    npuzzle::Zero zero;
    CHECK(Estimator<npuzzle::Zero, MovedLine>(zero)(5) == 0);
}
