#include "support/allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

// Replaces the allocation functions that the others of the standard library call.

namespace {

std::atomic<std::uint64_t> count{0};

void* counted(void* memory) {
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

} // namespace

namespace benchmarks {

std::uint64_t allocation_count() {
    return count.load(std::memory_order_relaxed);
}

} // namespace benchmarks

void* operator new(std::size_t bytes) {
    return counted(std::malloc(bytes == 0 ? 1 : bytes));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(unit, (bytes + unit) / unit * unit));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
