#pragma once

#include "npuzzle/search/kernel/arrival.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/relay_search.hpp"
#include "npuzzle/search/kernel/retrace.hpp"

#include <optional>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// Breadth-first heuristic search as an object: each `step` expands one state, or ends the search. See
/// `breadth_first_heuristic_search`.
///
/// \tparam O an `ObserverOf` its nodes; told of the search for the goal, not of those for the path
template <FrontierProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
class BreadthFirstHeuristicSearch : public EngineBase<BreadthFirstHeuristicSearch<P, H, O>, int, O> {
    using Base = EngineBase<BreadthFirstHeuristicSearch, int, O>;
    friend Base;

public:
    using State = state_t<P>;
    using Result = search_result_t<P>;

    /// No temporary problem: the engine refers to it.
    BreadthFirstHeuristicSearch(const P&& problem, const State& start, H&& heuristic,
                                BasicLimits<int> limits = {}, O&& observer = O{}) = delete;

    /// \param limits `max_cost` is the greatest depth of a goal
    BreadthFirstHeuristicSearch(const P& problem, const State& start, H&& heuristic,
                                BasicLimits<int> limits = {}, O&& observer = O{})
        : Base(limits, std::forward<O>(observer)), problem_(&problem),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), problem)), start_(start),
          search_(problem, observer_, monitor_, budget_, statistics_, Estimates(heuristic_, statistics_)) {
        monitor_.restart(); // To bind a heuristic may take long.
        guarded([&] {
            const auto estimate = search_.layers().estimate(start);
            observer_.start(search_.layers().view(start, 0, estimate));
            if (detail::max_layer(limits) < 0) {
                finish(Status::cost_limit);
            } else if (problem.is_goal(start)) {
                reach(start, 0);
            } else if (detail::is_infinite(estimate)) {
                finish(Status::unsolvable);
            } else {
                begin(Estimates::is_zero ? detail::max_layer(limits) : detail::steps_up(estimate));
            }
        });
    }

    /// What the depth of a state and its estimate together may be at present.
    [[nodiscard]] int bound() const noexcept { return bound_; }

    /// The outcome without a path: status, cost and statistics.
    [[nodiscard]] Result result_without_path() const {
        return outcome(Result{},
                       [&](Result& result) { result.cost = status_ == Status::solved ? depth_ : 0; });
    }

    /// The outcome, with the path if the search is solved, which takes searches for its parts. If a limit
    /// ends them, the status is that limit, and path and cost are missing. The statistics are those of all.
    [[nodiscard]] Result result() const {
        Result result = result_without_path();
        if (status_ != Status::solved) {
            return result;
        }
        detail::PathByRelays<P, Estimates> search(*problem_, monitor_, budget_.limit(), result.statistics,
                                                  search_.layers().estimates());
        return detail::with_found_path(std::move(result), search, [&](Result& found) {
            const Status status =
                search_.relay_depth() == 0
                    ? search.append(start_, nullptr, depth_, bound_, found.path)
                    : search.append_by(search_.candidates(), start_, nullptr, depth_, bound_, found.path);
            if (status == Status::solved) {
                found.path.push_back(*goal_);
                detail::look_up_steps(*problem_, found.path, detail::moves_of<P>(found));
            }
            return status;
        });
    }

