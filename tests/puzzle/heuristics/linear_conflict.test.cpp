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
#include <numeric>
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

namespace {

// The board in which the row or column `line` holds `tiles`. All other tiles are in the other cells in random
// order.
oracle::Tiles with_line(const std::vector<int>& tiles, int line, bool is_row, int n, test::Random& random) {
    std::vector<int> others(static_cast<std::size_t>(n * n));
    std::iota(others.begin(), others.end(), 0);
    for (const int tile : tiles) {
        others.erase(std::find(others.begin(), others.end(), tile));
    }
    random.shuffle(others);
    oracle::Tiles board;
    std::size_t next_other = 0;
    for (int cell = 0; cell < n * n; ++cell) {
        const int across = is_row ? cell / n : cell % n;
        const int along = is_row ? cell % n : cell / n;
        board.push_back(across == line ? tiles[static_cast<std::size_t>(along)] : others[next_other++]);
    }
    return board;
}

// Calls `visit` for each way to fill a line.
template <class F>
void for_each_line(int n, std::vector<int>& tiles, const F& visit) {
    if (tiles.size() == static_cast<std::size_t>(n)) {
        visit();
        return;
    }
    for (int tile = 0; tile < n * n; ++tile) {
        if (std::find(tiles.begin(), tiles.end(), tile) == tiles.end()) {
            tiles.push_back(tile);
            for_each_line(n, tiles, visit);
            tiles.pop_back();
        }
    }
}

template <int N>
void check_line(const std::vector<int>& tiles, int line, bool is_row, test::Random& random) {
    static const oracle::Tiles goal = oracle::tiles_of(npuzzle::goal_blank_last(N));
    const oracle::Tiles cells = with_line(tiles, line, is_row, N, random);
    const Board board(cells);
    const int value = oracle::linear_conflict(cells, goal, N);
    if (LinearConflict{}(board) != value) {
        FAIL("should be " << value << ", not " << LinearConflict{}(board) << ": " << board);
    }
    if (LinearConflict{}(PackedBoard<N>(board)) != value) {
        FAIL("packed, should be " << value << ", not " << LinearConflict{}(PackedBoard<N>(board)) << ": "
                                  << board);
    }
}

template <int N>
void check_all_lines() {
    test::Random random(N);
    std::vector<int> tiles;
    std::size_t lines = 0;
    for_each_line(N, tiles, [&] {
        for (int line = 0; line < N; ++line) {
            check_line<N>(tiles, line, true, random);
            check_line<N>(tiles, line, false, random);
            lines += 2;
        }
    });
    CHECK(lines == (N == 3 ? std::size_t{9 * 8 * 7} * 6 : std::size_t{16 * 15 * 14 * 13} * 8));
}

} // namespace

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

TEST_CASE("linear conflict in every line of sizes 3 and 4 agrees with trying all subsets",
          "[linear_conflict]") {
    check_all_lines<3>();
    check_all_lines<4>();
}

TEST_CASE(
    "linear conflict along walks on boards of sizes 2 to 8 is its definition, admissible and consistent") {
    test::check_heuristic_on_walks(LinearConflict{}, oracle::linear_conflict);
}

TEST_CASE("A* with linear conflict finds the true distances, and f never decreases", "[linear_conflict]") {
    test::check_searches_with_heuristic(LinearConflict{}, 901);
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
