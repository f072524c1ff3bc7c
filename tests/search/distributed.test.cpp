#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/distributed.hpp>

#include "support/catch.hpp"
#include "support/mpi.hpp"

// The examples of docs/search/distributed.md.

TEST_CASE("a board is solved by IDA* on all ranks", "[distributed]") {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> korf_79({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15});
    const auto result = npuzzle::distributed_ida_star(MPI_COMM_WORLD, puzzle, korf_79, npuzzle::Manhattan{},
                                                      {.threads = 2}, {.max_cost = 50});
    CHECK(result.cost == 42); // on each rank
    CHECK(result.statistics.generated + 1 == 540'860);
}
