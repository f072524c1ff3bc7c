#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/node_table/detail/quotient_line.hpp"
#include "npuzzle/search/node_table/lines.hpp"
#include "npuzzle/search/node_table/packed_line.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

/// \file
/// The cache lines that `DensePolicy` gives a packed node table: twelve nodes each, not eight.

namespace npuzzle::detail {

/// How many bits of a slot of a `DenseLine` hold what.
template <CompactProblem P>
struct DenseSlot {
    static constexpr unsigned slot_bits = 40;
    static constexpr unsigned max_region_bits = 17;
    static constexpr unsigned move_bits = static_cast<unsigned>(std::bit_width(unsigned{P::move_count}));
    static constexpr unsigned cost_bits =
        static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(P::longest_path)));
    static constexpr unsigned record_bits = cost_bits + move_bits;
    static_assert(
        record_bits <= slot_bits + max_region_bits - 32 &&
            static_cast<unsigned>(P::word_bits) + record_bits <= slot_bits + max_region_bits,
        "DensePolicy needs short words: the bits of word_bits, longest_path and move_count must be 57 at "
        "most, together, and those of longest_path and move_count 25");
    static constexpr unsigned word_bits = slot_bits - record_bits;
};

/// A line of twelve slots of 40 bits, for a `CompactProblem`. It is divided as a `CompactLine` is, but the
/// flags of all slots are in one number, and the table's regions are small: up to 17 bits of a mixed word
/// follow from the region. A table has a line for each region at least, 8 MiB for 17 bits.
template <CompactProblem P>
class alignas(cache_line) DenseLine
    : public QuotientWords<P, Mixer, DenseSlot<P>::word_bits, DenseSlot<P>::cost_bits> {
    using Words = QuotientWords<P, Mixer, DenseSlot<P>::word_bits, DenseSlot<P>::cost_bits>;
    using Words::cost_mask;
    using Words::key_mask;

    static constexpr unsigned record_bits = DenseSlot<P>::record_bits;
    static constexpr unsigned move_bits = DenseSlot<P>::move_bits;
    static constexpr std::uint64_t stored_mask = (std::uint64_t{1} << DenseSlot<P>::word_bits) - 1;
    static constexpr std::uint64_t record_mask = (std::uint64_t{1} << record_bits) - 1;
    static constexpr std::uint64_t move_mask = (std::uint64_t{1} << move_bits) - 1;

public:
    using typename Words::Cost;
    using typename Words::Item;
    using typename Words::Key;
    using typename Words::Link;
    /// The content of a slot.
    struct Slot {
        std::uint64_t value; // the word without its leading bits, the cost, the move
        std::uint32_t flags;
    };

    static constexpr unsigned size = 12;
    static constexpr bool has_small_regions = true;
    static constexpr unsigned parts_of_slots = 6;

    [[nodiscard]] unsigned count() const { return head_ >> count_at; }
    [[nodiscard]] bool is_full() const { return count() == size; }

    /// A bit mask of the slots that hold the key.
    [[nodiscard]] unsigned with_key(Key key) const {
        const unsigned matches = equal(first_, key << Words::region_bits, key_mask);
        return matches == 0 ? 0 : matches & ((1U << count()) - 1);
    }
    [[nodiscard]] unsigned maybe_with_key(Key key) const { return with_key(key); }

    [[nodiscard]] Item item_at(unsigned i, std::uint32_t region) const {
        return Words::item_in(region, value(i) >> record_bits);
    }
    [[nodiscard]] std::uint32_t place_at(unsigned i, std::uint32_t region) const {
        return Words::place_in(region, first_[i]);
    }
    /// Requires that the slot holds the item's key.
    [[nodiscard]] bool holds(unsigned i, Item item) const {
        return value(i) >> record_bits == (item & stored_mask);
    }

    void put(unsigned i, Item item, const Link& root) {
        set(i, {(item & stored_mask) << record_bits | static_cast<std::uint64_t>(root), closed_flag});
    }

    [[nodiscard]] Slot get(unsigned i) const {
        return {value(i), head_ >> i & (closed_flag | ambiguous_flag)};
    }
    /// Requires that the slot is empty.
    void set(unsigned i, const Slot& slot) {
        set_value(i, slot.value);
        head_ += 1U << count_at | slot.flags << i;
    }

    [[nodiscard]] Cost cost(unsigned i) const { return static_cast<Cost>(value(i) >> move_bits & cost_mask); }
    [[nodiscard]] Link link(unsigned i) const { return static_cast<Link>(value(i) & move_mask); }
    [[nodiscard]] bool is_closed(unsigned i) const { return (head_ >> i & closed_flag) != 0; }
    void close(unsigned i) { head_ |= closed_flag << i; }
    void open(unsigned i, const Cost& cost, const Link& link) {
        set_value(i, (value(i) & ~record_mask) | static_cast<std::uint64_t>(cost) << move_bits |
                         static_cast<std::uint64_t>(link));
        head_ &= ~(closed_flag << i);
    }

    [[nodiscard]] bool is_ambiguous(unsigned i) const { return (head_ >> i & ambiguous_flag) != 0; }
    void mark_ambiguous(unsigned i) { head_ |= ambiguous_flag << i; }

private:
    static constexpr std::uint32_t closed_flag = 1;
    static constexpr std::uint32_t ambiguous_flag = 1U << size;
    static constexpr unsigned count_at = 2 * size;

    [[nodiscard]] std::uint64_t value(unsigned i) const { return std::uint64_t{first_[i]} << 8 | rest_[i]; }
    void set_value(unsigned i, std::uint64_t value) {
        first_[i] = static_cast<std::uint32_t>(value >> 8);
        rest_[i] = static_cast<std::uint8_t>(value);
    }

    std::array<std::uint32_t, size> first_; // the leading 32 bits of each slot
    std::array<std::uint8_t, size> rest_;
    std::uint32_t
        head_; // from the lowest bit: which slots are closed, which are ambiguous, how many are in use
};

} // namespace npuzzle::detail
