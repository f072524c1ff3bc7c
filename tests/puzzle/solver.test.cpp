#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/hamming.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/puzzle/solver.hpp"
#include "npuzzle/puzzle/solver_tables.hpp"
#include "npuzzle/search/combinators.hpp"

#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/korf.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"
#include "support/solver.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using npuzzle::Board;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Solver;
using npuzzle::SolverAlgorithm;
using npuzzle::SolverOptions;
using npuzzle::Status;
using npuzzle::TableFileError;
using npuzzle::TableUse;
using test::cache;
using test::check_choice;
using test::check_limited;
using test::check_solved;
using test::check_unsolvable;
using test::Environment;
using test::five_tiles;
using test::Folder;
using test::TableTest;
using test::with_tables;

namespace {

// Every query works on a constant solver, and the solution is read-only.
static_assert(std::same_as<decltype(std::declval<const Solver&>().is_solvable()), bool>);
static_assert(std::same_as<decltype(std::declval<const Solver&>().moves()), int>);
static_assert(std::same_as<decltype(std::declval<const Solver&>().solution()),
                           const std::optional<std::vector<Board>>&>);
static_assert(
    std::same_as<decltype(std::declval<Solver&>().solution()), const std::optional<std::vector<Board>>&>);
static_assert(std::same_as<decltype(std::declval<const Solver&>().status()), Status>);
static_assert(std::copyable<Solver>);
static_assert(!std::convertible_to<Board, Solver>);
static_assert(!std::constructible_from<Solver, Board, int>);
static_assert(!std::constructible_from<Solver, Board, std::string>);

const std::string by_five_tiles = "pdb:" + five_tiles;

const Board of_31_moves{{8, 6, 7}, {2, 5, 4}, {3, 0, 1}};
const Board unsolvable{{1, 2, 3}, {4, 5, 6}, {8, 7, 0}};

// Heuristics as users write them.

/// Knows the goal of the puzzle, to which the search binds it.
struct DistanceOfTheFirstTile {
    template <int N>
    auto bind(const SlidingPuzzle<N>& puzzle) const {
        return [goal = oracle::tiles_of(puzzle.goal()), n = puzzle.goal().size()](const auto& board) {
            const int from = oracle::cells_of(oracle::tiles_of(board))[1];
            const int to = oracle::cells_of(goal)[1];
            return std::abs(from / n - to / n) + std::abs(from % n - to % n);
        };
    }
};

/// Counts its calls.
struct CountingManhattan {
    int calls = 0;

    template <class B>
    auto operator()(const B& board) {
        ++calls;
        return board.manhattan();
    }
};

} // namespace

TEST_CASE("a board is solved in the constructor, and the queries only read the result", "[solver]") {
    const Board board{{0, 1, 3}, {4, 2, 5}, {7, 8, 6}};
    const Solver solver{board};
    check_solved(solver, board, npuzzle::goal_blank_last(3), 4);
    CHECK(solver.statistics().expanded == 4);
    check_unsolvable(Solver{unsolvable});
}

TEST_CASE("boards of size 3 to each goal", "[solver]") {
    for (const auto& goal_cells : oracle::goals_of_size_3) {
        const auto& space = oracle::space_of_size_3(goal_cells);
        const Board goal(goal_cells);
        check_solved(Solver(goal, {.goal = goal}), goal, goal, 0);
        for (const auto& cells : space.solvable(30001)) {
            check_solved(Solver(Board(cells), {.goal = goal}), Board(cells), goal, space.depth(cells));
        }
        for (const auto& cells : space.unsolvable(60001)) {
            check_unsolvable(Solver(Board(cells), {.goal = goal}));
        }
    }
}

TEST_CASE("Korf's boards need the published numbers of moves, in his convention and in ours", "[solver]") {
    const Board blank_first = npuzzle::goal_blank_first(4);
    for (const auto& korf : test::korf_boards) {
        CAPTURE(korf.number);
        const Board published(korf.tiles);
        const Board turned(korf.turned);
        check_solved(Solver(published, {.goal = blank_first}), published, blank_first, korf.moves);
        check_solved(Solver(turned), turned, npuzzle::goal_blank_last(4), korf.moves);
    }
}

