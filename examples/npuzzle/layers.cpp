#include <npuzzle/search/astar_then_breadth_first.hpp>

#include "families.hpp"

namespace program {

Outcome astar_then_layers(const Task& task) {
    return with_puzzle(task, [&](const auto& puzzle, const auto& start) {
        return outcome_of(npuzzle::astar_then_breadth_first(puzzle, start, task.heuristic, {}, task.limits,
                                                            SearchWatch(task.line, "bfhs")));
    });
}

} // namespace program
