#pragma once

#include "npuzzle/search/kernel/best_first_base.hpp"

#include <concepts>
#include <optional>
#include <utility>

namespace npuzzle {

/// Best-first search that stores a neighbor when its priority is next, and not before. A node goes
/// back on the open list while it has neighbors left, under the least priority of these. Each `step` expands
/// one node by one priority. See `partial_expansion_astar`.
///
/// \tparam Parts the open list, node table and priority: see `PartsFor`; the table has to store estimates
template <Problem P, class H, class O, class Parts>
    requires HeuristicFor<H, P>
class PartialExpansionEngine
    : public BestFirstBase<PartialExpansionEngine<P, H, O, Parts>, P, H, O, Parts, true> {
    using Base = BestFirstBase<PartialExpansionEngine, P, H, O, Parts, true>;
    friend EngineBase<PartialExpansionEngine, cost_t<P>, O>;

    static_assert(Parts::NodeTable::stores_estimate,
                  "partial expansion needs a node table that stores estimates, such as PooledNodeTable");

public:
    using typename Base::Cost, typename Base::Estimate, typename Base::Node, typename Base::Priority,
        typename Base::State;

    /// Sets up a search. Linear in the size of the state; throws what copying the heuristic or binding it
    /// throws.
    PartialExpansionEngine(const P& problem, const State& start, H&& heuristic, BasicLimits<Cost> limits = {},
                           O&& observer = O{}, typename Parts::Priority priority = {})
        : Base(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer), std::move(priority)) {
        this->add_start(start);
    }

private:
    using Base::heuristic_, Base::monitor_, Base::observer_, Base::open_, Base::priority_, Base::problem_,
        Base::statistics_, Base::status_, Base::successors_, Base::table_;
    using typename Base::Estimates, typename Base::Move, typename Base::Table, typename Base::TableNode;

    /// Whether the heuristic says which moves lead to the priority that is next.
    static constexpr bool is_selecting = [] {
        if constexpr (SelectingHeuristicFor<H, P>) {
            return std::same_as<typename Parts::Priority, AStarPriority<Cost, Estimate>>;
        } else {
            return false;
        }
    }();

    /// One expansion, or the end.
    void advance() {
        while (status_ == Status::running) {
            if (open_.empty()) {
                this->finish(this->exhausted());
                return;
            }
            const auto entry = open_.pop();
            std::optional<TableNode> node = this->find_open(entry);
            if (node) {
                decltype(auto) state = node->state();
                take_up(*node, Node{state, entry.cost, node->estimate(), entry.priority});
                return;
            }
        }
    }

    void take_up(TableNode& node, const Node& view) {
        own_ = priority_(view.cost, view.estimate);
        is_first_ = !(own_ < view.priority);
        left_.reset();
        this->note_nearest(node.key(), view);
        if (is_first_ && problem_->is_goal(view.state)) {
            this->reach(node, view);
            return;
        }
        if (monitor_.is_due(statistics_.expanded) && this->is_stopped(statistics_.expanded, view.priority)) {
            return;
        }
        ++statistics_.expanded;
        observer_.expand(view);
        expand(node, view);
        this->insert(successors_, &view, view.priority);
        if (left_) {
            this->push(*left_, view.cost, node);
            this->note_open();
        } else {
            node.close();
        }
    }

    void expand(const TableNode& node, const Node& parent) {
        const Estimates estimates = this->estimates();
        const auto evaluation = estimates.evaluation_of(parent.state, parent.estimate);
        const auto generate = [&](State&& child, const Cost& step, const Move& move) {
            const std::optional<Cost> cost = this->follow_step(parent.cost, step);
            if (!cost) {
                return;
            }
            const Estimate estimate =
                estimates.late(estimates.early(evaluation, parent.state, move, child), child);
            if (is_due(parent, child, *cost, estimate)) {
                successors_.emplace_back(table_, std::move(child), *cost, estimate, Table::link(node, move));
            } else {
                ++statistics_.generated;
            }
        };
        if constexpr (is_selecting) {
            const auto change = static_cast<Estimate>(parent.priority - own_);
            const std::optional<Estimate> next = heuristic_.for_each_move_of_change(
                parent.state, node.last_move(), change, [&](const Move& move) {
                    State child = parent.state;
                    problem_->apply(child, move);
                    generate(std::move(child), detail::step_cost(*problem_, parent.state, move), move);
                });
            if (next) {
                leave(parent.cost, detail::saturating_add<Estimate>(parent.estimate, *next));
            }
        } else {
            detail::for_each_neighbor(*problem_, table_, node, parent.state, generate);
        }
    }

    /// Whether a neighbor is to be stored now: at first those of the node's own priority or less, later those
    /// of the priority that the node waited for.
    bool is_due(const Node& parent, const State& state, const Cost& cost, const Estimate& estimate) {
        const Priority priority = priority_(cost, estimate);
        const bool is_later = parent.priority < priority;
        const bool is_due = !is_later && (is_first_ || !(priority < parent.priority));
        if constexpr (is_selecting) {
            if (!is_due && !detail::is_infinite(estimate)) {
                ++statistics_.contract_violations;
                NPUZZLE_ASSERT(false && "a move changes f as the heuristic says");
            }
            return true;
        } else {
            if (is_later && !detail::is_infinite(estimate) && !is_known(state, cost, estimate)) {
                leave(cost, estimate);
            }
            return is_due;
        }
    }

    /// Whether a neighbor beyond the bound on the cost is known by a path no costlier: then the bound
    /// excludes no way to it.
    [[nodiscard]] bool is_known(const State& state, const Cost& cost, const Estimate& estimate) const {
        if constexpr (Table::finds_duplicates) {
            if (this->exceeds(AStarPriority<Cost, Estimate>{}(cost, estimate))) {
                const std::optional<TableNode> node = table_.find(table_.lookup_hint(state), state);
                return node && !(cost < node->cost());
            }
        }
        return false;
    }

    /// Takes note of a neighbor that is left for later.
    void leave(const Cost& cost, const Estimate& estimate) {
        if (!this->is_beyond(cost, estimate)) {
            const Priority priority = priority_(cost, estimate);
            if (!left_ || priority < *left_) {
                left_ = priority;
            }
        }
    }

    // Of the node that is being expanded:
    Priority own_{};               // its priority when it was put on the open list first
    bool is_first_ = true;         // nothing of it was expanded before
    std::optional<Priority> left_; // the least priority of the neighbors that are left
};

} // namespace npuzzle
