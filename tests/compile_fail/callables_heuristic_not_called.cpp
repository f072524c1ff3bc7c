// mend: int operator()(const State&) const;
// A call without a problem, whose heuristic has no value.
#include <npuzzle/search.hpp>

#include <vector>

int main() {
    const auto neighbors = [](int x) { return std::vector{x + 1, 2 * x}; };
#ifdef CONTROL
    const auto heuristic = [](int) { return 0; };
#else
    const auto heuristic = [](int) {};
#endif
    npuzzle::greedy_best_first(1, neighbors, heuristic, [](int x) { return x == 97; });
}
