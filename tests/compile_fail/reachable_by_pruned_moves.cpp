// mend: with_move_pruning(with_goals(problem, goals), pruning)
// A search of all states needs all moves.
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/for_each_reachable.hpp>
#include <npuzzle/search/move_pruning.hpp>

int main() {
    const npuzzle::SlidingPuzzle<2> puzzle;
    const auto pruning = npuzzle::learn_move_pruning(puzzle, puzzle.goal());
    const auto pruned = npuzzle::with_move_pruning(puzzle, pruning);
#ifdef CONTROL
    npuzzle::for_each_reachable(puzzle, puzzle.goal(), [](const auto&, int) {});
#else
    npuzzle::for_each_reachable(pruned, puzzle.goal(), [](const auto&, int) {});
#endif
}
