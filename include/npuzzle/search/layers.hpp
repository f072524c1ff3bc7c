#pragma once

#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/engine/layer_stores.hpp"
#include "npuzzle/search/engine/work_monitor.hpp"
#include "npuzzle/search/with_goals.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Breadth-first search layer by layer: `breadth_first_layers` counts the states of each layer,
/// `frontier_search` finds a path and keeps few layers. On packed states, `breadth_first` is such a search,
/// too.

namespace npuzzle {

/// What frontier search needs of a problem: all steps lead both ways (`is_undirected`, as of an
/// `UndirectedProblem`, but no `goal()`), and cost one.
template <class P>
concept FrontierProblem =
    Problem<P> && bool(P::is_undirected) && !is_weighted<P> && (PackedProblem<P> || HasHash<P>);

/// The outcome of `breadth_first_layers`; true if the whole space was counted.
struct LayerCounts {
    /// `solved` if every state that can be reached was counted, else what ended the count.
    SearchStatus status = SearchStatus::running;
    /// How many states need 0, 1, 2, ... steps: of the layers that are complete.
    std::vector<std::uint64_t> counts;
    Statistics statistics;

    explicit operator bool() const { return status == SearchStatus::solved; }
};

namespace detail {

/// Breadth-first search layer by layer, which ends when a goal is generated.
///
/// `advance` expands a batch of states of the current layer: it collects their children, requests the memory
/// in which they will be looked up, and then adds those that are new to the next layer. So the cache misses
/// overlap. If no state is left, the next layer becomes the current one.
///
/// \tparam Layers the store of the states: `AllLayers`, `LastLayers` or `NumberedLayers`
/// \tparam O an `ObserverOf` nodes of estimate 0, whose priority is their depth
/// \tparam Goal `goal(state)`; `NoGoal` to reach all states
/// \tparam OnLayer `on_layer(depth, count)` is called for each complete layer, and may return false to stop
template <Problem P, class Layers, class O, class Goal, class OnLayer = Sink>
class LayerSearch : public Engine {
public:
    using State = state_t<P>;
    using Node = NodeView<State, int, int, int>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// \param limits `max_cost` is the greatest depth of a goal, or of a layer
    LayerSearch(const P& problem, const State& start, const BasicLimits<int>& limits, O&& observer, Goal goal,
                OnLayer&& on_layer = {})
        : Engine(limits), layers(problem, budget_), problem_(&problem),
          max_depth_(limits.max_cost.value_or((std::numeric_limits<int>::max)())),
          observer_(std::forward<O>(observer)), goal_(goal), on_layer_(std::forward<OnLayer>(on_layer)) {
        guarded(observer_, [&] {
            const State& first = checked_state(problem, start);
            layers.add(first, layers.key(first), 0);
            statistics_.stored = statistics_.peak_open = next_count_ = 1;
            observer_.start(view(start, 0));
            if (depth_ < max_depth_ && goal_(start)) {
                reach(start);
            } else {
                end_layer();
            }
        });
    }

    SearchStatus run() {
        return Engine::run(observer_, [this] { advance(); });
    }
    /// The depth of the goal if the search is solved, else of the layer being expanded.
    [[nodiscard]] int depth() const noexcept { return depth_; }
    /// How many states there are at each depth, for the complete layers.
    [[nodiscard]] const std::vector<std::uint64_t>& layer_counts() const noexcept { return counts_; }

    using Engine::budget_, Engine::outcome, Engine::statistics_;
    Layers layers;
    std::optional<State> end; ///< the goal that was reached

private:
    static constexpr bool is_watched = sees_nodes<O>;
    static constexpr bool finds_goals = !std::same_as<Goal, NoGoal>;
    static constexpr unsigned batch = is_watched ? 1 : 16;

    /// A neighbor of a state of the batch, not looked up yet.
    struct Child {
        State state;
        typename Layers::Key key;
        std::uint32_t link;
        unsigned parent; // its place in the batch
    };

    static Node view(const State& state, int depth) { return Node{state, depth, 0, depth}; }

    /// Expands some states of the current layer, or ends it.
    void advance() {
        const std::uint64_t before = statistics_.expanded;
        std::optional<LayerState<State>> from;
        // Limits are checked when all children so far have been added.
        for (unsigned i = 0; i < batch && (i == 0 || !monitor_.is_due(statistics_.expanded)); ++i) {
            from = layers.take();
            if (!from) break;
            if (!may_expand(observer_)) return;
            ++statistics_.expanded;
            observer_.expand(view(from->state, depth_));
            for_each_child(*from, [&](State&& child, std::uint32_t link) {
                if (!layers.is_parent(child)) {
                    const auto key = layers.key(child);
                    layers.prefetch(key);
                    children_.push_back({std::move(child), key, link, i});
                }
            });
        }
        add_children(before, from ? &from->state : nullptr);
        if (status_ == SearchStatus::running && !from) end_layer();
    }

