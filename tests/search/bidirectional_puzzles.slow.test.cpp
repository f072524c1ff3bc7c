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

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

// Bidirectional searches of the sliding puzzle, with true distances by an exhaustive search; and what may end
// them.

namespace {

using npuzzle::bidirectional_astar;
using npuzzle::bidirectional_breadth_first;
using npuzzle::Limits;
using npuzzle::Manhattan;
using npuzzle::MeetInTheMiddle;
using npuzzle::Nbs;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
/// Calls `check(name, search)` for each method: `search(puzzle, start, limits)`.
template <class F>
void with_each_method(F check) {
    check("mm", [](const auto& puzzle, const auto& start, Limits limits = {}) {
        return bidirectional_astar<MeetInTheMiddle>(puzzle, start, Manhattan{}, limits);
    });
    check("nbs", [](const auto& puzzle, const auto& start, Limits limits = {}) {
        return bidirectional_astar<Nbs>(puzzle, start, Manhattan{}, limits);
    });
    check("bae_star", [](const auto& puzzle, const auto& start, Limits limits = {}) {
        return bidirectional_astar(puzzle, start, Manhattan{}, limits);
    });
    check("breadth first", [](const auto& puzzle, const auto& start, Limits limits = {}) {
        return bidirectional_breadth_first(puzzle, start, limits);
    });
}

} // namespace

TEST_CASE("8-puzzle boards take as many moves as by exhaustive search", "[bidirectional]") {
    for (const auto& goal : oracle::goals_of_size_3) {
        const auto& space = oracle::space_of_size_3(goal);
        const SlidingPuzzle<3> puzzle{PackedBoard<3>(goal)};
        with_each_method([&](const std::string& name, auto search) {
            std::vector<oracle::Cells<3>> boards = space.solvable(name == "bae_star" ? 211 : 997);
            boards.push_back(goal);
            for (const auto& cells : boards) {
                const PackedBoard<3> board(cells);
                const auto result = search(puzzle, board);
                INFO(name << "\n" << board);
                REQUIRE(result.status == Status::solved);
                CHECK(result.cost == space.depth(cells));
                CHECK(result.statistics.contract_violations == 0);
                CHECK(result.statistics.reopened == 0);
                test::check_path(puzzle, board, result);
            }
        });
    }
}

TEST_CASE("no way: one side is exhausted", "[bidirectional]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board(oracle::space_of_size_3(oracle::blank_last_of_size_3).unsolvable(1).front());
    with_each_method([&](const std::string& name, auto search) {
        const auto result = search(puzzle, board);
        INFO(name);
        CHECK(result.status == Status::unsolvable);
        CHECK(result.path.empty());
        CHECK(result.moves.empty());
        CHECK(result.statistics.stored > 181'440);
        CHECK(result.statistics.stored <= 2 * 181'440);
    });
}

TEST_CASE("15-puzzle boards take as many moves as published", "[bidirectional]") {
    const SlidingPuzzle<4> puzzle;
    for (const auto& korf : test::korf_boards) {
        const PackedBoard<4> board(korf.turned);
        with_each_method([&](const std::string& name, auto search) {
            if (name == "breadth first") {
                return;
            }
            const auto result = search(puzzle, board);
            INFO(name << ", board " << korf.number);
            REQUIRE(result.status == Status::solved);
            CHECK(result.cost == korf.moves);
            CHECK(result.statistics.contract_violations == 0);
            test::check_path(puzzle, board, result);
            CHECK(result.statistics.bytes < 64 * result.statistics.stored);
        });
    }
}

TEST_CASE("boards of a size known at run time", "[bidirectional]") {
    const SlidingPuzzle puzzle(5);
    const auto board = npuzzle::random_walk(npuzzle::goal_blank_last(5), 20, 3);
    const auto result = bidirectional_astar(puzzle, board, Manhattan{});
    const SlidingPuzzle<5> packed;
    const auto same = bidirectional_breadth_first(packed, PackedBoard<5>(board));
    CHECK(result.status == Status::solved);
    CHECK(result.cost == same.cost);
    CHECK(result.cost > 10);
    test::check_path(puzzle, board, result);
    CHECK(puzzle.with_goal(board).is_goal(board));
}
