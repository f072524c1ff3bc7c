#pragma once

#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/memory/budget_allocator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace npuzzle {

/// The options of depth-first search.
struct DepthFirstOptions {
    static constexpr std::size_t unlimited = (std::numeric_limits<std::size_t>::max)();

    /// The most steps of a path. If it cuts a search off, the status is `depth_limit`.
    std::size_t max_depth = unlimited;
};

/// Depth-first search to a bound on the depth, as an object. Each `step` takes the last generated state, and
/// expands it unless it is a goal. States on the path are not followed again: a look-up takes expected O(1)
/// time if the problem `HasHash`, else time linear in the depth. `Statistics::stored` is the greatest length
/// of the path. Observers see nodes of estimate zero.
template <Problem P, class O = SilentObserver>
class DepthFirstEngine : public Engine {
public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Result = search_result_t<P>;
    using Node = NodeView<State, Cost, Cost, Cost>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    DepthFirstEngine(detail::Lasting<P> problem, const State& start, DepthFirstOptions options = {},
                     const BasicLimits<Cost>& limits = {}, O&& observer = O{})
        : Engine(limits), problem_(problem.address), start_(start), observer_(std::forward<O>(observer)),
          max_cost_(detail::checked_max_cost(limits.max_cost)), path_(BudgetAllocator<Step>(budget_)),
          on_path_(0, {problem_}, {problem_}, BudgetAllocator<const State*>(budget_)),
          untried_(BudgetAllocator<Step>(budget_)) {
        observer_.start(Node{detail::checked_state(*problem_, start), Cost{}, Cost{}, Cost{}});
        deepen(options.max_depth);
    }

    /// Begins again from the start with another bound on the depth; statistics and limits go on.
    void deepen(std::size_t max_depth) {
        max_depth_ = max_depth;
        status_ = SearchStatus::running;
        pruned_by_depth_ = false;
        pruned_by_bound_ = detail::is_over(max_cost_, Cost{});
        guarded(observer_, [&] {
            shorten(0);
            untried_.clear();
            if (!pruned_by_bound_) untried_.push_back({start_, Cost{}, 0, detail::no_move<P>()});
        });
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        return Engine::step(observer_, [&] { advance(); });
    }

    /// Steps to the end.
    SearchStatus run() {
        return Engine::run(observer_, [&] { advance(); });
    }

    /// The outcome, with the path if the search is solved.
    [[nodiscard]] Result result() const {
        return outcome(Result{}, [this](Result& result) {
            if (status_ != SearchStatus::solved) return;
            for (const Step& step : path_) {
                if constexpr (detail::has_moves<P>) {
                    if (!result.path.empty()) result.moves.push_back(step.move);
                }
                result.path.push_back(step.state);
            }
            result.cost = path_.back().cost;
        });
    }

private:
    using Move = detail::move_or_nothing_t<P>;

    struct Step {
        State state;
        Cost cost;
        std::size_t depth;
        NPUZZLE_NO_UNIQUE_ADDRESS Move move;
    };

    struct HashAndEqual {
        const P* problem;

        std::size_t operator()(const State* state) const { return detail::hash_state(*problem, *state); }
        bool operator()(const State* a, const State* b) const { return detail::is_equal(*a, *b); }
    };

    /// Takes the last untried state that is not too deep.
    void advance() {
        for (;;) {
            if (untried_.empty()) {
                const SearchStatus end = exhausted(max_cost_, detail::is_finite);
                const bool is_limit = pruned_by_depth_ && end != SearchStatus::cost_overflow;
                return finish(observer_, is_limit ? SearchStatus::depth_limit : end);
            }
            if (monitor_.is_due(statistics_.expanded) && !problem_->is_goal(untried_.back().state) &&
                is_stopped(observer_)) {
                return;
            }
            shorten(untried_.back().depth);
            if (path_.size() == path_.capacity()) {
                on_path_.clear(); // The states are going to move.
            }
            path_.push_back(std::move(untried_.back()));
            untried_.pop_back();
            statistics_.stored = std::max<std::uint64_t>(statistics_.stored, path_.size());
            const Step& step = path_.back();
            const Node node = view_of(step);
            if (problem_->is_goal(node.state)) {
                observer_.goal(node);
                return finish(observer_, SearchStatus::solved);
            }
            if (step.depth == max_depth_) {
                pruned_by_depth_ = true;
                continue;
            }
            ++statistics_.expanded;
            observer_.expand(node);
            return expand(step);
        }
    }

    void expand(const Step& parent) {
        const std::size_t first = untried_.size();
        const auto leads_back = [&](const State& child) {
            return parent.depth > 0 && detail::is_equal(path_[parent.depth - 1].state, child);
        };
        const auto generate = [&](State&& child, const Cost& step, const Move& move) {
            const Cost cost = detail::saturating_add<Cost>(parent.cost, step);
            if (!accept_step(step, cost, detail::is_finite)) return;
            ++statistics_.generated;
            const Node node{child, cost, Cost{}, cost};
            observer_.generate(node, view_of(parent));
            if (is_on_path(child)) {
                ++statistics_.duplicates;
                observer_.duplicate(node);
            } else if (detail::is_over(max_cost_, cost)) {
                pruned_by_bound_ = true;
            } else {
                untried_.push_back({std::move(child), cost, parent.depth + 1, move});
            }
        };
        detail::for_each_neighbor(*problem_, parent.state, parent.move, leads_back, generate);
        std::reverse(untried_.begin() + static_cast<std::ptrdiff_t>(first), untried_.end());
        statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, untried_.size());
    }

    bool is_on_path(const State& state) {
        constexpr std::size_t max_compared = 64; // measured: then comparing is no slower than hashing
        if (HasHash<P> && path_.size() > max_compared) {
            while (on_path_.size() < path_.size()) on_path_.insert(&path_[on_path_.size()].state);
            return on_path_.contains(&state);
        }
        return std::any_of(path_.begin(), path_.end(),
                           [&](const Step& step) { return detail::is_equal(step.state, state); });
    }

    /// Shortens the path to its first steps.
    void shorten(std::size_t size) {
        for (; path_.size() > size; path_.pop_back()) {
            if (path_.size() == on_path_.size()) on_path_.erase(&path_.back().state);
        }
    }

    static Node view_of(const Step& step) { return {step.state, step.cost, Cost{}, step.cost}; }

    const P* problem_;
    State start_;
    O observer_;
    std::optional<Cost> max_cost_;
    std::size_t max_depth_ = 0;
    std::vector<Step, BudgetAllocator<Step>> path_; // from the start to the state taken last
    std::unordered_set<const State*, HashAndEqual, HashAndEqual, BudgetAllocator<const State*>>
        on_path_;                                      // the first states of `path_`
    std::vector<Step, BudgetAllocator<Step>> untried_; // the next one last
    bool pruned_by_depth_ = false;
};

template <class P, class O = SilentObserver>
DepthFirstEngine(const P&, const state_t<P>&, DepthFirstOptions = {}, const limits_t<P>& = {}, O&& = O{})
    -> DepthFirstEngine<P, O>;

/// Finds some path by depth-first search, rarely a cheapest one. Memory is linear in the depth, times the
/// number of neighbors. Only the states on the path are remembered, so a state is expanded once for each path
/// to it.
template <Problem P, class O = detail::silent_observer_t<P>>
search_result_t<P> depth_first(const P& problem, const detail::named_state_t<P>& start,
                               DepthFirstOptions options = {}, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<DepthFirstEngine<P, O>>(problem, start, options, limits,
                                                      std::forward<O>(observer));
}

} // namespace npuzzle
