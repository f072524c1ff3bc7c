// A* or IDA* on several threads, or A* with its nodes in a file, against the same on one thread in memory, in
// turn, on Korf's boards of the 15-puzzle. Each answer is checked. The speedups in docs/parallel.md, the table
// in docs/memory.md.
//
//     g++ -std=c++20 -O2 -DNDEBUG -pthread -Iinclude -Ibenchmarks benchmarks/large_astar.cpp -o large_astar
//     ./large_astar threads|ida [THREADS [ROUNDS [BOARD...]]]
//     ./large_astar file [MEGABYTES [ROUNDS [BOARD...]]]
//
// The file is in the current folder. With 0 rounds there is one search of each board, without the one in
// memory: for boards that do not fit in memory, such as number 88 where the machine has 2 GB.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/external_astar.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/parallel_astar.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/process_memory.hpp"
#include "support/timing.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

/// Solves a board, and returns the seconds.
template <class F>
double run(const benchmarks::Instance& instance, const char* who, F&& solve) {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> start(instance.tiles);
    const benchmarks::PeakGrowth growth;
    const benchmarks::Stopwatch stopwatch;
    const auto result = solve(puzzle, start);
    const double seconds = stopwatch.seconds();
    const auto bytes = static_cast<double>(growth.bytes());
    const std::string name = "board " + std::to_string(instance.number);
    benchmarks::require(result.status == npuzzle::Status::solved && result.cost == instance.optimal_cost,
                        name + ": not the published cost");
    benchmarks::require_path(puzzle, start, result.path, result.cost, name);
    double file_bytes = 0;
    if constexpr (requires { result.file_bytes; }) {
        file_bytes = static_cast<double>(result.file_bytes);
    }
    std::printf("%5d  %-12s %8.3f s %9.2f M expanded %9.2f M stored %9.1f MB memory %9.1f MB file\n",
                instance.number, who, seconds, static_cast<double>(result.statistics.expanded) / 1e6,
                static_cast<double>(result.statistics.stored) / 1e6, bytes / 1e6, file_bytes / 1e6);
    std::fflush(stdout);
    return seconds;
}

} // namespace

int main(int argc, char** argv) {
    try {
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        const auto number = [&](std::size_t i, int otherwise) {
            return arguments.size() > i ? std::stoi(arguments[i]) : otherwise;
        };
        const bool has_file = !arguments.empty() && arguments[0] == "file";
        const bool is_ida = !arguments.empty() && arguments[0] == "ida";
        const auto threads = static_cast<unsigned>(number(1, 2));
        const std::uint64_t bytes = static_cast<std::uint64_t>(number(1, 64)) * 1'000'000;
        const int rounds = number(2, 3);
        std::vector<int> boards{12, 42, 9, 28, 2, 1, 3, 4, 66}; // from small to large
        if (has_file) {
            boards = {13, 5, 2, 98, 10};
        }
        if (arguments.size() > 3) {
            boards.clear();
        }
        for (std::size_t i = 3; i < arguments.size(); ++i) {
            boards.push_back(std::stoi(arguments[i]));
        }
        for (const int board : boards) {
            const auto& instance = benchmarks::korf_boards.at(static_cast<std::size_t>(board) - 1);
            const auto search = [&] {
                return is_ida ? run(instance, "threads",
                                    [&](const auto& puzzle, const auto& start) {
                                        return npuzzle::parallel_ida_star(puzzle, start, npuzzle::Manhattan{},
                                                                          {.threads = threads});
                                    })
                       : has_file
                           ? run(instance, "in a file",
                                 [&](const auto& puzzle, const auto& start) {
                                     return npuzzle::external_astar(puzzle, start, npuzzle::Manhattan{},
                                                                    {.folder = "."}, {.bytes = bytes});
                                 })
                           : run(instance, "threads", [&](const auto& puzzle, const auto& start) {
                                 return npuzzle::parallel_astar(puzzle, start, npuzzle::Manhattan{},
                                                                {.threads = threads});
                             });
            };
            if (rounds == 0) {
                search();
                continue;
            }
            const auto in_memory = [&] {
                return run(instance, "in memory", [&](const auto& puzzle, const auto& start) {
                    return is_ida ? npuzzle::ida_star(puzzle, start, npuzzle::Manhattan{})
                                  : npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
                });
            };
            const benchmarks::Seconds seconds = benchmarks::interleave(rounds, in_memory, search);
            std::printf("%5d  speed %.2f x\n", board, seconds.peer / seconds.npuzzle);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "large_astar: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
