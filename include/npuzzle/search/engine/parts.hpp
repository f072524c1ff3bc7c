#pragma once

#include "npuzzle/search/core/problem_from.hpp"
#include "npuzzle/search/node_table/indexed.hpp"
#include "npuzzle/search/node_table/packed.hpp"
#include "npuzzle/search/open_list/automatic.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>

/// \file
/// The policy of a search, and how it becomes the parts of a best-first search: its open list, node table and
/// rules.

namespace npuzzle {

/// Stands for an open list or a node table that the library is to choose.
struct Automatic {};

/// The policy of a search: its parts and its rules. The defaults need no choice. To change one, derive from
/// this and redefine the member:
///
///     struct Mine : npuzzle::DefaultPolicy {
///         template <class Priority, class Cost, class Key>
///         using OpenList = MyOpenList<Priority, Cost, Key>;
///     };
///     astar<Mine>(problem, start, heuristic);
///
/// None of the members changes the cost that is found, `reopens` and `early_goal_test` excepted.
struct DefaultPolicy {
    /// An `npuzzle::OpenList` of `OpenEntry<Priority, Cost, Key>`, or `Automatic`: see `AutomaticOpenList`.
    template <class Priority, class Cost, class Key>
    using OpenList = Automatic;

    /// An `npuzzle::NodeTable` for the problem, or `Automatic`: packed if the problem is a `CompactProblem`
    /// whose nodes fit 8 bytes; indexed if it is an `IndexedProblem`; else pooled.
    template <class P, class Estimate>
    using NodeTable = Automatic;

    /// Which of two open list entries of equal priority is first: `TieBreak{}(a, b)`. With another than the
    /// default, the automatic choice is the heap.
    using TieBreak = GreatestCostFirst;

    /// How many nodes of equal f `run` expands at once, where the open list can give them. 0: one by one
    /// while the nodes fit in the cache, then 16.
    static constexpr std::size_t batch_width = 0;

    /// Whether a closed node is opened again when a cheaper path to it is found: `true`, `false` or nothing.
    /// Nothing means `false` if the heuristic declares itself consistent and the priority then keeps its bound
    /// without reopening (`weighted_astar`, `XdpPriority`, `XupPriority`), else `true`. With `false`, each
    /// state is expanded once, and an inconsistent heuristic, or a priority that prefers small h to small g,
    /// may cost the optimum or the bound. Nodes are opened again in any case if the problem `PrunesMoves`, with
    /// a bound on the cost of solutions, and before a search ends with `Status::cost_overflow`.
    static constexpr std::optional<bool> reopens{};

    /// Whether the search ends at the first goal that it generates, and not at the first that it takes from
    /// the open list. It then ends sooner. The path is optimal if all steps cost the same and the heuristic
    /// is `Zero`.
    static constexpr bool early_goal_test = false;
};

/// `HeapOpenList`: include `npuzzle/search/open_list/heap.hpp`.
struct HeapPolicy : DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = typename decltype(detail::choose_heap<Priority, Cost, Key, GreatestCostFirst>())::type;
};

/// `BucketOpenList`; needs integer priorities.
struct BucketPolicy : DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = BucketOpenList<Priority, Cost, Key>;
};

/// `LadderOpenList`; needs priorities and costs that are numbers.
struct LadderPolicy : DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = LadderOpenList<Priority, Cost, Key>;
};

/// `PooledNodeTable`; needs a hash.
struct PooledPolicy : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = PooledNodeTable<P, Estimate>;
};

/// `PackedNodeTable` where a node fits 8 bytes, else `PooledNodeTable`; needs a `PackedProblem`.
struct PackedPolicy : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = detail::packed_table_t<P, Estimate>;
};

/// `IndexedNodeTable`; needs an `IndexedProblem`.
struct IndexedPolicy : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = IndexedNodeTable<P, Estimate>;
};

/// Tree search, the A* of the classical programming assignment: `astar<ParentOnly>(problem, start,
/// heuristic)`. A generated state is dropped only if the step came from it. Needs no hash. A state is stored
/// and expanded once for each path to it. Never ends if no goal can be reached.
struct ParentOnly : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = PooledNodeTable<P, Estimate, detail::NoIndex>;
};

/// Opens closed nodes again, whatever the heuristic declares: see `DefaultPolicy::reopens`.
struct WithReopening : DefaultPolicy {
    static constexpr bool reopens = true;
};

/// Expands each state once: see `DefaultPolicy::reopens`.
struct WithoutReopening : DefaultPolicy {
    static constexpr bool reopens = false;
};

