// The formats in which `solve` answers.
#pragma once

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/puzzle/move.hpp>

#include "files.hpp"
#include "search.hpp"

#include <string>
#include <vector>

namespace program {

// What was found for one file.
struct Answer {
    std::string file;
    npuzzle::Board board;
    Outcome outcome;
    std::vector<std::vector<npuzzle::Move>> solutions = {}; // all of them, where they were asked for
};

// A column for each, so that the first line of CSV belongs to them all.
extern const char* const csv_header;

// A line of moves: "up left left".
std::string moves_text(const std::vector<npuzzle::Move>& moves);

void write_text(Output& output, const Answer& answer);
void write_moves(Output& output, const Answer& answer);
void write_json(Output& output, const Answer& answer);
void write_csv(Output& output, const Answer& answer);
void write_html(Output& output, const Answer& answer);
void write_svg(Output& output, const Answer& answer);

} // namespace program
