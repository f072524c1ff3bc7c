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
#include <thread>
#include <type_traits>
#include <vector>

using npuzzle::Board;
using npuzzle::LinearConflict;
using npuzzle::Manhattan;
using npuzzle::MaxOf;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::WalkingDistance;

namespace {

const MaxOf greater{LinearConflict{}, WalkingDistance{}};

int greater_by_definition(const oracle::Tiles& board, const oracle::Tiles& goal, int n) {
    return std::max(oracle::linear_conflict(board, goal, n), oracle::walking_distance(board, goal, n));
}

// Computes the same value from scratch, and cannot follow moves.
template <class H>
struct FromScratch {
    template <class B>
    struct Bound {
        B heuristic;
        template <class State>
        int operator()(const State& state) {
            return heuristic(state);
        }
    };
    template <class P>
    auto bind(const P& puzzle) const {
        return Bound<npuzzle::bound_t<H, P>>{npuzzle::bind_heuristic(heuristic, puzzle)};
    }
    H heuristic;
};

template <int N, class H>
void check_searches_agree(const H& heuristic) {
    for (const Board& goal :
         {npuzzle::goal_blank_last(N), npuzzle::goal_blank_first(N), npuzzle::goal_spiral(N)}) {
        const SlidingPuzzle<N> puzzle{goal};
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            test::Random random(seed);
            PackedBoard<N> start = puzzle.goal();
            npuzzle::Move last = npuzzle::Move::none;
            for (int i = 0; i < 48; ++i) {
                std::vector<npuzzle::Move> moves;
                puzzle.for_each_move(start, last, [&](npuzzle::Move move) { moves.push_back(move); });
                last = moves[random.below(moves.size())];
                puzzle.apply(start, last);
            }
            CAPTURE(start);
            const FromScratch<H> from_scratch{heuristic};
            using Rolled = npuzzle::detail::RolledPuzzle<N>; // quick to compile, and a search of its own
            static_assert(!npuzzle::EvaluatingHeuristicFor<FromScratch<H>, SlidingPuzzle<N>>);
            static_assert(npuzzle::EvaluatingHeuristicFor<H, SlidingPuzzle<N>>);
            const auto fast = npuzzle::astar(puzzle, start, heuristic);
            const auto slow = npuzzle::astar(puzzle, start, from_scratch);
            CHECK(fast.cost == slow.cost);
            CHECK(fast.path == slow.path);
            CHECK(fast.statistics.expanded == slow.statistics.expanded);
            CHECK(fast.statistics.generated == slow.statistics.generated);
            CHECK(fast.statistics.contract_violations == 0);
            const auto fast_deepening = npuzzle::ida_star(puzzle, start, heuristic);
            const auto slow_deepening = npuzzle::ida_star(Rolled(puzzle), start, from_scratch);
            CHECK(fast_deepening.cost == fast.cost);
            CHECK(fast_deepening.moves == slow_deepening.moves);
            CHECK(fast_deepening.statistics.generated == slow_deepening.statistics.generated);
            CHECK(fast_deepening.statistics.expanded == slow_deepening.statistics.expanded);
            CHECK(fast_deepening.statistics.contract_violations == 0);
        }
    }
}

} // namespace

TEST_CASE("threads that request a table at the same time get the same one", "[walking_distance]") {
    // This test must run first, while the tables do not exist yet.
    std::vector<int> values(8, -1);
    std::vector<const void*> tables(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < values.size(); ++i) {
        threads.emplace_back([&, i] {
            const SlidingPuzzle<4> puzzle{npuzzle::goal_spiral(4)};
            values[i] = npuzzle::bind_heuristic(WalkingDistance{}, puzzle)(PackedBoard<4>{});
            tables[i] = &npuzzle::detail::walking_table<4>(2);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(values == std::vector<int>(8, values.front()));
    CHECK(tables == std::vector<const void*>(8, tables.front()));
    CHECK(values.front() > 0);
}

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
            npuzzle::detail::WalkingPatterns::Lines<std::uint16_t> codes{};
            for (std::size_t i = 0; i < pattern.size(); ++i) {
                codes[i / 4] = static_cast<std::uint16_t>(codes[i / 4] + (pattern[i] << (3 * (i % 4))));
            }
            wrong += table.at(codes).distance != distance ? 1 : 0;
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
    static_assert(npuzzle::EvaluatingHeuristicFor<WalkingDistance, SlidingPuzzle<5>>);
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
    test::check_heuristic_on_walks(WalkingDistance{}, oracle::walking_distance, 4);
    test::check_heuristic_on_walks(greater, greater_by_definition, 4);
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

TEST_CASE("walking distance is never less than Manhattan distance, and often more", "[walking_distance]") {
    test::Random random(4);
    int more = 0;
    for (int i = 0; i < 1000; ++i) {
        std::vector<int> tiles(16);
        std::iota(tiles.begin(), tiles.end(), 0);
        random.shuffle(tiles);
        const PackedBoard<4> board{Board(tiles)};
        CHECK(WalkingDistance{}(board) >= Manhattan{}(board));
        more += WalkingDistance{}(board) > Manhattan{}(board) ? 1 : 0;
    }
    CHECK(more > 700);
}

TEST_CASE("searches with incremental values make the same expansions as those that evaluate each state from "
          "scratch",
          "[walking_distance]") {
    check_searches_agree<3>(WalkingDistance{});
    check_searches_agree<3>(LinearConflict{});
    check_searches_agree<4>(greater);
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
