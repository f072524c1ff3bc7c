#include <npuzzle/search/anytime.hpp>

#include "families.hpp"

#include <cmath>
#include <cstdint>

namespace program {

Outcome anytime(const Task& task, double weight) {
    return with_puzzle(task, [&](const auto& puzzle, const auto& start) {
        const auto go_on = [](const auto& /*solution*/) {};
        const auto result =
            npuzzle::anytime_astar(puzzle, start, task.heuristic, go_on, npuzzle::AnytimeOptions{weight},
                                   task.limits, SearchWatch(task.line, "anytime"));
        Outcome outcome = outcome_of(result);
        if (result.is_solution) {
            outcome.solution = result.moves;
            outcome.is_shortest = result.status == npuzzle::Status::solved;
            outcome.is_bounded = !outcome.is_shortest;
            // The bound is the cost divided by what is proved.
            outcome.at_least =
                static_cast<std::int64_t>(std::ceil(static_cast<double>(result.cost) / result.bound - 1e-9));
        }
        return outcome;
    });
}

} // namespace program
