#include "options.hpp"
#include "truncation.hpp"

#include <csignal>
#include <string_view>
#include <unistd.h>

namespace program {

void tell_truncation() {
    std::signal(SIGBUS, [](int) {
        constexpr std::string_view message = "npuzzle: a table's file was truncated or cannot be read any "
                                             "more while it was in use; npuzzle pdb "
                                             "verify finds which\n";
        // Nothing else is safe here.
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
        ::_exit(exit_bad_input);
    });
}

} // namespace program
