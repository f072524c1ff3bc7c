// A* by several processes against A* by one, in turn, on Korf's boards of the 15-puzzle. Each answer is checked.
// The table in docs/search/distributed.md.
//
//     mpicxx -std=c++20 -O2 -DNDEBUG -pthread -I include -I benchmarks benchmarks/distributed_astar.cpp -o distributed_astar
//     mpirun -n 2 ./distributed_astar [ROUNDS [THREADS [BOARD...]]]

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/distributed/distributed_astar.hpp>

#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace {

using Board = npuzzle::PackedBoard<4>;
using Puzzle = npuzzle::SlidingPuzzle<4>;
using npuzzle::Communicator;

/// Waits for all processes, without work for the processor.
void wait_for_all(const Communicator& ranks) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(ranks.get(), &request);
    for (int is_complete = 0; is_complete == 0;) {
        MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    MPI_Barrier(ranks.get()); // Then all begin at the same time.
}

template <class F>
double run(const benchmarks::Instance& instance, npuzzle::Statistics& statistics, F&& solve) {
    const Puzzle puzzle(npuzzle::goal_blank_first(4));
    const Board start(instance.tiles);
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

void compare(const Communicator& ranks, const benchmarks::Instance& instance, int rounds, unsigned threads) {
    npuzzle::Statistics one;
    npuzzle::Statistics several;
    double most_expanded = 0;
    const benchmarks::Seconds seconds = benchmarks::interleave(
        rounds,
        [&] {
            double time = 0;
            if (ranks.rank() == 0) {
                time = run(instance, one, [](const Puzzle& puzzle, const Board& start) {
                    return npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
                });
            }
            wait_for_all(ranks);
            return time;
        },
        [&] {
            const double time = run(instance, several, [&](const Puzzle& puzzle, const Board& start) {
                return npuzzle::distributed_astar(ranks.get(), puzzle, start, npuzzle::Manhattan{},
                                                  {.threads = threads});
            });
            most_expanded = std::max(most_expanded, static_cast<double>(several.expanded) /
                                                        static_cast<double>(one.expanded));
            return time;
        });
    if (ranks.rank() == 0) {
        const auto a_node = [](const npuzzle::Statistics& statistics) {
            return static_cast<double>(statistics.bytes) / static_cast<double>(statistics.stored);
        };
        std::printf("%5d %12llu %9.3f s %9.3f s %7.2f x %12.2f x %7.1f %7.1f\n", instance.number,
                    static_cast<unsigned long long>(one.stored), seconds.peer, seconds.npuzzle,
                    seconds.peer / seconds.npuzzle, most_expanded, a_node(one), a_node(several));
        std::fflush(stdout);
    }
}

} // namespace

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    try {
        const Communicator ranks(MPI_COMM_WORLD);
        const int rounds = argc > 1 ? std::stoi(argv[1]) : 3;
        const unsigned threads = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 1;
        std::vector<int> boards;
        for (int i = 3; i < argc; ++i) {
            boards.push_back(std::stoi(argv[i]));
        }
        if (boards.empty()) {
            boards = {12, 42, 9, 28, 2, 1, 3, 4, 66}; // from small to large
        }
        if (ranks.rank() == 0) {
            std::printf("%5s %12s %11s %11s %9s %14s %15s\n", "board", "stored by 1", "1 process",
                        (std::to_string(ranks.size()) + " processes").c_str(), "speed", "most expanded",
                        "bytes a node");
        }
        for (const int board : boards) {
            compare(ranks, benchmarks::korf_boards.at(static_cast<std::size_t>(board - 1)), rounds, threads);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "distributed_astar: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}
