#pragma once

#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace npuzzle::detail {

/// A binary heap on a budget, for the entries that buckets and the ladder do not order themselves. Its order
/// among equals is the same with every standard library. Push and pop O(log n). A push that is refused memory
/// changes nothing.
template <class Entry>
class BinaryHeap {
public:
    explicit BinaryHeap(MemoryBudget& budget) : entries_(BudgetAllocator<Entry>(budget)) {}

    void push(const Entry& entry) {
        if (entries_.capacity() == 0) {
            entries_.reserve(16);
        }
        entries_.push_back(entry);
        rise(entries_.size() - 1, entry);
    }

    /// Removes and returns the first entry. Requires that there is one.
    Entry pop() {
        Entry* const heap = entries_.data();
        const Entry first{heap[0].priority, heap[0].cost, heap[0].key};
        const Entry last = entries_.back();
        entries_.pop_back();
        const std::size_t size = entries_.size();
        if (size == 0) {
            return first;
        }
        // The hole at the top goes down to a leaf; the last entry, which most often belongs far down, goes up
        // from there (R. W. Floyd 1964, I. Wegener 1993).
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
        rise(place, last);
        return first;
    }

    /// The entry that `pop` would return.
    [[nodiscard]] const Entry& top() const { return entries_.front(); }

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] std::uint64_t size() const noexcept { return entries_.size(); }

    void clear() { entries_.clear(); }

private:
    /// Puts an entry where it belongs on the way up from an empty place.
    void rise(std::size_t place, const Entry& entry) {
        for (; place > 0 && comes_before(entry, entries_[(place - 1) / 2]); place = (place - 1) / 2) {
            entries_[place] = entries_[(place - 1) / 2];
        }
        entries_[place] = entry;
    }

    std::vector<Entry, BudgetAllocator<Entry>> entries_;
};

} // namespace npuzzle::detail
