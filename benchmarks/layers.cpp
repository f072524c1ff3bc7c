// Counts the boards of the 15-puzzle at each depth from a goal in the corner, layer by layer, and compares
// them with the published counts. With a number of threads: these against one, in turn, on that space and on
// small ones; the table in docs/search/parallel.md.
//
//     g++ -std=c++20 -O2 -DNDEBUG -pthread -I include -I benchmarks benchmarks/layers.cpp -o layers
//     ./layers [DEPTH [THREADS [ROUNDS]]]
//
// The default depth, 24, takes half a gigabyte. Each further depth takes 1.8 times as much.

#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/breadth_first_layers.hpp>
#include <npuzzle/search/parallel/parallel_breadth_first_layers.hpp>

#include "support/answers.hpp"
#include "support/published_layers.hpp"
#include "support/timing.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <optional>
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

/// Numbers of 22 bits, each beside those that differ in one bit.
struct Hypercube {
    using State = std::uint32_t;
    static constexpr std::uint32_t dimensions = 22;

    std::array<State, dimensions> neighbors(State state) const {
        std::array<State, dimensions> result;
        for (std::uint32_t bit = 0; bit < dimensions; ++bit) {
            result[bit] = state ^ State { 1 } << bit;
        }
        return result;
    }
    bool is_goal(State state) const { return state == goal(); }
    State goal() const { return 0; }
    std::uint64_t size() const { return std::uint64_t{1} << dimensions; }
    std::uint64_t index(State state) const { return state; }
};

/// Several threads against one.
/// \param states how many there are to this depth
template <class P>
void compare(const std::string& name, const P& problem, std::optional<int> depth, std::uint64_t states,
             int times, unsigned threads, int rounds) {
    double megabytes[2] = {};
    const auto run = [&](double& held, auto&& search) {
        const benchmarks::Stopwatch stopwatch;
        for (int i = 0; i < times; ++i) {
            const npuzzle::LayerCounts layers = search();
            benchmarks::require(
                std::accumulate(layers.counts.begin(), layers.counts.end(), std::uint64_t{0}) == states,
                name + ": the number of states");
            held = static_cast<double>(layers.statistics.bytes) / 1e6;
        }
        return stopwatch.seconds() / times;
    };
    const npuzzle::BasicLimits<int> limits{.max_cost = depth};
    const benchmarks::Seconds seconds = benchmarks::interleave(
        rounds,
        [&] {
            return run(megabytes[0],
                       [&] { return npuzzle::breadth_first_layers(problem, problem.goal(), limits); });
        },
        [&] {
            return run(megabytes[1], [&] {
                return npuzzle::parallel_breadth_first_layers(problem, problem.goal(), {.threads = threads},
                                                              limits);
            });
        });
    std::printf("%-24s %11llu %10.3f ms %10.3f ms %6.2f x %7.1f MB %7.1f MB\n", name.c_str(),
                static_cast<unsigned long long>(states), 1e3 * seconds.peer, 1e3 * seconds.npuzzle,
                seconds.peer / seconds.npuzzle, megabytes[0], megabytes[1]);
    std::fflush(stdout);
}

void compare_all(int depth, unsigned threads, int rounds) {
    std::printf("%-24s %11s %13s %13s %8s %10s\n", "", "states", "1 thread",
                (std::to_string(threads) + " threads").c_str(), "speed", "memory");
    const npuzzle::SlidingPuzzle<4> puzzle;
    const auto to_depth = [&](int last, int times) {
        compare("15-puzzle to depth " + std::to_string(last), puzzle, last,
                std::accumulate(boards_of_15_puzzle.begin(), boards_of_15_puzzle.begin() + last + 1,
                                std::uint64_t{0}),
                times, threads, rounds);
    };
    to_depth(10, 200);
    compare("8-puzzle", npuzzle::SlidingPuzzle<3>{}, std::nullopt, 181'440, 5, threads, rounds);
    to_depth(15, 10); // no layer that is expanded is divided until here
    to_depth(16, 5);
    to_depth(18, 2);
    compare("hypercube", Hypercube{}, std::nullopt, Hypercube{}.size(), 1, threads, rounds);
    to_depth(depth, 1);
}

} // namespace

int main(int argc, char** argv) {
    const int depth = argc > 1 ? std::atoi(argv[1]) : 24;
    if (depth < 0 || depth >= static_cast<int>(boards_of_15_puzzle.size())) {
        std::fprintf(stderr, "usage: layers [DEPTH [THREADS [ROUNDS]]], with DEPTH from 0 to %d\n",
                     static_cast<int>(boards_of_15_puzzle.size()) - 1);
        return 2;
    }
    try {
        if (argc > 2) {
            compare_all(depth, static_cast<unsigned>(std::stoul(argv[2])), argc > 3 ? std::stoi(argv[3]) : 5);
        } else {
            count(depth);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wrong: %s\n", error.what());
        return 1;
    }
}
