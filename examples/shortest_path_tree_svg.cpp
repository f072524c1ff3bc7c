// prints: docs/images/shortest-path-tree.svg
// Draws the shortest routes from one crossing to all others: shortest_path_tree_svg >picture.svg
// What it teaches: one search for all destinations, and what can be asked of it afterward.

#include <npuzzle/search/shortest_path_tree.hpp>

#include "road_drawing.hpp"

#include <cstddef>
#include <iostream>
#include <string>

int main() {
    const road_drawing::Network network(18, 9);
    const auto graph = network.graph();
    const auto tree = npuzzle::shortest_path_tree(graph, 75);
    if (!tree) return 1;

    std::string drawn = network.roads();
    std::string dots;
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const auto [crossing, length] = tree[i]; // the nearest first
        if (const auto parent = tree.parent_of(crossing))
            drawn += network.line("branch", {*parent, crossing});
        dots += network.dot(crossing, i * map_drawing::shades / tree.size());
    }
    const auto farthest = tree[tree.size() - 1];
    drawn += dots + network.route(tree.path_to(farthest.state));
    std::cout << road_drawing::picture(
        network.width() + 40, network.height() + 60, "The shortest routes from one crossing to all others",
        road_drawing::panel(20, 40, network.width(),
                            std::to_string(tree.size()) + " crossings; the farthest is at " +
                                road_drawing::length(farthest.cost),
                            drawn));
}
