#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/search/ida_star.hpp"

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"

#include <cstdint>
#include <type_traits>

using npuzzle::Board;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;

TEST_CASE("the published board has Manhattan distance 10", "[manhattan]") {
    constexpr PackedBoard<3> packed({8, 1, 3, 4, 0, 2, 7, 6, 5});
    const Board board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    static_assert(Manhattan{}(packed) == 10);
    static_assert(Manhattan{}.bind(SlidingPuzzle<3>{})(packed) == 10);
    CHECK(Manhattan{}(board) == 10);
    CHECK(Manhattan{}.bind(SlidingPuzzle{3})(board) == 10);
    CHECK(Manhattan{}(packed) == 10);
    CHECK(Manhattan{}.bind(SlidingPuzzle<3>{})(packed) == 10);
}

TEST_CASE("Korf's boards have the published Manhattan distances, in his convention and in ours",
          "[manhattan]") {
    const SlidingPuzzle<4> blank_first{npuzzle::goal_blank_first(4)};
    for (const auto& korf : test::korf_boards) {
        CAPTURE(korf.number);
        CHECK(Manhattan{}.bind(blank_first)(PackedBoard<4>(korf.tiles)) == korf.manhattan);
        CHECK(Manhattan{}.bind(SlidingPuzzle{blank_first.goal().to_board()})(Board(korf.tiles)) ==
              korf.manhattan);
        CHECK(Manhattan{}(PackedBoard<4>(korf.turned)) == korf.manhattan);
        CHECK(Manhattan{}(Board(korf.turned)) == korf.manhattan);
    }
}

TEST_CASE("Manhattan follows the goal of the puzzle that it is bound to", "[manhattan]") {
    const Board goal = npuzzle::goal_spiral(3);
    const Board board{{1, 2, 3}, {8, 7, 4}, {0, 6, 5}};
    CHECK(Manhattan{}.bind(SlidingPuzzle{goal})(board) == 2);
    CHECK(Manhattan{}.bind(SlidingPuzzle<3>{goal})(PackedBoard<3>(board)) == 2);
    CHECK(Manhattan{}.bind(SlidingPuzzle{3})(board) == 2 + 2 + 2 + 3 + 1);
}

TEST_CASE("Manhattan declares itself consistent, and is incremental", "[manhattan]") {
    static_assert(npuzzle::declares_consistent<Manhattan>);
    static_assert(npuzzle::declares_consistent<npuzzle::bound_t<Manhattan, SlidingPuzzle<4>>>);
    static_assert(npuzzle::IncrementalHeuristicFor<Manhattan, SlidingPuzzle<>>);
    static_assert(npuzzle::IncrementalHeuristicFor<Manhattan, SlidingPuzzle<2>>);
    static_assert(npuzzle::IncrementalHeuristicFor<Manhattan, SlidingPuzzle<3>>);
    static_assert(npuzzle::IncrementalHeuristicFor<Manhattan, SlidingPuzzle<4>>);
    static_assert(npuzzle::IncrementalHeuristicFor<Manhattan, SlidingPuzzle<5>>);
    static_assert(std::is_same_v<npuzzle::estimate_t<Manhattan, SlidingPuzzle<4>>, int>);
    static_assert(std::is_same_v<npuzzle::estimate_t<Manhattan, SlidingPuzzle<>>, std::int64_t>);
    SUCCEED();
}

TEST_CASE("Manhattan along walks on boards of sizes 2 to 8 agrees with its definition, is admissible and "
          "consistent",
          "[manhattan]") {
    test::check_heuristic_on_walks(Manhattan{}, oracle::manhattan);
}

TEST_CASE("A* with Manhattan finds the true distances, and f never decreases", "[manhattan]") {
    test::check_searches_with_heuristic(Manhattan{}, 5407);
}

TEST_CASE("Manhattan is zero only at the goal, and declares it", "[manhattan]") {
    static_assert(npuzzle::declares_zero_at_goals<Manhattan>);
    static_assert(npuzzle::declares_zero_at_goals<npuzzle::bound_t<Manhattan, SlidingPuzzle<4>>>);
    static_assert(npuzzle::declares_zero_at_goals<npuzzle::bound_t<Manhattan, SlidingPuzzle<>>>);
    const SlidingPuzzle<4> puzzle{npuzzle::goal_spiral(4)};
    CHECK(Manhattan{}.bind(puzzle)(puzzle.goal()) == 0);
    for (const auto& board : puzzle.neighbors(puzzle.goal())) {
        CHECK(Manhattan{}.bind(puzzle)(board) == 1);
    }
}
