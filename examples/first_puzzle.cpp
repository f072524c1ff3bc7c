// test:
// A sliding-tile puzzle, solved.

#include <npuzzle/puzzle/solver.hpp>

#include <iostream>

int main() {
    const npuzzle::Board board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    const npuzzle::Solver solver(board);
    if (!solver.is_solvable()) {
        std::cout << "No solution possible\n";
    } else {
        std::cout << "Minimum number of moves = " << solver.moves() << '\n';
        for (const npuzzle::Board& step : *solver.solution()) std::cout << step << '\n';
    }
}
