#pragma once

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/heuristics/pattern_databases.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/pattern_database/pattern.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>

#include "support/answers.hpp"
#include "support/instances.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace benchmarks {

/// Which instances of a row are searched, and how often.
struct Selection {
    int rounds = 1;
    std::size_t from = 0;
    std::size_t to = 1'000;
};

inline npuzzle::PatternDatabases tables(const std::string& name, const npuzzle::Board& goal) {
    const auto partition = npuzzle::Partition::named(name, goal);
    auto built = npuzzle::build_tables(partition);
    require(built.has_value(), name + " was not built");
    return npuzzle::PatternDatabases(partition, std::move(*built), npuzzle::Reflection::both);
}

/// Calls `compare(name, puzzle, instances, heuristic, selection)` with the searches of rows 5, 14 and 15 of
/// the table of "solve", with two small ones for row 0, and with the boards of 80 moves for 80.
template <class F>
void with_ida_row(int row, const Selection& selection, F&& compare) {
    const npuzzle::Board goal = npuzzle::goal_blank_first(4);
    const npuzzle::SlidingPuzzle<4> fifteen(goal);
    switch (row) {
    case 0: {
        const Selection easiest{1, 11, 12};
        compare("smoke", fifteen, korf_boards, npuzzle::Manhattan{}, easiest);
        compare("smoke, 5-5-5", fifteen, korf_boards, tables("5-5-5", goal), easiest);
        break;
    }
    case 5:
        compare("row 5", fifteen, korf_boards, npuzzle::Manhattan{}, selection);
        break;
    case 14:
        compare("row 14", fifteen, korf_boards, tables("7-8", goal), selection);
        break;
    case 15: {
        const npuzzle::Board goal_24 = npuzzle::goal_blank_first(5);
        compare("row 15", npuzzle::SlidingPuzzle<5>(goal_24), korf_24_puzzles, tables("6-6-6-6", goal_24),
                selection);
        break;
    }
    case 80: {
        std::array<Instance, antipodes_of_the_15_puzzle.size()> boards{};
        for (std::size_t i = 0; i < boards.size(); ++i) {
            boards[i] = {static_cast<int>(i) + 1, antipode_cost, 0, antipodes_of_the_15_puzzle[i]};
        }
        const npuzzle::SlidingPuzzle<4> blank_last;
        compare("the hardest boards", blank_last, boards, tables("7-8", npuzzle::goal_blank_last(4)),
                selection);
        break;
    }
    default:
        require(false, "there is no row " + std::to_string(row));
    }
}

} // namespace benchmarks
