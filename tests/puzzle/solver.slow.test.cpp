#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/puzzle/solver.hpp"
#include "npuzzle/puzzle/solver_tables.hpp"

#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"
#include "support/solver.hpp"

#include <cstdint>

using npuzzle::Board;
using npuzzle::Solver;
using npuzzle::SolverAlgorithm;
using npuzzle::SolverHeuristic;
using npuzzle::SolverOptions;
using npuzzle::Status;
using test::check_choice;
using test::check_limited;
using test::check_solved;
using test::five_tiles;
using test::Folder;
using test::four_tiles;
using test::TableTest;

TEST_CASE("each algorithm with each heuristic finds shortest solutions", "[solver]") {
    for (int n = 2; n <= 6; ++n) {
        for (const Board& goal : {npuzzle::goal_blank_last(n), npuzzle::goal_spiral(n)}) {
            const Board board = npuzzle::random_walk(goal, 14, std::uint64_t{8});
            const int moves = oracle::moves_between(oracle::tiles_of(board), oracle::tiles_of(goal), n);
            for (const SolverAlgorithm algorithm : {SolverAlgorithm::astar, SolverAlgorithm::ida_star}) {
                for (const SolverHeuristic heuristic :
                     {SolverHeuristic::automatic, SolverHeuristic::hamming, SolverHeuristic::manhattan,
                      SolverHeuristic::linear_conflict, SolverHeuristic::walking_distance,
                      SolverHeuristic::linear_conflict_or_walking_distance,
                      SolverHeuristic::pattern_databases}) {
                    SolverOptions options{.heuristic = heuristic, .algorithm = algorithm, .goal = goal};
                    const bool walks = heuristic == SolverHeuristic::walking_distance ||
                                       heuristic == SolverHeuristic::linear_conflict_or_walking_distance;
                    // Walking distance at n = 5 takes seconds to set up.
                    if ((heuristic == SolverHeuristic::pattern_databases && (n < 3 || n > 5)) ||
                        (walks && n > 4) ||
                        (n == 5 && heuristic == SolverHeuristic::pattern_databases &&
                         goal.blank_cell() != 24)) {
                        continue;
                    }
                    if (n < 5 || heuristic != SolverHeuristic::automatic) {
                        options.tables = npuzzle::solver_tables({.partition = n == 4   ? five_tiles
                                                                              : n == 5 ? four_tiles
                                                                                       : ""});
                    }
                    CAPTURE(n, to_string(algorithm), to_string(heuristic));
                    const Solver solver(board, options);
                    check_solved(solver, board, goal, moves);
                    CHECK(solver.algorithm() == algorithm);
                    CHECK(solver.statistics().contract_violations == 0);
                }
            }
        }
    }
}

TEST_CASE("n = 5: near the goal without tables, far from it with them", "[solver]") {
    const Folder folder;
    const Board goal = npuzzle::goal_blank_last(5);
    TableTest options{.partition = four_tiles, .store = {.folder = folder.path}};
    const Board near = npuzzle::random_walk(goal, 40, std::uint64_t{3});
    const Solver without_tables(near, options);
    check_choice(without_tables, SolverAlgorithm::astar, SolverHeuristic::linear_conflict);
    CHECK(without_tables.status() == Status::solved);
    CHECK(folder.files() == 0);

    // Few bytes end A* early. The tables fit into the bytes that A* has released.
    options.limits.bytes = 2'000'000;
    const Board farther = npuzzle::random_walk(goal, 60, std::uint64_t{3});
    const Solver both(farther, options);
    check_choice(both, SolverAlgorithm::ida_star, SolverHeuristic::pattern_databases, four_tiles);
    CHECK(folder.files() == 3); // of two patterns that are images of each other, one
    check_solved(both, farther, goal, Solver(farther).moves());
    CHECK(both.statistics().stored > 0);
    CHECK(both.statistics().bytes <= 2'000'000);
    const Solver first(farther, {.limits = {.bytes = 2'000'000}});
    check_limited(first, Status::memory_limit, true);
    CHECK(both.statistics().expanded > first.statistics().expanded);

    // No memory for them.
    options.limits.bytes = 300'000;
    check_limited(Solver(farther, options), Status::memory_limit, true);
    check_choice(Solver(farther, options), SolverAlgorithm::astar, SolverHeuristic::linear_conflict);

    // Expansions of both searches together.
    options.limits = {.expansions = npuzzle::detail::expansions_near_goal + 1000};
    const Solver limited(npuzzle::random_solvable(5, 5), options);
    check_limited(limited, Status::expansion_limit, true);
    check_choice(limited, SolverAlgorithm::ida_star, SolverHeuristic::pattern_databases, four_tiles);
    CHECK(limited.statistics().expanded == npuzzle::detail::expansions_near_goal + 1000);
    options.limits = {.expansions = 1000};
    check_choice(Solver(npuzzle::random_solvable(5, 5), options), SolverAlgorithm::astar,
                 SolverHeuristic::linear_conflict);
}

TEST_CASE("long searches leave out moves that lead where others lead, and find the same lengths",
          "[solver]") {
    const auto solve = [](const Board& board, bool prunes_moves) {
        return Solver(board, {.prunes_moves = prunes_moves, .goal = npuzzle::goal_blank_first(4)});
    };
    // Numbers 14 and 55 of Korf's boards.
    const Board long_one{{7, 6, 8, 1}, {11, 5, 14, 10}, {3, 4, 9, 13}, {15, 2, 0, 12}};
    const Board short_one{{13, 8, 14, 3}, {9, 1, 0, 7}, {15, 5, 4, 10}, {12, 2, 6, 11}};
    const Solver fewer = solve(long_one, true);
    const Solver all = solve(long_one, false);
    CHECK(fewer.moves() == 59);
    CHECK(all.moves() == 59);
    CHECK(20 * fewer.statistics().expanded < 19 * all.statistics().expanded);
    CHECK(solve(short_one, true).statistics().expanded == solve(short_one, false).statistics().expanded);
}
