#pragma once

#include "npuzzle/search/node_table/pooled.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>

namespace npuzzle {

namespace detail {

/// Finds the node of a state by the state's number, in a flat array. The array needs no clearing for another
/// search, whose entries are greater than all those before.
template <IndexedProblem P>
class FlatIndex {
public:
    using Key = std::uint32_t;
    /// The number of the state.
    using Tag = std::uint32_t;

    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_estimates = false;

    FlatIndex(const P& problem, MemoryBudget& budget) : problem_(&problem), nodes_(budget) {}

    [[nodiscard]] Tag tag(const state_t<P>& state) const { return static_cast<Tag>(problem_->index(state)); }

    /// To be called before the first `place`.
    void start() {
        const std::uint64_t states = problem_->size();
        if (states > std::uint64_t{1} << 32) {
            throw std::bad_alloc();
        }
        nodes_.grow_zeroed(static_cast<std::size_t>(states));
    }

    /// Valid also before the array exists. Pointer arithmetic would not be.
    void prefetch(Tag tag) const {
        const auto begin = reinterpret_cast<std::uintptr_t>(nodes_.data());
        detail::prefetch(reinterpret_cast<const void*>(begin + sizeof(Key) * std::size_t{tag}));
    }

    [[nodiscard]] std::optional<Key> guess(Tag tag, Key nodes) const {
        return nodes_.data() != nullptr && key_at(tag) < nodes ? std::optional<Key>(key_at(tag))
                                                               : std::nullopt;
    }

    /// The node of the state, or `nodes` for a new one, which is noted.
    template <class IsSame>
    NPUZZLE_ALWAYS_INLINE Key place(Tag tag, Key nodes, IsSame&& /*is_same*/) {
        const Key key = key_at(tag);
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
            std::memset(nodes_.data(), 0, nodes_.size() * sizeof(Key));
        }
    }

private:
    static constexpr Key max_first = 0x80000000;

    /// That of a node is less than the number of nodes, and that of no node is not.
    [[nodiscard]] Key key_at(Tag tag) const { return nodes_[tag] - first_; }

    const P* problem_;
    Key first_ = 1; // the entry of the first node; less is none of this search
    /// On huge pages only if the array is so small that zeroing all of it takes no more than a few
    /// milliseconds.
    Storage<Key, std::size_t{1} << 26> nodes_;
};

} // namespace detail

/// A `PooledNodeTable` that finds the node of a state in a flat array, at `index(state)`. There is no hash
/// and there are no collisions: a look-up takes O(1) time in the worst case.
///
/// The array takes four bytes for each of the `size()` states. All of them are charged to the budget when the
/// first node is inserted. The system provides pages of a large array when they are used. A problem of more
/// than 2^32 states gives `std::bad_alloc`. The index of a state must be less than `size()`; this is not
/// checked.
template <IndexedProblem P, class E>
using IndexedNodeTable = PooledNodeTable<P, E, detail::FlatIndex<P>>;

} // namespace npuzzle
