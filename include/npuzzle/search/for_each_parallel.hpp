#pragma once

#include "npuzzle/search/core/problem.hpp"

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

/// How each thread of a search holds a heuristic: a copy if it cannot be called as `const` or is trivially
/// copyable; else a reference.
template <class B, class P>
using held_heuristic_t =
    std::conditional_t<std::is_trivially_copyable_v<B> || !std::invocable<const B&, const state_t<P>&>,
                       std::remove_const_t<B>, const B&>;

/// Threads that its destructor joins.
class JoinedThreads {
public:
    ~JoinedThreads() {
        for (std::thread& thread : threads_) thread.join();
    }

    /// Starts a thread that calls `work`. False if the system refuses it.
    template <class F>
    bool try_to_add(F&& work) {
        try {
            threads_.emplace_back(std::forward<F>(work));
            return true;
        } catch (...) {
            return false;
        }
    }

private:
    std::vector<std::thread> threads_;
};

/// How many threads to use if `asked` are allowed: 0 stands for as many as the machine runs at once.
inline unsigned thread_count([[maybe_unused]] unsigned asked) {
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__) // else without -pthread
    return asked != 0 ? asked : (std::max)(1U, std::thread::hardware_concurrency());
#else
    return 1;
#endif
}

} // namespace detail

/// Calls `f(i)` for each `i` from 0 up to but not including `count`, on several threads, in this order. If no
/// call depends on another, the outcome is the same for any number of threads, as of searches on a `const`
/// problem with a `const` heuristic:
/// \code
/// std::vector<npuzzle::Statistics> all(boards.size());
/// npuzzle::for_each_parallel(boards.size(), [&](std::size_t i) {
///     all[i] = npuzzle::astar(puzzle, boards[i], npuzzle::Manhattan{}).statistics;
/// });
/// \endcode
///
/// After an exception no more numbers are handed out. When all threads are done, the one of the least number
/// is thrown again.
///
/// \param threads at most, the caller's own among them; 0 for as many as the machine runs at once
template <class F>
void for_each_parallel(std::size_t count, F&& f, unsigned threads = 0) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex; // of the two below
    std::size_t first = count;
    std::exception_ptr error;
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                f(i);
            } catch (...) {
                next = count;
                const std::lock_guard lock(mutex);
                if (i < first) {
                    first = i;
                    error = std::current_exception();
                }
            }
        }
    };
    {
        const std::size_t most = (std::min)(std::size_t{detail::thread_count(threads)}, count);
        detail::JoinedThreads others;
        for (std::size_t i = 1; i < most && others.try_to_add(work); ++i) {
        }
        work();
    }
    if (error) std::rethrow_exception(error);
}

} // namespace npuzzle
