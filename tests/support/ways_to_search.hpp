/// @file
/// The sliding-tile puzzle, searched by A* in all ways that the library has for it.
#pragma once

#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/heuristic.hpp>

#include "support/catch.hpp"
#include "support/searches.hpp"

namespace test {

/// The puzzle as it would be written without any optional capability.
template <class P>
struct FootOfTheLadder {
    using State = npuzzle::state_t<P>;

    P puzzle;

    auto neighbors(const State& board) const { return puzzle.neighbors(board); }
    bool is_goal(const State& board) const { return puzzle.is_goal(board); }
};

inline void check_same_work(const npuzzle::Statistics& a, const npuzzle::Statistics& b) {
    CHECK(a.expanded == b.expanded);
    CHECK(a.generated == b.generated);
    CHECK(a.duplicates == b.duplicates);
    CHECK(a.stored == b.stored);
    CHECK(a.peak_open == b.peak_open);
}

/// The same search on both kinds of boards, and without optional capabilities: they do the same work.
template <int N, class H>
auto check_both_kinds_of_boards(const npuzzle::Board& goal, const npuzzle::Board& board, const H& heuristic,
                                int moves) {
    CAPTURE(board);
    const npuzzle::SlidingPuzzle<N> packed_puzzle{goal};
    const npuzzle::SlidingPuzzle puzzle{goal};
    const npuzzle::PackedBoard<N> packed(board);

    const auto reference = npuzzle::astar(packed_puzzle, packed, heuristic);
    CHECK(reference.status == npuzzle::Status::solved);
    CHECK(reference.cost == moves);
    check_path(packed_puzzle, packed, reference);
    check_statistics(reference.status, reference.statistics);

    const auto on_boards = npuzzle::astar(puzzle, board, heuristic);
    CHECK(on_boards.cost == moves);
    CHECK(on_boards.moves == reference.moves);
    check_path(puzzle, board, on_boards);
    check_statistics(on_boards.status, on_boards.statistics);
    check_same_work(reference.statistics, on_boards.statistics);

    auto bound = npuzzle::bind_heuristic(heuristic, packed_puzzle);
    const FootOfTheLadder<npuzzle::SlidingPuzzle<N>> foot{packed_puzzle};
    const auto from_the_foot =
        npuzzle::astar(foot, packed, [&](const npuzzle::PackedBoard<N>& state) { return bound(state); });
    CHECK(from_the_foot.path == reference.path);
    check_same_work(from_the_foot.statistics, reference.statistics);
    return reference;
}

} // namespace test
