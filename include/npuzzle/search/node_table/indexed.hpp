#pragma once

#include "npuzzle/search/node_table/pooled.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

namespace npuzzle {

namespace detail {

/// Finds the node of a state by the state's number: the first nodes by hash, so that a short search does not
/// pay for the size of the problem, and then all in a flat array, which needs no clearing for another search:
/// its entries are greater than all those before.
template <IndexedProblem P>
class FlatIndex {
public:
    using Tag = std::uint32_t; ///< the number of the state

    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_estimates = false;

    FlatIndex(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), first_nodes_(budget), entries_(budget) {}

    [[nodiscard]] Tag tag(const state_t<P>& state) const { return static_cast<Tag>(problem_->index(state)); }

    /// See `NumberIndex::reserve`.
    /// \param tag_of `tag_of(number)`, of the nodes that are there
    std::uint32_t reserve(std::uint32_t size, auto&& tag_of) {
        const std::uint64_t states = problem_->size();
        if (states > std::uint64_t{1} << 32) {
            throw std::bad_alloc();
        }
        if (!is_flat()) {
            if (size < most_hashed && states > 4 * most_hashed) {
                return (std::min)(first_nodes_.reserve(size), most_hashed);
            }
            entries_.grow_zeroed(static_cast<std::size_t>(states));
            for (std::uint32_t number = 0; number < size; ++number) {
                entries_[tag_of(number)] = first_ + number;
            }
            first_nodes_ = NumberIndex(*budget_);
        }
        return no_number;
    }

    /// Valid also before the array exists, where pointer arithmetic would not be.
    void prefetch(Tag tag) const {
        const auto begin = reinterpret_cast<std::uintptr_t>(entries_.data());
        detail::prefetch(reinterpret_cast<const void*>(begin + sizeof(std::uint32_t) * std::size_t{tag}));
    }

    [[nodiscard]] std::optional<std::uint32_t> guess(Tag tag) const {
        if (!is_flat()) {
            return first_nodes_.guess(hash(tag));
        }
        const std::uint32_t number = entries_[tag] - first_;
        return number < size_ ? std::optional(number) : std::nullopt;
    }

    template <class IsSame>
    NPUZZLE_ALWAYS_INLINE IndexPlace find(Tag tag, IsSame&& is_same) const {
        if (!is_flat()) [[unlikely]] {
            return find_hashed(tag, is_same);
        }
        std::uint32_t& entry = entries_[tag];
        const std::uint32_t number = entry - first_;
        return {&entry, number < size_ ? number : no_number};
    }

    void put(std::uint32_t* slot, Tag tag, std::uint32_t number) {
        size_ = number + 1;
        if (is_flat()) [[likely]] {
            *slot = first_ + number;
        } else {
            first_nodes_.put(slot, hash(tag), number);
        }
    }

    void clear() {
        first_nodes_.clear();
        first_ += std::exchange(size_, 0);
        // There are no more than half as many nodes as numbers: this leaves room for the next search's.
        if (first_ > max_first) {
            first_ = 1;
            std::fill_n(entries_.data(), entries_.size(), 0U);
        }
    }

private:
    static constexpr std::uint32_t max_first = 0x80000000;
    static constexpr std::uint32_t most_hashed = 4096;

    static std::uint32_t hash(Tag tag) { return tag * 0x9e3779b1U; }

    [[nodiscard]] bool is_flat() const { return entries_.data() != nullptr; }

    template <class IsSame>
    NPUZZLE_NOINLINE IndexPlace find_hashed(Tag tag, IsSame& is_same) const {
        return first_nodes_.find(hash(tag), is_same);
    }

    const P* problem_;
    MemoryBudget* budget_;
    NumberIndex first_nodes_;
    std::uint32_t first_ = 1; // the entry of the first node; smaller ones are of earlier searches
    std::uint32_t size_ = 0;  // how many nodes there are
    Storage<std::uint32_t> entries_;
};

} // namespace detail

/// A `PooledNodeTable` that finds the node of a state in a flat array, at `index(state)`: a look-up takes O(1)
/// time in the worst case.
///
/// The array takes four bytes for each of the `size()` states. The first nodes of a large problem, some
/// thousand, are hashed, and do without; then all of it is charged to the budget. A problem of more than 2^32
/// states gives `std::bad_alloc`. The index of a state must be less than `size()`; this is not checked.
template <IndexedProblem P, class E>
using IndexedNodeTable = PooledNodeTable<P, E, detail::FlatIndex<P>>;

} // namespace npuzzle
