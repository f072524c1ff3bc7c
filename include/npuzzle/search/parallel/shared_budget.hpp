#pragma once

#include "npuzzle/search/memory/budget.hpp"

#include <atomic>

namespace npuzzle {

/// A budget that several threads use.
class SharedMemoryBudget final : public MemoryBudget {
public:
    explicit SharedMemoryBudget(std::uint64_t limit) noexcept : MemoryBudget(limit) { use_no_bytes_inside(); }

    void acquire(std::size_t bytes) override {
        std::uint64_t used = used_.load(std::memory_order_relaxed);
        do {
            if (bytes > limit() - used) throw std::bad_alloc();
        } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    }

    void release(std::size_t bytes) noexcept override {
        const std::uint64_t used = used_.fetch_sub(bytes, std::memory_order_relaxed);
        std::uint64_t peak = peak_.load(std::memory_order_relaxed);
        while (peak < used && !peak_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
        }
    }

    [[nodiscard]] std::uint64_t used() const noexcept override {
        return used_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t peak() const noexcept override {
        return (std::max)(peak_.load(std::memory_order_relaxed), used());
    }

private:
    std::atomic<std::uint64_t> used_{0};
    std::atomic<std::uint64_t> peak_{0}; // but for what has been taken since the last release
};

} // namespace npuzzle
