// Searches again after a hundredth of a map's cells has changed: LPA* and D* Lite against A* from scratch,
// in turn. Each answer is checked. The table in docs/search/replanning.md.
//
//     g++ -std=c++20 -O2 -DNDEBUG -I include -I benchmarks -I tests benchmarks/replanning.cpp -o replanning
//     ./replanning [SIDE...]

#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/replanning.hpp>

#include "problems/grid.hpp"
#include "support/answers.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using benchmarks::require;
using npuzzle::OctileDistance;
using Map = npuzzle::GridMap<>;
using Cell = Map::State;
using Result = npuzzle::search_result_t<Map>;

/// Where cells change.
enum class Place { near_goal, near_start, before_a_walker, anywhere };

/// Walls with a door each, between rooms of 15 by 15 cells.
problems::GridMap rooms(int side, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    problems::GridMap map(side);
    for (int at = 15; at < side - 1; at += 16) {
        for (int i = 0; i < side; ++i) {
            map.set(at, i, false);
            map.set(i, at, false);
        }
        for (int i = 0; i < side - 1; i += 16) {
            const auto door = [&] { return std::min(side - 2, i + static_cast<int>(generator() % 15)); };
            map.set(at, door(), true);
            map.set(door(), at, true);
        }
    }
    map.set(side - 1, side - 1, true);
    return map;
}

/// A hundredth of the cells, in a square around a place: as many are free as blocked,
/// where there are so many, so that the map stays as full as it was.
std::vector<Cell> choose(const Map& map, Place place, Cell start, std::mt19937_64& generator) {
    const Cell middle = place == Place::near_goal ? map.goal() : start;
    const int reach = place == Place::anywhere ? map.width() : map.width() / 5;
    std::vector<Cell> free;
    std::vector<Cell> blocked;
    for (Cell cell = 0; cell < map.size(); ++cell) {
        const bool is_near =
            std::abs(map.x(cell) - map.x(middle)) <= reach && std::abs(map.y(cell) - map.y(middle)) <= reach;
        if (is_near && cell != start && cell != map.goal()) {
            (map.is_free(cell) ? free : blocked).push_back(cell);
        }
    }
    std::shuffle(free.begin(), free.end(), generator);
    std::shuffle(blocked.begin(), blocked.end(), generator);
    const std::size_t count = map.size() / 200;
    blocked.resize(std::min(blocked.size(), count));
    free.resize(std::min(free.size(), blocked.size()));
    free.insert(free.end(), blocked.begin(), blocked.end());
    return free;
}

void require_equal(const Map& map, Cell start, const Result& result, const Result& expected) {
    require(result.status == expected.status, "not the same status");
    require(std::abs(result.cost - expected.cost) <= 1e-12 * expected.cost, "not the same cost");
    require(!result || (result.path.front() == start && map.is_goal(result.path.back())), "no path");
}

/// What a search took for all changes.
struct Sum {
    std::uint64_t expanded = 0;
    double seconds = 0;

    template <class F>
    Result measure(F&& search) {
        const benchmarks::Stopwatch stopwatch;
        Result result = search();
        seconds += stopwatch.seconds();
        expanded += result.statistics.expanded;
        return result;
    }
};

void compare(const std::string& name, const problems::GridMap& cells, Place place, const char* where) {
    constexpr int rounds = 20;
    const auto goal = static_cast<Cell>(cells.cells() - 1);
    Map map =
        Map(cells.size(), cells.size(), [&](int x, int y) { return cells.is_free(x, y); }).with_goal(goal);
    Cell start = 0;
    npuzzle::LpaStar lpa_star(map, start, OctileDistance{});
    npuzzle::DStarLite d_star_lite(map, start, OctileDistance{});
    const auto run = [&](auto& engine, const std::vector<Cell>& changed) {
        for (const Cell cell : changed) {
            engine.update(cell);
        }
        engine.run();
        return engine.result();
    };
    const bool walks = place == Place::before_a_walker;
    lpa_star.run();
    d_star_lite.run();
    Sum scratch;
    Sum forward;
    Sum backward;
    std::mt19937_64 generator(1);
    std::vector<Cell> path = d_star_lite.result().path;
    for (int round = 0; round < rounds; ++round) {
        if (walks && path.size() > 5) {
            start = path[5];
        }
        std::vector<Cell> changed;
        const auto flip = [&](Cell cell) {
            const auto found = map.set_free(cell, !map.is_free(cell));
            changed.insert(changed.end(), found.begin(), found.end());
        };
        for (;;) {
            const std::vector<Cell> flips = choose(map, place, start, generator);
            for (const Cell cell : flips) {
                flip(cell);
            }
            if (npuzzle::astar(map, start, OctileDistance{})) {
                break;
            }
            for (const Cell cell : flips) { // Without a way, A* would look at the whole map.
                flip(cell);
            }
            changed.clear();
        }
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        const Result expected = scratch.measure([&] { return npuzzle::astar(map, start, OctileDistance{}); });
        if (!walks) {
            require_equal(map, start, forward.measure([&] { return run(lpa_star, changed); }), expected);
        }
        const Result result = backward.measure([&] {
            if (walks) d_star_lite.move_start(start);
            return run(d_star_lite, changed);
        });
        require_equal(map, start, result, expected);
        path = result.path;
    }
    const auto print = [&](const Sum& sum) {
        if (sum.seconds == 0) {
            std::printf(" %17s |", "");
            return;
        }
        std::printf(" %6.2f x %6.2f x |",
                    static_cast<double>(scratch.expanded) / static_cast<double>(sum.expanded),
                    scratch.seconds / sum.seconds);
    };
    std::printf("| %-15s | %-15s | %8.0f |", name.c_str(), where,
                static_cast<double>(scratch.expanded) / rounds);
    print(forward);
    print(backward);
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    try {
        std::vector<int> sides;
        for (int i = 1; i < argc; ++i) {
            sides.push_back(std::atoi(argv[i]));
        }
        if (sides.empty()) {
            sides = {256};
        }
        for (const int side : sides) {
            require(side >= 32 && side <= 4096, "a side from 32 to 4096");
            std::printf("\n%d x %d cells: by how much fewer expansions, and faster, than A*\n\n", side, side);
            std::printf("| map | changes | A* expands | LPA* | D* Lite |\n");
            const std::vector<std::pair<std::string, problems::GridMap>> maps{
                {"15 % obstacles", problems::random_map(side, 15, 1)}, {"rooms", rooms(side, 1)}};
            for (const auto& [name, cells] : maps) {
                compare(name, cells, Place::near_goal, "near the goal");
                compare(name, cells, Place::near_start, "near the start");
                compare(name, cells, Place::before_a_walker, "before a walker");
                compare(name, cells, Place::anywhere, "anywhere");
            }
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wrong: %s\n", error.what());
        return 1;
    }
}
