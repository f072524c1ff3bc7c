#pragma once

#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/engine/parts.hpp"
#include "npuzzle/search/engine/problem_adaptors.hpp"
#include "npuzzle/search/memory/budget_allocator.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// LPA* and D* Lite: searches that are told which costs have changed, and reuse the rest.

namespace npuzzle {

namespace detail {

/// The cost of a path and, to break ties, its number of steps. So each step makes a path longer, even if it
/// costs nothing or is lost to rounding, and parents never form a cycle. By default there is no path, which
/// is more than any path.
template <class Cost>
struct PathLength {
    static constexpr std::uint32_t no_path = (std::numeric_limits<std::uint32_t>::max)();

    Cost cost{};
    std::uint32_t steps = no_path;

    [[nodiscard]] bool exists() const { return steps != no_path; }
    [[nodiscard]] PathLength after(const Cost& step) const {
        return {saturating_add<Cost>(cost, step), steps + 1};
    }

    friend bool operator<(const PathLength& a, const PathLength& b) {
        return a.exists() && (!b.exists() || a.cost < b.cost || (!(b.cost < a.cost) && a.steps < b.steps));
    }
    friend bool operator==(const PathLength&, const PathLength&) = default;
};

/// Searches from its root to its target, again and again (S. Koenig, M. Likhachev, D. Furcy, "Lifelong
/// Planning A*", Artificial Intelligence 155, 2004). A node has the cost g of its last expansion (`known`),
/// and the one-step lookahead rhs (`ahead`), by the g of its predecessors. Nodes where the two differ are
/// open. An expansion lowers g to rhs (`relax_neighbors`) or, if the path was lost, raises it to infinity.
///
/// Each search ends, however rounding orders the expansions. Between two raises costs fall, each to the cost
/// of one of finitely many paths. If rounding makes a search raise a node twice, or leaves an outdated cost
/// on the path to the target, the search begins again with nothing known, and raises no node.
///
/// \tparam is_forward whether the root is the start; else it is the goal, and the target is the start
template <BackwardProblem P, class H, class O, bool is_forward>
class Replanning : public Engine {
    using Target = std::conditional_t<is_forward, P, backward_target_t<P>>; // what the heuristic is for
    using Reverse = Reversed<P>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, Target>;
    using Node = NodeView<State, Cost, Estimate, Estimate>; ///< as observers see it
    using Result = search_result_t<P>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);
    static_assert(std::same_as<cost_t<Reverse>, Cost> && is_weighted<Reverse> == is_weighted<P>,
                  "predecessors(state) must give states where neighbors(state) does, else Edges of the same "
                  "cost type");

    Replanning(Lasting<P> problem, const State& start, H&& heuristic, const BasicLimits<Cost>& limits = {},
               O&& observer = O{})
        : Engine(limits), observer_(std::forward<O>(observer)), max_cost_(checked_max_cost(limits.max_cost)),
          problem_(problem.address), start_(start), heuristic_(std::forward<H>(heuristic)),
          reversed_(*problem_, start), table_(reversed_, budget_), records_(BudgetAllocator<Record>(budget_)),
          open_(BudgetAllocator<Entry>(budget_)) {
        guarded(observer_, [this] { begin(); });
    }

    /// Tells the search that steps to or from a state have other costs, are new, or are gone. Call it after
    /// the problem has changed, for each state at an end of such a step, in any order. A search that is over
    /// goes on, and its statistics and limits count anew.
    /// \throws std::invalid_argument if it is no state of the problem
    void update(const State& state) {
        checked_state(*problem_, state);
        guarded(observer_, [&] {
            begin_next_search();
            look_ahead(find(state), state);
        });
    }

