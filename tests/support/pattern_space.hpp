/// @file
/// The least number of moves that a pattern's tiles need, by simple searches: from the goal, which gives all
/// costs of a small pattern, or from one placement of a large pattern. It uses arrays of cells, and no code
/// of the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <unordered_map>
#include <vector>

namespace oracle {

/// The moves that count.
enum class Counted { tiles, all };

/// All positions of some tiles and the blank on an n x n board, and the least cost from each to the goal.
class PatternSpace {
public:
    static constexpr int unreached = 255;

    /// \param homes the goal cell of each tile
    PatternSpace(int n, const std::vector<int>& homes, int blank, Counted counted) : n_(n) {
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
                const int step =
                    counted == Counted::all || !std::equal(state.begin(), state.end() - 1, next.begin()) ? 1
                                                                                                         : 0;
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

/// The same as `PatternSpace(n, homes, blank, Counted::tiles).cost(cells)`, for up to eight tiles. It
/// searches forward from one placement, with the distances of the tiles as the estimate. A state is the tiles
/// and the region that the blank can reach without moving one of them. The first cell of the region
/// represents it.
class PatternSearch {
public:
    PatternSearch(int n, const std::vector<int>& homes, int blank)
        : n_(n), homes_(homes), goal_(state_of(homes, region(homes, blank).front())) {}

    int cost(const std::vector<int>& cells) const {
        std::unordered_map<State, int> costs;
        std::vector<std::vector<State>> open; // by cost plus estimate
        const auto reach = [&](const std::vector<int>& places, int blank, int cost) {
            const State state = state_of(places, region(places, blank).front());
            const auto [known, is_new] = costs.try_emplace(state, cost);
            if (is_new || cost < known->second) {
                known->second = cost;
                const auto level = static_cast<std::size_t>(cost + distance(places));
                open.resize(std::max(open.size(), level + 1));
                open[level].push_back(state);
            }
        };
        for (int blank = 0; blank < n_ * n_; ++blank) {
            if (!is_taken(cells, blank)) {
                reach(cells, blank, 0);
            }
        }
        for (std::size_t level = 0; level < open.size(); ++level) {
            while (!open[level].empty()) {
                const State state = open[level].back();
                open[level].pop_back();
                std::vector<int> places = places_of(state);
                const int cost = costs[state];
                if (static_cast<std::size_t>(cost + distance(places)) < level) {
                    continue; // already expanded at a lower cost
                }
                if (state == goal_) {
                    return cost;
                }
                for (const int blank : region(places, static_cast<int>(state >> (5 * homes_.size())))) {
                    for (int& place : places) {
                        if (are_neighbors(place, blank)) {
                            const int from = place;
                            place = blank;
                            reach(places, from, cost + 1);
                            place = from;
                        }
                    }
                }
            }
        }
        return PatternSpace::unreached;
    }

private:
    using State = std::uint64_t;

    static State state_of(const std::vector<int>& cells, int region) {
        State state = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            state |= static_cast<State>(cells[i]) << (5 * i);
        }
        return state | static_cast<State>(region) << (5 * cells.size());
    }

    std::vector<int> places_of(State state) const {
        std::vector<int> cells;
        for (std::size_t i = 0; i < homes_.size(); ++i) {
            cells.push_back(static_cast<int>(state >> (5 * i) & 31));
        }
        return cells;
    }

    static bool is_taken(const std::vector<int>& cells, int cell) {
        return std::find(cells.begin(), cells.end(), cell) != cells.end();
    }

    bool are_neighbors(int a, int b) const { return steps(a, b) == 1; }

    int steps(int a, int b) const { return std::abs(a / n_ - b / n_) + std::abs(a % n_ - b % n_); }

    int distance(const std::vector<int>& cells) const {
        int sum = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            sum += steps(cells[i], homes_[i]);
        }
        return sum;
    }

    /// The cells that the blank can reach, in order.
    std::vector<int> region(const std::vector<int>& cells, int blank) const {
        std::vector<int> found{blank};
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (int cell = 0; cell < n_ * n_; ++cell) {
                if (are_neighbors(cell, found[i]) && !is_taken(cells, cell) && !is_taken(found, cell)) {
                    found.push_back(cell);
                }
            }
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    int n_;
    std::vector<int> homes_;
    State goal_;
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
