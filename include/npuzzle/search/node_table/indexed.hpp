#pragma once

#include "npuzzle/search/node_table/pooled.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>

namespace npuzzle {

namespace detail {

/// Finds the node of a state by the state's number, in a flat array. An entry is valid only if its node
/// exists and has that state. So the array needs neither initialization nor clearing (P. Briggs, L. Torczon,
/// "An efficient representation for sparse sets", 1993).
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

    /// Valid also before the array exists. Pointer arithmetic would not be.
    void prefetch(Tag tag) const {
        const auto begin = reinterpret_cast<std::uintptr_t>(nodes_.data());
        detail::prefetch(reinterpret_cast<const void*>(begin + sizeof(Key) * std::size_t{tag}));
    }

    [[nodiscard]] std::optional<Key> guess(Tag tag, Key nodes) const {
        return nodes_.size() > 0 && nodes_[tag] < nodes ? std::optional<Key>(nodes_[tag]) : std::nullopt;
    }

    template <class IsSame>
    Key& place(Tag tag, Key nodes, IsSame&& is_same) {
        if (nodes_.size() == 0) {
            start();
        }
        Key& node = nodes_[tag];
        if (node >= nodes || !is_same(node)) {
            node = nodes;
        }
        return node;
    }

    template <class IsSame>
    [[nodiscard]] std::optional<Key> find(Tag tag, Key nodes, IsSame&& is_same) const {
        const std::optional<Key> key = guess(tag, nodes);
        return key && is_same(*key) ? key : std::nullopt;
    }

    static void clear() {}

private:
    NPUZZLE_NOINLINE void start() {
        const std::uint64_t states = problem_->size();
        if (states > std::uint64_t{1} << 32) {
            throw std::bad_alloc();
        }
        nodes_.grow_zeroed(static_cast<std::size_t>(states));
    }

    const P* problem_;
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
