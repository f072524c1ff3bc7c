#pragma once

#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/kernel/table_engine.hpp"

#include <type_traits>
#include <utility>

namespace npuzzle {

namespace detail {

template <class P, class H, class PriorityType>
using pooled_parts_t = PartsFor<P, std::remove_cvref_t<H>, PooledPolicy, PriorityType>;

} // namespace detail

/// The base of such an engine: see `TableEngine`. The pooled table numbers its nodes, and they do not move
/// when it grows.
template <class Engine, Problem P, class H, class O,
          class PriorityType = AStarPriority<cost_t<P>, estimate_t<H, P>>>
class PooledEngine : public TableEngine<Engine, P, H, O, detail::pooled_parts_t<P, H, PriorityType>> {
    using Base = TableEngine<Engine, P, H, O, detail::pooled_parts_t<P, H, PriorityType>>;

public:
    using typename Base::Cost, typename Base::Estimate, typename Base::Node, typename Base::State;

protected:
    using typename Base::Estimates, typename Base::Move, typename Base::Table, typename Base::TableNode;
    using Evaluation = decltype(std::declval<const Estimates&>().evaluation_of(
        std::declval<const State&>(), std::declval<const Estimate&>()));

    using Base::Base;

    /// The rules of a start; an engine derives its own from these and from a neighbor's.
    using StartRules = typename Base::template Rules<Engine>;

    /// The rules of the arrival of a neighbor.
    struct NeighborRules : StartRules {
        using StartRules::engine;
        const TableNode& from;
        const Node& from_view;
        const Evaluation& evaluation; ///< of `from`
        const Move& move;             ///< from there, if there are moves
        const Cost& cost;             ///< of the path

        [[nodiscard]] const Node& parent() const { return from_view; }

        [[nodiscard]] Estimate estimate(const TableNode& node, bool is_new, const State& state) const {
            return is_new ? engine.estimates().after(evaluation, from_view.state, move, state)
                          : node.estimate();
        }
    };

    /// Generates the neighbors of a node, and inserts each of them.
    /// \tparam Rules derived from `NeighborRules`
    /// \param last the move that is not taken back, if there are moves
    /// \param is_skipped whether a step is left out: `is_skipped(neighbor, cost of the step)`
    template <class Rules, class IsSkipped>
    void insert_neighbors(const TableNode& node, const Node& view, const Move& last, IsSkipped&& is_skipped) {
        const Evaluation evaluation = this->estimates().evaluation_of(view.state, view.estimate);
        detail::for_each_neighbor(
            *this->problem_, view.state, last, detail::nothing_leads_back,
            [&](State&& neighbor, const Cost& step, const Move& move) {
                if (is_skipped(std::as_const(neighbor), step)) {
                    return;
                }
                const Cost cost = detail::saturating_add<Cost>(view.cost, step);
                if (this->may_follow(step, cost)) {
                    auto probe = this->table_.probe(std::move(neighbor));
                    detail::arrive(
                        this->table_, probe, cost, Table::link(node, move), this->statistics_,
                        Rules{{{{}, static_cast<Engine&>(*this)}, node, view, evaluation, move, cost}});
                }
            });
    }
};

} // namespace npuzzle
