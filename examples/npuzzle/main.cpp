// The program `npuzzle`: solves, checks, makes and explains sliding-tile puzzles from the command line.
#include "arguments.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "terminal.hpp"

#include <csignal>
#include <exception>
#include <fmt/core.h>
#include <new>

int main(int argc, char* argv[]) try {
    std::signal(SIGPIPE, SIG_IGN); // Writing to a closed pipe is then an error with a message.
    program::handle_interrupts();
    return program::run(argc, argv);
} catch (const std::bad_alloc&) {
    program::print_error("npuzzle: out of memory\n");
    return program::exit_limit;
} catch (const std::exception& error) {
    program::print_error(fmt::format("npuzzle: {}\n", error.what()));
    return program::exit_bad_input;
}