    /// Goes on from another start; counts begin anew as in `update`. Binds the heuristic again.
    void move_start(const State& start)
        requires(!is_forward && (BindsTo<H, Target> || std::same_as<std::remove_cvref_t<H>, Zero>))
    {
        checked_state(*problem_, start);
        guarded(observer_, [&] {
            State moved(start); // A copy that fails leaves the start what it was.
            start_ = std::move(moved);
            begin_next_search();
            offset_ = sum(offset_, estimate(start_)); // h(old start, new start): f stays comparable
            ++version_;
            if (is_infinite(offset_)) return begin();
            bind();
            target_ = insert(State(start_));
        });
    }

    /// Continues after a limit, but not `max_cost`; statistics and limits count anew. After a lack of memory or a
    /// failure, the search begins again with nothing known.
    void resume() {
        if (status_ == SearchStatus::solved || status_ == SearchStatus::unsolvable) return;
        guarded(observer_, [this] { begin_next_search(); });
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        return Engine::step(observer_, [this] { advance(); });
    }

    /// Steps to the end.
    SearchStatus run() {
        return Engine::run(observer_, [this] { advance(); });
    }

    /// The outcome of the last search, with the path if it is solved. Linear. Call it before the problem
    /// changes again.
    [[nodiscard]] Result result() const {
        return outcome(Result{}, [this](Result& result) {
            if (status_ != SearchStatus::solved) return;
            for (Number node = target_; node != none; node = records_[node].parent) {
                result.path.push_back(table_.find(node).state());
            }
            if (is_forward) std::reverse(result.path.begin(), result.path.end());
            result.cost = look_up_steps(*problem_, result.path, moves_of<P>(result));
        });
    }

private:
    using Number = std::uint32_t;
    using Length = PathLength<Cost>;
    using Table = typename decltype(choose_node_table<Reverse, DefaultPolicy, Cost, false>())::type;
    using Bound = std::conditional_t<BindsTo<H, Target>, bound_t<std::remove_cvref_t<H>, Target>,
                                     std::remove_reference_t<H>>;

    static_assert(std::same_as<typename Table::Key, Number>); // the table numbers its nodes from 0

    static constexpr Number none = (std::numeric_limits<Number>::max)();
    static constexpr auto sum = saturating_add<Estimate>;

    /// The share by which estimates are reduced: else rounding may make f fall along a step, although the
    /// heuristic is consistent. Enough unless a path costs millions of times a step.
    static constexpr double margin =
        std::floating_point<Estimate> ? 1.0 / (std::uint64_t{1} << std::numeric_limits<Estimate>::digits / 2)
                                      : 0;

    struct Record {
        Length known;            // g
        Length ahead;            // what g should be, by the g of its predecessors
        Number parent = none;    // the predecessor that gives `ahead`
        std::uint32_t raised{};  // the last search in which the node lost its path
        std::uint32_t version{}; // of the estimate
        Estimate estimate{};

        bool has_lost_path() const { return known < ahead; }
        bool is_open() const { return known != ahead; }
    };

    /// An entry of the open list, superseded if the node has another key now.
    struct Entry {
        Estimate priority; // f
        Length length;
        Number node;

        friend bool operator<(const Entry& a, const Entry& b) {
            return a.priority < b.priority || (!(b.priority < a.priority) && a.length < b.length);
        }
    };

    void begin() {
        checked_state(*problem_, start_);
        const State goal = checked_state(*problem_, problem_->goal());
        bind();
        table_.clear();
        records_.clear();
        open_.clear();
        pruned_by_bound_ = has_overflowed_ = is_offset_too_large_ = false;
        offset_ = Estimate{};
        root_ = insert(is_forward ? State(start_) : State(goal));
        target_ = insert(is_forward ? State(goal) : State(start_));
        records_[root_].ahead = Length{Cost{}, 0};
        observer_.start(view_of(root_));
        enqueue(root_);
    }

