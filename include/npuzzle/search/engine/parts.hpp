#pragma once

#include "npuzzle/search/core/problem_from.hpp"
#include "npuzzle/search/node_table/pooled.hpp"
#include "npuzzle/search/open_list/buckets.hpp"
#include "npuzzle/search/open_list/ladder.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>

/// \file
/// The policy of a search, and how it becomes the parts of a best-first search: open list, node table, rules.

namespace npuzzle {

/// Buckets for steps of cost 1 and integer estimates; the ladder for other numbers; else the heap: include
/// `npuzzle/search/open_list/heap.hpp` before the search is used.
template <class Priority, class Cost, class Key, bool has_unit_steps>
using AutomaticOpenList = std::conditional_t<
    !std::is_arithmetic_v<Priority> || !std::is_arithmetic_v<Cost>, HeapOpenList<Priority, Cost, Key>,
    std::conditional_t<has_unit_steps && std::integral<Priority> && std::integral<Cost>,
                       BucketOpenList<Priority, Cost, Key>, LadderOpenList<Priority, Cost, Key>>>;

/// Stands for an open list or a node table that the library is to choose.
struct Automatic {};

/// The policy of a search: its parts and its rules. To change one, derive from this and redefine the member:
///
///     struct Mine : npuzzle::DefaultPolicy {
///         template <class Priority, class Cost, class Key>
///         using OpenList = MyOpenList<Priority, Cost, Key>;
///     };
///     astar<Mine>(problem, start, heuristic);
///
/// In A*, only `reopens` and `early_goal_test` can change the cost that is found. Under other priorities, what
/// orders ties can too: the open list and the batches.
struct DefaultPolicy {
    /// An `npuzzle::OpenList` of `OpenEntry<Priority, Cost, Key>`, or `Automatic`: see `AutomaticOpenList`.
    /// `HeapOpenList<Priority, Cost, Key, TieBreak>` has another order among entries of equal f.
    template <class Priority, class Cost, class Key>
    using OpenList = Automatic;

    /// An `npuzzle::NodeTable` for the problem, or `Automatic`: packed if the problem is a `CompactProblem`
    /// whose nodes fit 8 bytes; indexed if it is an `IndexedProblem`; else pooled.
    template <class P, class Estimate>
    using NodeTable = Automatic;

    /// How many nodes of equal f `run` expands at once, where the open list can give them. 0: one by one
    /// while the nodes fit in the cache and in an `IndexedProblem`, whose neighbors are often near, else 16.
    static constexpr std::size_t batch_width = 0;

    /// Whether a closed node is opened again when a cheaper path to it is found: `true`, `false` or nothing.
    /// Nothing means `false` if the heuristic declares itself consistent and the priority then keeps its bound
    /// without reopening (`weighted_astar`, `XdpPriority`, `XupPriority`), else `true`. `false` may cost the
    /// optimum or the bound, and after `Status::cost_overflow` there may be a path. Nodes are opened again in any
    /// case if the problem `PrunesMoves`, and with a `max_cost`.
    static constexpr std::optional<bool> reopens{};

    /// Whether the search ends at the first goal that it generates, and not at the first that it takes from
    /// the open list. The path is optimal if all steps cost the same and the heuristic is `Zero`.
    static constexpr bool early_goal_test = false;
};

/// `HeapOpenList`: include `npuzzle/search/open_list/heap.hpp`.
struct HeapPolicy : DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = HeapOpenList<Priority, Cost, Key>;
};

/// `PooledNodeTable`; needs a hash.
struct PooledPolicy : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = PooledNodeTable<P, Estimate>;
};

/// Tree search, the A* of the classical programming assignment. Drops only the step straight back. Needs no
/// hash. A state is expanded once for each path to it. Without a solution, it may never end.
struct ParentOnly : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = PooledNodeTable<P, Estimate, detail::NoIndex>;
};

/// Opens closed nodes again, whatever the heuristic declares.
struct WithReopening : DefaultPolicy {
    static constexpr bool reopens = true;
};

/// Without a `max_cost`, expands each state once.
struct WithoutReopening : DefaultPolicy {
    static constexpr bool reopens = false;
};

/// Ends at the first goal that is generated.
struct EarlyGoalTest : DefaultPolicy {
    static constexpr bool early_goal_test = true;
};

