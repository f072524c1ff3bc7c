// Rows 13 to 15: the 15-puzzle and the 24-puzzle with additive pattern databases, which are built here, by all cores.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/pattern_databases.hpp>
#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/pattern_database/pattern.hpp>
#include <npuzzle/puzzle/scramble.hpp>

#include "solve/korf.hpp"
#include "solve/session.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace benchmarks {

namespace {

npuzzle::PatternDatabases build(Session& session, const npuzzle::Partition& partition,
                                const std::string& name) {
    const Stopwatch stopwatch;
    auto tables = npuzzle::build_tables(partition);
    require(tables.has_value(), name + " was not built");
    session.say("    " + name + ": tables built in " + to_text(stopwatch.seconds(), "s"));
    return npuzzle::PatternDatabases(partition, std::move(*tables), npuzzle::Reflection::both);
}

void solve_korf_with_tables(Session& session, const std::string& row, std::string_view partition,
                            double reach, double aim, const std::string& note) {
    const std::string name = std::string(partition) + " with reflection";
    const auto heuristic =
        build(session, npuzzle::Partition::named(partition, npuzzle::goal_blank_first(4)), name);
    solve_korf_with(session, row, name, heuristic, reach, aim, note);
}

} // namespace

void solve_korf_with_555(Session& session) {
    solve_korf_with_tables(session, "13", "5-5-5", 10, 4, "the building of the tables is not among it");
}

void solve_korf_with_78(Session& session) {
    // 7-8 takes a minute and 700 MB to build: too much to see whether everything runs.
    solve_korf_with_tables(session, "14", session.is_smoke() ? "6-6-3" : "7-8", 0.42, 0.2,
                           "the building of the tables is not among it; published: 43,780 nodes a board");
}

void solve_24_puzzles(Session& session) {
    const npuzzle::Board goal = npuzzle::goal_blank_first(5);
    const npuzzle::SlidingPuzzle<5> puzzle(goal);
    if (session.is_smoke()) {
        const auto partition = npuzzle::Partition::drawn(".AABB\n"
                                                         ".AABB\n"
                                                         "CC...\n"
                                                         "CC...\n"
                                                         ".....\n",
                                                         goal);
        const auto heuristic = build(session, partition, "three patterns of four");
        const npuzzle::PackedBoard<5> start(npuzzle::random_walk(goal, 30, 1));
        const auto result = npuzzle::ida_star(puzzle, start, heuristic);
        require(result.status == npuzzle::Status::solved && result.cost <= 30 && result.cost % 2 == 0,
                "the scrambled 24-puzzle: not the cost of a shortest path");
        require_path(puzzle, start, result.path, result.cost, "the scrambled 24-puzzle");
        return;
    }
    const auto heuristic =
        build(session, npuzzle::Partition::named("6-6-6-6", goal), "6-6-6-6 with reflection");
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
