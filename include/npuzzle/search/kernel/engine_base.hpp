#pragma once

#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/kernel/expansion.hpp"
#include "npuzzle/search/kernel/limit_monitor.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

/// \file
/// What all engines that can be stepped have in common.

namespace npuzzle {

namespace detail {

/// How a search ends that has nothing left to expand.
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

/// What engines have whatever their types: status, limits, budget and statistics. It is compiled once for all
/// of them.
///
/// The budget is set up before the parts of the engine, which refer to it, and goes after them.
class EngineState {
public:
    EngineState(const EngineState&) = delete;
    EngineState& operator=(const EngineState&) = delete;

    [[nodiscard]] SearchStatus status() const noexcept { return status_; }

protected:
    explicit EngineState(const Limits& limits) : monitor_(limits), budget_(limits.bytes) {}
    ~EngineState() = default;

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

    detail::LimitMonitor monitor_;
    MemoryBudget budget_;
    Statistics statistics_; // its bytes and seconds are those of before, if the search was resumed
    double seconds_ = 0;    // when the search ended
    SearchStatus status_ = SearchStatus::running;
    bool pruned_by_bound_ = false; // some path was not followed since it costs too much
    bool has_overflowed_ = false;  // for a node, so that its end may not be stored
};

/// The base of all engines: steps and runs a search, ends it when a limit is reached or memory runs out, and
/// reports its state.
///
/// An engine befriends it and has `advance()`: one expansion, or the end by `finish`. It may have, in place
/// of those that are here, `advance_many()`, `complete(statistics)` and `finish(status)`.
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
///
/// \tparam Engine what derives from it
/// \tparam Cost of what the limits bound
/// \tparam O the observer; a reference type to refer to an lvalue
template <class Engine, class Cost, class O>
class EngineBase : public EngineState {
public:
    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        guarded([&] {
            if (status_ == SearchStatus::running) {
                self().advance();
            }
        });
        return status_ == SearchStatus::running;
    }

    /// Steps to the end.
    SearchStatus run() {
        guarded([&] {
            while (status_ == SearchStatus::running) {
                self().advance_many();
            }
        });
        return status_;
    }

    /// What has been done so far.
    [[nodiscard]] NPUZZLE_NOINLINE Statistics statistics() const {
        Statistics statistics = measured();
        self().complete(statistics);
        return statistics;
    }

protected:
    EngineBase(const BasicLimits<Cost>& limits, O&& observer)
        : EngineState(limits), observer_(std::forward<O>(observer)),
          max_cost_(detail::checked_max_cost(limits.max_cost)) {}
    ~EngineBase() = default;

    /// What `run` does by turns.
    void advance_many() { self().advance(); }

    /// Adds what is not in `statistics_`.
    void complete(Statistics& /*statistics*/) const {}

    NPUZZLE_NOINLINE void finish(SearchStatus status) {
        end(status);
        if constexpr (!is_silent) {
            observer_.progress(statistics());
        }
    }

    /// `work()`; the end of the search if there is no memory for it, or if it throws.
    template <class F>
    void guarded(F&& work) {
        try {
            try {
                work();
            } catch (const std::bad_alloc&) {
                self().finish(SearchStatus::memory_limit);
            }
        } catch (const std::bad_alloc&) {
            end(SearchStatus::memory_limit); // `finish` told the observer, which had no memory for that.
        } catch (...) {
            end(SearchStatus::failed);
            throw;
        }
    }

    /// Looks at the limits: to be called when the monitor says that it is due. True if one of them has ended
    /// the search, else the observer is told of the progress.
    template <class... Bound>
    bool is_stopped(std::uint64_t expanded, const Bound&... bound) {
        if (const SearchStatus limit = monitor_.check(expanded, !is_silent); limit != SearchStatus::running) {
            self().finish(limit);
            return true;
        }
        if constexpr (!is_silent) {
            detail::tell_progress(observer_, statistics(), bound...);
        }
        return false;
    }

    /// Whether a step is to be followed that makes a path of this cost: see `detail::may_follow`.
    template <class CanHold>
    bool may_follow(const Cost& step, const Cost& cost, CanHold&& can_hold) {
        return detail::may_follow(step, cost, can_hold, statistics_,
                                  [this](const Cost&) { pruned_by_bound_ = has_overflowed_ = true; });
    }

    /// How a search ends that has nothing left to expand.
    /// \param can_hold whether nodes can have such a cost
    template <class CanHold>
    SearchStatus exhausted(CanHold&& can_hold) const {
        const bool may_be_nan = has_overflowed_ && statistics_.contract_violations > 0;
        return detail::exhausted_status(pruned_by_bound_,
                                        !may_be_nan && detail::is_bound(max_cost_, can_hold));
    }
    SearchStatus exhausted() const { return exhausted(detail::is_finite); }

    /// The outcome, once `add_path(result)` has added the path; without it if there is no memory for that, or
    /// if the search has failed.
    template <class Result, class F>
    Result outcome(Result result, F&& add_path) const {
        result.status = status_;
        result.statistics = statistics();
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
            result.statistics = statistics();
        }
        return result;
    }

    O observer_;
    std::optional<Cost> max_cost_;

private:
    /// Whether nobody is told of the progress.
    static constexpr bool is_silent = std::same_as<std::remove_cvref_t<O>, SilentObserver>;

    Engine& self() { return static_cast<Engine&>(*this); }
    const Engine& self() const { return static_cast<const Engine&>(*this); }
};

} // namespace npuzzle
