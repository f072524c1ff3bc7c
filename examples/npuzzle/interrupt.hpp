#pragma once

#include <stop_token>

namespace program {

// From now on Ctrl-C, or SIGTERM, does not end the program but its searches; a second one ends the program.
void handle_interrupts();

// Requested to stop by one of them.
std::stop_token interrupted();

} // namespace program
