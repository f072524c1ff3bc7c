// expect: deleted
// An engine refers to its problem, which would be gone after this line.
#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/search/astar.hpp>

int main() {
    const npuzzle::GridMap<> map("...");
#ifdef CONTROL
    const auto problem = map.with_goal(2);
    npuzzle::AStar engine(problem, 0U, npuzzle::Zero{}, {.expansions = 5});
#else
    npuzzle::AStar engine(map.with_goal(2), 0U, npuzzle::Zero{}, {.expansions = 5});
#endif
    engine.run();
}
