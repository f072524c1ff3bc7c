#include <npuzzle/search/anytime.hpp>

#include "families.hpp"

namespace program {

Outcome anytime(const Task& task, double weight) {
    return with_puzzle(task, [&](const auto& puzzle, const auto& start) {
        const auto go_on = [](const auto& /*solution*/) {};
        const auto result =
            npuzzle::anytime_astar(puzzle, start, task.heuristic, go_on, npuzzle::AnytimeOptions{weight},
                                   task.limits, SearchWatch(task.line, "anytime"));
        Outcome outcome = outcome_of(result);
        if (result.is_solution) outcome.solution = result.moves;
        outcome.is_shortest = result.status == npuzzle::Status::solved;
        return outcome;
    });
}

} // namespace program
