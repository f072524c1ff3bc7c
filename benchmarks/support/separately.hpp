#pragma once

#include "support/answers.hpp"

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sys/wait.h>
#include <system_error>
#include <type_traits>
#include <unistd.h>

namespace benchmarks {

/// Runs work in a separate process and returns its result. In one process, the state of the allocator after
/// one contestant slows down the next: a heap in which millions of small blocks were freed in any order
/// returns memory that is not in the cache.
template <class Work>
std::invoke_result_t<Work> separately(Work&& work) {
    using Outcome = std::invoke_result_t<Work>;
    static_assert(std::is_trivially_copyable_v<Outcome>);
    int ends[2];
    if (pipe(ends) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    std::cout.flush();
    const pid_t child = fork();
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (child == 0) {
        int status = EXIT_FAILURE;
        try {
            const Outcome outcome = work();
            status = write(ends[1], &outcome, sizeof(outcome)) == ssize_t{sizeof(outcome)} ? EXIT_SUCCESS
                                                                                           : EXIT_FAILURE;
        } catch (const std::exception& error) {
            std::cerr << error.what() << '\n';
        }
        _exit(status);
    }
    close(ends[1]);
    Outcome outcome{};
    const ssize_t bytes = read(ends[0], &outcome, sizeof(outcome));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    require(bytes == ssize_t{sizeof(outcome)} && status == 0, "the work of another process failed");
    return outcome;
}

} // namespace benchmarks
