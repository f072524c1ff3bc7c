#pragma once

#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/core/problem.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if NPUZZLE_HAS_SSE2
#include <emmintrin.h>
#endif

/// \file
/// Cache lines of a packed node table that store only a part of each word.

namespace npuzzle::detail {

inline constexpr std::size_t cache_line = 64;

/// A bijection on numbers of `bits` bits, and its inverse. It spreads the entropy to the upper bits.
template <unsigned bits>
struct Mixer {
    static_assert(32 <= bits && bits <= 64);

    using Number = std::uint64_t;

    static constexpr std::uint64_t mix(std::uint64_t x) {
        x = x * first & mask;
        x ^= x >> half;
        return x * second & mask;
    }

    static constexpr std::uint64_t unmix(std::uint64_t x) {
        x = x * inverse(second) & mask;
        x ^= x >> half;
        return x * inverse(first) & mask;
    }

private:
    static constexpr std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
    static constexpr unsigned half = (bits + 1) / 2;
    static constexpr std::uint64_t first = 0x9e3779b97f4a7c15ULL;
    static constexpr std::uint64_t second = 0xd6e8feb86659fd93ULL;

    /// The inverse of an odd number modulo 2^64, by Newton's iteration: each round doubles the number of
    /// correct bits.
    static constexpr std::uint64_t inverse(std::uint64_t odd) {
        std::uint64_t result = odd;
        for (int round = 0; round < 5; ++round) {
            result *= 2 - odd * result;
        }
        return result;
    }
};

#if NPUZZLE_HAS_INT128
/// The same for more than 64 bits: a Feistel network of two rounds.
template <unsigned bits>
    requires(bits > 64)
struct Mixer<bits> {
    using Number = uint128;

    static constexpr Number mix(Number x) {
        const std::uint64_t lower = lower_of(x) ^ weak(upper_of(x));
        return join(upper_of(x) ^ strong(lower), lower);
    }

    static constexpr Number unmix(Number x) {
        const std::uint64_t upper = upper_of(x) ^ strong(lower_of(x));
        return join(upper, lower_of(x) ^ weak(upper));
    }

private:
    static constexpr unsigned lower_bits = bits / 2;

    static constexpr std::uint64_t lower_of(Number x) {
        return static_cast<std::uint64_t>(x) & ~std::uint64_t{0} >> (64 - lower_bits);
    }
    static constexpr std::uint64_t upper_of(Number x) { return static_cast<std::uint64_t>(x >> lower_bits); }
    static constexpr Number join(std::uint64_t upper, std::uint64_t lower) {
        return static_cast<Number>(upper) << lower_bits | lower;
    }

    /// A number as long as the lower half. It need not depend on each bit in the same way.
    static constexpr std::uint64_t weak(std::uint64_t upper) {
        return upper * 0x9e3779b97f4a7c15ULL >> (64 - lower_bits);
    }
    /// A number as long as the upper half.
    static constexpr std::uint64_t strong(std::uint64_t lower) {
        return npuzzle::detail::mix(lower) >> (64 - (bits - lower_bits));
    }
};
#endif

/// How many bits of a slot hold what.
struct SlotBits {
    unsigned stored; ///< of the mixed word
    unsigned cost;
    unsigned code; ///< for one of the moves, or none, and two flags
    bool fits;     ///< whether they are enough
};

/// A table has 2^max_region_bits lines at least if words are as long as that allows: 512 KiB.
inline constexpr unsigned max_region_bits = 13;

constexpr SlotBits slot_bits(unsigned word_bits, std::uint64_t moves, std::uint64_t longest_path) {
    const auto cost = static_cast<unsigned>(std::bit_width(longest_path));
    const auto code = static_cast<unsigned>(std::bit_width(4 * (moves + 1)));
    constexpr unsigned max_bits = has_uint128 ? 128 : 64;
    if (code + cost < 32) {
        for (const unsigned middle_bytes : {0U, 1U, 2U, 4U, 8U}) {
            const unsigned stored = 64 + 8 * middle_bytes - cost - code;
            if (word_bits <= (std::min)(stored + max_region_bits, max_bits) && stored <= max_bits) {
                return {stored, cost, code, true};
            }
        }
    }
    return {};
}

template <CompactProblem P>
inline constexpr SlotBits slot_bits_of =
    slot_bits(static_cast<unsigned>(P::word_bits), static_cast<std::uint64_t>(P::move_count),
              static_cast<std::uint64_t>(P::longest_path));

/// A line of eight slots of 8 bytes, or seven to four of 9 to 16 bytes.
///
/// The word is mixed by a bijection. The leading bits of the result follow from the line's region of the
/// table. So a slot stores only the last `stored_bits` of it (the "quotient" of J. G. Cleary, 1984), in three
/// parts: 32 bits that are compared, none to eight bytes in the middle, and the rest, which shares 32 bits
/// with the cost and a code: 0 for an empty slot, else 1 + 4 * move + 2 * is_closed + is_ambiguous.
///
/// The key is the first 32 bits of the mixed word. If two nodes have the same key, both are marked as
/// ambiguous.
template <CompactProblem P>
    requires(slot_bits_of<P>.fits)
class alignas(cache_line) QuotientLine {
    static constexpr unsigned stored_bits = slot_bits_of<P>.stored;
    static constexpr unsigned cost_bits = slot_bits_of<P>.cost;
    static constexpr unsigned code_bits = slot_bits_of<P>.code;
    static constexpr unsigned bits = (std::max)({32U, stored_bits, static_cast<unsigned>(P::word_bits)});

public:
    using Word = packed_t<P>;
    using Cost = cost_t<P>;
    using Link = move_t<P>;
    using Item = typename Mixer<bits>::Number;
    using Key = std::uint32_t;

