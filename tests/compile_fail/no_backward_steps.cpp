// expect: BackwardProblem
// A bidirectional search of a problem that cannot be gone backward.
#include <npuzzle/search.hpp>

#include <vector>

struct Doubling {
    using State = int;
    std::vector<int> neighbors(int x) const { return {x + 1, 2 * x}; }
    bool is_goal(int x) const { return x == 97; }
    int goal() const { return 97; }
#ifdef CONTROL
    std::vector<int> predecessors(int x) const { return {x - 1, x % 2 == 0 ? x / 2 : x - 1}; }
#endif
};

int main() {
    npuzzle::bidirectional_astar(Doubling{}, 1, npuzzle::Zero{});
}
