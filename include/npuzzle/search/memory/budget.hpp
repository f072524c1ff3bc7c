#pragma once

#include "npuzzle/macros.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

namespace npuzzle {

/// Counts the bytes that a search holds, and refuses bytes beyond a limit. Every member is O(1), apart from
/// the time of the system's allocation. For one thread; `SharedMemoryBudget` is for several.
class MemoryBudget {
public:
    explicit MemoryBudget(std::uint64_t limit = (std::numeric_limits<std::uint64_t>::max)()) noexcept
        : limit_(limit) {}
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;
    virtual ~MemoryBudget() = default;

    /// Counts `bytes` as held. Throws `std::bad_alloc` if that exceeds the limit; nothing is counted then.
    virtual void acquire(std::size_t bytes) {
        if (bytes > limit_ - used_) throw std::bad_alloc();
        used_ += bytes;
    }

    virtual void release(std::size_t bytes) noexcept {
        if (peak_ < used_) peak_ = used_;
        used_ -= bytes;
    }

    [[nodiscard]] virtual std::uint64_t used() const noexcept { return used_; }
    /// The most bytes that were held at one time.
    [[nodiscard]] virtual std::uint64_t peak() const noexcept { return peak_ < used_ ? used_ : peak_; }

    /// Allocates memory and counts it. Throws `std::bad_alloc` if the budget or the system refuses it.
    NPUZZLE_NOINLINE void* allocate(std::size_t bytes, std::size_t alignment) {
        const std::size_t padding = padding_for(alignment);
        acquire(bytes + padding);
        if (void* const memory = allocate_inside(bytes, alignment)) return memory;
        try {
            void* const memory = ::operator new(bytes + padding);
            if (padding == 0) return memory;
            char* const result =
                static_cast<char*>(memory) + padding - reinterpret_cast<std::uintptr_t>(memory) % padding;
            std::memcpy(result - sizeof(memory), &memory, sizeof(memory)); // for `deallocate`
            return result;
        } catch (...) {
            release(bytes + padding);
            throw;
        }
    }

    /// Gives memory from `allocate` back.
    NPUZZLE_NOINLINE void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
        const std::size_t padding = padding_for(alignment);
        release(bytes + padding);
        const auto address = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
        if (address(memory) - address(inside_) < sizeof(inside_)) return;
        if (padding > 0) std::memcpy(&memory, static_cast<char*>(memory) - sizeof(memory), sizeof(memory));
        ::operator delete(memory);
    }

    [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }
    /// Changes the limit, but to no less than is held. Not while threads share the budget.
    void set_limit(std::uint64_t limit) noexcept { limit_ = limit < used() ? used() : limit; }

protected:
    void use_no_bytes_inside() noexcept { inside_used_ = sizeof(inside_); }

private:
    /// An aligned `new` takes as long as a small search: instead, there is room for the alignment.
    static std::size_t padding_for(std::size_t alignment) {
        return alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__ ? alignment : 0;
    }

    /// From the budget itself; null if it has too little left. Bytes given back are not used again.
    void* allocate_inside(std::size_t bytes, std::size_t alignment) noexcept {
        const std::size_t begin = (inside_used_ + alignment - 1) & -alignment;
        if (alignment > 64 || bytes >= sizeof(inside_) - begin) return nullptr;
        inside_used_ = begin + bytes;
        return inside_ + begin;
    }

    // For small searches, which would spend a tenth of their time on allocations.
    alignas(64) std::byte inside_[2304];
    std::size_t inside_used_ = 0;
    std::uint64_t limit_;
    std::uint64_t used_ = 0;
    std::uint64_t peak_ = 0; // but for what has been taken since the last release
};

} // namespace npuzzle
