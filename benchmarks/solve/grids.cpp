// Row 8: grid maps from corner to corner, against Boost.Graph on the same grid.

#include <npuzzle/search/astar.hpp>

#include "peers/boost_graph.hpp"
#include "problems/grid.hpp"
#include "solve/grid_runs.hpp"
#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/timing.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace benchmarks {

namespace {

using problems::Grid4;
using problems::Grid8;
using problems::GridMap;

template <class Grid, class Problem>
Run search_npuzzle(const GridMap& map, const std::string& name) {
    Problem problem{};
    problem.map = &map;
    return run_npuzzle<Grid>(map, name, [&] {
        return npuzzle::astar(problem, Cell{0, 0}, [&](const Cell& cell) { return problem.distance(cell); });
    });
}

template <class Grid>
Run search_boost_with_hash_maps(const GridMap& map, const std::string& name) {
    Grid grid{};
    grid.map = &map;
    return run_boost<Grid>(map, name, [&] {
        return peers::astar_with_hash_maps<cost_of<Grid>, CellHash>(
            Cell{0, 0}, expander<Grid>(map), [&](const Cell& cell) { return grid.distance(cell); },
            [&](const Cell& cell) { return grid.is_goal(cell); });
    });
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
    peers::VectorMaps<cost_of<Grid>> maps;
    const auto outcome = peers::astar_with_vector_maps<cost_of<Grid>>(
        maps, 0, map.cells(),
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
        session, "8a", name, plain, [&] { return search_boost_with_hash_maps<Grid>(map, name); },
        [&] { return search_npuzzle<Grid, Grid>(map, name); });
    compare(
        session, "8b", name, indexed, [&] { return search_boost_with_vector_maps<Grid>(map, name); },
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
