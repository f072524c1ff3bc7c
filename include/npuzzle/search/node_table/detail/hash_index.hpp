#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/lines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

#if NPUZZLE_HAS_SSE2
#include <emmintrin.h>
#endif

namespace npuzzle::detail {

/// What is in a slot of a `HashIndex`: a half of 16 bits and a rest of 32. The tag without the bits that
/// follow from the page begins in the half and ends in the first bits of the rest. The last bits of the rest
/// are the number of the node, before which there is a bit for nodes that are not on the page where they
/// belong.
struct IndexSlots {
    using Key = std::uint32_t;
    using Tag = std::uint32_t;

    unsigned page_bits = 0;

    [[nodiscard]] std::uint16_t half(Tag tag) const {
        return static_cast<std::uint16_t>((tag << page_bits) >> 16);
    }
    [[nodiscard]] std::uint32_t rest(Tag tag, Key key) const { return (tag << page_bits) << 16 | key; }
    [[nodiscard]] Key key(std::uint32_t rest) const { return rest & (spilled() - 1); }
    [[nodiscard]] std::uint32_t spilled() const {
        // A page has 640 slots, of which four fifths are in use in the mean. No number has more than 31 bits.
        return std::uint32_t{1} << (std::min)(page_bits + 10, 31U);
    }
    [[nodiscard]] Tag tag(std::size_t page, std::uint16_t half, std::uint32_t rest) const {
        const Tag stored = (Tag{half} << 16 | rest >> 16) >> page_bits;
        return page_bits == 0 ? stored : static_cast<Tag>(page << (32 - page_bits)) | stored;
    }
};

/// Finds nodes by hash, with open addressing over cache lines. A line has ten slots of six bytes, which are
/// filled from the first to the last. A slot holds the number of a node and 32 bits of its hash, without the
/// leading bits, which follow from the page (the "quotient" of J. G. Cleary, 1984): the more pages there are,
/// the fewer bits of the hash are stored, and the more of the number. So the index can grow without computing
/// a hash again.
/// \tparam keeps whether the nodes keep their estimates
template <class P, bool keeps = true>
class HashIndex {
public:
    using Key = std::uint32_t;
    /// The low half of the hash.
    using Tag = std::uint32_t;

    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_estimates = keeps;

    HashIndex(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), grown_(budget), spilled_(budget) {
        erase();
    }
    HashIndex(const HashIndex&) = delete;
    HashIndex& operator=(const HashIndex&) = delete;

    [[nodiscard]] Tag tag(const state_t<P>& state) const {
        return static_cast<Tag>(detail::hash_state(*problem_, state));
    }

    static void reserve(Key /*room*/, Key /*nodes*/) {}

    void prefetch(Tag tag) const { detail::prefetch(lines_ + home(tag)); }

    /// A node that may have the tag's state. If another line would have to be searched for it, prefetches
    /// that line.
    [[nodiscard]] std::optional<Key> guess(Tag tag, Key nodes) const {
        const std::size_t at = home(tag);
        const Line& line = lines_[at];
        if (const unsigned matches = line.with_half(slots_.half(tag)); matches != 0) {
            const Key key = slots_.key(line.rests[static_cast<std::size_t>(std::countr_zero(matches))]);
            return key < nodes ? std::optional<Key>(key) : std::nullopt;
        }
        if (line.is_full()) {
            detail::prefetch(lines_ + after(at, at, tag));
        }
        return std::nullopt;
    }

    /// The node with this tag for which `is_same(key)` is true. If there is none, notes that it will be the
    /// next one, whose key is `nodes`, and returns that.
    template <class IsSame>
    NPUZZLE_ALWAYS_INLINE Key place(Tag tag, Key nodes, IsSame&& is_same) {
        Line& line = lines_[home(tag)];
        for (unsigned matches = line.with_half(slots_.half(tag)); matches != 0; matches &= matches - 1) {
            const Key key = slots_.key(line.rests[static_cast<std::size_t>(std::countr_zero(matches))]);
            if (key < nodes && is_same(key)) {
                return key;
            }
        }
        if (!line.is_full() && nodes < max_nodes_) {
            line.add(slots_.half(tag), slots_.rest(tag, nodes));
            return nodes;
        }
        return place_elsewhere(tag, nodes, is_same);
    }

