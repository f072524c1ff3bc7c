// How long the default Solver takes for random boards of size 4: the mean, the median and the slowest. Every
// path is checked, the lengths of the first three boards against IDA* with linear conflict, and the sum of the
// lengths of the first thousand against that of a search by walking distance alone.
//
//     g++ -std=c++20 -O2 -I include -I benchmarks benchmarks/solver_boards.cpp -o solver_boards
//     ./solver_boards [BOARDS]
//
// Without an argument: 1,000 boards, in less than a minute.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "support/answers.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <vector>

namespace {

constexpr int checked_boards = 3;
constexpr int summed_boards = 1000;
constexpr int sum_of_lengths = 52369;

int least_moves(const npuzzle::Board& board) {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::PackedBoard<4>(npuzzle::goal_blank_last(4)));
    return npuzzle::ida_star(puzzle, npuzzle::PackedBoard<4>(board), npuzzle::LinearConflict{}).cost;
}

void measure(int boards) {
    const npuzzle::SlidingPuzzle<> puzzle(npuzzle::goal_blank_last(4));
    std::vector<double> seconds;
    int moves = 0;
    double expanded = 0;
    for (int i = 1; i <= boards; ++i) {
        const npuzzle::Board board = npuzzle::random_solvable(4, static_cast<std::uint64_t>(i));
        const benchmarks::Stopwatch stopwatch;
        const npuzzle::Solver solver(board);
        seconds.push_back(stopwatch.seconds());
        benchmarks::require(solver.solution().has_value(), "a board was not solved");
        benchmarks::require_path(puzzle, board, *solver.solution(), solver.moves(), "Solver");
        benchmarks::require(i > checked_boards || solver.moves() == least_moves(board),
                            "a solution is not the shortest");
        moves += solver.moves();
        expanded += static_cast<double>(solver.statistics().expanded);
        benchmarks::require(i != summed_boards || moves == sum_of_lengths, "a solution is not the shortest");
    }
    std::sort(seconds.begin(), seconds.end());
    const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    std::printf(
        "%d boards: mean %.1f ms, median %.1f ms, slowest %.2f s; %.1f moves and %.0f expansions a board\n",
        boards, 1e3 * sum / boards, 1e3 * seconds[seconds.size() / 2], seconds.back(),
        static_cast<double>(moves) / boards, expanded / boards);
}

} // namespace

int main(int argc, char** argv) {
    try {
        measure(argc > 1 ? std::max(std::atoi(argv[1]), 1) : summed_boards);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "solver_boards: %s\n", error.what());
        return 1;
    }
}
