// Rows 32 and 33: 10,000 random boards of the 15-puzzle with shared tables, on one core and on two.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/pattern_databases.hpp>
#include <npuzzle/puzzle/heuristics/walking_distance.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/pattern_database/pattern.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/for_each_parallel.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/move_pruning.hpp>

#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/timing.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace benchmarks {

namespace {

using Puzzle = npuzzle::SlidingPuzzle<4>;
using Board = npuzzle::PackedBoard<4>;

/// A number for the lengths of all solutions in their order.
std::uint64_t checksum(const std::vector<int>& lengths) {
    std::uint64_t sum = 0;
    for (const int length : lengths) {
        sum = 31 * sum + static_cast<std::uint64_t>(length);
    }
    return sum;
}

void solve_random_boards(Session& session, const std::string& row, unsigned threads) {
    // 7-8 takes a minute and 700 MB to build, which is too much for a smoke test.
    const auto partition =
        npuzzle::Partition::named(session.is_smoke() ? "6-6-3" : "7-8", npuzzle::goal_blank_last(4));
    auto tables = npuzzle::build_tables(partition);
    require(tables.has_value(), "the tables were not built");
    const npuzzle::PatternDatabases databases(partition, std::move(*tables), npuzzle::Reflection::both);

    std::mt19937_64 generator(4);
    std::vector<Board> boards;
    for (int i = 0; i < (session.is_smoke() ? 20 : 10'000); ++i) {
        boards.emplace_back(npuzzle::random_solvable(4, generator));
    }
    const Puzzle puzzle;
    const auto heuristic = npuzzle::bind_heuristic(databases, puzzle);
    std::vector<int> lengths(boards.size());
    std::vector<std::uint64_t> nodes(boards.size());
    const auto solve_all = [&](unsigned cores) {
        const Stopwatch stopwatch;
        const npuzzle::MovePruning pruning =
            npuzzle::learn_move_pruning(puzzle, puzzle.goal(), {.length = session.is_smoke() ? 8U : 12U});
        const auto pruned = npuzzle::with_move_pruning(puzzle, pruning);
        npuzzle::for_each_parallel(
            boards.size(),
            [&](std::size_t i) {
                const auto result = npuzzle::ida_star(pruned, boards[i], heuristic);
                require(result.status == npuzzle::Status::solved, "a random board was not solved");
                lengths[i] = result.cost;
                nodes[i] = result.statistics.generated;
            },
            cores);
        return static_cast<double>(boards.size()) / stopwatch.seconds();
    };

    solve_all(1); // the first time it waits for pages
    const double one = solve_all(1);
    const std::vector<int> alone = lengths;
    for (std::size_t i = 0; i < boards.size(); i += session.is_smoke() ? 10 : 500) {
        const auto other = npuzzle::ida_star(puzzle, boards[i], npuzzle::WalkingDistance{});
        require(other.cost == alone[i], "a random board: not the cost that another heuristic finds");
    }
    double total = 0;
    double moves = 0;
    for (std::size_t i = 0; i < boards.size(); ++i) {
        total += static_cast<double>(nodes[i]);
        moves += alone[i];
    }
    const auto count = static_cast<double>(boards.size());
    const std::string what = to_text(moves / count) + " moves and " + to_text(total / count) +
                             " nodes a board; checksum " + std::to_string(checksum(alone));
    if (threads == 1) {
        session.report({row, "IDA*, random 15-puzzles, 7-8 with reflection, moves pruned", one, "boards/s", 0,
                        0, false, what, "", "10,000 boards; the building of the tables is not among it"});
        return;
    }
    const double several = solve_all(threads);
    require(lengths == alone, "random boards on threads: not the costs of one thread");
    session.report({row, "the same on two threads, which share the tables", several / one, "x", 0, 0, false,
                    to_text(several, "boards/s"), to_text(one, "boards/s"), "against one thread"});
}

} // namespace

void solve_random_15_puzzles(Session& session) {
    solve_random_boards(session, "32", 1);
}

void solve_random_15_puzzles_on_threads(Session& session) {
    solve_random_boards(session, "33", 2);
}

} // namespace benchmarks
