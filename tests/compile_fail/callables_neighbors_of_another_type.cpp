// mend: [](const State& state) { return std::vector<State>{}; }
// A call without a problem, whose neighbors are a range, but not one of states.
#include <npuzzle/search.hpp>

#include <string>
#include <vector>

int main() {
#ifdef CONTROL
    using Neighbor = int;
#else
    using Neighbor = std::string;
#endif
    const auto neighbors = [](int) { return std::vector<Neighbor>{}; };
    npuzzle::astar(1, neighbors, npuzzle::Zero{}, [](int x) { return x == 97; });
}