TEST_CASE("scrambled boards of sizes 4 to 7 are solved in the least number of moves, to each goal",
          "[solver]") {
    std::mt19937_64 generator(47);
    for (int n = 4; n <= 7; ++n) {
        CAPTURE(n);
        for (const Board& goal :
             {npuzzle::goal_blank_last(n), npuzzle::goal_blank_first(n), npuzzle::goal_spiral(n)}) {
            const Board near = npuzzle::random_walk(goal, 9, generator);
            const int moves = oracle::moves_between(oracle::tiles_of(near), oracle::tiles_of(goal), n);
            check_solved(Solver(near, {.goal = goal}), near, goal, moves);
            check_unsolvable(Solver(near.twin(), {.goal = goal}));
            const Board far = npuzzle::random_walk(goal, 30, generator);
            const Solver solver(far, {.goal = goal});
            CHECK(solver.moves() <= 30);
            CHECK(solver.moves() % 2 == 0);
            check_solved(solver, far, goal, solver.moves());
            CHECK(Solver(far, npuzzle::Manhattan{}, {.goal = goal}).moves() == solver.moves());
        }
    }
}

TEST_CASE("parity decides where no search would end", "[solver]") {
    const Solver solver{npuzzle::random_solvable(100, 5).twin()};
    check_unsolvable(solver);
    CHECK(solver.statistics().expanded == 0);
    CHECK(solver.statistics().bytes == 0);
    check_choice(solver, SolverAlgorithm::automatic, "none");
}

TEST_CASE("a goal of another size throws", "[solver]") {
    CHECK(message_of<std::invalid_argument>([] {
              Solver(of_31_moves, {.goal = npuzzle::goal_blank_last(4)});
          }) == "the board has size 3, its goal has size 4");
    CHECK_THROWS_AS(
        Solver(npuzzle::goal_blank_last(6), npuzzle::Manhattan{}, {.goal = npuzzle::goal_blank_last(7)}),
        std::invalid_argument);
}

TEST_CASE("a limit ends the search, but whether the board is solvable is known", "[solver]") {
    npuzzle::StopSource source;
    source.request_stop();
    const std::pair<npuzzle::Limits, Status> limits[] = {
        {{.expansions = 10}, Status::expansion_limit},
        {{.expansions = 0}, Status::expansion_limit},
        {{.bytes = 3000}, Status::memory_limit},
        {{.bytes = 0}, Status::memory_limit},
        {{.time = std::chrono::nanoseconds{0}}, Status::time_limit},
        {{.stop = source.get_token()}, Status::cancelled},
    };
    for (const Board& board : {of_31_moves, npuzzle::random_solvable(4, 4), npuzzle::random_solvable(5, 5),
                               npuzzle::random_solvable(6, 6)}) {
        for (const auto& [limit, status] : limits) {
            CAPTURE(board, npuzzle::to_string(status));
            const bool stores = status == Status::memory_limit;
            if (!stores) {
                check_limited(Solver(board, {.limits = limit}), status, true);
            }
            check_unsolvable(Solver(board.twin(), {.limits = limit}));
            check_limited(Solver(board, npuzzle::Zero{}, {.limits = limit}), status, true);
        }
    }
    // IDA* stores nothing.
    const Board near = npuzzle::random_walk(npuzzle::goal_blank_last(4), 30, std::uint64_t{4});
    CHECK(Solver(near, {.limits = {.bytes = 0}}).status() == Status::solved);
    const Solver limited(of_31_moves, {.limits = {.expansions = 10}});
    CHECK(limited.statistics().expanded == 10);
}

