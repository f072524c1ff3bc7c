#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/pooled.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>

/// \file
/// A node table for states that are numbered.

namespace npuzzle {

namespace detail {

/// Finds nodes again by the number of their state: a flat array that says for each number which node is its. What it
/// says holds if that node is there and has that state, so that nothing has to be set up, and nothing to be cleared
/// (P. Briggs, L. Torczon, "An efficient representation for sparse sets", 1993).
template <IndexedProblem P>
class FlatIndex {
public:
    using Key = std::uint32_t;
    /// The number of the state.
    using Tag = std::uint32_t;

    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_estimates = false;

    FlatIndex(const P& problem, MemoryBudget& budget) : problem_(&problem), nodes_(budget) {}

    Tag tag(const state_t<P>& state) const { return static_cast<Tag>(problem_->index(state)); }

    /// Also before there is an array, of which no pointer could be made then.
    void prefetch(Tag tag) const {
        const auto begin = reinterpret_cast<std::uintptr_t>(nodes_.data());
        detail::prefetch(reinterpret_cast<const void*>(begin + sizeof(Key) * std::size_t{tag}));
    }

    std::optional<Key> guess(Tag tag, Key nodes) const {
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
    std::optional<Key> find(Tag tag, Key nodes, IsSame&& is_same) const {
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
    /// On huge pages if it takes no more than a few milliseconds to touch all of them.
    Storage<Key, std::size_t{1} << 26> nodes_;
};

} // namespace detail

/// A `PooledNodeTable` in which a state's node is looked up in a flat array, at `index(state)`: no hash, no collision. The
/// array takes four bytes for each of the `size()` states, all of which count on the budget from the first node on; of
/// a large array the system hands out what is touched. A problem of more than 2^32 states is a `std::bad_alloc`; a state with
/// an index of `size()` or more is out of bounds.
template <IndexedProblem P, class E>
using IndexedNodeTable = PooledNodeTable<P, E, detail::FlatIndex<P>>;

} // namespace npuzzle
