#pragma once

#include "npuzzle/maps/distances.hpp"
#include "npuzzle/search/engine/problem_adaptors.hpp"
#include "npuzzle/search/shortest_path_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

/// \file
/// Landmarks: a heuristic for any graph, from distances that are computed once.

namespace npuzzle {

namespace detail {

/// A problem without goals, at costs in units of 2^exponent, rounded down. A cost that is negative or NaN
/// counts as zero.
template <Problem P, std::unsigned_integral Units>
class StepsInUnits : public ProblemAdaptor<P> {
public:
    using State = state_t<P>;

    StepsInUnits(const P& problem, int exponent) : ProblemAdaptor<P>(problem), exponent_(exponent) {}

    [[nodiscard]] bool is_goal(const State&) const { return false; }
    [[nodiscard]] const std::vector<Edge<State, Units>>& neighbors(const State& state) const {
        steps_.clear();
        for (const auto& [to, cost] : this->problem_->neighbors(state)) {
            if (is_nan(cost) || !is_infinite(cost)) steps_.push_back({to, units(cost)});
        }
        return steps_;
    }

private:
    /// Saturated, but finite: then the units are too small.
    Units units(const cost_t<P>& cost) const {
        if (!(cost_t<P>{} < cost)) return 0;
        if constexpr (std::integral<cost_t<P>>) {
            return finite(
                clamping_cast<Units>(exponent_ < 64 ? static_cast<std::uint64_t>(cost) >> exponent_ : 0));
        } else {
            return finite(clamping_cast<Units>(cost * scale_));
        }
    }

    int exponent_;
    double scale_ = std::ldexp(1.0, -exponent_);
    mutable std::vector<Edge<State, Units>> steps_;
};

} // namespace detail

/// Landmarks: distances between some vertices of a graph and all others, as a heuristic for any goal (ALT;
/// A. V. Goldberg, C. Harrelson, "Computing the shortest path: A* search meets graph theory", SODA 2005). By
/// the triangle inequality, the distance from v to the goal is at least the difference of their distances to
/// a landmark; the greatest difference counts. Consistent, and infinite where a landmark proves that there is
/// no path. Make them once for a graph, and `bind` follows each goal:
/// \code
/// const Landmarks landmarks(graph);
/// PathFinder finder(graph, landmarks);
/// \endcode
/// For a `Graph`, `UndirectedGraph`, `GridMap` or any other numbered problem with costs that are numbers; a
/// directed one needs `predecessors`. Outdated when costs fall or steps are added.
///
/// Distances are stored in units of a power of two, to which each step's cost is rounded down, so the
/// heuristic is consistent whatever the type. Integer costs are exact unless they are too large for `Stored`
/// or `double`.
///
/// Memory: `sizeof(Stored)` for each vertex and search. An estimate reads a cache line or two.
/// \tparam Stored an unsigned integer; `std::uint16_t` halves the memory, and rounds more
template <NumberedProblem P, std::unsigned_integral Stored = std::uint32_t>
    requires(BackwardProblem<P> && is_weighted<P> && std::is_arithmetic_v<cost_t<P>>)
class Landmarks {
public:
    using State = state_t<P>;
    using Cost = cost_t<P>;

    /// Chooses landmarks, each as far from those before and from `start` as can be, among the states that
    /// `start` can reach and that can reach it. Takes the time of `searches` + 2 runs of Dijkstra's search, + 3
    /// for a directed problem; more if a distance exceeds four times the greatest one from `start`.
    /// \param searches 16 make 16 landmarks, or 8 for a directed problem, where each takes two searches
    /// \param start by default the first state from which a step leads elsewhere that costs something
    /// \throws std::invalid_argument if `searches` is too few, or `start` is no state or has no way that costs
    /// \throws std::bad_alloc if the table is too large
    explicit Landmarks(const P& problem, std::size_t searches = 16, std::optional<State> start = {})
        : columns_(searches / each * each) {
        if (columns_ == 0) throw std::invalid_argument("landmarks: too few searches");
        if (problem.size() > distances_->max_size() / columns_) throw std::bad_alloc();
        const State from = start ? *start : first_of(problem);
        const auto around = shortest_path_tree(problem, from);
        if (around.status() == SearchStatus::memory_limit) throw std::bad_alloc();
        const auto farthest = (std::min)(largest, static_cast<double>(around[around.size() - 1].cost));
        if (!(farthest > 0)) {
            throw std::invalid_argument("landmarks: no way from state " +
                                        std::to_string(problem.index(from)) + " costs anything");
        }
        const int exponent = std::ilogb(farthest) + 3 - std::ilogb(static_cast<double>(most) + 1);
        exponent_ = (std::max)(exponent, std::integral<Cost> ? 0 : -1023);
        while (!fill(problem, from)) exponent_ += 2;
    }

