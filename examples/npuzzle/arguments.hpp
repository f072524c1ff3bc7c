#pragma once

namespace program {

// Parses the command line, and runs the command that it names.
int run(int argc, char* argv[]);

} // namespace program
