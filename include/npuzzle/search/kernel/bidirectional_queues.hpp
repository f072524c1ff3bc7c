#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/kernel/counting_multiset.hpp"
#include "npuzzle/search/open_list/automatic.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

/// \file
/// The open lists of the two sides of a bidirectional search: in which order each method takes nodes from
/// them.

namespace npuzzle::detail {

/// The type in which bounds are worked out: wide enough to double a cost, and with negative numbers.
template <class Estimate>
using wide_t = std::conditional_t<std::integral<Estimate>, std::int64_t, Estimate>;

template <class T>
concept HasDifference = requires(const T& a, const T& b) {
    { a - b } -> std::convertible_to<T>;
};

/// a - b; an integer difference that the type cannot hold gives its nearest value.
template <HasDifference T>
[[nodiscard]] constexpr T saturating_subtract(const T& a, const T& b) {
    if constexpr (std::integral<T>) {
        T difference{};
        if (subtract_overflows(a, b, difference)) {
            return b < T{} ? (std::numeric_limits<T>::max)() : std::numeric_limits<T>::lowest();
        }
        return difference;
    } else {
        return static_cast<T>(a - b);
    }
}

/// What a node is ordered by.
template <class Wide>
struct Rank {
    Wide cost;     ///< g
    Wide priority; ///< f = g + h
    Wide opposite; ///< the other direction's h, if the method uses it
};

template <class Wide, class Cost>
Rank<Wide> rank_of(const Cost& cost, const Wide& estimate, const Wide& opposite) {
    const Wide wide = saturating_cast<Wide>(cost);
    return {wide, saturating_add<Wide>(wide, estimate), opposite};
}

/// Takes the first entry, and up to `most` - 1 of the same priority where the list can give them.
template <class List>
std::size_t take_equal(List& list, typename List::Entry* entries, std::size_t most) {
    if constexpr (PopsEqual<List>) {
        return list.pop_equal(entries, most);
    } else {
        entries[0] = list.pop();
        return 1;
    }
}

/// How entries are ordered: `priority(rank, epsilon)`.
struct NodeOrder {
    static constexpr bool counts_nodes = false;  ///< whether the least f and g are known
    static constexpr bool asks_opposite = false; ///< whether the priority depends on `Rank::opposite`
};

/// By max(f, 2g + epsilon): neither side goes beyond the middle (Holte, Felner, Sharon, Sturtevant 2016).
struct MeetInTheMiddleOrder : NodeOrder {
    static constexpr bool counts_nodes = true;

    template <class Wide>
    static Wide priority(const Rank<Wide>& rank, const Wide& epsilon) {
        const Wide twice = saturating_add<Wide>(saturating_add<Wide>(rank.cost, rank.cost), epsilon);
        return rank.priority < twice ? twice : rank.priority;
    }
};

/// By b = f + (g - h'), where h' is the other direction's estimate (Sadhukhan 2012).
struct BaeStarOrder : NodeOrder {
    static constexpr bool asks_opposite = true;

    template <class Wide>
    static Wide priority(const Rank<Wide>& rank, const Wide& /*epsilon*/) {
        return saturating_add<Wide>(rank.priority, saturating_subtract<Wide>(rank.cost, rank.opposite));
    }
};

/// By g.
struct LayerOrder : NodeOrder {
    template <class Wide>
    static Wide priority(const Rank<Wide>& rank, const Wide& /*epsilon*/) {
        return rank.cost;
    }
};

struct Uncounted {
    explicit Uncounted(MemoryBudget& /*budget*/) {}
};

/// One side's open list, in one order.
template <class Order, class Wide, class Cost, class Key, bool has_unit_steps>
class OrderedQueue {
    using List = AutomaticOpenList<Wide, Cost, Key, has_unit_steps>;
    using Count = std::conditional_t<Order::counts_nodes, CountingMultiset<Wide>, Uncounted>;

public:
    using Priority = Wide;
    using Entry = typename List::Entry;

    static constexpr bool asks_opposite = Order::asks_opposite;
    static constexpr bool counts_nodes = Order::counts_nodes;
    static constexpr bool gives_batches = PopsEqual<List>;

    OrderedQueue(MemoryBudget& budget, const Wide& epsilon)
        : list_(budget), costs_(budget), priorities_(budget), epsilon_(epsilon) {}

    [[nodiscard]] Wide priority(const Rank<Wide>& rank) const { return Order::priority(rank, epsilon_); }

    void push(const Rank<Wide>& rank, const Cost& cost, const Key& key) {
        if constexpr (counts_nodes) {
            costs_.add(rank.cost);
            priorities_.add(rank.priority);
        }
        list_.push({priority(rank), cost, key});
    }

