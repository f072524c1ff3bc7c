#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/capabilities.hpp"

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace npuzzle {

namespace detail {

/// A bound heuristic without its own `bind`, if it has one: an engine would bind it once and keep a copy.
template <class B>
struct WithoutBind : B {
    explicit WithoutBind(B&& bound) : B(std::move(bound)) {}
    void bind() const = delete;
};

} // namespace detail

/// Many A* searches of one problem, each from its own start to its own goal. The memory of a search serves
/// the next one, so a query costs what it expands, whatever the size of the problem.
/// \code
/// PathFinder finder(map, OctileDistance{}); // once
/// const auto result = finder.find(start, goal);
/// \endcode
/// The finder keeps a copy of the problem, and refers to a heuristic that is passed as an lvalue. Between
/// queries the heuristic may change, and what copies of the problem share, such as the cells of a `GridMap`.
/// `size`, `index`, `pack` and the hash of the problem must not change.
///
/// One finder serves one thread. A copy serves another thread, in memory of its own.
/// \tparam P `HasWithGoal`: `GridMap`, `JumpPoints`, `Graph`, `SlidingPuzzle`, or your own
/// \tparam Policy see `astar`; `PathFinder finder(Mine{}, problem, heuristic)` deduces it
template <HasWithGoal P, class H = Zero, std::derived_from<DefaultPolicy> Policy = DefaultPolicy>
    requires HeuristicFor<H, P>
class PathFinder {
public:
    using State = state_t<P>;
    using Result = search_result_t<P>;

    /// Allocates nothing: the first query does.
    explicit PathFinder(P problem, H&& heuristic = H{})
        : given_(std::move(problem)), heuristic_(std::forward<H>(heuristic)) {}
    PathFinder(Policy /*policy*/, P problem, H&& heuristic)
        : PathFinder(std::move(problem), std::forward<H>(heuristic)) {}
    PathFinder(const PathFinder& other) : given_(other.given_), heuristic_(other.heuristic_) {}
    PathFinder& operator=(const PathFinder&) = delete; ///< For another problem, make another finder.

    /// Finds a cheapest path from `start` to `goal`: the result of `astar(problem.with_goal(goal), start,
    /// heuristic, limits)`, except that the bytes include what the finder keeps.
    ///
    /// If `limits.bytes` is less than that, or memory runs out, the query starts over in new memory. After an
    /// exception the finder can be used again.
    /// \throws std::invalid_argument if the start or the goal is no state, or `max_cost` is NaN
    Result find(const State& start, const State& goal, const limits_t<P>& limits = {}) {
        return detail::guarded_search([&] {
            problem_.emplace(with_goal(goal));
            if constexpr (binds) bound_.emplace(heuristic_.bind(*problem_));
            if (engine_ && limits.bytes < engine_->statistics().bytes) engine_.reset();
            for (;;) {
                const bool is_used = engine_.has_value();
                is_used ? engine_->restart(start, limits)
                        : void(engine_.emplace(*problem_, start, heuristic(), limits));
                engine_->run();
                Result result = engine_->result();
                if (result.status != SearchStatus::memory_limit) return result;
                engine_.reset();
                if (!is_used) return result;
            }
        });
    }

    /// The same, watched by an observer, in memory of its own.
    template <class O>
    Result find(const State& start, const State& goal, const limits_t<P>& limits, O&& observer) {
        return astar<Policy>(with_goal(goal), start, heuristic_, limits, std::forward<O>(observer));
    }

private:
    static constexpr bool binds = BindsTo<H, P>;
    using Value = bound_t<H, P>;
    using Bound = std::conditional_t<BindsTo<Value, P>, detail::WithoutBind<Value>, Value>;
    using Heuristic = std::conditional_t<binds, Bound, std::remove_reference_t<H>>;

    P with_goal(const State& goal) const { return given_.with_goal(detail::checked_state(given_, goal)); }

    Heuristic& heuristic() {
        if constexpr (binds) {
            return *bound_;
        } else {
            return heuristic_;
        }
    }

    P given_;
    H heuristic_;
    // Of the last query; the engine refers to both, so they are replaced where they are.
    std::optional<P> problem_;
    std::optional<Bound> bound_;
    std::optional<AStar<P, Heuristic&, SilentObserver, Policy>> engine_;
};

template <HasWithGoal P>
PathFinder(P) -> PathFinder<P>;
template <HasWithGoal P, class H>
PathFinder(P, H&&) -> PathFinder<P, H>;
template <std::derived_from<DefaultPolicy> Policy, HasWithGoal P, class H>
PathFinder(Policy, P, H&&) -> PathFinder<P, H, Policy>;

} // namespace npuzzle
