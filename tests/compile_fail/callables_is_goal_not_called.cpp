// mend: [](const State& state) { return state == goal; }
// A call without a problem, whose goal test is one of another state.
#include <npuzzle/search.hpp>

#include <string>
#include <vector>

int main() {
    const auto neighbors = [](int x) { return std::vector{x + 1, 2 * x}; };
#ifdef CONTROL
    const auto is_goal = [](int x) { return x == 97; };
#else
    const auto is_goal = [](const std::string& word) { return word == "97"; };
#endif
    npuzzle::astar(1, neighbors, npuzzle::Zero{}, is_goal);
}
