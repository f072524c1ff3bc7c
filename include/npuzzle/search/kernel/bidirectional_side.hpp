#pragma once

#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/kernel/expansion.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/node_table/node_table.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// One of the two searches of a bidirectional search.

namespace npuzzle::detail {

/// The nodes that can be reached from one end.
/// \tparam P the problem as it is seen from this end
/// \tparam Own the `Estimator` of what is left to the other end
/// \tparam Opposite that of the other side's
/// \tparam Q the open list, made for the table's keys
template <class P, class Own, class Opposite, template <class Key> class Q>
struct Side {
    using Problem = P;
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = typename Own::Estimate;
    using Table = typename PartsFor<P, typename Own::Heuristic>::NodeTable;
    using Node = typename Table::Node;
    using Link = typename Table::Link;
    using Queue = Q<typename Table::Key>;
    using Entry = typename Queue::Entry;

    static_assert(FindsNodes<Table>);

    using EarlyEstimate = std::conditional_t<Own::is_incremental, Estimate, Nothing>;
    using OppositeEarly = std::conditional_t<Opposite::is_incremental && Queue::asks_opposite,
                                             typename Opposite::Estimate, Nothing>;

    /// A neighbour that waits to be put into the node table.
    template <class Other>
    struct Pending {
        using LookupHint = typename Other::Table::LookupHint;

        Pending(const Table& table, const Other& other, State&& state, const Cost& its_cost,
                const EarlyEstimate& its_estimate, const OppositeEarly& its_opposite, const Link& its_link)
            : sight(other.table.sight(state)), probe(table.probe(std::move(state))), cost(its_cost),
              estimate(its_estimate), opposite(its_opposite), link(its_link) {}

        LookupHint sight;
        typename Table::Probe probe;
        Cost cost;
        [[no_unique_address]] EarlyEstimate estimate;
        [[no_unique_address]] OppositeEarly opposite;
        Link link;
    };

    template <class Wide>
    Side(const P& its_problem, const Own& its_own, const Opposite& its_opposite, MemoryBudget& budget,
         const Wide& epsilon)
        : problem(&its_problem), own(its_own), opposite(its_opposite), table(its_problem, budget),
          queue(budget, epsilon) {}

    const P* problem;
    Own own;
    Opposite opposite;
    Table table;
    Queue queue;
    std::uint64_t expanded = 0;
};

} // namespace npuzzle::detail
