#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/detail/eight_numbers.hpp"
#include "npuzzle/search/node_table/lines.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>

namespace npuzzle::detail {

/// Finds nodes by hash, with open addressing over cache lines. A line holds handles of nodes and halves of
/// their hashes. Its slots are filled from the first to the last.
template <class P>
class HashIndex {
public:
    using Key = std::uint32_t;
    /// The low half of the hash. It distinguishes most states without a look at them, and is sufficient for
    /// rehashing.
    using Tag = std::uint32_t;

    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_estimates = true;

    HashIndex(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), lines_(budget) {}

    [[nodiscard]] Tag tag(const state_t<P>& state) const {
        const auto tag = static_cast<Tag>(detail::hash_state(*problem_, state));
        return tag == no_tag ? no_tag - 1 : tag;
    }

    void prefetch(Tag tag) const { detail::prefetch(lines_.data() + home(tag)); }

    /// A node that may have the tag's state. If another line would have to be searched for it, prefetches
    /// that line.
    [[nodiscard]] std::optional<Key> guess(Tag tag, Key nodes) const {
        if (lines_.size() == 0) {
            return std::nullopt;
        }
        const std::size_t at = home(tag);
        const Line& line = lines_[at];
        if (const unsigned matches = line.with_tag(tag); matches != 0) {
            const Key key = line.keys[static_cast<std::size_t>(std::countr_zero(matches))];
            return key < nodes ? std::optional<Key>(key) : std::nullopt;
        }
        if (line.is_full()) {
            detail::prefetch(lines_.data() + after(at, at, tag));
        }
        return std::nullopt;
    }

    /// The node with this tag for which `is_same(key)` is true. If there is none, notes that it will be the
    /// next one, whose key is `nodes`, and returns that.
    template <class IsSame>
    NPUZZLE_ALWAYS_INLINE Key place(Tag tag, Key nodes, IsSame&& is_same) {
        if (lines_.size() > 0) [[likely]] {
            Line& line = lines_[home(tag)];
            for (unsigned matches = line.with_tag(tag); matches != 0; matches &= matches - 1) {
                const Key key = line.keys[static_cast<std::size_t>(std::countr_zero(matches))];
                if (key < nodes && is_same(key)) {
                    return key;
                }
            }
            if (!line.is_full() && nodes < max_nodes_) {
                line.set(line.count(), {tag, nodes});
                return nodes;
            }
        }
        return place_elsewhere(tag, nodes, is_same);
    }

    /// The same where it is not in the home line, or the lines are to be more.
    template <class IsSame>
    NPUZZLE_NOINLINE Key place_elsewhere(Tag tag, Key nodes, IsSame&& is_same) {
        for (;; grow()) {
            const Place found = look(tag, nodes, is_same);
            if (found.is_taken) {
                return found.line->keys[found.slot];
            }
            if (found.line != nullptr && nodes < max_nodes_) {
                found.line->set(found.slot, {tag, nodes});
                displaced_ += found.line != lines_.data() + home(tag) ? 1 : 0;
                return nodes;
            }
        }
    }

    /// The node with this tag for which `is_same(key)` is true.
    template <class IsSame>
    [[nodiscard]] std::optional<Key> find(Tag tag, Key nodes, IsSame&& is_same) const {
        const Place found = look(tag, nodes, is_same);
        return found.is_taken ? std::optional<Key>(found.line->keys[found.slot]) : std::nullopt;
    }

    void clear(Key /*nodes*/) {
        erase(lines_.data(), lines_.size());
        displaced_ = 0;
    }

private:
    static constexpr Key none = 0xffffffff;
    /// That of a free slot, and of no state.
    static constexpr Tag no_tag = 0xffffffff;

    struct Slot {
        Tag tag;
        Key key;
    };

    struct alignas(cache_line) Line {
        EightNumbers tags;
        EightNumbers keys;

