// mend: int operator()(const State&) const;
// A heuristic that cannot be called with the problem's states.
#include <npuzzle/search.hpp>

#include <string>
#include <vector>

struct Doubling {
    using State = int;
    std::vector<int> neighbors(int x) const { return {x + 1, 2 * x}; }
    bool is_goal(int x) const { return x == 97; }
};

#ifdef CONTROL
using Argument = int;
#else
using Argument = std::string;
#endif

int main() {
    npuzzle::astar(Doubling{}, 1, [](const Argument&) { return 0; });
}
