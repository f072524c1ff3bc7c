#pragma once

#include "npuzzle/search/memory/budget.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

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
#ifdef NPUZZLE_HIGHEST_BITS
    const auto* const halves = reinterpret_cast<const FourNumbers*>(numbers);
    const auto matches = [=](FourNumbers half) { return NPUZZLE_HIGHEST_BITS((half & mask) == value); };
    return matches(halves[0]) | matches(halves[1]) << 4;
#else
    unsigned matches = 0;
    for (unsigned i = 0; i < 8; ++i) matches |= static_cast<unsigned>((numbers[i] & mask) == value) << i;
    return matches;
#endif
}

#if defined(__linux__) && defined(MADV_HUGEPAGE) && defined(MREMAP_FIXED)
inline constexpr std::size_t huge_page = std::size_t{1} << 21;

inline bool is_mapped(std::size_t bytes) {
    return bytes >= huge_page;
}
inline void unmap(void* data, std::size_t bytes) {
    munmap(data, (bytes + huge_page - 1) / huge_page * huge_page);
}

/// New pages, to which the old ones move if there are any; null if the system refuses them.
NPUZZLE_COLD inline void* map(void* old_data, std::size_t old_bytes, std::size_t bytes) {
    old_bytes = (old_bytes + huge_page - 1) / huge_page * huge_page;
    bytes = (bytes + huge_page - 1) / huge_page * huge_page;
    if (bytes == old_bytes) return old_data;
    // The kernel gives huge pages only to aligned addresses: one page more, and the rest goes back.
    void* const mapped = mmap(nullptr, bytes + huge_page, old_bytes > 0 ? PROT_NONE : PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(mapped) % huge_page;
    char* const data = static_cast<char*>(mapped) + skipped;
    if (skipped > 0) munmap(mapped, skipped);
    munmap(data + bytes, huge_page - skipped);
    if (old_bytes > 0 &&
        mremap(old_data, old_bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, data) == MAP_FAILED) {
        munmap(data, bytes);
        return nullptr;
    }
    madvise(data, bytes, MADV_HUGEPAGE);
    return data;
}
#else
inline bool is_mapped(std::size_t /*bytes*/) {
    return false;
}
inline void unmap(void* /*data*/, std::size_t /*bytes*/) {}
inline void* map(void* /*old_data*/, std::size_t /*old_bytes*/, std::size_t /*bytes*/) {
    return nullptr;
}
#endif

/// Lets the heap of a process keep up to 32 MB between searches. By default, glibc gives its end back whenever
/// 128 KB are free there, and each search takes the pages again by faults, which may be half of its time. It
/// keeps twice the largest block that it has seen freed.
inline void keep_heap() {
#if defined(__GLIBC__)
    static const bool is_kept = (::operator delete(::operator new(1 << 24, std::nothrow)), true);
    static_cast<void>(is_kept);
#endif
}

/// Gives memory from `grow_memory` back.
NPUZZLE_COLD inline void free_memory(MemoryBudget& budget, void* data, std::size_t bytes,
                                     std::size_t alignment) noexcept {
    if (is_mapped(bytes)) {
        unmap(data, bytes);
        budget.release(bytes);
    } else if (bytes > 0) {
        budget.deallocate(data, bytes, alignment);
    }
}

/// Makes memory larger, and keeps its content, byte by byte. What is new is uninitialized. Throws
/// `std::bad_alloc` if the budget or the system refuses it; nothing has changed then.
///
/// Large memory lies on huge pages if the system provides them. Otherwise almost every random access would
/// miss the translation lookaside buffer. It grows by remapping pages, so the old and the new memory never
/// exist at the same time.
NPUZZLE_COLD inline void* grow_memory(MemoryBudget& budget, void* old_data, std::size_t old_bytes,
                                      std::size_t bytes, std::size_t alignment) {
    void* data = nullptr;
    if (is_mapped(bytes)) {
        const std::size_t kept = is_mapped(old_bytes) ? old_bytes : 0;
        budget.acquire(bytes - kept);
        data = map(old_data, kept, bytes);
        if (data == nullptr) {
            budget.release(bytes - kept);
            throw std::bad_alloc();
        }
        if (kept > 0) return data;
    } else {
        if (bytes >= 1 << 15) keep_heap();
        data = budget.allocate(bytes, alignment);
    }
    if (old_bytes > 0) std::memcpy(data, old_data, old_bytes);
    free_memory(budget, old_data, old_bytes, alignment);
    return data;
}

/// A vector on a budget, for objects that can be moved byte by byte: it neither constructs nor destroys them.
/// It takes a quarter of the compile time of `std::vector`. An argument is none of its own objects. What needs
/// memory throws `std::bad_alloc`, and has changed nothing then: see `grow_memory`.
template <class T>
class Storage {
public:
    explicit Storage(MemoryBudget& budget) : budget_(&budget) {}
    Storage(Storage&& other) noexcept : Storage(*other.budget_) { *this = std::move(other); }
    Storage& operator=(Storage&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(room_, other.room_);
        std::swap(budget_, other.budget_);
        return *this;
    }
    ~Storage() { free_memory(*budget_, data_, room_ * sizeof(T), alignof(T)); }

    std::size_t size() const { return size_; }
    std::size_t room() const { return room_; }
    bool empty() const { return size_ == 0; }
    T* data() const { return data_; }
    T* begin() const { return data_; }
    T* end() const { return data_ + size_; }
    T& operator[](std::size_t i) const { return data_[i]; }
    T& back() const { return data_[size_ - 1]; }
    MemoryBudget& budget() const { return *budget_; }

    /// Makes it at least so large. New objects are uninitialized.
    void grow(std::size_t size) {
        if (size > room_) set_room(size);
        if (size > size_) size_ = size;
    }
    /// Creates the first `size` objects with all bytes zero. If `size` is large, the time does not depend on
    /// it. Requires that it has no memory yet.
    void grow_zeroed(std::size_t size) {
        grow(size);
        if (!is_mapped(size * sizeof(T))) std::memset(static_cast<void*>(data_), 0, size * sizeof(T));
    }
    void reserve(std::size_t room) {
        if (room > room_) set_room((std::max)((std::max)(room, 2 * room_), 192 / sizeof(T)));
    }
    /// The place of a new last object, which is uninitialized.
    void* add() {
        if (size_ == room_) reserve(size_ + 1);
        return data_ + size_++;
    }
    void push_back(const T& object) { ::new (add()) T(object); }
    /// New objects are copies of `object`.
    void resize(std::size_t size, const T& object) {
        reserve(size);
        for (; size_ < size; ++size_) ::new (data_ + size_) T(object);
        size_ = size;
    }
    void pop_back() { --size_; }
    void clear() { size_ = 0; }

private:
    void set_room(std::size_t room) {
        if (room > (std::numeric_limits<std::size_t>::max)() / 2 / sizeof(T)) throw std::bad_alloc();
        data_ =
            static_cast<T*>(grow_memory(*budget_, data_, room_ * sizeof(T), room * sizeof(T), alignof(T)));
        room_ = room;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
    MemoryBudget* budget_;
};

/// The memory of a `ChunkSequence`, whatever its elements are.
class Chunks {
public:
    Chunks(MemoryBudget& budget, std::size_t alignment)
        : origins_(budget), blocks_(budget), alignment_(alignment) {}
    Chunks(Chunks&&) = default;
    Chunks& operator=(Chunks&&) = default;
    ~Chunks() { give_back_before((std::numeric_limits<std::size_t>::max)()); }

protected:
    /// Adds chunks, which are one block of bytes. Throws `std::bad_alloc`, and has changed nothing.
    NPUZZLE_COLD void add(std::size_t begin, std::size_t end, std::size_t chunks) {
        blocks_.reserve(blocks_.size() + 1);
        origins_.reserve(origins_.size() + chunks);
        void* const data = grow_memory(blocks_.budget(), nullptr, 0, end - begin, alignment_);
        blocks_.push_back({data, begin, end});
        origins_.resize(origins_.size() + chunks, reinterpret_cast<std::uintptr_t>(data) - begin);
    }

    void give_back_before(std::size_t end) {
        Block* block = blocks_.begin();
        for (; block != blocks_.end() && block->end <= end; ++block) {
            free_memory(blocks_.budget(), block->data, block->end - block->begin, alignment_);
        }
        Block* const last = std::copy(block, blocks_.end(), blocks_.begin());
        blocks_.resize(static_cast<std::size_t>(last - blocks_.begin()), Block{});
    }

    /// Of each chunk: where the first element of all would be, if all lay in one array with the chunk's own.
    Storage<std::uintptr_t> origins_;

private:
    struct Block {
        void* data;
        std::size_t begin; // the bytes before it, of all that were added
        std::size_t end;
    };

    Storage<Block> blocks_;
    std::size_t alignment_;
};

/// A sequence that grows at its end and is never copied. It consists of chunks, whose size is a power of two,
/// but for the first one: that is small, since allocators are quick to give and take little memory. Each
/// growth adds a quarter of the present number of chunks, at most 4 MB, as one block on huge pages. The
/// sequence neither constructs nor destroys its elements.
template <class T, std::size_t chunk_bytes = 32768>
class ChunkSequence : Chunks {
public:
    explicit ChunkSequence(MemoryBudget& budget) : Chunks(budget, alignof(T)) {}

    T& operator[](std::uint64_t i) const {
        return *reinterpret_cast<T*>(origins_[(i + missing) / chunk_size] + i * sizeof(T));
    }

    /// For how many elements there is room.
    std::uint64_t room() const { return origins_.empty() ? 0 : origins_.size() * chunk_size - missing; }

    /// Makes room for one element after the first `size`. Throws `std::bad_alloc`, and has changed nothing.
    void reserve_next(std::uint64_t size) {
        if (size < room()) return;
        const std::size_t count = (std::min)((std::max)(origins_.size() / 4, std::size_t{1}), max_chunks);
        const auto begin = static_cast<std::size_t>(size) * sizeof(T);
        add(begin, begin + (size == 0 ? first_size : count * chunk_size) * sizeof(T), count);
    }

    /// Gives the blocks back all of whose elements lie before `i`: these are not to be used any more.
    void forget_before(std::size_t i) { give_back_before(i * sizeof(T)); }

private:
    static constexpr std::size_t chunk_size =
        std::bit_floor((std::max)(chunk_bytes, 16 * sizeof(T)) / sizeof(T));
    static constexpr std::size_t max_chunks =
        std::max<std::size_t>((std::size_t{1} << 22) / (chunk_size * sizeof(T)), 1);
    /// How many elements the first chunk has, and how many it lacks.
    static constexpr std::size_t first_size = std::max<std::size_t>(1024 / sizeof(T), 1);
    static constexpr std::size_t missing = chunk_size - first_size;
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
