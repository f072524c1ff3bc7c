#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/parallel/kernel/shared_budget.hpp"

#include <array>
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

/// Numbers that a thread makes known to the others now and then.
class alignas(64) KnownProgress {
public:
    void tell(Statistics now, std::uint64_t nodes) {
        now.stored = nodes;
        for (std::size_t i = 0; i < told_.size(); ++i) {
            told_[i].store(now.*counts[i], std::memory_order_relaxed);
        }
    }
    void add_to(Statistics& sum) const {
        for (std::size_t i = 0; i < told_.size(); ++i) {
            sum.*counts[i] += told_[i].load(std::memory_order_relaxed);
        }
    }

private:
    static constexpr std::array counts{&Statistics::expanded, &Statistics::generated, &Statistics::duplicates,
                                       &Statistics::reopened, &Statistics::stored,    &Statistics::peak_open};

    std::array<std::atomic<std::uint64_t>, counts.size()> told_{};
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
        : is_alone_(is_alone), budget_(bytes), bytes_(budget_), expansions_(expansions),
          working_(static_cast<std::int64_t>(threads)) {}

    [[nodiscard]] bool is_over() const noexcept { return is_over_.load(std::memory_order_acquire); }

    /// Ends the search by the status of a thread. The first one counts. `running` if there is nothing left to
    /// do.
    void end(SearchStatus status) {
        const std::lock_guard lock(mutex_);
        if (status_ == SearchStatus::running) {
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
        end(SearchStatus::failed);
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
        } while (left != (std::numeric_limits<std::uint64_t>::max)() &&
                 !expansions_.compare_exchange_weak(left, left - taken, std::memory_order_relaxed));
        return taken;
    }

    /// Allows more expansions, where these are limited.
    void add_expansions(std::uint64_t more) noexcept {
        expansions_.fetch_add(more, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t expansions_left() const noexcept {
        return expansions_.load(std::memory_order_relaxed);
    }

    /// A goal that was reached.
    struct Goal {
        Priority priority;
        Cost cost;
        std::size_t finder; ///< the thread that reached it
    };

    /// A goal was reached. True if it is the best so far: none has a lesser priority, or the same at a lesser
    /// cost.
    bool reach(const Priority& priority, const Cost& cost, std::size_t thread) {
        const std::lock_guard lock(mutex_);
        if (best_ && !(priority < best_->priority) && (best_->priority < priority || !(cost < best_->cost))) {
            return false;
        }
        best_.emplace(Goal{priority, cost, thread});
        goals_.fetch_add(1, std::memory_order_release);
        return true;
    }

    /// How many times a goal was the best so far.
    [[nodiscard]] std::uint32_t goals() const noexcept { return goals_.load(std::memory_order_acquire); }

    /// The best goal, if one was reached.
    [[nodiscard]] std::optional<Goal> best() const {
        const std::lock_guard lock(mutex_);
        return best_;
    }

    // Once all threads have ended:

    /// `running` if no thread has ended it.
    [[nodiscard]] SearchStatus status() const noexcept { return status_; }
    [[nodiscard]] std::exception_ptr error() const noexcept { return error_; }

    SharedBudget& bytes() noexcept { return bytes_; }
    /// The most bytes that the threads held at one time.
    [[nodiscard]] std::uint64_t peak() const { return bytes_.peak(); }

private:
    bool is_alone_;
    MemoryBudget budget_;
    SharedBudget bytes_;
    alignas(64) std::atomic<bool> is_over_{false};
    std::atomic<std::uint32_t> goals_{0};
    mutable std::mutex mutex_;
    std::optional<Goal> best_;
    SearchStatus status_ = SearchStatus::running;
    std::exception_ptr error_;
    // Written often.
    alignas(64) std::atomic<std::uint64_t> expansions_;
    alignas(64) std::atomic<std::int64_t> working_;
};

} // namespace npuzzle::detail
