#pragma once

#include "interrupt.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace program {

// Work on several boards: how much of it is done, on the progress line; what came of it; and what a stop left
// out.
class Batch {
public:
    // `count` boards, or whatever else; one that is alone shows no progress of its own.
    explicit Batch(std::uint64_t count, std::string what = "boards");
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    ~Batch();

    // Whether a board is not begun, because a stop was requested before.
    static bool is_over() { return interrupted().stop_requested(); }

    // One more is done, with the exit status that it alone would have.
    void add(int exit);

    // One more was left out.
    void leave_out(const std::string& name);

    bool has_left_out() const { return left_out_ > 0; }

    // "10 boards in 3.2 s: 8 solved, 1 unsolvable, 1 without a result"
    std::string summary() const;

    // A line on standard error about what was left out, if anything was.
    void tell_left_out() const;

private:
    using Clock = std::chrono::steady_clock;

    std::uint64_t count_;
    std::string what_;
    std::uint64_t done_ = 0;
    std::uint64_t left_out_ = 0;
    std::string first_left_out_;
    std::array<std::uint64_t, 5> by_exit_{};
    Clock::time_point begun_ = Clock::now();
    Clock::time_point next_ = begun_ + std::chrono::milliseconds{500};
    bool is_shown_;
};

} // namespace program
