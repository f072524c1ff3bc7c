#include "npuzzle/puzzle/heuristics/hamming.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/search/astar.hpp"

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

using npuzzle::Board;
using npuzzle::LinearConflict;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;

static_assert(LinearConflict{}(PackedBoard<3>({3, 2, 1, 4, 5, 6, 7, 8, 0})) == 4 + 4);
static_assert(npuzzle::declares_consistent<npuzzle::bound_t<LinearConflict, SlidingPuzzle<4>>>);
static_assert(npuzzle::IncrementalHeuristicFor<LinearConflict, SlidingPuzzle<>>);
static_assert(npuzzle::IncrementalHeuristicFor<LinearConflict, SlidingPuzzle<5>>);
static_assert(std::is_same_v<npuzzle::estimate_t<LinearConflict, SlidingPuzzle<>>, std::int64_t>);

TEST_CASE("linear conflict adds to Manhattan the fewest tiles that must leave a line, times two",
          "[linear_conflict]") {
    const auto above_manhattan = [](const Board& board) {
        const auto value = LinearConflict{}(board)-Manhattan{}(board);
        CHECK(LinearConflict{}(PackedBoard<3>(board)) - Manhattan{}(PackedBoard<3>(board)) == value);
        return value;
    };
    CHECK(above_manhattan(Board{{1, 2, 3}, {4, 5, 6}, {7, 8, 0}}) == 0);
    CHECK(above_manhattan(Board{{2, 1, 3}, {4, 5, 6}, {7, 8, 0}}) == 2);
    // Three pairs conflict, but once two tiles have left, none does.
    CHECK(above_manhattan(Board{{3, 2, 1}, {4, 5, 6}, {7, 8, 0}}) == 4);
    // Two pairs conflict, both with 3.
    CHECK(above_manhattan(Board{{3, 1, 2}, {4, 5, 6}, {7, 8, 0}}) == 2);
    CHECK(above_manhattan(Board{{2, 3, 1}, {4, 5, 6}, {7, 8, 0}}) == 2);
    // A tile that does not belong in the line, or the blank, may stand between.
    CHECK(above_manhattan(Board{{3, 4, 1}, {2, 5, 6}, {7, 8, 0}}) == 2);
    CHECK(above_manhattan(Board{{3, 0, 1}, {4, 5, 6}, {7, 8, 2}}) == 2);
    // Columns: 7 4 1 in the first, and 6 3 in the third, where the blank also belongs.
    CHECK(above_manhattan(Board{{7, 2, 6}, {4, 5, 3}, {1, 8, 0}}) == 4 + 2);
    // The blank is not a tile: it never conflicts.
    CHECK(above_manhattan(Board{{1, 2, 3}, {4, 5, 6}, {0, 7, 8}}) == 0);
    // Tiles that belong in one line but stand in another do not conflict there.
    CHECK(above_manhattan(Board{{4, 6, 5}, {3, 1, 2}, {7, 8, 0}}) == 0);
}

TEST_CASE("linear conflict follows the goal of the puzzle that it is bound to", "[linear_conflict]") {
    // In the spiral 1 2 3 / 8 0 4 / 7 6 5 the last row reads 7 6 5.
    const Board board{{1, 2, 3}, {8, 0, 4}, {5, 6, 7}};
    CHECK(LinearConflict{}.bind(SlidingPuzzle{npuzzle::goal_spiral(3)})(board) == 4 + 4);
    CHECK(LinearConflict{}.bind(SlidingPuzzle<3>{npuzzle::goal_spiral(3)})(PackedBoard<3>(board)) == 4 + 4);
}

TEST_CASE("linear conflict of boards with shuffled lines agrees with trying all subsets",
          "[linear_conflict]") {
    const auto check = []<int N>(const PackedBoard<N>&) {
        const oracle::Tiles goal = oracle::tiles_of(npuzzle::goal_blank_last(N));
        test::Random random(N);
        for (int round = 0; round < 5'000; ++round) {
            oracle::Tiles board;
            for (int line = 0; line < N; ++line) {
                std::vector<int> row(goal.begin() + line * N, goal.begin() + (line + 1) * N);
                random.shuffle(row);
                board.insert(board.end(), row.begin(), row.end());
            }
            for (int swaps = 0; swaps < N; ++swaps) {
                std::swap(board[random.below(board.size())], board[random.below(board.size())]);
            }
            oracle::Tiles turned = board; // the same for the columns
            for (int cell = 0; cell < N * N && round % 2 == 0; ++cell) {
                const int tile = board[static_cast<std::size_t>(cell % N * N + cell / N)] - 1;
                turned[static_cast<std::size_t>(cell)] = tile < 0 ? 0 : tile % N * N + tile / N + 1;
            }
            const int value = oracle::linear_conflict(turned, goal, N);
            REQUIRE(LinearConflict{}(Board(turned)) == value);
            REQUIRE(LinearConflict{}(PackedBoard<N>(Board(turned))) == value);
        }
    };
    check(PackedBoard<3>{});
    check(PackedBoard<4>{});
    check(PackedBoard<5>{});
}

TEST_CASE(
    "linear conflict along walks on boards of sizes 2 to 8 is its definition, admissible and consistent") {
    test::check_heuristic_on_walks(LinearConflict{}, oracle::linear_conflict);
}

TEST_CASE(
    "A* with linear conflict solves Korf's boards in the published numbers of moves, in both conventions") {
    const SlidingPuzzle<4> blank_first{npuzzle::goal_blank_first(4)};
    for (const auto& korf : test::korf_boards) {
        CAPTURE(korf.number);
        const auto published = astar(blank_first, PackedBoard<4>(korf.tiles), LinearConflict{});
        CHECK(published.status == npuzzle::Status::solved);
        CHECK(published.cost == korf.moves);
        const auto turned = astar(SlidingPuzzle<4>{}, PackedBoard<4>(korf.turned), LinearConflict{});
        CHECK(turned.status == npuzzle::Status::solved);
        CHECK(turned.cost == korf.moves);
        CHECK(turned.statistics.contract_violations == 0);
        CHECK(turned.statistics.reopened == 0);
    }
}
