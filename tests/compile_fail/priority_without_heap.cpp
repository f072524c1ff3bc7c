// expect: Include <npuzzle/search/open_list/heap.hpp>
// A cost that is not a number, without the header of the only open list that takes it.
#include <npuzzle/search/astar.hpp>
#ifdef CONTROL
#include <npuzzle/search/open_list/heap.hpp>
#endif

#include <compare>
#include <vector>

struct Length {
    int meters = 0;
    friend Length operator+(Length a, Length b) { return {a.meters + b.meters}; }
    auto operator<=>(const Length&) const = default;
};

struct Line {
    using State = int;
    std::vector<npuzzle::Edge<int, Length>> neighbors(int x) const { return {{x + 1, {1}}, {x + 2, {3}}}; }
    bool is_goal(int x) const { return x == 97; }
};

int main() {
    npuzzle::astar(Line{}, 1, npuzzle::Zero{});
}
