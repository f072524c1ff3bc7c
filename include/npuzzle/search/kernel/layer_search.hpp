#pragma once

#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/kernel/expansion.hpp"
#include "npuzzle/search/kernel/layers.hpp"
#include "npuzzle/search/kernel/limit_monitor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace npuzzle {

/// What frontier search and breadth-first heuristic search need of a problem: all steps lead both ways
/// (`is_undirected`, as of an `UndirectedProblem`, but no `goal()`), and cost one.
template <class P>
concept FrontierProblem =
    Problem<P> && bool(P::is_undirected) && UnitCostProblem<P> && (PackedProblem<P> || HasHash<P>);

} // namespace npuzzle

namespace npuzzle::detail {

/// For a search that no other has gone before: no state is known.
struct NothingKnown {
    void prefetch(const auto& /*state*/) const {}
    [[nodiscard]] bool contains(const auto& /*state*/, int /*depth*/) const { return false; }
};

/// A breadth-first search by layers, one expansion after another. With a heuristic, it follows no step to a
/// state whose depth and estimate together exceed a bound.
///
/// \tparam Layers `LastLayers<P>` or `AllLayers<P>`
/// \tparam Estimates an `Estimator`
/// \tparam Known `contains(state, depth)` says of a state that it is not to be followed from this depth on;
///         `prefetch(state)` announces that
template <Problem P, class Layers, class O, class Estimates = Estimator<Zero, P>, class Known = NothingKnown>
class LayerSearch {
    static constexpr bool is_blind = Estimates::is_zero;

public:
    using State = state_t<P>;
    using Estimate = std::conditional_t<is_blind, int, typename Estimates::Estimate>;
    using Node = NodeView<State, int, Estimate, Estimate>;
    using Unobserved = LayerSearch<P, Layers, SilentObserver, Estimates, Known>;
    using Options = Nothing;

    /// Refers to all of these.
    LayerSearch(const P& problem, O& observer, LimitMonitor& monitor, MemoryBudget& budget,
                Statistics& statistics, Options /*options*/ = {})
        requires is_blind
        : LayerSearch(problem, observer, monitor, budget, statistics, no_estimates(statistics), Known{}) {}

    LayerSearch(const P& problem, O& observer, LimitMonitor& monitor, MemoryBudget& budget,
                Statistics& statistics, const Estimates& estimates, const Known& known)
        : problem_(&problem), observer_(&observer), monitor_(&monitor), budget_(&budget),
          statistics_(&statistics), estimates_(estimates), known_(known), layers_(problem, budget) {}

    void start(const State& state) {
        layers_.start(state);
        observer_->start(Node{state, 0, 0, 0});
    }

    /// Begins again, without a state.
    /// \param depth of the current layer
    /// \param bound what a state's depth and estimate together may be
    void restart(int depth, int bound) {
        layers_.clear();
        depth_ = depth;
        bound_ = bound;
        excess_.reset();
        end_.reset();
    }

    [[nodiscard]] int depth() const noexcept { return depth_; }
    Layers& layers() { return layers_; }
    [[nodiscard]] const Layers& layers() const noexcept { return layers_; }

    [[nodiscard]] std::uint64_t layer_size() const noexcept { return layers_.current_size(); }
    [[nodiscard]] std::uint64_t stored() const noexcept { return layers_.stored(); }
    /// Whether a state is in the current layer.
    [[nodiscard]] bool contains(const State& state) const { return layers_.contains(state); }
    void keep_current() { layers_.keep_current(); }
    void clear() { layers_.clear(); }
    /// The state at which `expand` ended. Requires that it was `solved`.
    [[nodiscard]] const MarkedState<State>& end() const { return *end_; }

    /// By how much the bound must be raised at least for more states to be followed; nothing if no state was
    /// beyond it.
    [[nodiscard]] const std::optional<Estimate>& excess() const noexcept { return excess_; }

    /// Takes note of a state beyond the bound.
    void exceed(const Estimate& excess) {
        if (!excess_ || excess < *excess_) {
            excess_ = excess;
        }
    }

