/// @file
/// Maps of square cells, as pathfinding has them: scattered obstacles, blocks, rooms and mazes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace test {

/// Which cells of a square map can be entered.
class SquareMap {
public:
    explicit SquareMap(int size)
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
inline bool connects_corners(const SquareMap& map) {
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
inline SquareMap random_map(int size, unsigned percent, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    while (true) {
        SquareMap map(size);
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
inline SquareMap maze(int size, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    SquareMap map(size);
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

/// Each cell is an obstacle with a chance of `percent`.
inline SquareMap scattered(int size, unsigned percent, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    SquareMap map(size);
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            map.set(x, y, generator() % 100 >= percent);
        }
    }
    return map;
}

/// Rectangles of obstacles, `count` of them, with sides from 1 to `side`. They may overlap.
inline SquareMap blocks(int size, int count, int side, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    const auto below = [&](int bound) {
        return static_cast<int>(generator() % static_cast<std::uint64_t>(bound));
    };
    SquareMap map(size);
    for (int i = 0; i < count; ++i) {
        const int left = below(size);
        const int top = below(size);
        const int right = std::min(size, left + 1 + below(side));
        const int bottom = std::min(size, top + 1 + below(side));
        for (int y = top; y < bottom; ++y) {
            for (int x = left; x < right; ++x) {
                map.set(x, y, false);
            }
        }
    }
    return map;
}

/// Square rooms of `side` cells with walls between them. Three of four walls between two rooms have a door,
/// one cell wide.
inline SquareMap rooms(int size, int side, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    SquareMap map(size);
    for (int wall = side; wall < size; wall += side + 1) {
        for (int i = 0; i < size; ++i) {
            map.set(wall, i, false);
            map.set(i, wall, false);
        }
    }
    for (int wall = side; wall < size; wall += side + 1) {
        for (int room = 0; room < size; room += side + 1) {
            for (const bool is_vertical : {false, true}) {
                const int door = room + static_cast<int>(generator() % static_cast<std::uint64_t>(side));
                if (generator() % 4 == 0 || door >= size) continue;
                map.set(is_vertical ? wall : door, is_vertical ? door : wall, true);
            }
        }
    }
    return map;
}

} // namespace test
