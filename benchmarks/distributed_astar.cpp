// A* by several processes against A* by one, in turn, on Korf's boards of the 15-puzzle. Each answer is
// checked. The speedups in docs/parallel.md.
//
//     cmake --preset release && cmake --build --preset release --target benchmark.distributed_astar
//     mpirun -n 2 build/release/benchmarks/distributed_astar [ROUNDS [THREADS [BOARD...]]]

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/distributed/distributed_astar.hpp>

#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/ranks.hpp"
#include "support/timing.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

/// Solves a board, and returns the seconds.
template <class F>
double run(const benchmarks::Instance& instance, npuzzle::Statistics& statistics, F&& solve) {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> start(instance.tiles);
    const benchmarks::Stopwatch stopwatch;
    const auto result = solve(puzzle, start);
    const double seconds = stopwatch.seconds();
    statistics = result.statistics;
    const std::string name = "board " + std::to_string(instance.number);
    benchmarks::require(result.status == npuzzle::Status::solved && result.cost == instance.optimal_cost,
                        name + ": not the published cost");
    benchmarks::require_path(puzzle, start, result.path, result.cost, name);
    return seconds;
}

void compare(const npuzzle::Communicator& ranks, const benchmarks::Instance& instance, int rounds,
             unsigned threads) {
    for (int round = 0; round < rounds; ++round) {
        npuzzle::Statistics one;
        npuzzle::Statistics several;
        double seconds_of_one = 0;
        if (ranks.rank() == 0) {
            seconds_of_one = run(instance, one, [](const auto& puzzle, const auto& start) {
                return npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
            });
        }
        benchmarks::meet(ranks.get());
        const double seconds = run(instance, several, [&](const auto& puzzle, const auto& start) {
            return npuzzle::distributed_astar(ranks.get(), puzzle, start, npuzzle::Manhattan{},
                                              {.threads = threads});
        });
        if (ranks.rank() == 0) {
            std::printf("%5d %12llu stored %9.4f s by one %9.4f s by %d: %.2f x, %.2f x expanded\n",
                        instance.number, static_cast<unsigned long long>(one.stored), seconds_of_one, seconds,
                        ranks.size(), seconds_of_one / seconds,
                        static_cast<double>(several.expanded) / static_cast<double>(one.expanded));
            std::fflush(stdout);
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    try {
        const npuzzle::Communicator ranks(MPI_COMM_WORLD);
        const int rounds = argc > 1 ? std::stoi(argv[1]) : 3;
        const unsigned threads = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 1;
        std::vector<int> numbers;
        for (int i = 3; i < argc; ++i) {
            numbers.push_back(std::stoi(argv[i]));
        }
        if (numbers.empty()) {
            numbers = {12, 42, 9, 28, 2, 1, 3, 4, 66}; // from small to large
        }
        for (const int number : numbers) {
            compare(ranks, benchmarks::korf_boards.at(static_cast<std::size_t>(number - 1)), rounds, threads);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "distributed_astar: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}
