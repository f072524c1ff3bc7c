#pragma once

#include "npuzzle/search/memory/budget.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#if NPUZZLE_HAS_SSE2
#include <emmintrin.h>
#endif
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

/// \file
/// The memory of node tables and open lists.

namespace npuzzle::detail {

/// Prefetches the cache line of an address. Any address is valid.
NPUZZLE_ALWAYS_INLINE inline void prefetch(const void* address) {
    NPUZZLE_PREFETCH(address);
}

/// A bit for each of eight numbers that equals `value` in the bits of `mask`. They are half a cache line.
NPUZZLE_ALWAYS_INLINE inline unsigned equal_in_eight(const std::uint32_t* numbers, std::uint32_t value,
                                                     std::uint32_t mask = ~0U) {
#if NPUZZLE_HAS_SSE2
    const __m128i masks = _mm_set1_epi32(static_cast<int>(mask));
    const __m128i values = _mm_set1_epi32(static_cast<int>(value));
    const auto* const halves = reinterpret_cast<const __m128i*>(numbers);
    const __m128i first = _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(halves), masks), values);
    const __m128i second = _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(halves + 1), masks), values);
    return static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(first)) |
                                 _mm_movemask_ps(_mm_castsi128_ps(second)) << 4);
#else
    unsigned matches = 0;
    for (unsigned i = 0; i < 8; ++i) {
        matches |= static_cast<unsigned>((numbers[i] & mask) == value) << i;
    }
    return matches;
#endif
}

/// A growing array on a budget. Growth keeps the content, byte by byte; new objects are uninitialized.
///
/// A large array lies on huge pages if the system provides them. Otherwise almost every random access would
/// miss the translation lookaside buffer. It grows by remapping pages, so the old and the new array never
/// exist at the same time.
template <class T>
class Storage {
public:
    explicit Storage(MemoryBudget& budget) : budget_(&budget) {}
    Storage(Storage&& other) noexcept : Storage(*other.budget_) { *this = std::move(other); }
    Storage& operator=(Storage&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(budget_, other.budget_);
        return *this;
    }
    ~Storage() {
        if (is_mapped(size_)) {
            unmap();
            budget_->release(size_ * sizeof(T));
        } else if (size_ > 0) {
            budget_->deallocate(data_, size_ * sizeof(T), alignof(T));
        }
    }

    std::size_t size() const { return size_; }
    T* data() const { return data_; }
    T& operator[](std::size_t i) const { return data_[i]; }

    /// Throws `std::bad_alloc` if the budget or the system refuses the memory; nothing has changed then.
    NPUZZLE_NOINLINE void grow(std::size_t size) {
        if (size <= size_) return;
        if (size > (std::numeric_limits<std::size_t>::max)() / 2 / sizeof(T)) throw std::bad_alloc();
        T* const data =
            is_mapped(size) ? map(size) : static_cast<T*>(budget_->allocate(size * sizeof(T), alignof(T)));
        if (size_ > 0 && !is_mapped(size_)) {
            std::memcpy(static_cast<void*>(data), data_, size_ * sizeof(T));
            budget_->deallocate(data_, size_ * sizeof(T), alignof(T));
        }
        data_ = data;
        size_ = size;
    }

    /// Creates the first `size` objects with all bytes zero. If `size` is large, the time does not depend on
    /// it. Requires that the array is empty.
    NPUZZLE_NOINLINE void grow_zeroed(std::size_t size) {
        grow(size);
        if (!is_mapped(size)) std::memset(static_cast<void*>(data_), 0, size * sizeof(T));
    }

private:
#if defined(__linux__) && defined(MADV_HUGEPAGE) && defined(MREMAP_FIXED)
    static constexpr std::size_t huge_page = std::size_t{1} << 21;

    static bool is_mapped(std::size_t size) { return size >= (huge_page + sizeof(T) - 1) / sizeof(T); }
    static std::size_t mapped_bytes(std::size_t size) {
        return (size * sizeof(T) + huge_page - 1) / huge_page * huge_page;
    }
    void unmap() { munmap(data_, mapped_bytes(size_)); }

    /// New pages, to which those of this array move if it is mapped.
    T* map(std::size_t size) const {
        const std::size_t bytes = mapped_bytes(size);
        const std::size_t old_size = is_mapped(size_) ? size_ : 0;
        budget_->acquire((size - old_size) * sizeof(T));
        if (old_size > 0 && bytes == mapped_bytes(old_size)) return data_;
        // The kernel gives huge pages only to aligned addresses: one page more, and the rest goes back.
        void* const mapped =
            mmap(nullptr, bytes + huge_page, old_size > 0 ? PROT_NONE : PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped != MAP_FAILED) {
            const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(mapped) % huge_page;
            char* const data = static_cast<char*>(mapped) + skipped;
            if (skipped > 0) munmap(mapped, skipped);
            munmap(data + bytes, huge_page - skipped);
            if (old_size == 0 || mremap(data_, mapped_bytes(old_size), bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                                        data) != MAP_FAILED) {
                madvise(data, bytes, MADV_HUGEPAGE);
                return reinterpret_cast<T*>(data);
            }
            munmap(data, bytes);
        }
        budget_->release((size - old_size) * sizeof(T));
        throw std::bad_alloc();
    }
#else
    static bool is_mapped(std::size_t /*size*/) { return false; }
    static void unmap() {}
    static T* map(std::size_t /*size*/) { return nullptr; }
#endif