    /// Begins the next search; counts begin anew if the last search is over.
    void begin_next_search() {
        ++search_;
        const bool is_whole = status_ != SearchStatus::failed && status_ != SearchStatus::memory_limit;
        if (status_ != SearchStatus::running) {
            status_ = SearchStatus::running;
            statistics_ = {.contract_violations = is_whole && may_be_nan() ? 1U : 0U}; // NaN is not forgotten
            statistics_.stored = table_.size();
            monitor_.restart();
        }
        if (!is_whole) {
            begin();
        } else if (open_.size() > 4 * records_.size()) { // Most entries are superseded.
            open_.clear();
            for (Number node = 0; node < records_.size(); ++node) enqueue(node);
        }
    }

    void advance() {
        while (status_ == SearchStatus::running) {
            if (is_offset_too_large_) return begin();
            if (is_settled()) return end_at_target();
            if (open_.empty()) return finish(observer_, exhausted(max_cost_, is_finite));
            const Entry top = open_.front();
            const Number node = top.node;
            const Entry entry = entry_of(node);
            if (!records_[node].is_open() || entry.length != top.length) {
                dequeue(); // superseded
            } else if (top.priority < entry.priority) {
                dequeue(); // Its key is of an old start.
                enqueue(node);
            } else if (max_cost_ && sum(greatest_total<Estimate>(*max_cost_), offset_) < entry.priority) {
                return finish_over();
            } else {
                if (may_expand(observer_, entry.priority)) {
                    dequeue();
                    expand(node);
                }
                return;
            }
        }
    }

    /// Where the cheapest known path costs too much.
    void finish_over() {
        finish(observer_, may_be_nan() ? SearchStatus::cost_overflow : SearchStatus::cost_limit);
    }

    /// Whether nothing that is open can lead to a cheaper path to the target.
    bool is_settled() {
        const Record& target = records_[target_];
        return target.ahead.exists() && !target.has_lost_path() &&
               (open_.empty() || !(open_.front() < entry_of(target_)));
    }

    void end_at_target() {
        std::uint64_t steps = 0; // more than there are nodes after a change without an `update`
        for (Number node = target_; node != none; node = records_[node].parent) {
            if (records_[node].has_lost_path() || ++steps > table_.size()) return begin();
        }
        const Node view = view_of(target_);
        if (is_over(max_cost_, view.cost)) return finish_over();
        check_goal(view.estimate, statistics_);
        observer_.goal(view);
        finish(observer_, SearchStatus::solved);
    }

    void expand(Number node) {
        Record& record = records_[node];
        const bool has_lost_path = record.has_lost_path();
        if (has_lost_path && std::exchange(record.raised, search_) == search_) return begin();
        const Node view = view_of(node);
        ++statistics_.expanded;
        observer_.expand(view);
        if (!has_lost_path) {
            record.known = record.ahead;
            return relax_neighbors(node, view);
        }
        record.known = Length{};
        std::vector<Number> lost; // apart: `look_ahead` may invalidate the range of neighbors
        for_each_step<true>(view.state, [&](const State& neighbor, const Cost& /*step*/) {
            ++statistics_.generated;
            ++statistics_.duplicates;
            const Number found = find(neighbor);
            if (found != none && records_[found].parent == node) lost.push_back(found);
        });
        for (const Number each : lost) look_ahead(each, table_.find(each).state());
        enqueue(node);
    }

