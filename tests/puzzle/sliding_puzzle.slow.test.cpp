#include "npuzzle/puzzle/heuristics/hamming.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/search/astar.hpp"
#include <npuzzle/search/core/combinators.hpp>

#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"
#include "support/ways_to_search.hpp"

#include <random>
#include <vector>

using npuzzle::astar;
using npuzzle::Board;
using npuzzle::Hamming;
using npuzzle::LinearConflict;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;

namespace {

/// Random walks of `moves` moves from the goal.
std::vector<Board> scrambled(const Board& goal, int moves, int count) {
    std::mt19937_64 generator(static_cast<unsigned>(moves));
    std::vector<Board> boards;
    for (int i = 0; i < count; ++i) {
        boards.push_back(npuzzle::random_walk(goal, moves, generator));
    }
    return boards;
}

} // namespace

// All policies with one heuristic at each size: they do not know the heuristic, which is what takes long to
// compile.

TEST_CASE("on all boards of size 3: the solvable boards are those that can be reached, whatever the goal",
          "[sliding_puzzle]") {
    for (const auto& goal : oracle::goals_of_size_3) {
        const auto& space = oracle::space_of_size_3(goal);
        const SlidingPuzzle<3> packed{PackedBoard<3>(goal)};
        const SlidingPuzzle puzzle{Board(goal)};
        int solvable = 0;
        int goals = 0;
        for (const auto& cells : space.boards()) {
            const PackedBoard<3> board(cells);
            const bool is_solvable = space.depth(cells) >= 0;
            if (packed.is_solvable(board) != is_solvable || puzzle.is_solvable(Board(cells)) != is_solvable) {
                FAIL("solvable at depth " << space.depth(cells) << ": " << board);
            }
            solvable += is_solvable ? 1 : 0;
            goals += packed.is_goal(board) ? 1 : 0;
        }
        CHECK(solvable == 181440);
        CHECK(goals == 1);
    }
}

TEST_CASE("all ways to search a board of size 3 find the true distance with the same work, to each goal",
          "[sliding_puzzle]") {
    for (const auto& goal : oracle::goals_of_size_3) {
        const auto& space = oracle::space_of_size_3(goal);
        for (const auto& cells : space.solvable(15013)) {
            test::check_both_kinds_of_boards<3>(Board(goal), Board(cells), Hamming{}, space.depth(cells));
            test::check_all_ways_to_search<3>(Board(goal), Board(cells), Manhattan{}, space.depth(cells));
            test::check_both_kinds_of_boards<3>(Board(goal), Board(cells), LinearConflict{},
                                                space.depth(cells));
            test::check_both_kinds_of_boards<3>(Board(goal), Board(cells),
                                                npuzzle::MaxOf{Hamming{}, Manhattan{}}, space.depth(cells));
        }
    }
}

TEST_CASE("all ways to search boards of sizes 4 and 5 find the true distance with the same work",
          "[sliding_puzzle]") {
    for (const Board& goal :
         {npuzzle::goal_blank_last(4), npuzzle::goal_blank_first(4), npuzzle::goal_spiral(4)}) {
        for (const Board& board : scrambled(goal, 12, 5)) {
            const int moves = oracle::moves_between(oracle::tiles_of(board), oracle::tiles_of(goal), 4);
            test::check_both_kinds_of_boards<4>(goal, board, Manhattan{}, moves);
            test::check_all_ways_to_search<4>(goal, board, LinearConflict{}, moves);
        }
    }
    for (const Board& goal :
         {npuzzle::goal_blank_last(5), npuzzle::goal_blank_first(5), npuzzle::goal_spiral(5)}) {
        for (const Board& board : scrambled(goal, 10, 3)) {
            const int moves = oracle::moves_between(oracle::tiles_of(board), oracle::tiles_of(goal), 5);
            test::check_all_ways_to_search<5>(goal, board, Manhattan{}, moves);
            test::check_both_kinds_of_boards<5>(goal, board, LinearConflict{}, moves);
        }
    }
}

TEST_CASE("deeper boards of sizes 4 and 5: both kinds of boards and both heuristics agree",
          "[sliding_puzzle]") {
    for (const Board& board : scrambled(npuzzle::goal_spiral(4), 60, 5)) {
        const int moves =
            astar(SlidingPuzzle<4>{npuzzle::goal_spiral(4)}, PackedBoard<4>(board), LinearConflict{}).cost;
        CHECK(moves <= 60);
        test::check_both_kinds_of_boards<4>(npuzzle::goal_spiral(4), board, Manhattan{}, moves);
        test::check_all_ways_to_search<4>(npuzzle::goal_spiral(4), board, LinearConflict{}, moves);
    }
    for (const Board& board : scrambled(npuzzle::goal_blank_first(5), 50, 3)) {
        const int moves =
            astar(SlidingPuzzle<5>{npuzzle::goal_blank_first(5)}, PackedBoard<5>(board), LinearConflict{})
                .cost;
        CHECK(moves <= 50);
        test::check_all_ways_to_search<5>(npuzzle::goal_blank_first(5), board, Manhattan{}, moves);
    }
}
