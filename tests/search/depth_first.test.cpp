#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/depth_first.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"

#include <vector>

using npuzzle::Status;
using test::Graph;

TEST_CASE("depth-first search goes no deeper than it may", "[depth_first]") {
    Graph<int> chain(10);
    for (int vertex = 0; vertex + 1 < 10; ++vertex) {
        chain.connect(vertex, vertex + 1, 3);
    }
    chain.add_goal(9);
    CHECK(npuzzle::depth_first(chain, 0, {.max_depth = 8}).status == Status::depth_limit);
    const auto result = npuzzle::depth_first(chain, 0, {.max_depth = 9});
    CHECK(result.status == Status::solved);
    CHECK(result.cost == 27);
    CHECK(npuzzle::depth_first(chain, 0, {.max_depth = 100}, {.max_cost = 26}).status == Status::cost_limit);
    CHECK(npuzzle::depth_first(chain, 0, {.max_depth = 100}, {.max_cost = 27}).status == Status::solved);
    CHECK(npuzzle::depth_first(chain, 9, {.max_depth = 0}).status == Status::solved);
    CHECK(npuzzle::depth_first(chain, 0, {.max_depth = 0}).status == Status::depth_limit);
    Graph<int> loop(2);
    loop.connect(0, 1, 1).connect(1, 0, 1).connect(0, 0, 1);
    CHECK(npuzzle::depth_first(loop, 0, {.max_depth = 100}).status == Status::unsolvable);
}

TEST_CASE("depth-first search tries moves in their order", "[depth_first]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    // One move right would do, but up comes before it.
    const npuzzle::PackedBoard<3> board(oracle::Cells<3>{1, 2, 3, 4, 5, 6, 7, 0, 8});
    const auto result = npuzzle::depth_first(puzzle, board, {.max_depth = 25});
    test::check_path(puzzle, board, result);
    CHECK(result.cost > 1);
    CHECK(result.moves.front() == npuzzle::Move::up);
    CHECK(npuzzle::depth_first(puzzle, board, {.max_depth = 1}).moves == std::vector{npuzzle::Move::right});
    CHECK(result.statistics.stored <= 26);
}
