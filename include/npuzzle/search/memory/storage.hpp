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

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

/// \file
/// The memory of node tables and open lists.

namespace npuzzle::detail {

/// A growing array of bytes on a budget. Growth keeps the content; new bytes are uninitialized.
///
/// A large array lies on huge pages if the system provides them. Otherwise almost every random access would
/// miss the translation lookaside buffer. It grows by remapping pages, not by copying. So the old and the new
/// array never exist at the same time.
class Bytes {
public:
    /// \param alignment a power of two, no greater than a page
    /// \param max_on_huge_pages the greatest number of bytes that may lie on huge pages. Limit it where
    ///     perhaps only parts are ever used: the first access to a page zeroes the whole page.
    Bytes(MemoryBudget* budget, std::size_t alignment,
          std::size_t max_on_huge_pages = (std::numeric_limits<std::size_t>::max)())
        : budget_(budget), alignment_(alignment), max_on_huge_pages_(max_on_huge_pages) {}

    Bytes(Bytes&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
          budget_(other.budget_), alignment_(other.alignment_), max_on_huge_pages_(other.max_on_huge_pages_) {
    }

    Bytes& operator=(Bytes&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(budget_, other.budget_);
        std::swap(alignment_, other.alignment_);
        std::swap(max_on_huge_pages_, other.max_on_huge_pages_);
        return *this;
    }

    ~Bytes() {
        if (data_ != nullptr) {
            free();
        }
    }

    [[nodiscard]] char* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Throws `std::bad_alloc` if the budget or the system refuses the memory; nothing has changed then.
    NPUZZLE_NOINLINE void grow(std::size_t size) {
        if (size <= size_) {
            return;
        }
        if (can_extend()) {
            budget_->acquire(size - size_);
            char* const data = extend(size);
            if (data == nullptr) {
                budget_->release(size - size_);
                throw std::bad_alloc();
            }
            data_ = data;
            size_ = size;
            return;
        }
        if (size_ == 0) {
            allocate(size);
            return;
        }
        Bytes larger(budget_, alignment_, max_on_huge_pages_);
        larger.allocate(size);
        std::memcpy(larger.data_, data_, size_);
        *this = std::move(larger);
    }

    /// Whether an array of this size is zero when it is new.
    static bool are_fresh_zero(std::size_t size) { return is_mapped(size); }

private:
#if defined(__linux__) && defined(MADV_HUGEPAGE) && defined(MREMAP_FIXED)
    static constexpr std::size_t huge_page = std::size_t{1} << 21;

    static bool is_mapped(std::size_t size) { return size >= huge_page; }
    static std::size_t mapped_bytes(std::size_t size) {
        return (size + huge_page - 1) / huge_page * huge_page;
    }

    /// Reserves addresses that are not in use. The kernel gives huge pages only to aligned addresses. So this
    /// requests one page more, and returns the rest.
    static char* reserve(std::size_t bytes, int protection) {
        void* mapped = mmap(nullptr, bytes + huge_page, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) {
            return nullptr;
        }
        char* first = static_cast<char*>(mapped);
        const std::size_t skipped =
            (huge_page - reinterpret_cast<std::uintptr_t>(first) % huge_page) % huge_page;
        if (skipped > 0) {
            munmap(first, skipped);
        }
        if (skipped < huge_page) {
            munmap(first + skipped + bytes, huge_page - skipped);
        }
        return first + skipped;
    }

    void ask_for_huge_pages(char* data, std::size_t bytes) const {
        if (bytes <= max_on_huge_pages_) {
            madvise(data, bytes, MADV_HUGEPAGE);
        }
    }

    /// Requires that the array is empty.
    void allocate(std::size_t size) {
        if (!is_mapped(size)) {
            data_ = static_cast<char*>(budget_->allocate(1, size, alignment_));
        } else {
            budget_->acquire(size);
            data_ = reserve(mapped_bytes(size), PROT_READ | PROT_WRITE);
            if (data_ == nullptr) {
                budget_->release(size);
                throw std::bad_alloc();
            }
            ask_for_huge_pages(data_, mapped_bytes(size));
        }
        size_ = size;
    }

    void free() {
        if (is_mapped(size_)) {
            munmap(data_, mapped_bytes(size_));
            budget_->release(size_);
        } else {
            budget_->deallocate(data_, size_, alignment_);
        }
    }

    [[nodiscard]] bool can_extend() const { return is_mapped(size_); }

    /// Returns null if the system refuses the memory.
    char* extend(std::size_t size) {
        const std::size_t bytes = mapped_bytes(size);
        if (bytes == mapped_bytes(size_)) {
            return data_;
        }
        char* place = reserve(bytes, PROT_NONE);
        if (place == nullptr) {
            return nullptr;
        }
        void* moved = mremap(data_, mapped_bytes(size_), bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);
        if (moved == MAP_FAILED) {
            munmap(place, bytes);
            return nullptr;
        }
        ask_for_huge_pages(place, bytes);
        return place;
    }
#else
    static bool is_mapped(std::size_t) { return false; }
    static bool can_extend() { return false; }
    static char* extend(std::size_t) { return nullptr; }
    void allocate(std::size_t size) {
        data_ = static_cast<char*>(budget_->allocate(1, size, alignment_));
        size_ = size;
    }
    void free() { budget_->deallocate(data_, size_, alignment_); }
#endif

    char* data_ = nullptr;
    std::size_t size_ = 0;
    MemoryBudget* budget_;
    std::size_t alignment_;
    std::size_t max_on_huge_pages_;
};

/// An array of trivially copyable objects in `Bytes`.
template <class T, std::size_t max_on_huge_pages = (std::numeric_limits<std::size_t>::max)()>
class Storage {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    explicit Storage(MemoryBudget& budget) : bytes_(&budget, alignof(T), max_on_huge_pages) {}

