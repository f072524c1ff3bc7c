#pragma once

#include "npuzzle/search/node_table/node_table.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>

/// \file
/// Which part of a divided search a state belongs to, and how a node is named across parts.

namespace npuzzle {

namespace detail {

/// 32 bits of a state, which tell nothing of its place in the node table of its owner. Uniformly distributed,
/// unless the problem says which states belong together.
template <class P>
std::uint32_t owner_hash(const P& problem, const state_t<P>& state) {
    if constexpr (has_owner_hash<P>) {
        return static_cast<std::uint32_t>(mix(static_cast<std::uint64_t>(problem.owner_hash(state))));
    } else if constexpr (PackedProblem<P>) {
        return static_cast<std::uint32_t>(mix_word(problem.pack(state)));
    } else if constexpr (IndexedProblem<P>) {
        // States that are numbered side by side lie side by side on a map: most steps stay with the owner.
        constexpr std::uint64_t together = 64;
        return static_cast<std::uint32_t>(mix(static_cast<std::uint64_t>(problem.index(state)) / together));
    } else {
        return static_cast<std::uint32_t>(std::uint64_t{hash_state(problem, state)} >> 32);
    }
}

/// A table whose links name the parent by its state, which tells its owner.
template <class T>
concept FindsStateBefore = NodeTable<T> && requires(const T table, const typename T::Node& node) {
    { table.state_before(node) } -> std::same_as<typename T::State>;
};

/// A table whose links name the parent by a number less than `T::none`.
template <class T>
concept LinksByNumber = NodeTable<T> && requires(typename T::Link link, const T table) {
    { link.parent } -> std::same_as<typename T::Key&>;
    { table.find(link.parent) } -> std::same_as<typename T::Node>;
    requires std::unsigned_integral<typename T::Key> && (T::none > 0);
};

} // namespace detail

/// Optional capability: the nodes of one search can be in several tables. `for_each_node(visit)` goes through
/// the nodes of one. A link leads to the parent by its state (`state_before(node)`) or by its number
/// (`link.parent`), which is then one for all tables.
template <class T>
concept DividedNodeTable = NodeTable<T> && T::finds_duplicates && FindsNodes<T> &&
                           (detail::FindsStateBefore<T> || detail::LinksByNumber<T>) &&
                           requires(T table, void (*visit)(typename T::Node)) { table.for_each_node(visit); };

namespace detail {

/// The owners of states: which of several parts of a search has the node of a state.
template <class P, DividedNodeTable Table>
class Owners {
public:
    Owners(const P& problem, std::size_t count) : problem_(&problem), count_(count) {}

    [[nodiscard]] std::size_t count() const noexcept { return count_; }

    /// The owner of a state, from 0.
    [[nodiscard]] std::size_t operator()(const state_t<P>& state) const {
        return static_cast<std::size_t>(std::uint64_t{owner_hash(*problem_, state)} * count_ >> 32);
    }

    /// The number of a node of an owner for all tables. Throws `std::bad_alloc` if there is none left.
    [[nodiscard]] typename Table::Key name(const typename Table::Key& key, std::size_t owner) const
        requires(!FindsStateBefore<Table>)
    {
        const std::uint64_t name = std::uint64_t{key} * count_ + owner;
        if (name >= Table::none) {
            throw std::bad_alloc();
        }
        return static_cast<typename Table::Key>(name);
    }

    /// A link to a node of an owner, for all tables.
    [[nodiscard]] typename Table::Link link(typename Table::Link link, std::size_t owner) const {
        if constexpr (!FindsStateBefore<Table>) {
            link.parent = name(link.parent, owner);
        }
        return link;
    }

    /// The node that a node came from. Requires that it is not a root.
    /// \param table_of `table_of(owner)`: the table of an owner
    template <class TableOf>
    [[nodiscard]] typename Table::Node parent(const Table& its_table, const typename Table::Node& node,
                                              TableOf&& table_of) const {
        if constexpr (FindsStateBefore<Table>) {
            const state_t<P> before = its_table.state_before(node);
            const Table& table = table_of((*this)(before));
            return *table.find(table.lookup_hint(before), before);
        } else {
            const auto number = node.link().parent;
            return table_of(static_cast<std::size_t>(number % count_))
                .find(static_cast<typename Table::Key>(number / count_));
        }
    }

private:
    const P* problem_;
    std::size_t count_;
};

} // namespace detail

} // namespace npuzzle
