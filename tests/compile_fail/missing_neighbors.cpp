// mend: std::vector<State> neighbors(const State&) const;
// A problem that cannot tell where one can go from a state.
#include <npuzzle/search.hpp>

#include <vector>

struct Doubling {
    using State = int;
#ifdef CONTROL
    std::vector<int> neighbors(int x) const { return {x + 1, 2 * x}; }
#endif
    bool is_goal(int x) const { return x == 97; }
};

int main() {
    npuzzle::astar(Doubling{}, 1, npuzzle::Zero{});
}
