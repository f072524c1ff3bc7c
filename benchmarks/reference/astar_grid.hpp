#pragma once

#include "problems/grid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

namespace reference {

/// A* on a map with eight sides as one writes it by hand: flat arrays by the number of the cell, and
/// `std::priority_queue`. The arrays are kept between searches, and filled anew for each.
class GridAStar {
public:
    explicit GridAStar(const problems::GridMap& map) : map_(&map) {}

    /// The cost, or a negative number if there is no path.
    double search(int start, int goal) {
        const int width = map_->size();
        const int goal_x = goal % width;
        const int goal_y = goal / width;
        costs_.assign(map_->cells(), std::numeric_limits<double>::infinity());
        parents_.assign(map_->cells(), -1);
        std::priority_queue<Entry> open;
        at(costs_, start) = 0;
        open.push({problems::octile(start % width - goal_x, start / width - goal_y), 0, start});
        while (!open.empty()) {
            const Entry entry = open.top();
            open.pop();
            if (at(costs_, entry.cell) < entry.g) {
                continue; // superseded
            }
            if (entry.cell == goal) {
                return entry.g;
            }
            ++expanded;
            problems::for_each_of_8(
                *map_, entry.cell % width, entry.cell / width, [&](int x, int y, double step) {
                    const int cell = y * width + x;
                    const double g = entry.g + step;
                    if (g < at(costs_, cell)) {
                        at(costs_, cell) = g;
                        at(parents_, cell) = entry.cell;
                        open.push({g + problems::octile(x - goal_x, y - goal_y), g, cell});
                    }
                });
        }
        return -1;
    }

    /// The path that the last search found.
    std::vector<int> path(int goal) const {
        std::vector<int> result;
        for (int cell = goal; cell >= 0; cell = parents_[static_cast<std::size_t>(cell)]) {
            result.push_back(cell);
        }
        std::reverse(result.begin(), result.end());
        return result;
    }

    std::uint64_t expanded = 0; ///< over all searches

private:
    struct Entry {
        double f;
        double g;
        int cell;
        bool operator<(const Entry& other) const { return f > other.f; }
    };

    template <class T>
    static T& at(std::vector<T>& values, int cell) {
        return values[static_cast<std::size_t>(cell)];
    }

    const problems::GridMap* map_;
    std::vector<double> costs_;
    std::vector<int> parents_;
};

} // namespace reference
