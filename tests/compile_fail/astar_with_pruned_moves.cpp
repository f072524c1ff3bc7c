// mend: ida_star(problem, start, heuristic)
// Which moves are pruned depends on the path to a state, of which A* keeps one.
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/move_pruning.hpp>

int main() {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const auto pruning = npuzzle::learn_move_pruning(puzzle, puzzle.goal());
    const auto pruned = npuzzle::with_move_pruning(puzzle, pruning);
#ifdef CONTROL
    npuzzle::ida_star(pruned, puzzle.goal(), npuzzle::Manhattan{});
#else
    npuzzle::astar(pruned, puzzle.goal(), npuzzle::Manhattan{});
#endif
}
