#pragma once

#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/word.hpp"
#include "npuzzle/search/node_table/detail/eight_numbers.hpp"
#include "npuzzle/search/node_table/lines.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// \file
/// The cache lines of a packed node table for words of up to 128 bits, or for costs of many bits.

namespace npuzzle::detail {

/// A bijection on numbers of `bits` bits, and its inverse: a Feistel network of two rounds, which mixes the entropy
/// of all bits into the upper half.
template <unsigned bits>
struct WideMixer {
    static_assert(32 <= bits && bits <= 128);

    using Number = std::conditional_t<(bits <= 64), std::uint64_t, uint128>;

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

    /// A number as long as the lower half, from the upper half. It need not depend on each bit in the same way.
    static constexpr std::uint64_t weak(std::uint64_t upper) {
        return upper * 0x9e3779b97f4a7c15ULL >> (64 - lower_bits);
    }
    static constexpr std::uint64_t strong(std::uint64_t lower) {
        return npuzzle::detail::mix(lower) >> (64 - (bits - lower_bits));
    }
};

/// How many bits of a slot of a `WideLine` hold what.
struct WideSlot {
    unsigned code_bits; ///< of the last move and two flags
    unsigned cost_bits;
    unsigned middle_bytes; ///< 0, 1, 2, 4 or 8
    unsigned word_bits;    ///< what is left for the mixed word, without its leading bits
    bool fits;             ///< whether that is enough
};

/// A table has 2^max_region_bits lines at least if words are as long as that allows: 256 KiB.
inline constexpr unsigned max_region_bits = 12;

constexpr WideSlot wide_slot(unsigned word_bits, std::uint64_t moves, std::uint64_t longest_path) {
    const auto code_bits = static_cast<unsigned>(std::bit_width(4 * (moves + 1)));
    const auto cost_bits = static_cast<unsigned>(std::bit_width(longest_path));
    constexpr unsigned most_bits = has_uint128 ? 128 : 64;
    if (code_bits + cost_bits < 32) {
        for (const unsigned middle_bytes : {0U, 1U, 2U, 4U, 8U}) {
            const unsigned bits = 64 + 8 * middle_bytes - code_bits - cost_bits;
            if (word_bits <= std::min(bits + max_region_bits, most_bits) && bits <= most_bits) {
                return {code_bits, cost_bits, middle_bytes, bits, true};
            }
        }
    }
    return {};
}

template <CompactProblem P>
inline constexpr WideSlot wide_slot_of =
    wide_slot(static_cast<unsigned>(P::word_bits), static_cast<unsigned>(P::move_count),
              static_cast<std::uint64_t>(P::longest_path));

/// A line for a `CompactProblem` whose nodes need more than 64 bits: four to seven slots of 16 to 9 bytes, or eight of
/// 8 bytes. The word is mixed by a bijection. The leading bits of the result follow from the line's region of the
/// table. So a slot stores only the other bits (the "quotient" of J. G. Cleary, 1984), in three parts: 32 bits that
/// are compared, none to eight bytes in the middle, and the rest, which shares 32 bits with the cost, a code of the
/// last move and two flags.
///
/// The key is the first 32 bits of the mixed word. If two nodes have the same key, both are marked as ambiguous.
template <CompactProblem P>
    requires(wide_slot_of<P>.fits)
class alignas(cache_line) WideLine {
    static constexpr WideSlot layout = wide_slot_of<P>;

    // A code is 0 for an empty slot, else 1 + 4 * move + 2 * is_closed + is_ambiguous.
    static constexpr std::uint32_t code_mask = (1U << layout.code_bits) - 1;
    static constexpr std::uint32_t cost_mask = (1U << layout.cost_bits) - 1;
    static constexpr unsigned rest_shift = layout.code_bits + layout.cost_bits;
    static constexpr unsigned rest_bits = 32 - rest_shift;
    static constexpr std::uint32_t rest_mask = ~0U << rest_shift;

    static constexpr unsigned stored_bits = layout.word_bits;
    static constexpr unsigned bits = std::max(stored_bits, static_cast<unsigned>(P::word_bits));

    using Mixing = WideMixer<bits>;
    using Middle =
        std::conditional_t<(layout.middle_bytes < 4),
                           std::conditional_t<(layout.middle_bytes < 2), std::uint8_t, std::uint16_t>,
                           std::conditional_t<(layout.middle_bytes < 8), std::uint32_t, std::uint64_t>>;

public:
    using Word = packed_t<P>;
    using Cost = cost_t<P>;
    using Link = move_t<P>;
    using Item = typename Mixing::Number;
    using Key = std::uint32_t;
    /// The content of a slot.
    struct Slot {
        Middle middle;
        std::uint32_t first;
        std::uint32_t last;
    };

