// test: examples/maps/two_rooms.map 2 7 17 6
// What it teaches: a map in the MovingAI format, a shortest path drawn into it, and its turning points.
// map_path FILE.map X Y X Y: the start and the goal

#include <npuzzle/io/moving_ai.hpp>
#include <npuzzle/maps.hpp>
#include <npuzzle/search/path_finder.hpp>

#include <iostream>
#include <string>

int main(int argc, char** argv) {
    if (argc != 6) return 2;
    std::string rows = npuzzle::read_map_file(argv[1]);
    const npuzzle::GridMap<> map(rows);
    const auto start = map.cell(std::stoi(argv[2]), std::stoi(argv[3]));
    const auto goal = map.cell(std::stoi(argv[4]), std::stoi(argv[5]));
    npuzzle::PathFinder finder(map, npuzzle::OctileDistance{}); // once, for any number of queries
    const auto result = finder.find(start, goal);
    // In the text, a line break follows each row.
    for (const auto cell : result.path) rows[cell + cell / static_cast<unsigned>(map.width())] = '*';
    std::cout << rows << result.status << ": length " << result.cost << ", " << result.statistics.expanded
              << " cells expanded\nturning points:";
    for (const auto cell : npuzzle::turning_points(map, result.path)) {
        std::cout << " (" << map.x(cell) << ", " << map.y(cell) << ')';
    }
    std::cout << '\n';
    return result ? 0 : 1;
}
