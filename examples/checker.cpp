// test: examples/puzzles
// Solves many puzzle files, and prints one line for each: its name and the least number of moves, or -1 if
// there is no solution. If a file is called puzzle3x3-04.txt or puzzle3x3-unsolvable1.txt, the result is
// compared with the name.
// Run: checker FILE|FOLDER...     for a folder, it takes all .txt files

#include <npuzzle/io/parse.hpp>
#include <npuzzle/io/printable.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/puzzle/solver_tables.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
    std::vector<std::filesystem::path> files;
    std::error_code not_a_folder;
    for (const auto& entry : std::filesystem::directory_iterator(path, not_a_folder)) {
        if (entry.path().extension() == ".txt") files.push_back(entry.path());
    }
    if (not_a_folder) return {path};
    std::sort(files.begin(), files.end());
    return files;
}

// The number of moves that a file's name states, after its last hyphen.
std::optional<int> promised_moves(const std::filesystem::path& file) {
    const std::string name = file.stem().string();
    const auto hyphen = name.rfind('-');
    if (hyphen == std::string::npos) return std::nullopt;
    const std::string promise = name.substr(hyphen + 1);
    if (promise.starts_with("unsolvable")) return -1;
    int moves = 0;
    const char* const end = promise.data() + promise.size();
    const auto parsed = std::from_chars(promise.data(), end, moves);
    return parsed.ec == std::errc{} && parsed.ptr == end ? std::optional(moves) : std::nullopt;
}

// Whether the file holds a board, and the board was solved or found unsolvable, as its name says.
bool check(const std::filesystem::path& file) try {
    const npuzzle::Board board = npuzzle::read_board_file(file);
    const npuzzle::Solver solver(board,
                                 {.tables = npuzzle::solver_tables({.use = npuzzle::TableUse::if_there}),
                                  .limits = {.bytes = 4'000'000'000, .time = std::chrono::minutes{1}}});
    if (solver.is_solvable() && !solver.solution()) {
        std::cerr << npuzzle::printable(file.string()) << ": no solution found: " << solver.status()
                  << std::endl;
        return false;
    }
    const int promised = promised_moves(file).value_or(solver.moves());
    std::cout << npuzzle::printable(file.string()) << "  " << solver.moves();
    if (promised != solver.moves()) std::cout << "  but its name says " << promised;
    std::cout << std::endl;
    return promised == solver.moves();
} catch (const std::bad_alloc&) {
    std::cerr << npuzzle::printable(file.string()) << ": out of memory" << std::endl;
    return false;
} catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return false;
}

int main(int argc, char* argv[]) {
    if (argc < 2) {
        std::cerr << "usage: checker FILE|FOLDER...\n";
        return 2;
    }
    int failed = 0;
    for (const std::string_view argument : std::vector<std::string_view>(argv + 1, argv + argc)) {
        for (const std::filesystem::path& file : files_of(argument)) failed += check(file) ? 0 : 1;
    }
    return failed == 0 ? 0 : 1;
}
