// mend: [](const State& state) { return std::vector<State>{}; }
// A call without a problem, whose neighbors are those of another state.
#include <npuzzle/search.hpp>

#include <string>
#include <vector>

int main() {
#ifdef CONTROL
    using State = int;
#else
    using State = std::string;
#endif
    const auto neighbors = [](const State& state) { return std::vector<State>{state}; };
    npuzzle::weighted_astar(1, neighbors, npuzzle::Zero{}, [](int x) { return x == 97; }, {.weight = 2});
}
