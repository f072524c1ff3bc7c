#pragma once

#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/node_table/node_table.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

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

/// Optional capability: the nodes of one search can be in several tables. A link leads to the parent by its
/// state (`state_before(node)`) or by its number (`link.parent`), which is then one for all tables.
template <class T>
concept DividedNodeTable = NodeTable<T> && T::finds_duplicates && FindsNodes<T> &&
                           (detail::FindsStateBefore<T> || detail::LinksByNumber<T>);

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

    /// A link to a node of an owner, for all tables. Throws `std::bad_alloc` if there is no number left.
    [[nodiscard]] typename Table::Link link(typename Table::Link link, std::size_t owner) const {
        if constexpr (!FindsStateBefore<Table>) {
            const std::uint64_t name = std::uint64_t{link.parent} * count_ + owner;
            if (name >= Table::none) {
                throw std::bad_alloc();
            }
            link.parent = static_cast<typename Table::Key>(name);
        }
        return link;
    }

    /// What a link tells of the node that a node came from: its state, or its number for all tables.
    using Name = std::conditional_t<detail::FindsStateBefore<Table>, state_t<P>, std::uint64_t>;

    /// Requires that the node is not a root.
    [[nodiscard]] static Name name_before(const Table& table, const typename Table::Node& node) {
        if constexpr (FindsStateBefore<Table>) {
            return table.state_before(node);
        } else {
            return node.link().parent;
        }
    }
    [[nodiscard]] std::size_t owner_of(const Name& name) const {
        if constexpr (FindsStateBefore<Table>) {
            return (*this)(name);
        } else {
            return static_cast<std::size_t>(name % count_);
        }
    }
    /// \param table its owner's
    [[nodiscard]] typename Table::Node find(const Table& table, const Name& name) const {
        if constexpr (FindsStateBefore<Table>) {
            return *table.find(table.lookup_hint(name), name);
        } else {
            return table.find(static_cast<typename Table::Key>(name / count_));
        }
    }

private:
    const P* problem_;
    std::size_t count_;
};

} // namespace detail

} // namespace npuzzle
