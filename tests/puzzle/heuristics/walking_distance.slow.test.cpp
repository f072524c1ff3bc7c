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

using npuzzle::LinearConflict;
using npuzzle::MaxOf;
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
