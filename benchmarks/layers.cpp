// Counts the boards of the 15-puzzle at each depth from a goal in the corner, layer by layer, and compares
// them with the published counts.
//
//     g++ -std=c++20 -O2 -DNDEBUG -I include -I benchmarks benchmarks/layers.cpp -o layers
//     ./layers [DEPTH]
//
// The default depth, 24, takes half a gigabyte. Each further depth takes 1.8 times as much.

#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/layers.hpp>

#include "support/answers.hpp"
#include "support/published_layers.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

using benchmarks::boards_of_15_puzzle;

namespace {

void count(int depth) {
    const npuzzle::SlidingPuzzle<4> puzzle;
    const auto layers = npuzzle::breadth_first_layers(
        puzzle, puzzle.goal(), {.max_cost = depth}, [](int layer, std::uint64_t count) {
            benchmarks::require(count == boards_of_15_puzzle[static_cast<std::size_t>(layer)],
                                "the count at depth " + std::to_string(layer));
            std::printf("%2d  %12llu\n", layer, static_cast<unsigned long long>(count));
            std::fflush(stdout);
        });
    benchmarks::require(layers.status == npuzzle::Status::cost_limit, "the depth was not reached");
    const double expanded = static_cast<double>(layers.statistics.expanded);
    std::printf("%.1f s, %.2f million expansions a second, %.2f GB at most, %.1f bytes for each board of "
                "two layers\n",
                layers.statistics.seconds, expanded / layers.statistics.seconds / 1e6,
                static_cast<double>(layers.statistics.bytes) / 1e9,
                static_cast<double>(layers.statistics.bytes) /
                    static_cast<double>(layers.statistics.peak_open));
}

} // namespace

int main(int argc, char** argv) {
    const int depth = argc > 1 ? std::atoi(argv[1]) : 24;
    if (depth < 0 || depth >= static_cast<int>(boards_of_15_puzzle.size())) {
        std::fprintf(stderr, "usage: layers [DEPTH], with DEPTH from 0 to %d\n",
                     static_cast<int>(boards_of_15_puzzle.size()) - 1);
        return 2;
    }
    try {
        count(depth);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wrong: %s\n", error.what());
        return 1;
    }
}
