// Answers as JSON; docs/program.schema.json says what is in them.
#pragma once

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/puzzle/move.hpp>

#include "output.hpp"

#include <nlohmann/json.hpp>
#include <vector>

namespace program {

using Json = nlohmann::ordered_json;

Json names_of(const std::vector<npuzzle::Move>& moves);
Json rows_of(const npuzzle::Board& board);

// An object on one line, so that several are JSON Lines. Names of files need not be UTF-8; what is not, is
// replaced.
void write_line(Output& output, const Json& json);

} // namespace program
