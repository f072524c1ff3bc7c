#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

TEST_CASE("searches run on several threads", "[parallel]") {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> korf_79({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15});
    const auto result =
        npuzzle::parallel_ida_star(puzzle, korf_79, npuzzle::Manhattan{}, {.threads = 4}, {.max_cost = 50});
    CHECK(result.cost == 42);
    CHECK(result.statistics.generated + 1 == 540'860); // as ida_star, whatever the number of threads
    const auto path = npuzzle::parallel_astar(puzzle, korf_79, npuzzle::Manhattan{}, {.threads = 4});
    CHECK(path.cost == 42);
    CHECK(result.path == npuzzle::ida_star(puzzle, korf_79, npuzzle::Manhattan{}).path);
}

TEST_CASE("a search goes on where a journal ends", "[parallel]") {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> korf_79({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15});
    const char* const path = "parallel.test.journal";
    std::remove(path);
    for (const bool is_again : {false, true}) {
        npuzzle::IdaStarJournal journal(path, "15-puzzle, blank first, Manhattan");
        const auto result = npuzzle::parallel_ida_star(puzzle, korf_79, npuzzle::Manhattan{},
                                                       {.threads = 3, .journal = &journal});
        CHECK(result.statistics.generated + 1 == 540'860);
        CHECK((journal.known() > 0) == is_again);
    }
    npuzzle::IdaStarJournal journal(path, "15-puzzle, blank first, Manhattan");
    const auto result = npuzzle::ida_star(puzzle, korf_79, npuzzle::Manhattan{}, journal);
    CHECK(result.statistics.generated + 1 == 540'860);
    std::remove(path);
}

TEST_CASE("layers are counted on several threads", "[parallel]") {
    const npuzzle::SlidingPuzzle<4> puzzle;
    const auto layers =
        npuzzle::parallel_breadth_first_layers(puzzle, puzzle.goal(), {.threads = 2}, {.max_cost = 17});
    CHECK(layers.counts.back() == 231'844);
}

TEST_CASE("frontier search on several threads", "[parallel]") {
    const npuzzle::SlidingPuzzle<4> puzzle;
    const npuzzle::PackedBoard<4> board(npuzzle::random_walk(puzzle.goal().to_board(), 16, std::uint64_t{1}));
    const auto result = npuzzle::parallel_frontier_search(puzzle, board, {.threads = 2});
    CHECK(result.path.size() == result.moves.size() + 1);
    CHECK(result.cost == npuzzle::ida_star(puzzle, board, npuzzle::Manhattan{}).cost);
}

TEST_CASE("every state is visited on several threads", "[parallel]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    std::vector<std::uint64_t> sums(2); // one for each worker
    const auto all = npuzzle::parallel_for_each_reachable(
        puzzle, puzzle.goal(),
        [&](const npuzzle::PackedBoard<3>& /*board*/, int cost, std::size_t worker) {
            sums[worker] += static_cast<std::uint64_t>(cost);
        },
        {.threads = 2, .least_divided = 5'000});
    CHECK(all);
    CHECK(sums[0] + sums[1] == 3'986'672);
}
