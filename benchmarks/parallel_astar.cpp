// A* on several threads against A* on one, in turn, on Korf's boards of the 15-puzzle. Each answer is
// checked. The speedups in docs/parallel.md.
//
//     g++ -std=c++20 -O2 -DNDEBUG -pthread -Iinclude -Ibenchmarks benchmarks/parallel_astar.cpp -o parallel
//     ./parallel [THREADS [ROUNDS [BOARD...]]]

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/parallel/parallel_astar.hpp>

#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/process_memory.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

using Board = npuzzle::PackedBoard<4>;
using Puzzle = npuzzle::SlidingPuzzle<4>;

/// One search: its nodes, and the growth of the process at its peak.
struct Search {
    npuzzle::Statistics statistics;
    double bytes = 0;
};

template <class F>
double run(const benchmarks::Instance& instance, Search& search, F&& solve) {
    const Puzzle puzzle(npuzzle::goal_blank_first(4));
    const Board start(instance.tiles);
    const benchmarks::PeakGrowth growth;
    const benchmarks::Stopwatch stopwatch;
    const auto result = solve(puzzle, start);
    const double seconds = stopwatch.seconds();
    search = {result.statistics, static_cast<double>(growth.bytes())};
    const std::string name = "board " + std::to_string(instance.number);
    benchmarks::require(result.status == npuzzle::Status::solved && result.cost == instance.optimal_cost,
                        name + ": not the published cost");
    benchmarks::require_path(puzzle, start, result.path, result.cost, name);
    return seconds;
}

void compare(const benchmarks::Instance& instance, unsigned threads, int rounds) {
    Search one;
    Search several;
    double max_expanded = 0;
    const benchmarks::Seconds seconds = benchmarks::interleave(
        rounds,
        [&] {
            return run(instance, one, [](const Puzzle& puzzle, const Board& start) {
                return npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
            });
        },
        [&] {
            const double time = run(instance, several, [&](const Puzzle& puzzle, const Board& start) {
                return npuzzle::parallel_astar(puzzle, start, npuzzle::Manhattan{}, {.threads = threads});
            });
            max_expanded = std::max(max_expanded, static_cast<double>(several.statistics.expanded) /
                                                      static_cast<double>(one.statistics.expanded));
            return time;
        });
    const auto a_node = [](const Search& search) {
        return search.bytes / static_cast<double>(search.statistics.stored);
    };
    std::printf("%5d %12llu %9.3f s %9.3f s %7.2f x %12.2f x %7.1f %7.1f\n", instance.number,
                static_cast<unsigned long long>(one.statistics.stored), seconds.peer, seconds.npuzzle,
                seconds.peer / seconds.npuzzle, max_expanded, a_node(one), a_node(several));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const unsigned threads = argc > 1 ? static_cast<unsigned>(std::stoul(argv[1])) : 2;
        const int rounds = argc > 2 ? std::stoi(argv[2]) : 3;
        std::vector<int> boards;
        for (int i = 3; i < argc; ++i) {
            boards.push_back(std::stoi(argv[i]));
        }
        if (boards.empty()) {
            boards = {12, 42, 9, 28, 2, 1, 3, 4, 66}; // from small to large
        }
        std::printf("%5s %12s %11s %11s %9s %14s %15s\n", "board", "stored by 1", "1 thread",
                    (std::to_string(threads) + " threads").c_str(), "speed", "most expanded", "bytes a node");
        for (const int board : boards) {
            compare(benchmarks::korf_boards.at(static_cast<std::size_t>(board - 1)), threads, rounds);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "parallel_astar: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
