#pragma once

#include "npuzzle/search/engine/parts.hpp"
#include "npuzzle/search/engine/retrace.hpp"
#include "npuzzle/search/kernel/arrival.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/problem_adaptors.hpp"
#include "npuzzle/search/kernel/replanning_key.hpp"
#include "npuzzle/search/open_list/detail/indexed_heap.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// What LPA* and D* Lite share: a search that is told which costs have changed, and goes on with what is
/// still known.

namespace npuzzle {

namespace detail {

/// Finds nodes by their numbers, or by hash.
struct ReplanningPolicy : DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = Nothing;
};

} // namespace detail

/// The base of engines that replan (S. Koenig, M. Likhachev, D. Furcy, "Lifelong Planning A*", Artificial
/// Intelligence 155, 2004). It searches from its root to its target. A node has its cost g when it was
/// expanded last, and a cost one step ahead, which follows from the g of the nodes before it. The two differ
/// where something is to be done: those nodes are open. An expansion either lowers g to the cost ahead, or,
/// if a path was lost, raises it to infinity.
///
/// A change is looked at when it is its turn: `update`, and a raise for the nodes behind, only mark a node as
/// stale. A stale node is open by the lengths that it has. When it is next, its cost one step ahead is found
/// again, and the steps from it are followed if they may have changed. This is exact, since its key is no
/// greater than it should be. A cost that rose leaves costs ahead that are too small. A path that became
/// cheaper has a first step that did: it leads from a stale node whose g is known, and as f does not fall
/// along a path, the key of that node comes before all keys behind it. So no node that would come after the
/// target is looked at, and a state without a path needs no mark.
///
/// Each search ends, whatever rounding does to the order of expansions. Between two raises costs fall, each
/// to the cost of one of finitely many paths. Rounding may have a node raised twice in a search, or leave the
/// path to the target with a cost that no longer holds. Then the search begins again with nothing known, and
/// raises no node.
///
/// \tparam Engine what derives from it, and befriends both this and `EngineBase`. Its `estimate(state)` is
///         the estimate of the cost between the state and the target; `bind()` prepares it.
/// \tparam is_forward whether the root is the start; else it is the goal, and the target is the start
template <class Engine, BackwardProblem P, bool is_forward, class E, class O>
class ReplanningBase : public EngineBase<Engine, cost_t<P>, O> {
    using Base = EngineBase<Engine, cost_t<P>, O>;
    friend Base;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = E;
    using Node = NodeView<State, Cost, Estimate, Estimate>; ///< as observers see it
    using Result = SearchResult<State, Cost, move_t<P>>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// Takes note that steps to or from a state have other costs now, are new, or are no more. To be called
    /// for each state at an end of such a step, after the problem has changed; in any order. The search goes
    /// on then, with new statistics and limits. Asks the problem for no neighbors; O(log n).
    void update(const State& state) {
        detail::checked_state(*problem_, state);
        guarded([&] {
            resume_search();
            if (const Number node = find(state); node != none) {
                mark(node, true);
            }
        });
    }

    /// Goes on with a search that a limit has ended, with new statistics and limits. A search that is out of
    /// memory, or has failed, begins again with nothing known.
    void resume() {
        guarded([&] {
            if (status_ != SearchStatus::solved && status_ != SearchStatus::unsolvable) {
                resume_search();
            }
        });
    }

    /// The outcome of the last search: with the path if it is solved, in time linear in its length; without a
    /// partial path. To be called before the problem changes again.
    [[nodiscard]] Result result() const {
        return this->outcome(Result{}, [&](Result& result) {
            if (status_ != SearchStatus::solved) {
                return;
            }
            for (Number node = target_; node != none; node = records_[node].parent) {
                result.path.push_back(table_.find(node).state());
            }
            if constexpr (is_forward) {
                std::reverse(result.path.begin(), result.path.end());
            }
            result.cost = detail::look_up_steps(*problem_, result.path, detail::moves_of<P>(result));
        });
    }

protected:
    using Base::guarded, Base::statistics_, Base::status_;
    using Number = std::uint32_t;

    ReplanningBase(const P& problem, const State& start, const BasicLimits<Cost>& limits, O&& observer)
        : Base(limits, std::forward<O>(observer)), problem_(&problem), start_(start),
          reversed_(problem, start), table_(reversed_, budget_), records_(BudgetAllocator<Record>(budget_)),
          open_(budget_) {}
    ~ReplanningBase() = default;

