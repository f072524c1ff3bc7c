#pragma once

#include "npuzzle/search/node_table/node_table.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <limits>

/// \file
/// Open lists that drop entries, such as a beam search's, and what an engine does with a dropped entry.

namespace npuzzle::detail {

/// Takes the first entry, with `drop(entry)` for each that the list gives up.
template <class Open, class F>
typename Open::Entry pop_entry(Open& open, [[maybe_unused]] F&& drop) {
    if constexpr (DropsEntries<Open>) {
        return open.pop(drop);
    } else {
        return open.pop();
    }
}

/// Whether entries have been dropped: then an empty list proves nothing.
template <class Open>
bool has_dropped([[maybe_unused]] const Open& open) {
    if constexpr (DropsEntries<Open>) {
        return open.has_dropped();
    } else {
        return false;
    }
}

/// Makes any path to a node count as cheaper than the one that was dropped. Not to be used where nodes are
/// reopened: the node may be on the path to others, and these on the new path to it.
template <class Table, class Entry>
void forget_path(Table& table, const Entry& entry) {
    using Cost = typename Table::Cost;
    using Range = std::numeric_limits<Cost>;
    // A packed node has no room for such a cost.
    if constexpr (Range::is_specialized && Table::finds_duplicates && KeepsNodesInPlace<Table>) {
        const auto any = [](const typename Table::State&) { return true; };
        if (auto node = table.find_open(entry.key, entry.cost, any)) {
            const Cost farthest = Range::has_infinity ? Range::infinity() : (Range::max)();
            if constexpr (Table::stores_estimate) {
                node->relax(farthest, node->estimate(), node->link());
            } else {
                node->relax(farthest, typename Table::Estimate{}, node->link());
            }
        }
    }
}

} // namespace npuzzle::detail