    /// Gives each neighbor of a node the path through it, if that is shorter.
    void relax_neighbors(Number node, const Node& view) {
        const Length length = records_[node].known;
        for_each_step<true>(view.state, [&](State&& to, const Cost& step) {
            const Length reached = length.after(step);
            if (!accept_step(step, reached.cost, Table::can_hold)) return;
            ++statistics_.generated;
            const Number neighbor = insert(std::move(to));
            const Estimate& estimate = estimate_of(neighbor);
            Estimate most = sum(saturating_cast<Estimate>(step), estimate);
            if constexpr (std::floating_point<Estimate>) most += static_cast<Estimate>(margin) * most;
            if (most < view.estimate) {
                ++statistics_.contract_violations;
                NPUZZLE_ASSERT(false && "the heuristic is consistent");
            }
            const Node seen{table_.find(neighbor).state(), reached.cost, estimate,
                            priority_of(reached, estimate)};
            observer_.generate(seen, view);
            Record& record = records_[neighbor];
            if (!(reached < record.ahead)) {
                ++statistics_.duplicates;
                observer_.duplicate(seen);
                return;
            }
            const bool was_new = !record.ahead.exists() && !record.known.exists();
            const bool was_open = record.is_open();
            statistics_.reopened += was_new || was_open ? 0 : 1;
            record.ahead = reached;
            record.parent = node;
            enqueue(neighbor);
            if (!was_new) was_open ? observer_.improve(seen) : observer_.reopen(seen);
        });
    }

    /// Updates rhs: finds the shortest path to a state through its predecessors.
    /// \param node of the state, or `none`
    void look_ahead(Number node, const State& state) {
        Length ahead;
        Number parent = none;
        for_each_step<false>(state, [&](const State& neighbor, const Cost& step) {
            const Number before = find(neighbor);
            if (before == none || !records_[before].known.exists()) return;
            const Length reached = records_[before].known.after(step);
            if (accept_step(step, reached.cost, Table::can_hold) && reached < ahead) {
                ahead = reached;
                parent = before;
            }
        });
        if (node == none && ahead.exists()) node = insert(State(state));
        if (node == none || node == root_) return;
        records_[node].ahead = ahead;
        records_[node].parent = parent;
        enqueue(node);
    }

    /// Pushes a node on the open list, if it is open.
    void enqueue(Number node) {
        if (!records_[node].is_open()) return;
        const Entry entry = entry_of(node);
        if (is_infinite(entry.priority)) {
            if (is_infinite(records_[node].estimate)) return;
            pruned_by_bound_ = true;
            is_offset_too_large_ = Estimate{} < offset_;
            return;
        }
        open_.push_back(entry);
        std::push_heap(open_.begin(), open_.end(), is_later);
        statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, open_.size());
    }

    void dequeue() {
        std::pop_heap(open_.begin(), open_.end(), is_later);
        open_.pop_back();
    }

    static bool is_later(const Entry& a, const Entry& b) { return b < a; }

    Entry entry_of(Number node) {
        const Record& record = records_[node];
        const Length& length = record.has_lost_path() ? record.known : record.ahead;
        return {priority_of(length, estimate_of(node)), length, node};
    }

    Estimate priority_of(const Length& length, const Estimate& estimate) const {
        return sum(sum(saturating_cast<Estimate>(length.cost), estimate), offset_);
    }

    Node view_of(Number node) {
        const Entry entry = entry_of(node);
        return {table_.find(node).state(), entry.length.cost, records_[node].estimate, entry.priority};
    }

    void bind() {
        if constexpr (BindsTo<H, Target>) {
            bound_.reset(); // refers to the target
            if constexpr (is_forward) {
                bound_.emplace(heuristic_.bind(*problem_));
            } else {
                target_problem_.reset();
                target_problem_.emplace(make_backward_target(*problem_, start_));
                bound_.emplace(heuristic_.bind(*target_problem_));
            }
        }
    }

    /// The heuristic's estimate, reduced by the margin.
    Estimate estimate(const State& state) {
        const auto evaluate = [&](auto& heuristic) {
            return Estimator<Bound, Target>(heuristic, statistics_)(state);
        };
        Estimate estimate{};
        if constexpr (BindsTo<H, Target>) {
            estimate = evaluate(*bound_);
        } else {
            estimate = evaluate(heuristic_);
        }
        if constexpr (std::floating_point<Estimate>) estimate -= estimate * static_cast<Estimate>(margin);
        return estimate;
    }