TEST_CASE("limits are exact whichever way a solver of size 4 searches", "[solver]") {
    // The first board takes fewer expansions from the goal, the second one from the board.
    for (const auto& [seed, moves] : {std::pair{134, 52}, std::pair{69, 54}}) {
        const Board board = npuzzle::random_solvable(4, static_cast<std::uint64_t>(seed));
        const Solver solver(board);
        check_solved(solver, board, npuzzle::goal_blank_last(4), moves);
        const std::uint64_t needed = solver.statistics().expanded;
        for (const std::uint64_t most : {std::uint64_t{9'000}, std::uint64_t{30'000}, needed - 1}) {
            const Solver limited(board, {.limits = {.expansions = most}});
            check_limited(limited, Status::expansion_limit, true);
            CHECK(limited.statistics().expanded == most);
        }
        CHECK(Solver(board, {.limits = {.expansions = needed}}).moves() == moves);
    }
}

TEST_CASE("heuristics of one's own: a function of any board gets packed ones where there are any",
          "[solver]") {
    for (int n = 2; n <= 7; ++n) {
        const Board board = npuzzle::random_walk(npuzzle::goal_blank_last(n), 20, std::uint64_t{5});
        int packed_calls = 0;
        int board_calls = 0;
        const auto generic = [&](const auto& state) {
            ++(std::is_same_v<std::remove_cvref_t<decltype(state)>, Board> ? board_calls : packed_calls);
            return state.manhattan();
        };
        const int moves = Solver(board).moves();
        check_solved(Solver(board, generic), board, npuzzle::goal_blank_last(n), moves);
        CHECK((packed_calls > 0) == (n <= 5));
        CHECK((board_calls > 0) == (n > 5));
        // A function of a Board is one for every size.
        const auto on_boards = [](const Board& state) { return state.manhattan(); };
        check_solved(Solver(board, on_boards), board, npuzzle::goal_blank_last(n), moves);
        check_unsolvable(Solver(board.twin(), on_boards));
    }
}

TEST_CASE("heuristics of one's own: objects, functions, fractions, and those of the library", "[solver]") {
    const Board goal = npuzzle::goal_spiral(4);
    const Board board = npuzzle::random_walk(goal, 12, std::uint64_t{9});
    const int expected = Solver(board, {.goal = goal}).moves();
    check_solved(Solver(board, DistanceOfTheFirstTile{}, {.goal = goal}), board, goal, expected);

    CountingManhattan counting; // keeps what it learns, if it is not a temporary
    CHECK(Solver(of_31_moves, counting).moves() == 31);
    CHECK(counting.calls > 1000);
    CHECK(Solver(of_31_moves, CountingManhattan{}).moves() == 31);
    CHECK(Solver(of_31_moves, std::as_const(counting)).moves() == 31);

    CHECK(Solver(of_31_moves, npuzzle::LinearConflict{}).statistics().expanded ==
          Solver(of_31_moves).statistics().expanded);
    CHECK(Solver(of_31_moves, npuzzle::MaxOf{npuzzle::Hamming{}, npuzzle::Manhattan{}}).moves() == 31);
    CHECK(Solver(of_31_moves, npuzzle::Scaled{npuzzle::Manhattan{}, 0.5}).moves() == 31);
    std::int64_t (*function)(const Board&) = [](const Board& state) { return state.hamming(); };
    CHECK(Solver(of_31_moves, function).moves() == 31);
}

TEST_CASE("heuristics of one's own: by IDA* on request, and for one size alone", "[solver]") {
    const auto on_size_4 = [](const PackedBoard<4>& board) { return board.manhattan(); };
    CHECK(message_of<std::invalid_argument>([&] { Solver(of_31_moves, on_size_4); }) ==
          "the heuristic does not take boards of size 3");
    const SolverOptions deepening{.algorithm = SolverAlgorithm::ida_star};
    const auto generic = [](const auto& board) { return board.manhattan(); };
    for (int n = 2; n <= 6; ++n) {
        const Board goal = npuzzle::goal_blank_last(n);
        const Board board = npuzzle::random_walk(goal, 20, std::uint64_t{11});
        const Solver by_astar(board, generic);
        check_choice(by_astar, SolverAlgorithm::astar, "own");
        CHECK(by_astar.statistics().stored > 0);
        const Solver solver(board, generic, deepening);
        check_solved(solver, board, goal, by_astar.moves());
        check_choice(solver, SolverAlgorithm::ida_star, "own");
        CHECK(solver.statistics().stored == 0);
        check_unsolvable(Solver(board.twin(), generic, deepening));
    }
    check_limited(Solver(of_31_moves, npuzzle::Zero{},
                         {.algorithm = SolverAlgorithm::ida_star, .limits = {.expansions = 100}}),
                  Status::expansion_limit, true);
    CHECK(message_of<std::invalid_argument>([&] { Solver(of_31_moves, deepening); }) ==
          "an algorithm is named, and no heuristic: Solver(board, heuristic, options)");
}