    void complete(Statistics& statistics) const { statistics.stored = table_.size(); }

    /// Goes on if the search is over, for a change.
    void resume_search() {
        ++search_;
        if (status_ != SearchStatus::running) {
            const bool is_whole = status_ != SearchStatus::failed && status_ != SearchStatus::memory_limit;
            status_ = SearchStatus::running;
            statistics_ = {};
            monitor_.restart();
            if (!is_whole) {
                begin_again();
            }
        }
    }

    /// Begins with nothing known.
    void begin_again() {
        detail::checked_state(*problem_, start_);
        const State goal = detail::checked_state(*problem_, problem_->goal());
        self().bind();
        table_.clear();
        records_.clear();
        open_.clear();
        this->pruned_by_bound_ = false;
        offset_ = Estimate{};
        root_ = insert(is_forward ? State(start_) : State(goal));
        target_ = insert(is_forward ? State(goal) : State(start_));
        records_[root_].ahead = Length{Cost{}, 0};
        if constexpr (is_watched) {
            observer_.start(view_of(root_));
        }
        enqueue(root_);
    }

    /// The start has moved, and all estimates with it.
    /// \param way the estimate of the cost from the old one to the new one
    void move_target(const State& state, const Estimate& way)
        requires(!is_forward)
    {
        start_ = state;
        ++version_;
        offset_ = sum(offset_, way);
        if (detail::is_infinite(offset_)) {
            begin_again();
        } else {
            self().bind();
            target_ = insert(State(state));
        }
    }

    /// The estimate from a state to the target, with the margin for rounding.
    [[nodiscard]] Estimate lessened(const State& state) {
        const Estimate estimate = self().estimate(state);
        if constexpr (std::floating_point<Estimate>) {
            return estimate - estimate * detail::rounding_margin<Estimate>;
        } else {
            return estimate;
        }
    }

    const P* problem_;
    State start_;

private:
    using Base::budget_, Base::finish, Base::is_stopped, Base::max_cost_, Base::monitor_, Base::observer_;
    using Length = detail::PathLength<Cost>;
    using Entry = detail::ReplanningEntry<Estimate, Cost>;
    using Reversed = detail::Reversed<P>;
    using Table = typename PartsFor<Reversed, Zero, detail::ReplanningPolicy>::NodeTable;

    static_assert(std::same_as<cost_t<Reversed>, Cost> && is_weighted<Reversed> == is_weighted<P>,
                  "predecessors(state) must give states where neighbors(state) does, else Edges of the same "
                  "cost type");
    static_assert(std::same_as<typename Table::Key, Number>); // the table numbers its nodes from 0

    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;
    static constexpr Number none = (std::numeric_limits<Number>::max)();

    struct Record {
        Length known;               // g
        Length ahead;               // what g should be, by the g of the nodes before it
        Number parent = none;       // the node that `ahead` comes from
        std::uint32_t raised{};     // the search in which the node lost its path last
        std::uint32_t version{};    // of the estimate
        bool is_stale = false;      // `ahead` is to be found again: it is not more than it should be
        bool has_new_steps = false; // the steps from here are to be followed again
        Estimate estimate{};

        [[nodiscard]] bool has_lost_path() const { return known < ahead; }
        [[nodiscard]] bool is_open() const { return known < ahead || ahead < known; }
    };

    static constexpr auto sum = detail::saturating_add<Estimate>;

    Engine& self() { return static_cast<Engine&>(*this); }

    /// One expansion, or the end.
    void advance() {
        while (status_ == SearchStatus::running) {
            if (is_settled()) {
                end_at_target();
                return;
            }
            if (open_.empty()) {
                finish(this->exhausted());
                return;
            }
            const Number node = open_.top().node;
            const Entry entry = entry_of(node);
            if (open_.top() < entry) {
                enqueue(node); // Its key is of an old start, and not more than the present one.
                continue;
            }
            if (is_beyond(entry.priority)) {
                finish(SearchStatus::cost_limit);
                return;
            }
            if (records_[node].is_stale) {
                refresh(node);
                continue;
            }
            if (monitor_.is_due(statistics_.expanded) && is_stopped(statistics_.expanded, entry.priority)) {
                return;
            }
            expand(node);
            return;
        }
    }

