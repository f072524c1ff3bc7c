#include "npuzzle/puzzle/heuristics/hamming.hpp"

#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"

#include <cstdint>
#include <type_traits>

using npuzzle::Board;
using npuzzle::Hamming;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;

static_assert(Hamming{}(PackedBoard<3>({8, 1, 3, 4, 0, 2, 7, 6, 5})) == 5, "as published");
static_assert(npuzzle::declares_consistent<npuzzle::bound_t<Hamming, SlidingPuzzle<4>>>);
static_assert(npuzzle::IncrementalHeuristicFor<Hamming, SlidingPuzzle<>>);
static_assert(npuzzle::IncrementalHeuristicFor<Hamming, SlidingPuzzle<5>>);
static_assert(std::is_same_v<npuzzle::estimate_t<Hamming, SlidingPuzzle<4>>, int>);
static_assert(std::is_same_v<npuzzle::estimate_t<Hamming, SlidingPuzzle<>>, std::int64_t>);

TEST_CASE("Hamming counts the misplaced tiles, without the blank", "[hamming]") {
    const Board board{{2, 3, 1}, {5, 6, 4}, {8, 0, 7}};
    CHECK(Hamming{}(board) == 8);
    CHECK(Hamming{}(PackedBoard<3>(board)) == 8);
    // A misplaced blank is not a misplaced tile; the tile that it changed places with is.
    CHECK(Hamming{}(Board{{1, 2, 3}, {4, 5, 6}, {7, 0, 8}}) == 1);
    CHECK(Hamming{}(PackedBoard<5>{}) == 0);
}

TEST_CASE("Hamming along walks on boards of sizes 2 to 8 agrees with its definition, is admissible and "
          "consistent",
          "[hamming]") {
    test::check_heuristic_on_walks(Hamming{}, oracle::hamming);
}
