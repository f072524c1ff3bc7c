// lemon MAP: the same as npuzzle.cpp by LEMON 1.3, which has no A*. C++17: LEMON uses what C++20 has removed.

#include "support/timing.hpp"

#include <cstddef>
#include <fstream>
#include <iostream>
#include <lemon/dijkstra.h>
#include <lemon/path.h>
#include <lemon/static_graph.h>
#include <string>
#include <utility>
#include <vector>

int main(int, char** arguments) {
    std::ifstream file(arguments[1]);
    std::vector<std::string> rows;
    for (std::string row; std::getline(file, row);) rows.push_back(row);
    const int height = static_cast<int>(rows.size());
    const int width = static_cast<int>(rows.front().size());

    const benchmarks::Stopwatch building;
    const auto is_free = [&](int x, int y) {
        return x >= 0 && x < width && y >= 0 && y < height &&
               rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '.';
    };
    std::vector<std::pair<int, int>> arcs; // by their first cell, as StaticDigraph wants them
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (!is_free(x, y)) continue;
            const int cell = y * width + x;
            if (is_free(x, y - 1)) arcs.emplace_back(cell, cell - width);
            if (is_free(x - 1, y)) arcs.emplace_back(cell, cell - 1);
            if (is_free(x + 1, y)) arcs.emplace_back(cell, cell + 1);
            if (is_free(x, y + 1)) arcs.emplace_back(cell, cell + width);
        }
    }
    lemon::StaticDigraph graph;
    graph.build(width * height, arcs.begin(), arcs.end());
    const lemon::StaticDigraph::ArcMap<int> lengths(graph, 1);
    std::cout << "build 0 " << building.seconds() << '\n';

    const benchmarks::Stopwatch watch;
    lemon::Dijkstra<lemon::StaticDigraph, lemon::StaticDigraph::ArcMap<int>> dijkstra(graph, lengths);
    const auto goal = graph.node(width * height - 1);
    dijkstra.run(graph.node(0), goal);
    const lemon::Path<lemon::StaticDigraph> path = dijkstra.path(goal);
    std::cout << "Dijkstra " << path.length() << ' ' << watch.seconds() << '\n';
}
