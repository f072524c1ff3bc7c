#include "interrupt.hpp"

#include <chrono>
#include <csignal>
#include <thread>

namespace program {

namespace {

npuzzle::StopSource& source() {
    static npuzzle::StopSource stop;
    return stop;
}

} // namespace

void handle_interrupts() {
    // A thread waits for the signal, because a signal handler may not request a stop. All other threads
    // inherit the mask.
    sigset_t interrupts;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    if (pthread_sigmask(SIG_BLOCK, &interrupts, nullptr) != 0) return;
    std::thread([interrupts, stop = source()]() mutable {
        int received = 0;
        if (sigwait(&interrupts, &received) != 0) return;
        stop.request_stop();
        // A second signal ends the program at once. Signals that come together count as one: `timeout` sends
        // one to the program and one to its group.
        std::this_thread::sleep_for(std::chrono::milliseconds{200});
        sigset_t pending;
        if (sigpending(&pending) == 0 && sigismember(&pending, received) == 1)
            sigwait(&interrupts, &received);
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
        pthread_sigmask(SIG_UNBLOCK, &interrupts, nullptr);
        // Only this thread accepts the second signal.
        for (;;) std::this_thread::sleep_for(std::chrono::hours{1});
    }).detach();
}

npuzzle::StopToken interrupted() {
    return source().get_token();
}

} // namespace program
