#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/puzzle/solver.hpp"
#include "npuzzle/puzzle/solver_tables.hpp"

#include "support/catch.hpp"
#include "support/solver.hpp"

#include <cstddef>
#include <cstdint>

using npuzzle::Board;
using npuzzle::Solver;
using npuzzle::SolverAlgorithm;
using npuzzle::SolverOptions;
using npuzzle::Status;
using test::check_choice;
using test::check_limited;
using test::check_solved;
using test::Folder;
using test::four_tiles;
using test::TableTest;

TEST_CASE("n = 5: near the goal without tables, far from it with them", "[solver]") {
    const Folder folder;
    const Board goal = npuzzle::goal_blank_last(5);
    TableTest options{.partition = four_tiles, .store = {.folder = folder.path}};
    const Board near = npuzzle::random_walk(goal, 40, std::uint64_t{3});
    const Solver without_tables(near, options);
    check_choice(without_tables, SolverAlgorithm::astar, "linear-conflict");
    CHECK(without_tables.status() == Status::solved);
    CHECK(folder.files() == 0);

    // Few bytes end A* early. The tables fit into the bytes that A* has released.
    options.limits.bytes = 2'000'000;
    const Board farther = npuzzle::random_walk(goal, 60, std::uint64_t{3});
    const Solver both(farther, options);
    check_choice(both, SolverAlgorithm::ida_star, "pdb:" + four_tiles);
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
    check_choice(Solver(farther, options), SolverAlgorithm::astar, "linear-conflict");

    // Expansions of both searches together.
    options.limits = {.expansions = std::uint64_t{1'000'000} + 1000};
    const Solver limited(npuzzle::random_solvable(5, 5), options);
    check_limited(limited, Status::expansion_limit, true);
    check_choice(limited, SolverAlgorithm::ida_star, "pdb:" + four_tiles);
    CHECK(limited.statistics().expanded == std::uint64_t{1'000'000} + 1000);
    options.limits = {.expansions = 1000};
    check_choice(Solver(npuzzle::random_solvable(5, 5), options), SolverAlgorithm::astar, "linear-conflict");
}

TEST_CASE("boards of size 3 are solved in the least number of moves", "[solver]") {
    const auto& space = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    for (const auto& cells : space.solvable(10)) {
        const Board board(cells);
        const Solver solver(board);
        if (solver.moves() != space.depth(cells) ||
            solver.solution()->size() != static_cast<std::size_t>(solver.moves()) + 1) {
            FAIL(solver.moves() << " instead of " << space.depth(cells) << ": " << board);
        }
    }
}