namespace detail {

/// An open list; if it is the heap, and `heap.hpp` is not included, the compiler's first message says so.
template <class List>
struct included {
    static_assert(
        requires { sizeof(List); },
        "Include <npuzzle/search/open_list/heap.hpp>: priorities that are not numbers and HeapPolicy "
        "need it, and Boost.Heap");
    using type = List;
};

/// The node table that a policy chose, as it says it.
template <class P, class Policy, class Estimate = int>
using chosen_table_t = typename Policy::template NodeTable<P, Estimate>;

/// Whether a policy has the states of a problem hashed.
template <class P, class Policy>
inline constexpr bool hashes_states = false;

template <Problem P, class Policy>
inline constexpr bool hashes_states<P, Policy> =
    std::same_as<chosen_table_t<P, Policy>, PooledNodeTable<P, int>> ||
    (std::same_as<chosen_table_t<P, Policy>, Automatic> && !PackedProblem<P> && !IndexedProblem<P>);

/// The node table of a policy, in a `std::type_identity`.
/// \param keeps_estimates unless they are cheap to compute again
template <class P, class Policy, class Estimate, bool keeps_estimates = true>
constexpr auto choose_node_table() {
    if constexpr (!std::same_as<chosen_table_t<P, Policy, Estimate>, Automatic>) {
        return std::type_identity<chosen_table_t<P, Policy, Estimate>>{};
    } else if constexpr (fits_packed_nodes<P, Estimate> && !PrunesMoves<P>) {
        using Table = PackedNodeTable<P, Estimate>;
        static_assert(
            requires { sizeof(Table); },
            "Include <npuzzle/search/node_table/packed.hpp>: a CompactProblem needs it");
        return std::type_identity<Table>{};
    } else if constexpr (IndexedProblem<P>) {
        return std::type_identity<IndexedNodeTable<P, Estimate>>{};
    } else if constexpr (!HasHash<P> && !PackedProblem<P>) {
        explain_hash<P>();
        return std::type_identity<PooledNodeTable<P, Estimate, NoIndex>>{};
    } else {
        return std::type_identity<PooledNodeTable<P, Estimate, HashIndex<P, keeps_estimates>>>{};
    }
}

/// The observer of a search by a policy that nobody watches. Not by way of `silent_observer_t`: a compiler
/// has a line for each alias before it says what is wrong.
template <class P, class H, class Policy>
using default_observer_t = typename silent_observer<P, H, hashes_states<P, Policy>>::type;

} // namespace detail

/// The parts of a best-first engine for a problem and a heuristic, chosen by a policy.
/// \tparam H may be a reference
/// \tparam Policy derived from `DefaultPolicy`
/// \tparam PriorityType what the open list is ordered by: a `PriorityFor` the problem's costs and estimates
template <class P, class H, std::derived_from<DefaultPolicy> Policy = DefaultPolicy,
          class PriorityType = AStarPriority<cost_t<P>, estimate_t<H, P>>>
    requires HeuristicFor<H, P>
struct PartsFor {
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Priority = PriorityType;

    // Not of A* with unit costs and integers, where h = f - g, and a path to a known state is seldom cheaper; nor
    // where all are zero.
    static constexpr bool keeps_estimates = !std::same_as<std::remove_cvref_t<H>, Zero> &&
                                            (is_weighted<P> || !std::integral<Estimate> ||
                                             !std::same_as<Priority, AStarPriority<Cost, Estimate>>);
    using NodeTable =
        typename decltype(detail::choose_node_table<P, Policy, Estimate, keeps_estimates>())::type;
    static_assert(
        !PrunesMoves<P> || !NodeTable::finds_duplicates || requires {
            requires std::same_as<NodeTable, IndexedNodeTable<P, Estimate>>;
        }, "of a problem that prunes moves only IndexedNodeTable keeps enough paths");

    using Chosen =
        typename Policy::template OpenList<typename Priority::Value, Cost, typename NodeTable::Key>;
    using OpenList = typename detail::included<std::conditional_t<
        std::same_as<Chosen, Automatic>,
        AutomaticOpenList<typename Priority::Value, Cost, typename NodeTable::Key, !is_weighted<P>>,
        Chosen>>::type;

    static constexpr std::size_t batch_width = Policy::batch_width;
    static constexpr bool early_goal_test = Policy::early_goal_test;
    static constexpr bool keeps_bound_without_reopening = declares_consistent<bound_t<H, P>> && requires {
        requires bool(Priority::keeps_bound_without_reopening);
    };
    static constexpr bool reopens =
        PrunesMoves<P> || std::optional<bool>(Policy::reopens).value_or(!keeps_bound_without_reopening);
};

} // namespace npuzzle
