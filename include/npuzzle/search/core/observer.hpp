#pragma once

#include "npuzzle/search/core/result.hpp"

#include <type_traits>

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

/// The observer that ignores all events, and the base of all others: derive from it, and define the events
/// you want (as templates, or with `const auto&` parameters). An event that is not defined compiles to
/// nothing.
///
/// The events, in order:
/// - `start` for each start state;
/// - for each node taken from the open list, `expand`, or at the end `goal`;
/// - after `expand`, for each neighbor, `generate`. At most one of these follows: `duplicate` (a path that
/// costs no more is known), `improve` (it is open, and is now reached by a cheaper path) or `reopen` (it was
/// closed, and is open again by a cheaper path).
///
/// A neighbor of infinite estimate is not put on the open list. A step of negative cost, or beyond what the
/// cost type can hold, has no event.
struct SilentObserver {
    void start(const auto& /*node*/) {}
    void expand(const auto& /*node*/) {}
    void generate(const auto& /*node*/, const auto& /*parent*/) {}
    void duplicate(const auto& /*node*/) {}
    void improve(const auto& /*node*/) {}
    void reopen(const auto& /*node*/) {}
    void goal(const auto& /*node*/) {}
    /// Called every few milliseconds, and once when the search ends. If the observer has
    /// `progress(statistics, bound)`, A* and related searches and IDA* call that instead, with the current f.
    /// The last call has no bound.
    void progress(const Statistics& /*statistics*/) {}
};

/// Whether an observer sees nodes. One that defines only `progress` may declare `static constexpr bool
/// sees_nodes = false`; then it does not slow the search down.
template <class O>
inline constexpr bool sees_nodes = !requires { requires !bool(std::remove_cvref_t<O>::sees_nodes); };

template <>
inline constexpr bool sees_nodes<SilentObserver> = false;

namespace detail {

/// Tells an observer of the progress, with the bound if there is one and it takes that.
template <class O, class... Bound>
void tell_progress(O& observer, const Statistics& statistics, const Bound&... bound) {
    if constexpr (requires { observer.progress(statistics, bound...); }) {
        observer.progress(statistics, bound...);
    } else {
        observer.progress(statistics);
    }
}

} // namespace detail

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
