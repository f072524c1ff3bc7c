#pragma once

#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/engine/engine.hpp"

#include <cstdint>
#include <utility>

namespace npuzzle::detail {

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

} // namespace npuzzle::detail
