#pragma once

#include "npuzzle/search/engine/expansion.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

/// \file
/// The arrival of a path at a state: the insertion into the node table, and what it means for the search.

namespace npuzzle::detail {

/// What became of a path that led to a state.
enum class Arrival : std::uint8_t {
    new_node,     ///< the state was not known; it is open
    duplicate,    ///< the state is known by a path that costs no more, or is closed for good
    improved,     ///< the state was open; its path is cheaper now
    reopened,     ///< the state was closed; it is open again, by a cheaper path
    dead_end,     ///< its estimate is infinite; it is closed
    beyond_bound, ///< every path through it costs more than the bound
};

/// What an engine adds to an arrival: derive from it and define what differs. Also to be defined:
///
/// - `static constexpr bool is_watched`: whether an observer sees nodes
/// - `observer()`, `parent()`: the observer, and the view of the node that was expanded; called if
///   `is_watched`
/// - `estimate(node, is_new, state)`: the estimate of the state
/// - `view(state, cost, estimate)`: the node as observers see it
/// - `is_beyond(node, view)`: whether it is past the bound; called when the node has its new path
/// - `open(node, view, arrival)`: what follows if it is not, such as a push on the open list
struct ArrivalRules {
    /// Whether a node of infinite estimate is closed at a cost that no path can beat, so that it is evaluated
    /// once.
    static constexpr bool closes_dead_ends = true;

    /// Whether a closed node is opened again by a cheaper path.
    static constexpr bool may_reopen() { return true; }
    /// The state was not known, and has a node now.
    static void made(const auto& /*node*/) {}
    /// The path is no better than that of the node.
    static void duplicate(const auto& /*node*/) {}
    /// The node is going to have the path. It still has the old one, if it is not new.
    static void relaxing(const auto& /*node*/, const auto& /*view*/) {}
};

/// The state of a probe that has been inserted.
template <class Table, class Probe>
decltype(auto) state_after_insertion(const Table& table, const Probe& probe,
                                     const typename Table::Node& node) {
    if constexpr (std::same_as<Probe, typename Table::State>) {
        return node.state();
    } else {
        return table.state_of(probe, node);
    }
}

/// Puts a state to which a path leads into the node table, counts it and tells the observer.
/// \param probe the state on its way in: a probe of the table, or the state itself, which is moved from if it
///     is new
/// \param cost of the path
/// \param link the last step of the path
template <class Table, class Probe, class Cost, class Rules>
NPUZZLE_ALWAYS_INLINE inline Arrival arrive(Table& table, Probe&& probe, const Cost& cost,
                                            const typename Table::Link& link, Statistics& statistics,
                                            Rules&& rules) {
    using R = std::remove_cvref_t<Rules>;
    ++statistics.generated;
    auto [node, is_new] = table.insert(std::move(probe));
    if (is_new) {
        rules.made(node);
    } else if (!(cost < node.cost()) || (node.is_closed() && !rules.may_reopen())) {
        ++statistics.duplicates;
        if constexpr (R::is_watched) {
            decltype(auto) state = state_after_insertion(table, probe, node);
            const auto view = rules.view(state, cost, rules.estimate(node, false, state));
            rules.observer().generate(view, rules.parent());
            rules.observer().duplicate(view);
        }
        rules.duplicate(node);
        return Arrival::duplicate;
    }
    decltype(auto) state = state_after_insertion(table, probe, node);
    const auto estimate = rules.estimate(node, is_new, state);
    const auto view = rules.view(state, cost, estimate);
    if constexpr (R::is_watched) {
        rules.observer().generate(view, rules.parent());
    }
    if constexpr (R::closes_dead_ends) {
        if (is_infinite(estimate)) {
            node.relax(Cost{}, estimate, link);
            node.close();
            return Arrival::dead_end;
        }
    }
    rules.relaxing(node, view);
    const bool was_closed = node.is_closed();
    node.relax(cost, estimate, link);
    if (rules.is_beyond(node, view)) {
        return Arrival::beyond_bound;
    }
    Arrival arrival = Arrival::new_node;
    if (!is_new) {
        arrival = was_closed ? Arrival::reopened : Arrival::improved;
        statistics.reopened += was_closed ? 1 : 0;
        if constexpr (R::is_watched) {
            was_closed ? rules.observer().reopen(view) : rules.observer().improve(view);
        }
    }
    rules.open(node, view, arrival);
    return arrival;
}

} // namespace npuzzle::detail
