#pragma once

#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/engine/parts.hpp"
#include "npuzzle/search/node_table/node_table.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Best-first search: A*, Dijkstra's algorithm, weighted and greedy search differ only in the priority.
///
///     add_start   puts the start into the node table, and pushes it on the open list
///     advance     pops the first entry, and expands its node; if the open list is empty, the end
///     expand      a goal: the end. A limit: the end. Else closes the node, and relaxes each neighbor
///     relax       puts a path to a state into the node table:
///                   a new state       gets the path, and is pushed
///                   no cheaper path   is dropped: a duplicate
///                   a cheaper path    replaces the old one; the state is pushed again, and its old entry is
///                                     skipped when it comes up. A closed state is reopened or, if closed
///                                     nodes stay closed, this path is a duplicate
///                   h is infinite     closes the state for good: a dead end
///                   g + h > max_cost  is stored, but not pushed

namespace npuzzle {

namespace detail {

/// What a search by several engines tells each of them; here one that has all states to itself.
struct NoRouter {
    static constexpr bool is_alone = true;      ///< whether the search is over when nothing is left to expand
    static constexpr bool knows_parents = true; ///< whether the parent of a node can be found from here
    static constexpr MemoryBudget* budget() { return nullptr; } ///< that several engines share
    /// Called before expansions: relaxes what other engines have sent. False if the search is over.
    static constexpr bool synchronize() { return true; }
    static constexpr bool is_due() { return false; } ///< whether `synchronize` has something to do
    static constexpr bool may_expand(const auto& /*priority*/) { return true; }
    /// False if another engine owns the state, which has been sent there. May change the link, so that the owner
    /// finds the parent by it.
    static constexpr bool keeps(auto& /*state*/, auto& /*cost*/, auto& /*evaluation*/, auto& /*link*/) {
        return true;
    }
    /// Takes note of a goal. Whether the search ends there.
    static constexpr bool ends_at(const auto& /*node*/, const auto& /*view*/) { return true; }
};

/// Of the nodes taken from the open list, the nearest to a goal: of the least estimate or, without a
/// heuristic, the greatest cost.
template <class Table, bool has_heuristic>
struct NearestNode {
    using Nearness = typename Table::Estimate; // without a heuristic the type of costs

    static constexpr bool is_kept = Table::finds_duplicates;

    static bool is_nearer(const Nearness& a, const Nearness& b) { return has_heuristic ? a < b : b < a; }

    std::optional<typename Table::Handle> handle;
    Nearness nearness{};

    /// Takes note of a node if none was nearer.
    void note(const typename Table::Node& node, const auto& view) {
        if constexpr (is_kept) {
            Nearness its = view.estimate;
            if constexpr (!has_heuristic) its = view.cost;
            if (!handle || is_nearer(its, nearness)) [[unlikely]] {
                handle = node.handle();
                nearness = its;
            }
        }
    }
};

} // namespace detail

/// Best-first search as an object: each `step` takes the first node from the open list. The least priority is
/// first, and among equals the greatest g; with the priority f = g + h this is A* (see `AStar`). A closed node
/// that is reached by a cheaper path is reopened, unless the policy says otherwise: so A* is optimal with any
/// admissible heuristic.
///
/// In a large search, `run` expands nodes of equal f in batches. A* still finds the same cost. If f never
/// falls along a step, nodes still come in the order of f; the order among equal f, and so the path and the
/// counts, may differ. With an observer that sees nodes, in an `IndexedProblem`, without reopening, or without
/// `pop_equal`, `run` goes node by node.
///
/// \tparam P a `Problem` with `HasHash`, packed or numbered, unless the policy is `ParentOnly`
/// \tparam O an `ObserverOf` its nodes
/// \tparam Parts the open list, node table and priority: see `PartsFor`
/// \tparam Router says whose a state is, in a search by several engines
template <Problem P, class H, class O = SilentObserver, class Parts = PartsFor<P, H>,
          class Router = detail::NoRouter>
    requires HeuristicFor<H, P>
class BestFirst : public Engine {
public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Priority = typename Parts::Priority::Value;
    using Node = NodeView<State, Cost, Estimate, Priority>; ///< as observers see it
    using Result = search_result_t<P>;
    using Table = typename Parts::NodeTable;
    using Open = typename Parts::OpenList;

