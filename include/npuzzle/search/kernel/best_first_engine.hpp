#pragma once

#include "npuzzle/search/core/assert.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/expansion.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The engine of A* and of all searches that differ from it in their priority alone: it can be stepped.

namespace npuzzle {

/// Best-first search as an object: each `step` takes the first node from the open list, and ends the search if it is a
/// goal, or else expands it. The priority says which is first; among equals the greatest g. By the priority f = g + h this
/// is A* (see `AStar`). A closed node that is reached by a cheaper path is opened again, unless the policy says otherwise:
/// so A* is optimal under any admissible heuristic, a consistent one or not.
///
/// In a large search `run` takes a few nodes of equal f from the open list at once, and puts their neighbours where they
/// belong when all are expanded: the memory that one of them waits for comes while others are worked on. Neither the cost
/// found nor the order of f is touched by that. With an observer, and where nodes are not opened again, it goes node by node.
///
/// The engine refers to the problem and, where it was given an lvalue, to the heuristic and the observer: they must
/// outlive it. Limits are kept by `step` and `run` alike.
///
/// \tparam P a `Problem`, with `HasHash` unless the policy is `parent_only`
/// \tparam H a `HeuristicFor` it; a reference type to refer to an lvalue
/// \tparam O an `ObserverOf` its nodes; a reference type to refer to an lvalue
/// \tparam Parts the open list, node table and priority: see `PartsFor`
template <Problem P, class H, class O = SilentObserver, class Parts = DefaultParts<P, H>>
    requires HeuristicFor<H, P>
class BestFirstEngine : public EngineBase<BestFirstEngine<P, H, O, Parts>, cost_t<P>, O> {
    using Base = EngineBase<BestFirstEngine, cost_t<P>, O>;
    friend Base;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Priority = typename Parts::Priority::Value;
    using Result = SearchResult<State, Cost, move_t<P>>;
    using Node = NodeView<State, Cost, Estimate, Priority>;

    static_assert(NodeTable<typename Parts::NodeTable>);
    static_assert(OpenList<typename Parts::OpenList>);
    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// Sets up a search. Linear in the size of the state; throws what copying the heuristic or binding it throws.
    BestFirstEngine(const P& problem, const State& start, H&& heuristic, BasicLimits<Cost> limits = {},
                    O&& observer = O{}, typename Parts::Priority priority = {})
        : Base(limits, std::forward<O>(observer)), problem_(&problem),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), problem)),
          priority_(std::move(priority)), table_(problem, budget_), open_(budget_) {
        monitor_.restart(); // To bind a heuristic may take long.
        add_start(start);
    }

    /// Adds one more state to start from. `result().path` begins at the one from which a goal is nearest.
    /// Has no effect once the search is over.
    void add_start(const State& start) {
        if (status_ != Status::running) {
            return;
        }
        guarded([&] {
            auto [node, is_new] = table_.insert(State(start));
            if (is_new || Cost{} < node.cost()) {
                const Estimate estimate = evaluate(start);
                const Priority priority = priority_(Cost{}, estimate);
                observer_.start(Node{start, Cost{}, estimate, priority});
                statistics_.reopened += !is_new && node.is_closed() ? 1 : 0;
                node.relax(Cost{}, estimate, Table::root(node));
                if (detail::is_infinite(estimate)) {
                    node.close(); // A dead end: known, at a cost that no path can beat.
                } else if (!is_beyond(Cost{}, estimate)) {
                    open_.push({priority, Cost{}, node.key()});
                    statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, open_.size());
                }
            }
        });
    }

    /// Begins again from another state, with the same limits, and keeps the memory: for many searches, one after another.
    void restart(const State& start) {
        begin_again();
        statistics_ = {};
        monitor_.restart();
        add_start(start);
    }

    /// The outcome: with the path if the search is solved, in time linear in its length. If there is no memory left for
    /// the path, the status is `memory_limit`. If a limit ended the search, the path goes to the state of the least
    /// estimate of those taken up: as near to a goal as the search has come.
    Result result() {
        return outcome(Result{}, [&](Result& result) {
            if (status_ == Status::solved) {
                retrace(*goal_, result);
            } else if (detail::is_limit(status_) && nearest_) {
                if constexpr (keeps_nearest) {
                    retrace(table_.insert(State(*nearest_)).first, result);
                }
            }
        });
    }