    static constexpr unsigned region_bits = bits - stored_bits;

    static Item item(Word word) { return Mixer<bits>::mix(static_cast<Item>(word)); }
    static Word word(Item item) { return static_cast<Word>(Mixer<bits>::unmix(item)); }
    static Key key(Item item) { return static_cast<Key>(item >> (bits - 32)); }
    static std::uint32_t place(Item item) { return key(item); }
    static std::uint32_t place_of_key(Key key) { return key; }

    static bool can_hold(const Cost& cost) {
        return !is_infinite(cost) && static_cast<std::uint64_t>(cost) <= cost_mask;
    }

private:
    static constexpr std::uint32_t cost_mask =
        static_cast<std::uint32_t>((std::uint64_t{1} << cost_bits) - 1);
    static constexpr std::uint32_t code_mask = (1U << code_bits) - 1;
    static constexpr std::uint32_t key_mask = ~0U << region_bits;
    static constexpr unsigned rest_shift = code_bits + cost_bits;
    static constexpr unsigned rest_bits = 32 - rest_shift;
    static constexpr std::uint32_t rest_mask = ~0U << rest_shift;
    static constexpr unsigned middle_bytes = (stored_bits - 32 - rest_bits) / 8;

    using Middle = std::conditional_t<(middle_bytes < 4),
                                      std::conditional_t<(middle_bytes < 2), std::uint8_t, std::uint16_t>,
                                      std::conditional_t<(middle_bytes < 8), std::uint32_t, std::uint64_t>>;
    using Numbers = std::array<std::uint32_t, 8>;

public:
    /// The content of a slot.
    struct Slot {
        Middle middle;
        std::uint32_t first;
        std::uint32_t last;
    };

    static constexpr unsigned size = static_cast<unsigned>(cache_line) / (8 + middle_bytes);

    [[nodiscard]] unsigned count() const {
        return static_cast<unsigned>(std::countr_zero(equal(last_, 0) | 1U << size));
    }

    [[nodiscard]] bool is_full() const { return last_[size - 1] != 0; }

    /// A bit mask of the slots that hold the key.
    [[nodiscard]] unsigned with_key(Key key) const {
        const unsigned matches = maybe_with_key(key);
        return matches == 0 ? 0 : matches & ~equal(last_, 0, code_mask);
    }
    /// The same, but it may include empty slots, since a mixed word may begin with zeros as well. Empty slots
    /// look closed.
    [[nodiscard]] unsigned maybe_with_key(Key key) const {
        return equal(first_, key << region_bits, key_mask) & ((1U << size) - 1);
    }

    /// \param region of the line: what it does not store
    [[nodiscard]] Item item_at(unsigned i, [[maybe_unused]] std::uint32_t region) const {
        Item stored = static_cast<Item>(first_[i]) << (stored_bits - 32) | last_[i] >> rest_shift;
        if constexpr (middle_bytes > 0) {
            stored |= static_cast<Item>(middle(i)) << rest_bits;
        }
        if constexpr (region_bits > 0) {
            stored |= static_cast<Item>(region) << stored_bits;
        }
        return stored;
    }
    [[nodiscard]] std::uint32_t place_at(unsigned i, [[maybe_unused]] std::uint32_t region) const {
        if constexpr (region_bits > 0) {
            return region << (32 - region_bits) | first_[i] >> region_bits;
        } else {
            return first_[i];
        }
    }
    /// Requires that the slot holds the item's key.
    [[nodiscard]] bool holds(unsigned i, Item item) const {
        return first_[i] == first_part(item) && last_[i] >> rest_shift == (item & (~0U >> rest_shift)) &&
               middle(i) == middle_part(item);
    }

