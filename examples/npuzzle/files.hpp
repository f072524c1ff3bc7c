#pragma once

#include <npuzzle/puzzle/board.hpp>

#include "options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace program {

// The board in a file, or on standard input for "-". Everything here reads a file once, so it may be a pipe,
// and throws `Interrupted` when a stop is requested.
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

// The goal with this name for boards of size n: blank-last, blank-first, spiral or a file, which is read the
// first time.
npuzzle::Board goal_named(const std::string& name, int n);

} // namespace program
