// prints: docs/images/jump-points.svg
// What it teaches: on a map whose cells all cost the same, the jump points of the map take the place of its
// steps. A path of the same length is found, and far fewer cells are expanded: jump_points >picture.svg

#include <npuzzle/maps.hpp>

#include "map_drawing.hpp"

#include <cmath>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

using map_drawing::Cell;
using Map = npuzzle::GridMap<>;

Cell place(const Map& map, Map::State cell) {
    return {map.x(cell), map.y(cell)};
}

// Records the cells in expansion order.
struct Recorder : npuzzle::SilentObserver {
    const Map& map;
    map_drawing::Order order{};

    explicit Recorder(const Map& of) : map(of) {}

    template <class Node>
    void expand(const Node& node) {
        order.entries.push_back({place(map, node.state), false});
    }
};

int main() {
    const std::vector<std::string> rows{
        "......................#.................", //
        "......................#.................", //
        "....######............#.......#######...", //
        ".........#............#.......#.....#...", //
        ".........#......###...#.......#.....#...", //
        ".........#......###...........#.....#...", //
        "....######......###.................#...", //
        "......................#.......#.....#...", //
        "......................#.......#######...", //
        "#####.#################.................", //
        "......................#.................", //
        "......................#######.##########", //
        "...........##.........#.................", //
        "...........##...........................", //
        "......................#.................", //
    };
    const map_drawing::Floor floor(rows);
    const Map map(floor.width(), floor.height(), [&](int x, int y) { return !floor.is_wall({x, y}); });
    const npuzzle::JumpPoints jumps(map); // once for the map, then any number of searches
    const auto start = map.cell(2, 12);
    const auto goal = map.cell(33, 5);

    Recorder steps(map);
    Recorder jump_points(map);
    const auto by_steps = npuzzle::astar(map.with_goal(goal), start, npuzzle::OctileDistance{}, {}, steps);
    const auto by_jumps =
        npuzzle::jump_point_search(jumps.with_goal(goal), start, npuzzle::OctileDistance{}, {}, jump_points);
    if (!by_steps || std::abs(by_jumps.cost - by_steps.cost) > 1e-9) return 1;

    const auto panel = [&](int y, const auto& recorder, const auto& result, const std::string& title) {
        std::vector<Cell> path;
        for (const auto cell : result.path) path.push_back(place(map, cell));
        const std::string cost = std::to_string(result.cost); // six digits after the point; two are enough
        return map_drawing::panel(24, y, floor, recorder.order, path, title,
                                  map_drawing::number(recorder.order.entries.size()) +
                                      " cells expanded, a path of length " + cost.substr(0, cost.size() - 4));
    };
    const int height = floor.height() * map_drawing::step + 58;
    std::cout << map_drawing::picture(floor.width() * map_drawing::step + 48, 2 * height + 42,
                                      "Which cells of a map A* expands by single steps, and which by jumps",
                                      panel(42, steps, by_steps, "A* by single steps") +
                                          panel(42 + height, jump_points, by_jumps, "A* by jump points") +
                                          map_drawing::legend(24, 2 * height + 16, false));
}