    /// Calls `visit(child, link)` for the neighbors of a state, without those to which a marked move leads.
    template <class F>
    void for_each_child(const LayerState<State>& from, F&& visit) {
        if constexpr (Layers::marks_moves) {
            problem_->for_each_move(from.state, P::no_move, [&](const auto& move) {
                const auto step = step_cost(*problem_, from.state, move);
                if ((from.link >> static_cast<unsigned>(move) & 1U) == 0 &&
                    accept_step(step, step, is_finite)) {
                    State child = from.state;
                    problem_->apply(child, move);
                    visit(std::move(child), 1U << static_cast<unsigned>(problem_->inverse(move)));
                }
            });
        } else {
            for_each_neighbor(*problem_, from.state,
                              [&](State&& child, const auto& step, const auto& /*move*/) {
                                  if (accept_step(step, step, is_finite)) visit(std::move(child), from.link);
                              });
        }
    }

    /// Adds the children of the batch that are new to the next layer.
    /// \param before how many states had been expanded before the batch
    /// \param parent the state of a batch of one
    void add_children(std::uint64_t before, const State* parent) {
        for (const Child& child : children_) {
            const Node node = view(child.state, depth_ + 1);
            ++statistics_.generated;
            if constexpr (is_watched) observer_.generate(node, view(*parent, depth_));
            if (!layers.add(child.state, child.key, child.link)) {
                ++statistics_.duplicates;
                observer_.duplicate(node);
                continue;
            }
            ++next_count_;
            if (depth_ < max_depth_ && goal_(child.state)) {
                statistics_.expanded = before + child.parent + 1; // later parents were not needed
                reach(child.state);
                break;
            }
        }
        children_.clear();
        statistics_.stored = (std::max)(statistics_.stored, layers.stored());
        statistics_.peak_open = (std::max)(statistics_.peak_open, counts_.back() + next_count_);
    }

    /// Ends the search at a goal in the next layer.
    void reach(const State& goal) {
        end = goal;
        observer_.goal(view(goal, ++depth_));
        finish(observer_, SearchStatus::solved);
    }

    void end_layer() {
        if (next_count_ == 0) {
            using enum SearchStatus;
            return finish(observer_, pruned_by_bound_ ? cost_overflow : finds_goals ? unsolvable : solved);
        }
        layers.advance();
        ++depth_;
        counts_.push_back(next_count_);
        // If all states are kept, those at the greatest depth are expanded, too: without new children, there
        // is no goal at all.
        const bool proves_more = finds_goals && Layers::keeps_all;
        if (!wants_more(on_layer_, depth_, std::exchange(next_count_, 0))) {
            finish(observer_, SearchStatus::cancelled);
        } else if (proves_more ? depth_ > max_depth_ : depth_ >= max_depth_) {
            finish(observer_, SearchStatus::cost_limit);
        }
    }

    const P* problem_;
    int max_depth_;
    int depth_ = -1; // of the current layer; the start is in the first one
    std::vector<std::uint64_t> counts_;
    std::uint64_t next_count_ = 0; // states of the next layer so far
    O observer_;
    Goal goal_;
    OnLayer on_layer_;
    std::vector<Child> children_; // of the batch
};

/// Finds a path of known length between two states by divide and conquer: a state in the middle, found by two
/// searches toward each other, and then both halves.
template <FrontierProblem P>
struct PathByLayers {
    using State = state_t<P>;

    const P& problem;
    const BasicLimits<int>& limits;
    Statistics statistics; // of all searches so far, whose sum is limited
    SearchStatus status;   // of the last search

