#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

/// \file
/// What the threads of one search share: memory, messages, limits, the best goal and the end.

namespace npuzzle::detail {

/// Blocks of messages on their way to an owner of states. Any thread may call it.
template <class Block>
class alignas(64) Inbox {
public:
    void push(Block&& block) {
        const std::lock_guard lock(mutex_);
        blocks_.push_back(std::move(block));
        size_ = blocks_.size();
    }

    /// Takes all.
    [[nodiscard]] std::vector<Block> take() {
        if (size_ == 0) {
            return {};
        }
        const std::lock_guard lock(mutex_);
        size_ = 0;
        return std::exchange(blocks_, {});
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

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
    std::size_t finder; ///< the owner that has reached it

    [[nodiscard]] bool is_before(const ReachedGoal& other) const {
        return std::tie(priority, cost, finder) < std::tie(other.priority, other.cost, other.finder);
    }
};

/// The state that the threads of a process share. Any thread may use it. The process is idle once `working` is
/// zero: see `ParallelSearch`.
template <class Priority, class Cost, class Message>
class SharedSearch {
public:
    using Block = std::vector<Message, BudgetAllocator<Message>>;
    using Goal = ReachedGoal<Priority, Cost>;

    /// \param owners the threads of all processes
    /// \param threads those of this process, all of which have work
    /// \param bytes for open lists, node tables and messages
    SharedSearch(std::size_t owners, std::size_t threads, std::uint64_t bytes)
        : budget(bytes), inboxes(owners), levels(owners), working(threads) {
        std::fill(levels.begin(), levels.end(), level_at_rest);
    }

    [[nodiscard]] Block new_block() { return Block(BudgetAllocator<Message>(budget)); }

    /// Takes up to `most` of the expansions that are allowed.
    std::uint64_t take_expansions(std::uint64_t most) {
        const std::uint64_t in_all = allowed;
        std::uint64_t before = taken;
        while (before < in_all) {
            const std::uint64_t more = (std::min)(most, in_all - before);
            if (taken.compare_exchange_weak(before, before + more)) {
                return more;
            }
        }
        is_starved = true;
        return 0;
    }

    /// Takes note of a goal. True if it is the best so far.
    bool reach(const Goal& goal) {
        const std::lock_guard lock(mutex_);
        if (best_ && !goal.is_before(*best_)) {
            return false;
        }
        best_ = goal;
        ++goals;
        return true;
    }
    [[nodiscard]] std::optional<Goal> best() const {
        const std::lock_guard lock(mutex_);
        return best_;
    }

    /// Ends the search. The first status counts, and the first error; `running` if nothing is left to do.
    void end(SearchStatus status, const std::exception_ptr& error = nullptr) {
        const std::lock_guard lock(mutex_);
        status_ = status_ == SearchStatus::running ? status : status_;
        error_ = error_ ? error_ : error;
        is_over = true;
    }
    /// `work()`; the end of the search if it throws.
    template <class F>
    void guarded(F&& work) {
        try {
            work();
        } catch (const std::bad_alloc&) {
            end(SearchStatus::memory_limit);
        } catch (...) {
            end(SearchStatus::failed, std::current_exception());
        }
    }
    [[nodiscard]] SearchStatus status() const {
        const std::lock_guard lock(mutex_);
        return status_;
    }
    /// Once all threads have ended: throws what has ended the search.
    void rethrow() const {
        if (error_) {
            std::rethrow_exception(error_);
        }
    }

    static constexpr double level_at_rest = (std::numeric_limits<double>::max)();

    MemoryBudget budget;
    /// What waits for an owner: to be read, or to be sent to another process.
    std::vector<Inbox<Block>> inboxes;
    std::vector<std::atomic<double>> levels; ///< the priority of what each owner expands, if it is a number
    std::atomic<bool> is_over{false};
    std::atomic<std::uint32_t> goals{0}; ///< how many times a goal was the best so far
    std::atomic<std::uint64_t> allowed{0};
    std::atomic<bool> is_starved{false}; ///< a thread had to wait for expansions
    std::uint64_t sent = 0;              ///< packets to other processes; for the caller's thread alone
    std::uint64_t received = 0;          ///< packets from other processes, likewise
    // Written often.
    alignas(64) std::atomic<std::uint64_t> taken{0}; ///< expansions
    alignas(64) std::atomic<std::size_t> working;

private:
    mutable std::mutex mutex_;
    std::optional<Goal> best_;
    SearchStatus status_ = SearchStatus::running;
    std::exception_ptr error_;
};

} // namespace npuzzle::detail
