#pragma once

#include "npuzzle/search/kernel/astar_then.hpp"
#include "npuzzle/search/kernel/call.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// Options of `astar_then_breadth_first`.
struct AStarThenBreadthFirstOptions {
    /// The bytes that A* may hold before the search goes on by layers. 0: a quarter of `Limits::bytes`; if
    /// that is not given, A* goes on to the end.
    std::uint64_t astar_bytes = 0;
    /// From how many depths the states come that one search by layers begins from; at least 1. More depths
    /// take more memory; with fewer, states that are reached from several of them are expanded more often.
    /// Where memory ends, fewer are taken.
    int depths = 16;
};

/// A* and breadth-first heuristic search below it as an object: each `step` expands one state, or ends the
/// search. See `astar_then_breadth_first`.
///
/// \tparam O an `ObserverOf` its nodes; told of the search for the goal, not of those for the path
template <FrontierProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P> && HasHash<P>
class AStarThenBreadthFirst : public detail::AStarThen<AStarThenBreadthFirst<P, H, O>, int, O> {
    using Base = detail::AStarThen<AStarThenBreadthFirst, int, O>;
    friend Base;
    friend EngineBase<AStarThenBreadthFirst, int, O>;

public:
    using State = state_t<P>;
    using Options = AStarThenBreadthFirstOptions;
    using Result = search_result_t<P>;

    /// No temporary problem: the engine refers to it.
    AStarThenBreadthFirst(const P&& problem, const State& start, H&& heuristic, Options options = {},
                          BasicLimits<int> limits = {}, O&& observer = O{}) = delete;

    /// \param limits `bytes` holds for nodes of both kinds together
    AStarThenBreadthFirst(const P& problem, const State& start, H&& heuristic, Options options = {},
                          BasicLimits<int> limits = {}, O&& observer = O{})
        : Base(limits, std::forward<O>(observer), options.astar_bytes), problem_(&problem),
          depths_(std::max(options.depths, 1)),
          astar_(problem, start, std::forward<H>(heuristic), limits, observer_),
          starts_(problem, astar_.budget()), search_(problem, observer_, monitor_, astar_.budget(),
                                                     statistics_, astar_.estimates(), Known(astar_.table())) {
        monitor_.restart(); // To bind a heuristic may take long.
        guarded([&] { this->follow_astar(); });
    }

    /// The outcome. If the search is solved by layers, the path takes searches for its parts. If a limit ends
    /// them, the status is that limit, and path and cost are missing. The statistics are those of all.
    [[nodiscard]] Result result() const {
        if (!this->has_left_astar()) {
            return astar_.result();
        }
        Result result = outcome(Result{}, [](const Result&) {});
        if (status_ != Status::solved) {
            return result;
        }
        const std::uint64_t left = astar_.budget().limit() - astar_.budget().used();
        Path search(*problem_, monitor_, left, result.statistics, search_.layers().estimates());
        result = detail::with_found_path(std::move(result), search,
                                         [&](Result& found) { return add_path(search, found); });
        result.statistics.bytes =
            std::max(astar_.budget().peak(), astar_.budget().used() + search.budget().peak());
        return result;
    }

private:
    using Base::guarded, Base::max_cost_, Base::monitor_, Base::observer_, Base::outcome, Base::statistics_,
        Base::status_;

    using Observer = std::remove_reference_t<O>;
    using AStarPart = detail::LeavingAStar<P, H, Observer>;
    using Known = detail::KnownByTable<typename AStarPart::Table>;
    using Estimates = detail::Estimator<typename detail::bound_heuristic<H, P>::type, P>;
    using Search = detail::RelaySearch<P, Observer, Estimates, Known>;
    using Estimate = typename Search::Estimate;
    using Path = detail::PathByRelays<P, Estimates>;

    static_assert(FindsNodes<typename AStarPart::Table>);

