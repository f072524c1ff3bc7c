// mend: (start, neighbors, npuzzle::Zero{}, is_goal)
// A call without a problem of a search that needs a heuristic, without one.
#include <npuzzle/search.hpp>

#include <vector>

int main() {
    const auto neighbors = [](int x) { return std::vector{x + 1, 2 * x}; };
    const auto is_goal = [](int x) { return x == 97; };
#ifdef CONTROL
    const auto result = npuzzle::greedy_best_first(1, neighbors, npuzzle::Zero{}, is_goal);
#else
    const auto result = npuzzle::greedy_best_first(1, neighbors, is_goal);
#endif
    return result ? 0 : 1;
}
