// mend: bool is_goal(const State&) const;
// A problem without a goal.
#include <npuzzle/search.hpp>

#include <vector>

struct Doubling {
    using State = int;
    std::vector<int> neighbors(int x) const { return {x + 1, 2 * x}; }
#ifdef CONTROL
    bool is_goal(int x) const { return x == 97; }
#endif
};

int main() {
    npuzzle::astar(Doubling{}, 1, npuzzle::Zero{});
}
