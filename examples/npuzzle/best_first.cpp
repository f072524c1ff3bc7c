#include <npuzzle/search/best_first.hpp>

#include "families.hpp"

#include <chrono>

namespace program {

Outcome best_first(const Task& task, std::optional<double> weight) {
    // One function for all weights: greedy search is that with nothing of g.
    const double of_g = weight ? 1 : 0;
    const double of_h = weight.value_or(1);
    const auto priority = [=](auto g, auto h) {
        return of_g * static_cast<double>(g) + of_h * static_cast<double>(h);
    };
    return with_puzzle(task, [&](const auto& puzzle, const auto& start) {
        return outcome_of(npuzzle::best_first(puzzle, start, task.heuristic, priority, task.limits,
                                              SearchWatch(task.line, "best-first")));
    });
}

Outcome anytime(const Task& task) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point started = Clock::now();
    Outcome best;
    best.is_shortest = false;
    npuzzle::Limits limits = task.limits;
    std::uint64_t expanded = 0;
    for (const double weight : {5.0, 3.0, 2.0, 1.5, 1.2, 1.0}) {
        if (limits.expansions != npuzzle::Limits::unlimited)
            limits.expansions = task.limits.expansions - expanded;
        if (limits.time != std::chrono::nanoseconds::max())
            limits.time = task.limits.time - (Clock::now() - started);
        Outcome next = best_first({task.board, task.goal, task.heuristic, limits, task.line}, weight);
        expanded += next.statistics.expanded;
        if (next.solution && (!best.solution || next.moves() < best.moves())) best.solution = next.solution;
        best.status = next.status;
        best.statistics = next.statistics;
        if (next.status != npuzzle::Status::solved) break;
        best.is_shortest = weight == 1.0;
    }
    best.statistics.expanded = expanded;
    best.statistics.seconds = std::chrono::duration<double>(Clock::now() - started).count();
    return best;
}

} // namespace program
