// test:
// The README's third program: a heuristic of your own, given to the solver.

#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/solver.hpp>

#include <iostream>

// A move takes one tile to another row or another column, so it reduces the count by at most one.
int tiles_out_of_row_or_column(const npuzzle::Board& board) {
    const int n = board.size();
    int out = 0;
    for (int cell = 0; cell < board.cells(); ++cell) {
        const int home = board.tile(cell) - 1;
        if (home < 0) continue; // the blank
        if (home / n != cell / n) ++out;
        if (home % n != cell % n) ++out;
    }
    return out;
}

int main() {
    const npuzzle::Board board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    const npuzzle::Solver ours(board, tiles_out_of_row_or_column);
    const npuzzle::Solver hamming(board, npuzzle::Hamming{});
    std::cout << ours.moves() << " moves, " << ours.statistics().expanded << " boards expanded; with Hamming "
              << hamming.moves() << " moves, " << hamming.statistics().expanded << " boards\n";
    return ours.moves() == hamming.moves() ? 0 : 1;
}
