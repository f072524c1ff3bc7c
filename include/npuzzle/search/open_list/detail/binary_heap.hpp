#pragma once

#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace npuzzle::detail {

/// A binary heap on a budget: for the few entries that buckets and the ladder do not order themselves. Its
/// order among equals is the same with every standard library. Push and pop O(log n). A push that is refused
/// memory changes nothing.
template <class EntryType>
class BinaryHeap {
public:
    using Entry = EntryType;

    explicit BinaryHeap(MemoryBudget& budget) : entries_(BudgetAllocator<Entry>(budget)) {}

    void push(const Entry& entry) { push_parts(entry.priority, entry.cost, entry.key); }

    /// The same by the parts of an entry: what is read as a whole would wait for their stores.
    NPUZZLE_NOINLINE void push_parts(decltype(Entry::priority) priority, decltype(Entry::cost) cost,
                                     decltype(Entry::key) key) {
        if (entries_.size() == entries_.capacity()) [[unlikely]] {
            entries_.reserve((std::max)(few, 2 * entries_.size()));
        }
        entries_.emplace_back();
        rise(entries_.size() - 1, Entry{priority, cost, key});
    }

    /// Removes and returns the first entry. Requires that there is one.
    Entry pop() {
        Entry* const heap = entries_.data();
        const Entry first{heap[0].priority, heap[0].cost, heap[0].key};
        const Entry moved = entries_.back();
        entries_.pop_back();
        const std::size_t size = entries_.size();
        if (size == 0) {
            return first;
        }
        // The hole at the top goes down to a leaf along the better children, told without a branch; the last
        // entry, which belongs far down as a rule, goes up from there (R. W. Floyd 1964, I. Wegener 1993).
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
    [[nodiscard]] const Entry& top() const { return entries_.front(); }

    [[nodiscard]] auto first_priority() const { return top().priority; }

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] std::uint64_t size() const noexcept { return entries_.size(); }

    void clear() { entries_.clear(); }

private:
    /// For how many entries there is room at first.
    static constexpr std::size_t few = 16;

    /// Puts an entry where it belongs on the way up from an empty place.
    void rise(std::size_t place, const Entry& entry) {
        while (place > 0) {
            const std::size_t parent = (place - 1) / 2;
            if (!comes_before(entry, entries_[parent])) {
                break;
            }
            entries_[place] = entries_[parent];
            place = parent;
        }
        entries_[place] = entry;
    }

    std::vector<Entry, BudgetAllocator<Entry>> entries_;
};

} // namespace npuzzle::detail
