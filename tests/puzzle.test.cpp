#include "npuzzle/puzzle.hpp"

#include "support/catch.hpp"

#include <cstdint>
#include <string>

// The umbrella alone: everything of the wing is there by its name, and the parts fit together.

TEST_CASE("a scrambled board is solved with nothing but the umbrella header", "[puzzle]") {
    const npuzzle::Board goal = npuzzle::goal_spiral(4);
    const npuzzle::Board board = npuzzle::random_walk(goal, 25, std::uint64_t{2});
    CHECK(npuzzle::is_solvable(board, goal));

    const npuzzle::Solver solver(board, {.goal = goal});
    REQUIRE(solver.status() == npuzzle::Status::solved);
    CHECK(solver.solution()->front() == board);
    CHECK(solver.solution()->back() == goal);

    const npuzzle::SlidingPuzzle<4> puzzle{goal};
    const npuzzle::PackedBoard<4> start(board);
    CHECK(astar(puzzle, start, npuzzle::Hamming{}).cost == solver.moves());
    CHECK(astar(puzzle, start, npuzzle::Manhattan{}).cost == solver.moves());
    CHECK(astar(npuzzle::SlidingPuzzle{goal}, board, npuzzle::LinearConflict{}).cost == solver.moves());
    CHECK(twin_search(puzzle, start, npuzzle::LinearConflict{}).cost == solver.moves());
    CHECK(twin_search_one_queue(puzzle, start.twin(), npuzzle::LinearConflict{}).status ==
          npuzzle::Status::unsolvable);
}

TEST_CASE("the moves of a solution lead from the start to the goal", "[puzzle]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> start{npuzzle::Board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}}};
    const auto result = astar(puzzle, start, npuzzle::LinearConflict{});
    REQUIRE(result);
    CHECK(result.cost == 14);
    npuzzle::PackedBoard<3> board = start;
    std::string moves;
    for (const npuzzle::Move move : result.moves) {
        REQUIRE(board.can_move(move));
        puzzle.apply(board, move);
        moves += to_string(move).front();
    }
    CHECK(puzzle.is_goal(board));
    CHECK(moves.size() == 14);
}
