#include "interrupt.hpp"
#include "options.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace program {

namespace {

npuzzle::StopSource& source() {
    static npuzzle::StopSource stop;
    return stop;
}

// The end of a pipe that can be read as soon as a stop is requested.
int stop_descriptor = -1;

// The next of these signals, or `otherwise` after that time.
int next_signal(const sigset_t& signals, std::chrono::milliseconds time, int otherwise) {
    using Clock = std::chrono::steady_clock;
    for (const auto begun = Clock::now(); Clock::now() - begun < time;) {
        sigset_t pending;
        int received = 0;
        if (sigpending(&pending) == 0 &&
            (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1) &&
            sigwait(&signals, &received) == 0) {
            return received;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    return otherwise;
}

[[noreturn]] void end_by(int signal, const sigset_t& signals) {
    std::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    raise(signal);
    _exit(128 + signal);
}

void watch(const sigset_t& signals, const npuzzle::StopSource& stop, int descriptor) {
    constexpr std::chrono::milliseconds together{200};
    constexpr std::chrono::milliseconds grace{2000};
    constexpr std::chrono::milliseconds for_ever = std::chrono::hours{1'000'000};
    int received = 0;
    if (sigwait(&signals, &received) != 0) return;
    stop.request_stop();
    close(descriptor);
    // Signals that come together count as one: `timeout` sends one to the program and one to its group.
    std::this_thread::sleep_for(together);
    sigset_t pending;
    int twin = 0;
    if (sigpending(&pending) == 0 && sigismember(&pending, received) == 1) sigwait(&signals, &twin);
    end_by(next_signal(signals, received == SIGTERM ? grace - together : for_ever, received), signals);
}

} // namespace

void handle_interrupts() {
    // A thread waits for the signal, because a signal handler may not do much. All other threads inherit the
    // mask.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    int ends[2];
    if (pipe(ends) != 0) return;
    for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
    if (pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0) return;
    stop_descriptor = ends[0];
    std::thread([signals, stop = source(), end = ends[1]] { watch(signals, stop, end); }).detach();
}

npuzzle::StopToken interrupted() {
    return source().get_token();
}

bool wait_for(int descriptor, short events) {
    pollfd files[] = {{descriptor, events, 0}, {stop_descriptor, POLLIN, 0}};
    while (poll(files, 2, -1) < 0) {
        if (errno != EINTR) return true; // so that reading or writing tells what is wrong
    }
    return files[0].revents != 0;
}

void tell_truncation() {
    std::signal(SIGBUS, [](int) {
        constexpr std::string_view message =
            "npuzzle: a table's file was truncated or cannot be read any more "
            "while it was in use; npuzzle pdb verify finds which\n";
        // Nothing else is safe here.
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
        ::_exit(exit_bad_input);
    });
}

} // namespace program
