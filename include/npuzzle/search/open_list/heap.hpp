#pragma once

#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

// Without Boost.Heap, what needs it says so.
#if __has_include(<boost/heap/d_ary_heap.hpp>)
#include <boost/heap/d_ary_heap.hpp>

namespace npuzzle {

/// An open list for priorities and costs of any ordered types: a 4-ary heap (Boost.Heap). Push and pop O(log
/// n). Entries that are equal for the tie-break are in no particular order. A `push` that is refused memory
/// throws `std::bad_alloc` and changes nothing. Comparisons must not throw.
/// \tparam Priority, Cost ordered by `<`; they may be types that can only be moved
/// \tparam TieBreak `tie_break(a, b)` says whether entry `a` leaves before entry `b` of equal priority: a
///         strict weak order
template <class Priority, class Cost, class Key, class TieBreak>
class HeapOpenList {
public:
    using Entry = OpenEntry<Priority, Cost, Key>;

    explicit HeapOpenList(MemoryBudget& budget) : budget_(&budget) {}
    HeapOpenList(const HeapOpenList&) = delete;
    HeapOpenList& operator=(const HeapOpenList&) = delete;
    ~HeapOpenList() { budget_->release(room_ * sizeof(Entry)); }

    void push(Entry entry) {
        if (heap_.size() == room_) grow();
        heap_.emplace(std::move(entry));
    }

    Entry pop() {
        Entry first = std::move(const_cast<Entry&>(heap_.top()));
        heap_.pop();
        return first;
    }

    [[nodiscard]] Priority first_priority() const { return heap_.top().priority; }

    [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
    [[nodiscard]] std::uint64_t size() const noexcept { return heap_.size(); }

    void clear() { heap_.clear(); }

private:
    /// The order of Boost.Heap, which hands out the greatest: true if `a` leaves after `b`.
    struct LeavesAfter {
        bool operator()(const Entry& a, const Entry& b) const {
            return b.priority < a.priority || (!(a.priority < b.priority) && TieBreak{}(b, a));
        }
    };

    NPUZZLE_NOINLINE void grow() {
        const std::size_t room = (std::max)(std::size_t{16}, 2 * room_);
        budget_->acquire(room * sizeof(Entry));
        try {
            heap_.reserve(room);
        } catch (...) {
            budget_->release(room * sizeof(Entry));
            throw;
        }
        budget_->release(room_ * sizeof(Entry));
        room_ = room;
    }

    MemoryBudget* budget_;
    boost::heap::d_ary_heap<Entry, boost::heap::arity<4>, boost::heap::compare<LeavesAfter>> heap_;
    std::size_t room_ = 0; // for so many entries, charged to the budget
};

} // namespace npuzzle
#else
namespace npuzzle {

template <class Priority, class, class, class>
class HeapOpenList {
    static_assert(sizeof(Priority) == 0,
                  "HeapOpenList needs the headers of Boost 1.74 or newer: libboost-dev");
};

} // namespace npuzzle
#endif
