#pragma once

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/puzzle/pattern_database/pattern.hpp>

namespace benchmarks {

/// Three patterns of four tiles of the 24-puzzle, for smoke runs: their tables are built in no time.
inline npuzzle::Partition three_patterns_of_four(const npuzzle::Board& goal) {
    return npuzzle::Partition::drawn(".AABB\n"
                                     ".AABB\n"
                                     "CC...\n"
                                     "CC...\n"
                                     ".....\n",
                                     goal);
}

} // namespace benchmarks
