#pragma once

#include "npuzzle/search/kernel/batches.hpp"
#include "npuzzle/search/kernel/best_first_base.hpp"

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// Best-first search that stores a neighbor when its priority is next, and not before. A node goes
/// back on the open list while it has neighbors left, under the least priority of these. Each `step` expands
/// one node by one priority. See `partial_expansion_astar`.
///
/// In a large search, `run` takes a few nodes of equal f at once, as `BestFirstEngine` does.
///
/// \tparam Parts the open list, node table and priority: see `PartsFor`; the table has to store estimates if
///     they are no integers
template <Problem P, class H, class O, class Parts>
    requires HeuristicFor<H, P>
class PartialExpansionEngine
    : public BestFirstBase<PartialExpansionEngine<P, H, O, Parts>, P, H, O, Parts, true> {
    using Base = BestFirstBase<PartialExpansionEngine, P, H, O, Parts, true>;
    friend EngineBase<PartialExpansionEngine, cost_t<P>, O>;

    // Evaluated anew, a sum of other numbers may be rounded otherwise.
    static_assert(Parts::NodeTable::stores_estimate || std::integral<estimate_t<H, P>>,
                  "partial expansion needs a node table that stores estimates, such as PooledNodeTable");

public:
    using typename Base::Cost, typename Base::Estimate, typename Base::Node, typename Base::Priority,
        typename Base::State;

    /// No temporary problem: the engine refers to it.
    PartialExpansionEngine(const P&& problem, const State& start, H&& heuristic,
                           BasicLimits<Cost> limits = {}, O&& observer = O{},
                           typename Parts::Priority priority = {}) = delete;

    PartialExpansionEngine(const P& problem, const State& start, H&& heuristic, BasicLimits<Cost> limits = {},
                           O&& observer = O{}, typename Parts::Priority priority = {})
        : Base(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer), std::move(priority)) {
        this->add_start(start);
    }

private:
    friend BestFirstBase<PartialExpansionEngine, P, H, O, Parts, true>;

    using Base::heuristic_, Base::is_watched, Base::monitor_, Base::observer_, Base::open_, Base::priority_,
        Base::problem_, Base::statistics_, Base::status_, Base::successors_, Base::table_;
    using typename Base::Estimates, typename Base::Move, typename Base::Table, typename Base::TableNode;

    using Open = typename Parts::OpenList;
    using Entry = typename Open::Entry;

    static constexpr bool can_batch = !is_watched && Table::finds_duplicates && PopsEqual<Open>;
    using Batches =
        std::conditional_t<can_batch, detail::Batches<Open, typename Base::Successor, Parts::batch_width>,
                           detail::Nothing>;

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
        while (status_ == SearchStatus::running) {
            if (open_.empty()) {
                if (!this->begin_to_reopen()) {
                    this->finish(this->exhausted());
                }
                return;
            }
            const Entry entry = open_.pop();
            if (visit(entry)) {
                this->insert(successors_, nullptr, entry.priority);
                return;
            }
        }
    }

    /// Batches, in a large search.
    void advance_many() {
        if constexpr (can_batch) {
            if (Batches::pay_off(open_, table_)) {
                batches_.run(
                    open_, table_, successors_,
                    [this](const Entry& entry) {
                        visit(entry);
                        return status_ == SearchStatus::running;
                    },
                    [this](auto& successors, const Priority& priority) {
                        return this->insert_prefetched(successors, nullptr, priority);
                    });
                return;
            }
        }
        advance();
    }

    void begin_again() {
        Base::begin_again();
        if constexpr (can_batch) {
            batches_.forget();
        }
    }

    /// Takes up the node of an entry, and leaves its neighbors in `successors_`. False if the entry was
    /// superseded.
    ///
    /// Of nodes that share a key and a cost, nothing tells which one waits under this priority. So all that
    /// may are expanded, to their end, and their other entries are superseded then.
    bool visit(const Entry& entry) {
        bool is_any = false;
        while (std::optional<TableNode> node = find_waiting(entry)) {
            is_any = true;
            decltype(auto) state = node->state();
            is_to_its_end_ = is_ambiguous(*node);
            take_up(*node, Node{state, entry.cost, estimate_of(*node, state), entry.priority});
            if (!is_to_its_end_ || status_ != SearchStatus::running) {
                break;
            }
        }
        return is_any;
    }

    std::optional<TableNode> find_waiting(const Entry& entry) {
        return table_.find_open(entry.key, entry.cost, [&](const State& state) {
            return !(entry.priority < priority_(entry.cost, this->estimates()(state)));
        });
    }

    static bool is_ambiguous(const TableNode& node) {
        if constexpr (requires { node.is_ambiguous(); }) {
            return node.is_ambiguous();
        } else {
            return false;
        }
    }

    Estimate estimate_of(const TableNode& node, const State& state) {
        if constexpr (Table::stores_estimate) {
            return node.estimate();
        } else {
            return this->estimates()(state);
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
        // Before an insertion, which may move the node.
        if (left_) {
            this->push(*left_, view.cost, node);
            this->note_open();
        } else {
            node.close();
        }
        if constexpr (is_watched) {
            this->insert(successors_, &view, view.priority);
        }
    }

    void expand(const TableNode& node, const Node& parent) {
        const Estimates estimates = this->estimates();
        const auto evaluation = estimates.evaluation_of(parent.state, parent.estimate);
        const auto generate = [&](State&& child, const Cost& step, const Move& move) {
            const Cost cost = detail::saturating_add<Cost>(parent.cost, step);
            if (!this->may_follow(step, cost)) {
                return;
            }
            const Estimate estimate = estimates.after(evaluation, parent.state, move, child);
            if (is_due(parent, child, cost, estimate)) {
                successors_.emplace_back(table_, std::move(child), cost, estimate, Table::link(node, move));
            } else {
                ++statistics_.generated;
            }
        };
        if constexpr (is_selecting) {
            std::optional<Estimate> next = static_cast<Estimate>(parent.priority - own_);
            do {
                next = heuristic_.for_each_move_of_change(
                    parent.state, node.last_move(), *next, [&](const Move& move) {
                        State child = parent.state;
                        problem_->apply(child, move);
                        generate(std::move(child), detail::step_cost(*problem_, parent.state, move), move);
                    });
            } while (next && is_to_its_end_);
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
        const bool is_later = parent.priority < priority && !is_to_its_end_;
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

    /// Whether a neighbor beyond the bound on the cost is known by a path that costs no more: then the bound
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
    bool is_to_its_end_ = false;   // nothing of it is to be left for later
    std::optional<Priority> left_; // the least priority of the neighbors that are left

    NPUZZLE_NO_UNIQUE_ADDRESS Batches batches_;
};

} // namespace npuzzle
