#pragma once

#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/node_table/detail/quotient_line.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

/// \file
/// The cache lines of a packed node table. The look-up of a state costs one cache miss.
///
/// A line has `size` slots, which are filled from the first to the last. An `Item` represents a state in the
/// table. Its `place` is a uniformly distributed 32-bit number that determines its home line. Its `Key` is
/// the handle that the open list stores. The place can be computed from the key.

namespace npuzzle::detail {

/// The smallest unsigned type that holds the costs up to the `longest_path`; `Cost` without one.
template <class P>
constexpr auto choose_stored_cost() {
    if constexpr (has_longest_path<P>) {
        constexpr auto longest = static_cast<std::uint64_t>(P::longest_path);
        if constexpr (longest <= 0xff) {
            return std::uint8_t{};
        } else if constexpr (longest <= 0xffff) {
            return std::uint16_t{};
        } else if constexpr (longest <= 0xffffffff) {
            return std::uint32_t{};
        } else {
            return cost_t<P>{};
        }
    } else {
        return cost_t<P>{};
    }
}

/// A line that stores for each slot the packed word, the cost, the last move (for a problem without moves:
/// the parent's packed word) and a flag.
template <PackedProblem P>
class alignas(cache_line) PlainLine {
public:
    using Word = packed_t<P>;
    using Cost = cost_t<P>;
    using Link = typename std::conditional_t<MoveProblem<P>, move_of<P>, std::type_identity<Word>>::type;
    using Item = Word;
    using Key = Word;

private:
    using StoredCost = decltype(choose_stored_cost<P>());

    enum class Flag : std::uint8_t { empty, open, closed };

    struct Record {
        StoredCost cost;
        Link link;
        Flag flag;
    };

public:
    /// The content of a slot.
    struct Slot {
        Word word;
        Record record;
    };

    static constexpr unsigned size =
        std::max<unsigned>(1, static_cast<unsigned>(cache_line / (sizeof(Word) + sizeof(Record))));
    static constexpr unsigned region_bits = 0;

    static Item item(Word word) { return word; }
    static Word word(Item item) { return item; }
    static Key key(Item item) { return item; }
    static std::uint32_t place(Item item) { return static_cast<std::uint32_t>(mix_word(item) >> 32); }
    static std::uint32_t place_of_key(Key key) { return place(key); }

    static bool can_hold(const Cost& cost) {
        if constexpr (has_longest_path<P>) {
            return !is_infinite(cost) && std::in_range<StoredCost>(cost);
        } else {
            return !is_infinite(cost);
        }
    }

    [[nodiscard]] unsigned count() const {
        unsigned used = 0;
        for (unsigned i = 0; i < size; ++i) {
            used += records_[i].flag != Flag::empty ? 1U : 0U;
        }
        return used;
    }

    [[nodiscard]] bool is_full() const { return records_[size - 1].flag != Flag::empty; }

    /// A bit mask of the slots that hold the key.
    [[nodiscard]] unsigned with_key(Key key) const {
        unsigned matches = 0;
        for (unsigned i = 0; i < size; ++i) {
            const unsigned is_node = records_[i].flag != Flag::empty ? 1U : 0U;
            matches |= (is_node & (words_[i] == key ? 1U : 0U)) << i;
        }
        return matches;
    }
    [[nodiscard]] unsigned maybe_with_key(Key key) const { return with_key(key); }

    [[nodiscard]] Item item_at(unsigned i, std::uint32_t /*region*/) const { return words_[i]; }
    [[nodiscard]] std::uint32_t place_at(unsigned i, std::uint32_t /*region*/) const {
        return place(words_[i]);
    }
    /// The key is the whole word.
    static bool holds(unsigned /*i*/, Item /*item*/) { return true; }

    void put(unsigned i, Item item, const Link& root) {
        set(i, {item, Record{StoredCost{}, root, Flag::closed}});
    }

    [[nodiscard]] Slot get(unsigned i) const { return {words_[i], records_[i]}; }
    void set(unsigned i, const Slot& slot) {
        words_[i] = slot.word;
        records_[i] = slot.record;
    }

    [[nodiscard]] Cost cost(unsigned i) const { return static_cast<Cost>(records_[i].cost); }
    [[nodiscard]] Link link(unsigned i) const { return records_[i].link; }
    [[nodiscard]] bool is_closed(unsigned i) const { return records_[i].flag == Flag::closed; }
    void close(unsigned i) { records_[i].flag = Flag::closed; }
    void open(unsigned i, const Cost& cost, const Link& link) {
        records_[i] = Record{static_cast<StoredCost>(cost), link, Flag::open};
    }

    static constexpr bool is_ambiguous(unsigned /*i*/) { return false; }
    static constexpr void mark_ambiguous(unsigned /*i*/) {}

private:
    std::array<Word, size> words_;
    std::array<Record, size> records_;
};

template <class P, class Estimate>
constexpr auto choose_packed_line() {
    if constexpr (CompactProblem<P> && std::integral<Estimate>) {
        if constexpr (slot_bits_of<P>.fits) {
            return std::type_identity<QuotientLine<P>>{};
        } else {
            return std::type_identity<PlainLine<P>>{};
        }
    } else {
        return std::type_identity<PlainLine<P>>{};
    }
}

template <class P, class Estimate>
using packed_line_t = typename decltype(choose_packed_line<P, Estimate>())::type;

} // namespace npuzzle::detail
