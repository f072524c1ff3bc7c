#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

/// \file
/// What the threads of one search have in common: its end, its best goal, its limits.

namespace npuzzle::detail {

/// Bytes for the budgets of several threads.
class SharedBytes final : public MemorySource {
public:
    explicit SharedBytes(std::uint64_t limit) noexcept : limit_(limit) {}
    SharedBytes(const SharedBytes&) = delete;
    SharedBytes& operator=(const SharedBytes&) = delete;

    bool take(std::size_t bytes) noexcept override {
        std::uint64_t used = used_.load(std::memory_order_relaxed);
        do {
            if (bytes > limit_ - used) {
                return false;
            }
        } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
        std::uint64_t peak = peak_.load(std::memory_order_relaxed);
        while (peak < used + bytes &&
               !peak_.compare_exchange_weak(peak, used + bytes, std::memory_order_relaxed)) {
        }
        return true;
    }

    void give_back(std::size_t bytes) noexcept override { used_.fetch_sub(bytes, std::memory_order_relaxed); }

    /// The most bytes that were taken at one time.
    [[nodiscard]] std::uint64_t peak() const noexcept { return peak_.load(std::memory_order_relaxed); }

private:
    std::uint64_t limit_;
    std::atomic<std::uint64_t> used_{0};
    std::atomic<std::uint64_t> peak_{0};
};

/// Numbers that a thread makes known to the others now and then.
struct alignas(64) KnownProgress {
    std::atomic<std::uint64_t> expanded{0};
    std::atomic<std::uint64_t> generated{0};
    std::atomic<std::uint64_t> duplicates{0};
    std::atomic<std::uint64_t> reopened{0};
    std::atomic<std::uint64_t> stored{0};
    std::atomic<std::uint64_t> peak_open{0};

    void tell(const Statistics& now, std::uint64_t nodes) {
        expanded.store(now.expanded, std::memory_order_relaxed);
        generated.store(now.generated, std::memory_order_relaxed);
        duplicates.store(now.duplicates, std::memory_order_relaxed);
        reopened.store(now.reopened, std::memory_order_relaxed);
        stored.store(nodes, std::memory_order_relaxed);
        peak_open.store(now.peak_open, std::memory_order_relaxed);
    }

    void add_to(Statistics& sum) const {
        sum.expanded += expanded.load(std::memory_order_relaxed);
        sum.generated += generated.load(std::memory_order_relaxed);
        sum.duplicates += duplicates.load(std::memory_order_relaxed);
        sum.reopened += reopened.load(std::memory_order_relaxed);
        sum.stored += stored.load(std::memory_order_relaxed);
        sum.peak_open += peak_open.load(std::memory_order_relaxed);
    }
};

/// Who is told how a search by several threads goes on.
class ProgressListener {
public:
    virtual void tell() = 0;

protected:
    ~ProgressListener() = default;
};

/// The state that the threads of a search share.
///
/// The end is found by counting: a thread that has work counts, and so does a block of messages from before
/// it is handed over until after it was read. Only a thread that counts hands blocks over, and one without
/// work counts again before the block that wakes it is done with. So the count is never zero while work is
/// left, and once it is zero it stays so, unless blocks come from other processes.
///
/// \tparam Priority what nodes are ordered by
template <class Priority, class Cost>
class SharedSearch {
public:
    /// \param threads all of which have work
    /// \param is_alone whether it is over once none of them has work: there are no other processes
    SharedSearch(std::size_t threads, std::uint64_t bytes, std::uint64_t expansions, bool is_alone = true)
        : is_alone_(is_alone), bytes_(bytes), expansions_(expansions),
          working_(static_cast<std::int64_t>(threads)) {}

    [[nodiscard]] bool is_over() const noexcept { return is_over_.load(std::memory_order_acquire); }

    /// Ends the search by the status of a thread. The first one counts. `running` if there is nothing left to do.
    void end(Status status) {
        const std::lock_guard lock(mutex_);
        if (status_ == Status::running) {
            status_ = status;
        }
        is_over_.store(true, std::memory_order_release);
    }

