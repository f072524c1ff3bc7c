#include "npuzzle/puzzle/heuristics/hamming.hpp"

#include "support/all_boards.hpp"
#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"

#include <cstddef>
#include <vector>

// Deep boards take about ten thousand expansions each with Hamming.
TEST_CASE("A* with Hamming solves all boards of size 3 to depth 18, and a sample of the rest, in the fewest "
          "moves",
          "[hamming]") {
    const std::vector<int> counts =
        test::search_all_boards_of_size_3(npuzzle::Hamming{}, [](std::size_t number, int depth) {
            return depth <= 18 || depth == 31 || number % 32 == 0;
        });
    for (std::size_t depth = 0; depth < counts.size(); ++depth) {
        CAPTURE(depth);
        if (depth <= 18 || depth == 31) {
            CHECK(counts[depth] == oracle::counts_of_the_8_puzzle[depth]);
        } else {
            CHECK(counts[depth] > 0);
        }
    }
}

// Takes ten to twenty-five minutes.
TEST_CASE("A* with Hamming solves all 181,440 solvable boards of size 3 in the least numbers of moves",
          "[.exhaustive]") {
    CHECK(test::search_all_boards_of_size_3(npuzzle::Hamming{}) == oracle::counts_of_the_8_puzzle);
}

TEST_CASE(
    "Hamming on all boards of size 3 is its definition, admissible, consistent and right after each move",
    "[hamming]") {
    for (const auto& goal : {oracle::goals_of_size_3.front(), oracle::goals_of_size_3.back()}) {
        CAPTURE(goal);
        test::check_heuristic_on_all_boards_of_size_3(npuzzle::Hamming{}, oracle::hamming, goal);
    }
}

TEST_CASE("A* with Hamming finds the true distances, and f never decreases", "[hamming]") {
    test::check_searches_with_heuristic(npuzzle::Hamming{}, 9001);
}
