/// @file
/// Replaces the global `operator new`, so that a chosen allocation fails, and counts allocations. Only one
/// source file of an executable may include it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

namespace test {

struct Memory {
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t until_failure = never; ///< the number of the allocation that fails, from 1
    bool fails_for_good = false;         ///< and so do all later ones
    std::size_t largest =
        std::numeric_limits<std::size_t>::max(); ///< more bytes at once are an allocation that fails
    std::uint64_t allocations = 0;               ///< since the last `arm`
    std::uint64_t failures = 0;                  ///< since the last `arm`
    std::uint64_t blocks = 0;                    ///< allocated now
    std::uint64_t bytes = 0;                     ///< allocated now

    void arm(std::uint64_t number, bool for_good = false) {
        until_failure = number;
        fails_for_good = for_good;
        allocations = 0;
        failures = 0;
    }
    void disarm() { until_failure = never; }
};

inline Memory memory;

namespace detail {

struct BlockHeader {
    void* allocated;
    std::size_t size;
};

inline void* allocate(std::size_t size, std::size_t alignment) {
    ++memory.allocations;
    const bool fails =
        size > memory.largest || (memory.fails_for_good ? memory.allocations >= memory.until_failure
                                                        : memory.allocations == memory.until_failure);
    const std::size_t room = std::max(alignment, alignof(std::max_align_t)) + sizeof(BlockHeader);
    void* block = fails ? nullptr : std::malloc(size + room);
    if (block == nullptr) {
        ++memory.failures;
        throw std::bad_alloc();
    }
    const auto first = reinterpret_cast<std::uintptr_t>(block) + sizeof(BlockHeader);
    const std::uintptr_t aligned = (first + alignment - 1) / alignment * alignment;
    reinterpret_cast<BlockHeader*>(aligned)[-1] = {block, size};
    ++memory.blocks;
    memory.bytes += size;
    return reinterpret_cast<void*>(aligned);
}

inline void release(void* pointer) noexcept {
    if (pointer != nullptr) {
        const BlockHeader header = static_cast<BlockHeader*>(pointer)[-1];
        --memory.blocks;
        memory.bytes -= header.size;
        std::free(header.allocated);
    }
}

} // namespace detail

} // namespace test

void* operator new(std::size_t size) {
    return test::detail::allocate(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size) {
    return test::detail::allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return test::detail::allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return test::detail::allocate(size, static_cast<std::size_t>(alignment));
}
// The standard versions would call those above; those of a sanitizer do not.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return operator new(size);
    } catch (...) {
        return nullptr;
    }
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return operator new[](size);
    } catch (...) {
        return nullptr;
    }
}
void operator delete(void* pointer) noexcept {
    test::detail::release(pointer);
}
void operator delete[](void* pointer) noexcept {
    test::detail::release(pointer);
}
void operator delete(void* pointer, const std::nothrow_t&) noexcept {
    test::detail::release(pointer);
}
void operator delete[](void* pointer, const std::nothrow_t&) noexcept {
    test::detail::release(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
    test::detail::release(pointer);
}
void operator delete[](void* pointer, std::size_t) noexcept {
    test::detail::release(pointer);
}
void operator delete(void* pointer, std::align_val_t) noexcept {
    test::detail::release(pointer);
}
void operator delete[](void* pointer, std::align_val_t) noexcept {
    test::detail::release(pointer);
}
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept {
    test::detail::release(pointer);
}
void operator delete[](void* pointer, std::size_t, std::align_val_t) noexcept {
    test::detail::release(pointer);
}