TEST_CASE("a solver reports which search it made", "[solver]") {
    const auto solver = [](int n, const SolverOptions& options = {}) {
        return Solver(npuzzle::random_walk(npuzzle::goal_blank_last(n), 20, std::uint64_t{1}), options);
    };
    check_choice(solver(2), SolverAlgorithm::astar, "linear-conflict");
    check_choice(solver(3), SolverAlgorithm::astar, "linear-conflict");
    check_choice(solver(4), SolverAlgorithm::astar, "linear-conflict");
    check_choice(Solver(npuzzle::random_solvable(4, 12)), SolverAlgorithm::ida_star, by_five_tiles);
    check_choice(solver(5), SolverAlgorithm::astar, "linear-conflict");
    check_choice(solver(5, {.tables = npuzzle::solver_tables()}), SolverAlgorithm::astar, "linear-conflict");
    check_choice(solver(6), SolverAlgorithm::ida_star, "linear-conflict");
    check_choice(Solver(unsolvable), SolverAlgorithm::automatic, "none");
    CHECK(npuzzle::to_string(SolverAlgorithm::automatic) == "automatic");
    CHECK(npuzzle::to_string(SolverAlgorithm::astar) == "astar");
    CHECK(npuzzle::to_string(SolverAlgorithm::ida_star) == "ida_star");
}

TEST_CASE("a partition that there is not is refused", "[solver]") {
    CHECK(npuzzle::solver_tables()->supply(npuzzle::goal_blank_last(4)).partition == "7-8");
    CHECK(npuzzle::solver_tables()->supply(npuzzle::goal_blank_last(5)).partition == "6-6-6-6");
    TableTest options = with_tables(TableUse::if_there);
    options.partition = "6-6-6-6";
    CHECK(message_of<std::invalid_argument>([&] { Solver(npuzzle::random_solvable(4, 1), options); }) ==
          "there is no partition \"6-6-6-6\" for boards of size 4; there are 5-5-5, 6-6-3, 7-8");
    options.partition = "aaabbbcccdddeee.";
    CHECK(message_of<std::invalid_argument>([&] { Solver(npuzzle::random_solvable(4, 1), options); }) ==
          "the partition has 5 patterns; tables of a Solver have up to 4");
}

