// prints: docs/images/landmarks.svg
// Draws what Dijkstra's algorithm, A* and A* with landmarks expand: landmarks_svg >picture.svg
// What it teaches: distances to a few landmarks, computed once, as a heuristic for every later search.

#include <npuzzle/maps/landmarks.hpp>
#include <npuzzle/search/astar.hpp>

#include "road_drawing.hpp"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

// Records the crossings in expansion order.
struct Recorder : npuzzle::SilentObserver {
    std::vector<std::uint32_t> expanded;

    void expand(const auto& node) { expanded.push_back(node.state); }
};

int main() {
    const road_drawing::Network network(26, 9);
    const auto graph = network.graph();
    const npuzzle::Landmarks landmarks(graph, 8);
    const auto to_goal = graph.with_goal(127);

    std::string content;
    int top = 40;
    const auto draw = [&](const std::string& name, const auto& heuristic) {
        Recorder recorder;
        const auto result = npuzzle::astar(to_goal, 109, heuristic, {}, recorder);
        const std::size_t count = recorder.expanded.size();
        std::string drawn = network.roads();
        for (std::size_t i = 0; const std::uint32_t crossing : recorder.expanded)
            drawn += network.dot(crossing, i++ * map_drawing::shades / count);
        std::string title = name + ": " + std::to_string(count) + " crossings expanded, a route of length ";
        title += road_drawing::length(result.cost);
        content += road_drawing::panel(20, top, network.width(), title, drawn + network.route(result.path));
        top += network.height() + 40;
    };
    draw("Dijkstra's algorithm", npuzzle::Zero{});
    draw("A* by the straight line", npuzzle::EuclideanDistance{});
    draw("A* by eight landmarks", landmarks);
    std::cout << road_drawing::picture(network.width() + 40, top - 20,
                                       "What three searches for one route expand", content);
}
