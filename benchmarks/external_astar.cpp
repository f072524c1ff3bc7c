// External A* against A* in memory, in turn, on Korf's boards of the 15-puzzle. Each answer is checked. The
// table in docs/memory.md.
//
//     g++ -std=c++20 -O2 -DNDEBUG -I include -I benchmarks benchmarks/external_astar.cpp -o external_astar
//     ./external_astar [MEGABYTES [FOLDER [ROUNDS [BOARD...]]]]
//
// With no rounds there is one search of each board, external A* alone: for boards that do not fit in memory,
// such as number 88 where a control group or the machine has 2 GB.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/external_astar.hpp>

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

/// One search: what it did, and the growth of the process at its peak.
struct Search {
    npuzzle::Statistics statistics;
    std::uint64_t bytes = 0;
    std::uint64_t file_bytes = 0;
};

template <class F>
double run(const benchmarks::Instance& instance, Search& search, F&& solve) {
    const Puzzle puzzle(npuzzle::goal_blank_first(4));
    const Board start(instance.tiles);
    const benchmarks::PeakGrowth growth;
    const benchmarks::Stopwatch stopwatch;
    const auto result = solve(puzzle, start);
    const double seconds = stopwatch.seconds();
    search.statistics = result.statistics;
    search.bytes = growth.bytes();
    if constexpr (requires { result.file_bytes; }) {
        search.file_bytes = result.file_bytes;
    }
    const std::string name = "board " + std::to_string(instance.number);
    benchmarks::require(result.status == npuzzle::Status::solved && result.cost == instance.optimal_cost,
                        name + ": not the published cost");
    benchmarks::require_path(puzzle, start, result.path, result.cost, name);
    return seconds;
}

void print(int board, const char* name, const Search& search, double seconds) {
    const auto millions = [](std::uint64_t count) { return static_cast<double>(count) / 1e6; };
    std::printf("%5d  %-12s %8.2f s %9.2f M expanded %9.2f M stored %9.1f MB memory %9.1f MB file\n", board,
                name, seconds, millions(search.statistics.expanded), millions(search.statistics.stored),
                millions(search.bytes), millions(search.file_bytes));
    std::fflush(stdout);
}

void compare(const benchmarks::Instance& instance, std::uint64_t megabytes, const std::string& folder,
             int rounds) {
    Search in_memory;
    Search external;
    const auto search_external = [&] {
        return run(instance, external, [&](const Puzzle& puzzle, const Board& start) {
            return npuzzle::external_astar(puzzle, start, npuzzle::Manhattan{}, {.folder = folder},
                                           {.bytes = megabytes * 1'000'000});
        });
    };
    if (rounds == 0) {
        const double seconds = search_external();
        print(instance.number, "external A*", external, seconds);
        return;
    }
    const benchmarks::Seconds seconds = benchmarks::interleave(
        rounds,
        [&] {
            return run(instance, in_memory, [](const Puzzle& puzzle, const Board& start) {
                return npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
            });
        },
        search_external);
    print(instance.number, "A*", in_memory, seconds.peer);
    print(instance.number, "external A*", external, seconds.npuzzle);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        const auto number = [&](std::size_t i, int otherwise) {
            return arguments.size() > i ? std::stoi(arguments[i]) : otherwise;
        };
        const auto megabytes = static_cast<std::uint64_t>(number(0, 64));
        const std::string folder = arguments.size() > 1 ? arguments[1] : ".";
        const int rounds = number(2, 3);
        std::vector<int> boards;
        for (std::size_t i = 3; i < arguments.size(); ++i) {
            boards.push_back(std::stoi(arguments[i]));
        }
        if (boards.empty()) {
            boards = {13, 5, 2, 98, 10};
        }
        for (const int board : boards) {
            compare(benchmarks::korf_boards.at(static_cast<std::size_t>(board) - 1), megabytes, folder,
                    rounds);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
