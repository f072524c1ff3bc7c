// test: --trace examples/puzzles/puzzle3x3-04.txt examples/puzzles/puzzle2x2-unsolvable1.txt
// Solves sliding-tile puzzles. Compile: g++ -std=c++20 -O2 -I include examples/solver.cpp -o solver
// Run: solver --help

#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/search/memory/available_memory.hpp>
#include <npuzzle/search/queue_trace.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <vector>

constexpr std::string_view help = R"(usage: solver [--trace] [--tables] [FILE]...
Solves sliding-tile puzzles, each in the fewest moves. A file holds the size n, then the n x n tiles row by row,
0 for the blank. Without a file, or for the file -, it reads standard input.
  --trace   print the queue of A* before each dequeue, at most 100 times
  --tables  build the tables of pattern databases for 4 x 4, which makes many boards faster
Exit status: 0 solved or unsolvable, 2 bad input, 3 out of memory.
)";

// The queue of the classical assignment's A* before each dequeue, at most 100 times: (priority, moves,
// manhattan).
void print_trace(const npuzzle::Board& board) {
    npuzzle::QueueTrace<npuzzle::SlidingPuzzle<>, npuzzle::Manhattan> trace;
    const auto result = npuzzle::astar<npuzzle::ParentOnly>(npuzzle::SlidingPuzzle(board.size()), board,
                                                            npuzzle::Manhattan{}, {.expansions = 100}, trace);
    std::cout << trace << trace.steps().size() << " dequeues, " << trace.enqueued() << " enqueues"
              << (result ? "\n\n" : " so far\n\n");
}

// Up to 5 x 5, a board is part of its node. Larger boards own memory, which `bytes` does not count.
npuzzle::Limits limits_for(const npuzzle::Board& board) {
    const std::uint64_t bytes = npuzzle::default_memory_limit();
    if (board.size() <= 5) return {.bytes = bytes};
    return {.bytes = bytes / static_cast<std::uint64_t>(board.cells()) * 12};
}

// Tables of pattern databases are built at the first 5 x 5 board that needs them, and with --tables for 4 x
// 4.
npuzzle::SolverOptions options_for(const npuzzle::Board& board, bool with_tables) {
    npuzzle::SolverOptions options;
    options.limits = limits_for(board);
    if (with_tables) options.tables = npuzzle::TableUse::build_if_missing;
    options.store.build.progress = [](const npuzzle::BuildProgress& progress) {
        std::cerr << "\rbuilding tables: " << progress.shape.to_string() << ' '
                  << static_cast<int>(progress.percent()) << " %" << (progress.percent() < 100 ? "" : "\n");
    };
    return options;
}

int solve(std::string_view file, bool with_trace, bool with_tables) {
    const npuzzle::Board board =
        file == "-" ? npuzzle::read_board(std::cin, "standard input") : npuzzle::read_board_file(file);
    if (with_trace && board.is_solvable()) print_trace(board);

    const npuzzle::Solver solver(board, options_for(board, with_tables));
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
    const bool with_trace = std::erase(files, "--trace") > 0;
    const bool with_tables = std::erase(files, "--tables") > 0;
    if (std::erase(files, "--help") + std::erase(files, "-h") > 0) {
        std::cout << help;
        return 0;
    }
    if (files.empty()) files.push_back("-");
    int exit_status = 0;
    for (const std::string_view file : files) {
        if (files.size() > 1) std::cout << npuzzle::printable(file) << ":\n";
        exit_status = std::max(exit_status, solve(file, with_trace, with_tables));
    }
    return exit_status;
} catch (const std::bad_alloc&) {
    std::cerr << "out of memory\n";
    return 3;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
}