    /// Whether a state of this estimate is beyond the bound in the next layer, which is not deeper than that.
    bool is_beyond(const Estimate& estimate, int depth) {
        if constexpr (is_blind) {
            return false;
        } else {
            const auto room = saturating_cast<Estimate>(bound_ - depth);
            if (!(room < estimate)) {
                return false;
            }
            if (!is_infinite(estimate)) {
                exceed(static_cast<Estimate>(estimate - room));
            }
            return true;
        }
    }

    /// Expands up to `most` states of the current layer, fewer at a limit, and calls `is_end(neighbor)` with
    /// the `MarkedState` of each state that is new, until one call returns true. Returns `running` if there
    /// may be more to expand, `solved` if there is an `end()`, `unsolvable` if the layer is done; else the
    /// limit. With a heuristic, the layer must lie above the bound.
    template <class IsEnd>
    Status expand(unsigned most, IsEnd&& is_end) {
        pending_.clear();
        pending_begins_.clear();
        for (unsigned i = 0; i < most; ++i) {
            const std::optional<MarkedState<State>> taken = layers_.take();
            if (!taken) {
                return end_with(Status::unsolvable, is_end);
            }
            const std::uint64_t expanded = statistics_->expanded + pending_begins_.size();
            if (monitor_->is_due(expanded)) {
                const Status limit = monitor_->check(expanded);
                if (limit != Status::running) {
                    return end_with(limit, is_end);
                }
                tell_progress();
            }
            const Estimate estimate = estimate_of(taken->state);
            if constexpr (is_watched) {
                ++statistics_->expanded;
                observer_->expand(view(taken->state, depth_, estimate));
            }
            const auto evaluation = estimates_.evaluation_of(taken->state, estimate);
            if constexpr (!is_watched) {
                pending_begins_.push_back(pending_.size());
            }
            for_each_neighbor(*taken, [&](const State& state, std::uint16_t marks, const auto& move) {
                ++statistics_->generated;
                const Estimate reached = estimate_after(evaluation, taken->state, move, state);
                const bool is_beyond_bound = is_beyond(reached, depth_ + 1);
                if constexpr (is_watched) {
                    observer_->generate(view(state, depth_ + 1, reached),
                                        view(taken->state, depth_, estimate));
                    if (!end_ && !is_beyond_bound) {
                        add({state, marks, taken->ancestor}, is_end);
                    }
                } else if (!is_beyond_bound && !pass_on({state, marks, taken->ancestor})) {
                    pending_.push_back({state, marks, taken->ancestor});
                }
            });
            if (end_) {
                return Status::solved;
            }
        }
        return end_with(Status::running, is_end);
    }

    /// Goes to the next layer when the current one is done; false if there is none.
    bool advance() {
        statistics_->peak_open = statistics_->peak_open < layers_.current_size() + layers_.next_size()
                                     ? layers_.current_size() + layers_.next_size()
                                     : statistics_->peak_open;
        if (layers_.next_size() == 0) {
            return false;
        }
        layers_.advance();
        ++depth_;
        return true;
    }

    /// Goes to the next layer, though that is empty.
    void skip() {
        layers_.advance();
        ++depth_;
    }

    [[nodiscard]] Estimate estimate(const State& state) const {
        if constexpr (is_blind) {
            return 0;
        } else {
            return estimates_(state);
        }
    }

    [[nodiscard]] const Estimates& estimates() const noexcept { return estimates_; }

    static Node view(const State& state, int depth, const Estimate& estimate) {
        return Node{state, depth, estimate, AStarPriority<int, Estimate>{}(depth, estimate)};
    }

private:
    static constexpr bool is_watched = sees_nodes<O>;

    static Estimates no_estimates(Statistics& statistics) {
        static Zero zero;
        return Estimates(zero, statistics);
    }

    void tell_progress() {
        Statistics now = *statistics_;
        now.stored = layers_.stored();
        now.bytes = budget_->peak();
        now.seconds = monitor_->seconds();
        if constexpr (is_blind) {
            observer_->progress(now);
        } else {
            detail::tell_progress(*observer_, now, saturating_cast<Estimate>(bound_));
        }
    }