    /// The same where it is not in the home line, or the lines are to be more.
    template <class IsSame>
    NPUZZLE_NOINLINE Key place_elsewhere(Tag tag, Key nodes, IsSame&& is_same) {
        for (;; grow()) {
            const Place found = look(tag, nodes, is_same);
            if (found.is_taken) {
                return found.key;
            }
            if (found.line < line_count_ && nodes < max_nodes_) {
                if (page_of(found.line) != page_of(home(tag))) {
                    if (spilled_count_ == spilled_.size()) {
                        spilled_.grow(2 * spilled_count_ + 16);
                    }
                    spill(found.line, tag, nodes);
                    return nodes;
                }
                lines_[found.line].add(slots_.half(tag), slots_.rest(tag, nodes));
                displaced_ += found.line != home(tag) ? 1 : 0;
                return nodes;
            }
        }
    }

    /// The node with this tag for which `is_same(key)` is true.
    template <class IsSame>
    [[nodiscard]] std::optional<Key> find(Tag tag, Key nodes, IsSame&& is_same) const {
        const Place found = look(tag, nodes, is_same);
        return found.is_taken ? std::optional<Key>(found.key) : std::nullopt;
    }

    void clear(Key /*nodes*/) {
        erase();
        displaced_ = 0;
        spilled_count_ = 0;
    }

private:
    struct Slot {
        Tag tag;
        Key key;
    };

    struct alignas(cache_line) Line {
        static constexpr unsigned size = 10;

        std::array<std::uint16_t, size> halves;
        std::uint32_t count;
        std::array<std::uint32_t, size> rests;

        [[nodiscard]] bool is_full() const { return count == size; }
        void add(std::uint16_t half, std::uint32_t rest) {
            halves[count] = half;
            rests[count++] = rest;
        }
        /// A bit mask of slots. Also of nodes that could not be made since their states could not be copied:
        /// their keys belong to other nodes, or to none.
        [[nodiscard]] unsigned with_half(std::uint16_t half) const {
#if NPUZZLE_HAS_SSE2
            const auto* const quarters = reinterpret_cast<const __m128i*>(this);
            const __m128i wanted = _mm_set1_epi16(static_cast<short>(half));
            const __m128i low = _mm_cmpeq_epi16(_mm_load_si128(quarters), wanted);
            const __m128i high = _mm_cmpeq_epi16(_mm_load_si128(quarters + 1), wanted);
            const auto matches = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
#else
            unsigned matches = 0;
            for (unsigned i = 0; i < size; ++i) {
                matches |= (halves[i] == half ? 1U : 0U) << i;
            }
#endif
            return matches & ((1U << count) - 1);
        }
    };
    static_assert(sizeof(Line) == cache_line);

    /// The node in question, or the line that has room for it. No line if all that may be probed are full.
    struct Place {
        std::size_t line;
        Key key;
        bool is_taken;
    };

    /// Those that need no allocation.
    static constexpr std::size_t first_lines = 8;
    /// With more slots than numbers.
    static constexpr std::size_t max_lines = std::size_t{1} << 28;

    static constexpr std::uint64_t most_nodes(std::size_t lines) { return lines * Line::size * 4 / 5; }

    /// The high bits of the tag choose the line.
    [[nodiscard]] std::size_t home(Tag tag) const {
        return static_cast<std::size_t>((std::uint64_t{tag} * line_count_) >> 32);
    }

    static std::size_t page_of(std::size_t line) { return line / lines_per_page<Line>; }

    /// The next line to probe after a full line: on the same page of memory, and after the whole page on the
    /// next one. It must go on, since a user's hash function may give any number of states the same value.
    [[nodiscard]] std::size_t after(std::size_t at, std::size_t first, Tag tag) const {
        const std::size_t block = (std::min)(line_count_, lines_per_page<Line>);
        const std::size_t next = line_after(at, block, tag);
        return ((next ^ first) & (block - 1)) != 0 ? next : (next + block) & (line_count_ - 1);
    }

    template <class IsSame>
    [[nodiscard]] Place look(Tag tag, Key nodes, IsSame&& is_same) const {
        const std::size_t first = home(tag);
        std::size_t at = first;
        do {
            const Line& line = lines_[at];
            for (unsigned matches = line.with_half(slots_.half(tag)); matches != 0; matches &= matches - 1) {
                const Key key = slots_.key(line.rests[static_cast<std::size_t>(std::countr_zero(matches))]);
                if (key < nodes && is_same(key)) {
                    return {at, key, true};
                }
            }
            if (!line.is_full()) {
                return {at, {}, false};
            }
            at = after(at, first, tag);
        } while (at != first);
        return {line_count_, {}, false};
    }

