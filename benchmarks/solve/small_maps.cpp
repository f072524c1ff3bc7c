// Row 21: searches that fit the cache, thousands of them: maps of the size that games have, with eight sides.
// Each line tells what `neighbors` alone takes, too: no engine can be faster than that.

#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/path_finder.hpp>

#include "peers/boost_graph.hpp"
#include "problems/grid.hpp"
#include "reference/astar_grid.hpp"
#include "solve/grid_runs.hpp"
#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/maps.hpp"
#include "support/timing.hpp"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace benchmarks {

namespace {

using problems::GridMap;

/// As a beginner writes it.
struct PlainMap {
    using State = std::array<int, 2>;
    const GridMap* map;
    State goal;

    std::vector<npuzzle::Edge<State, double>> neighbors(const State& cell) const {
        std::vector<npuzzle::Edge<State, double>> result;
        problems::for_each_of_8(*map, cell[0], cell[1],
                                [&](int x, int y, double cost) { result.push_back({{x, y}, cost}); });
        return result;
    }
    bool is_goal(const State& cell) const { return cell == goal; }
};

/// With numbered cells, and without allocations.
struct NumberedMap {
    using State = int;
    const GridMap* map;
    State goal;

    boost::container::static_vector<npuzzle::Edge<State, double>, 8> neighbors(State cell) const {
        boost::container::static_vector<npuzzle::Edge<State, double>, 8> result;
        const int width = map->size();
        problems::for_each_of_8(*map, cell % width, cell / width,
                                [&](int x, int y, double cost) { result.push_back({y * width + x, cost}); });
        return result;
    }
    bool is_goal(State cell) const { return cell == goal; }
    std::size_t index(State cell) const { return static_cast<std::size_t>(cell); }
    std::size_t size() const { return map->cells(); }
};

struct Query {
    int start;
    int goal;
    double cost;
};

/// What a contestant did with all queries.
struct Total {
    double seconds = std::numeric_limits<double>::infinity(); ///< the least of several times
    std::uint64_t expanded = 0;

    /// \param search gives the cost of a query, and adds its expansions to the number that it is given
    template <class Search>
    void run(const std::vector<Query>& queries, const std::string& name, Search&& search) {
        expanded = 0;
        const Stopwatch stopwatch;
        double sum = 0;
        for (const Query& query : queries) {
            sum += search(query, expanded);
        }
        seconds = std::min(seconds, stopwatch.seconds());
        double right = 0;
        for (const Query& query : queries) {
            right += query.cost;
        }
        require(std::abs(sum - right) < 1e-6 * (1 + right),
                name + ": the costs are not those of the reference");
    }
};

/// The numbers of the cells that are expanded.
struct ExpandedCells : npuzzle::SilentObserver {
    std::vector<int> cells;
    void expand(const auto& node) { cells.push_back(node.state); }
};

/// The seconds in which a problem gives the neighbors of each of these states, the least of several times.
template <class Problem>
double seconds_of_neighbors(const Problem& problem, const std::vector<typename Problem::State>& states) {
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 3; ++round) {
        double sum = 0;
        const Stopwatch stopwatch;
        for (const auto& state : states) {
            for (const auto& edge : problem.neighbors(state)) {
                sum += edge.cost;
            }
        }
        least = std::min(least, stopwatch.seconds());
        require(sum > 0, "expanded states without neighbors");
    }
    return least;
}

/// The contestants, each with the least ratio to each of two peers.
struct Ratio {
    Ratios by_hand;
    Ratios boost;
};

struct Contest {
    Ratio plain;
    Ratio numbered;
    Ratio grid;
};

std::vector<Query> random_queries(const GridMap& map, int count, int reach) {
    std::vector<Query> queries;
    std::mt19937_64 generator(1);
    reference::GridAStar search(map);
    const int width = map.size();
    while (static_cast<int>(queries.size()) < count) {
        const auto below = [&](int bound) {
            return static_cast<int>(generator() % static_cast<std::uint64_t>(bound));
        };
        const int x = below(width);
        const int y = below(width);
        const int to_x = reach > 0 ? x + below(2 * reach + 1) - reach : below(width);
        const int to_y = reach > 0 ? y + below(2 * reach + 1) - reach : below(width);
        if (!map.is_free(x, y) || !map.is_free(to_x, to_y)) {
            continue;
        }
        const int start = y * width + x;
        const int goal = to_y * width + to_x;
        const double cost = search.search(start, goal);
        if (cost >= 0) {
            queries.push_back({start, goal, cost});
        }
    }
    return queries;
}

