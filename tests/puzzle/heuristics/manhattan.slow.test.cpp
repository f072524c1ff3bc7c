#include "npuzzle/puzzle/heuristics/manhattan.hpp"

#include "support/all_boards.hpp"
#include "support/catch.hpp"
#include "support/puzzle_space.hpp"

TEST_CASE("A* with Manhattan solves all 181,440 solvable boards of size 3 in the least numbers of moves",
          "[manhattan]") {
    CHECK(test::search_all_boards_of_size_3(npuzzle::Manhattan{}) == oracle::counts_of_the_8_puzzle);
}
