#pragma once

#include <npuzzle/search/core/stop.hpp>

namespace program {

// From now on Ctrl-C, or SIGTERM, does not end the program but its searches; a second one ends the program.
void handle_interrupts();

// Requested to stop by one of them.
npuzzle::StopToken interrupted();

} // namespace program
