// The anytime searches against A*: expansions to the first path, to the least cost and to the proof, on maps,
// puzzles and graphs. Each answer is checked. The table in docs/good-paths.md.
//
//     g++ -std=c++20 -O2 -DNDEBUG -I include -I benchmarks -I tests benchmarks/anytime.cpp -o anytime
//     ./anytime [COUNT [SIDE...]]
//
// COUNT problems of each kind, and maps of these sides.

#include <npuzzle/maps/distances.hpp>
#include <npuzzle/maps/graph.hpp>
#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/anytime.hpp>
#include <npuzzle/search/astar.hpp>

#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/maps.hpp"
#include "support/oracles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using benchmarks::require;
using Graph = npuzzle::Graph<int>;
using GridMap = npuzzle::GridMap<>;
using Vertex = std::uint32_t;

/// The mean of a figure, and its worst.
struct Figure {
    double sum = 0;
    double worst = 0;

    void add(double value) {
        sum += value;
        worst = std::max(worst, value);
    }
    void print(int count) const { std::printf(" %.2f (%.2f) |", sum / count, worst); }
};

/// What a search took for some problems, as a part of what A* takes, and what it found.
struct Contestant {
    const char* name;
    Figure first;
    Figure first_cost;
    Figure least_cost;
    Figure proof;

    /// Runs an engine to the end.
    /// \param least the least cost
    /// \param by_astar what A* expands
    template <class Engine>
    void run(Engine engine, double least, double by_astar) {
        double last = std::numeric_limits<double>::infinity();
        double found_at = 0;
        while (engine.next_solution()) {
            const auto& solution = engine.solution();
            const auto cost = static_cast<double>(solution.cost);
            require(cost < last, "a solution that is no better");
            require(cost <= least * solution.bound * (1 + 1e-12), "a bound that does not hold");
            found_at = static_cast<double>(solution.statistics.expanded) / by_astar;
            if (std::isinf(last)) {
                first.add(found_at);
                first_cost.add(cost / least);
            }
            last = cost;
        }
        const auto result = engine.result();
        require(result.status == npuzzle::Status::solved && result.bound == 1, "not proved");
        require(std::abs(static_cast<double>(result.cost) - least) <= 1e-12 * least, "not the least cost");
        least_cost.add(found_at);
        proof.add(static_cast<double>(result.statistics.expanded) / by_astar);
    }

    void print(int count) const {
        std::printf(" `%s` |", name);
        for (const Figure& figure : {first, first_cost, least_cost, proof}) {
            figure.print(count);
        }
        std::printf("\n");
    }
};

/// Solves problems of a kind by all searches, and prints what they took.
class Comparison {
public:
    /// Solves one more problem, unless A* does with next to nothing, or there is no path.
    template <class P, class H>
    bool solve(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic) {
        const auto expected = npuzzle::astar(problem, start, heuristic);
        if (!expected || expected.statistics.expanded < 20) {
            return false;
        }
        const auto least = static_cast<double>(expected.cost);
        const auto expanded = static_cast<double>(expected.statistics.expanded);
        anytime_.run(npuzzle::AnytimeAStar(problem, start, heuristic), least, expanded);
        ara_.run(npuzzle::AraStar(problem, start, heuristic), least, expanded);
        expanded_ += expanded;
        ++count_;
        return true;
    }

    void print(const std::string& kind) const {
        std::printf("| %s | %.0f |", kind.c_str(), expanded_ / count_);
        anytime_.print(count_);
        std::printf("| | |");
        ara_.print(count_);
        std::fflush(stdout);
    }

private:
    int count_ = 0;
    double expanded_ = 0;
    Contestant anytime_{"anytime_astar", {}, {}, {}, {}};
    Contestant ara_{"ara_star", {}, {}, {}, {}};
};

/// Between cells that are drawn by chance, at least half the side apart; a map for each pair.
template <class MakeMap>
void on_maps(const std::string& kind, int count, int side, MakeMap make_map) {
    Comparison comparison;
    for (int i = 0; i < count; ++i) {
        std::mt19937_64 generator(static_cast<std::uint64_t>(i) + 1);
        const test::SquareMap cells = make_map(generator());
        const GridMap map(side, side, [&](int x, int y) { return cells.is_free(x, y); });
        const auto draw = [&] { return static_cast<Vertex>(generator() % map.size()); };
        for (;;) {
            const Vertex start = draw();
            const Vertex goal = draw();
            const int distance =
                std::max(std::abs(map.x(start) - map.x(goal)), std::abs(map.y(start) - map.y(goal)));
            if (map.is_free(start) && map.is_free(goal) && 2 * distance >= side &&
                comparison.solve(map.with_goal(goal), start, npuzzle::OctileDistance{})) {
                break;
            }
        }
    }
    comparison.print(kind + ", " + std::to_string(side) + " x " + std::to_string(side));
}