    /// Ends it by what a thread has thrown.
    void fail(std::exception_ptr error) {
        {
            const std::lock_guard lock(mutex_);
            if (!error_) {
                error_ = std::move(error);
            }
        }
        end(Status::failed);
    }

    void add_work() noexcept { working_.fetch_add(1, std::memory_order_relaxed); }

    void remove_work() {
        if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1 && is_alone_) {
            is_over_.store(true, std::memory_order_release);
        }
    }

    /// Whether no thread has work, and no block is on its way between them.
    [[nodiscard]] bool is_idle() const noexcept { return working_.load(std::memory_order_acquire) == 0; }

    /// How many of `most` states a thread may expand; they are taken off the limit.
    std::uint64_t take_expansions(std::uint64_t most) noexcept {
        std::uint64_t left = expansions_.load(std::memory_order_relaxed);
        std::uint64_t taken;
        do {
            taken = left < most ? left : most;
        } while (left != std::numeric_limits<std::uint64_t>::max() &&
                 !expansions_.compare_exchange_weak(left, left - taken, std::memory_order_relaxed));
        return taken;
    }

    /// Allows more expansions, where these are limited.
    void add_expansions(std::uint64_t more) noexcept {
        expansions_.fetch_add(more, std::memory_order_relaxed);
    }
    /// How many expansions are left.
    [[nodiscard]] std::uint64_t expansions_left() const noexcept {
        return expansions_.load(std::memory_order_relaxed);
    }

    /// A goal was reached. True if it is the best so far: none has a lesser priority, or the same at a lesser
    /// cost.
    bool reach(const Priority& priority, const Cost& cost, std::size_t thread) {
        const std::lock_guard lock(mutex_);
        if (best_ && !(priority < best_->first) && (best_->first < priority || !(cost < best_->second))) {
            return false;
        }
        best_.emplace(priority, cost);
        finder_ = thread;
        goals_.fetch_add(1, std::memory_order_release);
        return true;
    }

    /// How many times a goal was the best so far.
    [[nodiscard]] std::uint32_t goals() const noexcept { return goals_.load(std::memory_order_acquire); }

    /// The best goal.
    struct Goal {
        Priority priority;
        Cost cost;
        std::size_t finder; ///< the thread that reached it
    };
    [[nodiscard]] std::optional<Goal> best() const {
        const std::lock_guard lock(mutex_);
        return best_ ? std::optional<Goal>(Goal{best_->first, best_->second, finder_}) : std::nullopt;
    }

    /// The priority of the best goal.
    [[nodiscard]] std::optional<Priority> least_priority() const {
        const std::lock_guard lock(mutex_);
        return best_ ? std::optional<Priority>(best_->first) : std::nullopt;
    }

    // Once all threads have ended:

    /// The thread that reached the best goal; empty if none was.
    [[nodiscard]] std::optional<std::size_t> finder() const {
        return best_ ? std::optional<std::size_t>(finder_) : std::nullopt;
    }
    /// `running` if no thread has ended it.
    [[nodiscard]] Status status() const noexcept { return status_; }
    [[nodiscard]] std::exception_ptr error() const noexcept { return error_; }

    SharedBytes& bytes() noexcept { return bytes_; }
    /// The most bytes that the threads held at one time.
    [[nodiscard]] std::uint64_t peak() const noexcept { return bytes_.peak(); }

private:
    bool is_alone_;
    SharedBytes bytes_;
    alignas(64) std::atomic<bool> is_over_{false};
    std::atomic<std::uint32_t> goals_{0};
    mutable std::mutex mutex_;
    std::optional<std::pair<Priority, Cost>> best_;
    std::size_t finder_ = 0;
    Status status_ = Status::running;
    std::exception_ptr error_;
    // Written often.
    alignas(64) std::atomic<std::uint64_t> expansions_;
    alignas(64) std::atomic<std::int64_t> working_;
};

} // namespace npuzzle::detail
