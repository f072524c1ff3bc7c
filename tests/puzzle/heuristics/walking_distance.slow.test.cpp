#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/search/core/combinators.hpp"

#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"

#include <algorithm>

using npuzzle::LinearConflict;
using npuzzle::MaxOf;
using npuzzle::WalkingDistance;

namespace {

const MaxOf greater{LinearConflict{}, WalkingDistance{}};

int greater_by_definition(const oracle::Tiles& board, const oracle::Tiles& goal, int n) {
    return std::max(oracle::linear_conflict(board, goal, n), oracle::walking_distance(board, goal, n));
}

} // namespace

TEST_CASE("walking distance on all boards of size 3 agrees with its definition, is admissible, consistent, "
          "right after "
          "each move",
          "[walking_distance]") {
    for (const auto& goal : {oracle::goals_of_size_3.front(), oracle::goals_of_size_3.back()}) {
        CAPTURE(goal);
        test::check_heuristic_on_all_boards_of_size_3(WalkingDistance{}, oracle::walking_distance, goal);
    }
}

TEST_CASE("the greater of linear conflict and walking distance on all boards of size 3",
          "[walking_distance]") {
    for (const auto& goal : {oracle::goals_of_size_3.front(), oracle::goals_of_size_3.back()}) {
        CAPTURE(goal);
        test::check_heuristic_on_all_boards_of_size_3(greater, greater_by_definition, goal);
    }
}

TEST_CASE("A* with walking distance finds the true distances, and f never decreases", "[walking_distance]") {
    test::check_searches_with_heuristic(WalkingDistance{}, 2711);
    test::check_searches_with_heuristic(greater, 2711);
}
