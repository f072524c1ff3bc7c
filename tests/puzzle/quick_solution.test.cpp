#include <npuzzle/puzzle/constructive.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/quick_solution.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/solvability.hpp>
#include <npuzzle/search/core/limits.hpp>

#include "support/catch.hpp"
#include "support/walk.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using npuzzle::Board;
using npuzzle::Move;
using npuzzle::quick_solution;
using npuzzle::QuickSolutionOptions;

// A limit on expansions alone, so that the solution does not depend on the machine.
QuickSolutionOptions expansions(std::uint64_t number) {
    QuickSolutionOptions options;
    options.limits = {.expansions = number};
    return options;
}

} // namespace

TEST_CASE("quick solutions lead to the goal, and get shorter and shorter", "[quick_solution]") {
    const int n = GENERATE(2, 3, 4, 5, 7, 13);
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        for (const Board& goal : {npuzzle::goal_blank_last(n), npuzzle::goal_spiral(n)}) {
            const Board any = npuzzle::random_solvable(n, seed);
            const Board board = npuzzle::is_solvable(any, goal) ? any : any.twin();
            QuickSolutionOptions options = expansions(5'000);
            std::vector<std::size_t> lengths;
            bool all_lead = true;
            options.improved = [&](const std::vector<Move>& moves) {
                lengths.push_back(moves.size());
                all_lead = all_lead && test::leads(board, moves, goal);
            };
            const std::vector<Move> moves = quick_solution(board, goal, options);
            INFO("n = " << n << ", seed " << seed);
            CHECK(test::leads(board, moves, goal));
            CHECK(all_lead);
            REQUIRE(!lengths.empty());
            CHECK(lengths.front() == npuzzle::constructive_moves(board, goal).size());
            CHECK(lengths.back() == moves.size());
            for (std::size_t i = 1; i < lengths.size(); ++i) CHECK(lengths[i] < lengths[i - 1]);
            options.improved = {};
            CHECK(quick_solution(board, goal, options) == moves);
        }
    }
}

TEST_CASE("quick solutions of published boards are near the optimum", "[quick_solution]") {
    // Boards 1, 3 and 40 of R. E. Korf, A. Felner, Artificial Intelligence 134 (2002) 9-22, turned by 180
    // degrees.
    struct Published {
        std::size_t moves;
        std::vector<int> tiles;
    };
    const std::vector<Published> boards{
        {95, {12, 3, 9, 22, 1, 18, 24, 4, 14, 19, 21, 5, 15, 0, 10, 8, 13, 6, 2, 17, 7, 23, 16, 20, 11}},
        {97, {13, 7, 21, 2, 18, 22, 24, 3, 14, 10, 23, 12, 15, 5, 9, 8, 16, 6, 4, 20, 17, 11, 1, 0, 19}},
        {98, {8, 19, 14, 3, 9, 5, 15, 4, 21, 2, 1, 12, 24, 13, 20, 10, 23, 6, 18, 22, 17, 16, 0, 11, 7}},
    };
    for (const auto& [moves, tiles] : boards) {
        const Board board(std::vector<std::int32_t>(tiles.begin(), tiles.end()));
        const std::size_t found = quick_solution(board, expansions(200'000)).size();
        CHECK(found >= moves);
        CHECK(found <= moves + moves / 5);
        CHECK(found % 2 == moves % 2);
    }
}

TEST_CASE("a quick solution ends with what is known", "[quick_solution]") {
    const Board board = npuzzle::random_solvable(6, 2);
    const Board goal = npuzzle::goal_blank_last(6);
    SECTION("when a stop is requested") {
        const npuzzle::StopSource stop;
        std::size_t last = 0;
        QuickSolutionOptions options = expansions(1'000'000'000);
        options.limits.stop = stop;
        options.improved = [&](const std::vector<Move>& moves) {
            last = moves.size();
            if (moves.size() < npuzzle::constructive_moves(board, goal).size()) stop.request_stop();
        };
        const std::vector<Move> moves = quick_solution(board, options);
        CHECK(test::leads(board, moves, goal));
        CHECK(moves.size() == last);
    }
    SECTION("when the time is over") {
        QuickSolutionOptions options;
        options.limits.time = std::chrono::milliseconds{GENERATE(0, 1, 20)};
        CHECK(test::leads(board, quick_solution(board, options), goal));
    }
    SECTION("without memory for a beam") {
        QuickSolutionOptions options = expansions(100'000);
        options.limits.bytes = 0;
        CHECK(test::leads(board, quick_solution(board, options), goal));
    }
    SECTION("when it is short enough") {
        QuickSolutionOptions options;
        options.limits = {};
        options.enough = 100'000;
        CHECK(quick_solution(board, options) == npuzzle::constructive_moves(board, goal));
        CHECK(quick_solution(goal, options).empty());
    }
}

TEST_CASE("what has no solution has no quick one", "[quick_solution]") {
    const Board board = npuzzle::random_solvable(4, 1);
    CHECK_THROWS_AS(quick_solution(board.twin()), std::invalid_argument);
    CHECK_THROWS_AS(quick_solution(board, npuzzle::goal_blank_last(5)), std::invalid_argument);
}
