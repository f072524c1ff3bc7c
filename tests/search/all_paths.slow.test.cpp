#include <npuzzle/puzzle/heuristics/walking_distance.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/all_paths.hpp>

#include "support/catch.hpp"
#include "support/puzzle_space.hpp"

#include <cstddef>
#include <cstdint>

TEST_CASE("each third board of the 8-puzzle has as many shortest solutions as breadth-first search counts",
          "[all_paths]") {
    constexpr std::size_t stride = 3; // with 1, all of them, in about a minute
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::WalkingDistance heuristic;
    std::size_t boards = 0;
    std::uint64_t sum = 0;
    for (const auto& [cells, paths] : oracle::shortest_paths_of_size_3()) {
        if (boards++ % stride != 0) {
            continue;
        }
        const npuzzle::PackedBoard<3> board(cells);
        const auto result = npuzzle::count_optimal(puzzle, board, heuristic);
        if (!result || result.count != paths || !result.is_complete) {
            FAIL(result.count << " paths instead of " << paths << ": " << board);
        }
        sum += result.count;
    }
    CHECK(boards == 181'440);
    CHECK(sum > 2 * boards / stride);
}
