#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>

#include "files.hpp"
#include "options.hpp"
#include "output.hpp"

#include <fmt/core.h>

namespace program {

int info(const InfoOptions& options) {
    const npuzzle::Board board = read_board(options.file);
    const npuzzle::SlidingPuzzle puzzle(goal_named(options.goal, board.size()));
    Output output;
    output.write(board.to_string());
    output.write(fmt::format("size = {}\n", board.size()));
    output.write(fmt::format("hamming = {}\n", npuzzle::Hamming{}.bind(puzzle)(board)));
    output.write(fmt::format("manhattan = {}\n", npuzzle::Manhattan{}.bind(puzzle)(board)));
    output.write(fmt::format("linear conflict = {}\n", npuzzle::LinearConflict{}.bind(puzzle)(board)));
    output.write(fmt::format("goal? = {}\n", puzzle.is_goal(board)));
    output.write(fmt::format("solvable? = {}\n", puzzle.is_solvable(board)));
    output.write("neighbors:\n");
    for (const npuzzle::Board& neighbor : board.neighbors()) output.write(neighbor.to_string());
    output.write("twin:\n" + board.twin().to_string());
    output.flush();
    return exit_solved;
}

} // namespace program
