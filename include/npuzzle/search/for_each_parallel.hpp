#pragma once

#include "npuzzle/search/engine/threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

namespace npuzzle {

/// Calls `f(i)` for each `i` from 0 up to but not including `count`, on several threads, in the order of the
/// numbers. Calls for different numbers must not depend on each other; then the outcome is the same for any
/// number of threads. A search on a `const` problem with a `const` heuristic is such work, except for its
/// seconds:
/// \code
/// std::vector<npuzzle::Statistics> all(boards.size());
/// npuzzle::for_each_parallel(boards.size(), [&](std::size_t i) {
///     all[i] = npuzzle::astar(puzzle, boards[i], npuzzle::Manhattan{}).statistics;
/// });
/// \endcode
///
/// If a call throws, no more numbers are handed out. When all threads are done, the exception of the least
/// number that threw is thrown again.
///
/// \param threads how many at most, the caller's own among them; 0 for as many as the machine runs at once
template <class F>
void for_each_parallel(std::size_t count, F&& f, unsigned threads = 0) {
    threads = detail::thread_count(threads);
    std::atomic<std::size_t> next{0};
    std::atomic<bool> has_thrown{false};
    std::mutex mutex; // of the two below
    std::size_t first = count;
    std::exception_ptr error;
    const auto work = [&] {
        while (!has_thrown.load(std::memory_order_relaxed)) {
            const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
            if (i >= count) {
                return;
            }
            try {
                f(i);
            } catch (...) {
                has_thrown.store(true, std::memory_order_relaxed);
                const std::lock_guard lock(mutex);
                if (i < first) {
                    first = i;
                    error = std::current_exception();
                }
            }
        }
    };
    {
        const std::size_t most = (std::min)(std::size_t{threads}, count);
        detail::JoinedThreads others(most);
        for (std::size_t i = 1; i < most && others.try_to_add(work); ++i) {
        }
        work();
    }
    if (error) {
        std::rethrow_exception(error);
    }
}

} // namespace npuzzle
