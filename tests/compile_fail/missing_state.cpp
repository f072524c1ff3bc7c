// mend: using State = ...;
// A problem that does not name its state type.
#include <npuzzle/search.hpp>

#include <vector>

struct Doubling {
#ifdef CONTROL
    using State = int;
#endif
    std::vector<int> neighbors(int x) const { return {x + 1, 2 * x}; }
    bool is_goal(int x) const { return x == 97; }
};

int main() {
    npuzzle::astar(Doubling{}, 1, npuzzle::Zero{});
}
