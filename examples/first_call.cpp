// test:
// The README's first program: A* from a start and three functions.

#include <npuzzle/search/astar.hpp>

#include <cstdlib>
#include <iostream>
#include <vector>

struct Cell {
    int x, y;
    bool operator==(const Cell&) const = default;
};

// The free cells beside a cell, on a map of 5 by 4 with a wall from (1,0) to (1,2).
std::vector<Cell> neighbors(const Cell& cell) {
    std::vector<Cell> result;
    for (const auto& [dx, dy] : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}}) {
        const auto [x, y] = Cell{cell.x + dx, cell.y + dy};
        const bool is_wall = x == 1 && y < 3;
        if (x >= 0 && x < 5 && y >= 0 && y < 4 && !is_wall) result.push_back({x, y});
    }
    return result;
}

int main() {
    const auto distance = [](const Cell& cell) { return std::abs(cell.x - 2) + cell.y; };
    const auto is_goal = [](const Cell& cell) { return cell == Cell{2, 0}; };
    const auto result = npuzzle::astar(Cell{0, 0}, neighbors, distance, is_goal);
    if (result) {
        std::cout << result.cost << " steps, " << result.statistics.expanded << " cells expanded:";
        for (const auto& [x, y] : result.path) std::cout << " (" << x << ',' << y << ')';
        std::cout << '\n';
    }
}
