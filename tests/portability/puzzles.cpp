// Sliding-tile puzzles, on whatever target this is compiled for: exit code 0 if the answers are right.
#include <npuzzle/puzzle.hpp>

#include <cstdio>

namespace {

int failures = 0;

void check(bool condition, const char* what) {
    if (!condition) {
        std::printf("wrong: %s\n", what);
        ++failures;
    }
}

} // namespace

int main() {
    // The first one takes 31 moves, as many as any board of the 8-puzzle.
    const npuzzle::Board eight({8, 6, 7, 2, 5, 4, 3, 0, 1});
    check(npuzzle::Solver(eight).moves() == 31, "the 8-puzzle");

    const npuzzle::Board fifteen({6, 0, 8, 4, 11, 15, 7, 10, 3, 2, 5, 14, 13, 1, 9, 12});
    const npuzzle::SlidingPuzzle<4> puzzle;
    const npuzzle::PackedBoard<4> start(fifteen);
    const auto by_astar = npuzzle::astar(puzzle, start, npuzzle::LinearConflict{});
    check(by_astar.status == npuzzle::Status::solved, "the 15-puzzle by A*");
    check(npuzzle::ida_star(puzzle, start, npuzzle::Manhattan{}).cost == by_astar.cost,
          "the 15-puzzle by IDA*");
    check(npuzzle::astar(npuzzle::SlidingPuzzle(4), fifteen, npuzzle::Manhattan{}).cost == by_astar.cost,
          "the 15-puzzle with boards of any size");
    check(npuzzle::Solver(fifteen).moves() == by_astar.cost, "the 15-puzzle by the solver");
    check(!npuzzle::Solver(fifteen.twin()).is_solvable(), "parity");

    check(npuzzle::Solver(npuzzle::goal_blank_last(5)).moves() == 0, "the 24-puzzle");
    std::printf("%d moves, %llu expansions\n", static_cast<int>(by_astar.cost),
                static_cast<unsigned long long>(by_astar.statistics.expanded));
    return failures;
}
