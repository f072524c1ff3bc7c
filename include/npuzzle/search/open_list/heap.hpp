#pragma once

#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

// Without Boost.Heap, what needs it says so.
#if __has_include(<boost/heap/d_ary_heap.hpp>)
#include <boost/heap/d_ary_heap.hpp>

namespace npuzzle {

/// Boost.Heap's d-ary heap with four children a node.
template <class Entry, class... Options>
using QuaternaryHeap = boost::heap::d_ary_heap<Entry, boost::heap::arity<4>, Options...>;

namespace detail {

/// The order of Boost.Heap, whose queues hand out the greatest: true if `a` leaves after `b`.
template <class Entry, class TieBreak>
struct LeavesAfter {
    NPUZZLE_NO_UNIQUE_ADDRESS TieBreak tie_break;

    [[nodiscard]] bool operator()(const Entry& a, const Entry& b) const {
        if constexpr (std::same_as<TieBreak, GreatestCostFirst>) {
            return comes_before(b, a);
        } else {
            return b.priority < a.priority || (!(a.priority < b.priority) && tie_break(b, a));
        }
    }
};

} // namespace detail

/// A queue of Boost.Heap, by default with push and pop O(log n). Entries that are equal for the tie-break are
/// in no particular order. Room for entries is charged to the budget before they need it, and until the list
/// is destroyed. A `push` that is refused memory throws `std::bad_alloc` and changes nothing. Comparisons
/// must not throw.
/// \tparam Priority, Cost ordered by `<`; in a d-ary heap they may be types that can only be moved
/// \tparam TieBreak `tie_break(a, b)` says whether entry `a` leaves before entry `b` of equal priority: a
///         strict weak order
/// \tparam Queue one of `boost::heap::d_ary_heap` (with its arity: see `QuaternaryHeap`), `binomial_heap`,
/// `fibonacci_heap`, `pairing_heap` and `skew_heap`, whose header is to be included, or an alias of one with
/// more options. `skew_heap` merges by recursion, which is deep for few orders of entries only.
template <class Priority, class Cost, class Key, std::copy_constructible TieBreak = GreatestCostFirst,
          template <class...> class Queue = QuaternaryHeap>
class HeapOpenList {
public:
    using Entry = OpenEntry<Priority, Cost, Key>;

private:
    using Order = detail::LeavesAfter<Entry, TieBreak>;
    // The queue does not count its entries: it would count those for which it is refused memory, too.
    using Heap = Queue<Entry, boost::heap::compare<Order>, boost::heap::constant_time_size<false>>;

    static constexpr bool has_nodes = !Heap::has_reserve;
    static_assert(!has_nodes || std::is_copy_constructible_v<Entry>,
                  "Priorities and costs that cannot be copied need a d-ary heap");

public:
    explicit HeapOpenList(MemoryBudget& budget)
        requires std::default_initializable<TieBreak>
        : HeapOpenList(budget, TieBreak{}) {}
    HeapOpenList(MemoryBudget& budget, const TieBreak& tie_break)
        : budget_(&budget), queue_(Order{tie_break}) {}
    HeapOpenList(const HeapOpenList&) = delete;
    HeapOpenList& operator=(const HeapOpenList&) = delete;
    ~HeapOpenList() {
        clear();
        budget_->release(room_ * entry_bytes);
    }

    void push(Entry entry) {
        if (size_ == room_) {
            grow();
        }
        queue_.emplace(std::move(entry));
        ++size_;
    }

    /// Removes and returns the first entry. Requires that there is one.
    Entry pop() {
        Entry first = take_top();
        queue_.pop();
        --size_;
        return first;
    }

    /// The entry that `pop` would return.
    [[nodiscard]] const Entry& top() const { return queue_.top(); }

    /// The priority of the first entry. Requires that there is one.
    [[nodiscard]] Priority first_priority() const { return top().priority; }

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Drops all entries. An array is kept.
    void clear() {
        if constexpr (has_nodes) {
            // Boost.Heap would destroy the nodes by a recursion that may be as deep as there are entries.
            while (!empty()) {
                pop();
            }
        } else {
            queue_.clear();
        }
        size_ = 0;
    }

private:
    /// A node has pointers, too: to a parent and among its siblings, and a rank.
    static constexpr std::size_t entry_bytes = sizeof(Entry) + (has_nodes ? 6 * sizeof(void*) : 0);

    Entry take_top() {
        if constexpr (has_nodes) {
            return queue_.top(); // which a binomial heap compares with others while it removes it
        } else {
            return std::move(const_cast<Entry&>(queue_.top()));
        }
    }

    NPUZZLE_NOINLINE void grow() {
        const std::size_t room = (std::max)(std::size_t{16}, 2 * room_);
        budget_->acquire(room * entry_bytes);
        if constexpr (!has_nodes) {
            try {
                queue_.reserve(room);
            } catch (...) {
                budget_->release(room * entry_bytes);
                throw;
            }
        }
        budget_->release(room_ * entry_bytes);
        room_ = room;
    }

    MemoryBudget* budget_;
    Heap queue_;
    std::size_t size_ = 0;
    std::size_t room_ = 0; // for so many entries, charged to the budget
};

} // namespace npuzzle
#else
namespace npuzzle {

template <class Priority, class, class, class = GreatestCostFirst, template <class...> class = std::void_t>
class HeapOpenList {
    static_assert(sizeof(Priority) == 0,
                  "HeapOpenList needs the headers of Boost 1.74 or newer: libboost-dev");
};

} // namespace npuzzle
#endif

namespace npuzzle {
namespace detail {

/// How `AutomaticOpenList` gets at this header where it is included.
template <class Priority, class Cost, class Key, class TieBreak>
struct AutomaticHeap {
    using type = HeapOpenList<Priority, Cost, Key, TieBreak>;
};

} // namespace detail
} // namespace npuzzle
