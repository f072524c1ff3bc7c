#include <npuzzle/search/external_astar.hpp>

#include "families.hpp"

namespace program {

Outcome external_astar(const Task& task) {
    return with_packed_puzzle(task, [&](const auto& puzzle, const auto& start) {
        return outcome_of(npuzzle::external_astar(puzzle, start, task.heuristic,
                                                  {.folder = task.options.spill}, task.limits,
                                                  SearchWatch(task.line, "best-first")));
    });
}

} // namespace program
