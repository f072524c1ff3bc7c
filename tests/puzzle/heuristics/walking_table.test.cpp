#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/walking_distance.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/heuristic.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <thread>
#include <vector>

TEST_CASE("threads that request a table at the same time get the same one", "[walking_distance]") {
    std::vector<int> values(8, -1);
    std::vector<const void*> tables(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < values.size(); ++i) {
        threads.emplace_back([&, i] {
            const npuzzle::SlidingPuzzle<4> puzzle{npuzzle::goal_spiral(4)};
            values[i] =
                npuzzle::bind_heuristic(npuzzle::WalkingDistance{}, puzzle)(npuzzle::PackedBoard<4>{});
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
