#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/solver_run.hpp"
#include "npuzzle/puzzle/detail/table_source.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/pattern_database/file.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/puzzle/pattern_database/table_file_error.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/puzzle/solver.hpp"
#include "npuzzle/puzzle/solver_tables.hpp"

#include "support/catch.hpp"
#include "support/solver.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// What a `Solver` does with tables is tested in solver.test.cpp.

using npuzzle::TableUse;

namespace {

const auto no_folder = std::filesystem::temp_directory_path() / "npuzzle-no-such-folder";

npuzzle::detail::TableSupply supply_of(const char* partition, int n) {
    return npuzzle::solver_tables(
               {.use = TableUse::if_there, .partition = partition, .store = {.folder = no_folder}})
        ->supply(n, n * n - 1);
}

} // namespace

TEST_CASE("partitions by size, name and drawing", "[solver_tables]") {
    CHECK(npuzzle::solver_tables()->partition(4) == "7-8");
    CHECK(npuzzle::solver_tables()->partition(5) == "6-6-6-6");
    CHECK(npuzzle::solver_tables({.partition = "5-5-5"})->partition(4) == "5-5-5");
    CHECK(message_of<std::invalid_argument>([] { static_cast<void>(supply_of("6-6-6-6", 4)); }) ==
          "there is no partition \"6-6-6-6\" for boards of size 4; there are 5-5-5, 6-6-3, 7-8");
    CHECK_THROWS_AS(supply_of("aab", 4), std::invalid_argument);
}

TEST_CASE("what is known of tables: whether they are there, and their sizes", "[solver_tables]") {
    CHECK(supply_of("7-8", 4).use == TableUse::if_there);
    CHECK_FALSE(supply_of("7-8", 4).are_there);
    CHECK(supply_of("7-8", 4).can_be_saved);
    // 16! / 9! and 16! / 8!; two tables of 25! / 19! for four patterns.
    CHECK(supply_of("7-8", 4).bytes == 57'657'600 + 518'918'400);
    // Zero-aware: a bit for each order of the tiles, for 177,100 sets of cells with 251,400 regions.
    CHECK(supply_of("6-6-6-6", 5).bytes == 2 * 251'400 * 96);
}

TEST_CASE("a long search of size 4 builds tables in memory, and saves none", "[solver_tables]") {
    const npuzzle::Board goal = npuzzle::goal_spiral(4);
    const npuzzle::Board board = npuzzle::random_walk(goal, 60, 5);
    const int moves = npuzzle::Solver(board, {.goal = goal}).moves();
    const auto source = npuzzle::solver_tables({.partition = "5-5-5", .store = {.folder = no_folder}});
    const int blank = static_cast<int>(goal.blank_cell());
    const auto supply = source->supply(4, blank);
    CHECK_FALSE(supply.are_there);
    CHECK(supply.bytes < supply_of("5-5-5", 4).bytes / 2);
    const auto tables = source->load(4, blank, npuzzle::detail::SharedLimits({}));
    REQUIRE(tables != nullptr);
    CHECK(tables->bytes() == supply.bytes);
    npuzzle::detail::SolverRun run;
    const npuzzle::SolverOptions options;
    npuzzle::detail::SolverObserver observer(npuzzle::SolverAlgorithm::ida_star, options);
    tables->search(board, goal, {}, observer, run);
    REQUIRE(run.solution);
    CHECK(std::ssize(*run.solution) - 1 == moves);
    CHECK_FALSE(std::filesystem::exists(no_folder));
}

TEST_CASE("n = 5: zero-aware tables are built, found again, and an error if they are damaged",
          "[solver_tables]") {
    const test::Folder folder;
    const npuzzle::Board goal = npuzzle::goal_blank_last(5);
    const npuzzle::Board board = npuzzle::random_walk(goal, 26, 3);
    const auto source = npuzzle::solver_tables({.use = TableUse::build_if_missing,
                                                .partition = "aab../abb../...../...../.....",
                                                .store = {.folder = folder.path}});
    const auto moves = [&] {
        const auto tables = source->load(5, 24, npuzzle::detail::SharedLimits({}));
        npuzzle::detail::SolverRun run;
        const npuzzle::SolverOptions options;
        npuzzle::detail::SolverObserver observer(npuzzle::SolverAlgorithm::ida_star, options);
        tables->search(board, goal, {}, observer, run);
        return std::ssize(run.solution.value()) - 1;
    };
    for (int time = 0; time < 2; ++time) {
        CHECK(moves() == npuzzle::Solver(board).moves());
        CHECK(folder.files() == 2);
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder.path)) {
        CHECK(entry.path().filename().string().starts_with("zero-aware-5x5"));
        std::filesystem::resize_file(entry.path(), 4100);
    }
    CHECK(message_of<npuzzle::TableFileError>(moves).find("truncated") != std::string::npos);
}

TEST_CASE("n = 5: a zero-aware file with another table is named", "[solver_tables]") {
    const test::Folder folder;
    const npuzzle::TableStore store{.folder = folder.path};
    const std::string drawing = "aab../abb../...../...../.....";
    const auto source =
        npuzzle::solver_tables({.use = TableUse::build_if_missing, .partition = drawing, .store = store});
    const auto load = [&] {
        const npuzzle::detail::SharedLimits no_limits(npuzzle::Limits{});
        return source->load(5, 24, no_limits);
    };
    const auto files = [&] {
        std::vector<std::filesystem::path> paths;
        const auto partition = npuzzle::Partition::drawn(drawing, npuzzle::goal_blank_last(5));
        for (const auto& shape : npuzzle::table_shapes(partition, npuzzle::TableKind::zero_aware)) {
            paths.push_back(store.file(shape));
        }
        return paths;
    }();
    REQUIRE(files.size() == 2);

    CHECK(load() != nullptr);
    std::filesystem::copy_file(files[0], files[1], std::filesystem::copy_options::overwrite_existing);
    const std::string foreign = message_of<npuzzle::TableFileError>([&] { load(); });
    CAPTURE(foreign);
    CHECK(foreign.starts_with(files[1].string()));
    CHECK(foreign.find("another pattern or goal, zero-aware 5x5") != std::string::npos);
}
