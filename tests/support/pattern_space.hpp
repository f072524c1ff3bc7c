/// @file
/// The least number of moves that a pattern's tiles need, by a simple search from the goal. It uses arrays of
/// cells, and no code of the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <vector>

namespace oracle {

/// The cells of a bit mask.
inline std::vector<int> cells_of(std::uint32_t set) {
    std::vector<int> cells;
    for (int cell = 0; cell < 32; ++cell) {
        if ((set >> cell & 1U) != 0) cells.push_back(cell);
    }
    return cells;
}

/// All positions of some tiles and the blank on an n x n board, and the least cost from each to the goal.
class PatternSpace {
public:
    static constexpr int unreached = 255;

    /// \param homes the goal cell of each tile
    PatternSpace(int n, const std::vector<int>& homes, int blank) : n_(n) {
        std::size_t states = 1;
        for (std::size_t i = 0; i <= homes.size(); ++i) {
            states *= static_cast<std::size_t>(n * n);
        }
        costs_.assign(states, unreached);
        // Steps of cost 0 go to the front of the queue, those of cost 1 to its end.
        std::vector<int> goal = homes;
        goal.push_back(blank);
        costs_[number(goal)] = 0;
        std::deque<std::vector<int>> queue{goal};
        while (!queue.empty()) {
            const std::vector<int> state = queue.front();
            queue.pop_front();
            const int cost = costs_[number(state)];
            for (const std::vector<int>& next : neighbors(state)) {
                const int step = std::equal(state.begin(), state.end() - 1, next.begin()) ? 0 : 1;
                if (std::uint8_t& known = costs_[number(next)]; cost + step < known) {
                    known = static_cast<std::uint8_t>(cost + step);
                    step == 0 ? queue.push_front(next) : queue.push_back(next);
                }
            }
        }
    }

    /// The cost with the tiles in `cells` and the blank in `blank`.
    int cost(std::vector<int> cells, int blank) const {
        cells.push_back(blank);
        return costs_[number(cells)];
    }

    /// The cost for the best cell of the blank.
    int cost(const std::vector<int>& cells) const {
        const std::size_t first = number(cells) * static_cast<std::size_t>(n_ * n_);
        int least = unreached; // positions with the blank in a tile's cell stay unreached
        for (std::size_t blank = 0; blank < static_cast<std::size_t>(n_ * n_); ++blank) {
            least = std::min<int>(least, costs_[first + blank]);
        }
        return least;
    }

private:
    std::size_t number(const std::vector<int>& state) const {
        std::size_t result = 0;
        for (const int cell : state) {
            result = result * static_cast<std::size_t>(n_ * n_) + static_cast<std::size_t>(cell);
        }
        return result;
    }

    std::vector<std::vector<int>> neighbors(const std::vector<int>& state) const {
        std::vector<std::vector<int>> result;
        const int blank = state.back();
        for (int cell = 0; cell < n_ * n_; ++cell) {
            const int rows = std::abs(cell / n_ - blank / n_);
            const int columns = std::abs(cell % n_ - blank % n_);
            if (rows + columns != 1) {
                continue;
            }
            result.push_back(state);
            std::replace(result.back().begin(), result.back().end() - 1, cell, blank);
            result.back().back() = cell;
        }
        return result;
    }

    int n_;
    std::vector<std::uint8_t> costs_;
};

/// Calls `visit(cells)` for each way to place `count` tiles in different cells of an n x n board.
template <class F>
void for_each_placement(int n, std::size_t count, std::vector<int>& cells, const F& visit) {
    if (cells.size() == count) {
        visit(cells);
        return;
    }
    for (int cell = 0; cell < n * n; ++cell) {
        if (std::find(cells.begin(), cells.end(), cell) == cells.end()) {
            cells.push_back(cell);
            for_each_placement(n, count, cells, visit);
            cells.pop_back();
        }
    }
}

template <class F>
void for_each_placement(int n, std::size_t count, const F& visit) {
    std::vector<int> cells;
    for_each_placement(n, count, cells, visit);
}

} // namespace oracle
