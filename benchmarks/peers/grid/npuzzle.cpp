// npuzzle MAP: from the first cell of a map to the last one by four sides. Prints lines "search cost
// seconds".

#include <npuzzle/maps/distances.hpp>
#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/dijkstra.hpp>

#include "support/timing.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

int main(int, char** arguments) {
    std::ifstream file(arguments[1]);
    const std::string text{std::istreambuf_iterator<char>(file), {}};

    const benchmarks::Stopwatch building;
    const npuzzle::GridMap<int> map(text, {.sides = npuzzle::Sides::four, .straight = 1});
    std::cout << "build 0 " << building.seconds() << '\n';

    const auto problem = map.with_goal(map.cell(map.width() - 1, map.height() - 1));
    const auto report = [&](const char* name, const auto& search) {
        const benchmarks::Stopwatch watch;
        const auto result = search();
        std::cout << name << ' ' << result.cost << ' ' << watch.seconds() << '\n';
    };
    report("A*", [&] { return npuzzle::astar(problem, map.cell(0, 0), npuzzle::ManhattanDistance{}); });
    report("Dijkstra", [&] { return npuzzle::dijkstra(problem, map.cell(0, 0)); });
}
