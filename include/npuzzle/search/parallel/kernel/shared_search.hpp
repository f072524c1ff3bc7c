#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// What the threads of one search share: memory, messages, limits, the best goal and the end.

namespace npuzzle::detail {

/// The bytes of a search, from which the budgets of its threads draw. Any thread may call it.
class SharedBudget final : public MemorySource {
public:
    explicit SharedBudget(std::uint64_t limit) noexcept : limit_(limit) {}

    bool take(std::size_t bytes) noexcept override {
        const std::lock_guard lock(mutex_);
        if (bytes > limit_ - used_) {
            return false;
        }
        used_ += bytes;
        peak_ = (std::max)(peak_, used_);
        return true;
    }

    void give_back(std::size_t bytes) noexcept override {
        const std::lock_guard lock(mutex_);
        used_ -= bytes;
    }

    /// The most bytes that were held at one time.
    [[nodiscard]] std::uint64_t peak() const {
        const std::lock_guard lock(mutex_);
        return peak_;
    }

private:
    std::uint64_t limit_;
    std::uint64_t used_ = 0;
    std::uint64_t peak_ = 0;
    mutable std::mutex mutex_;
};

/// A standard allocator on a source of memory, for what goes from one thread to another.
template <class T>
class SourceAllocator {
public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;

    explicit SourceAllocator(MemorySource& source) noexcept : source_(&source) {}
    template <class U>
    SourceAllocator(const SourceAllocator<U>& other) noexcept : source_(&other.source()) {}

    T* allocate(std::size_t count) {
        if (!source_->take(count * sizeof(T))) {
            throw std::bad_alloc();
        }
        try {
            return std::allocator<T>().allocate(count);
        } catch (...) {
            source_->give_back(count * sizeof(T));
            throw;
        }
    }

    void deallocate(T* pointer, std::size_t count) noexcept {
        std::allocator<T>().deallocate(pointer, count);
        source_->give_back(count * sizeof(T));
    }

    [[nodiscard]] MemorySource& source() const noexcept { return *source_; }

    friend bool operator==(const SourceAllocator& a, const SourceAllocator& b) noexcept {
        return a.source_ == b.source_;
    }

private:
    MemorySource* source_;
};

/// Blocks of messages on their way to a thread. Any thread may call it.
template <class Block>
class alignas(64) Inbox {
public:
    void push(Block&& block) {
        const std::lock_guard lock(mutex_);
        blocks_.push_back(std::move(block));
        size_.store(blocks_.size(), std::memory_order_relaxed);
    }

    std::optional<Block> pop() {
        if (is_empty()) {
            return std::nullopt;
        }
        const std::lock_guard lock(mutex_);
        std::optional<Block> block(std::move(blocks_.back()));
        blocks_.pop_back();
        size_.store(blocks_.size(), std::memory_order_relaxed);
        return block;
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
    [[nodiscard]] bool is_empty() const noexcept { return size() == 0; }

private:
    std::mutex mutex_;
    std::vector<Block> blocks_;
    std::atomic<std::size_t> size_{0};
};

/// A goal that was reached.
template <class Priority, class Cost>
struct ReachedGoal {
    Priority priority;
    Cost cost;
    std::uint64_t finder; ///< the number of the thread that has reached it

    [[nodiscard]] bool is_before(const ReachedGoal& other) const {
        if (priority < other.priority || other.priority < priority) {
            return priority < other.priority;
        }
        return cost < other.cost || (!(other.cost < cost) && finder < other.finder);
    }
};

/// The state that the threads of a process share. Any thread may call it.
///
/// The end is found by counting: a thread that has work counts, and so does a block of messages from before
/// it is pushed until after it was read. Only a thread that counts pushes blocks, and one without work counts
/// again before the block that wakes it is done with. So the count is never zero while work is left, and once
/// it is zero it stays so, unless blocks come from other processes.
///
/// \tparam Priority what nodes are ordered by
template <class Priority, class Cost, class Message>
class SharedSearch {
public:
    using Block = std::vector<Message, SourceAllocator<Message>>;
    using Goal = ReachedGoal<Priority, Cost>;

