#pragma once

#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/shortest_path_tree.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Landmarks: a heuristic for any graph, from distances that are computed once.

namespace npuzzle {

namespace detail {

/// The steps of a problem, or the steps to a state if `is_backward`, at costs in units of 2^exponent, rounded
/// down. A cost that is NaN counts as zero, and a negative one as no step.
template <Problem P, std::unsigned_integral Units, bool is_backward>
class StepsInUnits {
public:
    using State = state_t<P>;

    StepsInUnits(const P& problem, int exponent) : problem_(&problem), exponent_(exponent) {}

    [[nodiscard]] std::size_t size() const { return problem_->size(); }
    [[nodiscard]] std::size_t index(const State& state) const { return problem_->index(state); }
    [[nodiscard]] bool is_goal(const State&) const { return false; }

    [[nodiscard]] std::span<const Edge<State, Units>> neighbors(const State& state) const {
        steps_.clear();
        const auto add = [&](auto&& steps) {
            for (const auto& [to, cost] : steps) {
                const bool is_step = is_nan(cost) || (!is_infinite(cost) && !is_negative(cost));
                if (is_step) steps_.push_back({to, is_nan(cost) ? Units{0} : units(cost)});
            }
        };
        if constexpr (is_backward) {
            add(problem_->predecessors(state));
        } else {
            add(problem_->neighbors(state));
        }
        return steps_;
    }

private:
    /// Saturated at a finite value above `most`: `fill_column` then finds the units too small.
    [[nodiscard]] Units units(const cost_t<P>& cost) const {
        constexpr Units too_large = (std::numeric_limits<Units>::max)() / 2 + 1;
        if constexpr (std::integral<cost_t<P>>) {
            const std::uint64_t count = static_cast<std::uint64_t>(cost) >> exponent_;
            return static_cast<Units>((std::min)(count, std::uint64_t{too_large}));
        } else {
            const auto count = std::floor(std::ldexp(cost, -exponent_));
            return count < static_cast<cost_t<P>>(too_large) ? static_cast<Units>(count) : too_large;
        }
    }

    const P* problem_;
    int exponent_;
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
/// heuristic is consistent whatever the type. Integer costs are exact unless they are too large for `Stored`.
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
    /// \param start by default the first state from which a step leads that costs something
    /// \throws std::invalid_argument if `searches` is too few, or `start` is no state or has no way that costs
    explicit Landmarks(const P& problem, std::size_t searches = 16, std::optional<State> start = {}) {
        constexpr std::size_t each = UndirectedProblem<P> ? 1 : 2;
        if (searches < each) throw std::invalid_argument("landmarks: too few searches");
        const State from = start ? *start : first_of(problem);
        data_->columns = searches / each * each;
        const auto around = shortest_path_tree(problem, from);
        if (around.status() == SearchStatus::memory_limit) throw std::bad_alloc();
        const auto farthest = static_cast<double>(around[around.size() - 1].cost);
        if (!(farthest > 0)) {
            throw std::invalid_argument(
                "landmarks: no step that costs anything leads from the state to begin with, "
                "number " +
                std::to_string(problem.index(from)));
        }
        int exponent = std::ilogb(4 * farthest / static_cast<double>(most)) + 1;
        if (std::integral<Cost>) exponent = (std::max)(exponent, 0);
        while (!fill(problem, from, exponent)) exponent += 2;
    }

    /// The heuristic for the problem's goal. Keeps a copy of the problem, and shares the distances.
    [[nodiscard]] auto bind(const P& problem) const { return Bound(problem, data_); }

private:
    /// No finite distance is greater: distances to what cannot be reached differ from it by more, and
    /// differences are exact in `Cost`.
    static constexpr Stored most = static_cast<Stored>((std::min)(
        std::uint64_t{(std::numeric_limits<Stored>::max)() / 2},
        std::uint64_t{1} << (std::integral<Cost> ? 63 : (std::min)(53, std::numeric_limits<Cost>::digits))));
    static constexpr Stored unreached = (std::numeric_limits<Stored>::max)();

    struct Data {
        int exponent = 0; // of the unit, 2^exponent
        std::size_t columns = 0;
        std::vector<Stored> distances; // of each state: from the landmarks, and then, if different, to them