private:
    using Base::budget_, Base::guarded, Base::max_cost_, Base::monitor_, Base::observer_, Base::outcome,
        Base::statistics_, Base::status_;

    using Observer = std::remove_reference_t<O>;
    using BoundHeuristic = typename detail::bound_heuristic<H, P>::type;
    using Estimates = detail::Estimator<BoundHeuristic, P>;

    void complete(Statistics& statistics) const {
        statistics.stored = stored_ + search_.layers().layers().stored();
    }

    /// The layers are not needed after the end.
    void finish(Status status) {
        stored_ = search_.layers().layers().stored();
        search_.layers().layers().clear();
        Base::finish(status);
    }

    /// Begins a search under a bound.
    void begin(int bound) {
        if (detail::is_infinite(bound) && !Estimates::is_zero) {
            finish(Status::cost_overflow);
        } else if (max_cost_ && *max_cost_ < bound) {
            finish(Status::cost_limit);
        } else {
            bound_ = bound;
            search_.start(start_, bound, bound / 2);
            if (bound == 0) {
                search_.layers().exceed(1);
                deepen();
            }
        }
    }

    void reach(const State& goal, int depth) {
        const auto estimate = search_.layers().estimate(goal);
        detail::check_goal(estimate, statistics_);
        observer_.goal(search_.layers().view(goal, depth, estimate));
        goal_ = goal;
        depth_ = depth;
        finish(Status::solved);
    }

    void advance_many() { advance(detail::layer_batch); }

    void advance(unsigned most = 1) {
        const Status status =
            search_.expand(most, [&](const State& state) { return bool(problem_->is_goal(state)); });
        if (status == Status::running) {
            return;
        }
        if (status == Status::solved) {
            reach(search_.end(), search_.depth() + 1);
        } else if (status != Status::unsolvable) {
            finish(status);
        } else if (!search_.advance()) {
            deepen();
        } else if (search_.depth() == bound_) {
            search_.layers().exceed(1); // the steps of this layer
            deepen();
        }
    }

    /// The next search, or the end.
    void deepen() {
        const auto& excess = search_.layers().excess();
        if (excess) {
            begin(detail::saturating_add(bound_, detail::steps_up(*excess)));
        } else {
            finish(Status::unsolvable);
        }
    }

    const P* problem_;
    BoundHeuristic heuristic_;
    State start_;
    int bound_ = 0;
    int depth_ = 0;            // of the goal
    std::uint64_t stored_ = 0; // when the layers were dropped
    std::optional<State> goal_;
    detail::RelaySearch<P, Observer, Estimates> search_;
};

template <class P, class H, class O = SilentObserver>
BreadthFirstHeuristicSearch(const P&, const state_t<P>&, H&&, BasicLimits<int> = {}, O&& = O{})
    -> BreadthFirstHeuristicSearch<P, H, O>;

/// Finds a path of the fewest steps in memory for one to three layers, by breadth-first heuristic search (R.
/// Zhou, E. A. Hansen, "Breadth-first heuristic search", Artificial Intelligence 170, 2006): breadth-first
/// searches under a bound on f, first that of the start, then each time the least f beyond the last one.
/// Optimal if the heuristic is admissible.
///
/// A state has neighbors only in the layer before its own, in its own and in the next one. So the last layers
/// are enough to tell which states are new. Each state remembers its ancestor in an early layer, and the path
/// is found by searches for its parts.
///
/// Each search makes all layers up to its bound, and the last search is the largest: it expands all states
/// whose f is that of the solution, where A* ends at the first goal. Within a search, unlike in IDA*, no
/// state is expanded twice.
///
/// \tparam P a `FrontierProblem`: steps lead both ways, and cost one. A state of a `PackedProblem` takes 14
///         to 20 bytes, in one layer if that is a `BipartiteProblem` whose words have a bit left for each
///         move
/// \param limits `max_cost` is the greatest length of a path
/// \return as from `astar`; without a path if a limit ended the search for it
template <FrontierProblem P, class H, class O = detail::silent_observer_t<P, H, !PackedProblem<P>>>
    requires HeuristicFor<H, P>
search_result_t<P> breadth_first_heuristic_search(const P& problem, const detail::named_state_t<P>& start,
                                                  H&& heuristic, BasicLimits<int> limits = {},
                                                  O&& observer = O{}) {
    return detail::run_engine<BreadthFirstHeuristicSearch<P, H, O>>(
        problem, start, std::forward<H>(heuristic), limits, std::forward<O>(observer));
}

/// The same of a start, neighbors, a heuristic and a goal, without a problem. Each step can be gone back.
template <class S, class N, class H, class P = detail::called_undirected_t<S, N>,
          class O = detail::silent_observer_t<P, H, true>>
search_result_t<P> breadth_first_heuristic_search(const S& start, N&& neighbors, H&& heuristic,
                                                  const state_t<P>& goal, BasicLimits<int> limits = {},
                                                  O&& observer = O{}) {
    return breadth_first_heuristic_search(P(neighbors, goal), start, std::forward<H>(heuristic), limits,
                                          std::forward<O>(observer));
}

/// The same with a goal test in place of the goal.
template <class S, class N, class H, class G, class P = detail::called_undirected_test_t<S, N, G>,
          class O = detail::silent_observer_t<P, H, true>>
search_result_t<P> breadth_first_heuristic_search(const S& start, N&& neighbors, H&& heuristic, G&& is_goal,
                                                  BasicLimits<int> limits = {}, O&& observer = O{}) {
    return breadth_first_heuristic_search(P(neighbors, is_goal), start, std::forward<H>(heuristic), limits,
                                          std::forward<O>(observer));
}

} // namespace npuzzle
