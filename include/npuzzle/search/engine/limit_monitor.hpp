#pragma once

#include "npuzzle/search/core/limits.hpp"

#include <cstdint>
#include <utility>

namespace npuzzle::detail {

/// Checks limits every so many expansions: at most a few milliseconds late, and at no measurable cost.
class LimitMonitor {
public:
    using Clock = std::chrono::steady_clock;

    explicit LimitMonitor(Limits limits)
        : limits_(std::move(limits)), started_(Clock::now()), last_(started_) {}

    /// Starts counting again.
    void restart() {
        started_ = Clock::now();
        last_ = started_;
        next_ = 0;
    }

    /// How many states may be expanded.
    [[nodiscard]] std::uint64_t expansions() const noexcept { return limits_.expansions; }

    /// True if `check` is to be called before the next expansion.
    [[nodiscard]] bool is_due(std::uint64_t expanded) const noexcept { return expanded >= next_; }

    /// How many expansions may be made before `check` is to be called: a power of two, `most` if it is one, at
    /// least 1.
    [[nodiscard]] std::uint64_t grant(std::uint64_t expanded, std::uint64_t most) const noexcept {
        std::uint64_t granted = 1;
        while (granted < most && !is_due(expanded + 2 * granted)) {
            granted *= 2;
        }
        return granted;
    }

    /// The limit that has been reached, or `Status::running`.
    /// \param is_periodic whether it is to be called every few milliseconds even if there is no limit to look at
    [[nodiscard]] SearchStatus check(std::uint64_t expanded, bool is_periodic = true) {
        if (expanded >= limits_.expansions) {
            return SearchStatus::expansion_limit;
        }
        if (!is_periodic && limits_.time == (std::chrono::nanoseconds::max)() &&
            !limits_.stop.stop_possible()) {
            next_ = limits_.expansions; // A small search would spend much of its time on reading the clock.
            return SearchStatus::running;
        }
        if (limits_.stop.stop_requested()) {
            return SearchStatus::cancelled;
        }
        const Clock::time_point now = Clock::now();
        if (now - started_ >= limits_.time) {
            return SearchStatus::time_limit;
        }
        adapt(now - last_);
        last_ = now;
        next_ = limits_.expansions - expanded > interval_ ? expanded + interval_ : limits_.expansions;
        return SearchStatus::running;
    }

    /// Wall-clock time since it was made, or since `restart`.
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - started_).count();
    }

private:
    /// Expansions take nanoseconds in one problem and seconds in another: adapts the interval to about 4 ms.
    void adapt(Clock::duration since_last) {
        if (since_last < std::chrono::milliseconds{2} && interval_ < longest_interval) {
            interval_ *= 2;
        } else if (since_last > std::chrono::milliseconds{8} && interval_ > 1) {
            interval_ /= 2;
        }
    }

    static constexpr std::uint64_t longest_interval = std::uint64_t{1} << 16;

    Limits limits_;
    Clock::time_point started_;
    Clock::time_point last_;
    std::uint64_t interval_ = 1;
    std::uint64_t next_ = 0;
};

/// Checks the time and the stop of limits during work that is not a search.
class WorkMonitor {
public:
    explicit WorkMonitor(Limits limits) : monitor_(without_expansions(std::move(limits))) {}

    /// Counts a step of work; false if a limit has been reached.
    [[nodiscard]] bool may_work() {
        if (monitor_.is_due(work_)) {
            status_ = monitor_.check(work_);
        }
        ++work_;
        return status_ == SearchStatus::running;
    }

    /// The limit that has been reached.
    [[nodiscard]] SearchStatus status() const noexcept { return status_; }

private:
    static Limits without_expansions(Limits limits) {
        limits.expansions = Limits::unlimited;
        return limits;
    }

    LimitMonitor monitor_;
    std::uint64_t work_ = 0;
    SearchStatus status_ = SearchStatus::running;
};

} // namespace npuzzle::detail
