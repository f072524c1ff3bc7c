#pragma once

#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// An open list for priorities of any ordered type.

namespace npuzzle {

/// A binary heap: push O(log n), pop O(log n), entries with equal f and g in no particular order.
template <class Priority, class Cost, class Key, class TieBreak = GreatestCostFirst>
class HeapOpenList {
public:
    using Entry = OpenEntry<Priority, Cost, Key>;

    explicit HeapOpenList(MemoryBudget& budget) : heap_(BudgetAllocator<Entry>(budget)) {}
    HeapOpenList(const HeapOpenList&) = delete;
    HeapOpenList& operator=(const HeapOpenList&) = delete;

    void push(const Entry& entry) {
        heap_.push_back(entry);
        rise(heap_.size() - 1, Entry(entry));
    }

    /// Removes and returns the first entry. Requires that there is one.
    Entry pop() {
        Entry* const heap = heap_.data();
        const Entry first = heap[0];
        const Entry moved = heap_.back();
        heap_.pop_back();
        const std::size_t size = heap_.size();
        if (size == 0) {
            return first;
        }
        // The hole at the top goes down to a leaf along the better children, told without a branch; the last entry, which
        // belongs far down as a rule, goes up from there (R. W. Floyd 1964, I. Wegener 1993).
        std::size_t place = 0;
        while (2 * place + 2 < size) {
            std::size_t child = 2 * place + 1;
            child += static_cast<std::size_t>(comes_before(heap[child + 1], heap[child]));
            heap[place] = heap[child];
            place = child;
        }
        if (2 * place + 2 == size) {
            heap[place] = heap[size - 1];
            place = size - 1;
        }
        rise(place, moved);
        return first;
    }

    /// The entry that `pop` would return.
    const Entry& top() const { return heap_.front(); }

    /// The priority of the first entry. Requires that there is one.
    Priority first_priority() const { return top().priority; }

    bool empty() const { return heap_.empty(); }
    std::uint64_t size() const { return heap_.size(); }

    /// Drops all entries and keeps the storage.
    void clear() { heap_.clear(); }

private:
    static bool comes_before(const Entry& a, const Entry& b) {
        if constexpr (std::same_as<TieBreak, GreatestCostFirst>) {
            return detail::comes_before(a, b);
        } else {
            return a.priority < b.priority || (!(b.priority < a.priority) && TieBreak{}(a, b));
        }
    }

    /// Puts an entry where it belongs on the way up from an empty place.
    void rise(std::size_t place, const Entry& entry) {
        while (place > 0) {
            const std::size_t parent = (place - 1) / 2;
            if (!comes_before(entry, heap_[parent])) {
                break;
            }
            heap_[place] = heap_[parent];
            place = parent;
        }
        heap_[place] = entry;
    }

    std::vector<Entry, BudgetAllocator<Entry>> heap_;
};

namespace detail {

/// How `AutomaticOpenList` gets at this header where it is included.
template <class Priority, class Cost, class Key, class TieBreak>
struct AutomaticHeap {
    using type = HeapOpenList<Priority, Cost, Key, TieBreak>;
};

} // namespace detail
} // namespace npuzzle
