#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/astar_then_external.hpp>
#include <npuzzle/search/external_astar.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"
#include "support/thrown.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace {

using npuzzle::astar_then_external;
using npuzzle::Limits;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::Status;

const npuzzle::SlidingPuzzle<3> puzzle;
const PackedBoard<3> hardest({8, 6, 7, 2, 5, 4, 3, 0, 1}); // one of the two that take 31 moves

/// How many searches have begun.
struct Starts : npuzzle::SilentObserver {
    int count = 0;
    void start(const auto&) { ++count; }
};

} // namespace

TEST_CASE("the same costs with next to no memory", "[astar_then_external]") {
    const test::Folder folder;
    const auto boards = oracle::space_of_size_3(oracle::blank_last_of_size_3).first_of_each_depth();
    int small = 0;
    for (int depth = 0; depth < 32; ++depth) {
        const PackedBoard<3> board(boards[static_cast<std::size_t>(depth)]);
        const auto in_memory = npuzzle::astar(puzzle, board, Manhattan{}, {.bytes = 40'000});
        Starts starts;
        const auto result = astar_then_external(puzzle, board, Manhattan{}, {.folder = folder.path},
                                                {.bytes = 160'000}, starts);
        test::check_moves(puzzle, board, result, depth);
        CHECK(result.statistics.bytes <= 160'000);
        // A* alone if that is enough, and what it has done counts else.
        const bool is_small = in_memory.status == Status::solved;
        small += is_small ? 1 : 0;
        CHECK(starts.count == (is_small ? 1 : 2));
        CHECK((result.file_bytes == 0) == is_small);
        if (is_small) {
            CHECK(result.path == in_memory.path);
            CHECK(result.statistics.expanded == in_memory.statistics.expanded);
        } else {
            const auto alone = npuzzle::external_astar(puzzle, board, Manhattan{}, {.folder = folder.path},
                                                       {.bytes = 160'000});
            CHECK(result.statistics.expanded == in_memory.statistics.expanded + alone.statistics.expanded);
        }
    }
    CHECK(small > 8);
    CHECK(small < 24);
}

TEST_CASE("the example of the documentation", "[astar_then_external]") {
    const auto result = npuzzle::astar_then_external(puzzle, hardest, npuzzle::Manhattan{},
                                                     {.folder = "/tmp"}, {.bytes = 200'000});
    CHECK(result.cost == 31);
    CHECK(result.file_bytes > 0);
}

TEST_CASE("random rings, in memory and in a file", "[astar_then_external]") {
    const test::Folder folder;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        INFO("seed " << seed);
        const test::Ring ring(seed, 61, 12);
        const auto least = oracle::least_cost<int>(ring, 0);
        for (const std::uint64_t bytes : {std::uint64_t{1}, Limits::unlimited}) {
            const auto result =
                astar_then_external(ring, 0, npuzzle::Zero{}, {.folder = folder.path, .astar_bytes = bytes},
                                    {.bytes = 1'000'000});
            REQUIRE(result.status == (least ? Status::solved : Status::unsolvable));
            CHECK(result.cost == least.value_or(0));
            test::check_path(ring, 0, result);
        }
    }
}

TEST_CASE("limits hold for both searches together", "[astar_then_external]") {
    const test::Folder folder;
    const auto solve = [&](const npuzzle::AStarThenExternalOptions& options, auto limits) {
        const auto result = astar_then_external(puzzle, hardest, Manhattan{}, options, limits);
        test::check_path(puzzle, hardest, result);
        return result;
    };
    npuzzle::limits_t<npuzzle::SlidingPuzzle<3>> limits;
    limits.bytes = 160'000;
    for (const std::uint64_t most : {0U, 10U, 5'000U}) {
        limits.expansions = most;
        const auto result = solve({.folder = folder.path}, limits);
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.statistics.expanded == most);
    }
    limits.expansions = Limits::unlimited;
    // A file that is too small, and less memory than a search in a file needs.
    CHECK(solve({.folder = folder.path, .file_bytes = 5'000}, limits).status == Status::memory_limit);
    limits.bytes = 5'000;
    CHECK(solve({.folder = folder.path}, limits).status == Status::memory_limit);
    // Without a limit, what A* has held is that of the search in a file.
    limits.bytes = Limits::unlimited;
    const auto unlimited = solve({.folder = folder.path, .astar_bytes = 200'000}, limits);
    CHECK(unlimited.cost == 31);
    CHECK(unlimited.statistics.bytes <= 200'000);
    CHECK(unlimited.file_bytes > 0);
    limits.time = std::chrono::nanoseconds{0};
    CHECK(solve({.folder = folder.path}, limits).status == Status::time_limit);
}

TEST_CASE("a folder that cannot be used is named before the search begins", "[astar_then_external]") {
    Starts starts;
    CHECK(message_of<std::runtime_error>([&] {
              astar_then_external(puzzle, hardest, Manhattan{}, {.folder = "no/such/folder"}, {}, starts);
          }).find("cannot be made in no/such/folder") != std::string::npos);
    CHECK(starts.count == 0);
}
