#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/frontier.hpp>

#include "support/catch.hpp"
#include "support/failing_searches.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"
#include "support/unit_graphs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using npuzzle::frontier_depth;
using npuzzle::frontier_search;
using npuzzle::FrontierProblem;
using npuzzle::FrontierSearch;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::Undirected;
using test::UndirectedWords;

static_assert(FrontierProblem<SlidingPuzzle<4>>);
static_assert(FrontierProblem<SlidingPuzzle<>>);
static_assert(!FrontierProblem<test::Pancakes>);
static_assert(!FrontierProblem<test::Graph<int>>);

} // namespace

TEST_CASE("the hardest boards of the 8-puzzle, and others of each depth", "[frontier]") {
    const SlidingPuzzle<3> puzzle;
    const auto boards = oracle::space_of_size_3(oracle::blank_last_of_size_3).first_of_each_depth();
    for (int depth = 1; depth < 32; depth += 3) {
        const PackedBoard<3> board(boards[static_cast<std::size_t>(depth)]);
        const auto result = frontier_search(puzzle, board);
        REQUIRE(result.status == Status::solved);
        CHECK(result.cost == depth);
        test::check_path(puzzle, board, result);
        REQUIRE(result.moves.size() == static_cast<std::size_t>(depth));
        PackedBoard<3> walked = board;
        for (const npuzzle::Move move : result.moves) puzzle.apply(walked, move);
        CHECK(walked == puzzle.goal());
        const auto without_path = frontier_depth(puzzle, board);
        CHECK(without_path.cost == depth);
        CHECK(without_path.path.empty());
        CHECK(without_path.statistics.expanded <= result.statistics.expanded);
    }
}

TEST_CASE("an unsolvable board: half of the space is searched, and less is held", "[frontier]") {
    const SlidingPuzzle<3> puzzle;
    FrontierSearch search(puzzle, puzzle.goal().twin());
    CHECK(search.run() == Status::unsolvable);
    const auto result = search.result();
    CHECK(result.statistics.expanded == 181'440);
    // The greatest layers are those of depths 22 to 24.
    CHECK(result.statistics.peak_open == 24'047 + 20'224);
    CHECK(result.statistics.bytes < (24'047 + 20'224 + 23'952) * 18);
    const auto& counts = search.layer_counts();
    CHECK(std::vector<int>(counts.begin(), counts.end()) == oracle::counts_of_the_8_puzzle);
}

TEST_CASE("random graphs with self-loops, parallel edges and parts that cannot be reached", "[frontier]") {
    int solved = 0;
    int unsolvable = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const int vertices = 1 + static_cast<int>(seed % 80);
        const Undirected graph(seed, vertices, vertices + static_cast<int>(seed % 7) * vertices / 10);
        const auto depths = oracle::breadth_first(graph, 0);
        const auto goal = depths.find(graph.goal());
        const auto check = [&](const auto& result) {
            if (goal == depths.end()) {
                ++unsolvable;
                CHECK(result.status == Status::unsolvable);
            } else {
                ++solved;
                CHECK(result.status == Status::solved);
                CHECK(result.cost == goal->second);
            }
            test::check_path(graph, 0, result);
        };
        check(frontier_search(graph, 0));
        check(frontier_search(
            UndirectedWords(seed, vertices, vertices + static_cast<int>(seed % 7) * vertices / 10), 0));
    }
    CHECK(solved > 400);
    CHECK(unsolvable > 100);
}

TEST_CASE("a start that is the goal, and bounds on the depth", "[frontier]") {
    const SlidingPuzzle<3> puzzle;
    const auto at_goal = frontier_search(puzzle, puzzle.goal(), {.expansions = 0});
    CHECK(at_goal.status == Status::solved);
    CHECK(at_goal.cost == 0);
    CHECK(at_goal.path == std::vector{puzzle.goal()});
    const PackedBoard<3> board({8, 1, 3, 4, 0, 2, 7, 6, 5}); // 14 moves
    for (int most = -1; most <= 16; ++most) {
        const auto result = frontier_search(puzzle, board, {.max_cost = most});
        CHECK(result.status == (most < 14 ? Status::cost_limit : Status::solved));
        CHECK(result.cost == (most < 14 ? 0 : 14));
    }
    CHECK(frontier_search(puzzle, puzzle.goal(), {.max_cost = 0}).status == Status::solved);
    CHECK(frontier_search(puzzle, puzzle.goal().twin(), {.max_cost = 40}).status == Status::unsolvable);
}

TEST_CASE("the limit of expansions is exact, for goal and path together", "[frontier]") {
    const UndirectedWords graph(11, 60, 90);
    const auto whole = frontier_search(graph, 0);
    REQUIRE(whole.status == Status::solved);
    REQUIRE(whole.cost > 2);
    const std::uint64_t need = whole.statistics.expanded;
    for (std::uint64_t limit = 0; limit <= need + 2; ++limit) {
        const auto result = frontier_search(graph, 0, {.expansions = limit});
        CHECK(result.status == (limit < need ? Status::expansion_limit : Status::solved));
        CHECK(result.statistics.expanded == std::min(limit, need));
        CHECK(result.path.size() == (limit < need ? 0 : whole.path.size()));
    }
}

TEST_CASE("step by step, and watched: the same", "[frontier]") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const UndirectedWords graph(seed, 70, 90);
        FrontierSearch run(graph, 0);
        run.run();
        test::LayerCounter counter;
        FrontierSearch stepped(graph, 0, {}, counter);
        test::check_steps(graph, stepped, counter, run);
        CHECK(stepped.depth() == run.depth());
        CHECK(stepped.layer_counts() == run.layer_counts());
    }
}

TEST_CASE("frontier search as in the documentation", "[frontier]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> hardest({8, 6, 7, 2, 5, 4, 3, 0, 1});
    const auto result = npuzzle::frontier_search(puzzle, hardest);
    CHECK(result.cost == 31);
    CHECK(result.path.size() == 32);
    CHECK(npuzzle::frontier_depth(puzzle, hardest).cost == 31); // without the path

    npuzzle::FrontierSearch search(puzzle, hardest);
    search.run();
    CHECK(search.layer_counts()[20] == 14'713);
}
