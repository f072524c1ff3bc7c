#pragma once

#include "npuzzle/search/result.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <stop_token>
#include <thread> // for what is used of <chrono>, which takes a tenth of a second to compile
#include <type_traits>
#include <utility>

/// \file
/// What may end a search before its time, and the parts that watch over it.

namespace npuzzle {

/// What `BasicLimits<>` has in place of a bound on the cost.
struct NoCostLimit {};

/// Bounds on a search; by default there are none. `{.expansions = 1'000'000, .time = std::chrono::seconds{5}}`.
///
/// \tparam Cost the cost type of the problem, for a bound on the cost; `Limits` is without one, and converts
template <class Cost = void>
struct BasicLimits {
    static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

    /// The most states to expand; exact. A goal that is next in turn is still accepted.
    std::uint64_t expansions = unlimited;
    /// The most bytes that open list and node table may hold together; exact, also while they grow. Memory that the
    /// states themselves own (a `std::vector` as state) is not in it.
    std::uint64_t bytes = unlimited;
    /// The most wall-clock time, looked at every few milliseconds.
    std::chrono::nanoseconds time = std::chrono::nanoseconds::max();
    /// Ends the search within milliseconds when a stop is requested.
    std::stop_token stop = {};
    /// The most that a solution may cost. If there is none, and it is this bound that kept the search from going on, the
    /// search ends with `Status::cost_limit`: proved, under an admissible heuristic, that no solution costs as little.
    [[no_unique_address]] std::conditional_t<std::is_void_v<Cost>, NoCostLimit, std::optional<Cost>>
        max_cost = {};

    /// The same limits for a problem with other costs; without the bound on them.
    template <class Other>
        requires(!std::same_as<Cost, Other>)
    operator BasicLimits<Other>() const { // NOLINT(google-explicit-constructor)
        return {expansions, bytes, time, stop, {}};
    }
};

using Limits = BasicLimits<>;

namespace detail {

/// Counts the bytes that are held for a search, and refuses those beyond a limit.
class MemoryBudget {
public:
    explicit MemoryBudget(std::uint64_t limit = Limits::unlimited) : limit_(limit) {}
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;

    /// Throws `std::bad_alloc` if the limit would be passed; nothing is counted then.
    void acquire(std::size_t bytes) {
        if (bytes > limit_ - used_) {
            throw std::bad_alloc();
        }
        used_ += bytes;
        peak_ = used_ > peak_ ? used_ : peak_;
    }

    void release(std::size_t bytes) { used_ -= bytes; }

    /// Memory for so many objects. Throws `std::bad_alloc` if the budget or the system does not give it.
    [[gnu::noinline]] void* allocate(std::size_t count, std::size_t size, std::size_t alignment) {
        if (count > std::numeric_limits<std::size_t>::max() / size) {
            throw std::bad_alloc();
        }
        acquire(count * size);
        try {
            return alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__
                       ? ::operator new(count * size, std::align_val_t{alignment})
                       : ::operator new(count * size);
        } catch (...) {
            release(count * size);
            throw;
        }
    }

    [[gnu::noinline]] void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
        if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
            ::operator delete(memory, std::align_val_t{alignment});
        } else {
            ::operator delete(memory);
        }
        release(bytes);
    }

    std::uint64_t used() const { return used_; }
    std::uint64_t peak() const { return peak_; }

private:
    std::uint64_t limit_;
    std::uint64_t used_ = 0;
    std::uint64_t peak_ = 0;
};

/// The standard allocator, on a budget.
template <class T>
class BudgetAllocator {
public:
    using value_type = T;

    explicit BudgetAllocator(MemoryBudget& budget) : budget_(&budget) {}

    template <class U>
    BudgetAllocator(const BudgetAllocator<U>& other) : budget_(&other.budget()) {}

    T* allocate(std::size_t count) {
        return static_cast<T*>(budget_->allocate(count, sizeof(T), alignof(T)));
    }

    void deallocate(T* pointer, std::size_t count) noexcept {
        budget_->deallocate(pointer, count * sizeof(T), alignof(T));
    }

    MemoryBudget& budget() const { return *budget_; }

    template <class U>
    friend bool operator==(const BudgetAllocator& a, const BudgetAllocator<U>& b) {
        return &a.budget() == &b.budget();
    }

private:
    MemoryBudget* budget_;
};

/// Looks at limits every so many expansions: often enough to be a few milliseconds late, seldom enough to cost nothing.
class LimitMonitor {
public:
    using Clock = std::chrono::steady_clock;

    explicit LimitMonitor(Limits limits)
        : limits_(std::move(limits)), started_(Clock::now()), last_(started_) {}

    /// Begins to count anew.
    void restart() {
        started_ = Clock::now();
        last_ = started_;
        next_ = 0;
    }

    /// True if `check` is to be called before the next expansion.
    bool is_due(std::uint64_t expanded) const { return expanded >= next_; }

    /// The limit that has been reached, or `Status::running`.
    Status check(std::uint64_t expanded) {
        if (expanded >= limits_.expansions) {
            return Status::expansion_limit;
        }
        if (limits_.stop.stop_requested()) {
            return Status::cancelled;
        }
        const Clock::time_point now = Clock::now();
        if (now - started_ >= limits_.time) {
            return Status::time_limit;
        }
        adapt(now - last_);
        last_ = now;
        next_ = limits_.expansions - expanded > interval_ ? expanded + interval_ : limits_.expansions;
        return Status::running;
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

private:
    /// Expansions take nanoseconds in one problem and seconds in another: the interval is led to about 4 ms.
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

} // namespace detail
} // namespace npuzzle