    void complete(Statistics& statistics) const {
        if (this->has_left_astar()) {
            statistics.stored = astar_.table().size() + search_.layers().layers().stored();
            statistics.bytes = astar_.budget().peak();
        } else {
            statistics = astar_.statistics();
        }
    }

    void finish(Status status) {
        search_.layers().layers().clear();
        Base::finish(status);
    }

    void leave_astar() {
        statistics_ = astar_.statistics();
        std::optional<Estimate> least;
        astar_.take_open([&](const auto& node, const Estimate& priority) {
            least = least && !(priority < *least) ? *least : priority;
            starts_.add(node.state(), node.cost());
        });
        if (least) {
            begin(detail::steps_up(*least));
            proceed();
        } else {
            finish(astar_.exhausted());
        }
    }

    void advance_below(unsigned most) {
        try {
            const Status status =
                search_.expand(most, [&](const State& state) { return bool(problem_->is_goal(state)); });
            if (status == Status::solved) {
                reach(search_.end(), search_.depth() + 1);
            } else if (status == Status::unsolvable) {
                proceed();
            } else if (status != Status::running) {
                finish(status);
            }
        } catch (const std::bad_alloc&) {
            if (last_ - first_ <= 1) {
                throw;
            }
            max_starts_ = (last_ - first_) / 2;
            begin_part(last_ - max_starts_);
            proceed();
        }
    }

    /// Begins the searches under a bound, from the deepest starts, since a goal is likely to be near.
    void begin(int bound) {
        if (detail::is_infinite(bound)) {
            finish(Status::cost_overflow);
        } else if (max_cost_ && *max_cost_ < bound) {
            finish(Status::cost_limit);
        } else {
            bound_ = bound;
            excess_.reset();
            first_ = starts_.size();
            begin_part();
        }
    }

    /// Begins the search from the next starts.
    void begin_part() {
        last_ = first_;
        max_depth_ = starts_.depth_of(last_ - 1);
        const std::uint64_t first = starts_.first_of(std::max(max_depth_ - depths_ + 1, 0));
        begin_part(std::max(first, last_ - std::min(last_, max_starts_)));
    }

    void begin_part(std::uint64_t first) {
        first_ = first;
        search_.start(starts_.depth_of(first_) - 1, bound_);
    }

    /// Goes on when a layer is done.
    void proceed() {
        while (status_ == Status::running && !next_layer()) {
            if (const auto& excess = search_.layers().excess(); excess && !(excess_ && *excess_ < *excess)) {
                excess_ = excess;
            }
            if (first_ > 0) {
                begin_part();
            } else if (excess_) {
                begin(detail::saturating_add(bound_, detail::steps_up(*excess_)));
            } else {
                finish(astar_.exhausted());
            }
        }
    }

    /// False if there is none.
    bool next_layer() {
        do {
            const int depth = search_.depth() + 1;
            starts_.for_each(depth, first_, last_, [&](const State& state, std::uint64_t number) {
                search_.add_start(state, number - first_);
                if (depth <= bound_ && status_ == Status::running && problem_->is_goal(state)) {
                    is_reached_by_astar_ = true;
                    reach(state, depth);
                }
            });
            if (status_ != Status::running) {
                return true;
            }
            if (search_.advance()) {
                if (search_.depth() < bound_) {
                    return true;
                }
                search_.layers().exceed(1); // the steps of this layer
            }
        } while (search_.depth() < max_depth_);
        return false;
    }

    void reach(const State& goal, int depth) {
        goal_ = goal;
        depth_ = depth;
        const Estimate estimate = search_.layers().estimate(goal);
        detail::check_goal(estimate, statistics_);
        observer_.goal(search_.layers().view(goal, depth, estimate));
        finish(Status::solved);
    }

