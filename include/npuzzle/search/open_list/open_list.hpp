#pragma once

#include "npuzzle/search/memory/storage.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace npuzzle {

/// An entry of an open list: a node by its key, and what it is ordered by.
template <class Priority, class Cost, class Key>
struct OpenEntry {
    Priority priority; ///< f; least first
    Cost cost;         ///< g
    Key key;
};

/// The tie-break: among entries of equal f, the greatest g is first, since it is estimated nearest to a goal.
struct GreatestCostFirst {
    template <class Entry>
    [[nodiscard]] constexpr bool operator()(const Entry& a, const Entry& b) const {
        return b.cost < a.cost;
    }
};

/// Defined in `heap.hpp`, which takes half a second to compile.
template <class Priority, class Cost, class Key, class TieBreak = GreatestCostFirst>
class HeapOpenList;

/// A priority queue of `L::Entry`s without decrease-key: a node that is reached by a cheaper path is pushed
/// again, and the engine skips the superseded entry when it comes up. `pop` removes and returns the first
/// entry, and requires one. `clear` drops all entries and keeps the storage. `push` and `pop` may throw
/// `std::bad_alloc`; the list can then still be destroyed. It is constructed from the `MemoryBudget` on which
/// its storage counts.
template <class L>
concept OpenList = requires(L list, const L constant, typename L::Entry entry) {
    { list.push(entry) };
    { list.pop() } -> std::same_as<typename L::Entry>;
    { constant.empty() } -> std::same_as<bool>;
    { constant.size() } -> std::convertible_to<std::uint64_t>;
    { list.clear() };
};

/// Optional capability: `pop_equal` gives several entries of the same priority at once, `first_priority` tells
/// the first one's; both require an entry. It makes batches possible, whose cache misses overlap.
template <class L>
concept PopsEqual = OpenList<L> && requires(L list, typename L::Entry* entries) {
    { list.pop_equal(entries, std::size_t{1}) } -> std::same_as<std::size_t>;
    { list.first_priority() } -> std::same_as<decltype(std::declval<typename L::Entry&>().priority)>;
};

namespace detail {

/// True if `a` leaves the open list before `b`, of numbers. Without branches, which would be mispredicted.
template <class Entry>
[[nodiscard]] constexpr bool comes_before(const Entry& a, const Entry& b) {
    return static_cast<bool>(
        static_cast<int>(a.priority < b.priority) |
        (static_cast<int>(a.priority == b.priority) & static_cast<int>(b.cost < a.cost)));
}

/// A binary heap on a budget, for the entries that buckets and the ladder do not order themselves. Its order
/// among equals is the same with every standard library.
template <class Entry>
class BinaryHeap {
public:
    explicit BinaryHeap(MemoryBudget& budget) : entries_(budget) {}

    void push(const Entry& entry) {
        entries_.push_back(entry);
        rise(entries_.size() - 1, entry);
    }

    Entry pop() {
        Entry* const heap = entries_.data();
        const Entry first{heap[0].priority, heap[0].cost, heap[0].key};
        const Entry last = entries_.back();
        entries_.pop_back();
        const std::size_t size = entries_.size();
        // The hole at the top goes down to a leaf; the last entry, which most often belongs far down, goes up
        // from there (R. W. Floyd 1964, I. Wegener 1993).
        std::size_t place = 0;
        for (std::size_t child = 1; child < size; child = 2 * place + 1) {
            if (child + 1 < size) {
                child += static_cast<std::size_t>(comes_before(heap[child + 1], heap[child]));
            }
            heap[place] = heap[child];
            place = child;
        }
        if (size > 0) rise(place, last);
        return first;
    }

    [[nodiscard]] const Entry& top() const { return entries_[0]; }

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

    Storage<Entry> entries_;
};

} // namespace detail

} // namespace npuzzle
