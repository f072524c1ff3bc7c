#pragma once

#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/engine/expansion.hpp"
#include "npuzzle/search/engine/limit_monitor.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

namespace npuzzle {

namespace detail {

/// The status of a search that has nothing left to expand.
/// \param has_pruned whether some path was not followed since it costs too much
/// \param is_bounded whether it costs more than `max_cost` then
inline SearchStatus exhausted_status(bool has_pruned, bool is_bounded) noexcept {
    return !has_pruned  ? SearchStatus::unsolvable
           : is_bounded ? SearchStatus::cost_limit
                        : SearchStatus::cost_overflow;
}

/// \throws std::invalid_argument if the bound is NaN
template <class Cost>
const std::optional<Cost>& checked_max_cost(const std::optional<Cost>& max_cost) {
    if (max_cost && is_nan(*max_cost)) {
        throw std::invalid_argument("max_cost is not a number");
    }
    return max_cost;
}

} // namespace detail

/// What all engines have, whatever their types: status, limits, budget and statistics.
///
/// An engine refers to the problem, which must outlive it. The same holds for the heuristic, the observer and
/// other callables that were given as lvalues; their types are reference types then.
///
/// Its constructor throws `std::invalid_argument` if the start or the goal is no state of the problem or
/// `max_cost` is NaN, and what copying them, copying the heuristic or binding it throws. That may be
/// `std::bad_alloc`: there is no engine yet that could have a status. The functions return `memory_limit`
/// then. The limits hold for all of its work, also for further searches that find the path.
///
/// Exceptions. `step`, `run` and all other members that go on with the search give the basic guarantee: an
/// exception of the problem, the heuristic, the observer or a state passes through, and the status is
/// `failed`. Then the search does not go on, and the result has no path and no cost, until a member begins
/// the search again (`restart`, where an engine has it). `std::bad_alloc` from any of them does not pass
/// through; it ends the search with `memory_limit`. `result`, `statistics` and `status` change nothing.
class Engine {
public:
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    [[nodiscard]] SearchStatus status() const noexcept { return status_; }

protected:
    explicit Engine(const Limits& limits) : monitor_(limits), budget_(limits.bytes) {}
    ~Engine() = default;

    /// `statistics_`, with memory and time.
    NPUZZLE_NOINLINE Statistics measured() const {
        Statistics statistics = statistics_;
        statistics.bytes = (std::max)(statistics_.bytes, budget_.peak());
        statistics.seconds += status_ == SearchStatus::running ? monitor_.seconds() : seconds_;
        return statistics;
    }

    void end(SearchStatus status) {
        status_ = status;
        seconds_ = monitor_.seconds();
    }

    /// Runs again after an end, under new limits.
    void begin_under(const Limits& limits) {
        statistics_.seconds += seconds_;
        seconds_ = 0;
        monitor_ = detail::LimitMonitor(limits);
        budget_.set_limit(limits.bytes);
        status_ = SearchStatus::running;
    }

    /// `work()`; the end of the search if there is no memory for it, or if it throws.
    /// \param finish `finish(status)` ends the search and tells the observer
    template <class Work, class Finish>
    void guarded(Work&& work, Finish&& finish) {
        try {
            try {
                work();
            } catch (const std::bad_alloc&) {
                finish(SearchStatus::memory_limit);
            }
        } catch (const std::bad_alloc&) {
            end(SearchStatus::memory_limit); // The observer had no memory for what `finish` told it.
        } catch (...) {
            end(SearchStatus::failed);
            throw;
        }
    }

    /// Whether a step is to be followed that makes a path of this cost: see `detail::may_follow`.
    template <class Cost, class CanHold>
    bool may_follow(const Cost& step, const Cost& cost, CanHold&& can_hold) {
        return detail::may_follow(step, cost, can_hold, statistics_,
                                  [this](const Cost&) { pruned_by_bound_ = has_overflowed_ = true; });
    }

    /// The status of a search that has nothing left to expand.
    /// \param is_bounded whether paths that cost more than `max_cost` were not followed
    [[nodiscard]] SearchStatus exhausted(bool is_bounded) const {
        const bool may_be_nan = has_overflowed_ && statistics_.contract_violations > 0;
        return detail::exhausted_status(pruned_by_bound_, !may_be_nan && is_bounded);
    }

    /// A result, to which `add_path(result)` adds the path, unless the search has failed or there is no memory
    /// for it.
    /// \param get_statistics `get_statistics()` of the engine
    template <class Result, class GetStatistics, class AddPath>
    Result outcome(Result result, GetStatistics&& get_statistics, AddPath&& add_path) const {
        result.status = status_;
        result.statistics = get_statistics();
        if (status_ == SearchStatus::failed) {
            return result;
        }
        try {
            add_path(result);
        } catch (const std::bad_alloc&) {
            result = Result{};
            // A proof holds without a partial path, but not without the counts of a search by layers.
            constexpr bool is_whole = requires { result.partial_path; };
            result.status = detail::is_limit(status_) || (is_whole && detail::ends_without_goal(status_))
                                ? status_
                                : SearchStatus::memory_limit;
            result.statistics = get_statistics();
        }
        return result;
    }

    detail::LimitMonitor monitor_;
    MemoryBudget budget_;   // declared before the parts that refer to it
    Statistics statistics_; // its bytes and seconds are those of before, if the search was resumed
    double seconds_ = 0;    // when the search ended
    SearchStatus status_ = SearchStatus::running;
    bool pruned_by_bound_ = false; // some path was not followed since it costs too much
    bool has_overflowed_ = false;  // for a node, so that its end may not be stored
};

} // namespace npuzzle
