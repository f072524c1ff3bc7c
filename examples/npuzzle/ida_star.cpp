#include <npuzzle/search/ida_star.hpp>

#include "families.hpp"

namespace program {

namespace {

// Hides the places that are known at compile time: the search would be compiled for each of them.
template <int N>
class RolledPuzzle : public npuzzle::SlidingPuzzle<N> {
public:
    explicit RolledPuzzle(const npuzzle::SlidingPuzzle<N>& puzzle) : npuzzle::SlidingPuzzle<N>(puzzle) {}

    void with_place() const = delete;
};

} // namespace

Outcome ida_star(const Task& task) {
    return with_puzzle(task, [&]<int N>(const npuzzle::SlidingPuzzle<N>& puzzle, const auto& start) {
        auto heuristic = task.heuristic.bind(puzzle);
        return outcome_of(npuzzle::ida_star(RolledPuzzle<N>(puzzle), start, heuristic, task.limits,
                                            SearchWatch(task.line, "ida")));
    });
}

} // namespace program
