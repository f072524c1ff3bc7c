#pragma once

#include "npuzzle/search/engine/expansion.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/path_index.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The engine of depth-first searches: it can be stepped.

namespace npuzzle {

/// What depth-first search can be told.
struct DepthFirstOptions {
    static constexpr std::size_t unlimited = (std::numeric_limits<std::size_t>::max)();

    /// The most steps of a path. A search that this bound kept from going on ends with `Status::depth_limit`.
    std::size_t max_depth = unlimited;
};

/// Depth-first search to a bound on the depth, as an object. Each `step` takes the state that was generated
/// last. If it is a goal the search ends, else it is expanded. A state that is already on the path is not
/// followed. Memory is linear in the length of the path times the number of neighbors. Each generated state
/// is looked up on the path, which takes expected O(1) time if the problem `HasHash`, else time linear in the
/// depth. `Statistics::stored` is the greatest length of the path.
///
/// \tparam P a `Problem`
/// \tparam O an `ObserverOf` its nodes, whose estimate is zero; a reference type to refer to an lvalue
template <Problem P, class O = SilentObserver>
class DepthFirstEngine : public EngineBase<DepthFirstEngine<P, O>, cost_t<P>, O> {
    using Base = EngineBase<DepthFirstEngine, cost_t<P>, O>;
    friend Base;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Result = SearchResult<State, Cost, move_t<P>>;
    using Node = NodeView<State, Cost, Cost, Cost>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// No temporary problem: the engine refers to it.
    DepthFirstEngine(const P&& problem, const State& start, DepthFirstOptions options = {},
                     const BasicLimits<Cost>& limits = {}, O&& observer = O{}) = delete;

    DepthFirstEngine(const P& problem, const State& start, DepthFirstOptions options = {},
                     const BasicLimits<Cost>& limits = {}, O&& observer = O{})
        : Base(limits, std::forward<O>(observer)), problem_(&problem), start_(start),
          path_(BudgetAllocator<Step>(budget_)), on_path_(problem, budget_),
          untried_(BudgetAllocator<Untried>(budget_)) {
        observer_.start(Node{start, Cost{}, Cost{}, Cost{}});
        deepen(options.max_depth);
    }

    /// Begins again from the start with another bound on the depth; statistics and limits go on.
    void deepen(std::size_t max_depth) {
        max_depth_ = max_depth;
        status_ = SearchStatus::running;
        pruned_by_depth_ = false;
        pruned_by_bound_ = detail::is_over(max_cost_, Cost{});
        guarded([&] {
            shorten(0);
            untried_.clear();
            if (pruned_by_bound_) {
                return;
            }
            untried_.push_back(
                {Step{detail::checked_state(*problem_, start_), Cost{}, detail::no_move<P>()}, 0});
        });
    }

    /// The outcome, with the path if the search is solved.
    [[nodiscard]] Result result() const {
        return outcome(Result{}, [&](Result& result) {
            if (status_ != SearchStatus::solved) {
                return;
            }
            for (const Step& step : path_) {
                result.path.push_back(step.state);
                if constexpr (has_moves) {
                    result.moves.push_back(step.move);
                }
            }
            if constexpr (has_moves) {
                result.moves.erase(result.moves.begin());
            }
            result.cost = path_.back().cost;
        });
    }

private:
    using Base::budget_, Base::exhausted, Base::finish, Base::guarded, Base::pruned_by_bound_,
        Base::max_cost_, Base::monitor_, Base::observer_, Base::outcome, Base::statistics_, Base::status_;

    static constexpr bool has_moves = detail::has_moves<P>;
    using Move = detail::move_or_nothing_t<P>;

    struct Step {
        State state;
        Cost cost;
        NPUZZLE_NO_UNIQUE_ADDRESS Move move;
    };
    struct Untried {
        Step step;
        std::size_t depth;
    };

    /// One expansion, or the end. What lies too deep is passed over on the way.
    void advance() {
        while (status_ == SearchStatus::running) {
            if (untried_.empty()) {
                finish(pruned_by_depth_ ? SearchStatus::depth_limit : exhausted());
                return;
            }
            if (monitor_.is_due(statistics_.expanded)) {
                if (const SearchStatus limit = monitor_.check(statistics_.expanded);
                    limit != SearchStatus::running && !problem_->is_goal(untried_.back().step.state)) {
                    finish(limit);
                    return;
                }
                observer_.progress(this->statistics());
            }
            const std::size_t depth = untried_.back().depth;
            shorten(depth);
            path_.push_back(std::move(untried_.back().step));
            untried_.pop_back();
            statistics_.stored = std::max<std::uint64_t>(statistics_.stored, path_.size());
            const Node node = view_of(path_.back());
            if (problem_->is_goal(node.state)) {
                observer_.goal(node);
                finish(SearchStatus::solved);
                return;
            }
            if (depth == max_depth_) {
                pruned_by_depth_ = true;
                continue;
            }
            ++statistics_.expanded;
            observer_.expand(node);
            expand(path_.back(), depth + 1);
            return;
        }
    }

    /// Leaves the first steps of the path.
    void shorten(std::size_t size) {
        on_path_.shorten(size);
        path_.erase(path_.begin() + static_cast<std::ptrdiff_t>(size), path_.end());
    }

    void expand(const Step& parent, std::size_t depth) {
        const std::size_t first = untried_.size();
        const auto leads_back = [&](const State& child, const Cost&) {
            return path_.size() > 1 && detail::is_equal(path_[path_.size() - 2].state, child);
        };
        detail::for_each_neighbor(*problem_, parent.state, parent.move, leads_back,
                                  [&](State&& child, const Cost& step, const Move& move) {
                                      generate(parent, std::move(child), step, move, depth);
                                  });
        std::reverse(untried_.begin() + static_cast<std::ptrdiff_t>(first), untried_.end());
        statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, untried_.size());
    }

    void generate(const Step& parent, State&& child, const Cost& step, const Move& move, std::size_t depth) {
        const Cost cost = detail::saturating_add<Cost>(parent.cost, step);
        if (!this->may_follow(step, cost, detail::is_finite)) {
            return;
        }
        ++statistics_.generated;
        const Node node{child, cost, Cost{}, cost};
        observer_.generate(node, view_of(parent));
        if (on_path_.contains(path_, child)) {
            ++statistics_.duplicates;
            observer_.duplicate(node);
        } else if (detail::is_over(max_cost_, cost)) {
            pruned_by_bound_ = true;
        } else {
            untried_.push_back({Step{std::move(child), cost, move}, depth});
        }
    }

    static Node view_of(const Step& step) { return Node{step.state, step.cost, Cost{}, step.cost}; }

    const P* problem_;
    State start_;
    std::size_t max_depth_ = 0;
    std::vector<Step, BudgetAllocator<Step>> path_; // from the start to the state that was taken last
    detail::PathIndex<P> on_path_;
    std::vector<Untried, BudgetAllocator<Untried>> untried_; // the next one last
    bool pruned_by_depth_ = false;
};

template <class P, class O = SilentObserver>
DepthFirstEngine(const P&, const state_t<P>&, DepthFirstOptions = {}, const limits_t<P>& = {}, O&& = O{})
    -> DepthFirstEngine<P, O>;

} // namespace npuzzle