    /// The heuristic for the problem's goal. Keeps a copy of the problem, and shares the distances.
    /// \throws std::invalid_argument if the problem has another number of states
    [[nodiscard]] auto bind(const P& problem) const {
        if (problem.size() * columns_ != distances_->size()) {
            throw std::invalid_argument("landmarks: of another graph");
        }
        const Stored* const goal = distances_->data() + problem.index(problem.goal()) * columns_;
        const double unit = std::ldexp(1.0, (std::min)(exponent_, 1023));
        const auto estimate = [=, distances = distances_, columns = columns_](const State& state) {
            const Stored* const here = distances->data() + problem.index(state) * columns;
            Stored bound = 0;
            for (std::size_t i = 0; i < columns; ++i) {
                // One way, the goal must be farther from the landmark, or nearer to it.
                const bool is_farther = each == 1 ? here[i] < goal[i] : i < columns / each;
                const Stored more = is_farther ? goal[i] : here[i];
                const Stored less = is_farther ? here[i] : goal[i];
                if (each == 1 || less < more) bound = (std::max)(bound, static_cast<Stored>(more - less));
            }
            if (bound > most) return detail::infinite<Cost>();
            // A cost may be more than its type holds, and no dead end.
            const double cost = (std::min)(largest, static_cast<double>(bound) * unit);
            return detail::finite(detail::clamping_cast<Cost>(cost));
        };
        return detail::BoundDistance<decltype(estimate), true>{estimate};
    }

private:
    static constexpr std::size_t each = UndirectedProblem<P> ? 1 : 2; // searches a landmark
    /// No finite distance is greater: distances to what cannot be reached differ from it by more, and
    /// differences are exact in `double` and in floating-point costs.
    static constexpr Stored most = static_cast<Stored>((std::min)(
        std::uint64_t{(std::numeric_limits<Stored>::max)() / 2},
        std::uint64_t{1} << (std::integral<Cost> ? 53 : (std::min)(53, std::numeric_limits<Cost>::digits))));
    static constexpr double largest = (std::numeric_limits<double>::max)();
    static constexpr Stored unreached = (std::numeric_limits<Stored>::max)();

    static State first_of(const P& problem) {
        for (std::size_t index = 0; index < problem.size(); ++index) {
            for (const auto& [to, cost] : problem.neighbors(problem.state_at(index))) {
                const bool costs = Cost{} < cost && !detail::is_infinite(cost);
                if (costs && problem.index(to) != index) return problem.state_at(index);
            }
        }
        return problem.state_at(0);
    }

    /// Fills the table in units of 2^exponent. False if a distance is too large for them.
    bool fill(const P& problem, State landmark) {
        const std::size_t landmarks = columns_ / each;
        distances_->assign(problem.size() * columns_, unreached);
        std::vector<Stored> nearest(problem.size(), unreached);
        // The first pass, from a state that may be anywhere, only chooses the first landmark.
        for (std::size_t pass = 0; pass <= landmarks; ++pass) {
            std::array<std::vector<Stored>, each> ways{distances_from(problem, landmark)};
            if constexpr (each == 2) ways[1] = distances_from(detail::Reversed(problem, landmark), landmark);
            if (ways.front().empty() || ways.back().empty()) return false;
            Stored farthest = 0;
            for (std::size_t index = 0; index < nearest.size(); ++index) {
                for (std::size_t way = 0; pass > 0 && way < each; ++way) {
                    (*distances_)[index * columns_ + way * landmarks + pass - 1] = ways[way][index];
                }
                nearest[index] = (std::min)(nearest[index], ways[0][index]);
                const Stored farther = (std::max)(ways.front()[index], ways.back()[index]);
                if (farther == unreached || nearest[index] < farthest) continue;
                farthest = nearest[index];
                landmark = problem.state_at(index);
            }
        }
        return true;
    }

    /// The distances from a state to all, in units of 2^exponent; empty if one is too large for them.
    template <class Q>
    std::vector<Stored> distances_from(const Q& problem, const State& landmark) const {
        const detail::StepsInUnits<Q, Stored> steps(problem, exponent_);
        const auto tree = shortest_path_tree(steps, landmark);
        if (tree.status() == SearchStatus::memory_limit) throw std::bad_alloc();
        if (!tree || tree[tree.size() - 1].cost > most) return {};
        std::vector<Stored> distances(problem.size(), unreached);
        for (const auto& [state, distance] : tree) distances[problem.index(state)] = distance;
        return distances;
    }

    std::size_t columns_;
    int exponent_; // of the unit, 2^exponent
    /// Of each state: from the landmarks, and then, if different, to them.
    std::shared_ptr<std::vector<Stored>> distances_ = std::make_shared<std::vector<Stored>>();
};

} // namespace npuzzle
