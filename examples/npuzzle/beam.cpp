#include <npuzzle/search/beam.hpp>

#include "families.hpp"

namespace program {

Outcome beam(const Task& task) {
    constexpr std::size_t first_width = 64;
    return with_puzzle(task, [&](const auto& puzzle, const auto& start) {
        return outcome_of(npuzzle::doubling_beam(puzzle, start, task.heuristic, {.width = first_width},
                                                 task.limits, SearchWatch(task.line, "beam")));
    });
}

} // namespace program
