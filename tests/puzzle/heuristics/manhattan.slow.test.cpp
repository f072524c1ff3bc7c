#include "npuzzle/puzzle/heuristics/manhattan.hpp"

#include "support/all_boards.hpp"
#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"

#include <cstddef>
#include <vector>

TEST_CASE("A* with Manhattan solves the boards of size 3 to depth 16, the hardest, and a sample of the rest, "
          "in the "
          "least numbers of moves",
          "[manhattan]") {
    const std::vector<int> counts =
        test::search_all_boards_of_size_3(npuzzle::Manhattan{}, [](std::size_t number, int depth) {
            return depth <= 16 || depth >= 30 || number % 8 == 0;
        });
    for (std::size_t depth = 0; depth < counts.size(); ++depth) {
        CAPTURE(depth);
        if (depth <= 16 || depth >= 30) {
            CHECK(counts[depth] == oracle::counts_of_the_8_puzzle[depth]);
        } else {
            CHECK(counts[depth] > 0);
        }
    }
}

// Takes half a minute. Linear conflict, which the slow tests take to all boards, uses the same code and more.
TEST_CASE("A* with Manhattan solves all 181,440 solvable boards of size 3 in the least numbers of moves",
          "[.exhaustive]") {
    CHECK(test::search_all_boards_of_size_3(npuzzle::Manhattan{}) == oracle::counts_of_the_8_puzzle);
}

TEST_CASE(
    "Manhattan on all boards of size 3 is its definition, admissible, consistent and right after each move",
    "[manhattan]") {
    for (const auto& goal : {oracle::goals_of_size_3.front(), oracle::goals_of_size_3.back()}) {
        CAPTURE(goal);
        test::check_heuristic_on_all_boards_of_size_3(npuzzle::Manhattan{}, oracle::manhattan, goal);
    }
}
