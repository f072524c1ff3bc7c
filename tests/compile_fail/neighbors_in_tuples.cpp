// mend: std::vector<npuzzle::Edge<State, int>> neighbors(const State&) const;
// Costs in tuples, and not in edges or pairs.
#include <npuzzle/search.hpp>

#include <tuple>
#include <vector>

struct Doubling {
    using State = int;
#ifdef CONTROL
    using Neighbor = npuzzle::Edge<State, int>;
#else
    using Neighbor = std::tuple<State, int>;
#endif
    std::vector<Neighbor> neighbors(int x) const { return {{x + 1, 3}, {2 * x, 5}}; }
    bool is_goal(int x) const { return x == 97; }
};

int main() {
    const auto result = npuzzle::weighted_astar(Doubling{}, 1, npuzzle::Zero{}, {.weight = 1.5});
    return result.path.empty() ? 1 : 0;
}
