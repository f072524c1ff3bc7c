#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver.hpp"
#include "npuzzle/puzzle/twin_search.hpp"

#include "support/catch.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using npuzzle::Board;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Solver;
using npuzzle::Status;

namespace {

const oracle::PuzzleSpace<3>& space() {
    return oracle::space_of_size_3(oracle::blank_last_of_size_3);
}

/// Some of the boards, at random.
std::vector<oracle::Cells<3>> sample(std::vector<oracle::Cells<3>> boards, std::size_t count,
                                     std::uint64_t seed) {
    test::Random(seed).shuffle(boards);
    boards.resize(count);
    return boards;
}

} // namespace

TEST_CASE("all 181,440 unsolvable boards of size 3 are proved unsolvable by parity", "[all_boards]") {
    const SlidingPuzzle<3> packed;
    const SlidingPuzzle puzzle{3};
    const auto boards = space().unsolvable();
    CHECK(boards.size() == 181440);
    for (const auto& cells : boards) {
        const Board board(cells);
        const Solver solver(board);
        if (packed.is_solvable(PackedBoard<3>(cells)) || puzzle.is_solvable(board) || board.is_solvable() ||
            PackedBoard<3>(cells).is_solvable() || solver.is_solvable() || solver.moves() != -1 ||
            solver.solution() || solver.status() != Status::unsolvable) {
            FAIL("not proved unsolvable: " << board);
        }
        if (!packed.is_solvable(packed.twin(PackedBoard<3>(cells))) ||
            !puzzle.is_solvable(puzzle.twin(board))) {
            FAIL("its twin is not said to be solvable: " << board);
        }
    }
}

TEST_CASE(
    "a sample of the unsolvable boards of size 3 is proved so by search, and solvable ones are solved") {
    const SlidingPuzzle<3> puzzle;
    for (const auto& cells : sample(space().unsolvable(), 2000, 1)) {
        const PackedBoard<3> board(cells);
        const int depth_of_twin = space().depth([&] {
            oracle::Cells<3> twin = cells;
            const std::size_t first = cells[0] == 0 || cells[1] == 0 || cells[2] == 0 ? 3 : 0;
            std::swap(twin[first], twin[first + 1]);
            return twin;
        }());
        CAPTURE(board);
        REQUIRE(depth_of_twin >= 0);
        CHECK(twin_search(puzzle, board, npuzzle::Manhattan{}).status == Status::unsolvable);
        CHECK(twin_search_one_queue(puzzle, board, npuzzle::Manhattan{}).status == Status::unsolvable);
        CHECK(twin_search(puzzle, board, npuzzle::LinearConflict{}).status == Status::unsolvable);
    }
    for (const auto& cells : sample(space().solvable(), 2000, 2)) {
        const PackedBoard<3> board(cells);
        const int depth = space().depth(cells);
        CAPTURE(board);
        const auto two_queues = twin_search(puzzle, board, npuzzle::Manhattan{});
        CHECK(two_queues.status == Status::solved);
        CHECK(two_queues.cost == depth);
        const auto one_queue = twin_search_one_queue(puzzle, board, npuzzle::Manhattan{});
        CHECK(one_queue.status == Status::solved);
        CHECK(one_queue.cost == depth);
    }
}

TEST_CASE("every tenth board of size 3 is solved by the solver, and on boards whose size is known at run "
          "time only",
          "[all_boards]") {
    const SlidingPuzzle puzzle{3};
    for (const auto& cells : space().solvable(10)) {
        const Board board(cells);
        const int depth = space().depth(cells);
        const Solver solver(board);
        if (!solver.is_solvable() || solver.moves() != depth ||
            solver.solution()->size() != static_cast<std::size_t>(depth) + 1) {
            FAIL("the solver says " << solver.moves() << " instead of " << depth << ": " << board);
        }
        if (const int cost = astar(puzzle, board, npuzzle::LinearConflict{}).cost; cost != depth) {
            FAIL("A* says " << cost << " instead of " << depth << ": " << board);
        }
    }
}