    static_assert(NodeTable<Table>);
    static_assert(OpenList<Open>);
    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    BestFirst(detail::Lasting<P> problem, const State& start, H&& heuristic,
              const BasicLimits<Cost>& limits = {}, O&& observer = O{},
              typename Parts::Priority priority = {})
        : BestFirst(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer),
                    std::move(priority)) {
        add_start(start);
    }

    /// Without a start.
    BestFirst(detail::Lasting<P> problem, H&& heuristic, const BasicLimits<Cost>& limits, O&& observer,
              typename Parts::Priority priority, Router router = {})
        : Engine(limits, router.budget()), observer_(std::forward<O>(observer)),
          max_cost_(detail::checked_max_cost(limits.max_cost)), problem_(problem.address),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), *problem_)),
          priority_(std::move(priority)), router_(router), table_(*problem_, budget_), open_(budget_) {
        if (BindsTo<H, P>) monitor_.restart(); // To bind a heuristic may take long.
    }

    /// Adds one more state to start from, unless the search is over. `result().path` begins at the one from
    /// which a goal is nearest.
    /// \throws std::logic_error after the first expansion where closed nodes stay closed
    void add_start(const State& start) {
        if (status_ != SearchStatus::running) return;
        if (statistics_.expanded > 0 && !may_reopen()) {
            throw std::logic_error("a start was added after an expansion; closed nodes stay closed here");
        }
        guarded(observer_, [&] {
            if (keeps_starts) starts_.push_back(start);
            insert_start(start);
        });
    }

    /// Begins again from another state, with the same limits, in the same memory. Between searches you may
    /// change goals, steps and costs of the problem, and a heuristic without `bind` that was passed as an
    /// lvalue; never `size`, `index`, `pack` and the hash. `PathFinder` binds a heuristic anew.
    void restart(const State& start) {
        begin_again();
        reopens_ = has_overflowed_ = false;
        starts_.clear();
        statistics_ = {};
        monitor_.restart();
        add_start(start);
    }

    /// The same under new limits. `limits.bytes` is no less than the engine holds.
    /// \throws std::invalid_argument if `max_cost` is NaN
    void restart(const State& start, const BasicLimits<Cost>& limits) {
        max_cost_ = detail::checked_max_cost(limits.max_cost);
        begin_under(limits);
        restart(start);
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        return Engine::step(observer_, [this] {
            leave_batches();
            advance();
        });
    }

    /// Steps to the end.
    SearchStatus run() {
        guarded(observer_, [this] { advance_to_end(); });
        return status_;
    }

    /// Continues after a limit has ended the search, exactly where it was. Counts continue, and
    /// `limits.expansions` is for all of them; the time begins anew. `max_cost` stays.
    /// \return whether the search runs: not after `memory_limit`, nor after its end
    bool resume(const BasicLimits<Cost>& limits = {})
        requires(Table::finds_duplicates)
    {
        // A limit of memory may end an insertion half-way, the others only an expansion that has not begun.
        const bool is_interrupted = detail::is_limit(status_) && status_ != SearchStatus::memory_limit;
        if (status_ != SearchStatus::running && !is_interrupted) return false;
        begin_under(limits);
        return true;
    }

    /// The outcome, with the path, in time linear in its length. Without memory for the path, the status is
    /// `memory_limit`. Without a solution, `partial_path` leads to the nearest state: see `SearchResult`.
    [[nodiscard]] Result result() const {
        return outcome(Result{}, [this](Result& result) {
            if (status_ == SearchStatus::solved) {
                add_solution(result);
            } else if constexpr (Nearest::is_kept) {
                if (!detail::ends_without_goal(status_) || !nearest_.handle) return;
                detail::retrace(table_, table_.find(*nearest_.handle), result.partial_path);
                result.cost =
                    detail::look_up_steps(*problem_, result.partial_path, detail::moves_of<P>(result));
            }
        });
    }

    // What a search by several engines does with each of them.

    using Estimator = detail::Estimator<detail::kept_t<H, P>, P>;
    using Nearest = detail::NearestNode<Table, !Estimator::is_zero>;
    using Link = typename Table::Link;
    using ChildEvaluation = typename Estimator::ChildEvaluation;

    /// A path to a state of this engine that another one has found: to be relaxed by `relax_enqueued`.
    void enqueue(State&& state, const Cost& cost, const ChildEvaluation& evaluation, const Link& link) {
        children_.emplace_back(table_, std::move(state), cost, evaluation, link);
    }
    void relax_enqueued() {
        for (const Child& child : children_) table_.prefetch_slot(child.probe);
        for (const Child& child : children_) table_.prefetch(child.probe);
        relax_all(children_, nullptr);
    }
    [[nodiscard]] bool has_open() const { return !open_.empty(); }
    void clear_open() { open_.clear(); }
    [[nodiscard]] const Table& table() const { return table_; }
    [[nodiscard]] const Nearest& nearest() const { return nearest_; }
    /// Whether some path was not followed since it costs too much.
    [[nodiscard]] bool has_pruned() const { return pruned_by_bound_; }

