#pragma once

#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>

namespace npuzzle::detail {

/// Finds numbered things by 32 bits of their hashes: open addressing with linear probing, four bytes a slot,
/// of which at most four fifths are in use. The bits that the numbers leave free hold the last bits of the
/// hash, so few things are compared in vain. The things are numbered from 0 and are stored elsewhere.
///
/// All members take expected O(1) time with a good hash function, `reserve` amortized.
class NumberIndex {
public:
    using Number = std::uint32_t;

    explicit NumberIndex(MemoryBudget& budget) : slots_(budget) {}

    /// For how many things there is room: at least `size` + 1 of them, `size` of which are in the index.
    /// Throws `std::bad_alloc`, and has changed nothing.
    /// \param hash_of `hash_of(number)`; all things are hashed again where the index grows
    template <class HashOf>
    Number reserve(Number size, HashOf&& hash_of) {
        if (size == room_) {
            grow(size, hash_of);
        }
        return room_;
    }

    /// Prefetches the slot of a hash.
    void prefetch(std::uint32_t hash) const { detail::prefetch(slots_.data() + home(hash)); }

    /// The thing that will be compared first, if there is one. Worth while once the slot is in the cache.
    [[nodiscard]] std::optional<Number> guess(std::uint32_t hash) const {
        if (room_ == 0) {
            return std::nullopt;
        }
        const std::uint32_t slot = slots_[home(hash)];
        return is_taken(slot) && (slot & tag_mask_) == tag(hash) ? std::optional(number(slot)) : std::nullopt;
    }

    /// The slot of the thing with this hash for which `is_same(number)` is true, or the free one where it
    /// belongs. Requires that there is room for something.
    template <class IsSame>
    NPUZZLE_ALWAYS_INLINE std::uint32_t& find(std::uint32_t hash, IsSame&& is_same) const {
        const std::uint32_t tag = this->tag(hash);
        for (std::size_t i = home(hash);; i = (i + 1) & (capacity_ - 1)) {
            std::uint32_t& slot = slots_[i];
            if (!is_taken(slot) || ((slot & tag_mask_) == tag && is_same(number(slot)))) {
                return slot;
            }
        }
    }

    static bool is_taken(std::uint32_t slot) { return slot != 0; }
    [[nodiscard]] Number number(std::uint32_t slot) const { return (slot & ~tag_mask_) - 1; }

    /// Puts a thing into the free slot that `find` returned for its hash.
    void put(std::uint32_t& slot, std::uint32_t hash, Number number) const {
        slot = tag(hash) | (number + 1);
    }

    /// Removes all. Linear in the size of the index.
    void clear() {
        if (capacity_ > 0) {
            std::memset(slots_.data(), 0, capacity_ * sizeof(std::uint32_t));
        }
    }

private:
    [[nodiscard]] std::size_t home(std::uint32_t hash) const {
        return static_cast<std::size_t>(std::uint64_t{hash} * capacity_ >> 32);
    }
    [[nodiscard]] std::uint32_t tag(std::uint32_t hash) const {
        return static_cast<std::uint32_t>(std::uint64_t{hash} << number_bits_);
    }

    template <class HashOf>
    NPUZZLE_NOINLINE void grow(Number size, HashOf& hash_of) {
        constexpr std::uint64_t max_capacity = std::uint64_t{1} << 32;
        const std::uint64_t capacity = capacity_ == 0 ? 64 : 2 * std::uint64_t{capacity_};
        if (capacity > max_capacity) {
            throw std::bad_alloc();
        }
        slots_.grow(static_cast<std::size_t>(capacity));
        capacity_ = slots_.size();
        room_ = static_cast<Number>(capacity * 4 / 5);
        number_bits_ = static_cast<unsigned>(std::bit_width(room_));
        tag_mask_ = static_cast<std::uint32_t>(~std::uint64_t{0} << number_bits_);
        clear();

        constexpr Number ahead = 16;
        std::array<std::uint32_t, ahead> hashes;
        for (Number first = 0; first < size; first += ahead) {
            const Number count = (std::min)(ahead, size - first);
            for (Number k = 0; k < count; ++k) {
                hashes[k] = hash_of(first + k);
                prefetch(hashes[k]);
            }
            for (Number k = 0; k < count; ++k) {
                put(find(hashes[k], [](Number) { return false; }), hashes[k], first + k);
            }
        }
    }

    Storage<std::uint32_t> slots_; // 0: free; else the last bits of a hash, and a number and one
    std::size_t capacity_ = 0;     // a power of two
    Number room_ = 0;
    unsigned number_bits_ = 0;
    std::uint32_t tag_mask_ = 0;
};

} // namespace npuzzle::detail
