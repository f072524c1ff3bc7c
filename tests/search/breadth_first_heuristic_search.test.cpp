#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/breadth_first_heuristic_search.hpp>

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/oracles.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"
#include "support/unit_graphs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace {

using npuzzle::breadth_first_heuristic_search;
using npuzzle::BreadthFirstHeuristicSearch;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::Zero;
using test::Undirected;
using test::UndirectedWords;
template <class Value>
using Estimates = test::UnitEstimates<Value>;

/// A start, many vertices beside each other, and long ways on from each of them, one of which is the goal's.
struct Brush {
    using State = int; // 0, then the vertices of each length by turns
    static constexpr bool is_undirected = true;
    int width;
    int length;
    int goal_vertex;

    std::vector<int> neighbors(int vertex) const {
        std::vector<int> result;
        if (vertex == 0) {
            for (int i = 1; i <= width; ++i) {
                result.push_back(i);
            }
        } else {
            result.push_back(vertex <= width ? 0 : vertex - width);
            if (vertex + width <= width * length) {
                result.push_back(vertex + width);
            }
        }
        return result;
    }
    bool is_goal(int vertex) const { return vertex == goal_vertex; }
    int goal() const { return goal_vertex; }
    std::uint32_t pack(int vertex) const { return static_cast<std::uint32_t>(vertex); }
    int unpack(std::uint32_t word) const { return static_cast<int>(word); }
};

} // namespace

TEST_CASE("8-puzzles of each depth", "[breadth_first_heuristic_search]") {
    const SlidingPuzzle<3> puzzle;
    const auto boards = oracle::space_of_size_3(oracle::blank_last_of_size_3).first_of_each_depth();
    for (int depth = 1; depth < 32; depth += 3) {
        const PackedBoard<3> board(boards[static_cast<std::size_t>(depth)]);
        const auto result = breadth_first_heuristic_search(puzzle, board, Manhattan{});
        test::check_moves(puzzle, board, result, depth);
    }
}

