#pragma once

#include <npuzzle/maps/distances.hpp>
#include <npuzzle/search/core/problem.hpp>

#include "problems/grid.hpp"

#include <boost/container/static_vector.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// \file
/// A map of square cells of which blocks appear and vanish.

namespace problems {

/// As `npuzzle::GridMap` with eight sides, where no corner is cut; but its cells can be changed, each in
/// constant time. Copies share them.
class ChangingMap {
public:
    using State = std::uint32_t;
    using Neighbors = boost::container::static_vector<npuzzle::Edge<State, double>, 8>;
    static constexpr bool is_undirected = true;

    ChangingMap(const GridMap& map, State goal)
        : size_(map.size()), goal_(goal), cells_(std::make_shared<std::vector<Cell>>(map.cells())) {
        for (State cell = 0; cell < size(); ++cell) {
            (*cells_)[cell].is_free = map.is_free(x(cell), y(cell));
        }
        for (State cell = 0; cell < size(); ++cell) {
            look_around(x(cell), y(cell));
        }
    }

    [[nodiscard]] Neighbors neighbors(State cell) const {
        Neighbors result;
        for (unsigned steps = (*cells_)[cell].steps; steps != 0; steps &= steps - 1) {
            const auto direction = static_cast<std::size_t>(std::countr_zero(steps));
            const auto [dx, dy] = directions[direction];
            result.push_back({cell + static_cast<State>(dy * size_ + dx), direction < 4 ? 1 : diagonal});
        }
        return result;
    }
    [[nodiscard]] State goal() const { return goal_; }
    [[nodiscard]] bool is_goal(State cell) const { return cell == goal_; }
    [[nodiscard]] ChangingMap with_goal(State goal) const {
        ChangingMap other = *this;
        other.goal_ = goal;
        return other;
    }
    [[nodiscard]] std::size_t size() const { return cells_->size(); }
    [[nodiscard]] std::size_t index(State cell) const { return cell; }
    [[nodiscard]] int width() const { return size_; }
    [[nodiscard]] int x(State cell) const { return static_cast<int>(cell) % size_; }
    [[nodiscard]] int y(State cell) const { return static_cast<int>(cell) / size_; }
    [[nodiscard]] double straight_bound() const { return 1; }
    [[nodiscard]] double diagonal_bound() const { return diagonal; }
    [[nodiscard]] bool is_free(State cell) const { return (*cells_)[cell].is_free; }

    /// Blocks a free cell, or frees a blocked one. Appends the cells whose steps have changed by that.
    void flip(State cell, std::vector<State>& changed) {
        (*cells_)[cell].is_free = !is_free(cell);
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                if (look_around(x(cell) + dx, y(cell) + dy)) {
                    changed.push_back(cell + static_cast<State>(dy * size_ + dx));
                }
            }
        }
    }

private:
    struct Cell {
        bool is_free = false;
        std::uint8_t steps = 0; // a bit for each direction
    };

    static constexpr double diagonal = 1.4142135623730951;
    static constexpr std::array<std::array<int, 2>, 8> directions{
        {{0, -1}, {-1, 0}, {1, 0}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};

    /// Finds the steps from a cell anew, and tells whether they are others.
    bool look_around(int x, int y) {
        const auto at = [&](int column, int row) {
            return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_) +
                   static_cast<std::size_t>(column);
        };
        const auto is_open = [&](int column, int row) {
            return column >= 0 && row >= 0 && column < size_ && row < size_ &&
                   (*cells_)[at(column, row)].is_free;
        };
        if (x < 0 || y < 0 || x >= size_ || y >= size_) {
            return false;
        }
        unsigned steps = 0;
        for (std::size_t i = 0; i < directions.size() && is_open(x, y); ++i) {
            const auto [dx, dy] = directions[i];
            if (is_open(x + dx, y + dy) && is_open(x + dx, y) && is_open(x, y + dy)) {
                steps |= 1U << i;
            }
        }
        const unsigned before = (*cells_)[at(x, y)].steps;
        (*cells_)[at(x, y)].steps = static_cast<std::uint8_t>(steps);
        return steps != before;
    }

    int size_;
    State goal_;
    std::shared_ptr<std::vector<Cell>> cells_;
};

} // namespace problems
