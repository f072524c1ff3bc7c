#pragma once

#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// An open list for numbers: buckets of equal width of f, of which only the first is sorted, when its turn
/// comes. Entries beyond the buckets wait, and are divided into the next buckets when these are used up
/// (after W. T. Tang, R. S. M. Goh, I. L. Thng, "Ladder queue", 2005). Push and pop are O(1) for the usual
/// spread of f in a search, and O(log n), amortized, for any: what would move far among the sorted entries
/// goes into a heap. Entries with equal f and g are in no particular order.
template <class Priority, class Cost, class Key>
class LadderOpenList {
    static_assert(std::is_arithmetic_v<Priority> && std::is_arithmetic_v<Cost>);

public:
    using Entry = OpenEntry<Priority, Cost, Key>;

    explicit LadderOpenList(MemoryBudget& budget)
        : sorted_(budget), heap_(budget), nodes_(budget), buckets_(budget), by_cost_(budget) {}

    void push(const Entry& entry) {
        if (!sorted_.empty() && !detail::comes_before(sorted_.back(), entry)) {
            sorted_.push_back(entry);
        } else {
            push_elsewhere(entry.priority, entry.cost, entry.key);
        }
        ++size_;
    }

    Entry pop() {
        const bool is_in_heap = is_first_in_heap();
        --size_;
        if (is_in_heap) return heap_.pop();
        const Entry& last = sorted_.back(); // copied by parts, as in `push_elsewhere`
        const Entry first{last.priority, last.cost, last.key};
        sorted_.pop_back();
        return first;
    }

    Priority first_priority() { return is_first_in_heap() ? heap_.top().priority : sorted_.back().priority; }

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    void clear() {
        sorted_.clear();
        heap_.clear();
        nodes_.clear();
        std::fill_n(buckets_.data(), buckets_.size(), nullptr);
        range_ = {};
        max_in_heap_ = few;
        size_ = 0;
    }

private:
    /// The type for the place of f among the buckets. Rounding keeps the order.
    using Real = std::common_type_t<Priority, double>;

    /// With no more entries than this, there are no buckets.
    static constexpr std::size_t few = 16;
    /// Their heads fit in the nearer caches.
    static constexpr std::size_t max_buckets = 16'384;

    struct Node {
        Entry entry;
        Node* next;
    };

    /// What the buckets hold; by default there are none.
    struct Range {
        Real base = 0;  // the least f of the first bucket
        Real scale = 0; // buckets for 1 of f
        Real next = 1;  // the first bucket that is not in order
        Real end = 0;   // how many buckets there are

        /// NaN if f is infinite and there are no buckets; then the entry goes before all buckets.
        Real place_of(Priority f) const { return (static_cast<Real>(f) - base) * scale; }
    };

    /// Passed by parts: loading the whole entry would stall on store forwarding.
    NPUZZLE_NOINLINE void push_elsewhere(Priority priority, Cost cost, Key key) {
        const Entry entry{priority, cost, key};
        const Real place = range_.place_of(priority);
        if (place >= range_.next) return add(entry, place);
        insert(entry);
        if (heap_.size() > max_in_heap_) divide_all();
    }

    /// Puts an entry where it belongs among those in order, or into the heap if that is far from the first.
    void insert(const Entry& entry) {
        std::size_t place = sorted_.size();
        if (place >= few && detail::comes_before(sorted_[place - few], entry)) return heap_.push(entry);
        sorted_.push_back(entry);
        for (; place > 0 && detail::comes_before(sorted_[place - 1], entry); --place) {
            sorted_[place] = sorted_[place - 1];
        }
        sorted_[place] = entry;
    }

    void add(const Entry& entry, Real place) {
        Node* const node = nodes_.take();
        node->entry = entry;
        link(node, place);
    }
    void link(Node* node, Real place) {
        Node*& bucket = buckets_[static_cast<std::size_t>((std::min)(place, range_.end))];
        node->next = bucket;
        bucket = node;
    }

    /// Sees to it that the first entry is in order or in the heap; true if it is in the heap.
    bool is_first_in_heap() {
        if (heap_.empty()) {
            if (sorted_.empty()) open_next();
            return false;
        }
        return sorted_.empty() || detail::comes_before(heap_.top(), sorted_.back());
    }

    /// Puts the entries of the next bucket in order. Requires that there are any, and that none are.
    NPUZZLE_NOINLINE void open_next() {
        auto bucket = static_cast<std::size_t>(range_.next);
        const auto end = static_cast<std::size_t>(range_.end);
        while (bucket < end && buckets_[bucket] == nullptr) ++bucket;
        if (bucket >= end) return divide_rest();
        sort(buckets_[bucket]);
        range_.next = static_cast<Real>(bucket + 1);
    }

