// mend: ida_star(problem, start, heuristic)
// Which jumps a cell has depends on the path to it. That it is enough to keep one is proved for best-first
// search alone.
#include <npuzzle/maps/jump_points.hpp>
#include <npuzzle/search/anytime.hpp>

int main() {
    const npuzzle::GridMap<> map(".");
    const npuzzle::JumpPoints jumps(map.with_goal(0));
#ifdef CONTROL
    npuzzle::anytime_astar(jumps.map(), 0, npuzzle::OctileDistance{}, [](const auto&) {});
#else
    npuzzle::anytime_astar(jumps, 0, npuzzle::OctileDistance{}, [](const auto&) {});
#endif
}