    /// Puts a node into a line of another page than its own. Requires that there is room in `spilled_`.
    void spill(std::size_t line, Tag tag, Key key) {
        lines_[line].add(slots_.half(tag), slots_.rest(tag, key) | slots_.spilled());
        spilled_[spilled_count_++] = {tag, key};
    }

    /// From the lines that need no allocation to a page of them.
    void leave_first_lines() {
        grown_.grow(lines_per_page<Line>);
        set_lines();
        clear(0);
        for (const Line& line : first_) {
            for (unsigned slot = 0; slot < line.count; ++slot) {
                put_back({slots_.tag(0, line.halves[slot], line.rests[slot]), slots_.key(line.rests[slot])});
            }
        }
    }

    void set_lines() {
        lines_ = grown_.data();
        line_count_ = grown_.size();
        max_nodes_ = most_nodes(line_count_);
    }

    /// Doubles the lines. Nodes that are not in their home line are kept aside until all others have been
    /// moved.
    NPUZZLE_NOINLINE void grow() {
        const std::size_t old_lines = line_count_;
        if (old_lines == max_lines) {
            throw std::bad_alloc();
        }
        if (old_lines == first_lines) {
            leave_first_lines();
            return;
        }
        Storage<Slot> aside(*budget_);
        aside.grow(displaced_);
        grown_.grow(2 * old_lines);
        set_lines();
        const IndexSlots before = slots_;
        slots_.page_bits = static_cast<unsigned>(std::countr_zero(line_count_ / lines_per_page<Line>));
        Line* const lines = lines_;
        std::size_t count = 0;
        for (std::size_t at = old_lines; at-- > 0;) {
            constexpr std::size_t ahead = 16;
            if (at >= ahead) {
                detail::prefetch(lines + at - ahead);
                detail::prefetch(lines + 2 * (at - ahead));
                detail::prefetch(lines + 2 * (at - ahead) + 1);
            }
            const Line old = lines[at];
            Line* const targets = lines + 2 * at;
            targets[0].count = 0;
            targets[1].count = 0;
            for (unsigned slot = 0; slot < old.count; ++slot) {
                const std::uint32_t rest = old.rests[slot];
                const Slot moved{before.tag(page_of(at), old.halves[slot], rest), before.key(rest)};
                const std::size_t target = home(moved.tag) - 2 * at;
                if ((rest & before.spilled()) != 0) {
                    continue;
                }
                if (target < 2) {
                    targets[target].add(slots_.half(moved.tag), slots_.rest(moved.tag, moved.key));
                } else {
                    aside[count++] = moved;
                }
            }
        }
        displaced_ = 0;
        for (std::size_t i = 0; i < count; ++i) {
            put_back(aside[i]);
        }
        // All others are on their pages now, and what does not fit there is no more than did not fit before.
        const std::size_t spilled = std::exchange(spilled_count_, 0);
        for (std::size_t i = 0; i < spilled; ++i) {
            put_back(spilled_[i]);
        }
    }

    void put_back(Slot node) {
        const std::size_t first = home(node.tag);
        std::size_t at = first;
        while (lines_[at].is_full()) {
            at = after(at, first, node.tag);
        }
        if (page_of(at) != page_of(first)) {
            spill(at, node.tag, node.key);
            return;
        }
        lines_[at].add(slots_.half(node.tag), slots_.rest(node.tag, node.key));
        displaced_ += at != first ? 1 : 0;
    }

    void erase() {
        for (std::size_t line = 0; line < line_count_; ++line) {
            lines_[line].count = 0;
        }
    }

    const P* problem_;
    MemoryBudget* budget_;
    IndexSlots slots_;
    Storage<Line> grown_; // the lines, once they are more than the first ones
    std::array<Line, first_lines> first_;
    Line* lines_ = first_.data();
    std::size_t line_count_ = first_lines;              // a power of two
    std::uint64_t max_nodes_ = most_nodes(first_lines); // number of nodes at which it grows
    std::uint64_t displaced_ = 0;                       // nodes on their page that are not in their home line
    Storage<Slot> spilled_;                             // nodes that are not on their page
    std::size_t spilled_count_ = 0;
};

} // namespace npuzzle::detail
