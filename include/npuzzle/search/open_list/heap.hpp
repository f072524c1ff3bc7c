#pragma once

#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

/// \file
/// An open list for priorities of any ordered type.

namespace npuzzle {

/// A binary heap: push O(log n), pop O(log n), entries with equal f and g in no particular order.
template <class Priority, class Cost, class Key>
class HeapOpenList {
public:
    using Entry = OpenEntry<Priority, Cost, Key>;

    explicit HeapOpenList(detail::MemoryBudget& budget) : heap_(detail::BudgetAllocator<Entry>(budget)) {}
    HeapOpenList(const HeapOpenList&) = delete;
    HeapOpenList& operator=(const HeapOpenList&) = delete;

    void push(const Entry& entry) {
        heap_.push_back(entry);
        std::push_heap(heap_.begin(), heap_.end(), ComesLater{});
    }

    /// Removes and returns the first entry. Requires that there is one.
    Entry pop() {
        std::pop_heap(heap_.begin(), heap_.end(), ComesLater{});
        const Entry entry = heap_.back();
        heap_.pop_back();
        return entry;
    }

    /// The entry that `pop` would return.
    const Entry& top() const { return heap_.front(); }

    bool empty() const { return heap_.empty(); }
    std::uint64_t size() const { return heap_.size(); }

    /// Drops all entries and keeps the storage.
    void clear() { heap_.clear(); }

private:
    struct ComesLater {
        bool operator()(const Entry& a, const Entry& b) const { return detail::comes_before(b, a); }
    };

    std::vector<Entry, detail::BudgetAllocator<Entry>> heap_;
};

} // namespace npuzzle
