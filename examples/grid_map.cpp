// prints: docs/images/grid-map.svg
// What it teaches: straight steps of cost 1 and diagonal steps of cost sqrt(2), and the heuristic for them.
// An observer sees what the search does, and the program draws it: grid_map >picture.svg

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/dijkstra.hpp>

#include "map_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using map_drawing::Cell;

const double diagonal = std::sqrt(2.0);

struct GridMap {
    using State = Cell;

    const map_drawing::Floor& floor;
    Cell target;

    // Eight neighbors, but no way between two walls, nor around the corner of one.
    std::vector<npuzzle::Edge<Cell, double>> neighbors(const Cell& cell) const {
        std::vector<npuzzle::Edge<Cell, double>> result;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell next{cell.x + dx, cell.y + dy};
                const bool is_open =
                    floor.is_free(next) && floor.is_free({next.x, cell.y}) && floor.is_free({cell.x, next.y});
                if (is_open && !(next == cell)) result.push_back({next, dx != 0 && dy != 0 ? diagonal : 1.0});
            }
        }
        return result;
    }
    bool is_goal(const Cell& cell) const { return cell == target; }
    std::size_t hash(const Cell& cell) const { return floor.index(cell); }
};

int main() {
    const map_drawing::Floor floor({
        "........................................", //
        ".................#......................", //
        ".................#......................", //
        "....##########...#.......############...", //
        ".............#...#......#...............", //
        ".............#..........#...............", //
        ".............#..........#...............", //
        "......########................#######...", //
        ".............#................#.........", //
        ".............#...#......#.....#.........", //
        ".............#...#......#######.........", //
        "....##########...#......................", //
        ".................#......................", //
        ".................#......................", //
        "........................................", //
    });
    const Cell start{3, 9};
    const GridMap map{floor, {34, 5}};
    // The distance without walls: diagonal steps while both coordinates differ, then straight steps.
    const auto octile = [&](const Cell& cell) {
        const int dx = std::abs(cell.x - map.target.x);
        const int dy = std::abs(cell.y - map.target.y);
        return diagonal * std::min(dx, dy) + std::abs(dx - dy);
    };

    map_drawing::Order order;
    const auto result = npuzzle::astar(map, start, octile, {}, order);
    const auto blind = npuzzle::dijkstra(map, start);
    if (!result || std::abs(result.cost - blind.cost) > 1e-9) return 1;

    const std::string cost = std::to_string(result.cost); // six digits after the point; two are enough
    std::cout << map_drawing::picture(
        floor.width() * map_drawing::step + 48, floor.height() * map_drawing::step + 100,
        "Which cells of a map A* expands with diagonal moves, and when",
        map_drawing::panel(24, 42, floor, order, result.path, "A* with octile moves",
                           map_drawing::number(order.entries.size()) +
                               " cells expanded (Dijkstra: " + std::to_string(blind.statistics.expanded) +
                               "), a path of length " + cost.substr(0, cost.size() - 4)) +
            map_drawing::legend(24, floor.height() * map_drawing::step + 74, false));
}
