#pragma once

#include "npuzzle/search/engine/call.hpp"
#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/engine/layers.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// What frontier search needs of a problem: all steps lead both ways (`is_undirected`, as of an
/// `UndirectedProblem`, but no `goal()`), and cost one.
template <class P>
concept FrontierProblem =
    Problem<P> && bool(P::is_undirected) && !is_weighted<P> && (PackedProblem<P> || HasHash<P>);

namespace detail {

struct IgnoreLayers {
    void operator()(int /*depth*/, std::uint64_t /*count*/) const {}
};

/// The goals of a problem.
template <Problem P>
struct GoalsOf {
    const P* problem;

    bool operator()(const state_t<P>& state) const { return bool(problem->is_goal(state)); }
};

/// A breadth-first search layer by layer, which ends when a goal is generated: see `breadth_first`,
/// `breadth_first_layers` and `frontier_search`. The states of a layer are expanded by batches, so that the
/// cache misses of their neighbors overlap.
///
/// \tparam Layers keeps the states: `AllLayers`, `LastLayers` or `NumberedLayers`
/// \tparam Goal `goal(state)`; `NoGoal` to reach all states
/// \tparam OnLayer `on_layer(depth, count)` is called for each complete layer, and may return false to stop
template <Problem P, class Layers, class O, class Goal, class OnLayer = IgnoreLayers>
class LayerSearch : public Engine {
public:
    using State = state_t<P>;
    using Node = NodeView<State, int, int, int>; ///< as observers see it

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// \param limits `max_cost` is the greatest depth of a goal, or of a layer
    LayerSearch(const P& problem, const State& start, const BasicLimits<int>& limits, O&& observer, Goal goal,
                OnLayer&& on_layer = {})
        : Engine(limits), max_depth_(max_layer(limits)), observer_(std::forward<O>(observer)), goal_(goal),
          on_layer_(std::forward<OnLayer>(on_layer)), layers_(problem, budget_) {
        guarded(observer_, [&] {
            layers_.start(checked_state(problem, start));
            statistics_.stored = 1;
            observer_.start(view(start, 0));
            if (max_depth_ >= 0 && goal_(start)) {
                counts_.push_back(1);
                reach(start, 0);
            } else {
                complete_layer();
            }
        });
    }

    /// One expansion, the end of a layer, or the end of the search. Returns whether the search goes on.
    bool step() {
        return Engine::step(observer_, [this] { advance(1); });
    }

    /// Steps to the end.
    SearchStatus run() {
        return Engine::run(observer_, [this] { advance(is_watched ? 1 : 16); });
    }

    /// The depth of the goal if the search is solved, else the depth of the layer being expanded.
    [[nodiscard]] int depth() const noexcept { return depth_; }

    /// How many states there are at each depth, for the complete layers.
    [[nodiscard]] const std::vector<std::uint64_t>& layer_counts() const noexcept { return counts_; }

protected:
    static constexpr bool finds_goals = !std::same_as<Goal, NoGoal>;
    /// Whether states at the greatest depth are expanded, too: a proof that there are no others.
    static constexpr bool expands_last_layer = finds_goals && Layers::keeps_all;

    std::optional<State> end_; // the goal that was reached

private:
    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;

    /// A neighbor of a state of the batch, to be looked up.
    struct Child {
        State state;
        typename Layers::Key key;
        unsigned mark;
        std::uint32_t parent;
        unsigned place; // of the parent in the batch
    };

    /// Where it is inlined, g++ 12 takes the value of an empty optional for one that is read without having
    /// been set.
    NPUZZLE_NOINLINE static int max_layer(const BasicLimits<int>& limits) {
        return limits.max_cost.value_or((std::numeric_limits<int>::max)());
    }

    static Node view(const State& state, int depth) { return Node{state, depth, 0, depth}; }

    /// Expands some states of the current layer, or ends it.
    void advance(unsigned batch) {
        const std::uint64_t before = statistics_.expanded;
        std::optional<LayerState<State>> from;
        // A limit is looked at when all children before it have been added.
        for (unsigned i = 0; i < batch && (i == 0 || !monitor_.is_due(statistics_.expanded)); ++i) {
            from = layers_.take();
            if (!from) {
                break;
            }
            if (!may_expand(observer_)) {
                return;
            }
            ++statistics_.expanded;
            observer_.expand(view(from->state, depth_));
            layers_.for_each_child(*from, [&](State&& child, unsigned mark) {
                const auto key = layers_.key(child);
                layers_.prefetch(key);
                children_.push_back({std::move(child), key, mark, from->number, i});
            });
        }
        add_children(before, from ? &from->state : nullptr);
        if (status_ == SearchStatus::running && !from) {
            end_layer();
        }
    }

    /// \param before how many states had been expanded before the batch
    /// \param parent of the children, if there is only one
    void add_children(std::uint64_t before, const State* parent) {
        for (const Child& child : children_) {
            const Node node = view(child.state, depth_ + 1);
            ++statistics_.generated;
            if constexpr (is_watched) {
                observer_.generate(node, view(*parent, depth_));
            }
            if (!layers_.add(child.state, child.key, child.mark, child.parent)) {
                ++statistics_.duplicates;
                observer_.duplicate(node);
            } else if (depth_ < max_depth_ && goal_(child.state)) {
                statistics_.expanded = before + child.place + 1; // those after it were not needed
                reach(child.state, depth_ + 1);
                break;
            }
        }
        children_.clear();
        statistics_.stored = (std::max)(statistics_.stored, layers_.stored());
    }

    void reach(const State& goal, int depth) {
        end_ = goal;
        depth_ = depth;
        observer_.goal(view(goal, depth));
        finish(SearchStatus::solved);
    }

    void end_layer() {
        note_open();
        if (layers_.next_size() == 0) {
            finish(finds_goals ? SearchStatus::unsolvable : SearchStatus::solved);
            return;
        }
        layers_.advance();
        ++depth_;
        complete_layer();
    }

    void complete_layer() {
        const std::uint64_t count = layers_.current_size();
        counts_.push_back(count);
        if (!wants_more(on_layer_, depth_, count)) {
            return finish(SearchStatus::cancelled);
        }
        if (expands_last_layer ? depth_ > max_depth_ : depth_ >= max_depth_) {
            finish(SearchStatus::cost_limit);
        }
    }

    void note_open() {
        statistics_.peak_open =
            (std::max)(statistics_.peak_open, layers_.current_size() + layers_.next_size());
    }

    void finish(SearchStatus status) {
        note_open();
        if constexpr (finds_goals && !Layers::keeps_all) {
            layers_.clear();
        }
        Engine::finish(observer_, status);
    }

    int max_depth_;
    int depth_ = 0;
    std::vector<std::uint64_t> counts_;
    O observer_;
    Goal goal_;
    OnLayer on_layer_;

protected:
    Layers layers_;

private:
    std::vector<Child> children_; // of the batch
};

} // namespace detail
} // namespace npuzzle
