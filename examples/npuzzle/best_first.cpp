#include <npuzzle/search/best_first.hpp>

#include "families.hpp"

namespace program {

Outcome best_first(const Task& task, std::optional<double> weight) {
    if (!weight) {
        return with_puzzle(task, [&](const auto& puzzle, const auto& start) {
            return outcome_of(npuzzle::greedy_best_first(puzzle, start, task.heuristic, task.limits,
                                                         SearchWatch(task.line, "best-first")));
        });
    }
    // States are reopened, because pattern databases are not consistent.
    return with_puzzle(task, [&](const auto& puzzle, const auto& start) {
        return outcome_of(
            npuzzle::weighted_astar(puzzle, start, task.heuristic, {.weight = *weight}, task.limits,
                                    SearchWatch(task.line, *weight == 1 ? "astar" : "best-first")));
    });
}

} // namespace program
