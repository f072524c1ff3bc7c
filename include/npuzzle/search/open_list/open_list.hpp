#pragma once

#include "npuzzle/macros.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// An entry of an open list: a node by its key, and what it is ordered by.
template <class Priority, class Cost, class Key>
struct OpenEntry {
    Priority priority; ///< f; least first
    Cost cost;         ///< g; among equal f the greatest first, since it is nearest to a goal
    Key key;
};

/// The tie-break of all open lists: among entries of equal f, the greatest g comes first, since it is nearest
/// to a goal.
struct GreatestCostFirst {
    template <class Entry>
    [[nodiscard]] constexpr bool operator()(const Entry& a, const Entry& b) const {
        return b.cost < a.cost;
    }
};

namespace detail {

/// True if `a` leaves the open list before `b`.
template <class Entry>
[[nodiscard]] constexpr bool comes_before(const Entry& a, const Entry& b) {
    if constexpr (std::is_arithmetic_v<decltype(a.priority)> && std::is_arithmetic_v<decltype(a.cost)>) {
        // Without branches, which would be mispredicted in a heap.
        return static_cast<bool>(
            static_cast<int>(a.priority < b.priority) |
            (static_cast<int>(a.priority == b.priority) & static_cast<int>(b.cost < a.cost)));
    } else {
        return a.priority < b.priority || (!(b.priority < a.priority) && b.cost < a.cost);
    }
}

/// Defined in `heap.hpp`, which takes half a second to compile: who needs it includes it.
template <class Priority, class Cost, class Key, class TieBreak>
struct AutomaticHeap;

} // namespace detail

/// A priority queue of `L::Entry`s without decrease-key: a node that is found again by a cheaper path is
/// pushed again, and the engine skips the superseded entry when it comes up. `push` and `pop` may throw
/// `std::bad_alloc`; the list can then still be destroyed. It is constructed from the `MemoryBudget` on which
/// its storage counts.
template <class L>
concept OpenList = requires(L list, const L constant, typename L::Entry entry) {
    { list.push(entry) };
    { list.pop() } -> std::same_as<typename L::Entry>;
    { constant.empty() } -> std::same_as<bool>;
    { constant.size() } -> std::convertible_to<std::uint64_t>;
    { list.clear() };
};

/// Optional capability: `pop_equal` gives several entries of the same priority at once. It makes batches
/// possible, whose cache misses overlap.
template <class L>
concept PopsEqual = OpenList<L> && requires(L list, typename L::Entry* entries) {
    { list.pop_equal(entries, std::size_t{1}) } -> std::same_as<std::size_t>;
    { list.first_priority() } -> std::same_as<decltype(std::declval<typename L::Entry&>().priority)>;
};

/// Optional capability: `pop(drop)` calls `drop(entry)` for each entry that the list gives up. It makes beam
/// search possible.
template <class L>
concept DropsEntries =
    OpenList<L> && requires(L list, const L constant, void (*drop)(const typename L::Entry&)) {
        { list.pop(drop) } -> std::same_as<typename L::Entry>;
        { constant.has_dropped() } -> std::same_as<bool>; // since it was made or cleared
    };

} // namespace npuzzle
