#pragma once

#include "npuzzle/search/engine/retrace.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/layer_search.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

/// Finds a path of known length between two states, by a state in the middle.
template <FrontierProblem P>
class PathByLayers {
    using Search = LayerSearch<P, LastLayers<P>, SilentObserver>;

public:
    using State = state_t<P>;

    /// \param monitor, statistics what goes before, and counts on the limits
    PathByLayers(const P& problem, const LimitMonitor& monitor, std::uint64_t bytes,
                 const Statistics& statistics)
        : problem_(&problem), monitor_(monitor), budget_(bytes), statistics_(statistics) {}

    [[nodiscard]] Statistics statistics() const {
        Statistics statistics = statistics_;
        statistics.bytes = (std::max)(statistics.bytes, budget_.peak());
        statistics.seconds = monitor_.seconds();
        return statistics;
    }

    /// Appends a path of so many steps, without its last state. Returns `solved`, or the limit that was
    /// reached.
    SearchStatus append(const State& from, const State& to, int depth, std::vector<State>& path) {
        if (depth <= 1) {
            if (depth == 1) {
                path.push_back(from);
            }
            return SearchStatus::solved;
        }
        const int half = depth / 2;
        std::optional<State> middle;
        if (const SearchStatus status = find_middle(from, to, half, depth - half, middle);
            status != SearchStatus::solved) {
            return status;
        }
        const SearchStatus status = append(from, *middle, half, path);
        return status == SearchStatus::solved ? append(*middle, to, depth - half, path) : status;
    }

private:
    /// Makes so many layers around a state, until `is_end(state)` holds for a state of the last one.
    template <class IsEnd>
    SearchStatus make_layers(Search& search, const State& from, int depth, IsEnd&& is_end) {
        search.start(from);
        while (search.depth() < depth) {
            const bool is_last = search.depth() + 1 == depth;
            const SearchStatus status = search.expand(
                layer_batch, [&](const auto& reached) { return is_last && is_end(reached.state); });
            if (status == SearchStatus::unsolvable) {
                search.advance();
            } else if (status != SearchStatus::running) {
                return status;
            }
        }
        return SearchStatus::running;
    }

    /// A state that is so many steps from one state and so many from the other.
    SearchStatus find_middle(const State& from, const State& to, int from_depth, int to_depth,
                             std::optional<State>& middle) {
        Search first(*problem_, silent_, monitor_, budget_, statistics_);
        if (const SearchStatus status =
                make_layers(first, from, from_depth, [](const State&) { return false; });
            status != SearchStatus::running) {
            return status;
        }
        first.keep_current();
        Search second(*problem_, silent_, monitor_, budget_, statistics_);
        const SearchStatus status =
            make_layers(second, to, to_depth, [&](const State& state) { return first.contains(state); });
        if (status == SearchStatus::solved) {
            middle = second.end().state;
        }
        return status;
    }

    const P* problem_;
    LimitMonitor monitor_;
    MemoryBudget budget_;
    Statistics statistics_;
    SilentObserver silent_;
};

} // namespace detail

/// Breadth-first frontier search as an object: each `step` expands one state of the current layer, or ends
/// the search. It ends when a goal is generated.
///
/// Only the last layers are kept. A state of depth d has neighbors of depth d - 1, d and d + 1 only, so a
/// neighbor that is in neither of the layers d - 1 and d is new (R. E. Korf, W. Zhang, I. Thayer, H. Hohwald,
/// "Frontier search", Journal of the ACM 52, 2005). Memory holds two or three layers: two if the words of a
/// problem have room to mark the moves that lead back. The path is not known when the goal is reached;
/// `result` finds it by divide and conquer. `Statistics::stored` is the number of states held, `peak_open`
/// the most that the current and the next layer held together.
///
/// \tparam O an `ObserverOf` nodes of estimate 0, whose priority is their depth; it sees the search for the
/// goal, not those for the path
template <FrontierProblem P, class O = SilentObserver>
class FrontierSearch : public EngineBase<FrontierSearch<P, O>, int, O> {
    using Base = EngineBase<FrontierSearch, int, O>;
    friend Base;

public:
    using State = state_t<P>;
    using Result = search_result_t<P>;

    /// No temporary problem: the engine refers to it.
    FrontierSearch(const P&& problem, const State& start, BasicLimits<int> limits = {},
                   O&& observer = O{}) = delete;

