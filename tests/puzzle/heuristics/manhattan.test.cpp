#include "npuzzle/puzzle/heuristics/manhattan.hpp"

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/puzzle_heuristics.hpp"

#include <cstdint>
#include <type_traits>

using npuzzle::Board;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;

static_assert(Manhattan{}(PackedBoard<3>({8, 1, 3, 4, 0, 2, 7, 6, 5})) == 10, "as published");
static_assert(npuzzle::declares_consistent<npuzzle::bound_t<Manhattan, SlidingPuzzle<4>>>);
static_assert(npuzzle::declares_zero_at_goals<npuzzle::bound_t<Manhattan, SlidingPuzzle<4>>>);
static_assert(npuzzle::declares_zero_at_goals<npuzzle::bound_t<Manhattan, SlidingPuzzle<>>>);
static_assert(npuzzle::IncrementalHeuristicFor<Manhattan, SlidingPuzzle<>>);
static_assert(npuzzle::IncrementalHeuristicFor<Manhattan, SlidingPuzzle<5>>);
static_assert(std::is_same_v<npuzzle::estimate_t<Manhattan, SlidingPuzzle<4>>, int>);
static_assert(std::is_same_v<npuzzle::estimate_t<Manhattan, SlidingPuzzle<>>, std::int64_t>);

TEST_CASE("Korf's boards have the published Manhattan distances, in his convention and in ours",
          "[manhattan]") {
    const SlidingPuzzle<4> blank_first{npuzzle::goal_blank_first(4)};
    for (const auto& korf : test::korf_boards) {
        CAPTURE(korf.number);
        CHECK(Manhattan{}.bind(blank_first)(PackedBoard<4>(korf.tiles)) == korf.manhattan);
        CHECK(Manhattan{}.bind(SlidingPuzzle{Board(blank_first.goal())})(Board(korf.tiles)) ==
              korf.manhattan);
        CHECK(Manhattan{}(PackedBoard<4>(korf.turned)) == korf.manhattan);
        CHECK(Manhattan{}(Board(korf.turned)) == korf.manhattan);
    }
}

TEST_CASE("Manhattan along walks on boards of sizes 2 to 8 agrees with its definition, is admissible and "
          "consistent",
          "[manhattan]") {
    test::check_heuristic_on_walks(Manhattan{}, oracle::manhattan);
}