    static constexpr unsigned size = cache_line / (8 + layout.middle_bytes);
    static constexpr unsigned region_bits = bits - stored_bits;

    static Item item(Word word) { return Mixing::mix(static_cast<Item>(word)); }
    static Word word(Item item) { return static_cast<Word>(Mixing::unmix(item)); }
    static Key key(Item item) { return static_cast<Key>(item >> (bits - 32)); }
    static std::uint32_t place(Item item) { return key(item); }
    static std::uint32_t place_of_key(Key key) { return key; }

    static bool can_hold(const Cost& cost) {
        return !is_infinite(cost) && static_cast<std::uint64_t>(cost) <= cost_mask;
    }

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
        return equal(first_, key << region_bits, ~0U << region_bits) & ((1U << size) - 1);
    }

    [[nodiscard]] Item item_at(unsigned i, std::uint32_t region) const {
        Item item = static_cast<Item>(first_[i]) << (stored_bits - 32) | last_[i] >> rest_shift;
        if constexpr (layout.middle_bytes > 0) {
            item |= static_cast<Item>(middle(i)) << rest_bits;
        }
        if constexpr (region_bits > 0) {
            item |= static_cast<Item>(region) << stored_bits;
        }
        return item;
    }
    [[nodiscard]] std::uint32_t place_at(unsigned i, std::uint32_t region) const {
        if constexpr (region_bits == 0) {
            return first_[i];
        } else {
            return region << (32 - region_bits) | first_[i] >> region_bits;
        }
    }
    /// Requires that the slot holds the item's key.
    [[nodiscard]] bool holds(unsigned i, Item item) const {
        const Slot wanted = slot(item);
        return first_[i] == wanted.first && (last_[i] & rest_mask) == wanted.last &&
               middle(i) == wanted.middle;
    }

    void put(unsigned i, Item item, const Link& root) {
        Slot value = slot(item);
        value.last |= (code(root) | 2) + 1;
        set(i, value);
    }

    [[nodiscard]] Slot get(unsigned i) const { return {middle(i), first_[i], last_[i]}; }
    void set(unsigned i, const Slot& slot) {
        first_[i] = slot.first;
        last_[i] = slot.last;
        if constexpr (layout.middle_bytes > 0) {
            std::memcpy(reinterpret_cast<char*>(this) + middle_offset(i), &slot.middle, sizeof(Middle));
        }
    }

    [[nodiscard]] Cost cost(unsigned i) const {
        return static_cast<Cost>(last_[i] >> layout.code_bits & cost_mask);
    }
    [[nodiscard]] Link link(unsigned i) const { return static_cast<Link>(((last_[i] & code_mask) - 1) >> 2); }
    [[nodiscard]] bool is_closed(unsigned i) const { return ((last_[i] - 1) & 2) != 0; }
    void close(unsigned i) { last_[i] = ((last_[i] - 1) | 2) + 1; }
    void open(unsigned i, const Cost& cost, const Link& link) {
        const std::uint32_t ambiguous = (last_[i] - 1) & 1;
        last_[i] = (last_[i] & rest_mask) | static_cast<std::uint32_t>(cost) << layout.code_bits |
                   ((code(link) | ambiguous) + 1);
    }

    [[nodiscard]] bool is_ambiguous(unsigned i) const { return ((last_[i] - 1) & 1) != 0; }
    void mark_ambiguous(unsigned i) { last_[i] = ((last_[i] - 1) | 1) + 1; }

private:
    static std::uint32_t code(const Link& link) { return 4 * static_cast<std::uint32_t>(link); }

    /// A slot without cost and code.
    static Slot slot(Item item) {
        return {layout.middle_bytes > 0 ? static_cast<Middle>(item >> rest_bits) : Middle{},
                static_cast<std::uint32_t>(item >> (stored_bits - 32)),
                static_cast<std::uint32_t>(item) << rest_shift};
    }

    [[nodiscard]] Middle middle(unsigned i) const {
        Middle value{};
        if constexpr (layout.middle_bytes > 0) {
            std::memcpy(&value, reinterpret_cast<const char*>(this) + middle_offset(i), sizeof(Middle));
        }
        return value;
    }

    /// Where the middle part of a slot is: behind the numbers in use of one half of the line, or of the other.
    static constexpr std::size_t middle_offset(unsigned i) {
        constexpr unsigned in_first_half =
            (sizeof(EightNumbers) - 4 * size) / std::max(layout.middle_bytes, 1U);
        const unsigned half = i < in_first_half ? 0 : 1;
        return 4 * size + half * sizeof(EightNumbers) + layout.middle_bytes * (i - half * in_first_half);
    }

    EightNumbers first_; // of `size` slots; the next bytes are those of middle parts
    EightNumbers last_;  // likewise: the end of the word, the cost, the code
};

} // namespace npuzzle::detail