    /// \param limits `max_cost` is the greatest depth of a goal
    FrontierSearch(const P& problem, const State& start, BasicLimits<int> limits = {}, O&& observer = O{})
        : Base(limits, std::forward<O>(observer)), problem_(&problem), max_depth_(detail::max_layer(limits)),
          start_(start), search_(problem, observer_, monitor_, budget_, statistics_) {
        guarded([&] {
            search_.start(start);
            counts_.push_back(1);
            if (max_depth_ < 0) {
                finish(SearchStatus::cost_limit);
            } else if (problem.is_goal(start)) {
                reach(start, 0);
                finish(SearchStatus::solved);
            }
        });
    }

    /// The depth of the goal if the search is solved, else the depth of the layer being expanded.
    [[nodiscard]] int depth() const noexcept { return depth_; }

    /// How many states there are at each depth, for the complete layers.
    [[nodiscard]] const std::vector<std::uint64_t>& layer_counts() const noexcept { return counts_; }

    /// The outcome without a path: status, cost and statistics.
    [[nodiscard]] Result result_without_path() const {
        return outcome(Result{},
                       [&](Result& result) { result.cost = status_ == SearchStatus::solved ? depth_ : 0; });
    }

    /// The outcome, with the path if the search is solved. A middle state is one that half the depth leads to
    /// from the start, and the other half from the goal; each half is found in the same way. Where layers
    /// grow, that takes much less time and memory than the search; elsewhere a few times as much time. If a
    /// limit ends it, the status is that limit, and path and cost are missing. The statistics are those of
    /// both.
    [[nodiscard]] Result result() const {
        Result result = result_without_path();
        if (status_ != SearchStatus::solved) {
            return result;
        }
        detail::PathByLayers<P> search(*problem_, monitor_, budget_.limit(), result.statistics);
        return detail::with_found_path(std::move(result), search, [&](Result& found) {
            const SearchStatus status = search.append(start_, *goal_, depth_, found.path);
            if (status == SearchStatus::solved) {
                found.path.push_back(*goal_);
                detail::look_up_steps(*problem_, found.path, detail::moves_of<P>(found));
            }
            return status;
        });
    }

private:
    using Base::budget_, Base::guarded, Base::monitor_, Base::observer_, Base::outcome, Base::statistics_,
        Base::status_;

    void complete(Statistics& statistics) const { statistics.stored = stored_ + search_.stored(); }

    /// The layers are not needed after the end.
    void finish(SearchStatus status) {
        stored_ = search_.stored();
        search_.clear();
        Base::finish(status);
    }

    void reach(const State& goal, int depth) {
        goal_ = goal;
        depth_ = depth;
        observer_.goal(NodeView<State, int, int, int>{goal, depth, 0, depth});
    }

    void advance_many() { advance(detail::layer_batch); }

    void advance(unsigned most = 1) {
        if (depth_ >= max_depth_) {
            finish(SearchStatus::cost_limit);
            return;
        }
        const SearchStatus status = search_.expand(
            most, [&](const auto& reached) -> bool { return problem_->is_goal(reached.state); });
        if (status == SearchStatus::running) {
            return;
        }
        if (status == SearchStatus::solved) {
            reach(search_.end().state, depth_ + 1);
        }
        if (status != SearchStatus::unsolvable) {
            finish(status);
        } else if (!search_.advance()) {
            finish(SearchStatus::unsolvable);
        } else {
            depth_ = search_.depth();
            counts_.push_back(search_.layer_size());
        }
    }

    const P* problem_;
    int max_depth_;
    int depth_ = 0;
    std::uint64_t stored_ = 0; // when the layers were dropped
    std::vector<std::uint64_t> counts_;
    State start_;
    std::optional<State> goal_;
    detail::LayerSearch<P, detail::LastLayers<P>, std::remove_reference_t<O>> search_;
};

template <class P, class O = SilentObserver>
FrontierSearch(const P&, const state_t<P>&, BasicLimits<int> = {}, O&& = O{}) -> FrontierSearch<P, O>;

/// Finds a path of the fewest steps by breadth-first frontier search, in memory for two or three layers: see
/// `FrontierSearch`.
///
/// \param limits `max_cost` is the greatest depth of a goal
/// \return as from `astar`; without a path if a limit ended the search for it: `frontier_depth` needs less
template <FrontierProblem P, class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
search_result_t<P> frontier_search(const P& problem, const detail::named_state_t<P>& start,
                                   BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::run_engine<FrontierSearch<P, O>>(problem, start, limits, std::forward<O>(observer));
}

/// The same without the path: how far the nearest goal is. `path` and `moves` are empty.
template <FrontierProblem P, class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
search_result_t<P> frontier_depth(const P& problem, const detail::named_state_t<P>& start,
                                  BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::run_engine_without_path<FrontierSearch<P, O>>(problem, start, limits,
                                                                 std::forward<O>(observer));
}

} // namespace npuzzle