    /// Appends a path of `depth` steps, without its last state. False if a limit was reached.
    bool append(const State& from, const State& to, int depth, std::vector<State>& path) {
        if (depth <= 1) {
            path.insert(path.end(), static_cast<std::size_t>(depth), from);
            return true;
        }
        const int half = depth / 2;
        const std::optional<State> middle = find_middle(from, to, half, depth - half);
        return middle && append(from, *middle, half, path) && append(*middle, to, depth - half, path);
    }

private:
    /// A state at these distances from both ends.
    std::optional<State> find_middle(const State& from, const State& to, int from_depth, int to_depth) {
        BasicLimits<int> left = remaining(limits, statistics);
        left.max_cost = from_depth;
        LayerSearch<P, LastLayers<P>, SilentObserver, NoGoal> first(problem, from, left, {}, {});
        status = first.run();
        statistics.merge_sequential(first.statistics());
        if (status != SearchStatus::cost_limit) return std::nullopt;
        first.layers.keep_current();
        const std::uint64_t held = first.budget_.used();
        left = remaining(limits, statistics);
        left.max_cost = to_depth;
        left.bytes -= left.bytes == Limits::unlimited ? 0 : held;
        const auto is_there = [&](const State& state) { return first.layers.contains(state); };
        using Second = LayerSearch<P, LastLayers<P>, SilentObserver, decltype(is_there)>;
        Second second(problem, to, left, {}, is_there);
        status = second.run();
        Statistics of_second = second.statistics();
        of_second.bytes += held;
        statistics.merge_sequential(of_second);
        return second.end;
    }
};

/// Searches for a goal, and then for a path to it if that is wanted.
template <bool finds_path, class P, class O>
search_result_t<P> search_frontier(const P& problem, const state_t<P>& start, const BasicLimits<int>& limits,
                                   O&& observer) {
    const auto is_goal = [&](const state_t<P>& state) { return bool(problem.is_goal(state)); };
    return guarded_search([&] {
        LayerSearch<P, LastLayers<P>, O, decltype(is_goal)> search(problem, start, limits,
                                                                   std::forward<O>(observer), is_goal);
        search.run();
        search.layers.clear();
        return search.outcome(search_result_t<P>{}, [&](search_result_t<P>& result) {
            result.cost = result ? search.depth() : 0;
            if (!result || !finds_path) return;
            PathByLayers<P> halves{problem, limits, result.statistics, result.status};
            const bool is_whole = halves.append(start, *search.end, search.depth(), result.path);
            result.statistics = halves.statistics;
            if (is_whole) {
                result.path.push_back(*search.end);
                look_up_steps(problem, result.path, moves_of<P>(result));
            } else {
                result.status = halves.status;
                result.path.clear();
                result.cost = 0;
            }
        });
    });
}

} // namespace detail

/// Counts the states that can be reached from `start` in 0, 1, 2, ... steps and in no fewer, layer by layer,
/// whatever steps cost, if it is finite: breadth-first search (E. F. Moore 1959) of a whole space, with or
/// without a goal.
///
/// Memory: of a `NumberedProblem` two bits for each number, and about half as much again for lists; of any
/// other `UndirectedProblem` two or three layers (R. E. Korf, W. Zhang, I. Thayer, H. Hohwald, "Frontier
/// search", 2005); else all states. A state of a `PackedProblem` takes its word, and five to ten bytes of an
/// index.
///
/// \param limits `max_cost`, 0 or more, is the depth of the last layer that is counted: `cost_limit` then,
///        though there may be no other
/// \param callback called with the depth and the count of each layer as soon as that is complete, from 0 and
///        1 on; if it returns something that converts to `bool`, false ends the count with
///        `Status::cancelled`
/// \return never throws for lack of memory: that is `Status::memory_limit`. What the problem, the callback or
///         the observer throws otherwise passes through.
template <Problem P, class Callback = detail::Sink,
          class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
    requires std::invocable<Callback&, int, std::uint64_t> && (PackedProblem<P> || HasHash<P>)
LayerCounts breadth_first_layers(const P& problem, const detail::named_state_t<P>& start,
                                 BasicLimits<int> limits = {}, Callback&& callback = {}, O&& observer = O{}) {
    using Layers = std::conditional_t<
        NumberedProblem<P>, detail::NumberedLayers<P>,
        std::conditional_t<UndirectedProblem<P>, detail::LastLayers<P>, detail::AllLayers<P>>>;
    return detail::guarded_search([&] {
        detail::LayerSearch<P, Layers, O, detail::NoGoal, Callback> search(
            problem, start, limits, std::forward<O>(observer), detail::NoGoal{},
            std::forward<Callback>(callback));
        search.run();
        return search.outcome(LayerCounts{},
                              [&](LayerCounts& result) { result.counts = search.layer_counts(); });
    });
}

/// Finds a path of the fewest steps by breadth-first frontier search (R. E. Korf, W. Zhang, I. Thayer, H.
/// Hohwald, "Frontier search", Journal of the ACM 52, 2005). It ends when a goal is generated.
///
/// Memory holds three layers, or two if the words of a problem have room to mark the moves that lead back.
/// The path is found afterwards, by divide and conquer: a search finds a state in the middle, and then each
/// half in the same way. If layers grow, that takes much less time and memory than the search for the goal;
/// else a few times as much time. `Statistics::stored` is the number of states held, `peak_open` the most in
/// the current and the next layer together.
///
/// \param limits `max_cost` is the greatest depth of a goal; the others hold for the search and the path
/// \param observer sees nodes of estimate 0, whose priority is their depth; and not the search for the path
/// \return as from `astar`; without a path if a limit ended the search for it: `frontier_depth` needs less
template <FrontierProblem P, class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
search_result_t<P> frontier_search(const P& problem, const detail::named_state_t<P>& start,
                                   BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::search_frontier<true>(problem, start, limits, std::forward<O>(observer));
}

/// The same without the path: how far the nearest goal is. `path` and `moves` are empty.
template <FrontierProblem P, class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
search_result_t<P> frontier_depth(const P& problem, const detail::named_state_t<P>& start,
                                  BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::search_frontier<false>(problem, start, limits, std::forward<O>(observer));
}

} // namespace npuzzle