/// Ends at the first goal that is generated: see `DefaultPolicy::early_goal_test`.
struct EarlyGoalTest : DefaultPolicy {
    static constexpr bool early_goal_test = true;
};

namespace detail {

/// Whether a policy has closed nodes opened again, if it chose; true if not.
template <class Policy>
consteval bool opens_again() {
    return std::optional<bool>(Policy::reopens).value_or(true);
}

/// The node table that a policy chose, as it says it.
template <class P, class Policy, class Estimate = int>
using chosen_table_t = typename Policy::template NodeTable<P, Estimate>;

/// A policy whose node table stores estimates, if it did not choose one.
template <class Policy>
struct StoringEstimates : Policy {
    template <class P, class Estimate>
    using NodeTable = std::conditional_t<std::same_as<chosen_table_t<P, Policy, Estimate>, Automatic>,
                                         PooledNodeTable<P, Estimate>, chosen_table_t<P, Policy, Estimate>>;
};

/// The default policy, for engines that ask for the estimates of nodes without their priorities.
struct KeepingEstimates : DefaultPolicy {};

/// Whether a policy has the states of a problem hashed.
template <class P, class Policy>
inline constexpr bool hashes_states = false;

template <Problem P, class Policy>
inline constexpr bool hashes_states<P, Policy> =
    std::same_as<chosen_table_t<P, Policy>, PooledNodeTable<P, int>> ||
    (std::same_as<chosen_table_t<P, Policy>, Automatic> && !PackedProblem<P> && !IndexedProblem<P>);

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
    using TieBreak = typename Policy::TieBreak;

    static auto choose_node_table() {
        using Chosen = detail::chosen_table_t<P, Policy, Estimate>;
        // Estimates follow from f and g, and are seldom asked for otherwise, since with unit costs a path to a
        // known state is seldom cheaper. Or they are all zero.
        constexpr bool can_forget_estimates =
            !std::same_as<Policy, detail::KeepingEstimates> &&
            (std::same_as<H, Zero> || (!is_weighted<P> && std::integral<Estimate> &&
                                       std::same_as<PriorityType, AStarPriority<Cost, Estimate>>));
        if constexpr (!std::same_as<Chosen, Automatic>) {
            return std::type_identity<Chosen>{};
        } else if constexpr (detail::fits_packed_nodes<P, Estimate> && !PrunesMoves<P>) {
            return std::type_identity<PackedNodeTable<P, Estimate>>{};
        } else if constexpr (IndexedProblem<P>) {
            return std::type_identity<IndexedNodeTable<P, Estimate>>{};
        } else if constexpr (!HasHash<P> && !PackedProblem<P>) {
            detail::explain_hash<P>();
            return std::type_identity<PooledNodeTable<P, Estimate, detail::NoIndex>>{};
        } else {
            using Index = detail::HashIndex<P, !can_forget_estimates>;
            return std::type_identity<PooledNodeTable<P, Estimate, Index>>{};
        }
    }

    template <class Key>
    static auto choose_open_list() {
        using Chosen = typename Policy::template OpenList<Value, Cost, Key>;
        if constexpr (std::same_as<Chosen, Automatic>) {
            return std::type_identity<AutomaticOpenList<Value, Cost, Key, !is_weighted<P>, TieBreak>>{};
        } else {
            static_assert(std::same_as<TieBreak, GreatestCostFirst>,
                          "an open list that is named breaks ties in its own way: leave it Automatic");
            return std::type_identity<Chosen>{};
        }
    }

public:
    using Priority = PriorityType;
    using NodeTable = typename decltype(choose_node_table())::type;
    using OpenList = typename decltype(choose_open_list<typename NodeTable::Key>())::type;

    static_assert(
        !PrunesMoves<P> || !NodeTable::finds_duplicates || requires {
            requires std::same_as<NodeTable, IndexedNodeTable<P, Estimate>>;
        }, "of a problem that prunes moves only IndexedNodeTable keeps enough paths");

    static constexpr std::size_t batch_width = Policy::batch_width;
    static constexpr bool early_goal_test = Policy::early_goal_test;
    /// Whether closed nodes stay closed because the heuristic declares itself consistent.
    static constexpr bool relies_on_consistency =
        !PrunesMoves<P> && !std::optional<bool>(Policy::reopens) && declares_consistent<bound_t<H, P>> &&
        requires { requires bool(PriorityType::keeps_bound_without_reopening); };
    static constexpr bool reopens =
        PrunesMoves<P> || (detail::opens_again<Policy>() && !relies_on_consistency);
};

/// The parts of an engine by the default policy. `H` may be a reference.
template <class P, class H>
using DefaultParts = PartsFor<P, std::remove_cvref_t<H>>;

} // namespace npuzzle