TEST_CASE("n = 4: tables are used if they exist, and built on request", "[solver]") {
    const Folder folder;
    const Board goal = npuzzle::goal_blank_last(4);
    const Board board = npuzzle::random_walk(goal, 40, std::uint64_t{12});
    const Solver before(board, with_tables(TableUse::automatic, folder.path));
    check_choice(before, SolverAlgorithm::astar, "linear-conflict");
    check_choice(Solver(board, with_tables(TableUse::if_there, folder.path)), SolverAlgorithm::astar,
                 "linear-conflict");
    CHECK(folder.files() == 0);

    TableTest building = with_tables(TableUse::build_if_missing, folder.path);
    double percent = 0;
    building.store.build.progress = [&](const npuzzle::BuildProgress& progress) {
        percent = progress.percent();
    };
    check_unsolvable(Solver(board.twin(), building));
    CHECK(folder.files() == 0);
    const Solver builder(board, building);
    check_solved(builder, board, goal, before.moves());
    check_choice(builder, SolverAlgorithm::ida_star, by_five_tiles);
    CHECK(percent == 100);
    CHECK(folder.files() == 3);
    CHECK(builder.statistics().expanded < before.statistics().expanded);

    percent = 0;
    for (const TableUse use : {TableUse::automatic, TableUse::if_there, TableUse::build_if_missing}) {
        building.use = use;
        const Solver user(board, building);
        check_choice(user, SolverAlgorithm::ida_star, by_five_tiles);
        CHECK(user.solution() == builder.solution());
        CHECK(user.statistics().expanded == builder.statistics().expanded);
    }
    CHECK(percent == 0);
    check_choice(Solver(board), SolverAlgorithm::astar, "linear-conflict");
    // The partition that was not built does not exist.
    check_choice(Solver(board, TableTest{.store = {.folder = folder.path}}), SolverAlgorithm::astar,
                 "linear-conflict");

    // In the cache folder, unless another is given.
    const Environment cache_variable("NPUZZLE_CACHE", folder.path.c_str());
    check_choice(Solver(board, with_tables(TableUse::automatic)), SolverAlgorithm::ida_star, by_five_tiles);
}

TEST_CASE("without a folder for tables none are used, and it is an error to request a build", "[solver]") {
    const Environment cache("NPUZZLE_CACHE", nullptr);
    const Environment xdg("XDG_CACHE_HOME", nullptr);
    const Environment home("HOME", nullptr);
    const Board board = npuzzle::random_walk(npuzzle::goal_blank_last(4), 30, std::uint64_t{1});
    check_choice(Solver(board, with_tables(TableUse::automatic)), SolverAlgorithm::astar, "linear-conflict");
    const std::string no_folder =
        "there is no folder for pattern databases: set NPUZZLE_CACHE, XDG_CACHE_HOME or HOME";
    CHECK(message_of<std::runtime_error>([&] { Solver(board, with_tables(TableUse::build_if_missing)); }) ==
          no_folder);
    const Folder folder;
    std::ofstream(folder / "file") << "no folder";
    CHECK_THROWS_AS(Solver(board, with_tables(TableUse::build_if_missing, folder / "file")), TableFileError);
}

TEST_CASE("a damaged table is an error that says what to do, or is built again", "[solver]") {
    const Folder folder;
    const Board board = npuzzle::random_solvable(4, 40);
    TableTest options = with_tables(TableUse::build_if_missing, folder.path);
    const Solver sound(board, options);
    const auto file = std::filesystem::directory_iterator(folder.path)->path();
    const auto size = std::filesystem::file_size(file);
    std::filesystem::resize_file(file, size - 1);
    for (const TableUse use : {TableUse::automatic, TableUse::if_there, TableUse::build_if_missing}) {
        options.use = use;
        const std::string message = message_of<TableFileError>([&] { Solver(board, options); });
        CAPTURE(message);
        CHECK(message.find(file.string()) == 0);
        CHECK(message.find("is truncated") != std::string::npos);
        CHECK(message.find("remove the file, and it will be built anew") != std::string::npos);
    }
    // Where the file is not needed, it is not read.
    CHECK(Solver(board).moves() == sound.moves());
    check_unsolvable(Solver(board.twin(), options));

    options.store.replace_damaged = true;
    CHECK(Solver(board, options).solution() == sound.solution());
    CHECK(std::filesystem::file_size(file) == size);
    options.store.replace_damaged = false;
    CHECK(Solver(board, options).solution() == sound.solution());
}

