#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/heuristics/pattern_databases.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/search/ida_star.hpp"

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/pattern_heuristics.hpp"
#include "support/pattern_space.hpp"
#include "support/puzzle_space.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

using npuzzle::Board;
using npuzzle::Move;
using npuzzle::PackedBoard;
using npuzzle::Partition;
using npuzzle::Pattern;
using npuzzle::Reflection;
using npuzzle::SlidingPuzzle;
using test::built;
using test::in_the_mirror;

namespace {

// On all boards from which the goal can be reached: the value is the sum over the patterns of what a simple
// search gives, also for the mirror image. It never exceeds the distance. After each move it is the value
// computed from scratch.
void check_all_boards(const Partition& partition, const oracle::Cells<3>& goal) {
    const SlidingPuzzle<3> puzzle{PackedBoard<3>(goal)};
    const auto regular = built(partition, Reflection::none).bind(puzzle);
    const auto both = built(partition, Reflection::both).bind(puzzle);
    std::vector<std::vector<int>> homes;
    std::vector<oracle::PatternSpace> spaces;
    for (const Pattern& pattern : partition.patterns()) {
        homes.emplace_back();
        for (int cell = 0; cell < 9; ++cell) {
            if (pattern.contains(cell)) {
                homes.back().push_back(cell);
            }
        }
        spaces.emplace_back(3, homes.back(), partition.blank_cell());
    }
    // If each tile is in a pattern, the value has the parity of the distance, and is 0 only at the goal.
    std::size_t tiles = 0;
    for (const auto& cells : homes) {
        tiles += cells.size();
    }
    const bool is_whole = tiles == 8;
    const auto& space = oracle::space_of_size_3(goal);
    std::size_t above = 0;
    std::size_t boards = 0;
    for (const auto& cells : space.solvable()) {
        const PackedBoard<3> board(cells);
        ++boards;
        int sum = 0;
        for (std::size_t i = 0; i < homes.size(); ++i) {
            std::vector<int> places;
            for (const int home : homes[i]) {
                const int tile = goal[static_cast<std::size_t>(home)];
                places.push_back(
                    static_cast<int>(std::find(cells.begin(), cells.end(), tile) - cells.begin()));
            }
            sum += spaces[i].cost(places);
        }
        const int depth = space.depth(cells);
        const int value = both(board);
        const int mirrored = partition.has_reflection() ? regular(in_the_mirror(board, puzzle.goal())) : 0;
        if (regular(board) != sum || value != std::max(sum, mirrored) || value > depth ||
            (is_whole && ((depth - value) % 2 != 0 || (value == 0) != (depth == 0)))) {
            FAIL("regular " << regular(board) << ", by definition " << sum << ", both " << value
                            << ", mirrored " << mirrored << ", distance " << depth << ": " << board);
        }
        above += value > sum ? 1 : 0;
        const auto evaluation = both.evaluate(board);
        for (const auto& step : oracle::steps_from(cells, 3)) {
            const PackedBoard<3> next(step.board);
            if (both.value(both.after(evaluation, board, static_cast<Move>(step.direction), next)) !=
                both(next)) {
                FAIL("not the value after a move: " << board << next);
            }
        }
    }
    CHECK(boards == 181'440);
    CHECK((above > 0) == built(partition, Reflection::both).is_reflected());
}

} // namespace

TEST_CASE("pattern databases on all boards of the 8-puzzle, to goals of every kind", "[pattern_databases]") {
    for (const auto& goal : oracle::goals_of_size_3) {
        CAPTURE(goal);
        for (const std::string_view name : Partition::names(3)) {
            CAPTURE(name);
            check_all_boards(Partition::named(name, PackedBoard<3>(goal)), goal);
        }
    }
}

TEST_CASE("pattern databases that leave tiles out, on all boards of the 8-puzzle", "[pattern_databases]") {
    check_all_boards(Partition::drawn("a.b/.b./a..", 3, 8), oracle::blank_last_of_size_3);
    check_all_boards(Partition::drawn("abc/def/gh.", 3, 8), oracle::blank_last_of_size_3);
}

TEST_CASE("Korf's boards are solved in the published numbers of moves with 5-5-5 and 6-6-3",
          "[pattern_databases]") {
    for (const char* name : {"5-5-5", "6-6-3"}) {
        const auto turned = built(Partition::named(name, npuzzle::goal_blank_last(4)), Reflection::both);
        const Board first = npuzzle::goal_blank_first(4);
        const auto published = built(Partition::named(name, first), Reflection::both);
        CHECK(turned.is_reflected());
        for (const auto& korf : test::korf_boards) {
            CAPTURE(name, korf.number);
            const auto one = npuzzle::ida_star(SlidingPuzzle<4>{}, PackedBoard<4>(korf.turned), turned);
            CHECK(one.cost == korf.moves);
            const auto other =
                npuzzle::ida_star(SlidingPuzzle<4>{first}, PackedBoard<4>(korf.tiles), published);
            CHECK(other.cost == korf.moves);
            const auto manhattan =
                npuzzle::ida_star(SlidingPuzzle<4>{}, PackedBoard<4>(korf.turned), npuzzle::Manhattan{});
            CHECK(one.statistics.generated < manhattan.statistics.generated);
        }
    }
}
