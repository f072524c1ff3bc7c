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

template <class Entry, class Write>
void save_entry(const Entry& entry, Write& write) {
    write(entry.priority);
    write(entry.cost);
    write(entry.key);
}

/// False for what is not a number, which would be in no order with others.
template <class T>
[[nodiscard]] constexpr bool has_order(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
        return value == value;
    } else {
        return true;
    }
}

/// The key of an entry of some cost. A reader that knows the nodes looks whether it is right.
template <class Key, class Cost, class Read>
void load_key(Key& key, const Cost& cost, Read& read) {
    if constexpr (requires { read.key(key, cost); }) {
        read.key(key, cost);
    } else {
        read(key);
    }
}

template <class Entry, class Read>
Entry load_entry(Read& read) {
    Entry entry{};
    read(entry.priority);
    read(entry.cost);
    read.require(has_order(entry.priority) && has_order(entry.cost), "has an entry in no order");
    load_key(entry.key, entry.cost, read);
    return entry;
}

template <class Read>
std::uint64_t load_count(Read& read) {
    std::uint64_t count = 0;
    read(count);
    return count;
}

/// True if `a` leaves the open list before `b`.
template <class Entry>
[[nodiscard]] constexpr bool comes_before(const Entry& a, const Entry& b) {
    if constexpr (std::is_arithmetic_v<decltype(a.priority)> && std::is_arithmetic_v<decltype(a.cost)>) {
        // Without branches, which would be mispredicted in a heap.
        return static_cast<bool>(
            static_cast<int>(a.priority < b.priority) |
            (static_cast<int>(a.priority == b.priority) & static_cast<int>(b.cost < a.cost)));
    } else {
        if (a.priority < b.priority) {
            return true;
        }
        return !(b.priority < a.priority) && b.cost < a.cost;
    }
}

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

namespace detail {

/// What a list is saved by and loaded from.
struct AnyWriter {
    template <class T>
    void operator()(const T& value);
};
struct AnyReader {
    template <class T>
    void operator()(T& value);
    std::uint64_t number(std::uint64_t greatest, const char* what);
    void require(bool is_right, const char* what);
};

} // namespace detail

/// Optional capability: `save(write)` calls `write(value)` for numbers and keys; on an empty list of the same
/// type, `load(read)` calls `read(value)` for as many. `read.number(greatest, what)` reads a `std::uint64_t`
/// that must not be greater, and `read.require(is_right, what)` throws if what was read is not right: `what`
/// says it. The list then gives out its entries in the same order, also among those that are pushed later. So
/// a search that is saved goes on as if it had not been: see `save_checkpoint`. `is_whole()` is true unless a
/// push that threw has changed more than it should, so that the list can only be cleared.
template <class L>
concept SavesEntries = requires(L list, const L constant, detail::AnyWriter& write, detail::AnyReader& read) {
    { constant.is_whole() } -> std::same_as<bool>;
    constant.save(write);
    list.load(read);
};

} // namespace npuzzle
