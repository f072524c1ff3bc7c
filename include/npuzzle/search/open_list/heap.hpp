#pragma once

#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <boost/heap/d_ary_heap.hpp>

#include <cstddef>
#include <cstdint>

/// \file
/// An open list for priorities of any ordered type.

namespace npuzzle {

/// A 4-ary heap (Boost.Heap): push O(log n), pop O(log n), entries with equal f and g in no particular order.
template <class Priority, class Cost, class Key>
class HeapOpenList {
public:
    using Entry = OpenEntry<Priority, Cost, Key>;

    explicit HeapOpenList(detail::MemoryBudget& budget) : budget_(&budget) {}
    HeapOpenList(const HeapOpenList&) = delete;
    HeapOpenList& operator=(const HeapOpenList&) = delete;
    ~HeapOpenList() { budget_->release(capacity_ * sizeof(Entry)); }

    void push(const Entry& entry) {
        if (heap_.size() == capacity_) {
            grow();
        }
        heap_.push(entry);
    }

    /// Removes and returns the first entry. Requires that there is one.
    Entry pop() {
        const Entry entry = heap_.top();
        heap_.pop();
        return entry;
    }

    /// The entry that `pop` would return.
    const Entry& top() const { return heap_.top(); }

    bool empty() const { return heap_.empty(); }
    std::uint64_t size() const { return heap_.size(); }

    /// Drops all entries and keeps the storage.
    void clear() { heap_.clear(); }

private:
    struct ComesLater {
        bool operator()(const Entry& a, const Entry& b) const { return detail::comes_before(b, a); }
    };

    /// Boost.Heap takes no allocator object, so its growth is put on the budget here: old and new storage exist side by
    /// side for a moment.
    void grow() {
        const std::size_t capacity = capacity_ == 0 ? 64 : 2 * capacity_;
        budget_->acquire(capacity * sizeof(Entry));
        try {
            heap_.reserve(capacity);
        } catch (...) {
            budget_->release(capacity * sizeof(Entry));
            throw;
        }
        budget_->release(capacity_ * sizeof(Entry));
        capacity_ = capacity;
    }

    detail::MemoryBudget* budget_;
    std::size_t capacity_ = 0;
    boost::heap::d_ary_heap<Entry, boost::heap::arity<4>, boost::heap::compare<ComesLater>> heap_;
};

} // namespace npuzzle