protected:
    using TableNode = typename Table::Node;
    using Move = typename Table::Move;
    using Entry = typename Open::Entry;
    using Routing = std::remove_reference_t<Router>;

    static constexpr bool is_watched = sees_nodes<O>;
    static constexpr bool drops_entries = requires(const Open& open) { open.has_dropped(); };
    static constexpr bool keeps_starts = !Parts::reopens;

    /// A path to a neighbor, on its way into the node table.
    struct Child {
        // Made in its place: a copy would wait for the stores of its parts.
        Child(const Table& table, State&& state, const Cost& its_cost, const ChildEvaluation& its_evaluation,
              const Link& its_link)
            : probe(table, std::move(state)), cost(its_cost), evaluation(its_evaluation), link(its_link) {}

        /// The state of the node where it was inserted. What was copied there need not be loaded again.
        decltype(auto) state(const TableNode& node) const {
            if constexpr (std::is_trivially_copyable_v<State> && requires { probe.state; }) {
                return (probe.state);
            }
            return node.state();
        }

        typename Table::Probe probe;
        Cost cost;
        NPUZZLE_NO_UNIQUE_ADDRESS ChildEvaluation evaluation;
        Link link;
    };

    void insert_start(const State& start) {
        auto [node, is_new] = table_.insert(State(detail::checked_state(*problem_, start)));
        if (!is_new && !(Cost{} < node.cost())) return;
        const Node view = view_of(start, Cost{}, estimator()(start));
        observer_.start(view);
        statistics_.reopened += !is_new && node.is_closed() ? 1 : 0;
        node.relax(Cost{}, view.estimate, Table::root(node));
        if (detail::is_infinite(view.estimate)) {
            node.close(); // a dead end, known at a cost that no path can beat
        } else if (!prune_if_over(view.cost, view.estimate)) {
            open_.push({view.priority, view.cost, node.key()});
        }
        note_open();
    }

    /// Forgets all nodes; statistics and limits go on. To be followed by a start.
    void begin_again() {
        table_.clear();
        open_.clear();
        children_.clear();
        goal_.reset();
        nearest_.handle.reset();
        interrupted_.reset();
        batches_.now.count = batches_.now.at = batches_.next.count = 0;
        batches_.waiting.clear();
        status_ = SearchStatus::running;
        pruned_by_bound_ = false;
    }

    /// Not inlined: among handlers of exceptions, compilers keep less of a small search in registers.
    NPUZZLE_NOINLINE void advance_to_end() {
        while (status_ == SearchStatus::running && router_.synchronize()) {
            if (!run_batches()) advance();
        }
    }

    /// One expansion, or the end.
    void advance() {
        while (status_ == SearchStatus::running) {
            if (open_.empty() && !interrupted_) return finish_exhausted();
            Entry entry = interrupted_ ? *std::exchange(interrupted_, std::nullopt) : open_.pop();
            if (!visit(entry)) continue;
            if (!children_.empty()) {
                for (const Child& child : children_) table_.prefetch_slot(child.probe);
                relax_all(children_, &entry.priority);
            } else if (note_open(); status_ != SearchStatus::running) [[unlikely]] {
                interrupted_.emplace(std::move(entry));
            }
            return;
        }
    }

    /// Expands the node of an entry. False if the entry is superseded: the node is closed, or has another cost.
    bool visit(const Entry& entry) {
        // Several states of a packed table may have one key; the entry's has this priority.
        std::optional<TableNode> node = table_.find_open(entry.key, entry.cost, [&](const State& state) {
            const Priority priority = priority_(entry.cost, estimator()(state));
            return !(priority < entry.priority) && !(entry.priority < priority);
        });
        if (node) expand(entry, *node);
        return node.has_value();
    }

    /// Tests the node of an entry for the goal, closes it, and relaxes its neighbors, or leaves them in
    /// `children_`.
    void expand(const Entry& entry, TableNode& node) {
        decltype(auto) state = node.state();
        Node view{state, entry.cost, estimate_of(node, state, entry), entry.priority};
        nearest_.note(node, view);
        if (problem_->is_goal(view.state)) {
            if (rounds_estimates) view.estimate = estimator()(state);
            return reach(node, view);
        }
        if (!router_.may_expand(entry.priority) || !may_expand(observer_, entry.priority)) return;
        // Of `ShortestPathTree`. It may throw, and the node is not closed then.
        if constexpr (requires { observer_.closing(node); }) observer_.closing(node);
        node.close();
        ++statistics_.expanded;
        observer_.expand(view);
        const bool waits = batch_width > 1 && table_.size() >= detail::Batching::least_stored;
        const auto generating = generating_from(node, view, waits);
        if constexpr (Routing::knows_parents) {
            detail::for_each_neighbor(*problem_, table_, node, view.state, generating);
        } else {
            detail::for_each_neighbor(*problem_, view.state, generating);
        }
        if (is_watched) relax_all(children_, &view.priority, &view);
    }

    /// What is done with each neighbor of a node: it is relaxed, or waits in `children_`.
    /// \param waits not in a small search: there are no cache misses to overlap
    auto generating_from(const TableNode& node, const Node& parent, bool waits) {
        // With copies, which compilers would else load again and again.
        return [=, this, &node, &parent, parent_cost = parent.cost,
                evaluation = estimator().evaluation_of(parent.state, parent.estimate)](
                   State&& state, const Cost& step, const Move& move) {
            const Cost cost = detail::saturating_add<Cost>(parent_cost, step);
            if (!accept_step(step, cost, Table::can_hold)) return;
            const ChildEvaluation its_evaluation =
                estimator().evaluate_child(evaluation, parent.state, move, state);
            Link link = Table::link(node, move);
            if (!router_.keeps(state, cost, its_evaluation, link)) return;
            if constexpr (Table::keeps_in_place && !Parts::early_goal_test) {
                if (!waits) {
                    Child child(table_, std::move(state), cost, its_evaluation, link);
                    relax(child, &parent.priority, &parent);
                    return;
                }
            }
            children_.emplace_back(table_, std::move(state), cost, its_evaluation, link);
        };
    }

    /// See the top of this file.
    /// \param parent_priority of the node that was expanded; null if another engine expanded it
    /// \param parent that node, if somebody watches
    /// \return the node of the state
    NPUZZLE_ALWAYS_INLINE TableNode relax(Child& child, const Priority* parent_priority, const Node* parent) {
        ++statistics_.generated;
        auto [node, is_new] = table_.insert(std::move(child.probe));
        const bool is_cheaper = is_new || child.cost < node.cost();
        const bool is_duplicate = !is_cheaper || (!is_new && node.is_closed() && !may_reopen());
        if (is_duplicate) {
            ++statistics_.duplicates;
            if (!is_watched) return node;
        }
        decltype(auto) state = child.state(node);
        const Node view = view_of(state, child.cost, estimate_of_child(child, node, is_new, state));
        if (is_watched) {
            observer_.generate(view, *parent);
            if (is_duplicate) {
                observer_.duplicate(view);
                return node;
            }
        }
        if (Estimator::has_dead_ends && detail::is_infinite(view.estimate)) {
            node.relax(Cost{}, view.estimate, child.link); // No path is cheaper: it is evaluated once.
            node.close();
            return node;
        }
        if (Routing::is_alone || parent_priority != nullptr) {
            detail::check_consistency<promises_consistency>(*parent_priority, view.priority, statistics_);
        }
        const bool was_closed = node.is_closed();
        node.relax(child.cost, view.estimate, child.link); // By this a closed node is open again.
        if (prune_if_over(view.cost, view.estimate)) return node;
        if (!is_new) {
            statistics_.reopened += was_closed ? 1 : 0;
            if (is_watched) was_closed ? observer_.reopen(view) : observer_.improve(view);
        }
        if (Parts::early_goal_test && problem_->is_goal(view.state)) {
            reach(node, view);
        } else {
            open_.push({view.priority, view.cost, node.key()});
        }
        return node;
    }

    /// Relaxes children that have waited, all of the same parent or of parents of the same priority.
    void relax_all(std::vector<Child>& children, const Priority* parent_priority,
                   const Node* parent = nullptr) {
        for (Child& child : children) {
            if (Parts::early_goal_test && status_ != SearchStatus::running) break;
            relax(child, parent_priority, parent);
        }
        children.clear();
        note_open();
    }

    void note_open() {
        statistics_.stored = table_.size();
        const std::uint64_t open = open_.size();
        if (statistics_.peak_open < open) statistics_.peak_open = open;
    }

    /// At a goal.
    void reach(const TableNode& node, const Node& view) {
        detail::check_goal(view.estimate, statistics_);
        observer_.goal(view);
        if (router_.ends_at(node, view)) {
            goal_ = node;
            finish(observer_, SearchStatus::solved);
        }
    }

    /// When nothing is left to expand. If nodes stayed closed and some path exceeded the cost type, a cheaper
    /// way to a closed node may lead to a goal: the search begins again, and reopens.
    void finish_exhausted() {
        if (!Routing::is_alone) return; // Others may send more.
        if constexpr (drops_entries) {
            if (open_.has_dropped()) return finish(observer_, SearchStatus::beam_exhausted);
        }
        if (keeps_starts && pruned_by_bound_ && !may_reopen()) {
            reopens_ = true;
            begin_again();
            for (const State& each : starts_) insert_start(each);
            return;
        }
        finish(observer_, exhausted(max_cost_, Table::can_hold));
    }

    /// Appends the path to the goal to `result.path`, which leads to where the search began; sets moves and cost.
    template <class Solution>
    void add_solution(Solution& result) const {
        detail::retrace(table_, *goal_, result.path, detail::moves_of<P>(result));
        // A node that was reached more cheaply after its expansion may still wait to hand that on.
        const bool is_exact = !Parts::early_goal_test && statistics_.reopened == 0;
        result.cost = is_exact ? goal_->cost()
                               : detail::look_up_steps(*problem_, result.path, detail::moves_of<P>(result));
    }

    static constexpr bool is_astar = std::same_as<typename Parts::Priority, AStarPriority<Cost, Estimate>>;
    static constexpr bool promises_consistency =
        declares_consistent<typename Estimator::Heuristic> && is_astar;
    /// Whether h of a popped node is f - g, which may be rounded, so as not to evaluate it again.
    static constexpr bool rounds_estimates = is_astar && !is_watched && !Table::stores_estimate &&
                                             std::floating_point<Estimate> && std::is_arithmetic_v<Cost> &&
                                             !Estimator::needs_exact;

    Estimator estimator() { return Estimator(heuristic_, statistics_); }

    /// The estimate of a node that was popped.
    Estimate estimate_of(const TableNode& node, const State& state, const Entry& entry) {
        if constexpr (Table::stores_estimate) {
            return node.estimate();
        } else if constexpr (rounds_estimates) {
            return entry.priority - static_cast<Estimate>(entry.cost);
        } else if constexpr (requires { priority_.estimate(entry.priority, entry.cost); }) {
            return priority_.estimate(entry.priority, entry.cost);
        }
        return estimator()(state);
    }

    Estimate estimate_of_child(const Child& child, const TableNode& node, bool is_new, const State& state) {
        if constexpr (Table::stores_estimate) {
            if (!is_new) return node.estimate();
        }
        return estimator().estimate_of_child(child.evaluation, state);
    }

    Node view_of(const State& state, const Cost& cost, const Estimate& estimate) const {
        return Node{state, cost, estimate, priority_(cost, estimate)};
    }

    /// Whether closed nodes are opened again. With a bound on the cost they are in any case: otherwise
    /// `cost_limit` would be no proof.
    bool may_reopen() const { return Parts::reopens || max_cost_.has_value() || reopens_; }

    /// Whether g + h exceeds `max_cost` or the cost type; recorded for the status at the end.
    bool prune_if_over(const Cost& cost, const Estimate& estimate) {
        const Estimate total = AStarPriority<Cost, Estimate>{}(cost, estimate);
        const bool is_over = detail::is_infinite(total) || detail::is_over(max_cost_, total);
        pruned_by_bound_ = pruned_by_bound_ || is_over;
        return is_over;
    }

    static constexpr bool chooses_batches = Parts::batch_width == 0;
    static constexpr std::size_t batch_width = !chooses_batches    ? Parts::batch_width
                                               : IndexedProblem<P> ? 1
                                                                   : detail::Batching::width;
    static constexpr bool can_batch =
        batch_width > 1 && !is_watched && Parts::reopens && Table::finds_duplicates && PopsEqual<Open>;

    /// Entries of equal priority; those before `at` have been expanded.
    struct Batch {
        std::array<Entry, can_batch ? batch_width : 0> entries;
        std::size_t count = 0;
        std::size_t at = 0;
    };

    /// Goes on by batches of nodes of equal priority, so that cache misses overlap with other work. In each
    /// round one batch is prefetched, the one before it is expanded, and the neighbors of the one before that
    /// are relaxed: each prefetch has a round's time to complete. A batch is prefetched ahead only if its
    /// priority equals the last one's: so nodes come in the order of their priorities, if these never fall
    /// along a step. What a limit interrupts stays in `batches_`, and the next call goes on there.
    /// \return false if the search is too small for batches, or a node is to come before
    bool run_batches() {
        if constexpr (!can_batch) {
            return false;
        } else {
            constexpr std::uint64_t least_open = chooses_batches ? detail::Batching::least_open : 1;
            auto& [now, next, waiting] = batches_;
            const bool is_small = chooses_batches && table_.size() < detail::Batching::least_stored;
            if (interrupted_ || (now.count == 0 && (is_small || open_.size() < least_open))) return false;
            do {
                if (now.count == 0) take(now);
                const Priority priority = now.entries[0].priority;
                if (next.count == 0 && !open_.empty() && !router_.is_due() &&
                    open_.first_priority() == priority) {
                    take(next);
                }
                for (const Child& child : waiting) table_.prefetch(child.probe);
                for (std::size_t next_child = 0; now.at < now.count;) {
                    visit(now.entries[now.at]);
                    if (status_ != SearchStatus::running) return true;
                    // Of four nodes at once: translations of addresses overlap, and no prefetch waits for room.
                    if (++now.at % 4 > 0 && now.at < now.count) continue;
                    while (next_child < children_.size()) table_.prefetch_slot(children_[next_child++].probe);
                }
                relax_all(waiting, &priority);
                std::swap(waiting, children_);
                if (next.count == 0) {
                    for (const Child& child : waiting) table_.prefetch(child.probe);
                    relax_all(waiting, &priority);
                }
                now = next;
                next.count = 0;
            } while (status_ == SearchStatus::running &&
                     (now.count > 0 || (open_.size() >= least_open && !router_.is_due())));
            return true;
        }
    }

    void take(Batch& batch) {
        batch.count = open_.pop_equal(batch.entries.data(), batch_width);
        for (std::size_t i = 0; i < batch.count; ++i) table_.prefetch(batch.entries[i].key);
    }

    /// Puts back what an interrupted batch had taken: the search goes on node by node.
    void leave_batches() {
        if (!can_batch || batches_.now.count == 0) return;
        const Priority priority = batches_.now.entries[0].priority;
        for (Batch* const batch : {&batches_.next, &batches_.now}) {
            while (batch->count > batch->at) open_.push(batch->entries[--batch->count]);
            batch->count = batch->at = 0;
        }
        relax_all(batches_.waiting, &priority);
        relax_all(children_, &priority);
    }

    O observer_;
    std::optional<Cost> max_cost_;
    const P* problem_;
    detail::kept_t<H, P> heuristic_;
    NPUZZLE_NO_UNIQUE_ADDRESS typename Parts::Priority priority_;
    NPUZZLE_NO_UNIQUE_ADDRESS Router router_;
    Table table_;
    Open open_;
    std::vector<Child> children_; // which wait to be relaxed
    Nearest nearest_;

private:
    std::optional<TableNode> goal_;
    std::optional<Entry> interrupted_; // popped, and not expanded: comes before all others
    std::vector<State> starts_;        // if the search may begin again from them
    bool reopens_ = false;             // see `finish_exhausted`
    struct {
        Batch now;
        Batch next;
        std::vector<Child> waiting; // the neighbors of the batch before
    } batches_;
};

} // namespace npuzzle
