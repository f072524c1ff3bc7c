#include <npuzzle/puzzle/pattern_database/verify.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "families.hpp"

namespace program {

Outcome ida_star(const Task& task) {
    return with_puzzle(task, [&]<int N>(const npuzzle::SlidingPuzzle<N>& puzzle, const auto& start) {
        auto heuristic = task.heuristic.bind(puzzle);
        // Only wrong tables lead beyond this bound.
        npuzzle::limits_t<npuzzle::SlidingPuzzle<N>> limits = task.limits;
        limits.max_cost = npuzzle::enough_moves(task.board.size(), static_cast<int>(task.goal.blank_cell()));
        return outcome_of(npuzzle::ida_star(RolledPuzzle<N>(puzzle), start, heuristic, limits,
                                            SearchWatch(task.line, "ida")));
    });
}

} // namespace program
