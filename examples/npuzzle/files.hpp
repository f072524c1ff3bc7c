#pragma once

#include <npuzzle/puzzle/board.hpp>

#include "options.hpp"

#include <fstream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace program {

// The board in a file, or on the standard input for "-".
npuzzle::Board read_board(const std::string& file);

// A board of a file, or why there is none.
struct Source {
    std::string file;
    std::string name; // of the board: that of the file, and which one it is if the file has several
    std::optional<npuzzle::Board> board;
    std::string error = {};
    int exit = exit_bad_input; // if there is no board
};

// The boards of files, in their order. A file may have several, one after another, as `npuzzle random --count 10` prints them.
std::vector<Source> read_boards(const std::vector<std::string>& files);

// The goal of that name for boards of size n: blank-last, blank-first, spiral or a file.
npuzzle::Board goal_named(const std::string& name, int n);

// Where the answer goes: the standard output, or a file.
class Output {
public:
    // The standard output if `file` is empty or -. Throws if the file cannot be written; to be made before the work, therefore.
    explicit Output(const std::string& file = {});

    // Throws if that cannot be done, with the reason.
    void write(std::string_view text);

    // Writes what is still held back. To be called at the end, and where somebody waits to see it.
    void flush();

private:
    std::string held_back_;
    std::string name_;
    std::ofstream file_;
    std::ostream* stream_;
    bool is_begun_ = false;
};

} // namespace program
