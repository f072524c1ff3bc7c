// prints: docs/images/k-shortest-paths.svg
// Draws the six shortest routes between two crossings: k_shortest_paths_svg >picture.svg
// What it teaches: alternatives to a shortest path, one after another.

#include <npuzzle/search/k_shortest_paths.hpp>

#include "road_drawing.hpp"

#include <cstdint>
#include <iostream>
#include <string>

int main() {
    const road_drawing::Network network(7, 5);
    const std::uint32_t start = 28, goal = 6;
    const auto graph = network.graph().with_goal(goal);
    const int width = network.width(), height = network.height();

    npuzzle::KShortestPaths routes(graph, start, npuzzle::EuclideanDistance{});
    std::string panels;
    for (int i = 0; i < 6 && routes.next(); ++i) {
        panels += road_drawing::panel(20 + i % 3 * (width + 20), 40 + i / 3 * (height + 40), width,
                                      std::to_string(i + 1) + ": length " +
                                          road_drawing::length(routes.path().cost),
                                      network.roads() + network.route(routes.path().path));
    }
    std::cout << road_drawing::picture(3 * width + 80, 2 * height + 90, "The six shortest routes on a map",
                                       panels);
    return routes.count() == 6 ? 0 : 1;
}