    Status add_path(Path& search, Result& result) const {
        if (is_reached_by_astar_) {
            astar_.add_path_to(*goal_, result);
            return Status::solved;
        }
        std::vector<detail::Waypoint<State>> candidates;
        for (int depth = starts_.depth_of(first_); depth <= max_depth_; ++depth) {
            starts_.for_each(depth, first_, last_, [&](const State& state, std::uint64_t number) {
                if ((number - first_) % detail::max_numbers == search_.ancestor()) {
                    candidates.push_back({state, depth});
                }
            });
        }
        Status status = search.narrow(candidates, nullptr, depth_, bound_, Known(astar_.table()));
        if (status == Status::solved) {
            const auto& [start, depth] = candidates.front();
            astar_.add_path_to(start, result);
            result.path.pop_back();
            status = search.append(start, nullptr, depth_ - depth, bound_ - depth, result.path);
        }
        if (status == Status::solved) {
            result.path.push_back(*goal_);
            if constexpr (detail::has_moves<P>) {
                result.moves.clear();
            }
            result.cost = detail::look_up_steps(*problem_, result.path, detail::moves_of<P>(result));
        }
        return status;
    }

    const P* problem_;
    int depths_;
    AStarPart astar_;
    detail::StatesByDepth<P> starts_;
    Search search_;
    bool is_reached_by_astar_ = false; // the goal is one of the starts
    int bound_ = 0;
    std::optional<Estimate> excess_; // of all searches under the bound
    std::uint64_t first_ = 0;        // of the starts of this search
    std::uint64_t last_ = 0;
    std::uint64_t max_starts_ = std::numeric_limits<std::uint64_t>::max();
    int max_depth_ = 0; // of these starts
    std::optional<State> goal_;
    int depth_ = 0; // of the goal
};

template <class P, class H, class O = SilentObserver>
AStarThenBreadthFirst(const P&, const state_t<P>&, H&&, AStarThenBreadthFirstOptions = {},
                      BasicLimits<int> = {}, O&& = O{}) -> AStarThenBreadthFirst<P, H, O>;

/// Finds a path of the fewest steps by A* as long as memory lasts, and by breadth-first heuristic search
/// below it after that: A*+BFHS (Z. Bu, R. E. Korf, "A*+BFHS: a hybrid heuristic search algorithm", AAAI
/// 2022). Optimal if the heuristic is admissible.
///
/// A problem that A* solves in the memory that it is given is solved as by `astar`. Else the open nodes of A*
/// begin searches by layers under a bound on f, which rises as in `breadth_first_heuristic_search`. Under
/// each bound the deepest open nodes come first, those of a few depths at a time; a state to which A* has a
/// path that is no longer is not searched again. If a search by layers does not fit, it begins again from
/// half as many nodes, down to one. The path is that of A* to one of its open nodes, and from there on found
/// by searches for its parts.
///
/// \tparam P a `FrontierProblem` that `HasHash`
/// \param limits `bytes` is what both searches may hold together; without it, this is A*
/// \return as from `astar`; without a path if a limit ended the search for it
template <FrontierProblem P, class H, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P> && HasHash<P>
search_result_t<P> astar_then_breadth_first(const P& problem, const detail::named_state_t<P>& start,
                                            H&& heuristic, AStarThenBreadthFirstOptions options = {},
                                            BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::run_engine<AStarThenBreadthFirst<P, H, O>>(problem, start, std::forward<H>(heuristic),
                                                              options, limits, std::forward<O>(observer));
}

/// The same of a start, neighbors, a heuristic and a goal, without a problem. Each step can be gone back.
template <class S, class N, class H, class P = detail::called_undirected_t<S, N>,
          class O = detail::silent_observer_t<P, H, true>>
search_result_t<P> astar_then_breadth_first(const S& start, N&& neighbors, H&& heuristic,
                                            const state_t<P>& goal, AStarThenBreadthFirstOptions options = {},
                                            BasicLimits<int> limits = {}, O&& observer = O{}) {
    return astar_then_breadth_first(P(neighbors, goal), start, std::forward<H>(heuristic), options, limits,
                                    std::forward<O>(observer));
}

} // namespace npuzzle
