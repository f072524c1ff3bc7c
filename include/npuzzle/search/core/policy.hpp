#pragma once

#include "npuzzle/search/core/detail/explain.hpp"
#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/node_table/indexed.hpp"
#include "npuzzle/search/node_table/packed.hpp"
#include "npuzzle/search/open_list/automatic.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace npuzzle {

/// Stands for an open list, a node table or a rule that the library is to choose.
struct Automatic {};

namespace detail {

/// Stand for open lists that take the tie-break of the policy.
struct HeapChoice {};
struct BucketChoice {};
struct LadderChoice {};

} // namespace detail

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
    /// whose costs and moves are trivially copyable; indexed if it is an `IndexedProblem`; else pooled.
    template <class P, class Estimate>
    using NodeTable = Automatic;

    /// Which of two open list entries of equal priority is first: `TieBreak{}(a, b)`. With another than the
    /// default, the automatic choice is the heap. Your own open list may ignore it.
    using TieBreak = GreatestCostFirst;

    /// How many nodes of equal f `run` expands at once, where the open list can give them. 0: one by one
    /// while the nodes fit in the cache, then 16.
    static constexpr std::size_t batch_width = 0;

    /// Whether a closed node is opened again when a cheaper path to it is found: a `bool`, or `Automatic`.
    /// The automatic choice is `false` if the heuristic declares itself consistent and the priority then
    /// keeps its bound without reopening (`weighted_astar`, `XdpPriority`, `XupPriority`); otherwise it is
    /// `true`. With `false`, each state is expanded once, and an inconsistent heuristic, or a priority that
    /// prefers small h to small g, may cost the optimum or the bound. Nodes are opened again in any case if
    /// the problem `PrunesMoves`, with a bound on the cost of solutions, and before a search ends with
    /// `Status::cost_overflow`.
    static constexpr Automatic reopens{};

    /// Whether the search ends at the first goal that it generates, and not at the first that it takes from
    /// the open list. It then ends sooner. The path is optimal if all steps cost the same and the heuristic
    /// is `Zero`.
    static constexpr bool early_goal_test = false;
};

/// `HeapOpenList`: include `npuzzle/search/open_list/heap.hpp`.
struct HeapPolicy : DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = detail::HeapChoice;
};

/// `BucketOpenList`; needs integer priorities.
struct BucketPolicy : DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = detail::BucketChoice;
};

/// `LadderOpenList`; needs priorities and costs that are numbers.
struct LadderPolicy : DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = detail::LadderChoice;
};

/// `PooledNodeTable`; needs a hash.
struct PooledPolicy : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = PooledNodeTable<P, Estimate>;
};

/// `PackedNodeTable`; needs a `PackedProblem`.
struct PackedPolicy : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = PackedNodeTable<P, Estimate>;
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
    if constexpr (std::same_as<std::remove_cv_t<decltype(Policy::reopens)>, Automatic>) {
        return true;
    } else {
        return Policy::reopens;
    }
}

/// Whether a priority declares that its bound holds under a consistent heuristic, each state expanded once.
template <class Priority>
inline constexpr bool keeps_bound_without_reopening =
    requires { requires bool(Priority::keeps_bound_without_reopening); };

/// Whether a node table keeps one path to a state where that is not enough: see `PrunesMoves`.
template <class P, class Table>
inline constexpr bool forgets_paths = PrunesMoves<P> && Table::finds_duplicates;

template <IndexedProblem P, class E>
inline constexpr bool forgets_paths<P, IndexedNodeTable<P, E>> = false;

/// A policy whose node table stores estimates, if it did not choose one.
template <class Policy>
struct StoringEstimates : Policy {
    template <class P, class Estimate>
    using NodeTable =
        std::conditional_t<std::same_as<typename Policy::template NodeTable<P, Estimate>, Automatic>,
                           PooledNodeTable<P, Estimate>, typename Policy::template NodeTable<P, Estimate>>;
};

