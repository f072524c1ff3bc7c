#pragma once

#include "npuzzle/search/kernel/bidirectional_queues.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>

/// \file
/// The methods of bidirectional search: which node is expanded next, and what bound proves a solution.

namespace npuzzle {

namespace detail {

/// A lower bound on the cost of a path through two nodes, one of each side, at these costs from their ends.
template <class Wide>
Wide cost_through(const Wide& cost, const Wide& other_cost, const Wide& epsilon) {
    return saturating_add<Wide>(saturating_add<Wide>(cost, other_cost), epsilon);
}

/// MM: the side with the least priority is next.
template <class Wide>
struct MeetInTheMiddleSelection {
    Wide epsilon;

    static constexpr bool has_bound = true;
    static constexpr bool takes_pairs = false;

    template <class Queue, class OtherQueue>
    [[nodiscard]] Wide bound(Queue& one, OtherQueue& other) const {
        Wide bound = other.first() < one.first() ? other.first() : one.first();
        for (const Wide& each : {one.least_priority(), other.least_priority(),
                                 cost_through(one.least_cost(), other.least_cost(), epsilon)}) {
            bound = bound < each ? each : bound;
        }
        return bound;
    }

    template <class Side, class OtherSide>
    [[nodiscard]] bool is_forward_next(Side& forward, OtherSide& backward) const {
        const Wide one = forward.queue.first();
        const Wide other = backward.queue.first();
        if (one < other || other < one) {
            return one < other;
        }
        return forward.queue.size() <= backward.queue.size();
    }
};

/// BAE*: by turns.
template <class Wide>
struct BaeStarSelection {
    Wide epsilon;

    /// The bound is half of a sum. Costs that cannot be halved are compared by their doubles.
    static constexpr bool has_bound = std::is_arithmetic_v<Wide>;
    static constexpr bool takes_pairs = false;

    template <class Queue, class OtherQueue>
    [[nodiscard]] Wide bound(Queue& one, OtherQueue& other) const
        requires has_bound
    {
        if constexpr (std::integral<Wide>) {
            const Wide sum = saturating_add<Wide>(one.first(), other.first());
            return sum / 2 + (sum > 0 ? sum % 2 : 0); // half of an odd sum is rounded up
        } else {
            return one.first() / 2 + other.first() / 2; // The sum may be infinite where its half is not.
        }
    }

    template <class Queue, class OtherQueue>
    [[nodiscard]] bool proves(Queue& one, OtherQueue& other, const Wide& best) const {
        return !(saturating_add<Wide>(one.first(), other.first()) < saturating_add<Wide>(best, best));
    }

    template <class Side, class OtherSide>
    [[nodiscard]] bool is_forward_next(const Side& forward, const OtherSide& backward) const {
        return forward.expanded <= backward.expanded;
    }
};

/// Breadth first: layer by layer, the smaller one first.
template <class Wide>
struct LayerSelection {
    Wide epsilon;
    Wide layer = {}; // that is being expanded
    bool is_forward_layer = true;

    static constexpr bool has_bound = true;
    static constexpr bool takes_pairs = false;

    template <class Queue, class OtherQueue>
    [[nodiscard]] Wide bound(Queue& one, OtherQueue& other) const {
        return cost_through(one.first(), other.first(), epsilon);
    }

    template <class Side, class OtherSide>
    bool is_forward_next(Side& forward, OtherSide& backward) {
        if (layer < (is_forward_layer ? forward.queue.first() : backward.queue.first())) {
            is_forward_layer = forward.queue.size() <= backward.queue.size();
            layer = is_forward_layer ? forward.queue.first() : backward.queue.first();
        }
        return is_forward_layer;
    }
};

/// NBS: a pair of nodes within a bound, which rises to the least max(f(u), f(v), g(u) + g(v) + epsilon) of a
/// pair.
template <class Wide>
struct PairSelection {
    Wide epsilon;
    Wide bound = {};

    static constexpr bool takes_pairs = true;

