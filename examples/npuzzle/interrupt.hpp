#pragma once

#include <stop_token>

namespace program {

// From now on Ctrl-C does not end the program but its searches; a second one ends the program.
void handle_interrupts();

// Requested to stop by Ctrl-C.
std::stop_token interrupted();

} // namespace program
