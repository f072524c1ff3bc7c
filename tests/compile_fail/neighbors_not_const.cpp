// mend: std::vector<State> neighbors(const State&) const;
// A search calls the members of a problem on a constant one.
#include <npuzzle/search.hpp>

#include <vector>

#ifdef CONTROL
#define CONSTANT const
#else
#define CONSTANT
#endif

struct Doubling {
    using State = int;
    std::vector<int> neighbors(int x) CONSTANT { return {x + 1, 2 * x}; }
    bool is_goal(int x) const { return x == 97; }
};

int main() {
    npuzzle::astar(Doubling{}, 1, npuzzle::Zero{});
}
