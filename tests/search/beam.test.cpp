#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/beam.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

// What all searches have in common is in the tests of the family, too.

namespace {

using npuzzle::beam_search;
using npuzzle::doubling_beam;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::Graph;
using test::Random;
using test::Table;

constexpr std::size_t widest = std::numeric_limits<std::size_t>::max();

struct Outcome {
    Status status;
    int cost;
    std::uint64_t expanded;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Beam search by whole layers of a problem without costs, as one would write it down.
template <class P, class H>
Outcome plain_beam_search(const P& problem, const typename P::State& start, const H& heuristic,
                          std::size_t width) {
    using State = typename P::State;
    std::uint64_t expanded = 0;
    bool has_dropped = false;
    std::set<State> closed;
    std::vector<State> layer{start};
    if (problem.is_goal(start)) {
        return {Status::solved, 0, 0};
    }
    for (int depth = 1; !layer.empty(); ++depth) {
        std::vector<State> next;
        for (const State& state : layer) {
            ++expanded;
            closed.insert(state);
            for (const State& neighbor : problem.neighbors(state)) {
                const auto is_in = [&](const std::vector<State>& states) {
                    return std::find(states.begin(), states.end(), neighbor) != states.end();
                };
                if (closed.count(neighbor) == 0 && !is_in(layer) && !is_in(next)) {
                    next.push_back(neighbor);
                    if (problem.is_goal(neighbor)) {
                        return {Status::solved, depth, expanded};
                    }
                }
            }
        }
        std::vector<std::pair<int, std::size_t>> ranks;
        for (std::size_t i = 0; i < next.size(); ++i) {
            ranks.emplace_back(heuristic(next[i]), i);
        }
        std::sort(ranks.begin(), ranks.end());
        has_dropped = has_dropped || ranks.size() > width;
        ranks.resize(std::min(ranks.size(), width));
        std::set<std::size_t> kept;
        for (const auto& rank : ranks) {
            kept.insert(rank.second);
        }
        layer.clear();
        for (const std::size_t i : kept) {
            layer.push_back(next[i]);
        }
    }
    return {has_dropped ? Status::beam_exhausted : Status::unsolvable, 0, expanded};
}

/// The vertices of a graph, and its edges without costs.
struct Steps {
    using State = int;

    const Graph<int>& graph;

    std::vector<int> neighbors(int vertex) const {
        std::vector<int> result;
        for (const auto& edge : graph.neighbors(vertex)) {
            result.push_back(edge.to);
        }
        return result;
    }
    bool is_goal(int vertex) const { return graph.is_goal(vertex); }
};

Graph<int> graph_of(std::uint64_t seed) {
    Random random(100 + seed);
    const int vertices = random.between(1, 60);
    return test::random_graph<int>(seed, vertices, random.between(0, 3 * vertices), random.between(0, 1), 20);
}

/// Any numbers: a beam needs no promise.
Table<int> any_table(const Graph<int>& graph, std::uint64_t seed) {
    Random random(seed);
    Table<int> table;
    for (int vertex = 0; vertex < graph.size(); ++vertex) {
        table.values[vertex] = graph.is_goal(vertex) ? 0 : random.between(0, 5);
    }
    return table;
}

/// Notes what is expanded, and throws when that is enough.
struct Enough {};
struct Order : npuzzle::SilentObserver {
    std::vector<int> states;
    std::size_t enough = 100;
    void expand(const auto& node) {
        states.push_back(node.state);
        if (states.size() == enough) {
            throw Enough{};
        }
    }
};

} // namespace

TEST_CASE("a beam does what one written plainly does", "[beam]") {
    std::map<Status, int> counts;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const auto graph = graph_of(seed);
        const Steps steps{graph};
        const auto table = any_table(graph, seed);
        for (const std::size_t width : {std::size_t{1}, std::size_t{2}, std::size_t{5}, widest}) {
            INFO("seed " << seed << ", width " << width);
            const auto result = beam_search(steps, 0, table, {.width = width});
            test::check_path(steps, 0, result);
            CHECK(Outcome{result.status, result ? result.cost : 0, result.statistics.expanded} ==
                  plain_beam_search(steps, 0, table, width));
            CHECK(result.statistics.contract_violations == 0);
            ++counts[result.status];
        }
    }
    CHECK(counts[Status::solved] > 200);
    CHECK(counts[Status::unsolvable] > 200);
    CHECK(counts[Status::beam_exhausted] > 50);
}

