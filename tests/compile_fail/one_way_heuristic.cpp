// expect: TwoWayHeuristicFor
// One heuristic for both directions that knows one goal only.
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
    int operator()(int x) const { return x < 97 ? 97 - x : x - 97; }
};

int main() {
#ifdef CONTROL
    npuzzle::bidirectional_astar(Line{}, 1, Distance{}, [](int x) { return x < 1 ? 1 - x : x - 1; });
#else
    npuzzle::bidirectional_astar(Line{}, 1, Distance{});
#endif
}
