// prints: docs/images/replanning.svg
// Draws what A*, LPA* and D* Lite expand after walls have appeared near the goal: replanning_svg >picture.svg

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/replanning.hpp>

#include "map_drawing.hpp"

#include <cstddef>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using map_drawing::Cell;
using map_drawing::Manhattan;
using map_drawing::Map;
using map_drawing::number;
using map_drawing::Order;

const std::vector<std::string> rows{
    "........................", //
    "........................", //
    "........................", //
    ".........####...........", //
    "............#...........", //
    "............#...........", //
    "............#...........", //
    "............#...........", //
    ".........####...........", //
    "........................", //
    "........................", //
    "........................", //
};

constexpr int panel_width = 24 * map_drawing::step + 24;
constexpr int panel_height = 12 * map_drawing::step + 64;
constexpr int margin = 12;
const Cell start{2, 6};
const Cell goal{21, 6};
const std::vector<Cell> wall{{19, 5}, {19, 6}, {19, 7}};

// The map after the second search. `search(map, order, build)` builds the wall between its two searches.
template <class Search>
std::string panel(int place, const std::string& title, const Search& search) {
    map_drawing::Floor floor(rows);
    const Map map{&floor, goal};
    Order order;
    const auto result = search(map, order, [&] {
        auto built = rows;
        for (const Cell& cell : wall) {
            built[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)] = '#';
        }
        floor = map_drawing::Floor(built);
        order.entries.clear();
    });
    if (!result) {
        throw std::logic_error(title + " found no path");
    }
    return map_drawing::panel(
        margin + place * panel_width + 12, margin + 30, floor, order, result.path, title,
        number(static_cast<int>(result.statistics.expanded)) + " expansions after the change");
}

// Searches, builds the wall, and searches again.
template <class Engine>
auto replan(Engine& engine, const auto& build) {
    engine.run();
    build();
    for (const Cell& cell : wall) {
        for (const Cell& end : {cell, Cell{cell.x - 1, cell.y}, Cell{cell.x + 1, cell.y},
                                Cell{cell.x, cell.y - 1}, Cell{cell.x, cell.y + 1}}) {
            engine.update(end);
        }
    }
    engine.run();
    return engine.result();
}

} // namespace

int main() try {
    std::cout << map_drawing::picture(
        3 * panel_width + 2 * margin, panel_height + 20 + 2 * margin,
        "Which cells of a map three searches expand after a wall was built near the goal",
        panel(0, "A* from scratch", [](const Map& map, Order& order, const auto& build) {
            build();
            return npuzzle::astar(map, start, Manhattan{}, {}, order);
        }) + panel(1, "LPA*", [](const Map& map, Order& order, const auto& build) {
            npuzzle::LpaStar<Map, Manhattan, Order&> engine(map, start, Manhattan{}, {}, order);
            return replan(engine, build);
        }) + panel(2, "D* Lite", [](const Map& map, Order& order, const auto& build) {
            npuzzle::DStarLite<Map, Manhattan, Order&> engine(map, start, Manhattan{}, {}, order);
            return replan(engine, build);
        }) + map_drawing::legend(margin + 12, margin + panel_height + 2, false));
} catch (const std::exception& error) {
    std::cerr << "replanning_svg: " << error.what() << '\n';
    return 1;
}
