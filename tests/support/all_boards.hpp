/// @file
/// A* on all boards of the 8-puzzle.
#pragma once

#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>

#include "support/catch.hpp"
#include "support/puzzle_space.hpp"

#include <cstddef>
#include <vector>

namespace test {

/// Runs A* on those of the 181,440 solvable boards for which `is_selected(number, depth)` is true, and
/// compares it with breadth-first search. Returns the number of these boards at each depth.
template <class H, class Select>
std::vector<int> search_all_boards_of_size_3(const H& heuristic, const Select& is_selected) {
    const auto& space = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    const npuzzle::SlidingPuzzle<3> puzzle;
    std::vector<int> counts(space.counts().size());
    std::size_t number = 0;
    for (const auto& cells : space.solvable()) {
        const int depth = space.depth(cells);
        if (!is_selected(number++, depth)) {
            continue;
        }
        const npuzzle::PackedBoard<3> board(cells);
        const auto result = npuzzle::astar(puzzle, board, heuristic);
        if (result.status != npuzzle::Status::solved || result.cost != depth) {
            FAIL(result.status << ", " << result.cost << " moves instead of " << depth << ": " << board);
        }
        if (result.statistics.reopened != 0 || result.statistics.contract_violations != 0) {
            FAIL(result.statistics.reopened << " reopened, " << result.statistics.contract_violations
                                            << " contract violations: " << board);
        }
        ++counts[static_cast<std::size_t>(depth)];
    }
    return counts;
}

/// The same for all boards.
template <class H>
std::vector<int> search_all_boards_of_size_3(const H& heuristic) {
    return search_all_boards_of_size_3(heuristic, [](std::size_t, int) { return true; });
}

} // namespace test
