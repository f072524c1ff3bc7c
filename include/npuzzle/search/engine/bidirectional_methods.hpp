#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/engine/counting_multiset.hpp"
#include "npuzzle/search/open_list/automatic.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

/// \file
/// The methods of bidirectional search: in which order nodes are expanded, what bound proves a solution, and
/// the open lists for that.

namespace npuzzle {

namespace detail {

/// The type in which bounds are worked out: wide enough to double a cost, and with negative numbers.
template <class Estimate>
using wide_t = std::conditional_t<std::integral<Estimate>, std::int64_t, Estimate>;

/// a - b; an integer difference that the type cannot hold gives its nearest value.
template <class T>
[[nodiscard]] constexpr T saturating_subtract(const T& a, const T& b) {
    if constexpr (std::integral<T>) {
        using limits = std::numeric_limits<T>;
        if (b == limits::lowest()) { // whose negation has no place in the type
            return saturating_add<T>(saturating_add<T>(a, T{1}), (limits::max)());
        }
        return saturating_add<T>(a, static_cast<T>(-b));
    } else {
        return static_cast<T>(a - b);
    }
}

/// A lower bound on the cost of a path through two nodes, one of each side, at these costs from their ends.
template <class Wide>
Wide cost_through(const Wide& cost, const Wide& other_cost, const Wide& epsilon) {
    return saturating_add<Wide>(saturating_add<Wide>(cost, other_cost), epsilon);
}

/// What a node is ordered by.
template <class Wide>
struct Rank {
    Wide cost;     ///< g
    Wide priority; ///< f = g + h
    Wide opposite; ///< the other direction's h, if the method asks for it
};

/// What a method says of itself, unless it says otherwise. Those that take no pairs also have
///
/// - `priority(rank, epsilon)`, by which each side is ordered, the least first; no step costs less than
///   epsilon
/// - `bound(forward.queue, backward.queue, epsilon)`: no solution that may still be found costs less
/// - `is_forward_next(forward, backward)`: which side expands its next node
struct TwoWayMethod {
    static constexpr bool counts_steps = false;      ///< looks for the fewest steps, not for the least cost
    static constexpr bool needs_consistency = false; ///< optimal only under consistent heuristics
    static constexpr bool counts_nodes = false;      ///< the bound needs the least g and f of a side
    static constexpr bool asks_opposite = false;     ///< the priority depends on `Rank::opposite`
    static constexpr bool takes_pairs = false;       ///< expands one node of each side, within a bound
};

/// Breadth first: layer by layer, the smaller one first.
struct Layers : TwoWayMethod {
    static constexpr bool counts_steps = true;
    static constexpr bool needs_consistency = true; // which `Zero` is

    template <class Wide>
    static Wide priority(const Rank<Wide>& rank, const Wide& /*epsilon*/) {
        return rank.cost;
    }

    template <class Wide>
    static Wide bound(auto& one, auto& other, const Wide& epsilon) {
        return cost_through<Wide>(one.first(), other.first(), epsilon);
    }

    bool is_forward_next(auto& forward, auto& backward) {
        if (layer < (is_forward_layer ? forward.queue.first() : backward.queue.first())) {
            is_forward_layer = forward.queue.size() <= backward.queue.size();
            layer = is_forward_layer ? forward.queue.first() : backward.queue.first();
        }
        return is_forward_layer;
    }

    std::int64_t layer = 0; // that is being expanded
    bool is_forward_layer = true;
};

} // namespace detail

/// MM: no node is expanded from either end whose g is more than half the optimum (R. C. Holte, A. Felner, G.
/// Sharon, N. R. Sturtevant, "Bidirectional search that is guaranteed to meet in the middle", AAAI 2016). The
/// least cost of a step is part of the bound, as in MMe (G. Sharon, R. C. Holte, A. Felner, N. R. Sturtevant
/// 2016). Any admissible heuristics.
struct MeetInTheMiddle : detail::TwoWayMethod {
    static constexpr bool counts_nodes = true;

    template <class Wide>
    static Wide priority(const detail::Rank<Wide>& rank, const Wide& epsilon) {
        return (std::max)(rank.priority, detail::cost_through(rank.cost, rank.cost, epsilon));
    }

    template <class Wide>
    static Wide bound(auto& one, auto& other, const Wide& epsilon) {
        return (std::max)({(std::min)(one.first(), other.first()), one.least_priority(),
                           other.least_priority(),
                           detail::cost_through<Wide>(one.least_cost(), other.least_cost(), epsilon)});
    }

    static bool is_forward_next(auto& forward, auto& backward) {
        const auto one = forward.queue.first();
        const auto other = backward.queue.first();
        return one < other || (!(other < one) && forward.queue.size() <= backward.queue.size());
    }
};

/// NBS: expands at most twice as many nodes as any such search must expand before it can prove its solution
/// (J. Chen, R. C. Holte, S. Zilles, N. R. Sturtevant, "Front-to-end bidirectional heuristic search with
/// near-optimal node expansions", IJCAI 2017), if the heuristics are consistent. Optimal under any admissible
/// ones.
struct Nbs : detail::TwoWayMethod {
    static constexpr bool takes_pairs = true;
};

/// BAE*: the error of one heuristic at a node counts for the other (S. K. Sadhukhan, "A new approach to
/// bidirectional heuristic search using error functions", 2012; V. Alcazar, P. J. Riddle, M. Barley, "A
/// unifying view on individual bounds and heuristic inaccuracies in bidirectional search", AAAI 2020). Both
/// heuristics must be consistent, and costs numbers.
struct BaeStar : detail::TwoWayMethod {
    static constexpr bool needs_consistency = true;
    static constexpr bool asks_opposite = true;

