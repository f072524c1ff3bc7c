#pragma once

#include <npuzzle/search/for_each_parallel.hpp>

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace program {

// Calls `use(i, work(i))` for each i below `count`, in this order. Meanwhile, `threads` threads do the next
// work; 0 stands for as many as the machine runs at once.
template <class Work, class Use>
void in_order(std::size_t count, unsigned threads, const Work& work, const Use& use) {
    std::vector<std::optional<decltype(work(std::size_t{}))>> results(count);
    std::size_t next = 0;
    std::mutex mutex;
    npuzzle::for_each_parallel(
        count,
        [&](std::size_t i) {
            auto result = work(i);
            const std::lock_guard lock(mutex);
            results[i] = std::move(result);
            for (; next < count && results[next]; ++next)
                use(next, *std::exchange(results[next], std::nullopt));
        },
        threads);
}

} // namespace program
