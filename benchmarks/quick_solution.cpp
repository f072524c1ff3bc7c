// How short quick solutions are: after some time, of random boards, against the Manhattan distance; of the 50
// 24-puzzle boards of Korf and Felner against the optimum. And how long constructive solutions are and take.
// Every solution is replayed to the goal.
//
//     g++ -std=c++20 -O2 -I include -I benchmarks -I tests benchmarks/quick_solution.cpp -o quick_solution
//     ./quick_solution [SECONDS BOARDS SIZE...]
//
// Without arguments: 50 boards of Korf and Felner and 100 random boards of each size from 6 to 10 in 2 s, 100
// of size 50 in 2 s, 10 of size 200 in 10 s. That takes half an hour. With 0 boards: constructive solutions
// alone.

#include <npuzzle/puzzle/constructive.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/quick_solution.hpp>
#include <npuzzle/puzzle/scramble.hpp>

#include "support/answers.hpp"
#include "support/korf_felner.hpp"
#include "support/timing.hpp"
#include "support/walk.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

using npuzzle::Board;
using npuzzle::Move;

/// A published board, turned by 180 degrees, which makes its goal the blank-last one.
Board turned(const benchmarks::Instance24& instance) {
    std::vector<std::int32_t> tiles(instance.tiles.rbegin(), instance.tiles.rend());
    for (std::int32_t& tile : tiles) {
        tile = tile == 0 ? 0 : 25 - tile;
    }
    return Board(std::move(tiles));
}

/// The moves are made twice: once with a sink that only counts, for the time, and once for the check.
void construct(int n) {
    const Board board = npuzzle::random_solvable(n, 1);
    const Board goal = npuzzle::goal_blank_last(n);
    const benchmarks::Stopwatch stopwatch;
    std::int64_t upward = 0;
    const std::int64_t moves = npuzzle::for_each_constructive_move(
        board, goal, [&](Move move) { upward += move == Move::up ? 1 : 0; });
    const double seconds = stopwatch.seconds();
    benchmarks::require(upward < moves && moves <= npuzzle::constructive_move_bound(n),
                        "the bound on the moves");
    test::Walk walk(board);
    npuzzle::for_each_constructive_move(board, goal, walk);
    benchmarks::require(walk.has_reached(goal) && walk.moves() == moves, "the moves do not lead to the goal");
    const auto length = static_cast<double>(moves);
    std::printf("n = %-5d %13.0f moves by rule   %.3f n^3   %8.3f s   %.2f ns a move\n", n, length,
                length / n / n / n, seconds, seconds * 1e9 / length);
    std::fflush(stdout);
}

void measure(int n, int boards, double seconds) {
    const bool is_published = n == 5;
    const int count = is_published ? std::min(boards, 50) : boards;
    double moves = 0;
    double constructive = 0;
    double ratio = 0;
    double worst = 0;
    double longest = 0;
    for (int i = 0; i < count; ++i) {
        const Board board = is_published ? turned(benchmarks::korf_felner_boards[static_cast<std::size_t>(i)])
                                         : npuzzle::random_solvable(n, static_cast<std::uint64_t>(i) + 1);
        npuzzle::QuickSolutionOptions options;
        options.limits.time =
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
        const benchmarks::Stopwatch stopwatch;
        const std::vector<Move> solution = npuzzle::quick_solution(board, options);
        longest = std::max(longest, stopwatch.seconds());
        benchmarks::require(test::leads(board, solution, npuzzle::goal_blank_last(n)),
                            "the moves do not lead to the goal");
        const auto length = static_cast<double>(solution.size());
        const auto least = is_published
                               ? benchmarks::korf_felner_boards[static_cast<std::size_t>(i)].optimal_cost
                               : static_cast<double>(board.manhattan());
        benchmarks::require(length >= least, "a solution is shorter than any is");
        moves += length;
        constructive += static_cast<double>(
            npuzzle::for_each_constructive_move(board, npuzzle::goal_blank_last(n), [](Move) {}));
        ratio += length / least;
        worst = std::max(worst, length / least);
    }
    std::printf("n = %-3d %5.1f s   %12.1f moves, constructive %12.1f   mean %.3f, worst %.3f of %s   "
                "longest %.2f s\n",
                n, seconds, moves / count, constructive / count, ratio / count, worst,
                is_published ? "the optimum" : "Manhattan", longest);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const int boards = argc > 2 ? std::atoi(argv[2]) : 100;
        for (int i = 3; i < argc; ++i) {
            boards == 0 ? construct(std::atoi(argv[i]))
                        : measure(std::atoi(argv[i]), boards, std::atof(argv[1]));
        }
        if (argc <= 3) {
            for (const int n : {10, 60, 200, 500, 1000}) construct(n);
            for (const int n : {5, 6, 7, 8, 9, 10, 50}) measure(n, 100, 2);
            measure(200, 10, 10);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wrong: %s\n", error.what());
        return 1;
    }
}
