#pragma once

#include "npuzzle/search/node_table/pooled.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

namespace npuzzle {

namespace detail {

/// Finds the node of a state by the state's number: the first nodes in a small hash table, so that a short
/// search does not pay for the size of the problem, and then all in a flat array. Neither needs clearing for
/// another search, whose entries are greater than all those before.
template <IndexedProblem P>
class FlatIndex {
public:
    using Key = std::uint32_t;
    /// The number of the state.
    using Tag = std::uint32_t;

    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_estimates = false;

    FlatIndex(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), hashed_(budget), nodes_(budget) {}

    [[nodiscard]] Tag tag(const state_t<P>& state) const { return static_cast<Tag>(problem_->index(state)); }

    /// Makes room for so many nodes, `nodes` of which exist. Throws `std::bad_alloc`, and has changed nothing.
    void reserve(Key room, Key nodes) {
        if (nodes_.data() != nullptr) return;
        const std::uint64_t states = problem_->size();
        if (states > std::uint64_t{1} << 32) {
            throw std::bad_alloc();
        }
        Storage<Slot> old(*budget_);
        const std::size_t places = std::bit_ceil(std::size_t{room} * 2);
        if (room > most_hashed || states <= 4 * most_hashed) {
            nodes_.grow_zeroed(static_cast<std::size_t>(states));
            std::swap(old, hashed_);
        } else if (places > hashed_.size()) {
            old.grow_zeroed(places);
            std::swap(old, hashed_);
        }
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (old[i].entry - first_ >= nodes) continue;
            if (nodes_.data() != nullptr) {
                nodes_[old[i].tag] = old[i].entry;
            } else {
                slot(old[i].tag, nodes) = old[i];
            }
        }
    }

    /// Valid also before the array exists. Pointer arithmetic would not be.
    void prefetch(Tag tag) const {
        const auto begin = reinterpret_cast<std::uintptr_t>(nodes_.data());
        detail::prefetch(reinterpret_cast<const void*>(begin + sizeof(Key) * std::size_t{tag}));
    }

    [[nodiscard]] std::optional<Key> guess(Tag tag, Key nodes) const {
        if (nodes_.data() == nullptr && hashed_.data() == nullptr) return std::nullopt;
        const Key key = (nodes_.data() != nullptr ? nodes_[tag] : slot(tag, nodes).entry) - first_;
        return key < nodes ? std::optional<Key>(key) : std::nullopt;
    }

    /// The node of the state, or `nodes` for a new one, which is noted.
    template <class IsSame>
    NPUZZLE_ALWAYS_INLINE Key place(Tag tag, Key nodes, IsSame&& /*is_same*/) {
        if (nodes_.data() == nullptr) [[unlikely]] {
            return place_hashed(tag, nodes);
        }
        const Key key = nodes_[tag] - first_;
        if (key < nodes) {
            return key;
        }
        nodes_[tag] = first_ + nodes;
        return nodes;
    }

    template <class IsSame>
    [[nodiscard]] std::optional<Key> find(Tag tag, Key nodes, IsSame&& /*is_same*/) const {
        return guess(tag, nodes);
    }

    /// \param nodes how many there were
    void clear(Key nodes) {
        first_ += nodes + 1; // one entry may be of a node that could not be made
        // There are no more than half as many nodes as keys: this leaves room for the next search's keys.
        if (first_ > max_first) {
            first_ = 1;
            std::fill_n(nodes_.data(), nodes_.size(), Key{});
            std::fill_n(hashed_.data(), hashed_.size(), Slot{});
        }
    }

private:
    static constexpr Key max_first = 0x80000000;
    static constexpr Key most_hashed = 4096;

    struct Slot {
        Tag tag;
        Key entry;
    };

    /// The slot of a state, or the free one that it would have: an entry less `first_` is its node's number
    /// if that is less than the number of nodes. At most half of the slots are taken.
    [[nodiscard]] Slot& slot(Tag tag, Key nodes) const {
        std::size_t i = tag * 0x9e3779b1U >> 16;
        for (;; ++i) {
            Slot& each = hashed_[i & (hashed_.size() - 1)];
            if (each.tag == tag || each.entry - first_ >= nodes) return each;
        }
    }

    NPUZZLE_NOINLINE Key place_hashed(Tag tag, Key nodes) {
        Slot& found = slot(tag, nodes);
        const Key key = found.entry - first_;
        if (key < nodes) return key;
        found = {tag, first_ + nodes};
        return nodes;
    }

    const P* problem_;
    MemoryBudget* budget_;
    Key first_ = 1; // the entry of the first node; less is none of this search
    Storage<Slot> hashed_;
    /// On huge pages only if the array is so small that zeroing all of it takes no more than a few
    /// milliseconds.
    Storage<Key, std::size_t{1} << 26> nodes_;
};

} // namespace detail

/// A `PooledNodeTable` that finds the node of a state in a flat array, at `index(state)`. There is no hash
/// and there are no collisions: a look-up takes O(1) time in the worst case.
///
/// The array takes four bytes for each of the `size()` states. The first nodes of a large problem, some
/// thousand, are hashed, and do without: then all of it is charged to the budget. The system provides pages
/// of a large array when they are used. A problem of more than 2^32 states gives `std::bad_alloc`. The index
/// of a state must be less than `size()`; this is not checked.
template <IndexedProblem P, class E>
using IndexedNodeTable = PooledNodeTable<P, E, detail::FlatIndex<P>>;

} // namespace npuzzle
