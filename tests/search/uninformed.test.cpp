#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/uninformed.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

// What all searches have in common is in the tests of the family.

namespace {

using npuzzle::breadth_first;
using npuzzle::Status;
using test::Graph;

} // namespace

TEST_CASE("breadth-first search finds the fewest moves of a sample of all 8-puzzles", "[uninformed]") {
    const oracle::PuzzleSpace<3> space(oracle::Cells<3>{1, 2, 3, 4, 5, 6, 7, 8, 0});
    const npuzzle::SlidingPuzzle<3> puzzle;
    for (const auto& cells : space.solvable(900)) {
        const npuzzle::PackedBoard<3> board(cells);
        const auto result = breadth_first(puzzle, board);
        CHECK(result.cost == space.depth(cells));
        CHECK(result.moves.size() + 1 == result.path.size());
        test::check_path(puzzle, board, result);
    }
    const auto all =
        breadth_first(puzzle, npuzzle::PackedBoard<3>(oracle::Cells<3>{2, 1, 3, 4, 5, 6, 7, 8, 0}));
    CHECK(all.status == Status::unsolvable);
    CHECK(all.statistics.stored == 181'440);
    CHECK(all.statistics.expanded == 181'440);
}

TEST_CASE("iterative deepening finds the fewest moves of near 8-puzzles", "[uninformed]") {
    const oracle::PuzzleSpace<3> space(oracle::Cells<3>{1, 2, 3, 4, 5, 6, 7, 8, 0});
    const npuzzle::SlidingPuzzle<3> puzzle;
    int solved = 0;
    for (const auto& cells : space.solvable(40)) {
        if (space.depth(cells) <= 12) {
            const npuzzle::PackedBoard<3> board(cells);
            const auto result = npuzzle::iterative_deepening(puzzle, board);
            CHECK(result.cost == space.depth(cells));
            test::check_path(puzzle, board, result);
            ++solved;
        }
    }
    CHECK(solved > 5);
}

TEST_CASE("breadth-first search ends when a goal is generated", "[uninformed]") {
    Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(0, 2, 1).connect(0, 3, 1).add_goal(2);
    const auto result = breadth_first(graph, 0);
    CHECK(result.statistics.expanded == 1);
    CHECK(result.statistics.generated == 2);
}

TEST_CASE("breadth-first search counts steps, and says what they cost", "[uninformed]") {
    Graph<double> graph(5);
    graph.connect(0, 4, 10).connect(0, 4, 9.5).connect(0, 1, 0.25).connect(1, 4, 0.25);
    graph.connect(0, 2, HUGE_VAL).connect(2, 3, 1).add_goal(4);
    const auto result = breadth_first(graph, 0);
    CHECK(result.path == std::vector{0, 4});
    CHECK(result.cost == 9.5);
    CHECK(npuzzle::dijkstra(graph, 0).cost == 0.5);
    Graph<double> wall(2);
    wall.connect(0, 1, HUGE_VAL).add_goal(1);
    CHECK(breadth_first(wall, 0).status == Status::unsolvable);

    const test::WithMoves<test::Ring> ring(3, 60, 12);
    const auto walked = breadth_first(ring, 0);
    test::check_path(ring, 0, walked);
    CHECK(walked.moves.size() + 1 == walked.path.size());
}

TEST_CASE("depth-first search goes no deeper than it may", "[family]") {
    Graph<int> chain(10);
    for (int vertex = 0; vertex + 1 < 10; ++vertex) {
        chain.connect(vertex, vertex + 1, 3);
    }
    chain.add_goal(9);
    CHECK(npuzzle::depth_first(chain, 0, 8).status == Status::depth_limit);
    const auto result = npuzzle::depth_first(chain, 0, 9);
    CHECK(result.status == Status::solved);
    CHECK(result.cost == 27);
    CHECK(npuzzle::depth_first(chain, 0, 100, {.max_cost = 26}).status == Status::cost_limit);
    CHECK(npuzzle::depth_first(chain, 0, 100, {.max_cost = 27}).status == Status::solved);
    CHECK(npuzzle::depth_first(chain, 9, 0).status == Status::solved);
    CHECK(npuzzle::depth_first(chain, 0, 0).status == Status::depth_limit);
    Graph<int> loop(2);
    loop.connect(0, 1, 1).connect(1, 0, 1).connect(0, 0, 1);
    CHECK(npuzzle::depth_first(loop, 0, 100).status == Status::unsolvable);
    CHECK(npuzzle::iterative_deepening(loop, 0).status == Status::unsolvable);
}

TEST_CASE("depth-first search tries moves in their order", "[uninformed]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    // One move right would do, but up comes before it.
    const npuzzle::PackedBoard<3> board(oracle::Cells<3>{1, 2, 3, 4, 5, 6, 7, 0, 8});
    const auto result = npuzzle::depth_first(puzzle, board, 25);
    test::check_path(puzzle, board, result);
    CHECK(result.cost > 1);
    CHECK(result.moves.front() == npuzzle::Move::up);
    CHECK(npuzzle::depth_first(puzzle, board, 1).moves == std::vector{npuzzle::Move::right});
    CHECK(result.statistics.stored <= 26);
}

TEST_CASE("each state that can be reached is visited once, by what it costs", "[uninformed]") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto graph = test::random_graph<int>(seed, 30, 60, 3);
        std::map<int, int> costs;
        int last = 0;
        const auto all = npuzzle::for_each_reachable(graph, 0, [&](int vertex, int cost) {
            CHECK(costs.emplace(vertex, cost).second);
            CHECK(cost >= last);
            last = cost;
        });
        CHECK(all);
        CHECK(all.statistics.expanded == costs.size());

        // Relaxed until nothing changes any more (Bellman 1958).
        std::map<int, int> expected{{0, 0}};
        for (bool is_changing = true; is_changing;) {
            is_changing = false;
            for (const auto& [vertex, cost] : std::map<int, int>(expected)) {
                for (const auto& edge : graph.neighbors(vertex)) {
                    const auto [place, is_new] = expected.emplace(edge.to, cost + edge.cost);
                    if (is_new || cost + edge.cost < place->second) {
                        place->second = cost + edge.cost;
                        is_changing = true;
                    }
                }
            }
        }
        CHECK(costs == expected);
    }
}

TEST_CASE("a walk through all states ends at a limit, and says so", "[uninformed]") {
    Graph<int> line(5);
    line.connect(0, 1, 2).connect(1, 2, 2).connect(2, 3, 2).connect(3, 4, 2).add_goal(1);
    std::vector<int> visited;
    const auto visit = [&](int vertex, int) { visited.push_back(vertex); };
    const auto by_cost = npuzzle::for_each_reachable(line, 0, visit, {.max_cost = 4});
    CHECK(by_cost.status == Status::cost_limit);
    CHECK_FALSE(by_cost);
    CHECK(visited == std::vector{0, 1, 2});

    visited.clear();
    CHECK(npuzzle::for_each_reachable(line, 0, visit, {.expansions = 2}).status == Status::expansion_limit);
    CHECK(visited == std::vector{0, 1});
}
