#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/astar_then_breadth_first.hpp>

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/oracles.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"
#include "support/unit_graphs.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using npuzzle::astar_then_breadth_first;
using npuzzle::AStarThenBreadthFirst;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using Options = npuzzle::AStarThenBreadthFirstOptions;

} // namespace

TEST_CASE("8-puzzles, with more and less memory for A*", "[astar_then_breadth_first]") {
    const SlidingPuzzle<3> puzzle;
    const auto boards = oracle::space_of_size_3(oracle::blank_last_of_size_3).first_of_each_depth();
    int by_layers = 0;
    for (int depth = 0; depth < 32; ++depth) {
        const PackedBoard<3> board(boards[static_cast<std::size_t>(depth)]);
        for (const auto& [bytes, step] :
             {std::pair{1U, 0}, std::pair{10'000U, 1}, std::pair{1'000'000'000U, 2}}) {
            // Each with each, in turn.
            const int depths = std::array{1, 3, 40}[static_cast<std::size_t>((depth + step) % 3)];
            AStarThenBreadthFirst search(puzzle, board, Manhattan{},
                                         Options{.astar_bytes = bytes, .depths = depths});
            search.run();
            by_layers += search.has_left_astar() ? 1 : 0;
            const auto result = search.result();
            test::check_moves(puzzle, board, result, depth);
        }
    }
    CHECK(by_layers > 30);
    CHECK(
        astar_then_breadth_first(puzzle, puzzle.goal().twin(), Manhattan{}, {.astar_bytes = 10'000}).status ==
        Status::unsolvable);
}

TEST_CASE("boards of Korf's in less memory than A* needs", "[astar_then_breadth_first]") {
    const SlidingPuzzle<4> puzzle;
    for (const test::KorfBoard& korf : test::korf_boards) {
        if (korf.number != 12 && korf.number != 79 && korf.number != 94) {
            continue;
        }
        const PackedBoard<4> board(korf.turned);
        const auto whole = npuzzle::astar(puzzle, board, Manhattan{});
        const std::uint64_t bytes = whole.statistics.bytes / 2;
        REQUIRE(npuzzle::astar(puzzle, board, Manhattan{}, {.bytes = bytes}).status == Status::memory_limit);
        const auto result = astar_then_breadth_first(puzzle, board, Manhattan{}, {}, {.bytes = bytes});
        CHECK(result.cost == korf.moves);
        CHECK(result.statistics.bytes <= bytes);
        test::check_path(puzzle, board, result);
        // Without a limit it is A*.
        const auto astar = astar_then_breadth_first(puzzle, board, Manhattan{});
        CHECK(astar.path == whole.path);
        CHECK(astar.statistics.expanded == whole.statistics.expanded);
    }
}

TEST_CASE("a search by layers that does not fit begins from fewer states", "[astar_then_breadth_first]") {
    const SlidingPuzzle<4> puzzle;
    const PackedBoard<4> board(test::korf_boards[0].turned);
    const auto search = [&](std::uint64_t bytes) {
        return astar_then_breadth_first(puzzle, board, Manhattan{}, {.astar_bytes = 1, .depths = 100},
                                        {.bytes = bytes});
    };
    const std::uint64_t need = search(npuzzle::Limits::unlimited).statistics.bytes;
    int solved = 0;
    for (const std::uint64_t bytes : {need, need - 1, need / 2, need / 4, std::uint64_t{1000}}) {
        const auto result = search(bytes);
        CHECK(result.statistics.bytes <= bytes);
        if (result) {
            ++solved;
            CHECK(result.cost == test::korf_boards[0].moves);
            test::check_path(puzzle, board, result);
        } else {
            CHECK(result.status == Status::memory_limit);
            CHECK(result.path.empty());
        }
    }
    CHECK(solved >= 1);
    CHECK(solved < 5);
}

TEST_CASE("random graphs, by A* and layers", "[astar_then_breadth_first]") {
    int by_layers = 0;
    int unsolvable = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const int vertices = 1 + static_cast<int>(seed % 80);
        const test::UndirectedWords graph(seed, vertices,
                                          vertices + static_cast<int>(seed % 7) * vertices / 10);
        const auto depths = oracle::breadth_first(graph, 0);
        const auto goal = depths.find(graph.goal());
        const test::UnitEstimates<int> estimates(graph, seed);
        AStarThenBreadthFirst search(graph, 0, estimates,
                                     Options{.astar_bytes = 1, .depths = 1 + static_cast<int>(seed % 5)});
        search.run();
        by_layers += search.has_left_astar() ? 1 : 0;
        const auto result = search.result();
        INFO("seed " << seed);
        if (goal == depths.end()) {
            ++unsolvable;
            CHECK(result.status == Status::unsolvable);
        } else {
            CHECK(result.status == Status::solved);
            CHECK(result.cost == goal->second);
        }
        test::check_path(graph, 0, result);
    }
    CHECK(by_layers > 400);
    CHECK(unsolvable > 50);
}

TEST_CASE("limits of A* and layers together", "[astar_then_breadth_first]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1}); // 31 moves
    const Options options{.astar_bytes = 20'000};
    const auto whole = astar_then_breadth_first(puzzle, board, Manhattan{}, options);
    REQUIRE(whole.status == Status::solved);
    const std::uint64_t need = whole.statistics.expanded;
    for (std::uint64_t limit = 0; limit <= need + need / 7; limit += need / 7) {
        const auto result =
            astar_then_breadth_first(puzzle, board, Manhattan{}, options, {.expansions = limit});
        CHECK(result.status == (limit < need ? Status::expansion_limit : Status::solved));
        CHECK(result.statistics.expanded == (limit < need ? limit : need));
    }
    for (const int most : {-1, 0, 25, 29, 30, 31, 40}) {
        const auto result = astar_then_breadth_first(puzzle, board, Manhattan{}, options, {.max_cost = most});
        CHECK(result.status == (most < 31 ? Status::cost_limit : Status::solved));
    }
    const auto search = [&](npuzzle::Limits limits) {
        return astar_then_breadth_first(puzzle, board, Manhattan{}, options, limits).status;
    };
    CHECK(search({.time = std::chrono::nanoseconds(0)}) == Status::time_limit);
    npuzzle::StopSource source;
    source.request_stop();
    CHECK(search({.stop = source.get_token()}) == Status::cancelled);
    CHECK(search({.bytes = 0}) == Status::memory_limit);
}
