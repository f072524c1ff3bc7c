// A* on the 15-puzzle with Manhattan distance, over the first five of Korf's boards: expansions per second, and bytes per
// stored node. Table set-up and path are in the time, and every answer is checked: exits with 1 if one is wrong.
//
//     cmake --preset release && cmake --build --preset release --target benchmark.solve.astar_15_puzzle
//     taskset -c 0 build/release/benchmarks/solve/astar_15_puzzle

#include <npuzzle/puzzle.hpp>
#include <npuzzle/search.hpp>

#include "../support/instances.hpp"
#include "../support/process_memory.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace {

/// Whether a path is one: from the start to the goal, one move a step, as long as published.
template <class Puzzle, class Result>
bool is_right(const Puzzle& puzzle, const typename Puzzle::State& start, const Result& result,
              int optimal_cost) {
    if (!result || result.cost != optimal_cost ||
        result.path.size() != static_cast<std::size_t>(optimal_cost) + 1 || result.path.front() != start ||
        !puzzle.is_goal(result.path.back())) {
        return false;
    }
    for (std::size_t i = 1; i < result.path.size(); ++i) {
        bool is_step = false;
        for (const auto& neighbor : puzzle.neighbors(result.path[i - 1])) {
            is_step = is_step || neighbor == result.path[i];
        }
        if (!is_step) {
            return false;
        }
    }
    return true;
}

} // namespace

int main() {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    std::uint64_t all_expanded = 0;
    double all_seconds = 0;
    std::printf("%5s %6s %12s %12s %9s %10s %12s %12s\n", "board", "moves", "expanded", "stored", "seconds",
                "M exp/s", "bytes/node", "(counted)");
    for (const benchmarks::Instance& instance : benchmarks::korf_first_five) {
        const npuzzle::PackedBoard<4> start(instance.tiles);
        const benchmarks::PeakGrowth growth;
        const auto before = std::chrono::steady_clock::now();
        const auto result = npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - before;
        const auto bytes = static_cast<double>(growth.bytes());
        if (!is_right(puzzle, start, result, instance.optimal_cost)) {
            std::fprintf(stderr, "board %d: %s, %d moves, not the %d published\n", instance.number,
                         std::string(to_string(result.status)).c_str(), result.cost, instance.optimal_cost);
            return 1;
        }
        const npuzzle::Statistics& statistics = result.statistics;
        const auto stored = static_cast<double>(statistics.stored);
        std::printf("%5d %6d %12llu %12llu %9.3f %10.2f %12.1f %12.1f\n", instance.number, result.cost,
                    static_cast<unsigned long long>(statistics.expanded),
                    static_cast<unsigned long long>(statistics.stored), seconds.count(),
                    static_cast<double>(statistics.expanded) / seconds.count() / 1e6, bytes / stored,
                    static_cast<double>(statistics.bytes) / stored);
        all_expanded += statistics.expanded;
        all_seconds += seconds.count();
    }
    std::printf("all: %.3f s, %.2f M expansions/s\n", all_seconds,
                static_cast<double>(all_expanded) / all_seconds / 1e6);
}
