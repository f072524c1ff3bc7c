// The searches behind search(), one source file per family. Together, they take a minute to compile.
#pragma once

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/limits.hpp>

#include "any_heuristic.hpp"
#include "progress.hpp"
#include "search.hpp"

#include <optional>

namespace program {

// A board, the goal, the heuristic, and the limits.
struct Task {
    const npuzzle::Board& board;
    const npuzzle::Board& goal;
    const AnyHeuristic& heuristic;
    npuzzle::Limits limits;
    ProgressLine& line;
};

// f = g + weight * h, or f = h without a weight.
Outcome best_first(const Task& task, std::optional<double> weight);

// Better and better solutions; returns the last one found.
Outcome anytime(const Task& task, double weight);

// The best nodes of each layer, and twice as many if they lead to no solution.
Outcome beam(const Task& task);

Outcome bidirectional(const Task& task);

Outcome ida_star(const Task& task);

// A* in a quarter of the memory, and breadth-first heuristic search below it.
Outcome astar_then_layers(const Task& task);

Outcome all_shortest(const Task& task, const VisitSolution& visit);

// Calls `f(puzzle, start)`. Boards of size 2 and 3 have no search of their own: they are fast enough without.
template <class F>
Outcome with_puzzle(const Task& task, F&& f) {
    switch (task.board.size()) {
    case 4:
        return f(npuzzle::SlidingPuzzle<4>(task.goal), npuzzle::PackedBoard<4>(task.board));
    case 5:
        return f(npuzzle::SlidingPuzzle<5>(task.goal), npuzzle::PackedBoard<5>(task.board));
    default:
        return f(npuzzle::SlidingPuzzle<>(task.goal), task.board);
    }
}

template <class Result>
Outcome outcome_of(const Result& result) {
    Outcome outcome;
    outcome.status = result.status;
    outcome.statistics = result.statistics;
    if (result) outcome.solution = result.moves;
    return outcome;
}

} // namespace program
