#pragma once

#include "npuzzle/search/detail/prefetch.hpp"
#include "npuzzle/search/limits.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

/// \file
/// The memory of a node table, and what tables have in common that are made of cache lines.
///
/// Such a table has its lines in the order of the numbers that say where nodes belong, so that it doubles in place, line
/// after line. A `Line` has slots that fill from the first to the last: `count()` of them are taken; `get(slot)` and
/// `set(slot, value)` read and write what one holds.

namespace npuzzle::detail {

inline constexpr std::size_t cache_line = 64;

/// So many lines lie on one page of memory.
template <class Line>
inline constexpr std::size_t lines_per_page = 4096 / sizeof(Line);

/// Where to look after a full line: some lines further in the same block of `block` lines, a power of two. How many, differs
/// from number to number (double hashing), so that full lines do not gather; it is odd, so that all have their turn.
inline std::size_t line_after(std::size_t at, std::size_t block, std::uint32_t number) {
    const std::size_t step = 2 * std::size_t{number} + 1;
    return (at & ~(block - 1)) | ((at + step) & (block - 1));
}

/// Spreads what the lines from `from` to `to` hold over twice as many, `2 * from` to `2 * to`, in place: what is written over
/// has been read before, also where this is called for all parts of an array, the last part first.
/// \param home_of `home_of(line, slot)`: the number, among the lines to be, of that where a slot's node belongs
/// \param erase `erase(first, count)` empties lines
/// \param set_aside `set_aside(line, slot)` is called for nodes that were not in their home line, and are not to be found
/// any more
template <class Line, class HomeOf, class Erase, class SetAside>
void double_lines(Line* first, std::size_t from, std::size_t to, HomeOf&& home_of, Erase&& erase,
                  SetAside&& set_aside) {
    for (std::size_t at = to; at-- > from;) {
        constexpr std::size_t ahead = 16;
        if (at >= ahead) {
            prefetch(first + at - ahead);
            prefetch(first + 2 * (at - ahead));
            prefetch(first + 2 * (at - ahead) + 1);
        }
        const Line old = first[at];
        Line* const targets = first + 2 * at;
        erase(targets, 2);
        std::array<unsigned, 2> used{};
        const unsigned count = old.count();
        for (unsigned slot = 0; slot < count; ++slot) {
            const std::size_t target = home_of(old, slot) - 2 * at;
            if (target < 2) {
                targets[target].set(used[target]++, old.get(slot));
            } else {
                set_aside(old, slot);
            }
        }
    }
}

/// An array of trivial objects on a budget, which grows and keeps what it holds; what is new in it may hold anything.
///
/// A large one lies on huge pages where the system gives them, since a table that is read at random misses the
/// translation cache at nearly each look otherwise, and grows by moving its pages instead of its bytes: old and new
/// never exist side by side.
///
/// \tparam most_on_huge_pages how many bytes may lie on huge pages, for an array of which no more than parts may ever be
/// touched: each first touch costs the zeroing of a page
template <class T, std::size_t most_on_huge_pages = std::numeric_limits<std::size_t>::max()>
class LineStorage {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    LineStorage() = default;
    explicit LineStorage(MemoryBudget& budget) : budget_(&budget) {}

