// Answers as JSON; docs/program.schema.json says what is in them.
#pragma once

#include "output.hpp"

#include <nlohmann/json.hpp>

namespace program {

using Json = nlohmann::ordered_json;

// An object on one line, so that several are JSON Lines. Names of files need not be UTF-8; what is not, is
// replaced.
void write_line(Output& output, const Json& json);

} // namespace program