    /// A node that was pushed has been taken, or has a cheaper path.
    void forget(const Rank<Wide>& rank) {
        if constexpr (counts_nodes) {
            costs_.remove(rank.cost);
            priorities_.remove(rank.priority);
        }
    }

    std::size_t take(Entry* entries, std::size_t most) { return take_equal(list_, entries, most); }
    void give_back(const Entry& entry) { list_.push(entry); }

    /// Whether an entry may stand for a node of this rank.
    [[nodiscard]] bool is_of(const Entry& entry, const Rank<Wide>& rank) const {
        const Wide its_priority = priority(rank);
        return !(its_priority < entry.priority) && !(entry.priority < its_priority);
    }

    [[nodiscard]] bool empty() const {
        if constexpr (counts_nodes) {
            return costs_.empty();
        } else {
            return list_.empty();
        }
    }
    [[nodiscard]] std::uint64_t size() const noexcept { return list_.size(); }

    void clear() {
        list_.clear();
        if constexpr (counts_nodes) {
            costs_.clear();
            priorities_.clear();
        }
    }

    Wide first() { return list_.first_priority(); }
    Wide least_cost() { return costs_.least(); }
    Wide least_priority() { return priorities_.least(); }

private:
    List list_;
    NPUZZLE_NO_UNIQUE_ADDRESS Count costs_;
    NPUZZLE_NO_UNIQUE_ADDRESS Count priorities_;
    Wide epsilon_;
};

/// One side's two open lists for NBS: nodes whose f is below the bound are ready, by g, and so are some of
/// those whose f is the bound; the others wait, by f.
template <class Wide, class Cost, class Key, bool has_unit_steps>
class PairedQueue : public NodeOrder {
    using List = AutomaticOpenList<Wide, Cost, Key, has_unit_steps>;

public:
    using Priority = Wide;
    using Entry = typename List::Entry;

    static constexpr bool gives_batches = PopsEqual<List>;

    PairedQueue(MemoryBudget& budget, const Wide& /*epsilon*/) : waiting_(budget), ready_(budget) {}

    [[nodiscard]] Wide priority(const Rank<Wide>& rank) const { return rank.priority; }

    void push(const Rank<Wide>& rank, const Cost& cost, const Key& key) {
        if (rank.priority < bound_) {
            ready_.push({rank.cost, cost, key});
        } else {
            waiting_.push({rank.priority, cost, key});
        }
    }

    void forget(const Rank<Wide>& /*rank*/) {}

    /// Makes ready what is below the bound, which does not fall.
    void set_bound(const Wide& bound) {
        bound_ = bound;
        while (!waiting_.empty() && waiting_.first_priority() < bound) {
            make_ready(waiting_.pop());
        }
    }

    /// Makes some nodes ready whose f is the bound, of greatest g first: so the last ones to be expanded are
    /// far from their end. False if there are none.
    bool admit(std::size_t most) {
        if (waiting_.empty() || bound_ < waiting_.first_priority()) {
            return false;
        }
        std::array<Entry, max_admitted> entries;
        const std::size_t count =
            take_equal(waiting_, entries.data(), most < max_admitted ? most : max_admitted);
        for (std::size_t i = 0; i < count; ++i) {
            make_ready(entries[i]);
        }
        return true;
    }

    [[nodiscard]] bool empty() const { return ready_.empty() && waiting_.empty(); }
    [[nodiscard]] std::uint64_t size() const noexcept { return ready_.size() + waiting_.size(); }

    /// Drops all entries, and the bound.
    void clear() {
        waiting_.clear();
        ready_.clear();
        bound_ = Wide{};
    }

    [[nodiscard]] bool has_waiting() const { return !waiting_.empty(); }
    [[nodiscard]] bool has_ready() const { return !ready_.empty(); }
    Wide least_waiting() { return waiting_.first_priority(); }
    Wide least_ready() { return ready_.first_priority(); }

    std::size_t take(Entry* entries, std::size_t most) { return take_equal(ready_, entries, most); }
    void give_back(const Entry& entry) { ready_.push(entry); }

    [[nodiscard]] bool is_of(const Entry& /*entry*/, const Rank<Wide>& rank) const {
        return !(bound_ < rank.priority);
    }

private:
    static constexpr std::size_t max_admitted = 16;

    void make_ready(Entry entry) {
        entry.priority = saturating_cast<Wide>(entry.cost);
        ready_.push(entry);
    }

    List waiting_;
    List ready_;
    Wide bound_{};
};

} // namespace npuzzle::detail