    /// The estimate of a state that is expanded, if it is needed.
    [[nodiscard]] Estimate estimate_of(const State& state) const {
        if constexpr (is_watched || (Estimates::is_incremental && !Estimates::is_evaluating)) {
            return estimate(state);
        } else {
            return Estimate{};
        }
    }

    template <class Evaluation, class Move>
    [[nodiscard]] Estimate estimate_after(const Evaluation& evaluation, const State& before, const Move& move,
                                          const State& after) const {
        if constexpr (is_blind) {
            return 0;
        } else {
            return estimates_.after(evaluation, before, move, after);
        }
    }

    /// Whether the neighbor belongs to other layers than these, and was handed on.
    bool pass_on([[maybe_unused]] const MarkedState<State>& neighbor) {
        if constexpr (requires { layers_.pass_on(neighbor); }) {
            return layers_.pass_on(neighbor);
        } else {
            return false;
        }
    }

    template <class IsEnd>
    Status end_with(Status status, IsEnd& is_end) {
        for (const MarkedState<State>& each : pending_) { // all at once, so that their cache misses overlap
            layers_.prefetch(each.state);
            known_.prefetch(each.state);
        }
        // A state counts as expanded when its neighbors are added: those after the end were not needed.
        std::size_t parents = 0;
        for (std::size_t i = 0; i < pending_.size(); ++i) {
            for (; parents < pending_begins_.size() && pending_begins_[parents] <= i; ++parents) {
                ++statistics_->expanded;
            }
            if (add(pending_[i], is_end)) {
                return Status::solved;
            }
        }
        statistics_->expanded += pending_begins_.size() - parents;
        return status;
    }

    /// True if the neighbor is the end.
    template <class IsEnd>
    bool add(const MarkedState<State>& neighbor, IsEnd& is_end) {
        if (!known_.contains(neighbor.state, depth_ + 1) && layers_.add(neighbor)) {
            if (is_end(neighbor)) {
                end_ = neighbor;
            }
            return end_.has_value();
        }
        ++statistics_->duplicates;
        if constexpr (is_watched) {
            observer_->duplicate(view(neighbor.state, depth_ + 1, estimate(neighbor.state)));
        }
        return false;
    }

    /// Calls `visit(neighbor, marks, move)`, by all moves but those that are marked.
    template <class F>
    void for_each_neighbor(const MarkedState<State>& from, F&& visit) const {
        if constexpr (marked_moves<P> > 0) {
            problem_->for_each_move(from.state, P::no_move, [&](const auto& move) {
                if ((unsigned{from.marks} >> static_cast<unsigned>(move) & 1U) != 0) {
                    return;
                }
                const unsigned back = 1U << static_cast<unsigned>(problem_->inverse(move));
                State child = from.state;
                problem_->apply(child, move);
                visit(child, static_cast<std::uint16_t>(back), move_t<P>(move));
            });
        } else {
            detail::for_each_neighbor(
                *problem_, from.state,
                [&](const State& child, const auto& /*step*/, const auto& move) { visit(child, 0, move); });
        }
    }

    const P* problem_;
    O* observer_;
    LimitMonitor* monitor_;
    MemoryBudget* budget_;
    Statistics* statistics_;
    NPUZZLE_NO_UNIQUE_ADDRESS Estimates estimates_;
    NPUZZLE_NO_UNIQUE_ADDRESS Known known_;
    Layers layers_;
    std::vector<MarkedState<State>> pending_;
    std::vector<std::size_t> pending_begins_; // where the neighbors of each state begin
    int depth_ = 0;
    int bound_ = std::numeric_limits<int>::max();
    std::optional<Estimate> excess_;
    std::optional<MarkedState<State>> end_;
};

/// How many states are expanded before their neighbors are looked up, so that cache misses overlap.
inline constexpr unsigned layer_batch = 16;

/// The deepest layer that limits allow to be made. Where it is inlined, g++ 12 takes the value of an empty
/// optional for one that is read without having been set.
NPUZZLE_NOINLINE inline int max_layer(const BasicLimits<int>& limits) {
    return limits.max_cost.value_or(std::numeric_limits<int>::max());
}

} // namespace npuzzle::detail