    void put(unsigned i, Item item, const Link& root) {
        const std::uint32_t last = static_cast<std::uint32_t>(item) << rest_shift;
        set(i, {middle_part(item), first_part(item), last | ((code(root) | 2) + 1)});
    }

    [[nodiscard]] Slot get(unsigned i) const { return {middle(i), first_[i], last_[i]}; }
    /// Requires that the slot is empty.
    void set(unsigned i, const Slot& slot) {
        first_[i] = slot.first;
        last_[i] = slot.last;
        if constexpr (middle_bytes > 0) {
            std::memcpy(reinterpret_cast<char*>(this) + middle_offset(i), &slot.middle, sizeof(Middle));
        }
    }

    [[nodiscard]] Cost cost(unsigned i) const { return static_cast<Cost>(last_[i] >> code_bits & cost_mask); }
    [[nodiscard]] Link link(unsigned i) const { return static_cast<Link>(((last_[i] & code_mask) - 1) >> 2); }
    [[nodiscard]] bool is_closed(unsigned i) const { return has_flag(i, 2); }
    void close(unsigned i) { set_flag(i, 2); }
    void open(unsigned i, const Cost& cost, const Link& link) {
        const std::uint32_t ambiguous = is_ambiguous(i) ? 1 : 0;
        last_[i] = (last_[i] & rest_mask) | static_cast<std::uint32_t>(cost) << code_bits |
                   ((code(link) | ambiguous) + 1);
    }

    [[nodiscard]] bool is_ambiguous(unsigned i) const { return has_flag(i, 1); }
    void mark_ambiguous(unsigned i) { set_flag(i, 1); }

private:
    /// A bit mask of the numbers that equal `value` in the bits of `mask`.
    static unsigned equal(const Numbers& numbers, std::uint32_t value, std::uint32_t mask = ~0U) {
#if NPUZZLE_HAS_SSE2
        const __m128i masks = _mm_set1_epi32(static_cast<int>(mask));
        const __m128i values = _mm_set1_epi32(static_cast<int>(value));
        const auto* halves = reinterpret_cast<const __m128i*>(numbers.data());
        const auto compare = [&](std::size_t i) {
            const __m128i equal = _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(halves + i), masks), values);
            return _mm_movemask_ps(_mm_castsi128_ps(equal));
        };
        return static_cast<unsigned>(compare(0) | compare(1) << 4);
#else
        unsigned matches = 0;
        for (unsigned i = 0; i < numbers.size(); ++i) {
            matches |= static_cast<unsigned>((numbers[i] & mask) == value) << i;
        }
        return matches;
#endif
    }

    static std::uint32_t code(const Link& link) { return 4 * static_cast<std::uint32_t>(link); }

    [[nodiscard]] bool has_flag(unsigned i, std::uint32_t flag) const { return ((last_[i] - 1) & flag) != 0; }
    void set_flag(unsigned i, std::uint32_t flag) { last_[i] = ((last_[i] - 1) | flag) + 1; }

    static std::uint32_t first_part(Item item) {
        return static_cast<std::uint32_t>(item >> (stored_bits - 32));
    }
    static Middle middle_part(Item item) {
        return middle_bytes > 0 ? static_cast<Middle>(item >> rest_bits) : Middle{};
    }

    [[nodiscard]] Middle middle(unsigned i) const {
        Middle value{};
        if constexpr (middle_bytes > 0) {
            std::memcpy(&value, reinterpret_cast<const char*>(this) + middle_offset(i), sizeof(Middle));
        }
        return value;
    }

    /// Where the middle part of a slot is: behind the numbers in use of one half of the line, or of the
    /// other.
    static constexpr std::size_t middle_offset(unsigned i) {
        constexpr unsigned in_first_half = (sizeof(Numbers) - 4 * size) / (std::max)(middle_bytes, 1U);
        const unsigned half = i < in_first_half ? 0 : 1;
        return 4 * size + half * sizeof(Numbers) + middle_bytes * (i - half * in_first_half);
    }

    Numbers first_; // of `size` slots; the next bytes are middle parts
    Numbers last_;  // likewise: the end of the word, the cost, the code
};

} // namespace npuzzle::detail
