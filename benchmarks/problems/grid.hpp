#pragma once

#include <npuzzle/search/core/problem.hpp>

#include "support/maps.hpp"

#include <boost/container/static_vector.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>

/// \file
/// Maps of square cells, as pathfinding has them, with steps to 4 or to 8 sides.

namespace problems {

using GridMap = test::SquareMap;
using test::maze, test::random_map;

/// Calls `emit(x, y)` for the free cells on the four sides.
template <class F>
void for_each_of_4(const GridMap& map, int x, int y, F&& emit) {
    if (map.is_free(x + 1, y)) emit(x + 1, y);
    if (map.is_free(x - 1, y)) emit(x - 1, y);
    if (map.is_free(x, y + 1)) emit(x, y + 1);
    if (map.is_free(x, y - 1)) emit(x, y - 1);
}

inline constexpr double diagonal = 1.4142135623730951;

/// The least cost of so many columns and rows with steps to eight sides; either may be negative.
inline double octile(int columns, int rows) {
    const int x = std::abs(columns);
    const int y = std::abs(rows);
    return x < y ? y + (diagonal - 1) * x : x + (diagonal - 1) * y;
}

/// Calls `emit(x, y, cost)` for the free cells on the eight sides. A diagonal step cuts no corner: both cells
/// beside it are free.
template <class F>
void for_each_of_8(const GridMap& map, int x, int y, F&& emit) {
    const bool right = map.is_free(x + 1, y);
    const bool left = map.is_free(x - 1, y);
    const bool below = map.is_free(x, y + 1);
    const bool above = map.is_free(x, y - 1);
    if (right) emit(x + 1, y, 1.0);
    if (left) emit(x - 1, y, 1.0);
    if (below) emit(x, y + 1, 1.0);
    if (above) emit(x, y - 1, 1.0);
    if (right && below && map.is_free(x + 1, y + 1)) emit(x + 1, y + 1, diagonal);
    if (right && above && map.is_free(x + 1, y - 1)) emit(x + 1, y - 1, diagonal);
    if (left && below && map.is_free(x - 1, y + 1)) emit(x - 1, y + 1, diagonal);
    if (left && above && map.is_free(x - 1, y - 1)) emit(x - 1, y - 1, diagonal);
}

/// Steps to four sides, from corner to corner; the minimal problem.
struct Grid4 {
    using State = std::array<int, 2>;
    const GridMap* map;

    boost::container::static_vector<State, 4> neighbors(const State& cell) const {
        boost::container::static_vector<State, 4> result;
        for_each_of_4(*map, cell[0], cell[1], [&](int x, int y) { result.push_back({x, y}); });
        return result;
    }
    bool is_goal(const State& cell) const { return cell[0] == map->size() - 1 && cell[1] == map->size() - 1; }

    int distance(const State& cell) const {
        return std::abs(map->size() - 1 - cell[0]) + std::abs(map->size() - 1 - cell[1]);
    }
};

/// Steps to eight sides, a diagonal one of cost sqrt(2); the minimal problem.
struct Grid8 {
    using State = std::array<int, 2>;
    using Edge = npuzzle::Edge<State, double>;
    const GridMap* map;

    boost::container::static_vector<Edge, 8> neighbors(const State& cell) const {
        boost::container::static_vector<Edge, 8> result;
        for_each_of_8(*map, cell[0], cell[1],
                      [&](int x, int y, double cost) { result.push_back({{x, y}, cost}); });
        return result;
    }
    bool is_goal(const State& cell) const { return cell[0] == map->size() - 1 && cell[1] == map->size() - 1; }

    double distance(const State& cell) const {
        return octile(map->size() - 1 - cell[0], map->size() - 1 - cell[1]);
    }
};

/// Either of them with one optional capability: its cells are numbered.
template <class Grid>
struct Indexed : Grid {
    std::size_t index(const typename Grid::State& cell) const { return this->map->number(cell[0], cell[1]); }
    std::size_t size() const { return this->map->cells(); }
};

} // namespace problems