TEST_CASE("an unsolvable board: half of the space, again and again", "[breadth_first_heuristic_search]") {
    const SlidingPuzzle<3> puzzle;
    BreadthFirstHeuristicSearch search(puzzle, puzzle.goal().twin(), Manhattan{});
    CHECK(search.run() == Status::unsolvable);
    const auto result = search.result();
    CHECK(result.path.empty());
    CHECK(result.statistics.expanded >= 181'440);
    // The greatest layers are those of depths 22 to 24: one of them is held, and a part of the one before it.
    CHECK(result.statistics.peak_open == 24'047 + 20'224);
    CHECK(result.statistics.bytes < (24'047 + 20'224) * 18);
    // Without a heuristic, once.
    CHECK(breadth_first_heuristic_search(puzzle, puzzle.goal().twin(), Zero{}).statistics.expanded ==
          181'440);
}

TEST_CASE("boards of Korf's, at the published lengths", "[breadth_first_heuristic_search]") {
    const SlidingPuzzle<4> puzzle;
    for (const test::KorfBoard& korf : test::korf_boards) {
        if (korf.number != 12 && korf.number != 79 && korf.number != 42) {
            continue;
        }
        const PackedBoard<4> board(korf.turned);
        const auto result = breadth_first_heuristic_search(puzzle, board, Manhattan{});
        CHECK(result.cost == korf.moves);
        test::check_path(puzzle, board, result);
        CHECK(result.statistics.bytes < result.statistics.peak_open * 20 + 200'000);
    }
    const SlidingPuzzle unpacked(4);
    const npuzzle::Board board = npuzzle::random_walk(unpacked.goal(), 30, std::uint64_t{2});
    const auto result = breadth_first_heuristic_search(unpacked, board, Manhattan{});
    CHECK(result.cost == breadth_first_heuristic_search(puzzle, PackedBoard<4>(board), Manhattan{}).cost);
    test::check_path(unpacked, board, result);
}

TEST_CASE("random graphs, by estimates consistent or not, whole or not", "[breadth_first_heuristic_search]") {
    int solved = 0;
    int unsolvable = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const int vertices = 1 + static_cast<int>(seed % 80);
        const UndirectedWords words(seed, vertices, vertices + static_cast<int>(seed % 7) * vertices / 10);
        const Undirected& graph = words;
        const auto depths = oracle::breadth_first(graph, 0);
        const auto goal = depths.find(graph.goal());
        const auto check = [&](const auto& result) {
            INFO("seed " << seed);
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
        check(breadth_first_heuristic_search(graph, 0, Estimates<int>(graph, seed)));
        check(breadth_first_heuristic_search(words, 0, Estimates<double>(graph, seed)));
        check(breadth_first_heuristic_search(words, 0, Zero{}));
    }
    CHECK(solved > 600);
    CHECK(unsolvable > 150);
}

TEST_CASE("more states in the first layer than numbers", "[breadth_first_heuristic_search]") {
    for (const int width : {3, 70'000, 140'000}) {
        const Brush brush{width, 3, 2 * width + std::min(width, 69'998)};
        const auto result = breadth_first_heuristic_search(brush, 0, Zero{});
        CHECK(result.cost == 3);
        CHECK(result.path == std::vector{0, brush.goal() - 2 * width, brush.goal() - width, brush.goal()});
    }
}

TEST_CASE("a long way in narrow layers takes little", "[breadth_first_heuristic_search]") {
    const Brush brush{2, 1000, 2000};
    const auto result = breadth_first_heuristic_search(brush, 0, Zero{});
    CHECK(result.cost == 1000);
    test::check_path(brush, 0, result);
    CHECK(result.statistics.peak_open <= 4);
    CHECK(result.statistics.expanded < 2000 * 14); // the search, and again for each halving
}

TEST_CASE("a start that is the goal, and bounds on the length", "[breadth_first_heuristic_search]") {
    const SlidingPuzzle<3> puzzle;
    const auto at_goal =
        breadth_first_heuristic_search(puzzle, puzzle.goal(), Manhattan{}, {.expansions = 0});
    CHECK(at_goal.status == Status::solved);
    CHECK(at_goal.path == std::vector{puzzle.goal()});
    const PackedBoard<3> board({8, 1, 3, 4, 0, 2, 7, 6, 5}); // 14 moves
    for (int most = -1; most <= 16; ++most) {
        const auto check = [&](const auto& result) {
            CHECK(result.status == (most < 14 ? Status::cost_limit : Status::solved));
            CHECK(result.cost == (most < 14 ? 0 : 14));
        };
        check(breadth_first_heuristic_search(puzzle, board, Manhattan{}, {.max_cost = most}));
        check(breadth_first_heuristic_search(puzzle, board, Zero{}, {.max_cost = most}));
    }
    // The search under the bound 40 takes in all states.
    CHECK(breadth_first_heuristic_search(puzzle, puzzle.goal().twin(), Zero{}, {.max_cost = 40}).status ==
          Status::unsolvable);
}

TEST_CASE("the limit of expansions is exact, for goal and path", "[breadth_first_heuristic_search]") {
    const UndirectedWords graph(11, 60, 90);
    const Estimates<int> estimates(graph, 5);
    const auto whole = breadth_first_heuristic_search(graph, 0, estimates);
    REQUIRE(whole.status == Status::solved);
    REQUIRE(whole.cost > 2);
    const std::uint64_t need = whole.statistics.expanded;
    for (std::uint64_t limit = 0; limit <= need + 2; ++limit) {
        const auto result = breadth_first_heuristic_search(graph, 0, estimates, {.expansions = limit});
        CHECK(result.status == (limit < need ? Status::expansion_limit : Status::solved));
        CHECK(result.statistics.expanded == std::min(limit, need));
        CHECK(result.path.size() == (limit < need ? 0 : whole.path.size()));
    }
}

TEST_CASE("bytes, time and a stop end the search by layers", "[breadth_first_heuristic_search]") {
    const SlidingPuzzle<4> puzzle;
    const PackedBoard<4> board(test::korf_boards[0].turned);
    test::check_bytes_time_and_stop([&](const npuzzle::Limits& limits) {
        return breadth_first_heuristic_search(puzzle, board, Manhattan{}, limits);
    });
}

TEST_CASE("step by step, and watched: the same search", "[breadth_first_heuristic_search]") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const UndirectedWords graph(seed, 70, 90);
        const Estimates<int> estimates(graph, seed);
        BreadthFirstHeuristicSearch run(graph, 0, estimates);
        run.run();
        test::LayerCounter counter;
        BreadthFirstHeuristicSearch stepped(graph, 0, estimates, {}, counter);
        test::check_steps(graph, stepped, counter, run);
        CHECK(stepped.bound() == run.bound());
    }
}

TEST_CASE("breadth-first heuristic search as in the documentation", "[breadth_first_heuristic_search]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> hardest({8, 6, 7, 2, 5, 4, 3, 0, 1});
    const auto result = npuzzle::breadth_first_heuristic_search(puzzle, hardest, npuzzle::Manhattan{});
    CHECK(result.cost == 31);
    CHECK(result.path.size() == 32);

    // Without a problem: a start, neighbors, a heuristic, a goal.
    const auto beside = [](int x) { return std::vector{x - 1, x + 1}; };
    const auto distance = [](int x) { return x < 7 ? 7 - x : x - 7; };
    CHECK(npuzzle::breadth_first_heuristic_search(0, beside, distance, 7).cost == 7);
    const auto is_goal = [](int x) { return x == 7; };
    CHECK(npuzzle::breadth_first_heuristic_search(0, beside, distance, is_goal).path.size() == 8);
    const auto limited =
        npuzzle::breadth_first_heuristic_search(0, beside, distance, is_goal, {.expansions = 2});
    CHECK(limited.status == npuzzle::Status::expansion_limit);
}
