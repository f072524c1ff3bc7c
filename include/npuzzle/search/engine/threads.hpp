#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/problem.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// What all that runs on several threads has in common.

namespace npuzzle::detail {

/// How each thread of a search holds a heuristic: a copy of what cannot be called as `const` or is copied with
/// its bytes; else a reference.
template <class B, class P>
using held_heuristic_t =
    std::conditional_t<std::is_trivially_copyable_v<B> || !std::invocable<const B&, const state_t<P>&>,
                       std::remove_const_t<B>, const B&>;

/// The system gives no thread.
struct NoThread : std::system_error {
    using std::system_error::system_error;
};

/// Threads that are waited for before it is destroyed.
class JoinedThreads {
public:
    /// Makes room for that many.
    explicit JoinedThreads(std::size_t most) { threads_.reserve(most); }
    JoinedThreads(const JoinedThreads&) = delete;
    JoinedThreads& operator=(const JoinedThreads&) = delete;
    ~JoinedThreads() {
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    /// One more thread, which calls `work`. Throws `NoThread` if the system gives none.
    template <class F>
    void add(F&& work) {
        try {
            threads_.emplace_back(std::forward<F>(work));
        } catch (const std::system_error& error) {
            throw NoThread(error.code());
        }
    }

    /// The same, but false if the system refuses the thread or its memory: the others do the work.
    template <class F>
    [[nodiscard]] bool try_to_add(F&& work) {
        try {
            add(std::forward<F>(work));
            return true;
        } catch (...) {
            return false;
        }
    }

private:
    std::vector<std::thread> threads_;
};

/// How many threads to take where `asked` are allowed, or with 0 as many as the machine runs at once; 1 where
/// programs cannot start any.
inline unsigned thread_count([[maybe_unused]] unsigned asked) {
#if NPUZZLE_HAS_THREADS
    return asked != 0 ? asked : (std::max)(1U, std::thread::hardware_concurrency());
#else
    return 1;
#endif
}

} // namespace npuzzle::detail
