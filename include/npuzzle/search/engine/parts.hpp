#pragma once

#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/node_table/indexed.hpp"
#include "npuzzle/search/node_table/packed.hpp"
#include "npuzzle/search/open_list/automatic.hpp"

#include <concepts>
#include <type_traits>

/// \file
/// How a policy becomes the parts of a best-first search: its open list, node table and rules.

namespace npuzzle {

namespace detail {

/// Whether a policy has closed nodes opened again, if it chose; true if not.
template <class Policy>
consteval bool opens_again() {
    if constexpr (std::same_as<std::remove_cv_t<decltype(Policy::reopens)>, Automatic>) {
        return true;
    } else {
        return Policy::reopens;
    }
}

/// The node table that a policy chose, as it says it.
template <class P, class Policy, class Estimate = int>
using chosen_table_t = typename Policy::template NodeTable<P, Estimate>;

/// A policy whose node table stores estimates, if it did not choose one.
template <class Policy>
struct StoringEstimates : Policy {
    template <class P, class Estimate>
    using NodeTable = std::conditional_t<std::same_as<chosen_table_t<P, Policy, Estimate>, Automatic>,
                                         PooledChoice, chosen_table_t<P, Policy, Estimate>>;
};

/// The default policy, for engines that ask for the estimates of nodes without their priorities.
struct KeepingEstimates : DefaultPolicy {};

/// Whether a policy has the states of a problem hashed.
template <class P, class Policy>
inline constexpr bool hashes_states = false;

template <Problem P, class Policy>
inline constexpr bool hashes_states<P, Policy> =
    std::same_as<chosen_table_t<P, Policy>, PooledChoice> ||
    (std::same_as<chosen_table_t<P, Policy>, Automatic> &&
     !(CompactProblem<P> && detail::has_plain_nodes<P>) && !IndexedProblem<P>);

/// The observer of a search by a policy that nobody watches: see `silent_observer_t`. Not by way of that one,
/// since a compiler has a line for each alias before it says what is wrong.
template <class P, class H, class Policy>
using default_observer_t = typename silent_observer<P, H, hashes_states<P, Policy>>::type;

} // namespace detail

/// The parts of a best-first engine for a problem and a heuristic, chosen by a policy.
/// \tparam Policy derived from `DefaultPolicy`
/// \tparam PriorityType what the open list is ordered by: a `PriorityFor` the problem's costs and estimates
template <class P, class H, std::derived_from<DefaultPolicy> Policy = DefaultPolicy,
          class PriorityType = AStarPriority<cost_t<P>, estimate_t<H, P>>>
    requires HeuristicFor<H, P>
struct PartsFor {
private:
    using Estimate = estimate_t<H, P>;
    using Cost = cost_t<P>;
    using Value = typename PriorityType::Value;

    static auto choose_node_table() {
        using Chosen = detail::chosen_table_t<P, Policy, Estimate>;
        constexpr bool is_automatic = std::same_as<Chosen, Automatic>;
        // Estimates follow from f and g, and are seldom asked for otherwise, since with unit costs a path to a
        // known state is seldom cheaper. Or they are all zero.
        constexpr bool can_forget_estimates =
            std::same_as<H, Zero> || (!is_weighted<P> && std::integral<Estimate> &&
                                      std::same_as<PriorityType, AStarPriority<Cost, Estimate>>);
        if constexpr (std::same_as<Chosen, detail::PackedChoice> ||
                      (is_automatic && CompactProblem<P> && detail::has_plain_nodes<P>)) {
            return std::type_identity<PackedNodeTable<P, Estimate>>{};
        } else if constexpr (std::same_as<Chosen, detail::IndexedChoice> ||
                             (is_automatic && IndexedProblem<P>)) {
            return std::type_identity<IndexedNodeTable<P, Estimate>>{};
        } else if constexpr (is_automatic && HasHash<P> && can_forget_estimates &&
                             !std::same_as<Policy, detail::KeepingEstimates>) {
            return std::type_identity<PooledNodeTable<P, Estimate, detail::HashIndex<P, false>>>{};
        } else if constexpr (std::same_as<Chosen, detail::TreeChoice>) {
            return std::type_identity<PooledNodeTable<P, Estimate, detail::NoIndex>>{};
        } else if constexpr (!is_automatic && !std::same_as<Chosen, detail::PooledChoice>) {
            return std::type_identity<Chosen>{};
        } else if constexpr (HasHash<P>) {
            return std::type_identity<PooledNodeTable<P, Estimate>>{};
        } else {
            detail::explain_hash<P>();
            return std::type_identity<PooledNodeTable<P, Estimate, detail::NoIndex>>{};
        }
    }

    static auto choose_open_list() {
        using Key = typename decltype(choose_node_table())::type::Key;
        using TieBreak = typename Policy::TieBreak;
        using Chosen = typename Policy::template OpenList<Value, Cost, Key>;
        constexpr bool has_default_ties = std::same_as<TieBreak, GreatestCostFirst>;
        if constexpr (std::same_as<Chosen, Automatic>) {
            return std::type_identity<AutomaticOpenList<Value, Cost, Key, !is_weighted<P>, TieBreak>>{};
        } else if constexpr (std::same_as<Chosen, detail::HeapChoice>) {
            return detail::choose_heap<Value, Cost, Key, TieBreak>();
        } else if constexpr (std::same_as<Chosen, detail::BucketChoice>) {
            static_assert(std::integral<Value>, "BucketPolicy needs integer priorities");
            static_assert(has_default_ties, "Buckets break ties by the greatest cost: use HeapPolicy");
            return std::type_identity<BucketOpenList<Value, Cost, Key>>{};
        } else if constexpr (std::same_as<Chosen, detail::LadderChoice>) {
            static_assert(std::is_arithmetic_v<Value> && std::is_arithmetic_v<Cost>,
                          "LadderPolicy needs priorities and costs that are numbers");
            static_assert(has_default_ties, "The ladder breaks ties by the greatest cost: use HeapPolicy");
            return std::type_identity<LadderOpenList<Value, Cost, Key>>{};
        } else {
            return std::type_identity<Chosen>{};
        }
    }

public:
    using Priority = PriorityType;
    using NodeTable = typename decltype(choose_node_table())::type;
    using OpenList = typename decltype(choose_open_list())::type;

    static_assert([] {
        // A table that keeps one path to a state is not enough where moves are pruned.
        if constexpr (PrunesMoves<P> && NodeTable::finds_duplicates &&
                      !requires { requires std::same_as<NodeTable, IndexedNodeTable<P, Estimate>>; }) {
            detail::explain_hash<P>();
        }
        return true;
    }());

    static constexpr std::size_t batch_width = Policy::batch_width;
    static constexpr bool early_goal_test = Policy::early_goal_test;
    /// Whether closed nodes stay closed because the heuristic declares itself consistent.
    static constexpr bool relies_on_consistency =
        !PrunesMoves<P> && std::same_as<std::remove_cv_t<decltype(Policy::reopens)>, Automatic> &&
        declares_consistent<bound_t<H, P>> &&
        requires { requires bool(PriorityType::keeps_bound_without_reopening); };
    static constexpr bool reopens =
        PrunesMoves<P> || (detail::opens_again<Policy>() && !relies_on_consistency);
};

/// The parts of an engine by the default policy. `H` may be a reference.
template <class P, class H>
using DefaultParts = PartsFor<P, std::remove_cvref_t<H>>;

} // namespace npuzzle
