#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/bidirectional.hpp>

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/oracles.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"

#include <cstdint>
#include <string>
#include <vector>

// Bidirectional searches of the sliding puzzle, with true distances by an exhaustive search.

namespace {

using npuzzle::bidirectional_astar;
using npuzzle::bidirectional_breadth_first;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;

/// Calls `check(name, result)` for each method.
template <class F>
void with_each_method(const auto& puzzle, const auto& start, F check) {
    check("MM", bidirectional_astar<npuzzle::MeetInTheMiddle>(puzzle, start, Manhattan{}));
    check("NBS", bidirectional_astar<npuzzle::Nbs>(puzzle, start, Manhattan{}));
    check("BAE*", bidirectional_astar(puzzle, start, Manhattan{}));
}

} // namespace

TEST_CASE("8-puzzle boards take as many moves as by exhaustive search", "[bidirectional]") {
    for (const auto& goal : oracle::goals_of_size_3) {
        const auto& space = oracle::space_of_size_3(goal);
        const SlidingPuzzle<3> puzzle{PackedBoard<3>(goal)};
        auto boards = space.solvable(499);
        boards.push_back(goal);
        for (const auto& cells : boards) {
            const PackedBoard<3> board(cells);
            const auto check = [&](const std::string& name, const auto& result) {
                INFO(name << "\n" << board);
                test::check_moves(puzzle, board, result, space.depth(cells));
                CHECK(result.statistics.reopened == 0);
            };
            with_each_method(puzzle, board, check);
            check("breadth first", bidirectional_breadth_first(puzzle, board));
        }
    }
}

TEST_CASE("no way: one side is exhausted", "[bidirectional]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board(oracle::space_of_size_3(oracle::blank_last_of_size_3).unsolvable(1).front());
    const auto check = [&](const std::string& name, const auto& result) {
        INFO(name);
        CHECK(result.status == Status::unsolvable);
        CHECK(result.path.empty());
        CHECK(result.moves.empty());
        CHECK(result.statistics.stored > 181'440);
        CHECK(result.statistics.stored <= 2 * 181'440);
    };
    with_each_method(puzzle, board, check);
    check("breadth first", bidirectional_breadth_first(puzzle, board));
}

TEST_CASE("15-puzzle boards take as many moves as published", "[bidirectional]") {
    const SlidingPuzzle<4> puzzle;
    for (const auto& korf : test::korf_boards) {
        const PackedBoard<4> board(korf.turned);
        with_each_method(puzzle, board, [&](const std::string& name, const auto& result) {
            INFO(name << ", board " << korf.number);
            test::check_moves(puzzle, board, result, korf.moves);
            CHECK(result.statistics.bytes < 64 * result.statistics.stored);
        });
    }
}

TEST_CASE("a limit on expansions is exact in a large search", "[bidirectional]") {
    const SlidingPuzzle<4> puzzle;
    const auto& korf = test::korf_boards.front();
    const PackedBoard<4> board(korf.turned);
    const auto whole = bidirectional_astar(puzzle, board, Manhattan{}).statistics;
    REQUIRE(whole.stored > 3U << 15); // Batches begin at two thirds.
    for (const std::uint64_t expansions : {whole.expanded - 1, whole.expanded - 7, whole.expanded * 9 / 10}) {
        const auto result = bidirectional_astar(puzzle, board, Manhattan{}, {.expansions = expansions});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.statistics.expanded == expansions);
    }
}

TEST_CASE("boards of a size known at run time", "[bidirectional]") {
    const SlidingPuzzle puzzle(5);
    const auto board = npuzzle::random_walk(npuzzle::goal_blank_last(5), 20, 3);
    const auto result = bidirectional_astar(puzzle, board, Manhattan{});
    test::check_moves(puzzle, board, result,
                      bidirectional_breadth_first(SlidingPuzzle<5>{}, PackedBoard<5>(board)).cost);
}
