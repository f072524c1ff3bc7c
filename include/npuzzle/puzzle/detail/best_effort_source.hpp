#pragma once

#include "npuzzle/puzzle/board.hpp"

#include <functional>

/// \file
/// What a `Solver` asks of best effort. "npuzzle/puzzle/best_effort.hpp" has the answer, so that a program
/// without it compiles none of its code.

namespace npuzzle {

struct SolverOptions;

namespace detail {

struct SolverRun;

/// Finds solutions before and beside the search of a `Solver`.
class BestEffortSource {
public:
    BestEffortSource() = default;
    BestEffortSource(const BestEffortSource&) = delete;
    BestEffortSource& operator=(const BestEffortSource&) = delete;
    virtual ~BestEffortSource() = default;

    /// Solves a board that is solvable. `search(options)` searches for a solution of at most `run.max_moves`
    /// moves, and adds to `run`.
    virtual void solve(const Board& board, const SolverOptions& options, SolverRun& run,
                       const std::function<void(const SolverOptions&)>& search) const = 0;
};

} // namespace detail

} // namespace npuzzle
