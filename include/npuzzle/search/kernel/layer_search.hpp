#pragma once

#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/kernel/expansion.hpp"
#include "npuzzle/search/kernel/layers.hpp"
#include "npuzzle/search/kernel/limit_monitor.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace npuzzle::detail {

/// A breadth-first search by layers, one expansion after another.
///
/// \tparam Layers `LastLayers<P>` or `AllLayers<P>`
template <Problem P, class Layers, class O>
class LayerSearch {
public:
    using State = state_t<P>;
    using Node = NodeView<State, int, int, int>;

    /// Refers to all of these.
    LayerSearch(const P& problem, O& observer, LimitMonitor& monitor, MemoryBudget& budget,
                Statistics& statistics)
        : problem_(&problem), observer_(&observer), monitor_(&monitor), statistics_(&statistics),
          layers_(problem, budget) {}

    void start(const State& state) {
        layers_.start(state);
        observer_->start(Node{state, 0, 0, 0});
    }

    /// The depth of the current layer.
    [[nodiscard]] int depth() const noexcept { return depth_; }
    Layers& layers() { return layers_; }
    [[nodiscard]] const Layers& layers() const noexcept { return layers_; }

    /// Expands up to `most` states of the current layer, fewer at a limit, and calls `visit(state)` for each
    /// state that is new, until one call returns true. Returns `running` if there may be more to expand,
    /// `solved` if a visit returned true, `unsolvable` if the layer is done; else the limit.
    template <class Visit>
    Status expand(unsigned most, Visit&& visit) {
        pending_.clear();
        for (unsigned i = 0; i < most; ++i) {
            const std::optional<MarkedState<State>> taken = layers_.take();
            if (!taken) {
                return end_with(Status::unsolvable, visit);
            }
            if (monitor_->is_due(statistics_->expanded)) {
                const Status limit = monitor_->check(statistics_->expanded);
                if (limit != Status::running) {
                    return end_with(limit, visit);
                }
                Statistics now = *statistics_;
                now.seconds = monitor_->seconds();
                observer_->progress(now);
            }
            ++statistics_->expanded;
            if constexpr (is_watched) {
                observer_->expand(Node{taken->state, depth_, 0, depth_});
            }
            for_each_neighbor(*taken, [&](const State& state, unsigned marks) {
                ++statistics_->generated;
                if constexpr (is_watched) {
                    observer_->generate(Node{state, depth_ + 1, 0, depth_ + 1},
                                        Node{taken->state, depth_, 0, depth_});
                    found_ = found_ || add({state, marks}, visit);
                } else {
                    layers_.prefetch(state);
                    pending_.push_back({state, marks});
                }
            });
            if (found_) {
                return Status::solved;
            }
        }
        return end_with(Status::running, visit);
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

private:
    static constexpr bool is_watched = !std::same_as<O, SilentObserver>;

    template <class Visit>
    Status end_with(Status status, Visit& visit) {
        for (const MarkedState<State>& neighbor : pending_) {
            if (add(neighbor, visit)) {
                return Status::solved;
            }
        }
        return status;
    }

    template <class Visit>
    bool add(const MarkedState<State>& neighbor, Visit& visit) {
        if (layers_.add(neighbor)) {
            return visit(neighbor.state);
        }
        ++statistics_->duplicates;
        if constexpr (is_watched) {
            observer_->duplicate(Node{neighbor.state, depth_ + 1, 0, depth_ + 1});
        }
        return false;
    }

    /// Calls `visit(neighbor, marks)`, by all moves but those that are marked.
    template <class F>
    void for_each_neighbor(const MarkedState<State>& from, F&& visit) const {
        if constexpr (detail::has_moves<P>) {
            problem_->for_each_move(from.state, P::no_move, [&](const auto& move) {
                unsigned back = 0;
                if constexpr (marked_moves<P> > 0) {
                    if ((from.marks >> static_cast<unsigned>(move) & 1U) != 0) {
                        return;
                    }
                    back = 1U << static_cast<unsigned>(problem_->inverse(move));
                }
                State child = from.state;
                problem_->apply(child, move);
                visit(child, back);
            });
        } else {
            for (auto&& neighbor : problem_->neighbors(from.state)) {
                visit(end_of<P>(neighbor), 0);
            }
        }
    }

    const P* problem_;
    O* observer_;
    LimitMonitor* monitor_;
    Statistics* statistics_;
    Layers layers_;
    std::vector<MarkedState<State>> pending_;
    int depth_ = 0;
    bool found_ = false;
};

/// How many states are expanded before their neighbors are looked up, so that cache misses overlap.
inline constexpr unsigned layer_batch = 16;

/// The deepest layer that limits allow to be made. Where it is inlined, g++ 12 takes the value of an empty
/// optional for one that is read without having been set.
NPUZZLE_NOINLINE inline int max_layer(const BasicLimits<int>& limits) {
    return limits.max_cost.value_or(std::numeric_limits<int>::max());
}

} // namespace npuzzle::detail
