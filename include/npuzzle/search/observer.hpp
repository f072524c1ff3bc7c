#pragma once

#include "npuzzle/search/result.hpp"

#include <concepts>

/// \file
/// Looking over a search's shoulder: the events of a search, and the observer that costs nothing.

namespace npuzzle {

/// A node as an observer sees it. Valid during the event only: copy what is to be kept.
template <class State, class Cost, class Estimate, class Priority>
struct NodeView {
    const State& state;
    Cost cost;         ///< g: the cost of the best path to the state that is known
    Estimate estimate; ///< h: the heuristic's value
    Priority priority; ///< f: what the open list is ordered by, least first
};

/// The observer that looks away, and the base of all others: derive from it, and define the events you want (as
/// templates, or with `const auto&` parameters). An event that nobody defined compiles to nothing.
///
/// In order: `start` for each start state; then, for each node taken from the open list, `expand` or, at the end,
/// `goal`. Between, for each neighbour, `generate`, followed by at most one of `duplicate` (dropped: a path no costlier
/// is known), `improve` (it stays on the open list, by a cheaper path) and `reopen` (it was closed, and goes back on the
/// open list by a cheaper path). A generated node whose estimate is infinite is not put on the open list. A step that is
/// not followed, because its cost is negative or leads beyond what the cost type can hold, has no event.
struct SilentObserver {
    void start(const auto& /*node*/) {}
    void expand(const auto& /*node*/) {}
    void generate(const auto& /*node*/, const auto& /*parent*/) {}
    void duplicate(const auto& /*node*/) {}
    void improve(const auto& /*node*/) {}
    void reopen(const auto& /*node*/) {}
    void goal(const auto& /*node*/) {}
    /// Every few milliseconds, and once when the search ends.
    void progress(const Statistics& /*statistics*/) {}
};

/// Takes all the events of a search whose nodes are `Node`s. What derives from `SilentObserver` does.
template <class O, class Node>
concept ObserverOf = requires(O& observer, const Node& node, const Statistics& statistics) {
    observer.start(node);
    observer.expand(node);
    observer.generate(node, node);
    observer.duplicate(node);
    observer.improve(node);
    observer.reopen(node);
    observer.goal(node);
    observer.progress(statistics);
};

} // namespace npuzzle