        const Stored* of(std::size_t index) const { return distances.data() + index * columns; }
    };

    class Bound {
    public:
        static constexpr bool is_consistent = true;
        static constexpr bool is_zero_at_goals = true;
        static constexpr bool marks_dead_ends = true;

        Bound(const P& problem, std::shared_ptr<const Data> data)
            : problem_(problem), data_(std::move(data)), goal_(data_->of(problem.index(problem.goal()))) {}

        [[nodiscard]] Cost operator()(const State& state) const {
            const Stored* const here = data_->of(problem_.index(state));
            const std::size_t half = UndirectedProblem<P> ? data_->columns : data_->columns / 2;
            Stored greatest = 0;
            const auto compare = [&](Stored more, Stored less) {
                greatest = (std::max)(greatest, static_cast<Stored>(more > less ? more - less : 0));
            };
            for (std::size_t i = 0; i < data_->columns; ++i) {
                if (UndirectedProblem<P> || i < half) compare(goal_[i], here[i]);
                if (UndirectedProblem<P> || i >= half) compare(here[i], goal_[i]);
            }
            if (greatest > most) return detail::infinite<Cost>();
            if constexpr (std::integral<Cost>) { // A cost may be more than its type holds, and no dead end.
                return detail::finite(
                    detail::clamping_cast<Cost>(std::uint64_t{greatest} << data_->exponent));
            } else {
                return static_cast<Cost>(static_cast<double>(greatest) * unit_);
            }
        }

    private:
        P problem_;
        std::shared_ptr<const Data> data_;
        const Stored* goal_;
        double unit_ = std::ldexp(1.0, data_->exponent);
    };

    [[nodiscard]] static State first_of(const P& problem) {
        for (std::size_t index = 0; index < problem.size(); ++index) {
            for (const auto& [to, cost] : problem.neighbors(problem.state_at(index))) {
                if (Cost{} < cost) return problem.state_at(index);
            }
        }
        return problem.state_at(0);
    }

    /// Fills the table in units of this size. False if a distance is too large for them.
    [[nodiscard]] bool fill(const P& problem, State landmark, int exponent) {
        const auto size = static_cast<std::size_t>(problem.size());
        const std::size_t landmarks = UndirectedProblem<P> ? data_->columns : data_->columns / 2;
        std::vector<Stored> nearest(size, unreached);
        data_->exponent = exponent;
        // The first pass, from a state that may be anywhere, only chooses the first landmark.
        for (std::size_t pass = 0; pass <= landmarks; ++pass) {
            const std::size_t i = pass == 0 ? 0 : pass - 1;
            if (pass < 2) data_->distances.assign(size * data_->columns, unreached);
            if (!fill_column<false>(problem, landmark, i)) return false;
            if constexpr (!UndirectedProblem<P>) {
                if (!fill_column<true>(problem, landmark, landmarks + i)) return false;
            }
            Stored farthest = 0;
            for (std::size_t index = 0; index < size; ++index) {
                const Stored* const row = data_->of(index);
                nearest[index] = (std::min)(nearest[index], row[i]);
                const bool is_far = row[i] != unreached && farthest <= nearest[index];
                if (!is_far || (!UndirectedProblem<P> && row[landmarks + i] == unreached)) continue;
                farthest = nearest[index];
                landmark = problem.state_at(index);
            }
        }
        return true;
    }

    template <bool is_backward>
    [[nodiscard]] bool fill_column(const P& problem, const State& landmark, std::size_t column) {
        const detail::StepsInUnits<P, Stored, is_backward> steps(problem, data_->exponent);
        const auto tree = shortest_path_tree(steps, landmark);
        if (tree.status() == SearchStatus::memory_limit) throw std::bad_alloc();
        if (!tree || tree[tree.size() - 1].cost > most) return false;
        for (const auto& [state, distance] : tree) {
            const auto index = static_cast<std::size_t>(problem.index(state));
            data_->distances[index * data_->columns + column] = distance;
        }
        return true;
    }

    std::shared_ptr<Data> data_ = std::make_shared<Data>();
};

} // namespace npuzzle
