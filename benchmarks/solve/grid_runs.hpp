#pragma once

#include <npuzzle/search/core/result.hpp>

#include "problems/grid.hpp"
#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/separately.hpp"
#include "support/timing.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

/// \file
/// Common parts of the comparisons on grid maps: path checks, and searches in separate processes.

namespace benchmarks {

using Cell = std::array<int, 2>;

/// Both coordinates in one number. The prime bucket counts of std::unordered_map spread it well.
struct CellHash {
    std::size_t operator()(const Cell& cell) const {
        const auto x = static_cast<std::uint32_t>(cell[0]);
        const auto y = static_cast<std::uint32_t>(cell[1]);
        return std::hash<std::uint64_t>{}(std::uint64_t{y} << 32 | x);
    }
};

template <class Grid>
using cost_of = std::conditional_t<std::is_same_v<Grid, problems::Grid4>, int, double>;

/// Calls `emit(cell, cost)` for the neighbors of a cell.
template <class Grid, class F>
void expand_cell(const problems::GridMap& map, int x, int y, F&& emit) {
    if constexpr (std::is_same_v<Grid, problems::Grid4>) {
        problems::for_each_of_4(map, x, y, [&](int to_x, int to_y) { emit(to_x, to_y, 1); });
    } else {
        problems::for_each_of_8(map, x, y, emit);
    }
}

/// The same in the form that Boost.Graph's implicit graph needs.
template <class Grid>
auto expander(const problems::GridMap& map) {
    return [&map](const Cell& cell, auto&& emit) {
        expand_cell<Grid>(map, cell[0], cell[1], [&](int x, int y, auto cost) { emit(Cell{x, y}, cost); });
    };
}

/// Checks a path step by step, and its cost by summation.
template <class Grid>
void require_grid_path(const problems::GridMap& map, const std::vector<Cell>& path, double cost,
                       const std::string& who) {
    const int last = map.size() - 1;
    require(!path.empty() && path.front() == Cell{0, 0} && path.back() == Cell{last, last},
            who + ": the path does not lead from corner to corner");
    double sum = 0;
    for (std::size_t i = 1; i < path.size(); ++i) {
        bool is_step = false;
        expand_cell<Grid>(map, path[i - 1][0], path[i - 1][1], [&](int x, int y, auto step) {
            if (path[i] == Cell{x, y}) {
                is_step = true;
                sum += step;
            }
        });
        require(is_step, who + ": a step of the path is none of the map's");
    }
    require(std::abs(sum - cost) < 1e-6 * (1 + cost),
            who + ": the path does not have the cost that was found");
}

struct Run {
    double seconds = 0;
    double cost = 0;
    std::uint64_t expanded = 0;
};

/// Times `search()` and checks its result, which must be one of npuzzle whose path leads from corner to
/// corner.
template <class Grid, class Search>
Run run_npuzzle(const problems::GridMap& map, const std::string& name, Search&& search) {
    const Stopwatch stopwatch;
    const auto result = search();
    const Run run{stopwatch.seconds(), static_cast<double>(result.cost), result.statistics.expanded};
    require(result.status == npuzzle::Status::solved, name + ": npuzzle did not solve it");
    require_grid_path<Grid>(map, result.path, run.cost, name + ", npuzzle");
    return run;
}

/// The same for a search by Boost.Graph, which returns a `peers::Outcome` of cells.
template <class Grid, class Search>
Run run_boost(const problems::GridMap& map, const std::string& name, Search&& search) {
    const Stopwatch stopwatch;
    const auto outcome = search();
    const Run run{stopwatch.seconds(), static_cast<double>(outcome.cost), outcome.expanded};
    require(outcome.is_solved, name + ": Boost.Graph did not solve it");
    require_grid_path<Grid>(map, outcome.path, run.cost, name + ", Boost.Graph");
    return run;
}

/// The ratios on several maps, which form one figure: the least, and also the geometric mean.
class Ratios {
public:
    void add(double ratio, const std::string& where) {
        if (least_ == 0 || ratio < least_) {
            least_ = ratio;
            where_ = where;
        }
        logarithms_ += std::log(ratio);
        ++count_;
    }

    double least() const { return least_; }
    std::string text() const {
        return "least on " + where_ + ", geometric mean " + to_text(std::exp(logarithms_ / count_), "x");
    }

private:
    double least_ = 0;
    double logarithms_ = 0;
    int count_ = 0;
    std::string where_;
};

/// Runs each search in a separate process, so that it pays for the memory it requests, like a search that is
/// run once. In one process it would reuse memory that the last search freed.
template <class Peer, class Npuzzle>
void compare(Session& session, const std::string& row, const std::string& name, Ratios& ratios, Peer&& peer,
             Npuzzle&& npuzzle) {
    const Run peer_run = separately(peer);
    const Run run = separately(npuzzle);
    require(std::abs(run.cost - peer_run.cost) < 1e-6 * (1 + run.cost),
            name + ": npuzzle and Boost.Graph found different costs");
    ratios.add(peer_run.seconds / run.seconds, name);
    const auto text = [](const Run& done) {
        return to_text(done.seconds * 1e3, "ms") + ", " + std::to_string(done.expanded) + " expanded";
    };
    session.report(
        {row, name, peer_run.seconds / run.seconds, "x", 0, 0, false, text(run), text(peer_run), "", true});
}

} // namespace benchmarks
