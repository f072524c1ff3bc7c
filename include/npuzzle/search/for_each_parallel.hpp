#pragma once

#include "npuzzle/search/engine/threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <vector>

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
    struct Failure {
        std::size_t number;
        std::exception_ptr error;
    };
    // One for each thread: they need no lock.
    std::vector<Failure> failures(std::max<std::size_t>(1, std::min<std::size_t>(threads, count)),
                                  Failure{count, nullptr});
    const auto work = [&](Failure& failure) {
        while (!has_thrown.load(std::memory_order_relaxed)) {
            const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
            if (i >= count) {
                return;
            }
            try {
                f(i);
            } catch (...) {
                failure = {i, std::current_exception()};
                has_thrown.store(true, std::memory_order_relaxed);
            }
        }
    };
    {
        detail::JoinedThreads others(failures.size() - 1);
        for (std::size_t i = 1; i < failures.size(); ++i) {
            if (!others.try_to_add([&work, &failure = failures[i]] { work(failure); })) {
                break;
            }
        }
        work(failures[0]);
    }
    const auto first =
        std::min_element(failures.begin(), failures.end(),
                         [](const Failure& a, const Failure& b) { return a.number < b.number; });
    if (first->error) {
        std::rethrow_exception(first->error);
    }
}

} // namespace npuzzle
