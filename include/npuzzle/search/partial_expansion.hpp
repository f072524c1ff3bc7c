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
/// priority.
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

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        return Engine::step(observer_, [this] { advance(); });
    }

    /// Steps to the end.
    SearchStatus run() {
        return Engine::run(observer_, [this] { advance(); });
    }

private:
    using Base::children_, Base::observer_, Base::open_, Base::priority_, Base::problem_, Base::statistics_,
        Base::status_, Base::table_;
    using typename Base::Entry, typename Base::Move, typename Base::Table, typename Base::TableNode;

    /// One expansion, or the end.
    void advance() {
        while (status_ == SearchStatus::running) {
            if (open_.empty()) {
                return this->finish_exhausted();
            }
            if (expand_all(open_.pop())) {
                return;
            }
        }
    }

    /// Expands the node of an entry. False if the entry is superseded.
    ///
    /// Of nodes that share a key and a cost, nothing tells which one waits under this priority. So all that
    /// may are expanded, to their end, and their other entries are superseded then.
    bool expand_all(const Entry& entry) {
        bool is_any = false;
        for (bool is_shared = true; is_shared && status_ == SearchStatus::running;) {
            std::optional<TableNode> node = table_.find_open(entry.key, entry.cost, [&](const State& state) {
                return !(entry.priority < priority_(entry.cost, this->estimator()(state)));
            });
            if (!node) {
                break;
            }
            is_any = true;
            is_shared = false;
            if constexpr (requires { node->is_ambiguous(); }) {
                is_shared = node->is_ambiguous();
            }
            expand(entry, *node, is_shared);
        }
        return is_any;
    }

    /// \param is_whole whether no neighbor is to be left for later
    void expand(const Entry& entry, TableNode& node, bool is_whole) {
        decltype(auto) state = node.state();
        const Node view{state, entry.cost, estimate_of(node, state), entry.priority};
        const Priority own = priority_(view.cost, view.estimate);
        const bool is_first = !(own < view.priority); // Nothing of it was expanded before.
        this->nearest_.note(node.key(), view);
        if (is_first && problem_->is_goal(view.state)) {
            return this->reach(node, view);
        }
        if (!this->may_expand(view.priority)) {
            return open_.push(entry);
        }
        ++statistics_.expanded;
        observer_.expand(view);
        std::optional<Priority> next; // the least priority of the neighbors that are left
        const auto leave = [&](const Cost& cost, const Estimate& estimate) {
            const Priority priority = priority_(cost, estimate);
            if (!this->prune_if_over(cost, estimate) && (!next || priority < *next)) {
                next = priority;
            }
        };
        const auto estimates = this->estimator();
        const auto evaluation = estimates.evaluation_of(view.state, view.estimate);
        constexpr bool is_selecting = SelectingHeuristicFor<H, P>;
        const auto add = [&](State&& child, const Cost& step, const Move& move) {
            const Cost cost = detail::saturating_add<Cost>(view.cost, step);
            if (!this->may_follow(step, cost, Table::can_hold)) {
                return;
            }
            // At first those of the node's own priority or less are stored, later those of the priority that
            // it waited for.
            const Estimate estimate = estimates.after(evaluation, view.state, move, child);
            const Priority priority = priority_(cost, estimate);
            const bool is_later = view.priority < priority && !is_whole;
            const bool is_due = !is_later && (is_first || !(priority < view.priority));
            if (is_selecting && !is_due && !detail::is_infinite(estimate)) {
                ++statistics_.contract_violations;
                NPUZZLE_ASSERT(false && "a move changes f as the heuristic says");
            }
            if (is_selecting || is_due) {
                children_.emplace_back(table_, std::move(child), cost, estimate, Table::link(node, move));
                return;
            }
            ++statistics_.generated;
            if (is_later && !detail::is_infinite(estimate) && !is_known(child, cost, estimate)) {
                leave(cost, estimate);
            }
        };
        if constexpr (is_selecting) {
            std::optional<Estimate> change = static_cast<Estimate>(view.priority - own);
            do {
                change = this->heuristic_.for_each_move_of_change(
                    view.state, node.last_move(), *change, [&](const Move& move) {
                        State child = view.state;
                        problem_->apply(child, move);
                        add(std::move(child), detail::step_cost(*problem_, view.state, move), move);
                    });
            } while (change && is_whole);
            if (change) {
                leave(view.cost, detail::saturating_add<Estimate>(view.estimate, *change));
            }
        } else {
            detail::for_each_neighbor(*problem_, table_, node, view.state, add);
        }
        // Before an insertion, which may move the node.
        if (next) {
            open_.push({*next, view.cost, node.key()});
        } else {
            node.close();
        }
        this->relax_all(children_, &view.priority, &view);
    }

    Estimate estimate_of(const TableNode& node, const State& state) {
        if constexpr (Table::stores_estimate) {
            return node.estimate();
        } else {
            return this->estimator()(state);
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
};

template <class P, class H, class O = SilentObserver>
PartialExpansionAStar(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{})
    -> PartialExpansionAStar<P, H, O>;

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