    [[nodiscard]] bool is_within(const Wide& cost, const Wide& other_cost) const {
        return !(bound < cost_through(cost, other_cost, epsilon));
    }

    /// Makes a pair ready within the bound, which is raised where it must be. False if a side has nothing
    /// left.
    template <class Queue, class OtherQueue>
    bool raise(Queue& one, OtherQueue& other, std::size_t width) {
        for (;;) {
            if (one.empty() || other.empty()) {
                return false;
            }
            std::optional<Wide> next;
            const auto consider = [&](const Wide& value) { next = !next || value < *next ? value : *next; };
            if (one.has_ready() && other.has_ready()) {
                consider(cost_through(one.least_ready(), other.least_ready(), epsilon));
                if (!(bound < *next)) {
                    return true;
                }
            }
            const bool has_admitted = one.admit(width);
            if (other.admit(width) || has_admitted) {
                continue;
            }
            if (one.has_waiting()) {
                consider(one.least_waiting());
            }
            if (other.has_waiting()) {
                consider(other.least_waiting());
            }
            bound = *next;
            one.set_bound(bound);
            other.set_bound(bound);
        }
    }
};

/// What methods have, and promise unless they say otherwise.
struct Method {
    static constexpr bool counts_steps = false;      ///< looks for the fewest steps, not for the least cost
    static constexpr bool needs_consistency = false; ///< optimal only under consistent heuristics
    /// Whether the priority does not fall from a node to its neighbors.
    template <bool is_consistent>
    static constexpr bool is_monotone = false;
};

/// The same with the open list of each side, and the selection between both.
template <class Order, template <class Wide> class SelectionOf>
struct OrderedMethod : Method {
    template <class Wide, class Cost, class Key, bool has_unit_steps>
    using Queue = OrderedQueue<Order, Wide, Cost, Key, has_unit_steps>;
    template <class Wide>
    using Selection = SelectionOf<Wide>;
};

/// Breadth first from both ends.
struct Layers : OrderedMethod<LayerOrder, LayerSelection> {
    static constexpr bool counts_steps = true;
    static constexpr bool needs_consistency = true; // which `Zero` is
};

} // namespace detail

/// MM: no node is expanded from either end whose g is more than half the optimum (R. C. Holte, A. Felner, G.
/// Sharon, N. R. Sturtevant, "Bidirectional search that is guaranteed to meet in the middle", AAAI 2016). The
/// least cost of a step is part of the bound, as in MMe (G. Sharon, R. C. Holte, A. Felner, N. R. Sturtevant
/// 2016). Any admissible heuristics.
struct MeetInTheMiddle
    : detail::OrderedMethod<detail::MeetInTheMiddleOrder, detail::MeetInTheMiddleSelection> {
    template <bool is_consistent>
    static constexpr bool is_monotone = is_consistent;
};

/// NBS: expands at most twice as many nodes as any such search must expand before it can prove its solution
/// (J. Chen, R. C. Holte, S. Zilles, N. R. Sturtevant, "Front-to-end bidirectional heuristic search with
/// near-optimal node expansions", IJCAI 2017), if the heuristics are consistent. Optimal under any admissible
/// ones.
struct Nbs : detail::Method {
    template <class Wide, class Cost, class Key, bool has_unit_steps>
    using Queue = detail::PairedQueue<Wide, Cost, Key, has_unit_steps>;
    template <class Wide>
    using Selection = detail::PairSelection<Wide>;
};

/// BAE*: the error of one heuristic at a node counts for the other (S. K. Sadhukhan, "A new approach to
/// bidirectional heuristic search using error functions", 2012; V. Alcazar, P. J. Riddle, M. Barley, "A
/// unifying view on individual bounds and heuristic inaccuracies in bidirectional search", AAAI 2020). Both
/// heuristics must be consistent.
struct BaeStar : detail::OrderedMethod<detail::BaeStarOrder, detail::BaeStarSelection> {
    static constexpr bool needs_consistency = true;
    template <bool is_consistent>
    static constexpr bool is_monotone = true;
};

} // namespace npuzzle
