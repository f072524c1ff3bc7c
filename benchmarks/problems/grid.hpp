#pragma once

#include <npuzzle/search/core/problem.hpp>

#include <boost/container/static_vector.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

/// \file
/// Maps of square cells, as pathfinding has them, with steps to 4 or to 8 sides.

namespace problems {

/// Which cells of a square map can be entered.
class GridMap {
public:
    explicit GridMap(int size)
        : size_(size), free_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), 1) {}

    int size() const { return size_; }
    std::size_t cells() const { return free_.size(); }
    bool is_free(int x, int y) const {
        return x >= 0 && y >= 0 && x < size_ && y < size_ && free_[number(x, y)] != 0;
    }
    std::size_t number(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(x);
    }
    void set(int x, int y, bool is_free) { free_[number(x, y)] = is_free ? 1 : 0; }

private:
    int size_;
    std::vector<std::uint8_t> free_;
};

/// Whether the last cell can be reached from the first by steps to four sides.
inline bool connects_corners(const GridMap& map) {
    std::vector<bool> seen(map.cells());
    std::vector<std::array<int, 2>> stack;
    const auto visit = [&](int x, int y) {
        if (map.is_free(x, y) && !seen[map.number(x, y)]) {
            seen[map.number(x, y)] = true;
            stack.push_back({x, y});
        }
    };
    visit(0, 0);
    while (!stack.empty()) {
        const auto [x, y] = stack.back();
        stack.pop_back();
        visit(x + 1, y);
        visit(x - 1, y);
        visit(x, y + 1);
        visit(x, y - 1);
    }
    return seen.back();
}

/// Each cell but the two corners is an obstacle with a chance of `percent`; the first map of the seed's that
/// has a path.
inline GridMap random_map(int size, unsigned percent, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    while (true) {
        GridMap map(size);
        for (int y = 0; y < size; ++y) {
            for (int x = 0; x < size; ++x) {
                map.set(x, y, generator() % 100 >= percent);
            }
        }
        map.set(0, 0, true);
        map.set(size - 1, size - 1, true);
        if (connects_corners(map)) {
            return map;
        }
    }
}

/// A maze with one path between any two cells, by a depth-first walk that turns at random; its last row and
/// column are open, so that the corner is part of it whether or not the size is even.
inline GridMap maze(int size, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    GridMap map(size);
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            map.set(x, y, x == 0 && y == 0);
        }
    }
    std::vector<std::array<int, 2>> walk{{0, 0}};
    while (!walk.empty()) {
        const auto [x, y] = walk.back();
        std::array<std::array<int, 2>, 4> ways{};
        std::size_t count = 0;
        for (const auto& [dx, dy] : std::array<std::array<int, 2>, 4>{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}}) {
            const int to_x = x + 2 * dx;
            const int to_y = y + 2 * dy;
            if (to_x >= 0 && to_y >= 0 && to_x < size && to_y < size && !map.is_free(to_x, to_y)) {
                ways[count++] = {dx, dy};
            }
        }
        if (count == 0) {
            walk.pop_back();
            continue;
        }
        const auto [dx, dy] = ways[generator() % count];
        map.set(x + dx, y + dy, true);
        map.set(x + 2 * dx, y + 2 * dy, true);
        walk.push_back({x + 2 * dx, y + 2 * dy});
    }
    map.set(size - 1, size - 1, true);
    map.set(size - 2, size - 1, true);
    return map;
}

/// Calls `emit(x, y)` for the free cells on the four sides.
template <class F>
void for_each_of_4(const GridMap& map, int x, int y, F&& emit) {
    if (map.is_free(x + 1, y)) emit(x + 1, y);
    if (map.is_free(x - 1, y)) emit(x - 1, y);
    if (map.is_free(x, y + 1)) emit(x, y + 1);
    if (map.is_free(x, y - 1)) emit(x, y - 1);
}

inline constexpr double diagonal = 1.4142135623730951;

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
        const int columns = std::abs(map->size() - 1 - cell[0]);
        const int rows = std::abs(map->size() - 1 - cell[1]);
        return columns < rows ? rows + (diagonal - 1) * columns : columns + (diagonal - 1) * rows;
    }
};

/// Either of them with one optional capability: its cells are numbered.
template <class Grid>
struct Indexed : Grid {
    std::size_t index(const typename Grid::State& cell) const { return this->map->number(cell[0], cell[1]); }
    std::size_t size() const { return this->map->cells(); }
};

} // namespace problems