void compare_on(Session& session, const GridMap& map, int count, int reach, const std::string& name,
                Contest& contest) {
    const std::vector<Query> queries = random_queries(map, count, reach);
    const int width = map.size();
    const auto require_length = [&](const auto& path, const std::string& who) {
        require(!path.empty(), name + ": " + who + " gives no path");
    };

    Total by_hand;
    Total boost;
    Total plain;
    Total numbered;
    Total grid;
    reference::GridAStar reference(map);
    peers::VectorMaps<double> maps;
    const npuzzle::GridMap<> as_problem(width, width, [&](int x, int y) { return map.is_free(x, y); });
    npuzzle::PathFinder finder(as_problem, npuzzle::OctileDistance{});
    for (int time = 0; time < 2; ++time) { // The first warms the caches.
        by_hand.run(queries, name, [&](const Query& query, std::uint64_t& expanded) {
            reference.expanded = 0;
            const double cost = reference.search(query.start, query.goal);
            require_length(reference.path(query.goal), "the loop by hand");
            expanded += reference.expanded;
            return cost;
        });
        boost.run(queries, name, [&](const Query& query, std::uint64_t& expanded) {
            const int goal_x = query.goal % width;
            const int goal_y = query.goal / width;
            const auto outcome = peers::astar_with_vector_maps<double>(
                maps, static_cast<std::size_t>(query.start), map.cells(),
                [&](std::size_t cell, auto&& emit) {
                    const int number = static_cast<int>(cell);
                    problems::for_each_of_8(map, number % width, number / width,
                                            [&](int x, int y, double cost) { emit(map.number(x, y), cost); });
                },
                [&](std::size_t cell) {
                    const int number = static_cast<int>(cell);
                    return problems::octile(number % width - goal_x, number / width - goal_y);
                },
                [&](std::size_t cell) { return cell == static_cast<std::size_t>(query.goal); });
            require_length(outcome.path, "Boost.Graph");
            expanded += outcome.expanded;
            return outcome.cost;
        });
        plain.run(queries, name, [&](const Query& query, std::uint64_t& expanded) {
            const PlainMap problem{&map, {query.goal % width, query.goal / width}};
            const auto distance = [&](const PlainMap::State& cell) {
                return problems::octile(cell[0] - problem.goal[0], cell[1] - problem.goal[1]);
            };
            const auto result =
                npuzzle::astar(problem, PlainMap::State{query.start % width, query.start / width}, distance);
            require_length(result.path, "npuzzle");
            expanded += result.statistics.expanded;
            return result.cost;
        });
        numbered.run(queries, name, [&](const Query& query, std::uint64_t& expanded) {
            const NumberedMap problem{&map, query.goal};
            const int x = query.goal % width;
            const int y = query.goal / width;
            const auto distance = [=](int cell) {
                return problems::octile(cell % width - x, cell / width - y);
            };
            const auto result = npuzzle::astar(problem, query.start, distance);
            require_length(result.path, "npuzzle");
            expanded += result.statistics.expanded;
            return result.cost;
        });
        grid.run(queries, name, [&](const Query& query, std::uint64_t& expanded) {
            const auto result =
                finder.find(npuzzle::GridMap<>::State(query.start), npuzzle::GridMap<>::State(query.goal));
            require_length(result.path, "npuzzle");
            expanded += result.statistics.expanded;
            return result.cost;
        });
    }

    ExpandedCells expanded;
    for (const Query& query : queries) {
        const auto distance = [&](int cell) {
            return problems::octile(cell % width - query.goal % width, cell / width - query.goal / width);
        };
        npuzzle::astar(NumberedMap{&map, query.goal}, query.start, distance, {}, expanded);
    }
    std::vector<PlainMap::State> plain_states;
    for (const int cell : expanded.cells) {
        plain_states.push_back({cell % width, cell / width});
    }
    const double plain_neighbors = seconds_of_neighbors(PlainMap{&map, {}}, plain_states);
    const double numbered_neighbors = seconds_of_neighbors(NumberedMap{&map, 0}, expanded.cells);

    const auto report = [&](const std::string& row, const std::string& how, const Total& total,
                            double neighbors, Ratio& ratio) {
        ratio.by_hand.add(by_hand.seconds / total.seconds, name);
        ratio.boost.add(boost.seconds / total.seconds, name);
        const auto text = [&](const Total& done) {
            const double expansions = static_cast<double>(done.expanded);
            return to_text(done.seconds / expansions * 1e9, "ns") + " an expansion, " +
                   to_text(expansions / count) + " each";
        };
        session.report({row, name + ", " + how, by_hand.seconds / total.seconds, "x", 0, 0, false,
                        text(total), text(by_hand),
                        to_text(boost.seconds / total.seconds, "x") +
                            " against Boost.Graph; neighbors alone " +
                            to_text(neighbors / static_cast<double>(expanded.cells.size()) * 1e9, "ns"),
                        true});
    };
    report("21a", "a plain problem", plain, plain_neighbors, contest.plain);
    report("21b", "cells numbered", numbered, numbered_neighbors, contest.numbered);
    const std::vector<npuzzle::GridMap<>::State> grid_states(expanded.cells.begin(), expanded.cells.end());
    report("21c", "GridMap", grid, seconds_of_neighbors(as_problem, grid_states), contest.grid);
}

} // namespace

void search_small_maps(Session& session) {
    Contest contest;
    for (const int size : session.is_smoke() ? std::vector<int>{32} : std::vector<int>{64, 192, 512, 1024}) {
        const auto on = [&](const GridMap& map, const std::string& kind) {
            const int queries = session.is_smoke() ? 3 : 8 * 1024 / size;
            const std::string name = kind + ", " + std::to_string(size);
            compare_on(session, map, queries, 0, name + ", any distance", contest);
            compare_on(session, map, 10 * queries, 12, name + ", near", contest);
        };
        on(test::scattered(size, 25, 1), "25 % obstacles");
        on(test::blocks(size, size * size / 400, 16, 1), "blocks");
        on(test::rooms(size, 15, 1), "rooms");
        on(test::maze(size, 1), "a maze");
    }
    const std::string note = "maps of 64 to 1024 cells a side, eight sides; the worst of them, against sixty "
                             "lines by hand; against Boost.Graph with vectors that are kept: ";
    const auto report = [&](const std::string& row, const std::string& what, const Ratio& ratio, double reach,
                            double aim) {
        session.report({row, what, ratio.by_hand.least(), "x", reach, aim, false, ratio.by_hand.text(), "",
                        note + to_text(ratio.boost.least(), "x") + " " + ratio.boost.text()});
    };
    report("21a", "small maps, a plain problem", contest.plain, 0.7, 1.3);
    report("21b", "small maps, cells numbered", contest.numbered, 1, 1.5);
    report("21c", "small maps, a GridMap and a PathFinder", contest.grid, 1.1, 1.8);
}

} // namespace benchmarks
