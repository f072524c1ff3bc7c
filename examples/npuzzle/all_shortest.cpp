#include <npuzzle/search/all_paths.hpp>

#include "families.hpp"

namespace program {

Outcome all_shortest(const Task& task, const VisitSolution& visit) {
    return with_puzzle(task, [&](const auto& puzzle, const auto& start) {
        const auto visit_path = [&](const auto& /*path*/, const auto& moves) {
            visit(moves);
            return true;
        };
        const auto result =
            visit ? npuzzle::for_each_optimal_path(puzzle, start, task.heuristic, visit_path, task.limits)
                  : npuzzle::count_optimal(puzzle, start, task.heuristic, task.limits);
        Outcome outcome = outcome_of(result);
        outcome.count = result.count;
        return outcome;
    });
}

} // namespace program
