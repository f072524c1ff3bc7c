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
    const SearchOptions& options;
};

// f = g + weight * h, or f = h without a weight.
Outcome best_first(const Task& task, std::optional<double> weight);

// Better and better solutions; returns the last one found.
Outcome anytime(const Task& task, double weight);

// The best nodes of each layer, and twice as many if they lead to no solution.
Outcome beam(const Task& task);

Outcome bidirectional(const Task& task);

Outcome ida_star(const Task& task);

// The same on the threads of the options, for boards of size 4 and 5.
Outcome parallel_best_first(const Task& task, std::optional<double> weight);

// The same, with the file of the options as its journal if there is one.
Outcome parallel_ida_star(const Task& task);

// Whether IDA* on several threads is worth having: what the solver has for one thread is several times faster
// than the heuristics of the command line.
bool has_divided_ida_star(int size, const HeuristicName& name);

// A* whose nodes are in a file, in the folder of the options, for boards of size 4 and 5.
Outcome external_astar(const Task& task);

Outcome all_shortest(const Task& task, const VisitSolution& visit);

// Calls `f(puzzle, start)`. Boards of size 2 and 3 have no search of their own: they are fast enough without.
template <class F>
auto with_puzzle(const Task& task, F&& f) {
    switch (task.board.size()) {
    case 4:
        return f(npuzzle::SlidingPuzzle<4>(task.goal), npuzzle::PackedBoard<4>(task.board));
    case 5:
        return f(npuzzle::SlidingPuzzle<5>(task.goal), npuzzle::PackedBoard<5>(task.board));
    default:
        return f(npuzzle::SlidingPuzzle<>(task.goal), task.board);
    }
}

// The same without boards whose searches have one thread and are not saved.
template <class F>
Outcome with_packed_puzzle(const Task& task, F&& f) {
    if (task.board.size() == 4) {
        return f(npuzzle::SlidingPuzzle<4>(task.goal), npuzzle::PackedBoard<4>(task.board));
    }
    return f(npuzzle::SlidingPuzzle<5>(task.goal), npuzzle::PackedBoard<5>(task.board));
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
