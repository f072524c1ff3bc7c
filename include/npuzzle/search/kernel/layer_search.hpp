#pragma once

#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/engine/expansion.hpp"
#include "npuzzle/search/engine/limit_monitor.hpp"
#include "npuzzle/search/kernel/layers.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace npuzzle {

/// What frontier search needs of a problem: all steps lead both ways (`is_undirected`, as of an
/// `UndirectedProblem`, but no `goal()`), and cost one.
template <class P>
concept FrontierProblem =
    Problem<P> && bool(P::is_undirected) && !is_weighted<P> && (PackedProblem<P> || HasHash<P>);

} // namespace npuzzle

namespace npuzzle::detail {

/// A breadth-first search by layers, one expansion after another.
/// \tparam Layers `LastLayers<P>` or `AllLayers<P>`
template <Problem P, class Layers, class O>
class LayerSearch {
public:
    using State = state_t<P>;
    using Node = NodeView<State, int, int, int>;

    /// Refers to all of these.
    LayerSearch(const P& problem, O& observer, LimitMonitor& monitor, MemoryBudget& budget,
                Statistics& statistics)
        : problem_(&problem), observer_(&observer), monitor_(&monitor), budget_(&budget),
          statistics_(&statistics), layers_(problem, budget) {}

    void start(const State& state) {
        layers_.start(checked_state(*problem_, state));
        observer_->start(Node{state, 0, 0, 0});
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

    /// Expands up to `most` states of the current layer, fewer at a limit, and calls `is_end(neighbor)` with
    /// the `MarkedState` of each state that is new, until one call returns true. Returns `running` if there
    /// may be more to expand, `solved` if there is an `end()`, `unsolvable` if the layer is done; else the
    /// limit.
    template <class IsEnd>
    SearchStatus expand(unsigned most, IsEnd&& is_end) {
        pending_.clear();
        pending_begins_.clear();
        for (unsigned i = 0; i < most; ++i) {
            const std::optional<MarkedState<State>> taken = layers_.take();
            if (!taken) {
                return end_with(SearchStatus::unsolvable, is_end);
            }
            const std::uint64_t expanded = statistics_->expanded + pending_begins_.size();
            if (monitor_->is_due(expanded)) {
                const SearchStatus limit = monitor_->check(expanded);
                if (limit != SearchStatus::running) {
                    return end_with(limit, is_end);
                }
                tell_progress();
            }
            if constexpr (is_watched) {
                ++statistics_->expanded;
                observer_->expand(view(taken->state, depth_));
            } else {
                pending_begins_.push_back(pending_.size());
            }
            for_each_neighbor(*taken, [&](const State& state, std::uint16_t marks) {
                ++statistics_->generated;
                if constexpr (is_watched) {
                    observer_->generate(view(state, depth_ + 1), view(taken->state, depth_));
                    if (!end_) {
                        add({state, marks}, is_end);
                    }
                } else {
                    pending_.push_back({state, marks});
                }
            });
            if (end_) {
                return SearchStatus::solved;
            }
        }
        return end_with(SearchStatus::running, is_end);
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

    static Node view(const State& state, int depth) { return Node{state, depth, 0, depth}; }

private:
    static constexpr bool is_watched = sees_nodes<O>;

    void tell_progress() {
        Statistics now = *statistics_;
        now.stored = layers_.stored();
        now.bytes = budget_->peak();
        now.seconds = monitor_->seconds();
        observer_->progress(now);
    }

    template <class IsEnd>
    SearchStatus end_with(SearchStatus status, IsEnd& is_end) {
        for (const MarkedState<State>& each : pending_) { // all at once, so that their cache misses overlap
            layers_.prefetch(each.state);
        }
        // A state counts as expanded when its neighbors are added: those after the end were not needed.
        std::size_t parents = 0;
        for (std::size_t i = 0; i < pending_.size(); ++i) {
            for (; parents < pending_begins_.size() && pending_begins_[parents] <= i; ++parents) {
                ++statistics_->expanded;
            }
            if (add(pending_[i], is_end)) {
                return SearchStatus::solved;
            }
        }
        statistics_->expanded += pending_begins_.size() - parents;
        return status;
    }

    /// True if the neighbor is the end.
    template <class IsEnd>
    bool add(const MarkedState<State>& neighbor, IsEnd& is_end) {
        if (layers_.add(neighbor)) {
            if (is_end(neighbor)) {
                end_ = neighbor;
            }
            return end_.has_value();
        }
        ++statistics_->duplicates;
        if constexpr (is_watched) {
            observer_->duplicate(view(neighbor.state, depth_ + 1));
        }
        return false;
    }

    /// Calls `visit(neighbor, marks)`, by all moves but those that are marked.
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
                visit(child, static_cast<std::uint16_t>(back));
            });
        } else {
            detail::for_each_neighbor(
                *problem_, from.state,
                [&](const State& child, const auto& /*step*/, const auto& /*move*/) { visit(child, 0); });
        }
    }

    const P* problem_;
    O* observer_;
    LimitMonitor* monitor_;
    MemoryBudget* budget_;
    Statistics* statistics_;
    Layers layers_;
    std::vector<MarkedState<State>> pending_;
    std::vector<std::size_t> pending_begins_; // where the neighbors of each state begin
    int depth_ = 0;
    std::optional<MarkedState<State>> end_;
};

/// How many states are expanded before their neighbors are looked up, so that cache misses overlap.
inline constexpr unsigned layer_batch = 16;

/// The deepest layer that limits allow to be made. Where it is inlined, g++ 12 takes the value of an empty
/// optional for one that is read without having been set.
NPUZZLE_NOINLINE inline int max_layer(const BasicLimits<int>& limits) {
    return limits.max_cost.value_or((std::numeric_limits<int>::max)());
}

} // namespace npuzzle::detail
