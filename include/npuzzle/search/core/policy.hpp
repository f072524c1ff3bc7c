#pragma once

#include "npuzzle/search/core/detail/explain.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>

/// \file
/// The policy of a search: its parts and its rules, by hand.

namespace npuzzle {

/// Stands for an open list, a node table or a rule that the library is to choose.
struct Automatic {};

struct GreatestCostFirst; // the default tie-break, of open_list.hpp

namespace detail {

// Stand for parts that the search makes for its problem.
struct HeapChoice {};
struct BucketChoice {};
struct LadderChoice {};
struct PooledChoice {};
struct PackedChoice {};
struct IndexedChoice {};
struct TreeChoice {};

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
    using NodeTable = detail::PooledChoice;
};

/// `PackedNodeTable`; needs a `PackedProblem`.
struct PackedPolicy : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = detail::PackedChoice;
};

/// `IndexedNodeTable`; needs an `IndexedProblem`.
struct IndexedPolicy : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = detail::IndexedChoice;
};

/// Tree search, the A* of the classical programming assignment: `astar<ParentOnly>(problem, start,
/// heuristic)`. A generated state is dropped only if the step came from it. Needs no hash. A state is stored
/// and expanded once for each path to it. Never ends if no goal can be reached.
struct ParentOnly : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = detail::TreeChoice;
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

} // namespace npuzzle
