// Row 8: grid maps from corner to corner, against Boost.Graph on the same grid.

#include <npuzzle/search/astar.hpp>

#include "peers/boost_graph.hpp"
#include "problems/grid.hpp"
#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/separately.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace benchmarks {

namespace {

using Cell = std::array<int, 2>;
using problems::Grid4;
using problems::Grid8;
using problems::GridMap;

/// Both coordinates side by side, which the prime numbers of buckets of std::unordered_map spread well.
struct CellHash {
    std::size_t operator()(const Cell& cell) const {
        const auto x = static_cast<std::uint32_t>(cell[0]);
        const auto y = static_cast<std::uint32_t>(cell[1]);
        return std::hash<std::uint64_t>{}(std::uint64_t{y} << 32 | x);
    }
};

template <class Grid>
using cost_of = std::conditional_t<std::is_same_v<Grid, Grid4>, int, double>;

/// Calls `emit(cell, cost)` for the cells beside one.
template <class Grid, class F>
void expand_cell(const GridMap& map, int x, int y, F&& emit) {
    if constexpr (std::is_same_v<Grid, Grid4>) {
        problems::for_each_of_4(map, x, y, [&](int to_x, int to_y) { emit(to_x, to_y, 1); });
    } else {
        problems::for_each_of_8(map, x, y, emit);
    }
}

/// Checks a path step by step, and its cost by adding it up.
template <class Grid>
void require_grid_path(const GridMap& map, const std::vector<Cell>& path, double cost,
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

template <class Grid, class Problem>
Run search_npuzzle(const GridMap& map, const std::string& name) {
    Problem problem{};
    problem.map = &map;
    const Stopwatch stopwatch;
    const auto result =
        npuzzle::astar(problem, Cell{0, 0}, [&](const Cell& cell) { return problem.distance(cell); });
    Run run{stopwatch.seconds(), static_cast<double>(result.cost), result.statistics.expanded};
    require(result.status == npuzzle::Status::solved, name + ": npuzzle did not solve it");
    require_grid_path<Grid>(map, result.path, run.cost, name + ", npuzzle");
    return run;
}

template <class Grid>
Run search_boost_with_hash_maps(const GridMap& map, const std::string& name) {
    Grid grid{};
    grid.map = &map;
    const Stopwatch stopwatch;
    const auto outcome = peers::astar_with_hash_maps<cost_of<Grid>, CellHash>(
        Cell{0, 0},
        [&](const Cell& cell, auto&& emit) {
            expand_cell<Grid>(map, cell[0], cell[1],
                              [&](int x, int y, auto cost) { emit(Cell{x, y}, cost); });
        },
        [&](const Cell& cell) { return grid.distance(cell); },
        [&](const Cell& cell) { return grid.is_goal(cell); });
    Run run{stopwatch.seconds(), static_cast<double>(outcome.cost), outcome.expanded};
    require(outcome.is_solved, name + ": Boost.Graph did not solve it");
    require_grid_path<Grid>(map, outcome.path, run.cost, name + ", Boost.Graph");
    return run;
}

template <class Grid>
Run search_boost_with_vector_maps(const GridMap& map, const std::string& name) {
    Grid grid{};
    grid.map = &map;
    const auto width = static_cast<std::size_t>(map.size());
    const auto cell_of = [&](std::size_t number) {
        return Cell{static_cast<int>(number % width), static_cast<int>(number / width)};
    };
    const Stopwatch stopwatch;
    const auto outcome = peers::astar_with_vector_maps<cost_of<Grid>>(
        0, map.cells(),
        [&](std::size_t number, auto&& emit) {
            const Cell cell = cell_of(number);
            expand_cell<Grid>(map, cell[0], cell[1],
                              [&](int x, int y, auto cost) { emit(map.number(x, y), cost); });
        },
        [&](std::size_t number) { return grid.distance(cell_of(number)); },
        [&](std::size_t number) { return number + 1 == map.cells(); });
    Run run{stopwatch.seconds(), static_cast<double>(outcome.cost), outcome.expanded};
    require(outcome.is_solved, name + ": Boost.Graph did not solve it");
    std::vector<Cell> path;
    for (const std::size_t number : outcome.path) {
        path.push_back(cell_of(number));
    }
    require_grid_path<Grid>(map, path, run.cost, name + ", Boost.Graph");
    return run;
}

/// The ratios on several maps, which have one figure together: the least, and beside it the geometric mean.
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

/// Each search in a process of its own, so that it pays for the memory that it asks for, as a search does that somebody
/// runs once: in one process, what the last one freed is at hand.
template <class Peer, class Npuzzle>
void compare(Session& session, const std::string& row, const std::string& name, int rounds, Ratios& ratios,
             Peer&& peer, Npuzzle&& npuzzle) {
    Run peer_run;
    Run run;
    const Seconds seconds = interleave(
        rounds,
        [&] {
            peer_run = separately(peer);
            return peer_run.seconds;
        },
        [&] {
            run = separately(npuzzle);
            return run.seconds;
        });
    require(std::abs(run.cost - peer_run.cost) < 1e-6 * (1 + run.cost),
            name + ": npuzzle and Boost.Graph found different costs");
    ratios.add(seconds.peer / seconds.npuzzle, name);
    const auto text = [](double spent, const Run& done) {
        return to_text(spent * 1e3, "ms") + ", " + std::to_string(done.expanded) + " expanded";
    };
    session.report({row, name, seconds.peer / seconds.npuzzle, "x", 0, 0, false, text(seconds.npuzzle, run),
                    text(seconds.peer, peer_run), "", true});
}

struct NamedMap {
    std::string name;
    GridMap map;
};

template <class Grid>
void compare_on(Session& session, const NamedMap& named, const std::string& sides, Ratios& plain,
                Ratios& indexed) {
    const GridMap& map = named.map;
    const std::string name = sides + " sides, " + named.name;
    compare(
        session, "8a", name, session.rounds(2), plain,
        [&] { return search_boost_with_hash_maps<Grid>(map, name); },
        [&] { return search_npuzzle<Grid, Grid>(map, name); });
    compare(
        session, "8b", name, session.rounds(3), indexed,
        [&] { return search_boost_with_vector_maps<Grid>(map, name); },
        [&] { return search_npuzzle<Grid, problems::Indexed<Grid>>(map, name); });
}

} // namespace

void solve_grids(Session& session) {
    const int size = session.is_smoke() ? 48 : 2048;
    const std::vector<NamedMap> maps{
        {"no obstacles", GridMap(size)},
        {"25 % obstacles", problems::random_map(size, 25, 1)},
        {"35 % obstacles", problems::random_map(size, 35, 2)},
        {"a maze", problems::maze(size, 3)},
    };
    Ratios plain;
    Ratios indexed;
    for (const NamedMap& named : maps) {
        compare_on<Grid4>(session, named, "4", plain, indexed);
        compare_on<Grid8>(session, named, "8", plain, indexed);
    }
    const std::string maps_text = std::to_string(size) + " x " + std::to_string(size) + " grids";
    session.report({"8a", maps_text, plain.least(), "x", 4, 8, false, plain.text(), "",
                    "corner to corner, the worst of the maps, against Boost.Graph with property maps that "
                    "are std::unordered_map; set-up included"});
    session.report({"8b", maps_text + ", cells numbered", indexed.least(), "x", 1.5, 3, false, indexed.text(),
                    "",
                    "corner to corner, the worst of the maps, against Boost.Graph with vectors as property "
                    "maps; set-up included"});
}

} // namespace benchmarks
