#pragma once

#include "npuzzle/search/engine/layer_search.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace npuzzle {

/// What frontier search needs of a problem: all steps lead both ways (`is_undirected`, as of an
/// `UndirectedProblem`, but no `goal()`), and cost one.
template <class P>
concept FrontierProblem =
    Problem<P> && bool(P::is_undirected) && !is_weighted<P> && (PackedProblem<P> || HasHash<P>);

namespace detail {

/// Finds a path of known length between two states, by a state in the middle. A member returns `solved`, or
/// the limit that was reached.
template <FrontierProblem P>
struct PathByLayers {
    using State = state_t<P>;

    const P& problem;
    const BasicLimits<int>& limits;
    Statistics statistics; // of all searches so far: the limits hold for their sums

    /// Appends a path of so many steps, without its last state.
    SearchStatus append(const State& from, const State& to, int depth, std::vector<State>& path) {
        if (depth <= 1) {
            path.insert(path.end(), static_cast<std::size_t>(depth), from);
            return SearchStatus::solved;
        }
        const int half = depth / 2;
        std::optional<State> middle;
        SearchStatus status = find_middle(from, to, half, depth - half, middle);
        if (status == SearchStatus::solved) {
            status = append(from, *middle, half, path);
        }
        return status == SearchStatus::solved ? append(*middle, to, depth - half, path) : status;
    }

private:
    template <class Goal>
    struct Layers : LayerSearch<P, LastLayers<P>, SilentObserver, Goal> {
        using Layers::LayerSearch::budget_, Layers::LayerSearch::end_, Layers::LayerSearch::layers_;
        using Layers::LayerSearch::LayerSearch;
    };

    /// A state at given numbers of steps from both ends.
    SearchStatus find_middle(const State& from, const State& to, int from_depth, int to_depth,
                             std::optional<State>& middle) {
        BasicLimits<int> left = remaining(limits, statistics);
        left.max_cost = from_depth;
        Layers<NoGoal> first(problem, from, left, SilentObserver{}, {});
        first.run();
        statistics.merge_sequential(first.statistics());
        if (first.status() != SearchStatus::cost_limit) {
            return first.status();
        }
        first.layers_.keep_current();
        const std::uint64_t held = first.budget_.used();
        left = remaining(limits, statistics);
        left.max_cost = to_depth;
        left.bytes -= left.bytes == Limits::unlimited ? 0 : held;
        const auto is_there = [&first](const State& state) { return first.layers_.contains(state); };
        Layers<decltype(is_there)> second(problem, to, left, SilentObserver{}, is_there);
        second.run();
        Statistics of_second = second.statistics();
        of_second.bytes += held;
        statistics.merge_sequential(of_second);
        middle = second.end_;
        return second.status();
    }
};

} // namespace detail

/// Breadth-first frontier search (R. E. Korf, W. Zhang, I. Thayer, H. Hohwald, "Frontier search", Journal of
/// the ACM 52, 2005) as an object: each `step` expands one state of the current layer, or ends the search. It
/// ends when a goal is generated.
///
/// Memory holds three layers: two if the words of a problem have room to mark the moves that lead back. The
/// path is not known when the goal is reached; `result` finds it by divide and conquer. `Statistics::stored`
/// is the number of states held, `peak_open` the most that the current and the next layer held together.
///
/// \tparam O an `ObserverOf` nodes of estimate 0, whose priority is their depth; it sees the search for the
/// goal, not those for the path
template <FrontierProblem P, class O = SilentObserver>
class FrontierSearch : public detail::LayerSearch<P, detail::LastLayers<P>, O, detail::GoalsOf<P>> {
public:
    using State = state_t<P>;
    using Result = search_result_t<P>;

    /// No temporary problem: the engine refers to it.
    FrontierSearch(const P&& problem, const State& start, BasicLimits<int> limits = {},
                   O&& observer = O{}) = delete;

    /// \param limits `max_cost` is the greatest depth of a goal
    FrontierSearch(const P& problem, const State& start, BasicLimits<int> limits = {}, O&& observer = O{})
        : FrontierSearch::LayerSearch(problem, start, limits, std::forward<O>(observer), {&problem}),
          problem_(&problem), start_(start), limits_(limits) {}

    /// The outcome without a path: status, cost and statistics.
    [[nodiscard]] Result result_without_path() const {
        return this->outcome(Result{}, [&](Result& result) { result.cost = result ? this->depth() : 0; });
    }

    /// The outcome, with the path if the search is solved: a search finds a state in the middle, and then
    /// each half in the same way. If layers grow, that takes much less time and memory than the search for
    /// the goal; else a few times as much time. If a limit ends it, the status is that limit, and path and
    /// cost are missing. The statistics include both.
    [[nodiscard]] Result result() const {
        return this->outcome(Result{}, [&](Result& result) {
            if (result.status == SearchStatus::solved) {
                detail::PathByLayers<P> search{*problem_, limits_, result.statistics};
                result.status = search.append(start_, *this->end_, this->depth(), result.path);
                result.statistics = search.statistics;
                result.path.push_back(*this->end_);
            }
            if (result.status != SearchStatus::solved) {
                result.path.clear();
            } else {
                result.cost = detail::look_up_steps(*problem_, result.path, detail::moves_of<P>(result));
            }
        });
    }

private:
    const P* problem_;
    State start_;
    BasicLimits<int> limits_;
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
    const auto run = [](auto& engine) {
        engine.run();
        return engine.result_without_path();
    };
    return detail::with_engine<FrontierSearch<P, O>>(run, problem, start, limits, std::forward<O>(observer));
}

} // namespace npuzzle
