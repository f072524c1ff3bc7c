#include <npuzzle/search/bidirectional.hpp>

#include "families.hpp"

namespace program {

namespace {

// True of all heuristics here except pattern databases, which were refused before.
class ConsistentHeuristic {
public:
    template <int N>
    struct Bound : BoundHeuristic<N> {
        static constexpr bool is_consistent = true;
    };

    explicit ConsistentHeuristic(const AnyHeuristic& heuristic) : heuristic_(&heuristic) {}

    template <int N>
    Bound<N> bind(const npuzzle::SlidingPuzzle<N>& puzzle) const {
        return Bound<N>{heuristic_->bind(puzzle)};
    }

private:
    const AnyHeuristic* heuristic_;
};

} // namespace

Outcome bidirectional(const Task& task) {
    return with_puzzle(task, [&](const auto& puzzle, const auto& start) {
        return outcome_of(npuzzle::bidirectional_astar(puzzle, start, ConsistentHeuristic(task.heuristic),
                                                       task.limits, SearchWatch(task.line, "bidirectional")));
    });
}

} // namespace program
