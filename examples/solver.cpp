// test: examples/puzzles/puzzle3x3-04.txt
// Solves sliding-tile puzzles. Compile: g++ -std=c++20 -O2 -I include examples/solver.cpp -o solver
// Run: solver --help     (table_solver.cpp also solves hard 5 x 5 puzzles, with tables on the disk)

#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/search/memory/available_memory.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

constexpr std::string_view help = R"(usage: solver [FILE]...
Solves sliding-tile puzzles, each in the fewest moves. A file holds the n x n tiles row by row, 0 for the blank.
Without a file, or for the file -, it reads standard input.
Exit status: 0 solved, 1 unsolvable, 2 bad input, 3 out of memory.
)";

int solve(std::string_view file) try {
    const npuzzle::Board board =
        file == "-" ? npuzzle::read_board(std::cin, "standard input") : npuzzle::read_board_file(file);
    bool is_told = false;
    const auto tell = [&](const npuzzle::SolverProgress& now) {
        if (now.statistics.seconds < 10 || std::exchange(is_told, true)) return;
        std::cerr << npuzzle::printable(file)
                  << ": this takes long; scripts/solve builds tables, which shorten long searches\n";
    };
    const npuzzle::Solver solver(board,
                                 {.progress = tell, .limits = {.bytes = npuzzle::default_memory_limit()}});
    if (!solver.is_solvable()) {
        std::cout << "No solution possible\n";
        if (const std::string_view goal = npuzzle::reachable_goal(board); !goal.empty()) {
            std::cerr << npuzzle::printable(file)
                      << ": there is a solution to another goal, by the program npuzzle: npuzzle solve "
                      << "--goal " << goal << '\n';
        }
        return 1;
    }
    if (!solver.solution()) {
        std::cerr << npuzzle::printable(file) << ": no solution found: " << solver.status() << '\n';
        return 3;
    }
    std::cout << "Minimum number of moves = " << solver.moves() << '\n';
    for (const npuzzle::Board& step : *solver.solution()) std::cout << step << '\n';
    return 0;
} catch (const std::bad_alloc&) {
    std::cerr << npuzzle::printable(file) << ": out of memory\n";
    return 3;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
}

int main(int argc, char* argv[]) {
    std::vector<std::string_view> files(argv + 1, argv + argc);
    const auto asks_for_help = [](std::string_view file) { return file == "--help" || file == "-h"; };
    if (std::any_of(files.begin(), files.end(), asks_for_help)) {
        std::cout << help;
        return 0;
    }
    if (files.empty()) files.push_back("-");
    constexpr int gravity[] = {0, 1, 3, 2};
    int exit_status = 0;
    for (const std::string_view file : files) {
        if (files.size() > 1) std::cout << npuzzle::printable(file) << ":\n";
        if (const int status = solve(file); gravity[status] > gravity[exit_status]) exit_status = status;
    }
    return std::cout.flush() ? exit_status : 2;
}
