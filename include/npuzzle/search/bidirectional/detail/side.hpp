#pragma once

#include "npuzzle/search/assert.hpp"
#include "npuzzle/search/best_first_engine.hpp"
#include "npuzzle/search/cost.hpp"
#include "npuzzle/search/heuristic.hpp"
#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/node_table/node_table.hpp"
#include "npuzzle/search/policy.hpp"
#include "npuzzle/search/problem.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// One of the two searches of a bidirectional search.

namespace npuzzle::detail {

struct Nothing {};

/// Evaluates a heuristic on the states of a problem, and follows its moves where the heuristic can.
template <class B, class P>
class Estimator {
public:
    using Heuristic = std::remove_cvref_t<B>;
    using Estimate = estimate_t<Heuristic, P>;

    static constexpr bool is_zero = std::same_as<Heuristic, Zero>;
    static constexpr bool is_evaluating = follows_by_evaluation<Heuristic, P>;
    static constexpr bool is_incremental = is_evaluating || IncrementalHeuristicFor<Heuristic, P>;

    explicit Estimator(std::remove_reference_t<B>& heuristic) : heuristic_(&heuristic) {}

    Estimate operator()(const state_t<P>& state) const {
        if constexpr (is_zero) {
            return Estimate{};
        } else {
            return saturating_cast<Estimate>((*heuristic_)(state));
        }
    }

    /// What `after` needs of a node that is expanded.
    auto carry(const state_t<P>& state, const Estimate& estimate) const {
        if constexpr (is_evaluating) {
            return heuristic_->evaluate(state);
        } else {
            return estimate;
        }
    }

    template <class Carried, class Move>
        requires is_incremental
    Estimate after(const Carried& carried, const state_t<P>& before, const Move& move,
                   const state_t<P>& after) const {
        if constexpr (is_evaluating) {
            return saturating_cast<Estimate>(
                heuristic_->value(heuristic_->after(carried, before, move, after)));
        } else {
            return static_cast<Estimate>(heuristic_->after(carried, before, move, after));
        }
    }

private:
    std::remove_reference_t<B>* heuristic_;
};

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

    using Early = std::conditional_t<Own::is_incremental, Estimate, Nothing>;
    using OppositeEarly = std::conditional_t<Opposite::is_incremental && Queue::asks_opposite,
                                             typename Opposite::Estimate, Nothing>;

    /// A neighbour that waits to be put into the node table.
    template <class Other>
    struct Pending {
        using Sight = typename Other::Table::Sight;

        Pending(const Table& table, const Other& other, State&& state, const Cost& its_cost,
                const Early& its_estimate, const OppositeEarly& its_opposite, const Link& its_link)
            : sight(other.table.sight(state)), probe(table.probe(std::move(state))), cost(its_cost),
              estimate(its_estimate), opposite(its_opposite), link(its_link) {}

        Sight sight;
        typename Table::Probe probe;
        Cost cost;
        [[no_unique_address]] Early estimate;
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

/// Calls `visit(state, step, move)` for each neighbour of a node but the one that it came from; `state` can be moved from.
template <class P, class Table, class F>
void for_each_neighbor(const P& problem, const Table& table, const typename Table::Node& node,
                       const state_t<P>& state, F&& visit) {
    using State = state_t<P>;
    using Cost = cost_t<P>;
    if constexpr (MoveProblem<P>) {
        problem.for_each_move(state, node.last_move(), [&](const move_t<P>& move) {
            State child = state;
            problem.apply(child, move);
            if constexpr (is_weighted<P>) {
                visit(std::move(child), static_cast<Cost>(problem.move_cost(state, move)), move);
            } else {
                visit(std::move(child), Cost{1}, move);
            }
        });
    } else {
        using Neighbors = neighbors_t<P>;
        for (auto&& neighbor : problem.neighbors(state)) {
            // What a container that was returned by value holds is ours to move from.
            constexpr bool is_ours =
                std::is_rvalue_reference_v<decltype(neighbor)&&> ||
                (!std::is_reference_v<Neighbors> && requires { typename Neighbors::allocator_type; });
            const auto consider = [&](auto& to, const Cost& step) {
                const auto take = [&]() -> State {
                    if constexpr (is_ours) {
                        return State(std::move(to));
                    } else {
                        return State(std::as_const(to));
                    }
                };
                State child = take();
                if (!table.leads_back(node, child)) {
                    visit(std::move(child), step, typename Table::Move{});
                }
            };
            if constexpr (is_weighted<P>) {
                consider(neighbor.to, neighbor.cost);
            } else {
                consider(neighbor, Cost{1});
            }
        }
    }
}

} // namespace npuzzle::detail
