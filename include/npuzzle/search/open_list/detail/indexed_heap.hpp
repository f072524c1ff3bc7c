#pragma once

#include "npuzzle/search/memory/budget.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace npuzzle::detail {

/// A heap of numbered nodes with four children a place, on a budget: it knows the place of each node, so that
/// the key of a node can change, and a node can leave. Each change O(log n). One that is refused memory
/// changes nothing.
/// \tparam Entry a node and its key: ordered by `<`, least first, with the number of the node as `node`
template <class Entry>
class IndexedHeap {
public:
    using Number = std::uint32_t;

    explicit IndexedHeap(MemoryBudget& budget)
        : entries_(BudgetAllocator<Entry>(budget)), places_(BudgetAllocator<Number>(budget)) {}

    /// One more node, which is not in the heap. Nodes are numbered from 0.
    void add_node() { places_.push_back(none); }

    /// Gives a node its key; it is in the heap then.
    void set(const Entry& entry) {
        const std::size_t place = places_[entry.node];
        if (place == none) {
            entries_.push_back(entry);
            rise(entries_.size() - 1, entry);
        } else if (entry < entries_[place]) {
            rise(place, entry);
        } else {
            sink(place, entry);
        }
    }

    /// Takes a node out, if it is in the heap.
    void remove(Number node) {
        std::size_t place = places_[node];
        if (place == none) {
            return;
        }
        places_[node] = none;
        const Entry last = entries_.back();
        entries_.pop_back();
        if (place == entries_.size()) {
            return;
        }
        // The last entry most often belongs far down: it is not compared with others on the way there.
        for (std::size_t first = first_child(place); first < entries_.size(); first = first_child(place)) {
            const std::size_t least = least_child(first);
            put(place, entries_[least]);
            place = least;
        }
        rise(place, last);
    }

    /// The entry of the least key. Requires that there is one.
    [[nodiscard]] const Entry& top() const { return entries_.front(); }
    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] std::uint64_t size() const noexcept { return entries_.size(); }

    /// Forgets all nodes and keeps the storage.
    void clear() {
        entries_.clear();
        places_.clear();
    }

private:
    static constexpr Number none = (std::numeric_limits<Number>::max)();
    static constexpr std::size_t arity = 4;

    static std::size_t first_child(std::size_t place) { return arity * place + 1; }

    /// The place of the least of the children from this one on.
    [[nodiscard]] std::size_t least_child(std::size_t first) const {
        const Entry* const entries = entries_.data();
        const auto lesser = [entries](std::size_t a, std::size_t b) {
            return entries[b] < entries[a] ? b : a;
        };
        static_assert(arity == 4);
        if (first + 3 < entries_.size()) [[likely]] {
            return lesser(lesser(first, first + 1), lesser(first + 2, first + 3));
        }
        std::size_t least = first;
        for (std::size_t child = first + 1; child < entries_.size(); ++child) {
            least = lesser(least, child);
        }
        return least;
    }

    void put(std::size_t place, const Entry& entry) {
        entries_[place] = entry;
        places_[entry.node] = static_cast<Number>(place);
    }

    /// Puts an entry where it belongs on the way up from a place.
    void rise(std::size_t place, const Entry& entry) {
        while (place > 0 && entry < entries_[(place - 1) / arity]) {
            put(place, entries_[(place - 1) / arity]);
            place = (place - 1) / arity;
        }
        put(place, entry);
    }

    /// Puts an entry where it belongs on the way down from a place.
    void sink(std::size_t place, const Entry& entry) {
        for (std::size_t first = first_child(place); first < entries_.size(); first = first_child(place)) {
            const std::size_t least = least_child(first);
            if (!(entries_[least] < entry)) {
                break;
            }
            put(place, entries_[least]);
            place = least;
        }
        put(place, entry);
    }

    std::vector<Entry, BudgetAllocator<Entry>> entries_;
    std::vector<Number, BudgetAllocator<Number>> places_; // by the number of the node
};

} // namespace npuzzle::detail
