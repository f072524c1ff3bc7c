#include "npuzzle/puzzle/detail/solver_run.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/combinators.hpp"
#include "npuzzle/search/ida_star.hpp"

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

using npuzzle::LinearConflict;
using npuzzle::MaxOf;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::WalkingDistance;

namespace {

const MaxOf greater{LinearConflict{}, WalkingDistance{}};

int greater_by_definition(const oracle::Tiles& board, const oracle::Tiles& goal, int n) {
    return std::max(oracle::linear_conflict(board, goal, n), oracle::walking_distance(board, goal, n));
}

} // namespace

TEST_CASE("the number of patterns is the published one, and that of a plain search", "[walking_distance]") {
    CHECK(npuzzle::detail::walking_table<4>(3).count() == 24964);
    for (int line = 0; line < 4; ++line) {
        CHECK(npuzzle::detail::walking_table<4>(line).count() == oracle::WalkingSpace(4, line).count());
    }
    for (int line = 0; line < 3; ++line) {
        CHECK(npuzzle::detail::walking_table<3>(line).count() == oracle::WalkingSpace(3, line).count());
    }
    for (int line = 0; line < 2; ++line) {
        CHECK(npuzzle::detail::walking_table<2>(line).count() == oracle::WalkingSpace(2, line).count());
    }
}

TEST_CASE("walking distance agrees with the plain search for every pattern of size 4", "[walking_distance]") {
    for (int goal_line = 0; goal_line < 4; ++goal_line) {
        const oracle::WalkingSpace space(4, goal_line);
        const auto& table = npuzzle::detail::walking_table<4>(goal_line);
        std::size_t wrong = 0;
        for (const auto& [pattern, distance] : space.distances()) {
            std::uint64_t code = 0;
            for (std::size_t i = 0; i < pattern.size(); ++i) {
                code += static_cast<std::uint64_t>(pattern[i]) << (12 * (i / 4) + 3 * (i % 4));
            }
            wrong += table.at(code).distance != distance ? 1 : 0;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("walking distance declares its properties", "[walking_distance]") {
    static_assert(npuzzle::declares_consistent<WalkingDistance>);
    static_assert(npuzzle::declares_zero_at_goals<WalkingDistance>);
    static_assert(npuzzle::EvaluatingHeuristicFor<WalkingDistance, SlidingPuzzle<2>>);
    static_assert(npuzzle::EvaluatingHeuristicFor<WalkingDistance, SlidingPuzzle<3>>);
    static_assert(npuzzle::EvaluatingHeuristicFor<WalkingDistance, SlidingPuzzle<4>>);
    static_assert(!npuzzle::HeuristicFor<WalkingDistance, SlidingPuzzle<5>>, "its tables would be large");
    static_assert(!npuzzle::IncrementalHeuristicFor<WalkingDistance, SlidingPuzzle<4>>);
    static_assert(!npuzzle::HeuristicFor<WalkingDistance, SlidingPuzzle<>>,
                  "it has tables for packed boards");
    using Greater = npuzzle::bound_t<decltype(greater), SlidingPuzzle<4>>;
    static_assert(npuzzle::declares_consistent<Greater> && npuzzle::declares_zero_at_goals<Greater>);
    static_assert(npuzzle::EvaluatingHeuristicFor<Greater, SlidingPuzzle<4>>);
    static_assert(std::is_same_v<npuzzle::estimate_t<WalkingDistance, SlidingPuzzle<4>>, int>);
    CHECK(WalkingDistance{}(PackedBoard<4>{}) == 0);
}

TEST_CASE("walking distance along walks agrees with its definition, is admissible and consistent",
          "[walking_distance]") {
    test::check_heuristic_on_walks<4>(WalkingDistance{}, oracle::walking_distance);
    test::check_heuristic_on_walks<4>(greater, greater_by_definition);
}

TEST_CASE("along a long walk the incremental values equal those from scratch", "[walking_distance]") {
    const SlidingPuzzle<4> puzzle{npuzzle::goal_spiral(4)};
    auto bound = npuzzle::bind_heuristic(greater, puzzle);
    test::Random random(4);
    PackedBoard<4> board = puzzle.goal();
    test::Follower<SlidingPuzzle<4>, decltype(bound)> follower(bound, board);
    npuzzle::Move last = npuzzle::Move::none;
    bool is_right = true;
    for (int step = 0; step < 100'000; ++step) {
        std::vector<npuzzle::Move> moves;
        puzzle.for_each_move(board, last, [&](npuzzle::Move move) { moves.push_back(move); });
        last = moves[random.below(moves.size())];
        PackedBoard<4> next = board;
        puzzle.apply(next, last);
        is_right = is_right && follower.follow(board, last, next);
        board = next;
    }
    CHECK(is_right);
}

TEST_CASE("IDA* with the two heuristics solves Korf's boards in the published numbers of moves, in both "
          "conventions",
          "[walking_distance]") {
    const SlidingPuzzle<4> blank_first{npuzzle::goal_blank_first(4)};
    for (const auto& korf : test::korf_boards) {
        CAPTURE(korf.number);
        const auto published = npuzzle::ida_star(blank_first, PackedBoard<4>(korf.tiles), greater);
        CHECK(published.status == npuzzle::Status::solved);
        CHECK(published.cost == korf.moves);
        const auto turned = npuzzle::ida_star(SlidingPuzzle<4>{}, PackedBoard<4>(korf.turned), greater);
        CHECK(turned.cost == korf.moves);
        CHECK(turned.statistics.contract_violations == 0);
    }
}
