// The program `npuzzle`: solves, checks, makes and explains sliding-tile puzzles from the command line.
#include "arguments.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "terminal.hpp"

#include <csignal>
#include <exception>
#include <fcntl.h>
#include <fmt/core.h>
#include <new>
#include <unistd.h>

namespace {

// If one of the three standard files is closed, the next one that is opened would take its place, and
// messages would go into an answer. What is opened here instead can be neither read nor written as the place
// asks.
void hold_standard_files() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(number, F_GETFD) < 0) open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

} // namespace

int main(int argc, char* argv[]) try {
    hold_standard_files();
    // Writing to a closed pipe, or more than a file may hold, is then an error with a message.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    program::tell_truncation();
    program::handle_interrupts();
    return program::run(argc, argv);
} catch (const std::bad_alloc&) {
    program::print_error("npuzzle: out of memory\n");
    return program::exit_limit;
} catch (const program::Interrupted&) {
    program::print_note("npuzzle: cancelled\n");
    return program::exit_limit;
} catch (const std::exception& error) {
    program::print_error(fmt::format("npuzzle: {}\n", error.what()));
    return program::exit_bad_input;
}
