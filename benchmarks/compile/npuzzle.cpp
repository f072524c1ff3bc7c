// The counterpart of boost_graph.cpp, which does the same with Boost.Graph: steps of 1 and 2 along a line.

#include <npuzzle/search.hpp>

#include <vector>

struct Line {
    using State = int;

    std::vector<int> neighbors(int place) const { return {place + 1, place + 2}; }
    bool is_goal(int place) const { return place == 100; }
};

int main() {
    const auto result = npuzzle::astar(Line{}, 0, [](int place) { return (100 - place) / 2; });
    return result.cost == 50 ? 0 : 1;
}
