// The boards of the 15-puzzle at each depth from a corner goal, counted layer by layer and compared with the published counts.
//
//     g++ -std=c++20 -O2 -I include -I benchmarks benchmarks/layers.cpp -o layers && ./layers [DEPTH]
//
// Depth 24, where nothing is given, takes half a gigabyte; each depth more takes 1.8 times as much.

#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/breadth_first_layers.hpp>

#include "support/answers.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

/// R. E. Korf, P. Schultze, "Large-scale parallel breadth-first search", AAAI 2005; also The On-Line Encyclopedia of Integer
/// Sequences, A089484.
// clang-format off
const std::vector<std::uint64_t> published = {
    1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1'948, 3'938, 7'808, 15'544, 30'821, 60'842, 119'000, 231'844,
    447'342, 859'744, 1'637'383, 3'098'270, 5'802'411, 10'783'780, 19'826'318, 36'142'146, 65'135'623,
    116'238'056, 204'900'019, 357'071'928, 613'926'161, 1'042'022'040, 1'742'855'397,
};
// clang-format on

} // namespace

int main(int argc, char** argv) {
    const int depth = argc > 1 ? std::atoi(argv[1]) : 24;
    if (depth < 0 || depth >= static_cast<int>(published.size())) {
        std::fprintf(stderr, "usage: layers [DEPTH], from 0 to %d\n", static_cast<int>(published.size()) - 1);
        return 2;
    }
    try {
        const npuzzle::SlidingPuzzle<4> puzzle;
        const auto layers = npuzzle::breadth_first_layers(
            puzzle, puzzle.goal(), {.max_cost = depth}, [](int layer, std::uint64_t count) {
                benchmarks::require(count == published[static_cast<std::size_t>(layer)],
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
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wrong: %s\n", error.what());
        return 1;
    }
}