    [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(T); }
    [[nodiscard]] T* data() const { return reinterpret_cast<T*>(bytes_.data()); }
    T& operator[](std::size_t i) const { return data()[i]; }

    /// Throws `std::bad_alloc` if the budget or the system refuses the memory; nothing has changed then.
    void grow(std::size_t size) {
        if (size > (std::numeric_limits<std::size_t>::max)() / 2 / sizeof(T)) {
            throw std::bad_alloc();
        }
        bytes_.grow(size * sizeof(T));
    }

    /// Creates the first `size` objects with all bytes zero. If `size` is large, the time does not depend on
    /// it. Requires that the array is empty.
    void grow_zeroed(std::size_t size) {
        grow(size);
        if (!Bytes::are_fresh_zero(bytes_.size())) {
            std::memset(bytes_.data(), 0, bytes_.size());
        }
    }

private:
    Bytes bytes_;
};

/// Blocks of memory on a budget, which live as long as this object.
class Blocks {
public:
    explicit Blocks(MemoryBudget& budget) : budget_(&budget), blocks_(BudgetAllocator<Bytes>(budget)) {}

    /// Adds an uninitialized block. Throws `std::bad_alloc` if the budget or the system refuses the memory.
    NPUZZLE_NOINLINE char* add(std::size_t size, std::size_t alignment) {
        if (blocks_.size() == blocks_.capacity()) {
            blocks_.reserve(2 * blocks_.size() + 4);
        }
        Bytes block(budget_, alignment);
        block.grow(size);
        blocks_.push_back(std::move(block));
        return blocks_.back().data();
    }

    /// Gives the memory of a block back; its number stays.
    void forget(std::size_t i) { blocks_[i] = Bytes(budget_, 1); }

    [[nodiscard]] std::size_t size() const noexcept { return blocks_.size(); }
    const Bytes& operator[](std::size_t i) const { return blocks_[i]; }
    [[nodiscard]] MemoryBudget& budget() const noexcept { return *budget_; }

private:
    MemoryBudget* budget_;
    std::vector<Bytes, BudgetAllocator<Bytes>> blocks_;
};

/// A sequence that grows at its end and is never copied. It consists of chunks, whose size is a power of two,
/// but for the first one: that is small, since allocators are quick to give and take little memory. Each
/// growth adds a quarter of the present number of chunks, at most 4 MB, as one block on huge pages. The
/// sequence neither constructs nor destroys its elements.
template <class T>
class ChunkSequence {
public:
    explicit ChunkSequence(MemoryBudget& budget) : blocks_(budget), origins_(budget) {}

    T& operator[](std::uint64_t i) const {
        return *reinterpret_cast<T*>(origins_[(i + missing) / chunk_size] + i * sizeof(T));
    }

    /// Makes room for one element after the first `size`.
    void reserve_next(std::uint64_t size) {
        if (size == room()) {
            grow();
        }
    }

    /// For how many elements there is room.
    [[nodiscard]] std::uint64_t room() const { return count_ == 0 ? 0 : count_ * chunk_size - missing; }

    /// Makes room for more elements.
    NPUZZLE_NOINLINE void grow() {
        const std::size_t count = std::clamp<std::size_t>(count_ / 4, 1, max_chunks);
        if (count_ + count > origins_.size()) {
            origins_.grow(2 * count_ + count + 3);
        }
        const std::uint64_t first = room();
        const std::uint64_t size = count_ == 0 ? first_size : count * chunk_size;
        const char* const block = blocks_.add(static_cast<std::size_t>(size) * sizeof(T), alignof(T));
        const auto origin =
            reinterpret_cast<std::uintptr_t>(block) - static_cast<std::uintptr_t>(first) * sizeof(T);
        for (std::size_t i = 0; i < count; ++i) {
            origins_[count_++] = origin;
        }
    }

    /// Gives the blocks back all of whose elements lie before `i`: these are not to be used any more. O(1),
    /// amortized.
    void forget_before(std::uint64_t i) {
        while (forgotten_ < blocks_.size()) {
            const std::uint64_t end = forgotten_end_ + blocks_[forgotten_].size() / sizeof(T);
            if (end > i) {
                return;
            }
            blocks_.forget(forgotten_++);
            forgotten_end_ = end;
        }
    }

private:
    static constexpr std::size_t chunk_size =
        std::bit_floor(std::max<std::size_t>(std::size_t{1} << 15, 16 * sizeof(T)) / sizeof(T));
    static constexpr std::size_t max_chunks =
        std::max<std::size_t>((std::size_t{1} << 22) / (chunk_size * sizeof(T)), 1);

    /// How many elements the first chunk has, and how many it lacks.
    static constexpr std::size_t first_size = std::clamp<std::size_t>(1024 / sizeof(T), 1, chunk_size);
    static constexpr std::size_t missing = chunk_size - first_size;

    Blocks blocks_;
    /// Of each chunk: where the first element of all would be, if all lay in one array with the chunk's own.
    Storage<std::uintptr_t> origins_;
    std::size_t count_ = 0;           // of chunks
    std::size_t forgotten_ = 0;       // how many blocks have been given back
    std::uint64_t forgotten_end_ = 0; // the first element after them
};

} // namespace npuzzle::detail