        [[nodiscard]] Slot get(unsigned slot) const { return {tags[slot], keys[slot]}; }
        void set(unsigned slot, const Slot& value) {
            tags[slot] = value.tag;
            keys[slot] = value.key;
        }
        [[nodiscard]] bool is_full() const { return keys.back() != none; }
        [[nodiscard]] unsigned count() const {
            return static_cast<unsigned>(std::countr_zero(equal(keys, none) | 1U << size));
        }
        /// Also of nodes that could not be made since their states could not be copied: their keys are those
        /// of other nodes, or of none.
        [[nodiscard]] unsigned with_tag(Tag tag) const { return equal(tags, tag); }

        static constexpr unsigned size = 8;
    };

    /// A slot: either of the node in question, or free for it. No slot if all lines that may be probed are
    /// full.
    struct Place {
        Line* line;
        unsigned slot;
        bool is_taken;
    };

    /// One kilobyte.
    static constexpr std::size_t first_lines = 16;
    /// As many slots as there are different tags.
    static constexpr std::size_t max_lines = std::size_t{1} << 29;

    /// The high bits of the tag choose the line.
    [[nodiscard]] std::size_t home(Tag tag) const {
        return static_cast<std::size_t>((std::uint64_t{tag} * lines_.size()) >> 32);
    }

    /// The next line to probe after a full line: on the same page of memory, and after the whole page on the
    /// next one. It must go on, since a user's hash function may give any number of states the same value.
    [[nodiscard]] std::size_t after(std::size_t at, std::size_t first, Tag tag) const {
        const std::size_t block = std::min(lines_.size(), lines_per_page<Line>);
        const std::size_t next = line_after(at, block, tag);
        return ((next ^ first) & (block - 1)) != 0 ? next : (next + block) & (lines_.size() - 1);
    }

    template <class IsSame>
    [[nodiscard]] Place look(Tag tag, Key nodes, IsSame&& is_same) const {
        if (lines_.size() > 0) {
            const std::size_t first = home(tag);
            std::size_t at = first;
            do {
                Line& line = lines_[at];
                for (unsigned matches = line.with_tag(tag); matches != 0; matches &= matches - 1) {
                    const auto slot = static_cast<unsigned>(std::countr_zero(matches));
                    if (line.keys[slot] < nodes && is_same(line.keys[slot])) {
                        return {&line, slot, true};
                    }
                }
                if (!line.is_full()) {
                    return {&line, line.count(), false};
                }
                at = after(at, first, tag);
            } while (at != first);
        }
        return {nullptr, 0, false};
    }

    /// Doubles the lines. Nodes that are not in their home line are kept aside until all others have been
    /// moved.
    NPUZZLE_NOINLINE void grow() {
        const std::size_t old_lines = lines_.size();
        if (old_lines == max_lines) {
            throw std::bad_alloc();
        }
        Storage<Slot> aside(*budget_);
        aside.grow(displaced_);
        lines_.grow(std::max(first_lines, 2 * old_lines));
        max_nodes_ = lines_.size() * Line::size * 4 / 5;
        if (old_lines == 0) {
            erase(lines_.data(), lines_.size());
            return;
        }
        std::size_t count = 0;
        double_lines(
            lines_.data(), 0, old_lines,
            [&](const Line& line, unsigned slot) { return home(line.tags[slot]); }, erase,
            [&](const Line& line, unsigned slot) { aside[count++] = line.get(slot); });
        displaced_ = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Slot& displaced = aside[i];
            const std::size_t first = home(displaced.tag);
            std::size_t at = first;
            while (lines_[at].is_full()) {
                at = after(at, first, displaced.tag);
            }
            lines_[at].set(lines_[at].count(), displaced);
            displaced_ += at != first ? 1 : 0;
        }
    }

    static void erase(Line* first, std::size_t count) {
        if (count > 0) { // memset takes no null pointer
            std::memset(static_cast<void*>(first), 0xff, count * sizeof(Line));
        }
    }

    const P* problem_;
    MemoryBudget* budget_;
    Storage<Line> lines_;
    std::uint64_t max_nodes_ = 0; // number of nodes at which it grows
    std::uint64_t displaced_ = 0; // nodes that are not in their home line
};

} // namespace npuzzle::detail
