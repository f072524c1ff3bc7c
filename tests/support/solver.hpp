/// @file
/// Checks of a `Solver`, and where the tests of it keep their tables.
#pragma once

#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/puzzle/solver_tables.hpp>

#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/folder.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace test {

/// Checks what must hold for every solver of a solvable board.
inline void check_solved(const npuzzle::Solver& solver, const npuzzle::Board& board,
                         const npuzzle::Board& goal, int moves) {
    CHECK(solver.is_solvable());
    CHECK(solver.status() == npuzzle::Status::solved);
    CHECK(solver.moves() == moves);
    REQUIRE(solver.solution().has_value());
    const std::vector<npuzzle::Board>& solution = *solver.solution();
    REQUIRE(solution.size() == static_cast<std::size_t>(moves) + 1);
    CHECK(solution.front() == board);
    CHECK(solution.back() == goal);
    for (std::size_t i = 0; i + 1 < solution.size(); ++i) {
        const auto steps = oracle::steps_from(oracle::tiles_of(solution[i]), board.size());
        CHECK(std::any_of(steps.begin(), steps.end(),
                          [&](const auto& step) { return step.board == oracle::tiles_of(solution[i + 1]); }));
    }
}

/// Checks what must hold for every solver of an unsolvable board.
inline void check_unsolvable(const npuzzle::Solver& solver) {
    CHECK_FALSE(solver.is_solvable());
    CHECK(solver.status() == npuzzle::Status::unsolvable);
    CHECK(solver.moves() == -1);
    CHECK_FALSE(solver.solution().has_value());
}

/// Checks what must hold after a limit was reached.
inline void check_limited(const npuzzle::Solver& solver, npuzzle::Status status, bool is_solvable) {
    CHECK(solver.is_solvable() == is_solvable);
    CHECK(solver.status() == status);
    CHECK(solver.moves() == -1);
    CHECK_FALSE(solver.solution().has_value());
}

/// The cache folder of these tests. So they find no table of another program, and leave none behind.
inline const Folder& cache() {
    static const Folder folder;
    return folder;
}
inline const Environment cache_variable("NPUZZLE_CACHE", cache().path.c_str());

/// Partitions with small tables: 1.6 MB and 1.2 MB.
inline const std::string five_tiles = "5-5-5";
inline const std::string four_tiles = "aabb./aabb./ccdd./ccdd./.....";

/// Options of a solver and of its tables, side by side.
struct TableTest {
    npuzzle::TableUse use = npuzzle::TableUse::automatic;
    std::string partition = {};
    npuzzle::TableStore store = {};
    npuzzle::Limits limits = {};

    operator npuzzle::SolverOptions() const {
        return {.tables = npuzzle::solver_tables({.use = use, .partition = partition, .store = store}),
                .limits = limits};
    }
};

inline TableTest with_tables(npuzzle::TableUse use, const std::filesystem::path& folder = {}) {
    return {.use = use, .partition = five_tiles, .store = {.folder = folder}};
}

/// Checks which search was made.
inline void check_choice(const npuzzle::Solver& solver, npuzzle::SolverAlgorithm algorithm,
                         const std::string& heuristic) {
    CHECK(to_string(solver.algorithm()) == to_string(algorithm));
    CHECK(solver.heuristic() == heuristic);
}

} // namespace test
