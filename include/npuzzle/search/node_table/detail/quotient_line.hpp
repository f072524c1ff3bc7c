#pragma once

#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/node_table/detail/eight_numbers.hpp"
#include "npuzzle/search/node_table/lines.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// \file
/// Cache lines of a packed node table that store only a part of each word.

namespace npuzzle::detail {

/// The number of bits for one of so many moves, or none, and two flags. A code is 0 for an empty slot, else
/// 1 + 4 * move + 2 * is_closed + is_ambiguous.
constexpr unsigned code_bits(std::uint64_t moves) {
    return static_cast<unsigned>(std::bit_width(4 * (moves + 1)));
}
template <CompactProblem P>
inline constexpr unsigned code_bits_of = code_bits(static_cast<std::uint64_t>(P::move_count));

/// The number of slots of a `QuotientLine`.
constexpr unsigned slots_of_line(unsigned middle_bytes) {
    return static_cast<unsigned>(cache_line) / (8 + middle_bytes);
}

/// A line of four to seven slots of 16 to 9 bytes, or eight of 8 bytes.
///
/// The word is mixed by a bijection. The leading bits of the result follow from the line's region of the
/// table. So a slot stores only the last `stored_bits` of it (the "quotient" of J. G. Cleary, 1984), in three
/// parts: 32 bits that are compared, none to eight bytes in the middle, and the rest, which shares 32 bits
/// with a cost of `cost_bits`, a code of the last move and two flags.
///
/// The key is the first 32 bits of the mixed word. If two nodes have the same key, both are marked as
/// ambiguous.
///
/// \tparam Mixer `Mixer<bits>::mix` and `unmix`, of numbers of type `Number`
template <CompactProblem P, template <unsigned> class Mixer, unsigned stored_bits, unsigned cost_bits>
class alignas(cache_line) QuotientLine {
    static constexpr unsigned bits = (std::max)({32U, stored_bits, static_cast<unsigned>(P::word_bits)});
    using Mixing = Mixer<bits>;

public:
    using Word = packed_t<P>;
    using Cost = cost_t<P>;
    using Link = move_t<P>;
    using Item = typename Mixing::Number;
    using Key = std::uint32_t;

    static constexpr unsigned region_bits = bits - stored_bits;

    static Item item(Word word) { return Mixing::mix(static_cast<Item>(word)); }
    static Word word(Item item) { return static_cast<Word>(Mixing::unmix(item)); }
    static Key key(Item item) { return static_cast<Key>(item >> (bits - 32)); }
    static std::uint32_t place(Item item) { return key(item); }
    static std::uint32_t place_of_key(Key key) { return key; }

    static bool can_hold(const Cost& cost) {
        return !is_infinite(cost) && static_cast<std::uint64_t>(cost) <= cost_mask;
    }

private:
    static constexpr std::uint32_t cost_mask =
        static_cast<std::uint32_t>((std::uint64_t{1} << cost_bits) - 1);
    static constexpr std::uint32_t key_mask = ~0U << region_bits;

    /// An item from the stored bits.
    static Item item_in(std::uint32_t region, Item stored) {
        if constexpr (region_bits > 0) {
            return static_cast<Item>(region) << stored_bits | stored;
        } else {
            return stored;
        }
    }
    /// A place from the first 32 stored bits.
    static std::uint32_t place_in(std::uint32_t region, std::uint32_t first) {
        if constexpr (region_bits > 0) {
            return region << (32 - region_bits) | first >> region_bits;
        } else {
            return first;
        }
    }

    static constexpr unsigned code_bits = code_bits_of<P>;
    static constexpr std::uint32_t code_mask = (1U << code_bits) - 1;
    static constexpr unsigned rest_shift = code_bits + cost_bits;
    static constexpr unsigned rest_bits = 32 - rest_shift;
    static constexpr std::uint32_t rest_mask = ~0U << rest_shift;
    static constexpr unsigned middle_bytes = (stored_bits - 32 - rest_bits) / 8;

    using Middle = std::conditional_t<(middle_bytes < 4),
                                      std::conditional_t<(middle_bytes < 2), std::uint8_t, std::uint16_t>,
                                      std::conditional_t<(middle_bytes < 8), std::uint32_t, std::uint64_t>>;

public:
    /// The content of a slot.
    struct Slot {
        Middle middle;
        std::uint32_t first;
        std::uint32_t last;
    };

    static constexpr unsigned size = slots_of_line(middle_bytes);

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

    [[nodiscard]] Item item_at(unsigned i, std::uint32_t region) const {
        Item stored = static_cast<Item>(first_[i]) << (stored_bits - 32) | last_[i] >> rest_shift;
        if constexpr (middle_bytes > 0) {
            stored |= static_cast<Item>(middle(i)) << rest_bits;
        }
        return item_in(region, stored);
    }
    [[nodiscard]] std::uint32_t place_at(unsigned i, std::uint32_t region) const {
        return place_in(region, first_[i]);
    }
    /// Requires that the slot holds the item's key.
    [[nodiscard]] bool holds(unsigned i, Item item) const {
        return first_[i] == first_part(item) && last_[i] >> rest_shift == (item & (~0U >> rest_shift)) &&
               middle(i) == middle_part(item);
    }

    void put(unsigned i, Item item, const Link& root) {
        const std::uint32_t last = static_cast<std::uint32_t>(item) << rest_shift;
        const std::uint32_t closed_root = (code(root) | 2) + 1;
        set(i, {middle_part(item), first_part(item), last | closed_root});
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
        const std::uint32_t new_code = (code(link) | ambiguous) + 1;
        last_[i] = (last_[i] & rest_mask) | static_cast<std::uint32_t>(cost) << code_bits | new_code;
    }

    [[nodiscard]] bool is_ambiguous(unsigned i) const { return has_flag(i, 1); }
    void mark_ambiguous(unsigned i) { set_flag(i, 1); }

private:
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
        constexpr unsigned in_first_half = (sizeof(EightNumbers) - 4 * size) / (std::max)(middle_bytes, 1U);
        const unsigned half = i < in_first_half ? 0 : 1;
        return 4 * size + half * sizeof(EightNumbers) + middle_bytes * (i - half * in_first_half);
    }

    EightNumbers first_; // of `size` slots; the next bytes are middle parts
    EightNumbers last_;  // likewise: the end of the word, the cost, the code
};

} // namespace npuzzle::detail
