#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

/// \file
/// What the engine asks of a node table.

namespace npuzzle {

/// The nodes of a search, found again by state: each holds its state, the cost g of the best path known, the way back
/// along it, and whether it is closed.
///
/// `T::Key` is how the open list remembers a node: small, and valid for ever. `T::Node` is a cursor on a node: valid
/// until the next `insert`. `insert(state)` finds or makes the node of a state; a new one is closed until `relax` gives
/// it a path and opens it. `insert` may throw `std::bad_alloc`, and leaves the table as it was.
///
/// `T::stores_estimate` says whether a node remembers its h, set by `relax`; if not, the engine works it out again.
template <class T>
concept NodeTable =
    requires(T table, const T constant, typename T::State state, typename T::Cost cost,
             typename T::Estimate estimate, typename T::Key key, typename T::Link link, typename T::Move move,
             typename T::Node node, const typename T::Node constant_node) {
        { T::stores_estimate } -> std::convertible_to<bool>;
        { table.insert(std::move(state)) } -> std::same_as<std::pair<typename T::Node, bool>>;
        { table.find(key) } -> std::same_as<typename T::Node>;
        { T::can_hold(cost) } -> std::same_as<bool>; // whether a node can have this path cost
        { constant.size() } -> std::convertible_to<std::uint64_t>;
        table.clear();
        { constant_node.key() } -> std::same_as<typename T::Key>;
        { constant_node.state() } -> std::convertible_to<typename T::State>;
        { constant_node.cost() } -> std::convertible_to<typename T::Cost>;
        { constant_node.is_closed() } -> std::same_as<bool>;
        node.close();
        { T::link(constant_node, move) } -> std::same_as<typename T::Link>;
        { T::root(constant_node) } -> std::same_as<typename T::Link>;
        // Gives a node its best path: g, h, and the link to where it came from.
        node.relax(cost, estimate, link);
        { constant_node.is_root() } -> std::same_as<bool>;
        // The node before this one on its best path. Requires that it is not a root.
        { table.parent(node) } -> std::same_as<typename T::Node>;
        { constant_node.link() } -> std::same_as<typename T::Link>;
        // Whether `state` is where the node `key` came from by `link`.
        { constant.leads_back(key, link, state) } -> std::same_as<bool>;
    };

} // namespace npuzzle
