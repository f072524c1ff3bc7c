#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/dijkstra.hpp>

// Row 16: searches without a heuristic on grid maps, the minimal problem, against Boost.Graph on the same
// grid.

#include "peers/boost_graph.hpp"
#include "problems/grid.hpp"
#include "solve/grid_runs.hpp"
#include "solve/session.hpp"

#include <string>

namespace benchmarks {

namespace {

using problems::Grid4;
using problems::Grid8;
using problems::GridMap;

struct Algorithm {
    std::string row;
    std::string name;
    Ratios ratios = {};
};

template <class Grid>
void compare_dijkstra(Session& session, const GridMap& map, const std::string& name, Algorithm& dijkstra) {
    const Grid grid{&map};
    compare(
        session, dijkstra.row, name, session.rounds(3), dijkstra.ratios,
        [&] {
            return run_boost<Grid>(map, name, [&] {
                return peers::dijkstra_with_hash_maps<cost_of<Grid>, CellHash>(
                    Cell{0, 0}, expander<Grid>(map), [&](const Cell& cell) { return grid.is_goal(cell); });
            });
        },
        [&] { return run_npuzzle<Grid>(map, name, [&] { return npuzzle::dijkstra(grid, Cell{0, 0}); }); });
}

void compare_breadth_first(Session& session, const GridMap& map, const std::string& name,
                           Algorithm& breadth_first) {
    const Grid4 grid{&map};
    compare(
        session, breadth_first.row, name, session.rounds(3), breadth_first.ratios,
        [&] {
            return run_boost<Grid4>(map, name, [&] {
                return peers::breadth_first_with_hash_maps<CellHash>(
                    Cell{0, 0}, expander<Grid4>(map), [&](const Cell& cell) { return grid.is_goal(cell); });
            });
        },
        [&] {
            return run_npuzzle<Grid4>(map, name, [&] { return npuzzle::breadth_first(grid, Cell{0, 0}); });
        });
}

} // namespace

void solve_without_heuristic(Session& session) {
    const int size = session.is_smoke() ? 48 : 1024;
    const std::string maps = std::to_string(size) + " x " + std::to_string(size) + " grids";
    const GridMap open(size);
    const GridMap obstacles = problems::random_map(size, 25, 1);
    const GridMap maze = problems::maze(size, 3);
    Algorithm breadth_first{"16a", "breadth-first search"};
    Algorithm dijkstra{"16b", "Dijkstra's algorithm"};
    for (const auto& [map, name] : {std::pair<const GridMap&, std::string>{open, "no obstacles"},
                                    {obstacles, "25 % obstacles"},
                                    {maze, "a maze"}}) {
        compare_breadth_first(session, map, "breadth-first, 4 sides, " + name, breadth_first);
        compare_dijkstra<Grid4>(session, map, "Dijkstra, 4 sides, " + name, dijkstra);
        compare_dijkstra<Grid8>(session, map, "Dijkstra, 8 sides, " + name, dijkstra);
    }
    for (const Algorithm& algorithm : {breadth_first, dijkstra}) {
        session.report(
            {algorithm.row, maps + ": " + algorithm.name, algorithm.ratios.least(), "x", 3, 0, false,
             algorithm.ratios.text(), "",
             "corner to corner, the worst of the maps, against Boost.Graph with property maps that "
             "are std::unordered_map; set-up included"});
    }
}

} // namespace benchmarks
