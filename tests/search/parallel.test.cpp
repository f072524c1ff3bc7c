#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel.hpp>

#include "support/catch.hpp"
#include "support/family.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <thread>
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

TEST_CASE("a search goes on where a journal ends, on any number of threads", "[parallel]") {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> korf_79({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15});
    const char* const path = "parallel.test.journal";
    std::remove(path);
    for (const unsigned threads : {3U, 2U}) {
        npuzzle::IdaStarJournal journal(path, "15-puzzle, blank first, Manhattan");
        const auto result = npuzzle::parallel_ida_star(puzzle, korf_79, npuzzle::Manhattan{},
                                                       {.threads = threads, .journal = &journal});
        CHECK(result.statistics.generated + 1 == 540'860);
    }
    std::remove(path);
}

TEST_CASE("two threads search one const problem", "[parallel]") {
    const auto graph = test::random_graph<int>(12, 400, 1200, 0);
    const test::Table<int> table{oracle::costs_to_goal<int>(graph, 0)};
    std::vector<std::vector<std::uint64_t>> expanded(2);
    std::vector<std::vector<int>> costs(2);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 2; ++i) {
        threads.emplace_back([&, i] {
            npuzzle::SilentObserver silent;
            const auto note = [&](const test::Member&, const auto& result) {
                expanded[i].push_back(result.statistics.expanded);
                costs[i].push_back(result.cost);
            };
            test::with_each_graph_search(graph, 0, table, false, {}, silent, note);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(expanded[0].size() == 13);
    CHECK(expanded[0] == expanded[1]);
    CHECK(costs[0] == costs[1]);
    CHECK(costs[0][0] == oracle::least_cost<int>(graph, 0));
}
