#include "npuzzle/puzzle/goal.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

using npuzzle::Board;
using npuzzle::goal_blank_first;
using npuzzle::goal_blank_last;
using npuzzle::goal_spiral;

TEST_CASE("the usual goal has the blank last", "[goal]") {
    CHECK(goal_blank_last(2) == Board{{1, 2}, {3, 0}});
    CHECK(goal_blank_last(3) == Board{{1, 2, 3}, {4, 5, 6}, {7, 8, 0}});
    for (int n = 2; n <= 20; ++n) {
        CHECK(goal_blank_last(n).size() == n);
        CHECK(goal_blank_last(n).is_goal());
    }
}

TEST_CASE("Korf's goal has the blank first", "[goal]") {
    CHECK(goal_blank_first(2) == Board{{0, 1}, {2, 3}});
    CHECK(goal_blank_first(3) == Board{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}});
    for (int n = 2; n <= 20; ++n) {
        const Board goal = goal_blank_first(n);
        CHECK(goal.size() == n);
        for (std::int64_t cell = 0; cell < goal.cells(); ++cell) REQUIRE(goal.tile(cell) == cell);
    }
}

TEST_CASE("an unsolvable board is told a usual goal that it reaches", "[goal]") {
    CHECK(npuzzle::reachable_goal(Board{{3, 2, 6}, {1, 4, 0}, {8, 7, 5}}) == "spiral");
    // Loyd's exchange of 14 and 15 has no solution to the usual goal, and one to the blank-first one.
    CHECK(npuzzle::reachable_goal(Board{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 15, 14, 0}}) ==
          "blank-first");
    for (int n = 2; n <= 6; ++n) {
        CHECK(npuzzle::reachable_goal(goal_blank_last(n)) == "blank-last");
        const Board twin = goal_blank_last(n).twin();
        const bool first = npuzzle::is_solvable(twin, goal_blank_first(n));
        const bool spiral = npuzzle::is_solvable(twin, goal_spiral(n));
        CHECK(npuzzle::reachable_goal(twin) == (first ? "blank-first" : spiral ? "spiral" : ""));
    }
}

TEST_CASE("the spiral goal turns clockwise inward", "[goal]") {
    CHECK(goal_spiral(2) == Board{{1, 2}, {0, 3}});
    CHECK(goal_spiral(3) == Board{{1, 2, 3}, {8, 0, 4}, {7, 6, 5}});
    CHECK(goal_spiral(4) == Board{{1, 2, 3, 4}, {12, 13, 14, 5}, {11, 0, 15, 6}, {10, 9, 8, 7}});
    CHECK(goal_spiral(5) == Board{{1, 2, 3, 4, 5},
                                  {16, 17, 18, 19, 6},
                                  {15, 24, 0, 20, 7},
                                  {14, 23, 22, 21, 8},
                                  {13, 12, 11, 10, 9}});
}

TEST_CASE("goals of an invalid size are refused", "[goal]") {
    for (const int n : {std::numeric_limits<int>::min(), -1, 0, 1, 32768, std::numeric_limits<int>::max()}) {
        const std::string expected = "the size of a board is from 2 to 32767, not " + std::to_string(n);
        CHECK(message_of<std::invalid_argument>([&] { static_cast<void>(goal_blank_last(n)); }) == expected);
        CHECK(message_of<std::invalid_argument>([&] { static_cast<void>(goal_blank_first(n)); }) == expected);
        CHECK(message_of<std::invalid_argument>([&] { static_cast<void>(goal_spiral(n)); }) == expected);
    }
}