    LineStorage(LineStorage&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
          budget_(other.budget_) {}

    LineStorage& operator=(LineStorage&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(budget_, other.budget_);
        return *this;
    }

    ~LineStorage() {
        if (data_ != nullptr) {
            free(data_, size_);
            budget_->release(size_ * sizeof(T));
        }
    }

    std::size_t size() const { return size_; }
    T* data() const { return data_; }
    T& operator[](std::size_t i) const { return data_[i]; }

    /// Throws `std::bad_alloc` if the budget or the system does not give the memory; nothing has changed then.
    void grow(std::size_t size) {
        if (size > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) {
            throw std::bad_alloc();
        }
        if (can_extend(size)) {
            const std::size_t more = (size - size_) * sizeof(T);
            budget_->acquire(more);
            T* data = extend(size);
            if (data == nullptr) {
                budget_->release(more);
                throw std::bad_alloc();
            }
            data_ = data;
            size_ = size;
            return;
        }
        LineStorage larger(*budget_);
        budget_->acquire(size * sizeof(T));
        try {
            larger.data_ = allocate(size);
        } catch (...) {
            budget_->release(size * sizeof(T));
            throw;
        }
        larger.size_ = size;
        if (size_ > 0) {
            std::memcpy(static_cast<void*>(larger.data_), data_, size_ * sizeof(T));
        }
        *this = std::move(larger);
    }

    /// Makes the first `size` objects, all bytes zero, in time that does not depend on `size` if that is large. Requires
    /// that there are none.
    void grow_zeroed(std::size_t size) {
        grow(size);
        if (!is_fresh_zero(size)) {
            std::memset(static_cast<void*>(data_), 0, size * sizeof(T));
        }
    }

    /// Hands what it holds over to `count` arrays of equal size, and is empty. Requires that the size is a multiple of
    /// `count`. Throws `std::bad_alloc` where the parts have to be copied and there is no memory; nothing has changed then.
    template <std::size_t count>
    std::array<LineStorage, count> cut() {
        const std::size_t part = size_ / count;
        std::array<LineStorage, count> parts;
        const bool is_by_pages = can_cut(part);
        for (std::size_t i = 0; i < count; ++i) {
            parts[i] = LineStorage(*budget_);
            if (is_by_pages) {
                parts[i].data_ = data_ + i * part;
                parts[i].size_ = part;
            } else {
                parts[i].grow(part);
                std::memcpy(static_cast<void*>(parts[i].data_), data_ + i * part, part * sizeof(T));
            }
        }
        if (is_by_pages) {
            data_ = nullptr;
            size_ = 0;
        }
        *this = LineStorage(*budget_);
        return parts;
    }

private:
    static T* allocate_small(std::size_t size) {
        return static_cast<T*>(::operator new(size * sizeof(T), std::align_val_t{alignof(T)}));
    }

    static void free_small(T* data) {
        ::operator delete(static_cast<void*>(data), std::align_val_t{alignof(T)});
    }

#if defined(MADV_HUGEPAGE) && defined(MREMAP_FIXED)
    static constexpr std::size_t huge_page = std::size_t{1} << 21;

    static bool is_mapped(std::size_t size) { return size * sizeof(T) >= huge_page; }
    static std::size_t mapped_bytes(std::size_t size) {
        return (size * sizeof(T) + huge_page - 1) / huge_page * huge_page;
    }

    /// Addresses that nobody else uses. The kernel gives huge pages to aligned ones only: asks for one page more, and
    /// gives back what is over.
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

    static void ask_for_huge_pages(void* data, std::size_t bytes) {
        if (bytes <= most_on_huge_pages) {
            madvise(data, bytes, MADV_HUGEPAGE);
        }
    }

    static T* allocate(std::size_t size) {
        if (!is_mapped(size)) {
            return allocate_small(size);
        }
        char* data = reserve(mapped_bytes(size), PROT_READ | PROT_WRITE);
        if (data == nullptr) {
            throw std::bad_alloc();
        }
        ask_for_huge_pages(data, mapped_bytes(size));
        return reinterpret_cast<T*>(data);
    }

    static void free(T* data, std::size_t size) {
        if (is_mapped(size)) {
            munmap(static_cast<void*>(data), mapped_bytes(size));
        } else {
            free_small(data);
        }
    }

    bool can_extend(std::size_t size) const { return is_mapped(size_) && size > size_; }

    static bool is_fresh_zero(std::size_t size) { return is_mapped(size); }
    static bool can_cut(std::size_t part) { return is_mapped(part) && part * sizeof(T) % huge_page == 0; }

    T* extend(std::size_t size) {
        const std::size_t bytes = mapped_bytes(size);
        if (bytes == mapped_bytes(size_)) {
            return data_;
        }
        char* place = reserve(bytes, PROT_NONE);
        if (place == nullptr) {
            return nullptr;
        }
        void* moved = mremap(static_cast<void*>(data_), mapped_bytes(size_), bytes,
                             MREMAP_MAYMOVE | MREMAP_FIXED, place);
        if (moved == MAP_FAILED) {
            munmap(place, bytes);
            return nullptr;
        }
        ask_for_huge_pages(moved, bytes);
        return static_cast<T*>(moved);
    }
#else
    static T* allocate(std::size_t size) { return allocate_small(size); }
    static void free(T* data, std::size_t) { free_small(data); }
    static bool can_extend(std::size_t) { return false; }
    static bool is_fresh_zero(std::size_t) { return false; }
    static bool can_cut(std::size_t) { return false; }
    T* extend(std::size_t) { return nullptr; }
#endif

    T* data_ = nullptr;
    std::size_t size_ = 0;
    MemoryBudget* budget_ = nullptr;
};

} // namespace npuzzle::detail