TEST_CASE("a beam without end is breadth-first search, and proves", "[beam]") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        const auto graph = graph_of(seed);
        const auto least = oracle::least_cost<int>(graph, 0);
        const auto table = any_table(graph, seed);
        const auto wide = beam_search(Steps{graph}, 0, table, {.width = widest});
        CHECK(wide.status == (least ? Status::solved : Status::unsolvable));
        std::optional<int> fewest;
        for (const auto& [vertex, steps] : oracle::breadth_first(graph, 0)) {
            if (graph.is_goal(vertex) && (!fewest || steps < *fewest)) {
                fewest = steps;
            }
        }
        CHECK((!fewest || wide.cost == *fewest));

        const auto doubled = doubling_beam(graph, 0, table);
        test::check_path(graph, 0, doubled);
        CHECK(doubled.status == wide.status);

        // Not by the estimates of `table`, which would not be admissible.
        if (least) {
            const Table<int> zero;
            CHECK(doubling_beam(graph, 0, zero, {.width = 1}, {.max_cost = *least}).cost == *least);
            CHECK(doubling_beam(graph, 0, zero, {.width = 1}, {.max_cost = *least - 1}).status ==
                  Status::cost_limit);
        }
    }
}

TEST_CASE("a layer keeps the best, then the cheapest, then the first", "[beam]") {
    Graph<int> graph(10);
    graph.connect(0, 1, 5).connect(0, 2, 2).connect(0, 3, 2).connect(0, 4, 9);
    const Table<int> table{{{1, 4}, {2, 7}, {3, 7}, {4, 4}, {5, 1}}};
    const auto expanded = [&](std::size_t width) {
        Order order;
        CHECK(beam_search(graph, 0, table, {.width = width}, {}, order).status ==
              (width < 4 ? Status::beam_exhausted : Status::unsolvable));
        return order.states;
    };
    CHECK(expanded(1) == std::vector{0, 1});
    CHECK(expanded(2) == std::vector{0, 1, 4});
    CHECK(expanded(3) == std::vector{0, 1, 2, 4});
    CHECK(expanded(4) == std::vector{0, 1, 2, 3, 4});
    Order order;
    order.enough = 3;
    CHECK_THROWS_AS(beam_search(graph, 0, table, {.width = 4}, {}, order), Enough);
    CHECK(order.states == std::vector{0, 1, 2});

    // What was dropped may come again, by a path that costs more.
    graph.connect(1, 2, 9).connect(2, 9, 1).add_goal(9);
    CHECK(beam_search(graph, 0, table, {.width = 1}).path == std::vector{0, 1, 2, 9});
    CHECK(beam_search(graph, 0, table, {.width = 1}).cost == 15);
}

TEST_CASE("a beam that runs out begins again, twice as wide", "[beam]") {
    Graph<int> graph(5);
    graph.connect(0, 1, 1).connect(0, 2, 1).connect(2, 3, 1).connect(3, 4, 1).add_goal(4);
    const Table<int> table{{{1, 1}, {2, 2}, {3, 1}}};
    const auto narrow = beam_search(graph, 0, table, {.width = 1});
    CHECK(narrow.status == Status::beam_exhausted); // 0, 1: a dead end
    CHECK(narrow.statistics.expanded == 2);
    CHECK(narrow.path.empty());
    const auto wider = doubling_beam(graph, 0, table);
    CHECK(wider.path == std::vector{0, 2, 3, 4});
    CHECK(wider.cost == 3);
    CHECK(wider.statistics.expanded == beam_search(graph, 0, table, {.width = 2}).statistics.expanded + 2);
    CHECK_THROWS_AS(beam_search(graph, 0, table, {.width = 0}), std::invalid_argument);
    CHECK_THROWS_AS(doubling_beam(graph, 0, table, {.width = 0}), std::invalid_argument);
}

TEST_CASE("beams as in the documentation", "[beam]") {
    const npuzzle::SlidingPuzzle<5> puzzle;
    const npuzzle::PackedBoard<5> start(npuzzle::random_solvable(5, 1));

    const auto quick = npuzzle::doubling_beam(puzzle, start, npuzzle::Manhattan{}, {.width = 100});
    const auto shorter = npuzzle::beam_search(puzzle, start, npuzzle::Manhattan{}, {.width = 2000});
    CHECK(quick); // it always ends with a path, if there is one
    CHECK(shorter.status != npuzzle::Status::beam_exhausted);
    CHECK(shorter.cost < quick.cost);
}
