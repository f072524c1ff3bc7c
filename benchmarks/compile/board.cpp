// A program that includes the whole puzzle and uses `Board` alone: what a header costs those who do not use
// it.

#include <npuzzle/puzzle.hpp>

int main() {
    const npuzzle::Board board{{0, 1, 3}, {4, 2, 5}, {7, 8, 6}};
    return board.is_solvable() && board.manhattan() == 4 && board.neighbors().size() == 2 ? 0 : 1;
}
