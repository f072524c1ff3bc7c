#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#if NPUZZLE_HAS_SSE2
#include <emmintrin.h>
#endif

namespace npuzzle::detail {

/// Finds numbered things by 32 bits of their hashes: open addressing over cache lines, which are filled from
/// their first slot to their last. A slot has the hash and the number, eight bytes, so few things are compared
/// in vain, and none is hashed again when the index grows; at most four fifths of the slots are in use. The
/// things are numbered from 0 and are stored elsewhere.
///
/// All members take expected O(1) time with a good hash function, `reserve` amortized.
class NumberIndex {
public:
    using Number = std::uint32_t;

    explicit NumberIndex(MemoryBudget& budget) : budget_(&budget), lines_(budget) {}

    /// For how many things there is room: at least `size` + 1 of them, `size` of which are in the index.
    /// Throws `std::bad_alloc`, and has changed nothing.
    Number reserve(Number size) {
        if (size == room_) grow();
        return room_;
    }

    /// Prefetches the line of a hash.
    void prefetch(std::uint32_t hash) const { detail::prefetch(lines_.data() + home(hash)); }

    /// A thing that will be compared, if there is one. Worth while once the line is in the cache.
    [[nodiscard]] std::optional<Number> guess(std::uint32_t hash) const {
        if (room_ == 0) return std::nullopt;
        Line& line = lines_[home(hash)];
        const unsigned matches = line.with(hash);
        return matches != 0 ? std::optional(number(line.slot(matches))) : std::nullopt;
    }

    /// The slot of the thing with this hash for which `is_same(number)` is true, or the free one where it
    /// belongs. Requires that there is room for something.
    template <class IsSame>
    NPUZZLE_ALWAYS_INLINE std::uint32_t& find(std::uint32_t hash, IsSame&& is_same) const {
        for (std::size_t i = home(hash);; i = i + 1 == lines_.size() ? 0 : i + 1) {
            Line& line = lines_[i];
            for (unsigned matches = line.with(hash); matches != 0; matches &= matches - 1) {
                std::uint32_t& slot = line.slot(matches);
                if (is_same(number(slot))) return slot;
            }
            if (const unsigned free = line.free(); free != 0) return line.slot(free);
        }
    }

    static bool is_taken(std::uint32_t slot) { return slot != 0; }
    static Number number(std::uint32_t slot) { return slot - 1; }

    /// Puts a thing into the free slot that `find` returned for its hash.
    static void put(std::uint32_t& slot, std::uint32_t hash, Number number) {
        *(&slot - Line::size) = hash;
        slot = number + 1;
    }

    /// Removes all. Linear in the size of the index.
    void clear() {
        if (room_ > 0) std::memset(static_cast<void*>(lines_.data()), 0, lines_.size() * sizeof(Line));
    }

private:
    struct alignas(64) Line {
        static constexpr unsigned size = 8;

        /// Eight hashes, then the eight numbers, each and one; 0: the slot is free.
        std::array<std::uint32_t, 2 * size> words;

        std::uint32_t& slot(unsigned matches) {
            return words[size + static_cast<unsigned>(std::countr_zero(matches))];
        }
        /// A bit for each slot in use with this hash.
        [[nodiscard]] unsigned with(std::uint32_t hash) const { return equal(hash, 0) & ~free(); }
        /// A bit for each slot that is free.
        [[nodiscard]] unsigned free() const { return equal(0, size); }

    private:
        [[nodiscard]] unsigned equal(std::uint32_t word, std::size_t first) const {
#if NPUZZLE_HAS_SSE2
            const auto* const quarter = reinterpret_cast<const __m128i*>(words.data() + first);
            const __m128i wanted = _mm_set1_epi32(static_cast<int>(word));
            const __m128i low = _mm_cmpeq_epi32(_mm_load_si128(quarter), wanted);
            const __m128i high = _mm_cmpeq_epi32(_mm_load_si128(quarter + 1), wanted);
            const __m128i both = _mm_packs_epi32(low, high);
            return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(both, _mm_setzero_si128())));
#else
            unsigned result = 0;
            for (unsigned i = 0; i < size; ++i) result |= (words[first + i] == word ? 1U : 0U) << i;
            return result;
#endif
        }
    };

    /// Proportional to the hash: an index that grows is filled from its begin to its end.
    [[nodiscard]] std::size_t home(std::uint32_t hash) const {
        return static_cast<std::size_t>(std::uint64_t{hash} * lines_.size() >> 32);
    }

    NPUZZLE_NOINLINE void grow() {
        // A search that fits the cache takes longer to fill new lines than to touch them.
        const std::size_t lines = room_ == 0 ? 8 : (lines_.size() < 1024 ? 4 : 2) * lines_.size();
        if (std::uint64_t{lines} * Line::size > std::uint64_t{1} << 32) throw std::bad_alloc();
        Storage<Line> old(*budget_);
        old.grow_zeroed(lines);
        std::swap(old, lines_);
        for (std::size_t i = 0; i < old.size(); ++i) {
            const Line& line = old[i];
            for (unsigned k = 0; k < Line::size && line.words[Line::size + k] != 0; ++k) {
                const std::uint32_t hash = line.words[k];
                put(find(hash, [](Number) { return false; }), hash, number(line.words[Line::size + k]));
            }
        }
        room_ = static_cast<Number>(lines * Line::size / 5 * 4);
    }

    MemoryBudget* budget_;
    Storage<Line> lines_;
    Number room_ = 0;
};

} // namespace npuzzle::detail
