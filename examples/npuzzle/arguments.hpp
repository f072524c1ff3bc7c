#pragma once

namespace program {

// Reads the command line, and runs the command that it names.
int run(int argc, char* argv[]);

} // namespace program
