#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/search/core/combinators.hpp"

#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

using npuzzle::Board;
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

using Table = npuzzle::detail::WalkingTable<5>;

int distance_in(const Table& table, const oracle::WalkingSpace::Pattern& pattern) {
    npuzzle::detail::WalkingPatterns::Lines<std::uint16_t> codes{};
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        codes[i / 5] = static_cast<std::uint16_t>(codes[i / 5] + (pattern[i] << (3 * (i % 5))));
    }
    return table.at(codes).distance;
}

// A random walk of `length` moves. The values that follow the moves must equal those computed from scratch.
template <int N, class H>
void check_walk(const SlidingPuzzle<N>& puzzle, const H& heuristic, int length) {
    auto bound = npuzzle::bind_heuristic(heuristic, puzzle);
    test::Random random(N);
    PackedBoard<N> board = puzzle.goal();
    test::Follower<SlidingPuzzle<N>, decltype(bound)> follower(bound, board);
    npuzzle::Move last = npuzzle::Move::none;
    int value = 0;
    bool is_right = true;
    for (int step = 0; step < length; ++step) {
        std::array<npuzzle::Move, 4> moves{};
        std::size_t count = 0;
        puzzle.for_each_move(board, last, [&](npuzzle::Move move) { moves[count++] = move; });
        last = moves[random.below(count)];
        PackedBoard<N> next = board;
        puzzle.apply(next, last);
        is_right = is_right && follower.follow(board, last, next) && std::abs(follower.value() - value) == 1;
        value = follower.value();
        board = next;
    }
    CHECK(is_right);
    CHECK(value > 0);
}

} // namespace

TEST_CASE("size 5 has 65,650,495 patterns", "[walking_distance]") {
    CHECK(npuzzle::detail::walking_table<5>(4).count() == 65'650'495);
}

TEST_CASE("walking distance of size 5 agrees with a plain search to a limited depth", "[walking_distance]") {
    const oracle::WalkingSpace space(5, 4, 18);
    CHECK(space.count() > 80'000);
    const auto& table = npuzzle::detail::walking_table<5>(4);
    std::size_t wrong = 0;
    for (const auto& [pattern, distance] : space.distances()) {
        wrong += distance_in(table, pattern) != distance ? 1 : 0;
    }
    CHECK(wrong == 0);
}

TEST_CASE("walking distance of size 5 is a distance: 0 at the goal alone, and elsewhere one more than the "
          "least beside",
          "[walking_distance]") {
    const oracle::WalkingSpace moves(5, 4, 0); // for its neighbors
    const auto& table = npuzzle::detail::walking_table<5>(4);
    const oracle::Tiles goal = oracle::tiles_of(npuzzle::goal_blank_last(5));
    test::Random random(5);
    std::size_t wrong = 0;
    int longest = 0;
    for (int i = 0; i < 300; ++i) {
        oracle::Tiles tiles(25);
        std::iota(tiles.begin(), tiles.end(), 0);
        random.shuffle(tiles);
        auto pattern = oracle::walking_pattern(tiles, goal, 5, i % 2 == 0);
        int distance = distance_in(table, pattern);
        longest = std::max(longest, distance);
        // All the way down to the goal, with all neighbors on the way.
        while (distance > 0) {
            oracle::WalkingSpace::Pattern nearer;
            for (const auto& neighbor : moves.neighbors(pattern)) {
                const int its_distance = distance_in(table, neighbor);
                wrong += std::abs(its_distance - distance) != 1 ? 1 : 0;
                if (its_distance < distance) {
                    nearer = neighbor;
                }
            }
            REQUIRE(!nearer.empty());
            pattern = nearer;
            --distance;
        }
        wrong += pattern != moves.distances().begin()->first ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(longest > 50);
}

TEST_CASE("over a million random moves the incremental values equal those from scratch",
          "[walking_distance]") {
    check_walk(SlidingPuzzle<4>{npuzzle::goal_blank_first(4)}, LinearConflict{}, 1'000'000);
    check_walk(SlidingPuzzle<4>{npuzzle::goal_spiral(4)}, greater, 1'000'000);
    check_walk(SlidingPuzzle<5>{}, LinearConflict{}, 1'000'000);
    check_walk(SlidingPuzzle<5>{}, greater, 1'000'000);
}

TEST_CASE("walking distance on all boards of size 3 agrees with its definition, is admissible, consistent, "
          "right after "
          "each move",
          "[walking_distance]") {
    for (const auto& goal : {oracle::goals_of_size_3.front(), oracle::goals_of_size_3.back()}) {
        CAPTURE(goal);
        test::check_heuristic_on_all_boards_of_size_3(WalkingDistance{}, oracle::walking_distance, goal);
    }
}

TEST_CASE("the greater of linear conflict and walking distance on all boards of size 3",
          "[walking_distance]") {
    for (const auto& goal : {oracle::goals_of_size_3.front(), oracle::goals_of_size_3.back()}) {
        CAPTURE(goal);
        test::check_heuristic_on_all_boards_of_size_3(greater, greater_by_definition, goal);
    }
}

TEST_CASE("A* with walking distance finds the true distances, and f never decreases", "[walking_distance]") {
    test::check_searches_with_heuristic(WalkingDistance{}, 2711);
    test::check_searches_with_heuristic(greater, 2711);
}
