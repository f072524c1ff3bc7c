#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/iterative_deepening.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"

namespace {

using npuzzle::Status;
using test::Graph;

const oracle::PuzzleSpace<3>& all_8_puzzles() {
    static const oracle::PuzzleSpace<3> space(oracle::Cells<3>{1, 2, 3, 4, 5, 6, 7, 8, 0});
    return space;
}

} // namespace

TEST_CASE("iterative deepening finds the fewest moves of near 8-puzzles", "[iterative_deepening]") {
    const oracle::PuzzleSpace<3>& space = all_8_puzzles();
    const npuzzle::SlidingPuzzle<3> puzzle;
    int solved = 0;
    for (const auto& cells : space.solvable(40)) {
        if (space.depth(cells) <= 12) {
            const npuzzle::PackedBoard<3> board(cells);
            const auto result = npuzzle::iterative_deepening(puzzle, board);
            CHECK(result.cost == space.depth(cells));
            test::check_path(puzzle, board, result);
            ++solved;
        }
    }
    CHECK(solved > 5);
}

TEST_CASE("iterative deepening ends where no path without a repeated state is left",
          "[iterative_deepening]") {
    Graph<int> loop(2);
    loop.connect(0, 1, 1).connect(1, 0, 1).connect(0, 0, 1);
    CHECK(npuzzle::iterative_deepening(loop, 0).status == Status::unsolvable);
}