    /// b = f + (g - h'), where h' is the other direction's estimate.
    template <class Wide>
    static Wide priority(const detail::Rank<Wide>& rank, const Wide& /*epsilon*/) {
        return detail::saturating_add<Wide>(rank.priority,
                                            detail::saturating_subtract<Wide>(rank.cost, rank.opposite));
    }

    template <class Wide>
    static Wide bound(auto& one, auto& other, const Wide& /*epsilon*/) {
        if constexpr (std::integral<Wide>) {
            const Wide sum = detail::saturating_add<Wide>(one.first(), other.first());
            return sum / 2 + (sum > 0 ? sum % 2 : 0); // half of an odd sum is rounded up
        } else {
            return one.first() / 2 + other.first() / 2; // The sum may be infinite where its half is not.
        }
    }

    static bool is_forward_next(const auto& forward, const auto& backward) {
        return forward.expanded <= backward.expanded;
    }
};

/// BAE* if both heuristics declare themselves consistent and costs are numbers, else NBS.
struct AutomaticMethod : detail::TwoWayMethod {};

namespace detail {

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

/// One side's open list, in the order of a method.
template <class Method, class Wide, class Cost, class Key, bool has_unit_steps>
class OrderedQueue {
    using List = AutomaticOpenList<Wide, Cost, Key, has_unit_steps>;

    struct Uncounted {
        explicit Uncounted(MemoryBudget& /*budget*/) {}
        void add(const Wide& /*value*/) {}
        void remove(const Wide& /*value*/) {}
        void clear() {}
    };
    using Count = std::conditional_t<Method::counts_nodes, CountingMultiset<Wide>, Uncounted>;

public:
    using Entry = typename List::Entry;
    static constexpr bool gives_batches = PopsEqual<List>;

    OrderedQueue(MemoryBudget& budget, const Wide& epsilon)
        : list_(budget), costs_(budget), priorities_(budget), epsilon_(epsilon) {}

    [[nodiscard]] Wide priority(const Rank<Wide>& rank) const { return Method::priority(rank, epsilon_); }

    void push(const Rank<Wide>& rank, const Cost& cost, const Key& key) {
        costs_.add(rank.cost);
        priorities_.add(rank.priority);
        list_.push({priority(rank), cost, key});
    }

    /// A node that was pushed has been taken, or has a cheaper path.
    void forget(const Rank<Wide>& rank) {
        costs_.remove(rank.cost);
        priorities_.remove(rank.priority);
    }

    std::size_t take(Entry* entries, std::size_t most) { return take_equal(list_, entries, most); }
    void give_back(const Entry& entry) { list_.push(entry); }

    /// Whether an entry may stand for a node of this rank.
    [[nodiscard]] bool is_of(const Entry& entry, const Rank<Wide>& rank) const {
        return priority(rank) == entry.priority;
    }

    [[nodiscard]] bool empty() const {
        if constexpr (Method::counts_nodes) {
            return costs_.empty();
        } else {
            return list_.empty();
        }
    }
    [[nodiscard]] std::uint64_t size() const noexcept { return list_.size(); }

    void clear() {
        list_.clear();
        costs_.clear();
        priorities_.clear();
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
class PairedQueue {
    using List = AutomaticOpenList<Wide, Cost, Key, has_unit_steps>;

public:
    using Entry = typename List::Entry;
    static constexpr bool gives_batches = PopsEqual<List>;

    PairedQueue(MemoryBudget& budget, const Wide& /*epsilon*/) : waiting(budget), ready(budget) {}

    [[nodiscard]] Wide priority(const Rank<Wide>& rank) const { return rank.priority; }

    void push(const Rank<Wide>& rank, const Cost& cost, const Key& key) {
        if (rank.priority < bound_) {
            ready.push({rank.cost, cost, key});
        } else {
            waiting.push({rank.priority, cost, key});
        }
    }
    void forget(const Rank<Wide>& /*rank*/) {}

    /// Makes ready what is below the bound, which does not fall.
    void set_bound(const Wide& bound) {
        bound_ = bound;
        while (!waiting.empty() && waiting.first_priority() < bound) {
            make_ready(waiting.pop());
        }
    }

    /// Makes some nodes ready whose f is the bound, of greatest g first: so the last ones to be expanded are
    /// far from their end. False if there are none.
    bool admit(std::size_t most) {
        if (waiting.empty() || bound_ < waiting.first_priority()) {
            return false;
        }
        std::array<Entry, 16> entries;
        const std::size_t count = take_equal(waiting, entries.data(), (std::min)(most, entries.size()));
        for (std::size_t i = 0; i < count; ++i) {
            make_ready(entries[i]);
        }
        return true;
    }

    std::size_t take(Entry* entries, std::size_t most) { return take_equal(ready, entries, most); }
    void give_back(const Entry& entry) { ready.push(entry); }
    [[nodiscard]] bool is_of(const Entry& /*entry*/, const Rank<Wide>& rank) const {
        return !(bound_ < rank.priority);
    }

    [[nodiscard]] bool empty() const { return ready.empty() && waiting.empty(); }
    [[nodiscard]] std::uint64_t size() const noexcept { return ready.size() + waiting.size(); }
    void clear() {
        waiting.clear();
        ready.clear();
        bound_ = Wide{};
    }

    List waiting; // by f
    List ready;   // by g

private:
    void make_ready(Entry entry) {
        entry.priority = saturating_cast<Wide>(entry.cost);
        ready.push(entry);
    }

    Wide bound_{};
};

} // namespace detail
} // namespace npuzzle
