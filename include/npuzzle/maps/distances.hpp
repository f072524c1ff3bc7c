#pragma once

#include "npuzzle/search/core/capabilities.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <type_traits>

/// \file
/// Heuristics of maps: distances to the goal as if nothing were in the way. What `bind` returns keeps a copy
/// of the problem.

namespace npuzzle {

/// A place in the plane.
struct Point {
    double x = 0;
    double y = 0;

    friend bool operator==(const Point&, const Point&) = default;
};

/// A problem whose states are places: `position(state)` in the plane, and `cost_per_distance()`, such that no
/// step costs less than this times the distance between its ends.
template <class P>
concept PositionedProblem = Problem<P> && HasGoalState<P> && std::is_arithmetic_v<cost_t<P>> &&
                            requires(const P& problem, const typename P::State& state) {
                                { problem.position(state) } -> std::convertible_to<Point>;
                                { problem.cost_per_distance() } -> std::convertible_to<double>;
                            };

/// A map of square cells: `x(state)` and `y(state)`; `straight_bound()`, the least cost of a straight step,
/// and `diagonal_bound()`, the least cost of a diagonal step or the detour around it.
template <class P>
concept GridProblem =
    Problem<P> && HasGoalState<P> && requires(const P& problem, const typename P::State& state) {
        { problem.x(state) } -> std::same_as<int>;
        { problem.y(state) } -> std::same_as<int>;
        { problem.straight_bound() } -> std::same_as<cost_t<P>>;
        { problem.diagonal_bound() } -> std::same_as<cost_t<P>>;
    };

namespace detail {

/// Requires coordinates whose squares do not overflow.
[[nodiscard]] inline double distance(const Point& a, const Point& b) noexcept {
    const double x = a.x - b.x;
    const double y = a.y - b.y;
    return std::sqrt(x * x + y * y);
}

/// A callable, with what it is to a heuristic.
template <class F, bool has_dead_ends = false>
struct BoundDistance : F {
    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;
    static constexpr bool marks_dead_ends = has_dead_ends;
};

template <class F>
BoundDistance(F) -> BoundDistance<F>;

/// The distance to the problem's goal by steps of these costs.
template <class P>
auto bind_steps(const P& problem, cost_t<P> straight, cost_t<P> diagonal) {
    return BoundDistance{
        [=, x = problem.x(problem.goal()), y = problem.y(problem.goal())](const state_t<P>& state) {
            const auto [less, more] =
                std::minmax({std::abs(problem.x(state) - x), std::abs(problem.y(state) - y)});
            return static_cast<cost_t<P>>(static_cast<cost_t<P>>(more - less) * straight +
                                          static_cast<cost_t<P>>(less) * diagonal);
        }};
}

} // namespace detail

/// The straight line to the goal, times the least cost of a unit of length: of a `Graph` with coordinates, a
/// `GridMap`, or any `PositionedProblem`. Consistent, up to the rounding of floating-point numbers. Integer
/// costs round it up.
struct EuclideanDistance {
    template <PositionedProblem P>
    [[nodiscard]] auto bind(const P& problem) const {
        using Cost = cost_t<P>;
        const double factor = problem.cost_per_distance(); // first: without coordinates it throws
        const Point goal = problem.position(problem.goal());
        return detail::BoundDistance{[=](const state_t<P>& state) {
            const double least = factor * detail::distance(problem.position(state), goal);
            if constexpr (std::integral<Cost>) {
                // A cost is at least the next integer. The factor keeps rounding from adding one more.
                return detail::saturating_cast<Cost>(std::ceil(least * (1 - 1e-12)));
            } else {
                return static_cast<Cost>(least);
            }
        }};
    }
};

/// The cost of a path to the goal on a `GridMap`, or any `GridProblem`, without obstacles: diagonal steps,
/// then straight ones. The best of the three on a grid; exact on an empty one. With four sides it is the
/// Manhattan distance. Consistent, up to the rounding of floating-point numbers.
struct OctileDistance {
    template <GridProblem P>
    [[nodiscard]] auto bind(const P& problem) const {
        // Diagonal steps that cost less than straight ones can take their place.
        return detail::bind_steps(problem, (std::min)(problem.straight_bound(), problem.diagonal_bound()),
                                  problem.diagonal_bound());
    }
};

/// The columns and rows to the goal on a `GridMap`, or any `GridProblem`, each at the least cost. For four
/// sides; with eight, each counts at most half a diagonal step. Consistent, up to the rounding of
/// floating-point numbers.
struct ManhattanDistance {
    template <GridProblem P>
    [[nodiscard]] auto bind(const P& problem) const {
        const auto each = static_cast<cost_t<P>>(problem.diagonal_bound() / 2);
        const auto step = (std::min)(problem.straight_bound(), each);
        return detail::bind_steps(problem, step, static_cast<cost_t<P>>(step + step));
    }
};

} // namespace npuzzle
