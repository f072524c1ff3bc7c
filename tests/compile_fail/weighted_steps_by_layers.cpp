// expect: is_weighted
// A search by layers of a problem whose steps cost more or less.
#include <npuzzle/search.hpp>

#include <vector>

struct Line {
    using State = int;
    static constexpr bool is_undirected = true;
#ifdef CONTROL
    std::vector<int> neighbors(int x) const { return {x - 1, x + 1}; }
#else
    std::vector<npuzzle::Edge<int, int>> neighbors(int x) const { return {{x - 1, 2}, {x + 1, 2}}; }
#endif
    bool is_goal(int x) const { return x == 97; }
    int goal() const { return 97; }
};

int main() {
    npuzzle::frontier_search(Line{}, 1);
}
