// test:
// What it teaches: a map in the MovingAI format, a shortest path on it, and the path drawn into the map.
// map_path FILE.map X Y X Y reads a map, and takes the start and the goal; without arguments there is one here.

#include <npuzzle/io/moving_ai.hpp>
#include <npuzzle/maps.hpp>
#include <npuzzle/search/astar.hpp>

#include <cstdlib>
#include <iostream>
#include <string>

const char* const example = "type octile\nheight 9\nwidth 24\nmap\n"
                            "@@@@@@@@@@@@@@@@@@@@@@@@\n"
                            "@......@........TT.....@\n"
                            "@......@........TT.....@\n"
                            "@......@....@..........@\n"
                            "@...........@..........@\n"
                            "@......@....@@@@@@@....@\n"
                            "@......@..........@....@\n"
                            "@......@..........@....@\n"
                            "@@@@@@@@@@@@@@@@@@@@@@@@\n";

int main(int argc, char** argv) {
    std::string rows = argc == 6 ? npuzzle::read_map_file(argv[1]) : npuzzle::parse_map(example);
    const auto argument = [&](int i, int otherwise) { return argc == 6 ? std::atoi(argv[i]) : otherwise; };
    const npuzzle::GridMap<> map(rows);
    const auto start = map.cell(argument(2, 2), argument(3, 7));
    const auto goal = map.cell(argument(4, 17), argument(5, 6));
    const auto result = npuzzle::astar(map.with_goal(goal), start, npuzzle::OctileDistance{});
    for (const auto cell : result.path) {
        rows[cell + cell / static_cast<unsigned>(map.width())] = '*'; // a line break after each row
    }
    std::cout << rows << result.status << ": length " << result.cost << ", " << result.statistics.expanded
              << " cells expanded\n";
    return result ? 0 : 1;
}