    /// Whether nothing that is open can lead to a cheaper path to the target.
    bool is_settled() {
        const Record& target = records_[target_];
        return target.ahead.exists() && !target.has_lost_path() &&
               (open_.empty() || !(open_.top() < entry_of(target_)));
    }

    void end_at_target() {
        std::uint64_t steps = 0; // A path of more than there are nodes has met a change without an `update`.
        for (Number node = target_; node != none; node = records_[node].parent) {
            if (records_[node].has_lost_path() || ++steps > table_.size()) {
                begin_again();
                return;
            }
            if (records_[node].is_stale) {
                refresh(node);
                return;
            }
        }
        const Node view = view_of(target_);
        if (detail::is_over(max_cost_, view.cost)) {
            finish(SearchStatus::cost_limit);
            return;
        }
        detail::check_goal(view.estimate, statistics_);
        observer_.goal(view);
        finish(SearchStatus::solved);
    }

    [[nodiscard]] bool is_beyond(const Estimate& priority) const {
        return max_cost_ && sum(detail::greatest_total<Estimate>(*max_cost_), offset_) < priority;
    }

    void expand(Number node) {
        Record& record = records_[node];
        const bool has_lost_path = record.has_lost_path();
        if (has_lost_path && std::exchange(record.raised, search_) == search_) {
            begin_again();
            return;
        }
        const Node view = view_of(node);
        ++statistics_.expanded;
        observer_.expand(view);
        if (has_lost_path) {
            record.known = Length{};
            raise_neighbors(node, view.state);
            enqueue(node);
        } else {
            open_.remove(node);
            record.known = record.ahead;
            lower_neighbors(node, view, Length(record.known));
        }
    }

    /// Marks the nodes that were reached through this one.
    void raise_neighbors(Number node, const State& state) {
        for_each_step<true>(state, [&](const State& neighbor, const Cost& /*step*/) {
            ++statistics_.generated;
            ++statistics_.duplicates;
            if (const Number found = find(neighbor); found != none && records_[found].parent == node) {
                mark(found, false);
            }
        });
    }

    void lower_neighbors(Number node, const Node& view, const Length& length) {
        for_each_step<true>(view.state, [&](State&& to, const Cost& step) {
            const Cost cost = detail::saturating_add<Cost>(length.cost, step);
            if (!this->may_follow(step, cost, Table::can_hold)) {
                return;
            }
            ++statistics_.generated;
            const Number neighbor = insert(std::move(to));
            const Estimate& estimate = estimate_of(neighbor);
            check_consistency(view.estimate, step, estimate);
            Record& record = records_[neighbor];
            const Length reached{cost, length.steps + 1};
            const auto see = [&](const auto& tell) {
                if constexpr (is_watched) {
                    tell(Node{table_.find(neighbor).state(), cost, estimate, priority_of(reached, estimate)});
                }
            };
            see([&](const Node& seen) { observer_.generate(seen, view); });
            if (!(reached < record.ahead)) {
                ++statistics_.duplicates;
                see([&](const Node& seen) { observer_.duplicate(seen); });
                return;
            }
            const bool was_new = !record.ahead.exists() && !record.known.exists();
            const bool was_open = record.is_open();
            statistics_.reopened += was_new || was_open ? 0 : 1;
            record.ahead = reached;
            record.parent = node;
            enqueue(neighbor);
            if (!was_new) {
                see([&](const Node& seen) { was_open ? observer_.improve(seen) : observer_.reopen(seen); });
            }
        });
    }

    /// Checks h(u) <= cost + h(v), up to rounding.
    void check_consistency(const Estimate& before, const Cost& step, const Estimate& after) {
        Estimate most = sum(detail::saturating_cast<Estimate>(step), after);
        if constexpr (std::floating_point<Estimate>) {
            most += detail::rounding_margin<Estimate> * most;
        }
        if (most < before) {
            ++statistics_.contract_violations;
            NPUZZLE_ASSERT(false && "the heuristic is consistent");
        }
    }

    /// Has a node looked at when it is its turn. One without a path needs that only once it gets one.
    /// \param has_new_steps whether steps from it may have changed
    void mark(Number node, bool has_new_steps) {
        Record& record = records_[node];
        if (!record.known.exists() && !record.ahead.exists()) {
            return;
        }
        const bool was_open = record.is_stale || record.is_open();
        record.is_stale = true;
        record.has_new_steps = record.has_new_steps || has_new_steps;
        if (!was_open) {
            enqueue(node);
        }
    }

