#include <npuzzle/search/ida_star.hpp>

#include "families.hpp"

namespace program {

Outcome ida_star(const Task& task) {
    return with_puzzle(task, [&]<int N>(const npuzzle::SlidingPuzzle<N>& puzzle, const auto& start) {
        auto heuristic = task.heuristic.bind(puzzle);
        return outcome_of(npuzzle::ida_star(npuzzle::RolledPuzzle<N>(puzzle), start, heuristic, task.limits,
                                            SearchWatch(task.line, "ida")));
    });
}

} // namespace program
