// mend: [](const State& state) { return state == goal; }
// A call without a problem, whose goal test returns nothing.
#include <npuzzle/search.hpp>

#include <vector>

int main() {
    const auto neighbors = [](int x) { return std::vector{x + 1, 2 * x}; };
#ifdef CONTROL
    const auto is_goal = [](int x) { return x == 97; };
#else
    const auto is_goal = [](int) {};
#endif
    npuzzle::dijkstra(1, neighbors, is_goal);
}