/// Whether nodes need not keep their estimates: these follow from f and g, and are seldom asked for
/// otherwise, since with unit costs a path to a known state is seldom cheaper. Or they are all zero.
template <class P, class H, class PriorityType>
inline constexpr bool can_forget_estimates =
    std::same_as<H, Zero> || (!is_weighted<P> && std::integral<estimate_t<H, P>> &&
                              std::same_as<PriorityType, AStarPriority<cost_t<P>, estimate_t<H, P>>>);

/// The default policy, for engines that ask for the estimates of nodes without their priorities.
struct KeepingEstimates : DefaultPolicy {};

/// Whether a policy has the states of a problem hashed.
template <class P, class Policy>
inline constexpr bool hashes_states = false;

template <Problem P, class Policy>
inline constexpr bool hashes_states<P, Policy> = [] {
    using Chosen = typename Policy::template NodeTable<P, int>;
    return std::same_as<Chosen, PooledNodeTable<P, int>> ||
           (std::same_as<Chosen, Automatic> && !(CompactProblem<P> && HasPlainNodes<P>) &&
            !IndexedProblem<P>);
}();

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
        using Chosen = typename Policy::template NodeTable<P, Estimate>;
        if constexpr (!std::same_as<Chosen, Automatic>) {
            return std::type_identity<Chosen>{};
        } else if constexpr (CompactProblem<P> && detail::HasPlainNodes<P>) {
            return std::type_identity<PackedNodeTable<P, Estimate>>{};
        } else if constexpr (IndexedProblem<P>) {
            return std::type_identity<IndexedNodeTable<P, Estimate>>{};
        } else if constexpr (HasHash<P>) {
            constexpr bool keeps = std::same_as<Policy, detail::KeepingEstimates> ||
                                   !detail::can_forget_estimates<P, H, PriorityType>;
            return std::type_identity<PooledNodeTable<P, Estimate, detail::HashIndex<P, keeps>>>{};
        } else {
            detail::explain_hash<P>();
            return std::type_identity<PooledNodeTable<P, Estimate, detail::NoIndex>>{};
        }
    }

public:
    static constexpr std::size_t batch_width = Policy::batch_width;
    static constexpr bool early_goal_test = Policy::early_goal_test;

    using Priority = PriorityType;
    using NodeTable = typename decltype(choose_node_table())::type;
    static_assert([] {
        if constexpr (detail::forgets_paths<P, NodeTable>) {
            detail::explain_hash<P>();
        }
        return true;
    }());

    /// Whether closed nodes stay closed because the heuristic declares itself consistent.
    static constexpr bool relies_on_consistency =
        !PrunesMoves<P> && std::same_as<std::remove_cv_t<decltype(Policy::reopens)>, Automatic> &&
        declares_consistent<bound_t<H, P>> && detail::keeps_bound_without_reopening<PriorityType>;
    static constexpr bool reopens =
        PrunesMoves<P> || (detail::opens_again<Policy>() && !relies_on_consistency);

private:
    static auto choose_open_list() {
        using Key = typename NodeTable::Key;
        using TieBreak = typename Policy::TieBreak;
        using Chosen = typename Policy::template OpenList<Value, Cost, Key>;
        constexpr bool has_default_ties = std::same_as<TieBreak, GreatestCostFirst>;
        if constexpr (std::same_as<Chosen, Automatic>) {
            return std::type_identity<AutomaticOpenList<Value, Cost, Key, !is_weighted<P>, TieBreak>>{};
        } else if constexpr (std::same_as<Chosen, detail::HeapChoice>) {
            return std::type_identity<detail::heap_open_list_t<Value, Cost, Key, TieBreak>>{};
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
    using OpenList = typename decltype(choose_open_list())::type;
};

/// The parts of an engine by the default policy. `H` may be a reference.
template <class P, class H>
using DefaultParts = PartsFor<P, std::remove_cvref_t<H>>;

} // namespace npuzzle
