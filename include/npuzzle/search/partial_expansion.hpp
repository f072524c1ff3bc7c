#pragma once

#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/engine/best_first.hpp"
#include "npuzzle/search/engine/call.hpp"
#include "npuzzle/search/engine/parts.hpp"

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace npuzzle {

namespace detail {

/// A policy for partial expansion. A node table that was not chosen stores estimates, but for integers of a
/// `CompactProblem`: to evaluate them again costs less than the memory.
template <class Policy>
struct PartialExpansionPolicy : StoringEstimates<Policy> {
    template <class P, class Estimate>
    using NodeTable =
        std::conditional_t<CompactProblem<P> && detail::has_plain_nodes<P> && std::integral<Estimate>,
                           typename Policy::template NodeTable<P, Estimate>,
                           typename StoringEstimates<Policy>::template NodeTable<P, Estimate>>;
};

/// The parts of it: each neighbor is evaluated, and not only those that turn out to be new.
template <class P, class H, class Policy>
struct PartialExpansionParts : PartsFor<P, std::remove_cvref_t<H>, PartialExpansionPolicy<Policy>> {
    static constexpr bool evaluates_all = true;
};

} // namespace detail

/// A* with partial expansion as an object: see `partial_expansion_astar`. Each `step` expands one node by one
/// priority. In a large search, `run` takes a few nodes of equal f at once, as `BestFirst` does.
template <Problem P, class H, class O = SilentObserver,
          std::derived_from<DefaultPolicy> Policy = DefaultPolicy>
    requires HeuristicFor<H, P>
class PartialExpansionAStar : public BestFirst<P, H, O, detail::PartialExpansionParts<P, H, Policy>> {
    using Base = BestFirst<P, H, O, detail::PartialExpansionParts<P, H, Policy>>;

    // Evaluated anew, a sum of other numbers may be rounded otherwise.
    static_assert(Base::Table::stores_estimate || std::integral<estimate_t<H, P>>,
                  "partial expansion needs a node table that stores estimates, such as PooledNodeTable");

public:
    using typename Base::Cost, typename Base::Estimate, typename Base::Node, typename Base::Priority,
        typename Base::State;

    using Base::Base;

    PartialExpansionAStar(Policy /*policy*/, const P& problem, const state_t<P>& start, H&& heuristic,
                          limits_t<P> limits = {}, O&& observer = O{})
        : PartialExpansionAStar(problem, start, std::forward<H>(heuristic), limits,
                                std::forward<O>(observer)) {}
    template <class... Rest>
    PartialExpansionAStar(Policy, const P&&, Rest&&...) = delete; ///< The engine refers to the problem.

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        guarded([this] { advance(); });
        return status_ == SearchStatus::running;
    }

    /// Steps to the end.
    SearchStatus run() {
        guarded([this] {
            while (status_ == SearchStatus::running) {
                if (!this->run_batches([this](const Entry& entry) { visit(entry); })) {
                    advance();
                }
            }
        });
        return status_;
    }

private:
    using Base::children_, Base::guarded, Base::heuristic_, Base::is_watched, Base::observer_, Base::open_,
        Base::priority_, Base::problem_, Base::statistics_, Base::status_, Base::table_;
    using Base::resume; // would lose the node at which a limit ended the search
    using typename Base::Child, typename Base::Entry, typename Base::Move, typename Base::Table,
        typename Base::TableNode;

    /// Whether the heuristic says which moves lead to the priority that is next.
    static constexpr bool is_selecting = SelectingHeuristicFor<H, P>;

    /// One expansion, or the end.
    void advance() {
        while (status_ == SearchStatus::running) {
            if (open_.empty()) {
                return this->finish_exhausted();
            }
            const Entry entry = open_.pop();
            if (visit(entry)) {
                return this->relax_all(children_, &entry.priority);
            }
        }
    }

    /// Takes up the node of an entry, and leaves its neighbors in `children_`. False if the entry was
    /// superseded.
    ///
    /// Of nodes that share a key and a cost, nothing tells which one waits under this priority. So all that
    /// may are expanded, to their end, and their other entries are superseded then.
    bool visit(const Entry& entry) {
        bool is_any = false;
        is_to_its_end_ = true;
        while (is_to_its_end_ && status_ == SearchStatus::running) {
            const auto is_waiting = [&](const State& state) {
                return !(entry.priority < priority_(entry.cost, this->estimator()(state)));
            };
            std::optional<TableNode> node = table_.find_open(entry.key, entry.cost, is_waiting);
            if (!node) {
                break;
            }
            is_any = true;
            decltype(auto) state = node->state();
            if constexpr (requires { node->is_ambiguous(); }) {
                is_to_its_end_ = node->is_ambiguous();
            } else {
                is_to_its_end_ = false;
            }
            expand(*node, Node{state, entry.cost, estimate_of(*node, state), entry.priority});
        }
        return is_any;
    }

    Estimate estimate_of(const TableNode& node, const State& state) {
        if constexpr (Table::stores_estimate) {
            return node.estimate();
        } else {
            return this->estimator()(state);
        }
    }

    void expand(TableNode& node, const Node& view) {
        own_ = priority_(view.cost, view.estimate);
        is_first_ = !(own_ < view.priority);
        left_.reset();
        this->nearest_.note(node.key(), view);
        if (is_first_ && problem_->is_goal(view.state)) {
            this->reach(node, view);
            return;
        }
        if (!this->may_expand(view.priority)) {
            return;
        }
        ++statistics_.expanded;
        observer_.expand(view);
        generate(node, view);
        // Before an insertion, which may move the node.
        if (left_) {
            open_.push({*left_, view.cost, node.key()});
            this->note_open();
        } else {
            node.close();
        }
        if constexpr (is_watched) {
            this->relax_all(children_, &view.priority, &view);
        }
    }

    void generate(const TableNode& node, const Node& parent) {
        const auto estimates = this->estimator();
        const auto evaluation = estimates.evaluation_of(parent.state, parent.estimate);
        const auto add = [&](State&& child, const Cost& step, const Move& move) {
            const Cost cost = detail::saturating_add<Cost>(parent.cost, step);
            if (!this->may_follow(step, cost, Table::can_hold)) {
                return;
            }
            const Estimate estimate = estimates.after(evaluation, parent.state, move, child);
            if (is_due(parent, child, cost, estimate)) {
                children_.emplace_back(table_, std::move(child), cost, estimate, Table::link(node, move));
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
                        add(std::move(child), detail::step_cost(*problem_, parent.state, move), move);
                    });
            } while (next && is_to_its_end_);
            if (next) {
                leave(parent.cost, detail::saturating_add<Estimate>(parent.estimate, *next));
            }
        } else {
            detail::for_each_neighbor(*problem_, table_, node, parent.state, add);
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
            if (this->is_over_limit(cost, estimate)) {
                const std::optional<TableNode> node = table_.find(table_.lookup_hint(state), state);
                return node && !(cost < node->cost());
            }
        }
        return false;
    }

    /// Takes note of a neighbor that is left for later.
    void leave(const Cost& cost, const Estimate& estimate) {
        if (!this->prune_if_over(cost, estimate)) {
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
};

template <class P, class H, class O = SilentObserver>
PartialExpansionAStar(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{})
    -> PartialExpansionAStar<P, H, O>;

template <std::derived_from<DefaultPolicy> Policy, class P, class H, class O = SilentObserver>
PartialExpansionAStar(Policy, const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{})
    -> PartialExpansionAStar<P, H, O, Policy>;

/// Finds a cheapest path by A* with partial expansion: for problems with many neighbors, most of which A*
/// would store and never expand.
///
/// A neighbor is stored when its f is next. At first a node stores those neighbors whose f is no more than
/// its own. If there are others, it goes back on the open list, under the least f of them (T. Yoshizumi, T.
/// Miura, T. Ishida, "A* with partial expansion for large branching factor problems", AAAI 2000). All
/// neighbors are made and evaluated each time. Where the problem has moves and the heuristic is a
/// `SelectingHeuristicFor` it, only those are made that are stored: Enhanced Partial Expansion A*
/// (Goldenberg, Felner, Stern, Sharon, Sturtevant, Holte, Schaeffer, "Enhanced Partial Expansion A*", Journal
/// of Artificial Intelligence Research 50, 2014).
///
/// Take it if `astar` stores many times as many nodes as it expands, or if the problem is a `CompactProblem`
/// and memory is short: the 15-puzzle takes two thirds of it. If neither, it does harm: on maps of eight
/// sides with real costs, it expands 1.8 to 4.9 times as often as `astar`, and stores at most 11 % less.
///
/// Optimal if the heuristic is admissible, consistent or not. Arguments, limits and result are as for
/// `astar`. In the statistics, `expanded` counts each expansion, in part or not, and `generated`, as in the
/// papers, each neighbor that was made, stored or not. The observer is told of the neighbors that are stored
/// only; a node that goes back on the open list has no event.
///
/// \tparam Policy as for `astar`. By default, nodes are in the packed table if the problem is a
/// `CompactProblem` with integer estimates. Otherwise they are in the pooled table, and the states must be
/// hashed (`HasHash`)
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H,
          class O = detail::default_observer_t<P, H, detail::PartialExpansionPolicy<Policy>>>
    requires HeuristicFor<H, P>
search_result_t<P> partial_expansion_astar(const P& problem, const detail::named_state_t<P>& start,
                                           H&& heuristic, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<PartialExpansionAStar<P, H, O, Policy>>(
        problem, start, std::forward<H>(heuristic), limits, std::forward<O>(observer));
}

} // namespace npuzzle