    /// Puts the entries of a list in order. On a map, most have the f of many others: it takes less time to
    /// divide these by g than to compare them.
    void sort(Node*& list) {
        const Entry one = list->entry;
        Cost least = one.cost;
        Cost greatest = one.cost;
        std::size_t count = 0;
        const Node* node = list;
        for (; node != nullptr && node->entry.priority == one.priority; node = node->next, ++count) {
            least = (std::min)(least, node->entry.cost);
            greatest = (std::max)(greatest, node->entry.cost);
        }
        if (node == nullptr && count > few) divide_by_cost(list, count, least, greatest);
        insert_all(list);
    }

    void divide_by_cost(Node*& list, std::size_t count, Cost least, Cost greatest) {
        const auto real = [](Cost cost) { return static_cast<Real>(cost); };
        const Real scale = static_cast<Real>(count) / (real(greatest) - real(least));
        if (!(scale > 0 && scale < std::numeric_limits<Real>::infinity())) return;
        sorted_.reserve(count);
        by_cost_.clear();
        by_cost_.resize(count + 1, nullptr);
        while (list != nullptr) {
            Node* const node = std::exchange(list, list->next);
            const Real place = (real(node->entry.cost) - real(least)) * scale;
            node->next = std::exchange(by_cost_[static_cast<std::size_t>(place)], node);
        }
        for (Node*& each : by_cost_) insert_all(each);
    }

    void insert_all(Node*& list) {
        while (list != nullptr) {
            insert(list->entry);
            nodes_.give_back(std::exchange(list, list->next));
        }
    }

    /// Divides the rest into buckets, and opens the first. Requires that all else is empty, and the rest is
    /// not.
    void divide_rest() {
        Node*& rest = buckets_[static_cast<std::size_t>(range_.end)];
        const auto origin = static_cast<Real>(rest->entry.priority);
        Real sum = 0;
        Real least = 0;
        std::size_t count = 0;
        for (const Node* node = rest; node != nullptr; node = node->next, ++count) {
            const Real distance = static_cast<Real>(node->entry.priority) - origin;
            sum += distance;
            least = (std::min)(least, distance);
        }
        max_in_heap_ = (std::max)(few, 2 * count);
        // At least half of the rest is within twice the mean distance (Markov's inequality), so the entries
        // that leave the rest pay for its division. With three times that reach and as many buckets, most
        // entries that are pushed later find a bucket, and about three of the divided ones share one.
        const Real reach = 6 * (sum / static_cast<Real>(count) - least);
        const std::size_t buckets = (std::min)(count, max_buckets);
        const Real scale = reach > 0 ? static_cast<Real>(buckets) / reach : 0;
        if (count <= few || !(scale > 0 && scale < std::numeric_limits<Real>::infinity())) {
            sort(rest);
            range_ = {};
            return;
        }
        Node* list = std::exchange(rest, nullptr);
        if (buckets_.size() <= buckets) buckets_.resize(buckets + 1, nullptr);
        range_ = {origin + least, scale, 0, static_cast<Real>(buckets)};
        while (list != nullptr) {
            Node* const node = std::exchange(list, list->next);
            link(node, range_.place_of(node->entry.priority));
        }
        open_next();
    }

    /// When the heap has grown: the buckets are too wide, or f has fallen. It has to double before the next
    /// time.
    NPUZZLE_NOINLINE void divide_all() {
        if (buckets_.empty()) buckets_.push_back(nullptr);
        for (std::size_t bucket = 0; bucket < static_cast<std::size_t>(range_.end); ++bucket) {
            while (buckets_[bucket] != nullptr) {
                link(std::exchange(buckets_[bucket], buckets_[bucket]->next), range_.end);
            }
        }
        for (; !sorted_.empty(); sorted_.pop_back()) add(sorted_.back(), range_.end);
        while (!heap_.empty()) add(heap_.pop(), range_.end);
        divide_rest();
    }

    detail::Storage<Entry> sorted_;  // of the buckets before the next; the first comes last
    detail::BinaryHeap<Entry> heap_; // the same, far from the first
    detail::Pool<Node> nodes_;
    detail::Storage<Node*> buckets_; // and the rest, in the one behind the last
    detail::Storage<Node*> by_cost_; // see `sort`
    Range range_;
    std::size_t max_in_heap_ = few;
    std::size_t size_ = 0;
};

} // namespace npuzzle
