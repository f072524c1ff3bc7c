// page DIRECTORY: writes the pages that the browser test opens.

#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/visual/solution.hpp>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

void write(const std::filesystem::path& file, const std::vector<npuzzle::Board>& boards,
           const npuzzle::SolutionHtmlOptions& options) {
    std::ofstream out(file, std::ios_base::binary);
    out.exceptions(std::ios_base::badbit | std::ios_base::failbit);
    npuzzle::write_solution_html(out, boards, options);
}

std::vector<npuzzle::Board> solution_of(const std::string& puzzle) {
    return npuzzle::Solver(npuzzle::read_board_file(puzzle)).solution().value();
}

} // namespace

int main(int argc, char* argv[]) try {
    if (argc != 2) {
        std::cerr << "usage: page DIRECTORY\n";
        return 2;
    }
    const std::filesystem::path directory = argv[1];
    write(directory / "puzzle3x3-11.html", solution_of("examples/puzzles/puzzle3x3-11.txt"),
          {.milliseconds_per_move = 100});
    write(directory / "puzzle4x4-30.html", solution_of("examples/puzzles/puzzle4x4-30.txt"),
          {.title = "Thirty moves of the 15-puzzle <played>"});
    write(directory / "solved.html", {npuzzle::goal_blank_last(11)}, {});
} catch (const std::exception& error) {
    std::cerr << "page: " << error.what() << '\n';
    return 1;
}
