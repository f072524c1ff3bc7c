// The code in docs/heuristic.md, docs/puzzles.md, docs/puzzle-heuristics.md, docs/cheapest-paths.md,
// docs/io.md and docs/visual.md: what stands there stands here, and is run.

#include <npuzzle/npuzzle.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

TEST_CASE("boards", "[docs]") {
    const npuzzle::Board board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    CHECK(board.hamming() == 5);
    CHECK(board.manhattan() == 10);
    CHECK(board.tile_at(2, 0) == 7);
    CHECK(board.neighbors().size() == 4);
    CHECK(board.is_solvable());
    CHECK(!board.twin().is_solvable());
}

TEST_CASE("goals", "[docs]") {
    const npuzzle::Board board = npuzzle::random_walk(npuzzle::goal_spiral(3), 20, 1);
    const npuzzle::SlidingPuzzle spiral(npuzzle::goal_spiral(3));
    const npuzzle::SlidingPuzzle<3> packed_spiral(npuzzle::goal_spiral(3));

    const auto result = npuzzle::astar(spiral, board, npuzzle::Manhattan{}); // distances to the spiral
    const auto same = npuzzle::astar(packed_spiral, npuzzle::PackedBoard<3>(board), npuzzle::Manhattan{});
    CHECK(result.cost == same.cost);
}

TEST_CASE("what the heuristics say of one board", "[docs]") {
    const npuzzle::PackedBoard<3> board({3, 2, 1, 4, 5, 6, 8, 7, 0});
    CHECK(npuzzle::Hamming{}(board) == 4);
    CHECK(npuzzle::Manhattan{}(board) == 6);
    CHECK(npuzzle::LinearConflict{}(board) == 12);
    CHECK(npuzzle::WalkingDistance{}(board) == 8);
    CHECK(npuzzle::astar(npuzzle::SlidingPuzzle<3>{}, board, npuzzle::Zero{}).cost == 24); // the truth
}

