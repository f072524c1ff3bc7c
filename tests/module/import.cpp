// A search and a puzzle by the module in place of the headers.

#include <cstdlib>
#include <iostream>
#include <vector>

import npuzzle;

int main() {
    const auto neighbors = [](int number) { return std::vector<int>{number + 1, number * 2}; };
    const auto result =
        npuzzle::astar(1, neighbors, [](int) { return 0; }, [](int number) { return number == 100; });
    std::cout << result.cost << " steps from 1 to 100\n";

    const npuzzle::Board board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    const npuzzle::Solver solver(board);
    std::cout << board << solver.moves() << " moves\n";
    return result.status == npuzzle::Status::solved ? EXIT_SUCCESS : EXIT_FAILURE;
}
