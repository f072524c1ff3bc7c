#include <npuzzle/puzzle/ranked_puzzle.hpp>
#include <npuzzle/search/dense_astar.hpp>

#include "families.hpp"

namespace program {

Outcome dense_astar(const Task& task) {
    const npuzzle::RankedPuzzle<4> ranked(task.goal);
    return outcome_of(npuzzle::dense_astar(npuzzle::SlidingPuzzle<4>(task.goal), ranked,
                                           npuzzle::PackedBoard<4>(task.board), task.heuristic, {},
                                           task.limits, SearchWatch(task.line, "best-first")));
}

} // namespace program
