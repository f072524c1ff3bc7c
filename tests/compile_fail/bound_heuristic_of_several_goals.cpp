// expect: BindsTo
// A heuristic that is bound to one goal, in a search for several.
#include <npuzzle/search.hpp>

#include <vector>

struct Line {
    using State = int;
    static constexpr bool is_undirected = true;
    std::vector<int> neighbors(int x) const { return {x - 1, x + 1}; }
    bool is_goal(int x) const { return x == 97; }
    int goal() const { return 97; }
};

struct Distance {
    npuzzle::Zero bind(const Line&) const { return {}; }
};

int main() {
    const Line line;
    npuzzle::BidirectionalAStar engine(npuzzle::Nbs{}, line, 1, Distance{}, npuzzle::Zero{});
    engine.add_start(5);
#ifndef CONTROL
    engine.add_goal(90);
#endif
}