void on_8_puzzles(int count) {
    Comparison comparison;
    std::mt19937_64 generator(1);
    const npuzzle::SlidingPuzzle<3> puzzle;
    for (int i = 0; i < count; ++i) {
        while (!comparison.solve(
            puzzle,
            npuzzle::PackedBoard<3>(npuzzle::random_solvable(3, generator, npuzzle::goal_blank_last(3))),
            npuzzle::Manhattan{})) {
        }
    }
    comparison.print("8-puzzle");
}

/// The boards of Korf's that are solved soonest.
void on_15_puzzles(int count) {
    Comparison comparison;
    std::vector<benchmarks::Instance> boards(benchmarks::korf_boards.begin(), benchmarks::korf_boards.end());
    std::sort(boards.begin(), boards.end(),
              [](const auto& a, const auto& b) { return a.ida_star_nodes < b.ida_star_nodes; });
    boards.resize(std::min(boards.size(), static_cast<std::size_t>(count)));
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    for (const benchmarks::Instance& board : boards) {
        require(comparison.solve(puzzle, npuzzle::PackedBoard<4>(board.tiles), npuzzle::Manhattan{}),
                "no path");
    }
    comparison.print("15-puzzle");
}

/// Four arcs from each vertex, to others at most 30 places away in a circle, of costs from 1 to 100.
Graph circle(std::size_t vertices, std::mt19937_64& generator) {
    std::vector<npuzzle::Arc<int>> arcs;
    for (std::size_t i = 0; i < 4 * vertices; ++i) {
        const std::size_t from = i / 4;
        const std::size_t to = (from + vertices - 30 + generator() % 61) % vertices;
        arcs.push_back(
            {static_cast<Vertex>(from), static_cast<Vertex>(to), 1 + static_cast<int>(generator() % 100)});
    }
    return Graph(vertices, arcs).with_goal(static_cast<Vertex>(vertices / 2));
}

/// \param lowest, highest the estimate of a vertex, in hundredths of the cost, is drawn from these; if they
///     are equal, it is consistent
void on_graphs(const std::string& kind, int count, int lowest, int highest) {
    Comparison comparison;
    for (int i = 0; i < count; ++i) {
        std::mt19937_64 generator(static_cast<std::uint64_t>(i) + 1);
        const Graph graph = circle(4000, generator);
        std::vector<int> estimates(graph.size(), std::numeric_limits<int>::max());
        for (const auto& [vertex, cost] : oracle::costs_to_goal<int>(graph, Vertex{0})) {
            estimates[vertex] = cost;
        }
        for (int& estimate : estimates) {
            const int part =
                lowest + static_cast<int>(generator() % static_cast<std::uint64_t>(highest - lowest + 1));
            estimate = estimate == std::numeric_limits<int>::max() ? estimate : estimate * part / 100;
        }
        comparison.solve(graph, 0, [&](Vertex vertex) { return estimates[vertex]; });
    }
    comparison.print(kind);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const int count = argc > 1 ? std::atoi(argv[1]) : 10;
        require(count >= 1, "one problem or more");
        std::vector<int> sides;
        for (int i = 2; i < argc; ++i) {
            sides.push_back(std::atoi(argv[i]));
        }
        if (sides.empty()) {
            sides = {192, 512};
        }
        std::printf("mean (worst), in expansions of A*\n\n");
        std::printf("| | A* | | first path | its cost | the least cost | proved |\n");
        std::printf("|---|---|---|---|---|---|---|\n");
        for (const int side : sides) {
            require(side >= 32 && side <= 4096, "a side from 32 to 4096");
            on_maps("30 % obstacles", count, side,
                    [&](auto seed) { return test::scattered(side, 30, seed); });
            on_maps("rooms", count, side, [&](auto seed) { return test::rooms(side, 15, seed); });
            on_maps("blocks", count, side,
                    [&](auto seed) { return test::blocks(side, side * side / 400, 23, seed); });
            on_maps("maze", count, side, [&](auto seed) { return test::maze(side, seed); });
        }
        on_8_puzzles(10 * count);
        on_15_puzzles(count);
        on_graphs("graphs, consistent", count, 50, 50);
        on_graphs("graphs, inconsistent", count, 50, 100);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wrong: %s\n", error.what());
        return 1;
    }
}
