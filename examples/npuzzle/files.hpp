#pragma once

#include <npuzzle/puzzle/board.hpp>

#include <fstream>
#include <ostream>
#include <string>
#include <string_view>

namespace program {

// The board in a file, or on the standard input for "-".
npuzzle::Board read_board(const std::string& file);

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
