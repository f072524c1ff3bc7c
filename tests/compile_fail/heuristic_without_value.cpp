// mend: int operator()(const State&) const;
// A heuristic whose value cannot be added to a cost.
#include <npuzzle/search.hpp>

#include <vector>

struct Doubling {
    using State = int;
    std::vector<int> neighbors(int x) const { return {x + 1, 2 * x}; }
    bool is_goal(int x) const { return x == 97; }
};

#ifdef CONTROL
using Value = int;
#else
struct Value {};
#endif

int main() {
    npuzzle::astar(Doubling{}, 1, [](int) { return Value{}; });
}
