#pragma once

#include <npuzzle/search/core/limits.hpp>

#include <stdexcept>

namespace program {

// From now on, Ctrl-C or SIGTERM requests a stop: it ends reading, and the searches with what is known. A
// second one ends the program. So does SIGTERM by itself if the program has not ended two seconds later.
void handle_interrupts();

// From now on, a table's file that is truncated while it is in use ends the program with a message.
void tell_truncation();

// Stop is requested by either of them.
npuzzle::StopToken interrupted();

// Waits until a file descriptor can be read (`events` POLLIN) or written (POLLOUT) without waiting. False if
// a stop is requested before that.
bool wait_for(int descriptor, short events);

// Ends what waits for somebody else when a stop is requested.
struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("cancelled") {}
};

} // namespace program
