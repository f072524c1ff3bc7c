#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/parallel/parallel_frontier.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/searches.hpp"
#include "support/unit_graphs.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using npuzzle::PackedBoard;
using npuzzle::parallel_frontier_depth;
using npuzzle::parallel_frontier_search;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::Undirected;
using test::UndirectedWords;

const SlidingPuzzle<3> puzzle_8;
const PackedBoard<3> hardest({8, 6, 7, 2, 5, 4, 3, 0, 1}); // 31 moves

} // namespace

TEST_CASE("frontier search on several threads finds shortest paths in random graphs",
          "[parallel][frontier]") {
    int solved = 0;
    int unsolvable = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const int vertices = 1 + static_cast<int>(seed % 80);
        const int edges = vertices + static_cast<int>(seed % 7) * vertices / 10;
        const Undirected graph(seed, vertices, edges);
        const auto depths = oracle::breadth_first(graph, 0);
        const auto goal = depths.find(graph.goal());
        const auto check = [&](const auto& result) {
            CHECK(result.status == (goal == depths.end() ? Status::unsolvable : Status::solved));
            CHECK(result.cost == (goal == depths.end() ? 0 : goal->second));
            test::check_path(graph, 0, result);
            ++(result ? solved : unsolvable);
        };
        for (const unsigned threads : {1U, 2U, 3U, 8U}) {
            INFO("seed " << seed << ", " << threads << " threads");
            const npuzzle::ParallelLayersOptions options{.threads = threads, .least_divided = 1 + seed % 3};
            check(parallel_frontier_search(graph, 0, options));
            check(parallel_frontier_search(UndirectedWords(seed, vertices, edges), 0, options));
        }
    }
    CHECK(solved > 100);
    CHECK(unsolvable > 20);
}

TEST_CASE("the hardest board of the 8-puzzle, and an unsolvable one, on several threads",
          "[parallel][frontier]") {
    const auto all = npuzzle::frontier_search(puzzle_8, puzzle_8.goal().twin());
    for (const unsigned threads : {2U, 5U}) {
        const npuzzle::ParallelLayersOptions options{.threads = threads, .least_divided = 1'000};
        const auto result = parallel_frontier_search(puzzle_8, hardest, options);
        CHECK(result.cost == 31);
        CHECK(result.moves.size() == 31);
        test::check_path(puzzle_8, hardest, result);
        const auto without_path = parallel_frontier_depth(puzzle_8, hardest, options);
        CHECK(without_path.cost == 31);
        CHECK(without_path.path.empty());

        const auto none = parallel_frontier_search(puzzle_8, puzzle_8.goal().twin(), options);
        CHECK(none.status == Status::unsolvable);
        CHECK(none.statistics.expanded == 181'440);
        CHECK(none.statistics.generated == all.statistics.generated);
        CHECK(none.statistics.duplicates == all.statistics.duplicates);
        CHECK(none.statistics.peak_open == all.statistics.peak_open);
    }
}

TEST_CASE("limits end frontier search on several threads", "[parallel][frontier]") {
    const npuzzle::ParallelLayersOptions options{.threads = 3, .least_divided = 100};
    const auto search = [&](npuzzle::BasicLimits<int> limits) {
        return parallel_frontier_search(puzzle_8, hardest, options, limits);
    };
    CHECK(search({.max_cost = 30}).status == Status::cost_limit);
    CHECK(search({.max_cost = 31}).status == Status::solved);
    for (const std::uint64_t most : {0U, 1'000U, 100'000U, 170'000U}) {
        const auto result = search({.expansions = most});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.statistics.expanded == most);
    }
    // Enough to reach the goal, and too few for the path.
    const auto depth_alone = parallel_frontier_depth(puzzle_8, hardest, options, {.expansions = 181'439});
    REQUIRE(depth_alone.status == Status::solved);
    CHECK(search({.expansions = 181'440}).status == Status::expansion_limit);
    for (const std::uint64_t bytes : {0U, 50'000U, 300'000U}) {
        const auto result = search({.bytes = bytes});
        CHECK(result.status == Status::memory_limit);
        CHECK(result.statistics.bytes <= bytes);
    }
    CHECK(search({.time = std::chrono::nanoseconds(0)}).status == Status::time_limit);
    int asked = 0;
    CHECK(search({.stop = [&] { return ++asked > 8; }}).status == Status::cancelled);
    CHECK(parallel_frontier_search(puzzle_8, puzzle_8.goal(), options, {.expansions = 0}).path ==
          std::vector{puzzle_8.goal()});
}

TEST_CASE("frontier search of a start, callables and a goal; what they throw comes out",
          "[parallel][frontier]") {
    using Cell = std::array<int, 2>;
    const npuzzle::ParallelLayersOptions options{.threads = 3, .least_divided = 10};
    std::atomic<int> left{1'000'000};
    const auto neighbors = [&](const Cell& at) {
        if (--left == 0) {
            throw std::runtime_error("enough");
        }
        return std::array<Cell, 4>{
            {{at[0] + 1, at[1]}, {at[0], at[1] + 1}, {at[0] - 1, at[1]}, {at[0], at[1] - 1}}};
    };
    const auto result = parallel_frontier_search(Cell{0, 0}, neighbors, Cell{20, 9}, options);
    CHECK(result.cost == 29);
    REQUIRE(result.path.size() == 30);
    CHECK(result.path.front() == Cell{0, 0});
    CHECK(result.path.back() == Cell{20, 9});
    for (const int calls : {1, 1'000, 2'500}) { // in the search, and in that for the path
        left = calls;
        CHECK_THROWS_AS(parallel_frontier_search(Cell{0, 0}, neighbors, Cell{20, 9}, options),
                        std::runtime_error);
    }
}
