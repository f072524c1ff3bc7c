#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/node_table/indexed.hpp"
#include "npuzzle/search/node_table/packed.hpp"
#include "npuzzle/search/node_table/pooled.hpp"
#include "npuzzle/search/open_list/automatic.hpp"
#include "npuzzle/search/open_list/buckets.hpp"
#include "npuzzle/search/open_list/heap.hpp"
#include "npuzzle/search/open_list/ladder.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// Of which parts an engine is made. Nobody has to choose; whoever wants to, does so by one template argument.

namespace npuzzle {

/// Which generated states are dropped.
enum class Duplicates : std::uint8_t {
    closed_set, ///< those that are known by a path no costlier: each state is stored once
    /// Only the state that the step came from. This is tree search, the A* of the classical programming assignment: it
    /// needs no hash, and stores and expands a state once for each path that leads to it. It never ends if no goal can
    /// be reached.
    parent_only,
};

enum class OpenListKind : std::uint8_t {
    automatic, ///< `AutomaticOpenList`
    heap,      ///< `HeapOpenList`
    buckets,   ///< `BucketOpenList`; needs integer priorities
    ladder,    ///< `LadderOpenList`; needs priorities and costs that are numbers
};

enum class NodeTableKind : std::uint8_t {
    /// The first that the problem allows: packed if it is a `CompactProblem` whose costs and moves are trivially copyable;
    /// indexed if it is an `IndexedProblem`; else pooled.
    automatic,
    pooled,  ///< `PooledNodeTable`
    packed,  ///< `PackedNodeTable`; needs a `PackedProblem`
    indexed, ///< `IndexedNodeTable`; needs an `IndexedProblem`
};

/// The choices of a search: `astar<Policy{.open_list = OpenListKind::heap}>(problem, start, heuristic)`. None of them
/// changes the cost that is found, `reopens` and `early_goal_test` excepted.
struct Policy {
    Duplicates duplicates = Duplicates::closed_set;
    OpenListKind open_list = OpenListKind::automatic;
    NodeTableKind node_table = NodeTableKind::automatic; ///< `parent_only` always takes the pooled one
    /// How many nodes of equal f `run` expands at once, where the open list can give them. 0 lets the library choose:
    /// one by one while the nodes fit the processor's cache, then 16.
    std::uint8_t batch_width = 0;
    /// Whether a closed node is opened again when a cheaper path to it is found. Without it an inconsistent heuristic, or a
    /// priority that prefers small h to small g, may cost the optimum or its bound; each state is expanded once. With a bound
    /// on the cost of solutions, nodes are opened again in any case.
    bool reopens = true;
    /// Whether the search ends at the first goal that it generates, and not at the first that is next in turn: sooner, and
    /// optimal if nothing but the number of equal steps orders the open list.
    bool early_goal_test = false;
    /// Whether a neighbour is stored only when it is next in turn, and a node goes back on the open list while it has such
    /// neighbours left: see `partial_expansion_astar`. Takes the pooled node table.
    bool partial_expansion = false;

    friend bool operator==(const Policy&, const Policy&) = default;
};

/// The classical assignment's A*, in one line: `astar<parent_only>(problem, start, heuristic)`.
inline constexpr Policy parent_only{.duplicates = Duplicates::parent_only};

/// The parts of a best-first engine for a problem and a heuristic, chosen by a policy. A type of one's own with the same
/// names can take its place; `batch_width`, `reopens`, `early_goal_test` and `partial_expansion` may be missing.
/// \tparam PriorityType what the open list is ordered by: a `PriorityFor` the problem's costs and estimates
template <class P, class H, Policy policy = Policy{},
          class PriorityType = AStarPriority<cost_t<P>, estimate_t<H, P>>>
    requires HeuristicFor<H, P>
struct PartsFor {
private:
    using Estimate = estimate_t<H, P>;

    static constexpr bool is_tree = policy.duplicates == Duplicates::parent_only;

    static constexpr NodeTableKind choose_kind() {
        constexpr bool is_chosen = policy.node_table != NodeTableKind::automatic;
        if (is_tree || (policy.partial_expansion && !is_chosen)) {
            return NodeTableKind::pooled;
        }
        if (is_chosen) {
            return policy.node_table;
        }
        if (CompactProblem<P> && detail::HasPlainNodes<P>) {
            return NodeTableKind::packed;
        }
        return IndexedProblem<P> ? NodeTableKind::indexed : NodeTableKind::pooled;
    }

    static auto choose_node_table() {
        if constexpr (choose_kind() == NodeTableKind::indexed) {
            static_assert(IndexedProblem<P>, "NodeTableKind::indexed needs an IndexedProblem");
            return std::type_identity<IndexedNodeTable<P, Estimate>>{};
        } else if constexpr (choose_kind() == NodeTableKind::packed) {
            static_assert(PackedProblem<P>, "NodeTableKind::packed needs a PackedProblem");
            return std::type_identity<PackedNodeTable<P, Estimate>>{};
        } else {
            static_assert(is_tree || HasHash<P>, "A* needs to hash the states: see HasHash");
            using Index = std::conditional_t<is_tree, detail::NoIndex, detail::HashIndex<P>>;
            return std::type_identity<PooledNodeTable<P, Estimate, Index>>{};
        }
    }

public:
    static constexpr std::size_t batch_width = policy.batch_width;
    static constexpr bool reopens = policy.reopens;
    static constexpr bool early_goal_test = policy.early_goal_test;
    static constexpr bool partial_expansion = policy.partial_expansion;

    using Priority = PriorityType;
    using NodeTable = typename decltype(choose_node_table())::type;

private:
    static auto choose_open_list() {
        using Value = typename Priority::Value;
        using Key = typename NodeTable::Key;
        if constexpr (policy.open_list == OpenListKind::buckets) {
            static_assert(std::integral<Value>, "OpenListKind::buckets needs integer priorities");
            return std::type_identity<BucketOpenList<Value, cost_t<P>, Key>>{};
        } else if constexpr (policy.open_list == OpenListKind::ladder) {
            static_assert(std::is_arithmetic_v<Value> && std::is_arithmetic_v<cost_t<P>>,
                          "OpenListKind::ladder needs priorities and costs that are numbers");
            return std::type_identity<LadderOpenList<Value, cost_t<P>, Key>>{};
        } else if constexpr (policy.open_list == OpenListKind::heap) {
            return std::type_identity<HeapOpenList<Value, cost_t<P>, Key>>{};
        } else {
            return std::type_identity<AutomaticOpenList<Value, cost_t<P>, Key, !is_weighted<P>>>{};
        }
    }

public:
    using OpenList = typename decltype(choose_open_list())::type;
};

/// The parts of an engine that nobody has chosen any for. `H` may be a reference.
template <class P, class H>
using DefaultParts = PartsFor<P, std::remove_cvref_t<H>>;

} // namespace npuzzle