    /// Finds the cheapest way to a stale node by the nodes before it. If its g stands, and steps from it may
    /// have changed, follows those; else its expansion will.
    void refresh(Number node) {
        Record& record = records_[node];
        const bool has_new_steps = std::exchange(record.has_new_steps, false) && record.known.exists();
        bool leads_on = has_new_steps && !UndirectedProblem<P>;
        Length ahead;
        Number parent = none;
        for_each_step<false>(table_.find(node).state(), [&](const State& neighbor, const Cost& step) {
            const Number other = find(neighbor);
            if (other == none) {
                leads_on = leads_on || has_new_steps;
                return;
            }
            if (const Length length = length_by(records_[other].known, step); length < ahead) {
                ahead = length;
                parent = other;
            }
            if (has_new_steps && !leads_on) { // The step leads both ways.
                leads_on = length_by(record.known, step) < records_[other].ahead;
            }
        });
        record.is_stale = false;
        if (node != root_) {
            record.ahead = ahead;
            record.parent = parent;
        }
        enqueue(node);
        if (leads_on && !record.is_open()) {
            lower_neighbors(node, view_of(node), Length(record.known));
        }
    }

    /// The length of a path with one more step; none if it cannot be followed.
    Length length_by(const Length& path, const Cost& step) {
        if (!path.exists() || detail::is_negative(step)) {
            return {};
        }
        const Cost cost = detail::saturating_add<Cost>(path.cost, step);
        if (detail::is_infinite(cost)) {
            this->pruned_by_bound_ =
                this->pruned_by_bound_ || !detail::is_infinite(step) || detail::is_nan(step);
            return {};
        }
        return {cost, path.steps + 1};
    }

    /// Opens a node if it is to be expanded, by its present key; else closes it.
    void enqueue(Number node) {
        const Record& record = records_[node];
        if (record.is_stale || record.is_open()) {
            if (const Entry entry = entry_of(node); !detail::is_infinite(entry.priority)) {
                open_.set(entry);
                statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, open_.size());
                return;
            }
            this->pruned_by_bound_ = this->pruned_by_bound_ || !detail::is_infinite(record.estimate);
        }
        open_.remove(node);
    }

    [[nodiscard]] Entry entry_of(Number node) {
        const Record& record = records_[node];
        const Length& length = record.has_lost_path() ? record.known : record.ahead;
        return {priority_of(length, estimate_of(node)), length.cost, length.steps, node};
    }

    [[nodiscard]] Estimate priority_of(const Length& length, const Estimate& estimate) const {
        return sum(sum(detail::saturating_cast<Estimate>(length.cost), estimate), offset_);
    }

    [[nodiscard]] Node view_of(Number node) {
        const Entry entry = entry_of(node);
        return {table_.find(node).state(), entry.cost, records_[node].estimate, entry.priority};
    }

    [[nodiscard]] const Estimate& estimate_of(Number node) {
        Record& record = records_[node];
        if (record.version != version_) {
            record.estimate = lessened(table_.find(node).state());
            record.version = version_;
        }
        return record.estimate;
    }

    NPUZZLE_ALWAYS_INLINE Number insert(State&& state) {
        const auto [node, is_new] = table_.insert(std::move(state));
        if (is_new) {
            records_.emplace_back();
            open_.add_node();
        }
        return node.key();
    }

    [[nodiscard]] Number find(const State& state) const {
        const auto found = table_.find(table_.lookup_hint(state), state);
        return found ? found->key() : none;
    }

    /// Calls `visit(neighbor, step)` for the steps along the search, or those against it.
    template <bool is_along, class F>
    void for_each_step(const State& state, F&& visit) {
        const auto take = [&](State&& to, const Cost& step, const auto&) { visit(std::move(to), step); };
        if constexpr (is_along != is_forward) {
            detail::for_each_neighbor(reversed_, state, take);
        } else {
            detail::for_each_neighbor(*problem_, state, take);
        }
    }

    Reversed reversed_;
    Table table_;
    std::vector<Record, BudgetAllocator<Record>> records_; // by the number of the node
    detail::IndexedHeap<Entry> open_;
    Number root_ = none;
    Number target_ = none;
    Estimate offset_{};         // by how much f has grown since the start has moved
    std::uint32_t version_ = 1; // of the estimates
    std::uint32_t search_ = 1;
};

} // namespace npuzzle
