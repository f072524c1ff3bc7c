// test: examples/puzzles/puzzle3x3-04.txt
// Solves sliding-tile puzzles as solver.cpp does, and hard 5 x 5 puzzles with tables of pattern databases.
// Compile: g++ -std=c++20 -O2 -I include examples/table_solver.cpp -o table_solver     Run: table_solver --help

#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/puzzle/solver_tables.hpp>
#include <npuzzle/search/memory/available_memory.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <vector>

constexpr std::string_view help = R"(usage: table_solver [--tables] [FILE]...
Solves sliding-tile puzzles, each in the fewest moves. A file holds the size n, then the n x n tiles row by row,
0 for the blank. Without a file, or for the file -, it reads standard input. Tables of pattern databases are built
at the first 5 x 5 puzzle that needs them, and kept.
  --tables  build them for 4 x 4, too, which makes many puzzles faster
Exit status: 0 solved or unsolvable, 2 bad input, 3 out of memory.
)";

npuzzle::SolverTables tables_for(bool all_sizes) {
    npuzzle::SolverTableOptions options;
    if (all_sizes) options.use = npuzzle::TableUse::build_if_missing;
    options.store.build.progress = [](const npuzzle::BuildProgress& progress) {
        std::cerr << "\rbuilding tables: " << progress.shape.to_string() << ' '
                  << static_cast<int>(progress.percent()) << " %" << (progress.percent() < 100 ? "" : "\n");
    };
    return npuzzle::solver_tables(options);
}

int solve(std::string_view file, const npuzzle::SolverTables& tables) {
    const npuzzle::Board board =
        file == "-" ? npuzzle::read_board(std::cin, "standard input") : npuzzle::read_board_file(file);
    const npuzzle::Solver solver(board,
                                 {.tables = tables, .limits = {.bytes = npuzzle::default_memory_limit()}});
    if (!solver.is_solvable()) {
        std::cout << "No solution possible\n";
    } else if (!solver.solution()) {
        std::cerr << npuzzle::printable(file) << ": no solution found: " << solver.status() << '\n';
        return 3;
    } else {
        std::cout << "Minimum number of moves = " << solver.moves() << '\n';
        for (const npuzzle::Board& step : *solver.solution()) std::cout << step << '\n';
    }
    return 0;
}

int main(int argc, char* argv[]) try {
    std::vector<std::string_view> files(argv + 1, argv + argc);
    const npuzzle::SolverTables tables = tables_for(std::erase(files, "--tables") > 0);
    if (std::erase(files, "--help") + std::erase(files, "-h") > 0) {
        std::cout << help;
        return 0;
    }
    if (files.empty()) files.push_back("-");
    int exit_status = 0;
    for (const std::string_view file : files) {
        if (files.size() > 1) std::cout << npuzzle::printable(file) << ":\n";
        exit_status = std::max(exit_status, solve(file, tables));
    }
    return exit_status;
} catch (const std::bad_alloc&) {
    std::cerr << "out of memory\n";
    return 3;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
}
