#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/from_any_start.hpp>
#include <npuzzle/search/core/with_goals.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace {

using npuzzle::from_any_start;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::Graph;
using test::Random;
using test::Table;

} // namespace

TEST_CASE("the cheapest path from any of several starts to any of several goals is found",
          "[from_any_start]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        INFO("seed " << seed);
        auto graph = test::random_graph<int>(seed, 25, 55, 1);
        Random random(seed);
        const auto some = [&](int most) {
            std::vector<int> vertices;
            for (int i = random.between(0, most); i > 0; --i) {
                vertices.push_back(random.between(0, 24));
            }
            return vertices;
        };
        const std::vector<int> goals = some(6);
        const std::vector<int> starts = some(4);
        const auto problem = npuzzle::with_goals(graph, goals);
        auto other = graph; // with these goals built in
        std::fill(other.goals.begin(), other.goals.end(), false);
        for (const int goal : goals) {
            other.add_goal(goal);
        }
        std::optional<int> least;
        Table<int> exact;
        for (const int start : starts) {
            exact.values.merge(oracle::costs_to_goal<int>(other, start));
            const auto cost = oracle::least_cost<int>(other, start);
            least = cost && (!least || *cost < *least) ? cost : least;
        }
        const auto result = from_any_start(starts, [&](int start, const auto& limits) {
            return npuzzle::astar(problem, start, exact, limits);
        });
        REQUIRE(result.status == (least ? Status::solved : Status::unsolvable));
        solved += least ? 1 : 0;
        if (least) {
            CHECK(result.cost == *least);
            test::check_path(other, result.path.front(), result);
            CHECK(std::count(starts.begin(), starts.end(), result.path.front()) > 0);
        }
    }
    CHECK(solved > 50);
    CHECK(solved < 90);
}

TEST_CASE("real costs from several starts: what is cheaper by the least there is, is found",
          "[from_any_start]") {
    Graph<double> graph(4);
    const double least = 0.1;
    graph.connect(0, 3, std::nextafter(least, 1)).connect(1, 3, least).connect(2, 3, least).add_goal(3);
    int calls = 0;
    const auto result = from_any_start(std::vector{0, 1, 2}, [&](int start, const auto& limits) {
        ++calls;
        return npuzzle::astar(graph, start, npuzzle::Zero{}, limits);
    });
    CHECK(result.cost == least);
    CHECK(result.path == std::vector{1, 3});
    CHECK(calls == 3);
}

TEST_CASE("limits hold for all starts together", "[from_any_start]") {
    const SlidingPuzzle<3> puzzle;
    std::vector<PackedBoard<3>> boards;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        boards.emplace_back(npuzzle::random_solvable(3, seed));
    }
    const auto search = [&](const auto& board, const auto& limits) {
        return npuzzle::astar(puzzle, board, Manhattan{}, limits);
    };
    const auto whole = from_any_start(boards, search);
    REQUIRE(whole.status == Status::solved);
    for (std::uint64_t limit = 0; limit < whole.statistics.expanded; limit += 1 + limit / 3) {
        const auto result = from_any_start(boards, search, {.expansions = limit});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.statistics.expanded == limit);
        CHECK(result.path.empty());
        CHECK(result.partial_path.size() == static_cast<std::size_t>(result.cost) + 1);
    }
    CHECK(from_any_start(boards, search, {.expansions = whole.statistics.expanded}).cost == whole.cost);
    CHECK(from_any_start(boards, search, {.time = std::chrono::nanoseconds{0}}).status == Status::time_limit);
    CHECK(from_any_start(boards, search, {.max_cost = whole.cost}).cost == whole.cost);
    CHECK(from_any_start(boards, search, {.max_cost = whole.cost - 1}).status == Status::cost_limit);

    // A goal was reached from the first start, and the limit struck at the second.
    const std::vector<PackedBoard<3>> two{
        PackedBoard<3>(npuzzle::random_walk(npuzzle::goal_blank_last(3), 30, std::uint64_t{1})), boards[0]};
    const auto first = search(two[0], npuzzle::BasicLimits<int>{});
    const auto ended = from_any_start(two, search, {.expansions = first.statistics.expanded});
    CHECK(ended.status == Status::expansion_limit);
    CHECK(ended.path == first.path);
}

TEST_CASE("no start is no path, and a start that is a goal is enough", "[from_any_start]") {
    const SlidingPuzzle<3> puzzle;
    const auto search = [&](const auto& board, const auto& limits) {
        return npuzzle::astar(puzzle, board, Manhattan{}, limits);
    };
    CHECK(from_any_start(std::vector<PackedBoard<3>>{}, search).status == Status::unsolvable);
    int calls = 0;
    const auto result = from_any_start(std::vector{PackedBoard<3>{}, PackedBoard<3>{}.twin()},
                                       [&](const auto& board, const auto& limits) {
                                           ++calls;
                                           return search(board, limits);
                                       });
    CHECK(result.cost == 0);
    CHECK(result.path.size() == 1);
    CHECK(calls == 1);
}