TEST_CASE("limits hold while tables are used, loaded and built", "[solver]") {
    const Folder folder;
    const Board board = npuzzle::random_solvable(4, 6);
    TableTest building = with_tables(TableUse::build_if_missing, folder.path);

    // During the build: a stop by either token, and the time limit.
    for (const bool is_from_limits : {true, false}) {
        npuzzle::StopSource stop;
        TableTest options = building;
        (is_from_limits ? options.limits.stop : options.store.build.stop) = stop.get_token();
        options.store.build.progress = [&](const auto&) { stop.request_stop(); };
        const Solver stopped(board, options);
        check_limited(stopped, Status::cancelled, true);
        check_choice(stopped, SolverAlgorithm::ida_star, by_five_tiles);
        CHECK(stopped.statistics().expanded == 0);
        CHECK(folder.files() == 0);
    }
    TableTest slow = building;
    slow.limits.time = std::chrono::milliseconds{300};
    int calls = 0;
    slow.store.build.progress = [&](const auto&) {
        ++calls;
        std::this_thread::sleep_for(std::chrono::milliseconds{350});
    };
    const Solver late(board, slow);
    check_limited(late, Status::time_limit, true);
    CHECK(late.statistics().seconds >= 0.3);
    CHECK(calls == 1);
    CHECK(folder.files() == 0);

    // Without the memory to build or to hold them, none are used.
    TableTest small = building;
    small.limits.bytes = 1'572'480; // the tables, and nothing to build them with
    check_choice(Solver(board, small), SolverAlgorithm::ida_star, "linear-conflict");
    CHECK(folder.files() == 0);
    std::uint64_t held = 0;
    SolverOptions telling = building;
    telling.progress = [&](const npuzzle::SolverProgress& now) { held = now.bytes; };
    const Solver whole(board, telling);
    CHECK(held >= small.limits.bytes);
    CHECK(folder.files() == 3);
    CHECK(Solver(board, small).solution() == whole.solution());
    check_choice(Solver(board, small), SolverAlgorithm::ida_star, by_five_tiles);
    small.limits.bytes -= 1;
    check_choice(Solver(board, small), SolverAlgorithm::ida_star, "linear-conflict");
    TableTest limited = building;
    limited.limits.expansions = 100;
    const Solver after_100(board, limited);
    check_limited(after_100, Status::expansion_limit, true);
    CHECK(after_100.statistics().expanded == 100);
    limited = building;
    limited.limits.time = std::chrono::nanoseconds{0};
    check_limited(Solver(board, limited), Status::time_limit, true);
    npuzzle::StopSource stopped;
    stopped.request_stop();
    limited = building;
    limited.limits.stop = stopped.get_token();
    check_limited(Solver(board, limited), Status::cancelled, true);
}

TEST_CASE("a solver reports the progress of its search", "[solver]") {
    for (const int n : {4, 5}) {
        const Board board = n == 4 ? npuzzle::random_solvable(4, 12)
                                   : npuzzle::random_walk(npuzzle::goal_blank_last(5), 60, 1);
        std::vector<npuzzle::SolverProgress> told;
        SolverOptions options;
        options.progress = [&](const npuzzle::SolverProgress& progress) { told.push_back(progress); };
        const Solver solver(board, options);
        REQUIRE_FALSE(told.empty());
        CHECK(told.front().algorithm == SolverAlgorithm::astar);
        CHECK(told.back().algorithm == (n == 4 ? SolverAlgorithm::ida_star : SolverAlgorithm::astar));
        CHECK(told.front().bound >= board.manhattan());
        CHECK(told.back().bound <= solver.moves());
        CHECK(told.back().statistics.expanded <= solver.statistics().expanded);
        CHECK(std::is_sorted(told.begin(), told.end(),
                             [](const auto& a, const auto& b) { return a.bound < b.bound; }));
    }
}

TEST_CASE("what a heuristic or a callback of the options throws passes through a solver", "[solver]") {
    const auto throwing = [](const Board&) -> int { throw std::runtime_error("no idea"); };
    CHECK(message_of<std::runtime_error>([&] { Solver(of_31_moves, throwing); }) == "no idea");
    SolverOptions options;
    options.progress = [](const npuzzle::SolverProgress&) { throw 1; };
    CHECK_THROWS_AS(Solver(of_31_moves, options), int);
    options = {};
    options.limits.stop = []() -> bool { throw 2L; };
    CHECK_THROWS_AS(Solver(of_31_moves, options), long);
    CHECK_THROWS_AS(Solver(npuzzle::random_solvable(4, 1), options), long);
}