TEST_CASE("depth first under a bound", "[docs]") {
    const npuzzle::SlidingPuzzle<4> fifteen(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> korf_79({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15});
    const auto result = npuzzle::ida_star(fifteen, korf_79, npuzzle::Manhattan{});
    CHECK(result.cost == 42);
    CHECK(result.statistics.generated + 1 == 540'860); // as published: each move made, and the root
}

TEST_CASE("a solver that builds tables", "[docs]") {
    const auto folder =
        std::filesystem::temp_directory_path() / ("npuzzle-docs-" + std::to_string(std::random_device{}()));
    const npuzzle::Board board = npuzzle::random_solvable(4, 1);
    std::ostringstream out;
    npuzzle::SolverTableOptions tables;
    tables.use = npuzzle::TableUse::build_if_missing;
    tables.partition = "5-5-5";   // a small one
    tables.store.folder = folder; // instead of the cache folder
    tables.store.build.progress = [&](const npuzzle::BuildProgress& progress) {
        out << progress.percent() << " %, " << progress.seconds_left << " s left\n";
    };
    const npuzzle::Solver solver(board, {.tables = npuzzle::solver_tables(tables)});
    out << to_string(solver.algorithm()) << ", " << solver.heuristic();
    CHECK(solver.solution().has_value());
    CHECK(out.str().ends_with("100 %, 0 s left\nida_star, pdb:5-5-5"));
    std::filesystem::remove_all(folder);
}

TEST_CASE("a solver that makes its best effort", "[docs]") {
    const npuzzle::Board board = npuzzle::random_solvable(3, 1);
    npuzzle::Limits limits{.time = std::chrono::seconds{1}};
    const npuzzle::Solver solver(board, {.best_effort = npuzzle::solver_best_effort(), .limits = limits});
    const std::vector<npuzzle::Move>& moves = *solver.best_moves(); // of the blank
    std::string answer = std::to_string(solver.upper()) + " moves";
    if (solver.lower() < solver.upper()) {
        answer += ", and no solution has fewer than " + std::to_string(solver.lower());
    }
    CHECK(answer == std::to_string(moves.size()) + " moves");
}

TEST_CASE("one solver for all answers", "[docs]") {
    const auto answer = [](const npuzzle::Board& board, const npuzzle::Limits& limits) -> std::string {
        const npuzzle::Solver solver(board, {.limits = limits});
        if (!solver.is_solvable()) return "unsolvable";
        if (!solver.solution()) return "not solved: " + std::string(to_string(solver.status()));
        return std::to_string(solver.moves()) + " moves";
    };
    CHECK(answer(npuzzle::random_solvable(3, 1), {}) == "19 moves");
    CHECK(answer(npuzzle::random_solvable(3, 1).twin(), {}) == "unsolvable");
    CHECK(answer(npuzzle::random_solvable(5, 1), {.expansions = 10}) == "not solved: expansion_limit");
}

TEST_CASE("proved by search alone", "[docs]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> board({1, 2, 3, 4, 5, 6, 8, 7, 0});
    const auto result = npuzzle::twin_search(puzzle, board, npuzzle::LinearConflict{});
    CHECK(result.status == npuzzle::Status::unsolvable);
}

TEST_CASE("random boards", "[docs]") {
    const npuzzle::Board near = npuzzle::random_walk(npuzzle::goal_blank_last(4), 30, 1); // seed 1
    const npuzzle::Board any = npuzzle::random_solvable(4, 1);
    CHECK(near != any);
}

TEST_CASE("errors of the parser", "[docs]") {
    const auto is_board = [](const std::string& text, std::ostream& messages) {
        try {
            return npuzzle::parse_board(text, "notes.txt").size() > 0;
        } catch (const npuzzle::ParseError& error) {
            messages << error.what() << '\n'; // or by error.source(), error.line() and error.column()
            return false;
        }
    };
    std::ostringstream messages;
    CHECK(is_board("2  3 1  0 2", messages));
    CHECK(!is_board("3\n0 1 2\n3 z 5\n", messages));
    CHECK(messages.str() == "notes.txt:3:3: expected tile number 5 of 9, a number from 0 to 8, found 'z'\n");
}

TEST_CASE("boards from strangers", "[docs]") {
    std::istringstream input("2 1 2 3 0\n2 1 2 0 3\n");
    const npuzzle::ReadOptions small{.max_size = 10, .max_boards = 100};
    const auto boards = npuzzle::read_boards(input, "upload", small);
    CHECK(boards.size() == 2);
}

TEST_CASE("a picture", "[docs]") {
    const npuzzle::Solver solver(npuzzle::random_walk(npuzzle::goal_blank_last(4), 12, 1));
    std::ostringstream out;
    npuzzle::write_solution_svg(out, solver.solution().value(), {.columns = 4, .title = "Twelve moves"});
    CHECK(out.str().size() > 10'000);
    std::ostringstream page;
    npuzzle::write_solution_html(page, solver.solution().value(), {.milliseconds_per_move = 400});
    CHECK(page.str().find(", 400)") != std::string::npos);
}

// Counts rows only: a weak heuristic, but it follows the goal of its puzzle.
struct RowsApart {
    template <class B>
    class Bound {
    public:
        static constexpr bool is_consistent = true;

        explicit Bound(const B& goal) : home_row_(static_cast<std::size_t>(goal.cells())) {
            for (int cell = 0; cell < goal.cells(); ++cell) {
                home_row_[static_cast<std::size_t>(goal.tile(cell))] = cell / goal.size();
            }
        }

        int operator()(const B& board) const {
            int sum = 0;
            for (int cell = 0; cell < board.cells(); ++cell) {
                if (board.tile(cell) != 0) sum += rows_apart(board.tile(cell), cell / board.size());
            }
            return sum;
        }

        // One tile has moved, to where the blank was: to another row, or within its row.
        int after(int value, const B& before, npuzzle::Move move, const B& after) const {
            if (move == npuzzle::Move::left || move == npuzzle::Move::right) return value;
            const int new_row = static_cast<int>(before.blank_cell()) / before.size();
            const int old_row = static_cast<int>(after.blank_cell()) / after.size();
            const int tile = after.tile(before.blank_cell());
            return value + rows_apart(tile, new_row) - rows_apart(tile, old_row);
        }

    private:
        int rows_apart(int tile, int row) const {
            return std::abs(home_row_[static_cast<std::size_t>(tile)] - row);
        }

        std::vector<int> home_row_;
    };

    template <int N>
    auto bind(const npuzzle::SlidingPuzzle<N>& puzzle) const {
        return Bound<typename npuzzle::SlidingPuzzle<N>::State>(puzzle.goal());
    }
};

static_assert(npuzzle::IncrementalHeuristicFor<RowsApart, npuzzle::SlidingPuzzle<4>>);
static_assert(npuzzle::IncrementalHeuristicFor<RowsApart, npuzzle::SlidingPuzzle<>>);

TEST_CASE("a heuristic that is bound to its problem", "[docs]") {
    const npuzzle::Board board = npuzzle::random_solvable(npuzzle::goal_spiral(3), 1);
    npuzzle::SolverOptions options;
    options.goal = npuzzle::goal_spiral(3);
    CHECK(npuzzle::Solver(board, RowsApart{}, options).moves() == npuzzle::Solver(board, options).moves());
}

// Looks for a board that shows that a heuristic is wrong. Finding none is no proof.
template <class H>
std::optional<npuzzle::PackedBoard<3>> counterexample(const H& heuristic) {
    const npuzzle::SlidingPuzzle<3> puzzle;
    auto h = npuzzle::bind_heuristic(heuristic, puzzle);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const npuzzle::PackedBoard<3> start(npuzzle::random_solvable(3, seed));
        const auto exact = npuzzle::astar(puzzle, start, npuzzle::Zero{});
        int moves_left = exact.cost;
        for (const auto& board : exact.path) {
            if (h(board) > moves_left--) return board; // not admissible
            for (const auto& next : board.neighbors()) {
                if (h(board) > 1 + h(next)) return board; // not consistent
            }
        }
    }
    return std::nullopt;
}

TEST_CASE("counterexamples", "[docs]") {
    CHECK(!counterexample(npuzzle::Manhattan{}));
    CHECK(!counterexample(RowsApart{}));
    CHECK(counterexample([](const npuzzle::PackedBoard<3>& board) { return 2 * board.manhattan(); }));
}

TEST_CASE("heuristics put together", "[docs]") {
    const npuzzle::SlidingPuzzle<4> puzzle;
    const npuzzle::PackedBoard<4> board(npuzzle::random_walk(npuzzle::goal_blank_last(4), 40, 4));

    const auto largest = npuzzle::astar(puzzle, board, npuzzle::MaxOf{npuzzle::Manhattan{}, RowsApart{}});
    const auto quick = npuzzle::astar(puzzle, board, npuzzle::Scaled{npuzzle::LinearConflict{}, 2});

    CHECK(largest.cost == 34);
    CHECK(quick.cost <= 2 * 34);
}
