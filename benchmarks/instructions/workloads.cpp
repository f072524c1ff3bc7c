// One fixed search, for scripts/instructions to count what it executes:
//
//     workloads astar_packed | astar_plain | ida_star
//
// Exit status 1: the answer was wrong.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "problems/plain_puzzle.hpp"
#include "support/instances.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace {

using benchmarks::Instance;

const Instance& korf(int number) {
    return benchmarks::korf_boards[static_cast<std::size_t>(number - 1)];
}

template <class Result>
int report(const Result& result, std::uint64_t nodes, const Instance& instance) {
    std::printf("%llu\n", static_cast<unsigned long long>(nodes));
    return result.status == npuzzle::Status::solved && result.cost == instance.optimal_cost ? 0 : 1;
}

int astar_packed() {
    const Instance& instance = korf(55);
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const auto result = npuzzle::astar(puzzle, npuzzle::PackedBoard<4>(instance.tiles), npuzzle::Manhattan{});
    return report(result, result.statistics.expanded, instance);
}

int astar_plain() {
    const Instance& instance = korf(42);
    problems::Plain15Puzzle::State start{};
    for (std::size_t cell = 0; cell < start.size(); ++cell) {
        start[cell] = static_cast<std::uint8_t>(instance.tiles[cell]);
    }
    const auto result = npuzzle::astar(problems::Plain15Puzzle{}, start, problems::plain_manhattan);
    return report(result, result.statistics.expanded, instance);
}

int ida_star() {
    const Instance& instance = korf(19);
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const auto result =
        npuzzle::ida_star(puzzle, npuzzle::PackedBoard<4>(instance.tiles), npuzzle::Manhattan{});
    return report(result, result.statistics.generated, instance);
}

} // namespace

int main(int argc, char** argv) {
    const std::string name = argc == 2 ? argv[1] : "";
    if (name == "astar_packed") {
        return astar_packed();
    }
    if (name == "astar_plain") {
        return astar_plain();
    }
    if (name == "ida_star") {
        return ida_star();
    }
    std::fputs("usage: workloads astar_packed | astar_plain | ida_star\n", stderr);
    return 2;
}
