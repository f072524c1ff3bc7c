// mend: std::vector<npuzzle::Edge<State, int>> neighbors(const State&) const;
// The neighbors are a range, but not one of states.
#include <npuzzle/search.hpp>

#include <string>
#include <vector>

struct Doubling {
    using State = int;
#ifdef CONTROL
    using Neighbor = int;
#else
    using Neighbor = std::string;
#endif
    std::vector<Neighbor> neighbors(int) const { return {}; }
    bool is_goal(int x) const { return x == 97; }
};

int main() {
    npuzzle::astar(Doubling{}, 1, npuzzle::Zero{});
}