    const Estimate& estimate_of(Number node) {
        Record& record = records_[node];
        if (record.version != version_) {
            record.estimate = estimate(table_.find(node).state());
            record.version = version_;
        }
        return record.estimate;
    }

    NPUZZLE_ALWAYS_INLINE Number insert(State&& state) {
        const auto [node, is_new] = table_.insert(std::move(state));
        if (is_new) {
            records_.emplace_back();
            statistics_.stored = table_.size();
        }
        return node.key();
    }

    Number find(const State& state) const {
        const auto found = table_.find(table_.lookup_hint(state), state);
        return found ? found->key() : none;
    }

    /// Calls `visit(neighbor, step)` for the steps in the direction of the search, or against it.
    template <bool is_along, class F>
    void for_each_step(const State& state, F&& visit) {
        const auto take = [&](State&& to, const Cost& step, const auto&) { visit(std::move(to), step); };
        if constexpr (is_along == is_forward) {
            for_each_neighbor(*problem_, state, take);
        } else {
            for_each_neighbor(reversed_, state, take);
        }
    }

    O observer_;
    std::optional<Cost> max_cost_;
    const P* problem_;
    State start_;
    H heuristic_;
    std::optional<std::conditional_t<is_forward, Nothing, Target>> target_problem_;
    std::optional<Bound> bound_; // `heuristic_`, bound to the target
    Reverse reversed_;
    Table table_;
    std::vector<Record, BudgetAllocator<Record>> records_; // by the number of the node
    std::vector<Entry, BudgetAllocator<Entry>> open_;      // a heap
    Number root_ = none;
    Number target_ = none;
    Estimate offset_{};                // how much f has grown since the start moved
    bool is_offset_too_large_ = false; // perhaps: some f was infinite
    std::uint32_t version_ = 1;        // of the estimates
    std::uint32_t search_ = 1;
};

} // namespace detail

/// Lifelong Planning A* (S. Koenig, M. Likhachev, "Incremental A*", NIPS 2001) as an object: a search from
/// the start to the goal that is repeated as costs change, and expands only nodes that a change concerns.
/// \code
/// LpaStar search(map, start, OctileDistance{});
/// search.run();
/// for (auto changed : map.set_free(cell, false)) // the problem changes,
///     search.update(changed);                    // and the engine is told where
/// search.run();
/// \endcode
/// Changes near the goal cost least: costs from the start stay valid up to there. After changes near the
/// start, it may expand each state twice.
///
/// The goal and the values of the heuristic stay the same. It must be consistent (see `HeuristicFor`) before
/// and after each change: a debug build checks each step. Paths are cheapest, floating-point costs up to the
/// rounding of sums along a path. Observers see an expansion that raises a node as `expand` alone, and
/// after a change `generate` for new steps from a state that is not expanded again.
template <BackwardProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
class LpaStar : public detail::Replanning<P, H, O, true> {
public:
    using LpaStar::Replanning::Replanning;
};

template <class P, class H, class O = SilentObserver>
LpaStar(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> LpaStar<P, H, O>;

/// D* Lite (S. Koenig, M. Likhachev, "D* Lite", AAAI 2002) as an object: a search from the goal to the start,
/// which may move between searches, as for a robot that meets obstacles: `search.move_start(there)`.
///
/// As `LpaStar` in all else, but changes near the start cost least. Priorities grow with each move.
///
/// \tparam H a `BackwardHeuristicFor` the problem: it estimates the cost from the start to a state. It must
///         be consistent before and after each change, also by detours: for h(a, b) from a to b, h(a, c) <=
///         h(a, b) + h(b, c).
template <BackwardProblem P, class H, class O = SilentObserver>
    requires BackwardHeuristicFor<H, P>
class DStarLite : public detail::Replanning<P, H, O, false> {
public:
    using DStarLite::Replanning::Replanning;
};

template <class P, class H, class O = SilentObserver>
DStarLite(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> DStarLite<P, H, O>;

} // namespace npuzzle
