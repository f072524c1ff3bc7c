#pragma once

#include <npuzzle/search/core/stop.hpp>

namespace program {

// From now on, Ctrl-C or SIGTERM ends the searches and not the program. A second one ends the program.
void handle_interrupts();

// Stop is requested by either of them.
npuzzle::StopToken interrupted();

} // namespace program
