#pragma once

#include "npuzzle/search/core/capabilities.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

/// \file
/// Heuristics of maps: distances to the goal as if nothing were in the way.

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

template <class P>
class BoundEuclidean {
public:
    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    explicit BoundEuclidean(const P& problem)
        : problem_(problem), factor_(problem.cost_per_distance()), goal_(problem.position(problem.goal())) {}

    [[nodiscard]] cost_t<P> operator()(const state_t<P>& state) const {
        const double least = factor_ * distance(problem_.position(state), goal_);
        if constexpr (std::integral<cost_t<P>>) {
            // An integer cost is at least the next integer. The factor keeps rounding from adding one more.
            return detail::saturating_cast<cost_t<P>>(std::ceil(least * (1 - 1e-12)));
        } else {
            return static_cast<cost_t<P>>(least);
        }
    }

private:
    P problem_;
    double factor_; // first: without coordinates it throws
    Point goal_;
};

template <class P>
class BoundOctile {
public:
    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    BoundOctile(const P& problem, cost_t<P> straight, cost_t<P> diagonal)
        : problem_(problem), x_(problem.x(problem.goal())), y_(problem.y(problem.goal())),
          straight_(straight), diagonal_(diagonal) {}

    [[nodiscard]] cost_t<P> operator()(const state_t<P>& state) const {
        const auto [less, more] =
            std::minmax({std::abs(problem_.x(state) - x_), std::abs(problem_.y(state) - y_)});
        using Cost = cost_t<P>;
        return static_cast<Cost>(static_cast<Cost>(more - less) * straight_ +
                                 static_cast<Cost>(less) * diagonal_);
    }

private:
    P problem_;
    int x_;
    int y_;
    cost_t<P> straight_;
    cost_t<P> diagonal_;
};

} // namespace detail

/// The straight line to the goal, times the least cost of a unit of length: of a `Graph` with coordinates, a
/// `GridMap`, or any `PositionedProblem`. Consistent, up to the rounding of floating-point numbers. Integer
/// costs round it up.
struct EuclideanDistance {
    /// The heuristic for the problem's goal. Keeps a copy of the problem.
    template <PositionedProblem P>
    [[nodiscard]] auto bind(const P& problem) const {
        return detail::BoundEuclidean<P>(problem);
    }
};

/// The cost of a path to the goal on a `GridMap`, or any `GridProblem`, without obstacles: diagonal steps,
/// then straight ones. The best of the three on a grid; exact on an empty one. With four sides it is the
/// Manhattan distance. Consistent, up to the rounding of floating-point numbers.
struct OctileDistance {
    /// The heuristic for the problem's goal. Keeps a copy of the problem.
    template <GridProblem P>
    [[nodiscard]] auto bind(const P& problem) const {
        // Diagonal steps that cost less than straight ones can take their place.
        return detail::BoundOctile<P>(problem, (std::min)(problem.straight_bound(), problem.diagonal_bound()),
                                      problem.diagonal_bound());
    }
};

/// The columns and rows to the goal on a `GridMap`, or any `GridProblem`, each at the least cost. For four
/// sides; with eight, each counts at most half a diagonal step. Consistent, up to the rounding of
/// floating-point numbers.
struct ManhattanDistance {
    /// The heuristic for the problem's goal. Keeps a copy of the problem.
    template <GridProblem P>
    [[nodiscard]] auto bind(const P& problem) const {
        const auto each = static_cast<cost_t<P>>(problem.diagonal_bound() / 2);
        const auto step = (std::min)(problem.straight_bound(), each);
        return detail::BoundOctile<P>(problem, step, static_cast<cost_t<P>>(step + step));
    }
};

} // namespace npuzzle
