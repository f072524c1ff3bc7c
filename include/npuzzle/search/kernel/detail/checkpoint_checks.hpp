#pragma once

#include "npuzzle/search/core/detail/record_stream.hpp"
#include "npuzzle/search/node_table/node_table.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <cstdint>
#include <optional>

/// \file
/// What a checkpoint must not have, whoever wrote it: entries of no node, costs of no path, ways back that do
/// not end.

namespace npuzzle::detail {

/// Reads the entries of an open list: what `SavesEntries` asks for, and nodes that are there.
template <class Table>
class EntryReader {
public:
    EntryReader(RecordReader& read, const Table& table) : read_(&read), table_(&table) {}

    template <class T>
    void operator()(T& value) {
        (*read_)(value);
    }

    std::uint64_t number(std::uint64_t greatest, const char* what) { return read_->number(greatest, what); }
    void require(bool is_right, const char* what) const { read_->require(is_right, what); }

    /// The key of an entry. A table that finds a node by its key alone must have it; the entry's cost is that
    /// of the node, or more if a cheaper path was found since.
    template <class Cost>
    void key(typename Table::Key& key, const Cost& cost) {
        (*read_)(key);
        if constexpr (FindsByKey<Table>) {
            const bool is_node = [&] {
                if constexpr (requires { table_->contains(key); }) {
                    return table_->contains(key);
                } else {
                    return key < table_->size();
                }
            }();
            require(is_node && !(cost < table_->find(key).cost()), "has an entry of no node");
        }
    }

private:
    RecordReader* read_;
    const Table* table_;
};

template <class Table, class Cost>
void check_cost(const Cost& cost, const RecordReader& read) {
    read.require(has_order(cost) && Table::can_hold(cost) && !is_negative(cost),
                 "has a cost that no path has");
}

/// The node from which a state was reached, if there is one.
template <class P, class Table>
std::optional<typename Table::Node> node_before(const P& problem, const Table& table, const state_t<P>& state,
                                                const typename Table::Link& link) {
    if constexpr (requires { link.parent; }) {
        return link.parent < table.size() ? std::optional(table.find(link.parent)) : std::nullopt;
    } else if constexpr (has_moves<P>) {
        if (link == P::no_move) {
            return std::nullopt;
        }
        state_t<P> before = state;
        problem.apply(before, problem.inverse(link));
        return table.find(table.lookup_hint(before), before);
    } else {
        const state_t<P> before = problem.unpack(link);
        return table.find(table.lookup_hint(before), before);
    }
}

/// Whether a node may be the one before another. Where each step costs one, no way back goes round in a
/// circle.
/// \param cost of the other; none of a dead end, which keeps the cost of no path
template <class P, class Node>
void check_before(const std::optional<Node>& before, const std::optional<cost_t<P>>& cost,
                  const RecordReader& read) {
    bool is_one = before.has_value();
    if constexpr (is_weighted<P>) {
        is_one = is_one && (!cost || !(*cost < before->cost()));
    } else {
        is_one = is_one && (before->is_root() || cost_t<P>{} < before->cost()) &&
                 (!cost || before->cost() < *cost);
    }
    read.require(is_one, "has a path from nowhere");
}

} // namespace npuzzle::detail
