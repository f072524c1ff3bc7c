#include <npuzzle/puzzle/best_effort.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/core/limits.hpp>

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/korf.hpp"
#include "support/walk.hpp"

#include <chrono>
#include <cstdint>
#include <new>
#include <vector>

namespace {

using npuzzle::Board;
using npuzzle::Solver;
using npuzzle::SolverOptions;
using npuzzle::SolverProgress;
using npuzzle::Status;

SolverOptions best_effort(const npuzzle::Limits& limits) {
    SolverOptions options;
    options.best_effort = npuzzle::solver_best_effort(
        {.first_search = std::chrono::milliseconds{5}, .quick = {.expansions = 2000}});
    options.limits = limits;
    return options;
}

// What holds of every answer.
void require_sound(const Solver& solver, const Board& board, int optimum) {
    REQUIRE(solver.best_moves());
    CHECK(test::leads(board, *solver.best_moves(), npuzzle::goal_blank_last(board.size())));
    CHECK(solver.upper() == static_cast<std::int64_t>(solver.best_moves()->size()));
    CHECK(solver.lower() <= optimum);
    CHECK(optimum <= solver.upper());
    CHECK((solver.status() == Status::solved) == (solver.lower() == solver.upper()));
    CHECK(solver.solution().has_value() == (solver.status() == Status::solved));
    if (solver.solution()) {
        CHECK(solver.moves() == solver.upper());
        CHECK(solver.solution()->front() == board);
        CHECK(solver.solution()->back() == npuzzle::goal_blank_last(board.size()));
    }
}

} // namespace

TEST_CASE("both bounds hold, whatever the limit", "[best_effort]") {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const Board board = npuzzle::random_solvable(3, seed);
        const auto optimum = static_cast<int>(
            npuzzle::breadth_first(npuzzle::SlidingPuzzle<3>(), npuzzle::PackedBoard<3>(board)).cost);
        for (const std::uint64_t expansions : {0U, 1U, 10U, 100U, 100'000U}) {
            const Solver solver(board, best_effort({.expansions = expansions}));
            require_sound(solver, board, optimum);
            CHECK(solver.statistics().expanded <= expansions);
        }
    }
}

TEST_CASE("both bounds hold for published boards, and close in on the optimum", "[best_effort]") {
    for (const test::KorfBoard& published : test::korf_boards) {
        const Board board(std::vector<std::int32_t>(published.turned.begin(), published.turned.end()));
        for (const auto& limits : {npuzzle::Limits{.expansions = 1000}, npuzzle::Limits{.expansions = 50'000},
                                   npuzzle::Limits{.time = std::chrono::milliseconds{10}}}) {
            SolverOptions options = best_effort(limits);
            SolverProgress last;
            bool is_monotonic = true;
            options.progress = [&](const SolverProgress& now) {
                is_monotonic = is_monotonic && (last.upper < 0 || now.upper <= last.upper) &&
                               now.bound >= last.bound && now.bound <= now.upper;
                last = now;
            };
            const Solver solver(board, options);
            require_sound(solver, board, published.moves);
            CHECK(is_monotonic);
            CHECK(last.upper >= solver.upper());
            CHECK(last.bound <= solver.lower());
        }
    }
}

TEST_CASE("a quick solution is proved to be a shortest one when nothing shorter is there", "[best_effort]") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Board board = npuzzle::random_solvable(3, seed);
        SolverOptions options = best_effort({});
        const int optimum = Solver(board).moves();
        const Solver solver(board, options);
        CHECK(solver.status() == Status::solved);
        require_sound(solver, board, optimum);
        options.algorithm = GENERATE(npuzzle::SolverAlgorithm::astar, npuzzle::SolverAlgorithm::ida_star);
        const auto own = [](const Board& at) { return at.manhattan(); };
        require_sound(Solver(board, own, options), board, optimum);
    }
}

TEST_CASE("a quick solution that is two moves too long is not called a shortest one", "[best_effort]") {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Board board = npuzzle::random_walk(npuzzle::goal_blank_last(4), 20, seed);
        SolverOptions options;
        options.best_effort = npuzzle::solver_best_effort(
            {.first_search = std::chrono::nanoseconds{0}, .quick = {.time = std::chrono::nanoseconds{0}}});
        const Solver solver(board, options);
        CHECK(solver.status() == Status::solved);
        require_sound(solver, board, Solver(board).moves());
    }
}

TEST_CASE("a stop leaves what is known", "[best_effort]") {
    const int n = GENERATE(5, 6);
    const Board board = npuzzle::random_solvable(n, 3);
    for (const int calls : {1, 2, 4}) {
        const npuzzle::StopSource stop;
        SolverOptions options = best_effort({.stop = stop});
        int left = calls;
        options.progress = [&](const SolverProgress&) {
            if (--left == 0) stop.request_stop();
        };
        const Solver solver(board, options);
        CHECK(solver.status() == Status::cancelled);
        CHECK(solver.moves() == -1);
        REQUIRE(solver.best_moves());
        CHECK(test::leads(board, *solver.best_moves(), npuzzle::goal_blank_last(n)));
        CHECK(solver.lower() > 0);
        CHECK(solver.lower() < solver.upper());
    }
}

TEST_CASE("best effort changes nothing where there is none to make", "[best_effort]") {
    const Board board = npuzzle::random_solvable(3, 1);
    const Solver unsolvable(board.twin(), best_effort({}));
    CHECK(unsolvable.status() == Status::unsolvable);
    CHECK(!unsolvable.best_moves());
    CHECK(unsolvable.upper() == -1);

    const Solver without(board);
    CHECK(!without.best_moves());
    CHECK(without.upper() == without.moves());
    CHECK(without.lower() == without.moves());

    const Board goal = npuzzle::goal_blank_last(3);
    const Solver at_goal(goal, best_effort({}));
    CHECK(at_goal.upper() == 0);
    CHECK(at_goal.status() == Status::solved);
}

TEST_CASE("without memory for the boards of a solution, its moves are known and proved", "[best_effort]") {
    const Board board = npuzzle::random_solvable(3, 1);
    const SolverOptions options = best_effort({});
    const Solver solved(board, options);
    const int optimum = solved.moves();
    int without_boards = 0;
    for (std::uint64_t allocation = 1;; ++allocation) {
        test::memory.arm(allocation);
        try {
            const Solver solver(board, options);
            test::memory.disarm();
            if (test::memory.failures == 0) break;
            CHECK((solver.status() == Status::solved) == solver.solution().has_value());
            if (solver.status() == Status::solved) continue;
            REQUIRE(solver.status() == Status::memory_limit);
            CHECK(solver.statistics().expanded <= solved.statistics().expanded); // It is not solved twice.
            without_boards += solver.upper() == optimum && solver.lower() == optimum ? 1 : 0;
        } catch (const std::bad_alloc&) {
            REQUIRE(allocation == 1); // the solver's copy of the board
        }
        test::memory.disarm();
    }
    CHECK(without_boards > optimum);
}
