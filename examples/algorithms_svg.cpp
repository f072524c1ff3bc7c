// prints: docs/images/algorithms.svg
// Draws which cells of one small map six searches expand, and in which order: algorithms_svg >picture.svg

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/breadth_first.hpp>

#include "map_drawing.hpp"

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

namespace {

using map_drawing::Cell;
using map_drawing::Manhattan;
using map_drawing::number;
using map_drawing::Order;

const map_drawing::Floor floor_plan({
    "........................", //
    "........................", //
    "........................", //
    "............#########...", //
    "...................##...", //
    ".........#.........#....", //
    ".........#.........#....", //
    ".........#.........#....", //
    "...................##...", //
    ".............#......#...", //
    ".............#......#...", //
    "............##..........", //
    "......#.....##..........", //
});

constexpr int panel_width = 24 * map_drawing::step + 24;
constexpr int panel_height = 13 * map_drawing::step + 64;
constexpr int margin = 12;

const map_drawing::Map map{&floor_plan, {21, 6}};
const Cell start{2, 6};

// The map after one search.
template <class Search>
std::string panel(int place, const std::string& title, const Search& search) {
    Order order;
    const auto result = search(order);
    if (!result) {
        throw std::logic_error(title + " found no path");
    }
    return map_drawing::panel(margin + place % 3 * panel_width + 12, margin + place / 3 * panel_height + 30,
                              floor_plan, order, result.path, title,
                              number(order.entries.size()) + " cells expanded, a path of " +
                                  number(result.cost) + " steps");
}

} // namespace

int main() try {
    std::cout << map_drawing::picture(
        3 * panel_width + 2 * margin, 2 * panel_height + 20 + 2 * margin,
        "Which cells of a map six searches expand, and when",
        panel(0, "Breadth-first search", [](Order& order) {
            return npuzzle::breadth_first(map, start, {}, order);
        }) + panel(1, "A*", [](Order& order) {
            return npuzzle::astar(map, start, Manhattan{}, {}, order);
        }) + panel(2, "Weighted A*, weight 2", [](Order& order) {
            return npuzzle::weighted_astar(map, start, Manhattan{}, npuzzle::WeightOptions<int>{2}, {},
                                           order);
        }) + panel(3, "Greedy best-first search", [](Order& order) {
            return npuzzle::greedy_best_first(map, start, Manhattan{}, {}, order);
        }) + panel(4, "Bidirectional breadth-first search", [](Order& order) {
            return npuzzle::bidirectional_breadth_first(map, start, {}, order);
        }) + panel(5, "Bidirectional A*, by NBS", [](Order& order) {
            return npuzzle::bidirectional_astar<npuzzle::Nbs>(map, start, Manhattan{}, {}, order);
        }) + map_drawing::legend(margin + 12, margin + 2 * panel_height + 2, true));
} catch (const std::exception& error) {
    std::cerr << "algorithms_svg: " << error.what() << '\n';
    return 1;
}