    T* data_ = nullptr;
    std::size_t size_ = 0;
    MemoryBudget* budget_;
};

/// A sequence that grows at its end and is never copied. It consists of chunks, whose size is a power of two,
/// but for the first one: that is small, since allocators are quick to give and take little memory. Each
/// growth adds a quarter of the present number of chunks, at most 4 MB, as one block on huge pages. The
/// sequence neither constructs nor destroys its elements.
template <class T, std::size_t chunk_bytes = 32768>
class ChunkSequence {
public:
    explicit ChunkSequence(MemoryBudget& budget)
        : blocks_(BudgetAllocator<Storage<Unit>>(budget)), origins_(BudgetAllocator<std::uintptr_t>(budget)) {
    }

    T& operator[](std::uint64_t i) const {
        return *reinterpret_cast<T*>(origins_[(i + missing) / chunk_size] + i * sizeof(T));
    }

    /// For how many elements there is room.
    std::uint64_t room() const { return origins_.empty() ? 0 : origins_.size() * chunk_size - missing; }

    /// Makes room for one element after the first `size`. Throws `std::bad_alloc`, and has changed nothing.
    void reserve_next(std::uint64_t size) {
        if (size == room()) grow();
    }

    /// Gives the blocks back all of whose elements lie before `i`: these are not to be used any more.
    void forget_before(std::uint64_t i) {
        while (!blocks_.empty() && (forgotten_ + blocks_.front().size()) * sizeof(Unit) / sizeof(T) <= i) {
            forgotten_ += blocks_.front().size();
            blocks_.erase(blocks_.begin());
        }
    }

private:
    // Of one type for most T: the blocks of all sequences are compiled once.
    using Unit = std::conditional_t<alignof(T) <= alignof(std::max_align_t), std::max_align_t, T>;
    static constexpr std::size_t chunk_size =
        std::bit_floor((std::max)(chunk_bytes, 16 * sizeof(T)) / sizeof(T));
    static constexpr std::size_t max_chunks =
        std::max<std::size_t>((std::size_t{1} << 22) / (chunk_size * sizeof(T)), 1);
    /// How many elements the first chunk has, and how many it lacks.
    static constexpr std::size_t first_size = std::clamp<std::size_t>(1024 / sizeof(T), 1, chunk_size);
    static constexpr std::size_t missing = chunk_size - first_size;

    NPUZZLE_NOINLINE void grow() {
        const std::size_t count = std::clamp<std::size_t>(origins_.size() / 4, 1, max_chunks);
        const auto first = static_cast<std::size_t>(room());
        Storage<Unit> block(blocks_.get_allocator().budget());
        block.grow(((first == 0 ? first_size : count * chunk_size) * sizeof(T) + sizeof(Unit) - 1) /
                   sizeof(Unit));
        blocks_.reserve(blocks_.size() + 1);
        origins_.insert(origins_.end(), count,
                        reinterpret_cast<std::uintptr_t>(block.data()) - first * sizeof(T));
        blocks_.push_back(std::move(block));
    }

    std::vector<Storage<Unit>, BudgetAllocator<Storage<Unit>>> blocks_; // but for those that were given back
    /// Of each chunk: where the first element of all would be, if all lay in one array with the chunk's own.
    std::vector<std::uintptr_t, BudgetAllocator<std::uintptr_t>> origins_;
    std::uint64_t forgotten_ = 0; // how many units were in blocks that have been given back
};

/// Objects that are taken and given back; the last one given back is the first to be taken again.
/// \tparam T trivially destructible; its member `next`, a pointer to it or a base, is the pool's meanwhile
template <class T>
class Pool {
public:
    explicit Pool(MemoryBudget& budget) : objects_(budget) {}

    T* take() {
        if (free_ != nullptr) return std::exchange(free_, static_cast<T*>(free_->next));
        objects_.reserve_next(taken_);
        return ::new (static_cast<void*>(&objects_[taken_++])) T;
    }

    void give_back(T* object) { object->next = std::exchange(free_, object); }

    /// Takes all objects back, in O(1) time.
    void clear() noexcept {
        free_ = nullptr;
        taken_ = 0;
    }

private:
    ChunkSequence<T, 4096> objects_;
    std::uint64_t taken_ = 0;
    T* free_ = nullptr;
};

} // namespace npuzzle::detail
