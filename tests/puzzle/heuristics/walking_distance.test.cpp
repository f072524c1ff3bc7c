#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/search/combinators.hpp"

#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"

using npuzzle::LinearConflict;
using npuzzle::MaxOf;
using npuzzle::SlidingPuzzle;
using npuzzle::WalkingDistance;

namespace {

const MaxOf greater{LinearConflict{}, WalkingDistance{}};

static_assert(npuzzle::declares_consistent<WalkingDistance>);
static_assert(npuzzle::declares_zero_at_goals<WalkingDistance>);
static_assert(npuzzle::EvaluatingHeuristicFor<WalkingDistance, SlidingPuzzle<4>>);
static_assert(!npuzzle::HeuristicFor<WalkingDistance, SlidingPuzzle<5>>, "its tables would be large");
static_assert(!npuzzle::HeuristicFor<WalkingDistance, SlidingPuzzle<>>, "it has tables for packed boards");
using Greater = npuzzle::bound_t<decltype(greater), SlidingPuzzle<4>>;
static_assert(npuzzle::declares_consistent<Greater> && npuzzle::declares_zero_at_goals<Greater>);
static_assert(npuzzle::EvaluatingHeuristicFor<Greater, SlidingPuzzle<4>>);

} // namespace

TEST_CASE("walking distance along walks agrees with its definition, is admissible and consistent",
          "[walking_distance]") {
    test::check_heuristic_on_walks<4>(WalkingDistance{}, oracle::walking_distance);
    test::check_heuristic_on_walks<4>(greater, oracle::greater_of_both);
}
