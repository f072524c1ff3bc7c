// Rows 17 and 18: boards that are much too large for a general search. Each is a random walk of 40 moves away
// from the goal and is solved by a shortest path. Row 19: the boards of the 15-puzzle at each depth.

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/search/breadth_first_layers.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/process_memory.hpp"
#include "support/published_layers.hpp"
#include "support/separately.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace benchmarks {

namespace {

using npuzzle::Board;
using npuzzle::Move;

constexpr int walk_length = 40;

/// Throws unless the moves lead from the board to the goal, and their number is possible for a walk of 40
/// moves.
void require_solution(const npuzzle::SlidingPuzzle<>& puzzle, Board board, const std::vector<Move>& moves,
                      const std::string& who) {
    require(moves.size() <= walk_length && moves.size() % 2 == 0, who + ": the number of moves");
    for (const Move move : moves) {
        bool is_possible = false;
        puzzle.for_each_move(board, Move::none, [&](Move possible) { is_possible |= possible == move; });
        require(is_possible, who + ": a move that the blank cannot make");
        puzzle.apply(board, move);
    }
    require(puzzle.is_goal(board), who + ": the moves do not lead to the goal");
}

struct Solved {
    double seconds = 0;
    std::uint64_t bytes = 0;
    int cost = 0;
};

/// Only the search, by IDA* with Manhattan distance. The time includes the set-up of the heuristic, but not
/// that of the boards.
Solved solve_moves(int n, std::uint64_t seed) {
    const PeakGrowth growth;
    const npuzzle::SlidingPuzzle puzzle(n);
    Board start = npuzzle::random_walk(puzzle.goal(), walk_length, seed);
    const Stopwatch stopwatch;
    const auto result = npuzzle::ida_star_moves(puzzle, std::move(start), npuzzle::Manhattan{});
    Solved solved{stopwatch.seconds(), 0, result.cost};
    const std::string who = "n = " + std::to_string(n) + ", seed " + std::to_string(seed);
    require(result.status == npuzzle::Status::solved, who + ": not solved");
    solved.bytes = growth.bytes();
    require_solution(puzzle, npuzzle::random_walk(puzzle.goal(), walk_length, seed), result.moves, who);
    return solved;
}

/// Everything, by the solver with its automatic choice.
Solved solve_by_solver(int n, std::uint64_t seed) {
    const Board goal = npuzzle::goal_blank_last(n);
    const Board start = npuzzle::random_walk(goal, walk_length, seed);
    const Stopwatch stopwatch;
    const npuzzle::Solver solver(start);
    Solved solved{stopwatch.seconds(), 0, static_cast<int>(solver.moves())};
    const std::string who = "n = " + std::to_string(n) + ", seed " + std::to_string(seed) + ", Solver";
    require(solver.status() == npuzzle::Status::solved, who + ": not solved");
    require(solver.solution()->front() == start && solver.solution()->back() == goal,
            who + ": the ends of the path");
    return solved;
}

template <class Solve>
void measure(Session& session, const std::string& row, int n, int seeds, double reach, const std::string& by,
             Solve&& solve) {
    std::vector<double> seconds;
    double worst = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        seconds.push_back(separately([&] { return solve(n, static_cast<std::uint64_t>(seed)); }).seconds);
        worst = std::max(worst, seconds.back());
    }
    session.report({row, "n = " + std::to_string(n) + ", 40 random moves from the goal, " + by,
                    median(seconds), "s", reach, 0, true,
                    "the median of " + std::to_string(seeds) + " seeds, the worst " + to_text(worst, "s"), "",
                    ""});
}

} // namespace

void solve_large_boards(Session& session) {
    const int seeds = session.is_smoke() ? 2 : 20;
    const int large = session.is_smoke() ? 20 : 500;
    measure(session, "17a", large, seeds, 1, "IDA* with Manhattan distance, the moves", solve_moves);
    measure(session, "17b", large, seeds, 1, "the Solver, whole", solve_by_solver);
    measure(session, "17c", session.is_smoke() ? 30 : 5000, session.is_smoke() ? 1 : 5, 5,
            "IDA* with Manhattan distance, the moves", solve_moves);
}

void solve_largest_board(Session& session) {
    const int n = session.is_smoke() ? 100 : Board::max_size;
    const Solved solved = separately([&] { return solve_moves(n, 1); });
    const std::string what =
        "n = " + std::to_string(n) + ", 40 random moves from the goal, IDA* with Manhattan distance";
    session.report({"18", "memory: " + what, static_cast<double>(solved.bytes) / 1e9, "GB", 24, 0, true,
                    std::to_string(solved.cost) + " moves in " + to_text(solved.seconds, "s"), "", ""});
}

void count_layers(Session& session) {
    const int depth = session.is_smoke() ? 14 : 24;
    const npuzzle::SlidingPuzzle<4> puzzle;
    const auto layers = npuzzle::breadth_first_layers(
        puzzle, puzzle.goal(), {.max_cost = depth}, [](int layer, std::uint64_t count) {
            require(count == boards_of_15_puzzle[static_cast<std::size_t>(layer)],
                    "the count at depth " + std::to_string(layer));
        });
    require(layers.status == npuzzle::Status::cost_limit, "the depth was not reached");
    session.report({"19", "breadth-first layers of the 15-puzzle to depth " + std::to_string(depth),
                    layers.statistics.seconds, "s", 0, 0, true,
                    to_text(static_cast<double>(layers.statistics.expanded) / 1e6 / layers.statistics.seconds,
                            "M boards/s") +
                        ", " + to_text(static_cast<double>(layers.statistics.bytes) / 1e9, "GB"),
                    "", "each layer's count as published"});
}

} // namespace benchmarks
