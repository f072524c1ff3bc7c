#pragma once

#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/engine/engine.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace npuzzle {

/// The limits without the expansions and the time that a search used.
template <class Cost>
[[nodiscard]] BasicLimits<Cost> remaining(BasicLimits<Cost> limits, const Statistics& used) {
    if (limits.expansions != Limits::unlimited) {
        limits.expansions -= (std::min)(used.expanded, limits.expansions);
    }
    if (std::chrono::nanoseconds::zero() < limits.time && limits.time != (std::chrono::nanoseconds::max)()) {
        limits.time -= TimeLimit(std::chrono::duration<double>(used.seconds));
    }
    return limits;
}

namespace detail {

/// Checks the time and the stop of limits during work that is not a search.
class WorkMonitor {
public:
    explicit WorkMonitor(Limits limits) : monitor_(without_expansions(std::move(limits))) {}

    /// Counts a step of work; false if a limit has been reached.
    bool may_work() {
        if (monitor_.is_due(work_)) status_ = monitor_.check(work_);
        ++work_;
        return status_ == SearchStatus::running;
    }

    /// The limit that has been reached.
    SearchStatus status() const noexcept { return status_; }

private:
    static Limits without_expansions(Limits limits) {
        limits.expansions = Limits::unlimited;
        return limits;
    }

    LimitMonitor monitor_;
    std::uint64_t work_ = 0;
    SearchStatus status_ = SearchStatus::running;
};

} // namespace detail
} // namespace npuzzle
