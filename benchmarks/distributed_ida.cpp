// IDA* with Manhattan distance on one rank and on all: mpiexec -n RANKS distributed_ida [ROUNDS [FROM TO
// [THREADS]]], on Korf's boards from FROM on, before TO, with so many threads a rank; by default one easy
// board. Of each board both run in turn, and all that they return must be equal, on each rank. While rank 0
// searches alone, the others sleep. The ratio is of wall times.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/distributed/distributed_ida_star.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/ranks.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace {

using benchmarks::require;
using benchmarks::Stopwatch;

const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));

/// Searches a board by one rank and by all, and adds the seconds.
void compare(const benchmarks::Instance& instance, unsigned threads, int rank, benchmarks::Seconds& sum) {
    const npuzzle::PackedBoard<4> start(instance.tiles);
    npuzzle::search_result_t<npuzzle::SlidingPuzzle<4>> expected;
    if (rank == 0) {
        const Stopwatch stopwatch;
        expected = npuzzle::ida_star(puzzle, start, npuzzle::Manhattan{});
        sum.peer += stopwatch.seconds();
    }
    benchmarks::meet(MPI_COMM_WORLD);
    const Stopwatch stopwatch;
    const auto result = npuzzle::distributed_ida_star(MPI_COMM_WORLD, puzzle, start, npuzzle::Manhattan{},
                                                      {.threads = threads});
    sum.npuzzle += stopwatch.seconds();
    const std::string who = "board " + std::to_string(instance.number);
    require(result.cost == instance.optimal_cost, who + ": not the published cost");
    std::uint64_t counts[] = {expected.statistics.expanded, expected.statistics.generated};
    MPI_Bcast(counts, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    require(result.statistics.expanded == counts[0] && result.statistics.generated == counts[1] &&
                (rank != 0 || result.path == expected.path),
            who + ": the ranks do not return what one search returns");
}

} // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int i, int otherwise) { return i < argc ? std::atoi(argv[i]) : otherwise; };
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    try {
        const auto from = static_cast<std::size_t>(argument(2, 11));
        const auto to = std::min(static_cast<std::size_t>(argument(3, 12)), benchmarks::korf_boards.size());
        for (int round = 0; round < argument(1, 1); ++round) {
            benchmarks::Seconds seconds;
            for (std::size_t i = from; i < to; ++i) {
                compare(benchmarks::korf_boards[i], static_cast<unsigned>(argument(4, 1)), rank, seconds);
            }
            if (rank == 0) {
                std::printf("%.3f s by one search, %.3f s on %d ranks: %.3f x\n", seconds.peer,
                            seconds.npuzzle, ranks, seconds.peer / seconds.npuzzle);
                std::fflush(stdout);
            }
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    MPI_Finalize();
}