    /// \param owners the threads of all processes
    /// \param threads those of this process, all of which have work
    /// \param is_alone whether there are no other processes: the search is over once no thread has work
    SharedSearch(std::size_t owners, std::size_t threads, std::uint64_t bytes, std::uint64_t expansions,
                 bool is_alone)
        : is_alone_(is_alone), bytes_(bytes), inboxes_(owners), levels_(owners), allowed_(expansions),
          working_(threads) {
        for (std::atomic<double>& level : levels_) {
            level = level_at_rest;
        }
    }

    [[nodiscard]] bool is_alone() const noexcept { return is_alone_; }
    SharedBudget& bytes() noexcept { return bytes_; }
    [[nodiscard]] std::uint64_t peak() const { return bytes_.peak(); }
    [[nodiscard]] Block new_block() { return Block(SourceAllocator<Message>(bytes_)); }
    /// What waits for an owner: to be read, or to be sent to another process.
    Inbox<Block>& inbox(std::size_t owner) noexcept { return inboxes_[owner]; }

    /// The priority of what a thread expands, if it is a number.
    std::atomic<double>& level(std::size_t owner) noexcept { return levels_[owner]; }
    static constexpr double level_at_rest = (std::numeric_limits<double>::max)();

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
    [[nodiscard]] bool is_idle() const noexcept { return working_.load(std::memory_order_acquire) == 0; }

    /// How many of `most` states a thread may expand.
    std::uint64_t take_expansions(std::uint64_t most) noexcept {
        const std::uint64_t allowed = allowed_.load(std::memory_order_relaxed);
        std::uint64_t taken = taken_.load(std::memory_order_relaxed);
        std::uint64_t more;
        do {
            more = taken < allowed ? (std::min)(most, allowed - taken) : 0;
        } while (!taken_.compare_exchange_weak(taken, taken + more, std::memory_order_relaxed));
        return more;
    }
    [[nodiscard]] std::uint64_t taken() const noexcept { return taken_.load(std::memory_order_relaxed); }
    /// How many states may be expanded in all.
    void allow_expansions(std::uint64_t allowed) noexcept {
        allowed_.store(allowed, std::memory_order_relaxed);
    }

    /// A goal was reached. True if it is the best so far.
    bool reach(const Goal& goal) {
        const std::lock_guard lock(mutex_);
        if (best_ && !goal.is_before(*best_)) {
            return false;
        }
        best_ = goal;
        goals_.fetch_add(1, std::memory_order_release);
        return true;
    }
    /// How many times a goal was the best so far.
    [[nodiscard]] std::uint32_t goals() const noexcept { return goals_.load(std::memory_order_acquire); }
    [[nodiscard]] std::optional<Goal> best() const {
        const std::lock_guard lock(mutex_);
        return best_;
    }

    /// `running` if no thread has ended it.
    [[nodiscard]] SearchStatus status() const {
        const std::lock_guard lock(mutex_);
        return status_;
    }
    [[nodiscard]] std::exception_ptr error() const {
        const std::lock_guard lock(mutex_);
        return error_;
    }

private:
    bool is_alone_;
    SharedBudget bytes_;
    std::vector<Inbox<Block>> inboxes_;
    std::vector<std::atomic<double>> levels_;
    mutable std::mutex mutex_;
    std::optional<Goal> best_;
    SearchStatus status_ = SearchStatus::running;
    std::exception_ptr error_;
    std::atomic<bool> is_over_{false};
    std::atomic<std::uint32_t> goals_{0};
    std::atomic<std::uint64_t> allowed_;
    // Written often.
    alignas(64) std::atomic<std::uint64_t> taken_{0};
    alignas(64) std::atomic<std::size_t> working_;
};

} // namespace npuzzle::detail
