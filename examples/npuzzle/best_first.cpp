#include <npuzzle/search/best_first.hpp>

#include "families.hpp"

namespace program {

Outcome best_first(const Task& task, std::optional<double> weight) {
    // One function for all weights: greedy search is that with nothing of g. Our heuristics are consistent, so that the bound
    // of the weight holds without opening a state again; greedy search might open each one many times.
    constexpr npuzzle::Policy without_reopening{.reopens = false};
    const double of_g = weight ? 1 : 0;
    const double of_h = weight.value_or(1);
    const auto priority = [=](auto g, auto h) {
        return of_g * static_cast<double>(g) + of_h * static_cast<double>(h);
    };
    return with_puzzle(task, [&](const auto& puzzle, const auto& start) {
        return outcome_of(npuzzle::best_first<without_reopening>(
            puzzle, start, task.heuristic, priority, task.limits, SearchWatch(task.line, "best-first")));
    });
}

} // namespace program
