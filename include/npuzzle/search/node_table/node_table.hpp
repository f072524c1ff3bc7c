#pragma once

#include "npuzzle/search/core/problem.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace npuzzle {

/// The nodes of a search, found by state: each has its state, the cost g of the best path known, the link to
/// the node before it, and whether it is closed.
///
/// `T::Key` is how the open list names a node: small, and valid for ever. `T::Handle` is valid for ever, too,
/// and names one node. `T::Node` is a cursor on a node, and `T::Probe` a state to be inserted, constructed in
/// its place since a copy costs time: both valid until the next `insert`, which finds or makes the node of a
/// state; a new one is closed until `relax` gives it a path and opens it. It may throw `std::bad_alloc`, and
/// has not changed the table then. `prefetch_slot` and `prefetch` request memory ahead of its use: of a probe
/// first its slot, and once that is there what comes after it.
///
/// Some searches also ask for `find(lookup_hint(state), state)`, which finds the node of a state without
/// making one, and `prefetch_slot(hint)`.
///
/// `T::stores_estimate` says whether a node remembers its h; else the engine computes it again.
/// `T::finds_duplicates` is false for a table that makes a node at each `insert`. `T::keeps_in_place` says
/// that nodes, and the states that `state()` refers to, stay where they are while others are inserted: a
/// small search then inserts each neighbor at once.
template <class T>
concept NodeTable =
    requires(T table, const T constant, typename T::State state, typename T::Cost cost,
             typename T::Estimate estimate, typename T::Key key, const typename T::Handle handle,
             typename T::Link link, typename T::Move move, typename T::Probe probe, typename T::Node node,
             const typename T::Node constant_node, bool (*is_wanted)(const typename T::State&)) {
        { T::stores_estimate } -> std::convertible_to<bool>;
        { T::finds_duplicates } -> std::convertible_to<bool>;
        { T::keeps_in_place } -> std::convertible_to<bool>;
        requires std::constructible_from<typename T::Probe, const T&, typename T::State>;
        { table.insert(std::move(probe)) } -> std::same_as<std::pair<typename T::Node, bool>>;
        { table.insert(std::move(state)) } -> std::same_as<std::pair<typename T::Node, bool>>;
        constant.prefetch(key);
        constant.prefetch_slot(probe);
        constant.prefetch(probe);
        // The open node of a key, if its cost is still `cost`. Where several nodes have the key, one that is
        // wanted.
        { table.find_open(key, cost, is_wanted) } -> std::same_as<std::optional<typename T::Node>>;
        { T::can_hold(cost) } -> std::same_as<bool>; // whether a node can have this path cost
        { constant.size() } -> std::convertible_to<std::uint64_t>;
        table.clear();
        { constant.find(handle) } -> std::same_as<typename T::Node>;
        { constant_node.key() } -> std::same_as<typename T::Key>;
        { constant_node.handle() } -> std::same_as<typename T::Handle>;
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
        { constant.parent(constant_node) } -> std::same_as<typename T::Node>;
    };

namespace detail {

/// How many of the 64 bits of a slot hold what.
template <CompactProblem P>
struct SlotBits {
    static constexpr auto cost =
        static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(P::longest_path)));
    /// The moves, none, and two flags.
    static constexpr auto code =
        static_cast<unsigned>(std::bit_width(4 * (static_cast<std::uint64_t>(P::move_count) + 1)));
    static constexpr unsigned stored = 64 - cost - code; ///< of the item
    static constexpr unsigned item = stored < unsigned{P::word_bits} ? unsigned{P::word_bits} : stored;
    /// The others follow from the line. At most 13: a table begins with a line in each region.
    static constexpr unsigned region = item - stored;
    static constexpr bool fit = cost + code < 32 && item <= 64 && region <= 13;
};

/// Whether a node of a problem fits 8 bytes.
template <class P, class Estimate>
inline constexpr bool fits_packed_nodes = false;

template <CompactProblem P, std::integral Estimate>
inline constexpr bool fits_packed_nodes<P, Estimate> = SlotBits<P>::fit;

} // namespace detail

/// Defined in `packed.hpp`, which a problem that is a `CompactProblem` includes.
template <class P, class E, std::size_t large = (std::size_t{1} << 30)>
    requires detail::fits_packed_nodes<P, E>
class PackedNodeTable;

} // namespace npuzzle
