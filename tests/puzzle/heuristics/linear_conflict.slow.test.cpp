#include "npuzzle/puzzle/heuristics/hamming.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"

#include "support/all_boards.hpp"
#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <numeric>
#include <vector>

using npuzzle::Board;
using npuzzle::Hamming;
using npuzzle::LinearConflict;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;

TEST_CASE(
    "A* with linear conflict solves all 181,440 solvable boards of size 3 in the least numbers of moves") {
    CHECK(test::search_all_boards_of_size_3(LinearConflict{}) == oracle::counts_of_the_8_puzzle);
}

TEST_CASE("linear conflict on all boards of size 3 agrees with its definition, is admissible, consistent, "
          "right after "
          "each move",
          "[linear_conflict]") {
    for (const auto& goal : {oracle::goals_of_size_3.front(), oracle::goals_of_size_3.back()}) {
        CAPTURE(goal);
        test::check_heuristic_on_all_boards_of_size_3(LinearConflict{}, oracle::linear_conflict, goal);
    }
}

TEST_CASE("linear conflict is never less than Manhattan, nor Manhattan less than Hamming",
          "[linear_conflict]") {
    for (const auto& goal : oracle::goals_of_size_3) {
        const SlidingPuzzle<3> puzzle{PackedBoard<3>(goal)};
        const auto linear_conflict = LinearConflict{}.bind(puzzle);
        const auto manhattan = Manhattan{}.bind(puzzle);
        const auto hamming = Hamming{}.bind(puzzle);
        std::size_t above_manhattan = 0;
        std::size_t above_hamming = 0;
        const auto& space = oracle::space_of_size_3(goal);
        for (const auto& cells : space.solvable()) {
            const PackedBoard<3> board(cells);
            if (linear_conflict(board) < manhattan(board) || manhattan(board) < hamming(board)) {
                FAIL("out of order: " << board);
            }
            above_manhattan += linear_conflict(board) > manhattan(board) ? 1 : 0;
            above_hamming += manhattan(board) > hamming(board) ? 1 : 0;
        }
        CHECK(above_manhattan > 10000);
        CHECK(above_hamming > 100000);
    }
    test::Random random(3);
    for (int i = 0; i < 1000; ++i) {
        std::vector<int> tiles(25);
        std::iota(tiles.begin(), tiles.end(), 0);
        random.shuffle(tiles);
        const PackedBoard<5> board{Board(tiles)};
        CHECK(LinearConflict{}(board) >= Manhattan{}(board));
        CHECK(Manhattan{}(board) >= Hamming{}(board));
    }
}
