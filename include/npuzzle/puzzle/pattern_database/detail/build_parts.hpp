#pragma once

#include "npuzzle/puzzle/pattern_database/build_options.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

/// \file
/// What the builds of additive and classical tables have in common.

namespace npuzzle::detail {

/// The memory of a table, which its owner keeps alive. On huge pages if it is large.
struct TableMemory {
    explicit TableMemory(std::size_t size) : bytes(budget) { bytes.grow(size); }

    MemoryBudget budget;
    Storage<std::uint8_t> bytes;
};

/// Hands out numbers to threads, in pieces.
class WorkQueue {
public:
    WorkQueue(std::size_t begin, std::size_t size, std::size_t piece)
        : size_(size), piece_(piece), next_(begin) {}

    /// Takes the next piece, from `first` up to but not including `last`. Returns false if there is none.
    bool take(std::size_t& first, std::size_t& last) {
        first = next_.fetch_add(piece_, std::memory_order_relaxed);
        last = (std::min)(first + piece_, size_);
        return first < size_;
    }

    /// The first number that was not handed out.
    std::size_t rest() const { return (std::min)(next_.load(std::memory_order_relaxed), size_); }

private:
    std::size_t size_;
    std::size_t piece_;
    std::atomic<std::size_t> next_;
};

/// Reports the progress of a build to the callback.
class BuildReporter {
public:
    BuildReporter(const TableShape& shape, std::uint64_t entries, const BuildOptions& options)
        : progress_{shape, 0, entries, 0, 0, 0, 0}, options_(options) {}

    bool stops() const { return options_.stop.stop_requested(); }

    /// Entries that another build has made.
    void starts_with(std::uint64_t done) { progress_.entries_before = done; }

    void tell(std::uint64_t done, int depth) {
        if (!options_.progress) {
            return;
        }
        last_ = Clock::now();
        progress_.entries_done = done;
        progress_.depth = depth;
        progress_.seconds = std::chrono::duration<double>(last_ - started_).count();
        const std::uint64_t own = done - progress_.entries_before;
        progress_.seconds_left = own == 0
                                     ? 0
                                     : progress_.seconds * static_cast<double>(progress_.entries - done) /
                                           static_cast<double>(own);
        options_.progress(progress_);
    }

    void tell_now_and_then(std::uint64_t done, int depth) {
        if (options_.progress && Clock::now() - last_ >= std::chrono::milliseconds{100}) {
            tell(done, depth);
        }
    }

private:
    using Clock = std::chrono::steady_clock;

    BuildProgress progress_;
    const BuildOptions& options_;
    Clock::time_point started_ = Clock::now();
    Clock::time_point last_ = started_;
};

} // namespace npuzzle::detail
