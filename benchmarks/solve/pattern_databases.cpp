// Rows 13 to 15: the 15-puzzle and the 24-puzzle with additive pattern databases, which are built here on all
// cores.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/heuristics/pattern_databases.hpp>
#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/pattern_database/pattern.hpp>
#include <npuzzle/puzzle/pattern_database/table.hpp>
#include <npuzzle/puzzle/scramble.hpp>

#include "solve/korf.hpp"
#include "solve/session.hpp"
#include "support/three_patterns.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchmarks {

namespace {

std::vector<npuzzle::PatternTable> build(Session& session, const npuzzle::Partition& partition,
                                         const std::string& name) {
    const Stopwatch stopwatch;
    auto tables = npuzzle::build_tables(partition);
    require(tables.has_value(), name + " was not built");
    session.say("    " + name + ": tables built in " + to_text(stopwatch.seconds(), "s"));
    return std::move(*tables);
}

npuzzle::PatternDatabases reflected(const npuzzle::Partition& partition,
                                    std::vector<npuzzle::PatternTable> tables) {
    return npuzzle::PatternDatabases(partition, std::move(tables), npuzzle::Reflection::both);
}

/// Solves Korf's boards with the tables of a partition. Returns the tables.
std::vector<npuzzle::PatternTable> solve_korf_with_tables(Session& session, const std::string& row,
                                                          std::string_view name, double reach, double aim,
                                                          const std::string& note) {
    const std::string whole_name = std::string(name) + " with reflection";
    const auto partition = npuzzle::Partition::named(name, npuzzle::goal_blank_first(4));
    auto tables = build(session, partition, whole_name);
    solve_korf_with(session, row, whole_name, reflected(partition, tables), reach, aim, note);
    return tables;
}

/// Solves the hardest boards of the 15-puzzle.
void solve_antipodes(Session& session, const npuzzle::PatternDatabases& heuristic) {
    const npuzzle::SlidingPuzzle<4> puzzle;
    double nodes = 0;
    const Stopwatch stopwatch;
    for (const std::array<int, 16>& tiles : antipodes_of_the_15_puzzle) {
        const npuzzle::PackedBoard<4> start(tiles);
        const auto result = npuzzle::ida_star(puzzle, start, heuristic);
        require(result.status == npuzzle::Status::solved && result.cost == antipode_cost,
                "a board that takes 80 moves: not the published cost");
        require_path(puzzle, start, result.path, result.cost, "a board that takes 80 moves");
        nodes += static_cast<double>(result.statistics.generated);
    }
    session.say("    the 17 boards that take 80 moves: " + to_text(nodes / 1e6, "M nodes") + " in " +
                to_text(stopwatch.seconds(), "s"));
}

/// Compares mean values over random boards with those that Korf and Felner (2002) published.
void compare_means(Session& session, const npuzzle::PatternDatabases& heuristic) {
    const npuzzle::SlidingPuzzle<4> puzzle;
    constexpr int boards = 10'000;
    constexpr int solved_boards = 1'000;
    const auto bound = npuzzle::bind_heuristic(heuristic, puzzle);
    std::mt19937_64 generator(1);
    double manhattan = 0;
    double value = 0;
    double moves = 0;
    double nodes = 0;
    for (int i = 0; i < boards; ++i) {
        const npuzzle::PackedBoard<4> board(npuzzle::random_solvable(4, generator));
        manhattan += npuzzle::Manhattan{}(board);
        value += bound(board);
        if (i < solved_boards) {
            const auto result = npuzzle::ida_star(puzzle, board, heuristic);
            require(result.status == npuzzle::Status::solved, "a random board was not solved");
            moves += result.cost;
            nodes += static_cast<double>(result.statistics.generated);
        }
    }
    manhattan /= boards;
    value /= boards;
    session.say("    means of 10,000 random boards: Manhattan " + to_text(manhattan) +
                " (published: 36.9), " + "7-8 with reflection " + to_text(value) +
                " (45.6); of the first 1,000: " + to_text(moves / solved_boards) + " moves (52.5), " +
                to_text(nodes / solved_boards) + " nodes (36,710)");
    require(std::abs(manhattan - 36.9) < 0.3 && std::abs(value - 45.6) < 0.3,
            "the means are not the published ones");
}

} // namespace

void solve_korf_with_555(Session& session) {
    solve_korf_with_tables(session, "13", "5-5-5", 10, 4, "the building of the tables is not among it");
}

void solve_korf_with_78(Session& session) {
    // 7-8 takes a minute and 700 MB to build, which is too much for a smoke test.
    auto tables =
        solve_korf_with_tables(session, "14", session.is_smoke() ? "6-6-3" : "7-8", 0.42, 0.2,
                               "the building of the tables is not among it; published: 43,780 nodes a board");
    if (!session.is_smoke()) {
        const auto heuristic =
            reflected(npuzzle::Partition::named("7-8", npuzzle::goal_blank_last(4)), std::move(tables));
        solve_antipodes(session, heuristic);
        compare_means(session, heuristic);
    }
}

void solve_24_puzzles(Session& session) {
    const npuzzle::Board goal = npuzzle::goal_blank_first(5);
    const npuzzle::SlidingPuzzle<5> puzzle(goal);
    if (session.is_smoke()) {
        const auto partition = three_patterns_of_four(goal);
        const auto heuristic = reflected(partition, build(session, partition, "three patterns of four"));
        const npuzzle::PackedBoard<5> start(npuzzle::random_walk(goal, 30, 1));
        const auto result = npuzzle::ida_star(puzzle, start, heuristic);
        require(result.status == npuzzle::Status::solved && result.cost <= 30 && result.cost % 2 == 0,
                "the scrambled 24-puzzle: not the cost of a shortest path");
        require_path(puzzle, start, result.path, result.cost, "the scrambled 24-puzzle");
        return;
    }
    const auto partition = npuzzle::Partition::named("6-6-6-6", goal);
    const auto heuristic = reflected(partition, build(session, partition, "6-6-6-6 with reflection"));
    double seconds = 0;
    double nodes = 0;
    for (const Instance24& instance : korf_24_puzzles) {
        const npuzzle::PackedBoard<5> start(instance.tiles);
        const Stopwatch stopwatch;
        const auto result = npuzzle::ida_star(puzzle, start, heuristic);
        const double taken = stopwatch.seconds();
        const std::string who = "24-puzzle " + std::to_string(instance.number);
        require(result.status == npuzzle::Status::solved && result.cost == instance.optimal_cost,
                who + ": not the published cost");
        require_path(puzzle, start, result.path, result.cost, who);
        session.say("    " + who + ": " + std::to_string(result.cost) + " moves, " +
                    std::to_string(instance.nodes) + " nodes in " + to_text(taken, "s"));
        seconds += taken;
        nodes += static_cast<double>(result.statistics.generated);
    }
    session.report({"15", "IDA*, five 24-puzzles, 6-6-6-6 with reflection", nodes / seconds / 1e6,
                    "M nodes/s", 4, 0, false,
                    to_text(nodes / 1e6, "M nodes") + " in " + to_text(seconds, "s"), "",
                    "numbers 38, 40, 25, 32 and 44 of Korf's and Felner's list, with the published lengths"});
}

} // namespace benchmarks
