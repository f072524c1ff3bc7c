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

// The board in a file, or on standard input for "-".
npuzzle::Board read_board(const std::string& file);

// A board of a file, or the reason why there is none.
struct Source {
    std::string file;
    std::string name; // the file's name, and the board's number if the file has several
    std::optional<npuzzle::Board> board;
    std::string error = {};
    int exit = exit_bad_input; // if there is no board
};

// The boards of files, in their order. A file may have several boards, one after another, as
// `npuzzle random --count 10` prints them.
std::vector<Source> read_boards(const std::vector<std::string>& files);

// The goal with this name for boards of size n: blank-last, blank-first, spiral or a file.
npuzzle::Board goal_named(const std::string& name, int n);

// Where the answer goes: standard output, or a file.
class Output {
public:
    // Standard output if `file` is empty or -. Throws if the file cannot be written, so construct it before
    // the work.
    explicit Output(const std::string& file = {});

    // Throws with the reason if it cannot write.
    void write(std::string_view text);

    // Writes what is still buffered. Call it at the end, and where somebody waits for the output.
    void flush();

private:
    std::string held_back_;
    std::string name_;
    std::ofstream file_;
    std::ostream* stream_;
    bool is_begun_ = false;
};

} // namespace program
