#pragma once

#include "npuzzle/search/kernel/arrival.hpp"
#include "npuzzle/search/kernel/bidirectional_sides.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace npuzzle {

namespace detail {

/// Two searches toward each other. A state of one side that the other side knows makes a solution; the
/// cheapest so far is returned when the method's bound proves that none is cheaper.
///
/// Some nodes cannot be part of a better solution: those whose f is not below the cost of the solution, and,
/// under consistent heuristics, those that the other side has expanded ("nipping": Kwa 1989). They stay in
/// their table, open, without an entry on the open list. So a closed node is one that was expanded, at its
/// least cost.
///
/// A step is one expansion, by NBS one of each side. Statistics include both sides.
/// \tparam Method see `bidirectional_methods.hpp`
template <class Method, BackwardProblem P, class H, class HB, class O>
class BidirectionalSearch
    : public EngineBase<BidirectionalSearch<Method, P, H, HB, O>, cost_t<forward_problem_t<Method, P>>, O>,
      private BothSides<Method, P, H, HB> {
    using Base = EngineBase<BidirectionalSearch, cost_t<forward_problem_t<Method, P>>, O>;
    friend Base;

    using Sides = BothSides<Method, P, H, HB>;
    using typename Sides::Forward, typename Sides::ForwardSide, typename Sides::BackwardSide,
        typename Sides::Target, typename Sides::Wide;
    using Selection = typename Method::template Selection<Wide>;
    using Meeting = BestMeeting<state_t<P>, cost_t<Forward>, Wide>;

public:
    using State = state_t<P>;
    using Cost = cost_t<Forward>;
    using Result = SearchResult<State, cost_t<P>, move_t<P>>;

private:
    static constexpr bool counts_nodes = ForwardSide::Queue::counts_nodes;
    static constexpr bool asks_opposite = ForwardSide::Queue::asks_opposite;
    /// Where nodes are counted, those without an entry are closed, which tells nothing of their cost then.
    static constexpr bool nips =
        (Method::needs_consistency || Sides::are_declared_consistent) && !counts_nodes;
    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;

    /// As in A*: see `AStar`.
    static constexpr std::size_t batch_width = is_watched || !ForwardSide::Queue::gives_batches ? 1 : 16;
    static constexpr std::uint64_t batch_from = std::uint64_t{1} << 16;
    static constexpr std::uint64_t batch_open = 64;

public:
    using Node = typename ForwardSide::View;
    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// No temporary problem: the engine refers to it.
    BidirectionalSearch(const P&& problem, const State& start, H&& heuristic, HB&& backward_heuristic,
                        const BasicLimits<Cost>& limits = {}, O&& observer = O{}) = delete;

    BidirectionalSearch(const P& problem, const State& start, H&& heuristic, HB&& backward_heuristic,
                        const BasicLimits<Cost>& limits = {}, O&& observer = O{})
        : Base(limits, std::forward<O>(observer)),
          Sides(problem, start, std::forward<H>(heuristic), std::forward<HB>(backward_heuristic), budget_,
                statistics_),
          selection_{epsilon_}, best_(max_cost_) {
        monitor_.restart(); // To bind heuristics may take long.
        guarded([&] { begin(); });
    }

    /// Adds one more state to start from; the path begins at the best one. The backward heuristic has to
    /// estimate the cost from the nearest of all starts. Has no effect once the search is over. After an
    /// expansion the search begins again, from all starts to all goals, since what was proved may no longer
    /// hold; statistics and limits go on.
    /// \throws std::invalid_argument if it is no state of the problem, or if the backward heuristic is more
    ///         than zero at a start, which it does not know then; the search has failed
    void add_start(const State& start)
        requires UnboundHeuristicFor<HB, Target>
    {
        add_root(forward_, backward_, start);
    }

    /// Adds one more goal beside `problem.goal()`; the path ends at the best one. The same as for starts,
    /// with the forward heuristic and the nearest of all goals. `problem.is_goal` is not asked.
    void add_goal(const State& goal)
        requires UnboundHeuristicFor<H, P>
    {
        add_root(backward_, forward_, goal);
    }

    /// The proved lower bound on the cost of a solution: in the end the optimum, if there is a solution.
    /// After lack of memory or an exception, which may have come in the middle of an expansion, less is
    /// known.
    [[nodiscard]] Wide lower_bound()
        requires std::is_arithmetic_v<Wide>
    {
        Wide bound{};
        if constexpr (Selection::takes_pairs) {
            bound = status_ == SearchStatus::solved ? best_.bound() : selection_.bound;
        } else if (status_ == SearchStatus::memory_limit || status_ == SearchStatus::failed) {
            return bound;
        } else if (!forward_.queue.empty() && !backward_.queue.empty()) {
            bound = selection_.bound(forward_.queue, backward_.queue);
        } else if (best_) {
            bound = best_.bound();
        }
        return best_ && best_.bound() < bound ? best_.bound() : bound;
    }

    /// The outcome: with the path if the search is solved, in time linear in its length. If there is no
    /// memory left for the path, the status is `memory_limit`.
    [[nodiscard]] Result result() const {
        return outcome(Result{}, [&](Result& result) {
            if (status_ == SearchStatus::solved) {
                this->add_path(best_.state(), result);
            }
        });
    }

private:
    using Base::budget_, Base::finish, Base::guarded, Base::is_stopped, Base::max_cost_, Base::monitor_,
        Base::observer_, Base::outcome, Base::statistics_, Base::status_;
    using Sides::backward_, Sides::epsilon_, Sides::forward_;

    void complete(Statistics& statistics) const {
        statistics.expanded = forward_.expanded + backward_.expanded;
        statistics.stored = forward_.table.size() + backward_.table.size();
    }

    /// A solution is proved, or one side has nothing left.
    void finish_run() {
        if (!best_ || best_.has_dropped_better()) {
            finish(exhausted_status(best_.has_pruned(),
                                    !best_.has_dropped() && statistics_.contract_violations == 0));
            return;
        }
        // With the cost of the whole path.
        observer_.goal(Node{{best_.state(), best_.cost(), Wide{}, best_.bound()}, Direction::forward});
        if constexpr (Sides::counts_steps) {
            // A path of few steps may cost more than the type can hold.
            Result result;
            this->add_path(best_.state(), result);
            statistics_.contract_violations += is_nan(result.cost) ? 1 : 0;
            finish(is_infinite(result.cost) ? SearchStatus::cost_overflow : SearchStatus::solved);
        } else {
            finish(SearchStatus::solved);
        }
    }

    template <class OneSide, class Other>
    void add_root(OneSide& side, const Other& other, const State& state) {
        if (status_ != SearchStatus::running) {
            return;
        }
        guarded([&] {
            using Estimate = typename OneSide::OppositeEstimates::Estimate;
            checked_state(*side.problem, state);
            if (Estimate{} < side.opposite(side.root) || Estimate{} < side.opposite(state)) {
                throw std::invalid_argument(
                    "a heuristic is zero or less at each start or goal that it is for");
            }
            side.added_roots.push_back(state);
            if (forward_.expanded + backward_.expanded == 0) {
                side.insert_root(state, other, best_, observer_);
                return;
            }
            forward_.clear();
            backward_.clear();
            selection_ = Selection{epsilon_};
            best_ = Meeting(max_cost_);
            begin();
        });
    }

    void begin() {
        forward_.insert_roots(backward_, best_, observer_);
        backward_.insert_roots(forward_, best_, observer_);
    }

    /// Whether the solution at hand is proved to be a best one, or that there is none of the cost that is
    /// allowed.
    bool is_proved() {
        if constexpr (!Selection::has_bound) {
            return best_ && selection_.proves(forward_.queue, backward_.queue, best_.bound());
        } else {
            if (!best_ && !max_cost_) {
                return false;
            }
            const Wide bound = selection_.bound(forward_.queue, backward_.queue);
            return !best_.may_improve(bound) || best_.is_too_dear(bound);
        }
    }

    /// The next node or nodes of one side, or of both, or the end.
    void advance(std::size_t width = 1) {
        while (status_ == SearchStatus::running) {
            if (best_ && !(Cost{} < best_.cost())) {
                finish_run();
                return;
            }
            if constexpr (Selection::takes_pairs) {
                if (advance_pairs(width)) {
                    return;
                }
            } else {
                if (forward_.queue.empty() || backward_.queue.empty() || is_proved()) {
                    finish_run();
                    return;
                }
                const bool has_advanced = selection_.is_forward_next(forward_, backward_)
                                              ? take_turn(forward_, backward_, width)
                                              : take_turn(backward_, forward_, width);
                if (has_advanced) {
                    return;
                }
            }
        }
    }

    void advance_many() {
        const bool is_large = forward_.table.size() + backward_.table.size() >= batch_from &&
                              forward_.queue.size() >= batch_open && backward_.queue.size() >= batch_open;
        advance(is_large ? batch_width : 1);
    }

    /// Expands the first nodes of a side that are not superseded. Returns whether there were any, or the
    /// search is over.
    template <class OneSide, class Other>
    bool take_turn(OneSide& side, Other& other, std::size_t width) {
        std::array<typename OneSide::Entry, batch_width> entries;
        if (monitor_.is_due(forward_.expanded + backward_.expanded + width)) {
            width = 1; // so that nothing has been taken but the entry that goes back if a limit strikes
        }
        const std::size_t count = side.queue.take(entries.data(), (std::min)(width, batch_width));
        return expand_all(side, other, entries.data(), count, entries[0].priority);
    }

    template <class OneSide, class Other>
    bool expand_all(OneSide& side, Other& other, const typename OneSide::Entry* entries, std::size_t count,
                    const Wide& priority) {
        side.prefetch(entries, count);
        bool has_expanded = false;
        for (std::size_t i = 0; i < count; ++i) {
            has_expanded = expand(side, other, entries[i]) || has_expanded;
            if (status_ != SearchStatus::running) {
                return true;
            }
        }
        insert_successors(side, other, nullptr, priority);
        return has_expanded;
    }

    /// NBS: expands both nodes of a pair within the bound, or of as many pairs as `width`. False if there was
    /// nothing to expand.
    bool advance_pairs(std::size_t width) {
        if (!selection_.raise(forward_.queue, backward_.queue, width) ||
            !best_.may_improve(selection_.bound) || best_.is_too_dear(selection_.bound)) {
            finish_run();
            return true;
        }
        typename ForwardSide::Entry forward[batch_width];
        typename BackwardSide::Entry backward[batch_width];
        const std::size_t pairs = (std::min)(width, batch_width);
        const Wide room = forward_.queue.least_ready();
        const std::size_t found =
            take_live(forward_, backward_, forward, pairs, backward_.queue.least_ready());
        if (found == 0) {
            return false;
        }
        const std::size_t paired = take_live(backward_, forward_, backward, found, room);
        for (std::size_t i = paired; i < found; ++i) {
            forward_.queue.give_back(forward[i]);
        }
        if (paired == 0) {
            return false;
        }
        const bool has_advanced = expand_all(forward_, backward_, forward, paired, selection_.bound);
        if (status_ != SearchStatus::running) {
            return true;
        }
        if (!best_.may_improve(selection_.bound)) {
            finish_run();
            return true;
        }
        return expand_all(backward_, forward_, backward, paired, selection_.bound) || has_advanced;
    }

    /// Takes ready nodes of least g that are not superseded, as long as that and the other side's g are
    /// within the bound.
    template <class OneSide, class Other>
    std::size_t take_live(OneSide& side, const Other& other, typename OneSide::Entry* entries,
                          std::size_t most, const Wide& other_cost) {
        std::size_t live = 0;
        while (live == 0 && side.queue.has_ready() &&
               selection_.is_within(side.queue.least_ready(), other_cost)) {
            const std::size_t count = side.queue.take(entries, most);
            side.prefetch(entries, count);
            for (std::size_t i = 0; i < count; ++i) {
                if (find_live(side, other, entries[i])) {
                    entries[live++] = entries[i];
                }
            }
        }
        return live;
    }

    /// The open node of an entry, unless the entry is superseded or the node is on no path to a better
    /// solution.
    template <class OneSide, class Other>
    auto find_live(OneSide& side, const Other& other, const typename OneSide::Entry& entry) {
        // Asked where nodes share a key. Those without an entry must not be taken for the one that has it.
        const auto is_wanted = [&](const State& state) {
            const Rank<Wide> rank =
                rank_of<Wide>(entry.cost, saturating_cast<Wide>(side.own(state)), side.opposite_of(state));
            return side.queue.is_of(entry, rank) && best_.may_improve(rank.priority) &&
                   !is_nipped(other, state);
        };
        return side.table.find_open(entry.key, entry.cost, is_wanted);
    }

    template <class Other>
    static bool is_nipped(const Other& other, const State& state) {
        if constexpr (nips) {
            const auto there = other.table.find(other.table.lookup_hint(state), state);
            return there && there->is_closed();
        } else {
            return false;
        }
    }

    /// Generates the neighbors of an entry's node; they are pending then, unless somebody watches. Or ends
    /// the search. False if there was nothing to expand.
    template <class OneSide, class Other>
    bool expand(OneSide& side, Other& other, const typename OneSide::Entry& entry) {
        auto found = find_live(side, other, entry);
        if (!found) {
            return false;
        }
        auto& node = *found;
        decltype(auto) state = node.state();
        const auto estimate = side.estimate_of(node, state);
        const Wide wide = saturating_cast<Wide>(estimate);
        Rank<Wide> rank = rank_of<Wide>(entry.cost, wide, Wide{});
        if (!best_.may_improve(rank.priority)) {
            side.queue.forget(rank);
            if constexpr (counts_nodes) {
                node.close();
            }
            return false;
        }
        if (const std::uint64_t expanded = forward_.expanded + backward_.expanded;
            monitor_.is_due(expanded) && is_stopped(expanded)) {
            side.queue.give_back(entry);
            return true;
        }
        typename OneSide::OppositeEstimates::Estimate opposite{};
        if constexpr (asks_opposite && (is_watched || OneSide::OppositeEstimates::is_incremental)) {
            opposite = side.opposite(state);
            rank.opposite = OneSide::reachable(opposite);
        }
        side.queue.forget(rank);
        node.close();
        ++side.expanded;
        const Node view = side.view_of(state, entry.cost, wide, rank);
        observer_.expand(view);
        generate(side, other, node, state, entry.cost, estimate, opposite);
        if constexpr (is_watched) {
            insert_successors(side, other, &view, entry.priority);
        }
        return true;
    }

    template <class OneSide, class Other>
    void generate(OneSide& side, const Other& other, const typename OneSide::Node& node, const State& state,
                  const Cost& cost, const typename OneSide::Estimate& estimate,
                  const typename OneSide::OppositeEstimates::Estimate& opposite) {
        using Table = typename OneSide::Table;
        const auto evaluation = side.own.evaluation_of(state, estimate);
        const auto opposite_evaluation = [&] {
            if constexpr (asks_opposite) {
                return side.opposite.evaluation_of(state, opposite);
            } else {
                return Nothing{};
            }
        }();
        for_each_neighbor(
            *side.problem, side.table, node, state, [&](State&& child, const Cost& step, const auto& move) {
                if constexpr (is_weighted<Forward> && HasLeastCost<P>) {
                    if (!(step < Cost{}) && saturating_cast<Wide>(step) < epsilon_) {
                        ++statistics_.contract_violations;
                        NPUZZLE_ASSERT(false && "no step costs less than the least");
                    }
                }
                const Cost child_cost = saturating_add<Cost>(cost, step);
                if (!may_follow(step, child_cost, Table::can_hold, statistics_,
                                [this](const Cost& sum) { best_.drop(saturating_cast<Wide>(sum)); })) {
                    return;
                }
                const auto child_evaluation = side.own.evaluate_child(evaluation, state, move, child);
                typename OneSide::OppositeEvaluation opposite_child{};
                if constexpr (asks_opposite) {
                    opposite_child = side.opposite.evaluate_child(opposite_evaluation, state, move, child);
                }
                side.pending.emplace_back(side.table, other.table, std::move(child), child_cost,
                                          child_evaluation, opposite_child, Table::link(node, move));
            });
    }

    /// Inserts the pending neighbors into the side's node table, and puts those that are new or nearer than
    /// known on its open list.
    /// \param parent theirs, for the observer, where there is only one
    template <class OneSide, class Other>
    void insert_successors(OneSide& side, Other& other, const Node* parent, const Wide& parent_priority) {
        for (const auto& each : side.pending) {
            side.table.prefetch_slot(each.probe);
            other.table.prefetch_slot(each.hint);
        }
        for (const auto& each : side.pending) {
            side.table.prefetch(each.probe);
        }
        for (auto& each : side.pending) {
            arrive(side.table, each.probe, each.cost, each.link, statistics_,
                   Arriving<OneSide, Other>{{}, *this, side, other, each, parent, parent_priority});
        }
        side.pending.clear();
        statistics_.peak_open =
            std::max<std::uint64_t>(statistics_.peak_open, forward_.queue.size() + backward_.queue.size());
    }

    /// The arrival of a neighbor on one side.
    template <class OneSide, class Other>
    struct Arriving : ArrivalRules {
        static constexpr bool is_watched = BidirectionalSearch::is_watched;
        static constexpr bool closes_dead_ends = false;

        BidirectionalSearch& search;
        OneSide& side;
        const Other& other;
        const typename OneSide::Pending& pending;
        const Node* from;
        const Wide& from_priority;
        Rank<Wide> rank{};

        [[nodiscard]] auto& observer() const { return search.observer_; }
        [[nodiscard]] const Node& parent() const { return *from; }

        [[nodiscard]] auto estimate(const typename OneSide::Node& node, bool is_new,
                                    const State& state) const {
            return side.estimate_of(node, is_new, pending, state);
        }

        auto view(const State& state, const Cost& cost, const typename OneSide::Estimate& estimate) {
            const Wide wide = saturating_cast<Wide>(estimate);
            rank = rank_of<Wide>(cost, wide, side.opposite_of(pending, state));
            return side.view_of(state, cost, wide, rank);
        }

        void relaxing(const typename OneSide::Node& node, const Node& view) const {
            if (!node.is_closed()) {
                side.queue.forget(rank_of<Wide>(node.cost(), view.estimate, Wide{}));
            }
        }

        NPUZZLE_ALWAYS_INLINE bool is_beyond(typename OneSide::Node& node, const Node& view) const {
            const auto there = other.table.find(pending.hint, view.state);
            if (there) {
                search.best_.meet(view.state, view.cost, there->cost());
            }
            if (is_infinite(view.estimate) || search.best_.is_too_dear(rank.priority) ||
                search.best_.has_overflowed(rank, view.priority) ||
                !search.best_.may_improve(rank.priority) || (nips && there && there->is_closed())) {
                if constexpr (counts_nodes) {
                    node.close();
                }
                return true;
            }
            constexpr bool is_promised =
                Method::template is_monotone<declares_consistent<typename decltype(side.own)::Heuristic>>;
            check_consistency<is_promised>(from_priority, view.priority, search.statistics_);
            return false;
        }

        void open(const typename OneSide::Node& node, const Node& view, Arrival /*arrival*/) const {
            side.queue.push(rank, view.cost, node.key());
        }
    };

    Selection selection_;
    Meeting best_;
};

} // namespace detail
} // namespace npuzzle
