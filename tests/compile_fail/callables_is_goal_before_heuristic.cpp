// mend: [](const State& state) { return state == goal; }
// A call without a problem, whose goal test stands in the place of the heuristic.
#include <npuzzle/search.hpp>

#include <vector>

int main() {
    const auto neighbors = [](int x) { return std::vector{x + 1, 2 * x}; };
    const auto is_goal = [](int x) { return x == 97; };
#ifdef CONTROL
    npuzzle::astar(1, neighbors, npuzzle::Zero{}, is_goal);
#else
    npuzzle::astar(1, neighbors, is_goal, npuzzle::Zero{});
#endif
}
