// test: examples/puzzles/puzzle3x3-11.txt
// Draws the solution of a puzzle: solution_svg FILE >picture.svg

#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/visual/solution.hpp>

#include <exception>
#include <iostream>

int main(int argc, char* argv[]) try {
    if (argc != 2) {
        std::cerr << "usage: solution_svg FILE\n";
        return 2;
    }
    const npuzzle::Solver solver(npuzzle::read_board_file(argv[1]), {.limits = {.bytes = 4'000'000'000}});
    if (!solver.solution()) {
        std::cerr << argv[1] << ": no solution to draw: " << solver.status() << '\n';
        return 1;
    }
    npuzzle::write_solution_svg(std::cout, *solver.solution());
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
}
