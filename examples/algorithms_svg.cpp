// prints: docs/images/algorithms.svg
// Draws which cells of one small map six searches expand, and in which order: algorithms_svg >picture.svg

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/breadth_first.hpp>

#include "map_drawing.hpp"

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using map_drawing::Cell;
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

// A map with walls. A cell has four neighbors.
class Map {
public:
    using State = Cell;
    static constexpr bool is_undirected = true; // so it can be searched from its goal, too

    explicit Map(Cell goal) : goal_(goal) {}

    std::vector<Cell> neighbors(const Cell& cell) const {
        std::vector<Cell> result;
        for (const Cell& next : {Cell{cell.x, cell.y - 1}, Cell{cell.x - 1, cell.y}, Cell{cell.x + 1, cell.y},
                                 Cell{cell.x, cell.y + 1}}) {
            if (floor_plan.is_free(next)) {
                result.push_back(next);
            }
        }
        return result;
    }
    bool is_goal(const Cell& cell) const { return cell == goal_; }
    Cell goal() const { return goal_; }
    Map with_goal(const Cell& goal) const { return Map(goal); }
    std::size_t hash(const Cell& cell) const { return floor_plan.index(cell); }

private:
    Cell goal_;
};

// The distance without walls, for the map and for the same map with another goal.
struct Manhattan {
    class Bound {
    public:
        static constexpr bool is_consistent = true;
        explicit Bound(Cell goal) : goal_(goal) {}
        int operator()(const Cell& cell) const {
            return std::abs(cell.x - goal_.x) + std::abs(cell.y - goal_.y);
        }

    private:
        Cell goal_;
    };
    Bound bind(const Map& map) const { return Bound(map.goal()); }
};

constexpr int panel_width = 24 * map_drawing::step + 24;
constexpr int panel_height = 13 * map_drawing::step + 64;
constexpr int margin = 12;

const Map map(Cell{21, 6});
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
