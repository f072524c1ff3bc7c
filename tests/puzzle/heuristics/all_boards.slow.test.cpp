#include "npuzzle/puzzle/heuristics/hamming.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/combinators.hpp"

#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"

#include <cstddef>
#include <vector>

using npuzzle::Hamming;
using npuzzle::LinearConflict;
using npuzzle::Manhattan;
using npuzzle::MaxOf;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::WalkingDistance;

namespace {

const MaxOf greater{LinearConflict{}, WalkingDistance{}};

/// A* from every `stride`-th of the 181,440 solvable boards of size 3, in the least number of moves.
template <class H>
void check_boards_of_size_3(const H& heuristic, std::size_t stride) {
    const auto& space = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    std::vector<int> counts(space.counts().size());
    for (const auto& cells : space.solvable(stride)) {
        const PackedBoard<3> board(cells);
        const auto result = npuzzle::astar(SlidingPuzzle<3>{}, board, heuristic);
        if (result.cost != space.depth(cells) || result.statistics.reopened != 0 ||
            result.statistics.contract_violations != 0) {
            FAIL(result.status << ", " << result.cost << " moves, " << result.statistics << ": " << board);
        }
        ++counts[static_cast<std::size_t>(result.cost)];
    }
    CHECK((stride > 1 || counts == oracle::counts_of_the_8_puzzle));
}

} // namespace

TEST_CASE("heuristics on all boards of size 3 are their definitions, admissible, consistent and right after "
          "each move",
          "[heuristics]") {
    for (const auto& goal : {oracle::goals_of_size_3.front(), oracle::goals_of_size_3.back()}) {
        CAPTURE(goal);
        test::check_heuristic_on_all_boards_of_size_3(Hamming{}, oracle::hamming, goal);
        test::check_heuristic_on_all_boards_of_size_3(Manhattan{}, oracle::manhattan, goal);
        test::check_heuristic_on_all_boards_of_size_3(LinearConflict{}, oracle::linear_conflict, goal);
        test::check_heuristic_on_all_boards_of_size_3(WalkingDistance{}, oracle::walking_distance, goal);
        test::check_heuristic_on_all_boards_of_size_3(greater, oracle::greater_of_both, goal);
    }
}

TEST_CASE("A* solves the boards of size 3 in the least numbers of moves", "[heuristics]") {
    check_boards_of_size_3(LinearConflict{}, 1);
    check_boards_of_size_3(Manhattan{}, 8);
    check_boards_of_size_3(Hamming{}, 64); // which expands ten thousand boards for a deep one
}

// Takes ten to twenty-five minutes.
TEST_CASE("A* solves all boards of size 3 with the lesser heuristics, too", "[.exhaustive]") {
    check_boards_of_size_3(Manhattan{}, 1);
    check_boards_of_size_3(Hamming{}, 1);
}

TEST_CASE("linear conflict is never less than Manhattan, nor Manhattan less than Hamming", "[heuristics]") {
    const SlidingPuzzle<3> puzzle;
    const auto linear_conflict = LinearConflict{}.bind(puzzle);
    const auto manhattan = Manhattan{}.bind(puzzle);
    const auto hamming = Hamming{}.bind(puzzle);
    for (const auto& cells : oracle::space_of_size_3(oracle::blank_last_of_size_3).solvable()) {
        const PackedBoard<3> board(cells);
        if (linear_conflict(board) < manhattan(board) || manhattan(board) < hamming(board)) {
            FAIL("out of order: " << board);
        }
    }
}
