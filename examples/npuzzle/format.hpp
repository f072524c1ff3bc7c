// The output formats of `solve`.
#pragma once

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/puzzle/move.hpp>

#include "output.hpp"
#include "search.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace program {

// The result for one file.
struct Answer {
    std::string file;
    npuzzle::Board board;
    Outcome outcome;
    std::vector<std::vector<npuzzle::Move>> solutions = {}; // all solutions, if requested
};

// The bytes that the boards of a solution take as text, and how many are too many to print them.
std::uint64_t bytes_of_boards(const npuzzle::Board& board, const std::vector<npuzzle::Move>& moves);
inline constexpr std::uint64_t max_bytes_of_boards = 10'000'000;

// "1.5 MB"
std::string bytes_in_words(std::uint64_t bytes);

// Moves on one line: "up left left".
std::string moves_text(const std::vector<npuzzle::Move>& moves);

void write_text(Output& output, const Answer& answer);
void write_moves(Output& output, const Answer& answer);
void write_json(Output& output, const Answer& answer);
void write_html(Output& output, const Answer& answer);
void write_svg(Output& output, const Answer& answer);

} // namespace program
