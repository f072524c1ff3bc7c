#include "npuzzle/puzzle/best_effort.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/five_tile_tables.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/pattern_databases.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver.hpp"
#include "npuzzle/search/core/limits.hpp"

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/solver.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <stop_token>
#include <utility>
#include <vector>

using npuzzle::Board;
using npuzzle::Move;
using npuzzle::PackedBoard;
using npuzzle::Solver;
using npuzzle::SolverAlgorithm;
using npuzzle::SolverOptions;
using npuzzle::Status;
using npuzzle::detail::FiveTileTables;
using test::check_choice;
using test::check_limited;
using test::check_solved;

namespace {

const Board beside_a_corner{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 0, 15}};

/// As many bytes as leave no room for tables.
SolverOptions without_room(const Board& goal) {
    return {.goal = goal, .limits = {.bytes = FiveTileTables::bytes_to_build - 1}};
}

void check_built(const Solver& solver) {
    check_choice(solver, SolverAlgorithm::ida_star, "pdb:5-5-5");
}

void check_not_built(const Solver& solver) {
    check_choice(solver, SolverAlgorithm::ida_star, "linear-conflict");
}

} // namespace

TEST_CASE("a solver goes on without tables where there is no memory for them", "[solver]") {
    const Board goal = npuzzle::goal_blank_first(4);
    const Board board = npuzzle::random_solvable(goal, 5);
    const SolverOptions options{.goal = goal};
    const Solver small(board, without_room(goal));
    check_solved(small, board, goal, 50);
    check_not_built(small);
    test::memory.arm(test::Memory::never);
    test::memory.largest = FiveTileTables::bytes - 1;
    const Solver solver(board, options);
    test::memory.largest = std::numeric_limits<std::size_t>::max();
    CHECK(test::memory.failures == 1);
    check_solved(solver, board, goal, 50);
    check_not_built(solver);
    CHECK(solver.statistics().expanded == small.statistics().expanded);

    check_built(Solver(board, options));
    SolverOptions few_bytes = options;
    few_bytes.limits.bytes = FiveTileTables::bytes_to_build;
    check_built(Solver(board, few_bytes));
}

TEST_CASE("a long search of size 4 goes on by tables, to a goal with the blank anywhere", "[solver]") {
    for (const auto& [goal, seed] : {std::pair{npuzzle::goal_blank_first(4), 5},
                                     std::pair{beside_a_corner, 9}, std::pair{npuzzle::goal_spiral(4), 1}}) {
        CAPTURE(seed);
        const Board board = npuzzle::random_solvable(goal, static_cast<std::uint64_t>(seed));
        const Solver small(board, without_room(goal));
        check_not_built(small);
        const Solver solver(board, {.goal = goal});
        check_solved(solver, board, goal, small.moves());
        check_built(solver);
        CHECK(2 * solver.statistics().expanded < small.statistics().expanded);
    }
    check_choice(Solver(npuzzle::random_walk(npuzzle::goal_blank_last(4), 20, std::uint64_t{1})),
                 SolverAlgorithm::astar, "linear-conflict");
}

TEST_CASE("limits, progress and best effort hold in a search that builds tables", "[solver]") {
    const Board goal = npuzzle::goal_blank_first(4);
    const Board board = npuzzle::random_solvable(goal, 5);
    SolverOptions options{.goal = goal};
    std::vector<int> bounds;
    std::vector<std::uint64_t> expanded;
    std::vector<std::uint64_t> bytes;
    options.progress = [&](const npuzzle::SolverProgress& now) {
        bounds.push_back(now.bound);
        expanded.push_back(now.statistics.expanded);
        bytes.push_back(now.bytes);
    };
    const Solver solver(board, options);
    check_built(solver);
    const std::uint64_t needed = solver.statistics().expanded;
    CHECK(std::is_sorted(bounds.begin(), bounds.end()));
    CHECK(std::is_sorted(expanded.begin(), expanded.end()));
    CHECK(expanded.back() <= needed);
    CHECK(std::is_sorted(bytes.begin(), bytes.end()));
    CHECK(bytes.front() < FiveTileTables::bytes);
    CHECK(bytes.back() >= FiveTileTables::bytes);

    for (const std::uint64_t most : {needed - 1, needed - 1'000}) {
        options.limits.expansions = most;
        const Solver limited(board, options);
        check_limited(limited, Status::expansion_limit, true);
        check_built(limited);
        CHECK(limited.statistics().expanded == most);
    }
    options.limits.expansions = needed;
    CHECK(Solver(board, options).moves() == 50);

    // As soon as there are tables.
    std::stop_source source;
    options.limits = {.stop = source.get_token()};
    options.progress = [&](const npuzzle::SolverProgress& now) {
        if (now.bytes >= FiveTileTables::bytes) {
            source.request_stop();
        }
    };
    const Solver stopped(board, options);
    check_limited(stopped, Status::cancelled, true);
    check_built(stopped);
    CHECK(stopped.statistics().expanded < needed);

    const Solver best(board,
                      {.goal = goal, .best_effort = npuzzle::solver_best_effort({.first_search = {}})});
    check_solved(best, board, goal, 50);
    CHECK(best.lower() == 50);
}

TEST_CASE("tables of five tiles give the values of the pattern databases 5-5-5", "[five_tile_tables]") {
    const Board inside{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 0, 11}, {12, 13, 14, 15}};
    for (const auto& [goal, drawing] :
         {std::pair{npuzzle::goal_blank_last(4), "aaaabbacbbccbcc."},
          std::pair{beside_a_corner, "aaaabbacbbccbc.c"}, std::pair{inside, "aaaabbacbb.cbccc"}}) {
        CAPTURE(drawing);
        const auto partition = npuzzle::Partition::drawn(drawing, goal);
        const npuzzle::PatternDatabases databases(partition, *npuzzle::build_tables(partition),
                                                  npuzzle::Reflection::both);
        const npuzzle::SlidingPuzzle<4> puzzle(goal);
        const auto expected = databases.bind(puzzle);
        const npuzzle::detail::BoundFiveTileTables bound(
            puzzle.goal(), npuzzle::detail::five_tile_tables(puzzle.goal().blank_cell()));
        std::mt19937_64 generator(19);
        PackedBoard<4> board(goal);
        auto evaluation = bound.evaluate(board);
        for (int step = 0; step < 1'000; ++step) {
            const auto neighbors = board.neighbors();
            const PackedBoard<4> next = neighbors[generator() % neighbors.size()];
            evaluation = bound.after(evaluation, board, Move::none, next);
            REQUIRE(bound(next) == expected(next));
            REQUIRE(bound.value(evaluation) == expected(next));
            board = next;
        }
    }
}