protected:
    using Base::guarded;

    typename Parts::OpenList& open_list() { return open_; }
    const typename Parts::OpenList& open_list() const { return open_; }

    /// Forgets all nodes; statistics and limits go on. To be followed by `add_start`.
    void begin_again() {
        table_.clear();
        open_.clear();
        pending_.clear();
        waiting_.clear();
        goal_.reset();
        nearest_.reset();
        status_ = Status::running;
        pruned_by_bound_ = false;
    }

private:
    using Base::budget_, Base::exhausted, Base::finish, Base::pruned_by_bound_, Base::is_stopped,
        Base::max_cost_, Base::monitor_, Base::observer_, Base::outcome, Base::statistics_, Base::status_;

    using Table = typename Parts::NodeTable;
    using TableNode = typename Table::Node;
    using Key = typename Table::Key;
    using Link = typename Table::Link;
    using BoundHeuristic = typename detail::bound_heuristic<H, P>::type;
    using Move = typename Table::Move;

    static constexpr bool has_moves = detail::has_moves<P>;
    static constexpr bool is_evaluating = detail::follows_by_evaluation<H, P>;
    static constexpr bool is_incremental = is_evaluating || IncrementalHeuristicFor<H, P>;
    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;
    /// Whether the state of the least estimate is taken note of.
    static constexpr bool keeps_nearest =
        Table::finds_duplicates && !std::same_as<std::remove_cvref_t<H>, Zero>;
    static constexpr bool reopens = [] {
        if constexpr (requires { Parts::reopens; }) {
            return bool{Parts::reopens};
        } else {
            return true;
        }
    }();
    static constexpr bool early_goal_test = [] {
        if constexpr (requires { Parts::early_goal_test; }) {
            return bool{Parts::early_goal_test};
        } else {
            return false;
        }
    }();

    static constexpr bool is_partial = [] {
        if constexpr (requires { Parts::partial_expansion; }) {
            return bool{Parts::partial_expansion};
        } else {
            return false;
        }
    }();
    /// Whether the heuristic says which moves are due.
    static constexpr bool is_selecting = [] {
        if constexpr (is_partial && SelectingHeuristicFor<H, P>) {
            return std::same_as<typename Parts::Priority, AStarPriority<Cost, Estimate>>;
        } else {
            return false;
        }
    }();
    static_assert(!is_partial || Table::stores_estimate, "partial expansion needs NodeTableKind::pooled");

    /// What is known of the node being expanded.
    struct Parent {
        const State& state;
        Cost cost;
        Estimate estimate; // where somebody asks for it
        Priority priority;
        const TableNode& node;
    };

    struct Nothing {};
    using EarlyEstimate = std::conditional_t<is_incremental || is_partial, Estimate, Nothing>;

    /// How far the node being expanded is expanded.
    struct Part {
        Priority own{};               // that of the node when it was put on the open list first
        bool is_first = true;         // nothing of it was expanded before
        std::optional<Priority> next; // the least priority of the neighbours that are left
    };

    /// A neighbour that waits to be put into the node table.
    struct Pending {
        // Made in its place: a copy would wait for the stores of its parts.
        Pending(const Table& table, State&& state, const Cost& its_cost, const EarlyEstimate& early,
                const Link& its_link)
            : probe(table.probe(std::move(state))), cost(its_cost), estimate(early), link(its_link) {}

        typename Table::Probe probe;
        Cost cost;
        [[no_unique_address]] EarlyEstimate estimate;
        Link link;
    };

    using OpenList = typename Parts::OpenList;
    using OpenListEntry = typename OpenList::Entry;

    /// Whether the open list drops entries, as that of a beam search does.
    static constexpr bool drops_entries = DropsEntries<OpenList>;
    static constexpr std::size_t chosen_width = [] {
        if constexpr (requires { Parts::batch_width; }) {
            return std::size_t{Parts::batch_width};
        } else {
            return std::size_t{0};
        }
    }();
    static constexpr bool is_batch_forced = chosen_width != 0;
    static constexpr bool can_batch =
        !is_watched && reopens && !is_partial && Table::finds_duplicates && PopsEqual<OpenList>;
    /// Measured on the 15-puzzle: less leaves memory idle, more gains nothing.
    static constexpr std::size_t batch_width = !can_batch ? 1 : is_batch_forced ? chosen_width : 16;
    /// With fewer nodes than this there is little to wait for, and a batch can cost more expansions than it saves time:
    /// where the heuristic is exact, one by one goes straight to the goal.
    static constexpr std::uint64_t batch_from = is_batch_forced ? 0 : std::uint64_t{1} << 16;
    /// Nor does a short open list have batches to give.
    static constexpr std::uint64_t batch_open = is_batch_forced ? 1 : 64;

    void complete(Statistics& statistics) const { statistics.stored = table_.size(); }

    Estimate evaluate(const State& state) {
        if constexpr (std::same_as<std::remove_cvref_t<H>, Zero>) {
            return Estimate{};
        } else {
            return detail::saturating_cast<Estimate>(heuristic_(state));
        }
    }

    Estimate estimate_of(const TableNode& node, const State& state, const Priority& priority,
                         const Cost& cost) {
        if constexpr (Table::stores_estimate) {
            return node.estimate();
        } else if constexpr (requires { priority_.estimate(priority, cost); }) {
            return priority_.estimate(priority, cost);
        } else {
            return evaluate(state);
        }
    }

    /// One expansion, or the end.
    void advance() {
        while (status_ == Status::running) {
            if (open_.empty()) {
                finish(has_dropped() ? Status::beam_exhausted : exhausted());
                return;
            }
            const OpenListEntry entry = pop();
            if (visit(entry)) {
                insert_successors(pending_, nullptr, entry.priority);
                return;
            }
        }
    }

    /// Batches, in a large search.
    void advance_many() {
        if constexpr (batch_width > 1) {
            if (table_.size() >= batch_from && open_.size() >= batch_open) {
                run_batches();
                return;
            }
        }
        advance();
    }

    OpenListEntry pop() {
        if constexpr (drops_entries) {
            return open_.pop([this](const OpenListEntry& entry) { forget(entry); });
        } else {
            return open_.pop();
        }
    }

    /// Has any path to a node count as cheaper than the one that was dropped. Where nodes are opened again that would not do:
    /// the node may be on the path to others, and these on the new path to it.
    void forget(const OpenListEntry& entry) {
        using Range = std::numeric_limits<Cost>;
        if constexpr (Range::is_specialized && Table::finds_duplicates && Table::stores_estimate) {
            if (opens_again()) {
                return;
            }
            if (auto node = table_.find_open(entry.key, entry.cost, [](const State&) { return true; })) {
                const Cost farthest = Range::has_infinity ? Range::infinity() : Range::max();
                node->relax(farthest, node->estimate(), node->link());
            }
        }
    }

    /// Whether the open list has dropped entries: then its end proves nothing.
    bool has_dropped() const {
        if constexpr (drops_entries) {
            return open_.has_dropped();
        } else {
            return false;
        }
    }

    struct Batch {
        std::array<OpenListEntry, batch_width> entries;
        std::size_t count = 0;
    };

    /// Takes nodes of equal f from the open list, and has them fetched.
    void take(Batch& batch) {
        batch.count = open_.pop_equal(batch.entries.data(), batch_width);
        for (std::size_t i = 0; i < batch.count; ++i) {
            table_.prefetch(batch.entries[i].key);
        }
    }

    /// While the open list is long enough. In each round one batch is asked for, the one before it is expanded, and the neighbours
    /// of the one before that are inserted: what is asked for has a round's time to come. A batch is only asked for ahead
    /// if its f is that of the one before, so that no path cheaper than its f can still turn up: the solution is optimal
    /// as ever if the heuristic is admissible.
    void run_batches() {
        Batch now;
        Batch next;
        while (status_ == Status::running) {
            if (now.count == 0) {
                if (open_.size() < batch_open) {
                    return;
                }
                take(now);
            }
            const Priority priority = now.entries[0].priority;
            next.count = 0;
            if (!open_.empty() && open_.first_priority() == priority) {
                take(next);
            }
            fetch(waiting_);
            for (std::size_t i = 0; i < now.count; ++i) {
                visit(now.entries[i]);
                if (status_ != Status::running) {
                    return;
                }
            }
            insert_successors(waiting_, nullptr, priority);
            std::swap(waiting_, pending_);
            if (next.count == 0) {
                fetch(waiting_);
                insert_successors(waiting_, nullptr, priority);
            }
            std::swap(now, next);
        }
    }

    /// Expands the node of an entry, and leaves its neighbours in `pending_`, unless somebody watches; or ends the search.
    /// False if the entry was superseded.
    bool visit(const OpenListEntry& entry) {
        const Priority& priority = entry.priority;
        const Cost& cost = entry.cost;
        const auto is_wanted = [&](const State& state) {
            const Priority its_priority = priority_(cost, evaluate(state));
            return !(its_priority < priority) && !(priority < its_priority);
        };
        std::optional<TableNode> found = table_.find_open(entry.key, cost, is_wanted);
        if (!found) {
            return false;
        }
        TableNode& node = *found;
        decltype(auto) state = node.state();
        Parent parent{state, cost, Estimate{}, priority, node};
        if constexpr (is_watched || keeps_nearest || (is_incremental && !is_evaluating)) {
            parent.estimate = estimate_of(node, state, priority, cost);
        }
        if constexpr (keeps_nearest) {
            if (!nearest_ || parent.estimate < least_estimate_) [[unlikely]] {
                nearest_ = state;
                least_estimate_ = parent.estimate;
            }
        }
        if constexpr (is_partial) {
            const Priority own = priority_(cost, node.estimate());
            part_ = {own, !(own < priority), std::nullopt};
        }
        if (is_first() && problem_->is_goal(parent.state)) {
            parent.estimate = estimate_of(node, state, priority, cost);
            reach(node, view_of(parent));
            return true;
        }
        if (monitor_.is_due(statistics_.expanded) && is_stopped(statistics_.expanded, priority)) {
            return true;
        }
        if constexpr (!is_partial) {
            node.close();
        }
        ++statistics_.expanded;
        observer_.expand(view_of(parent));
        expand(parent);
        if constexpr (is_watched || is_partial) {
            insert_successors(pending_, &parent, priority);
        }
        if constexpr (is_partial) {
            put_back(node, cost);
        }
        return true;
    }

    bool is_first() const {
        if constexpr (is_partial) {
            return part_.is_first;
        } else {
            return true;
        }
    }

    /// Closes a node, or puts it back on the open list if neighbours of it are left.
    void put_back(TableNode& node, const Cost& cost) {
        if (part_.next) {
            open_.push({*part_.next, cost, node.key()});
            statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, open_.size());
        } else {
            node.close();
        }
    }

    void expand(const Parent& parent) {
        if constexpr (has_moves) {
            const auto evaluation = carried_of(parent);
            const auto make = [&](Move move) {
                State child = parent.state;
                problem_->apply(child, move);
                generate(parent, std::move(child), move_cost(parent.state, move), move, evaluation);
            };
            if constexpr (is_selecting) {
                const auto change = static_cast<Estimate>(parent.priority - part_.own);
                const std::optional<Estimate> next =
                    heuristic_.for_each_move_of_change(parent.state, parent.node.last_move(), change, make);
                if (next) {
                    leave(parent.cost, detail::saturating_add<Estimate>(parent.node.estimate(), *next));
                }
            } else {
                problem_->for_each_move(parent.state, parent.node.last_move(), make);
            }
        } else {
            using Neighbors = detail::neighbors_t<P>;
            for (auto&& neighbor : problem_->neighbors(parent.state)) {
                using Element = decltype(neighbor);
                // What a container that was returned by value holds is ours to move from.
                constexpr bool is_ours =
                    std::is_rvalue_reference_v<Element&&> ||
                    (!std::is_reference_v<Neighbors> && requires { typename Neighbors::allocator_type; });
                if constexpr (is_weighted<P>) {
                    consider(parent, pass<is_ours>(neighbor.to), neighbor.cost);
                } else {
                    consider(parent, pass<is_ours>(neighbor), Cost{1});
                }
            }
        }
    }

    template <bool is_ours, class T>
    static decltype(auto) pass(T& value) {
        if constexpr (is_ours) {
            return std::move(value);
        } else {
            return std::as_const(value);
        }
    }

    template <class S>
    void consider(const Parent& parent, S&& neighbor, const Cost& step) {
        State child(std::forward<S>(neighbor));
        if (!table_.leads_back(parent.node, child)) {
            generate(parent, std::move(child), step, Move{}, Nothing{});
        }
    }

    Cost move_cost(const State& state, const Move& move) const {
        if constexpr (is_weighted<P>) {
            return problem_->move_cost(state, move);
        } else {
            return Cost{1};
        }
    }

    /// What the heuristic is to know of the node being expanded, to follow its moves.
    auto carried_of(const Parent& parent) {
        if constexpr (is_evaluating) {
            return heuristic_.evaluate(parent.state);
        } else {
            return Nothing{};
        }
    }

    /// Notes a neighbour, and has its place in the node table fetched.
    template <class Evaluation>
    void generate(const Parent& parent, State&& state, const Cost& step, const Move& move,
                  const Evaluation& evaluation) {
        if (step < Cost{}) {
            ++statistics_.generated;
            ++statistics_.contract_violations;
            NPUZZLE_ASSERT(false && "costs are not negative");
            return;
        }
        const Cost cost = detail::saturating_add<Cost>(parent.cost, step);
        if (!Table::can_hold(cost)) {
            ++statistics_.generated;
            // A step of infinite cost is a wall; only a finite one can lead out of the type's range.
            pruned_by_bound_ = pruned_by_bound_ || !detail::is_infinite(step);
            return;
        }
        EarlyEstimate early{};
        if constexpr (is_evaluating) {
            early = detail::saturating_cast<Estimate>(
                heuristic_.value(heuristic_.after(evaluation, parent.state, move, state)));
        } else if constexpr (is_incremental) {
            early = static_cast<Estimate>(heuristic_.after(parent.estimate, parent.state, move, state));
        }
        if constexpr (is_partial) {
            if constexpr (!is_incremental) {
                early = evaluate(state);
            }
            if (!is_due(parent, state, cost, early)) {
                ++statistics_.generated;
                return;
            }
        }
        pending_.emplace_back(table_, std::move(state), cost, early, Table::link(parent.node, move));
    }

    /// In partial expansion, whether a neighbour is to be put into the node table now: at first those of the node's own priority
    /// or less, later those of the priority that the node waited for. Else it is left for later, or has been there already.
    bool is_due(const Parent& parent, const State& state, const Cost& cost, const Estimate& estimate) {
        const Priority priority = priority_(cost, estimate);
        const bool is_later = parent.priority < priority;
        const bool is_due = !is_later && (part_.is_first || !(priority < parent.priority));
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

    /// Whether a neighbour beyond the bound on the cost is known by a path no costlier: then the bound bars no way to it.
    bool is_known(const State& state, const Cost& cost, const Estimate& estimate) const {
        if constexpr (Table::finds_duplicates) {
            if (exceeds(cost, estimate)) {
                const std::optional<TableNode> node = table_.find(table_.sight(state), state);
                return node && !(cost < node->cost());
            }
        }
        return false;
    }

    /// Takes note of a neighbour that is left for later.
    void leave(const Cost& cost, const Estimate& estimate) {
        if (!is_beyond(cost, estimate)) {
            const Priority priority = priority_(cost, estimate);
            if (!part_.next || priority < *part_.next) {
                part_.next = priority;
            }
        }
    }

    /// Has fetched what is left to fetch of the places of noted neighbours, once what `generate` asked for has come.
    void fetch(const std::vector<Pending>& neighbors) const {
        for (const Pending& pending : neighbors) {
            table_.prefetch(pending.probe);
        }
    }

    /// Puts the noted neighbours into the node table and, if they are new or nearer than known, on the open list.
    /// \param parent theirs, for the observer, where there is only one
    void insert_successors(std::vector<Pending>& neighbors, const Parent* parent,
                           const Priority& parent_priority) {
        for (Pending& pending : neighbors) {
            if (early_goal_test && status_ != Status::running) {
                break;
            }
            insert_successors(pending, parent, parent_priority);
        }
        neighbors.clear();
        statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, open_.size());
    }

    void insert_successors(Pending& pending, const Parent* parent, const Priority& parent_priority) {
        ++statistics_.generated;
        const Cost& cost = pending.cost;
        auto [node, is_new] = table_.insert(std::move(pending.probe));
        if (!is_new && (!(cost < node.cost()) || (node.is_closed() && !opens_again()))) {
            ++statistics_.duplicates;
            if constexpr (is_watched) {
                decltype(auto) state = table_.state_of(pending.probe, node);
                const Estimate estimate = known_estimate(node, pending, state);
                const Node view{state, cost, estimate, priority_(cost, estimate)};
                observer_.generate(view, view_of(*parent));
                observer_.duplicate(view);
            }
            return;
        }
        decltype(auto) state = table_.state_of(pending.probe, node);
        const Estimate estimate =
            is_new ? new_estimate(pending, state) : known_estimate(node, pending, state);
        const Priority priority = priority_(cost, estimate);
        const Node view{state, cost, estimate, priority};
        if constexpr (is_watched) {
            observer_.generate(view, view_of(*parent));
        }
        if (detail::is_infinite(estimate)) {
            node.relax(Cost{}, estimate, pending.link);
            node.close(); // A dead end: known, at a cost that no path can beat.
            return;
        }
        check_consistency(parent_priority, priority);
        const bool was_closed = node.is_closed();
        node.relax(cost, estimate, pending.link);
        if (is_beyond(cost, estimate)) {
            return; // It stays open, for a cheaper path that may yet be found.
        }
        if (!is_new) {
            if (was_closed) {
                ++statistics_.reopened;
                observer_.reopen(view);
            } else {
                observer_.improve(view);
            }
        }
        if constexpr (early_goal_test) {
            if (status_ == Status::running && problem_->is_goal(state)) {
                reach(node, view);
                return;
            }
        }
        open_.push({priority, cost, node.key()});
    }

    /// The end, at a goal.
    void reach(const TableNode& node, const Node& view) {
        if (view.estimate < Estimate{} || Estimate{} < view.estimate) {
            ++statistics_.contract_violations;
            NPUZZLE_ASSERT(false && "h(goal) is zero");
        }
        observer_.goal(view);
        goal_ = node;
        finish(Status::solved);
    }

    /// Whether closed nodes are opened again. With a bound on the cost they are in any case: it proves nothing else.
    bool opens_again() const { return reopens || max_cost_.has_value(); }

    /// Whether no path through a node costs as little as a solution may, or as the type can hold.
    bool exceeds(const Cost& cost, const Estimate& estimate) const {
        const auto least = AStarPriority<Cost, Estimate>{}(cost, estimate);
        return detail::is_infinite(least) ||
               (max_cost_ && detail::saturating_cast<Estimate>(*max_cost_) < least);
    }

    bool is_beyond(const Cost& cost, const Estimate& estimate) {
        const bool is_beyond = exceeds(cost, estimate);
        pruned_by_bound_ = pruned_by_bound_ || is_beyond;
        return is_beyond;
    }

    static Node view_of(const Parent& parent) {
        return Node{parent.state, parent.cost, parent.estimate, parent.priority};
    }

    Estimate new_estimate(const Pending& pending, const State& state) {
        if constexpr (is_incremental || is_partial) {
            return pending.estimate;
        } else {
            return evaluate(state);
        }
    }

    Estimate known_estimate(const TableNode& node, const Pending& pending, const State& state) {
        if constexpr (Table::stores_estimate) {
            return node.estimate();
        } else {
            return new_estimate(pending, state);
        }
    }

    /// Floating-point sums round, so that only integers can be held to the promise.
    void check_consistency(const Priority& parent_priority, const Priority& priority) {
        if constexpr (std::integral<Priority> && declares_consistent<BoundHeuristic> &&
                      std::same_as<typename Parts::Priority, AStarPriority<Cost, Estimate>>) {
            if (priority < parent_priority) {
                ++statistics_.contract_violations;
                NPUZZLE_ASSERT(false && "f does not fall under a consistent heuristic");
            }
        }
    }

    void retrace(const TableNode& end, Result& result) {
        for (TableNode node = end;; node = table_.parent(node)) {
            result.path.push_back(node.state());
            if (node.is_root()) {
                break;
            }
            if constexpr (has_moves) {
                result.moves.push_back(node.last_move());
            }
        }
        std::reverse(result.path.begin(), result.path.end());
        if constexpr (has_moves) {
            std::reverse(result.moves.begin(), result.moves.end());
        }
        result.cost = end.cost();
        // A node that was reached more cheaply after it had been expanded may still wait to hand that on.
        if (early_goal_test || is_partial || status_ != Status::solved || statistics_.reopened > 0) {
            if constexpr (has_moves) {
                result.cost = detail::path_cost(*problem_, result.path, result.moves);
            } else {
                result.cost = detail::path_cost(*problem_, result.path, Nothing{});
            }
        }
    }

    const P* problem_;
    BoundHeuristic heuristic_;
    [[no_unique_address]] typename Parts::Priority priority_;
    Table table_;
    OpenList open_;
    std::vector<Pending> pending_; // neighbours of what was expanded last
    std::vector<Pending> waiting_; // and of the batch before
    [[no_unique_address]] std::conditional_t<is_partial, Part, Nothing> part_;
    std::optional<TableNode> goal_;
    std::optional<State> nearest_; // of those taken up, the state of the least estimate
    Estimate least_estimate_{};
};

} // namespace npuzzle
