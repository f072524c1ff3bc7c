#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/distributed.hpp>
#include <npuzzle/search/parallel/ida_star_journal.hpp>

#include "support/catch.hpp"
#include "support/mpi.hpp"

#include <cstdio>

// The examples of docs/search/distributed.md.

TEST_CASE("a board is solved by IDA* on all ranks", "[distributed]") {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> korf_79({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15});
    const auto result = npuzzle::distributed_ida_star(MPI_COMM_WORLD, puzzle, korf_79, npuzzle::Manhattan{},
                                                      {.threads = 2}, {.max_cost = 50});
    CHECK(result.cost == 42); // on each rank
    CHECK(result.statistics.generated + 1 == 540'860);
}

TEST_CASE("processes go on where a journal ends", "[distributed]") {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> korf_79({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15});
    const char* const path = "distributed.test.journal";
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (const bool is_again : {false, true}) {
        npuzzle::IdaStarJournal journal(path, "15-puzzle, blank first, Manhattan");
        const auto again = npuzzle::distributed_ida_star(
            MPI_COMM_WORLD, puzzle, korf_79, npuzzle::Manhattan{}, {.threads = 2, .journal = &journal});
        CHECK(again.statistics.generated + 1 == 540'860);
        CHECK((journal.known() > 0) == (is_again && rank == 0));
    }
    if (rank == 0) {
        std::remove(path);
    }
}
