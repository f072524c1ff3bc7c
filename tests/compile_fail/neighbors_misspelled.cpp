// mend: std::vector<State> neighbors(const State&) const;
// The British spelling.
#include <npuzzle/search.hpp>

#include <vector>

#ifdef CONTROL
#define NEIGHBORS neighbors
#else
#define NEIGHBORS neighbours
#endif

struct Doubling {
    using State = int;
    std::vector<int> NEIGHBORS(int x) const { return {x + 1, 2 * x}; }
    bool is_goal(int x) const { return x == 97; }
};

int main() {
    const auto result = npuzzle::breadth_first(Doubling{}, 1, {.expansions = 1000});
    return result.path.empty() ? 1 : 0;
}
