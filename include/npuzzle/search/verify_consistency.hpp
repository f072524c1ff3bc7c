#pragma once

#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/engine/engine.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>

namespace npuzzle {

/// What may be wrong with a heuristic.
enum class HeuristicFault : std::uint8_t {
    none,
    goal_above_zero, ///< a goal has a value above zero: not admissible
    steep_step,      ///< along a step the value falls by more than the step costs: not consistent
    wrong_after,     ///< `after` a move gives another value than an evaluation from scratch
};

/// What `verify_consistency` found: true if it found no fault, which is no proof.
template <class State, class Cost, class Estimate>
struct ConsistencyReport {
    HeuristicFault fault = HeuristicFault::none;
    std::uint64_t states = 0; ///< how many were looked at
    std::uint64_t steps = 0;  ///< and how many steps from them

    /// Where the fault is: a goal, or the state that a step leads from, and its value.
    std::optional<State> from;
    Estimate from_value{};
    /// The state that the step leads to, its value from scratch, and what the step costs.
    std::optional<State> to;
    Estimate to_value{};
    Cost cost{};
    /// The value of `to` by following the move, if that is the fault.
    Estimate followed_value{};

    explicit operator bool() const { return fault == HeuristicFault::none; }

    /// A sentence, and the states if they can be written.
    friend std::ostream& operator<<(std::ostream& out, const ConsistencyReport& report) {
        switch (report.fault) {
        case HeuristicFault::none:
            out << "no fault on " << report.states << " states and " << report.steps << " steps from them";
            break;
        case HeuristicFault::goal_above_zero:
            out << "not admissible: a goal has the value " << report.from_value;
            break;
        case HeuristicFault::steep_step:
            out << "not consistent: the value falls from " << report.from_value << " to " << report.to_value
                << " along a step that costs " << report.cost;
            break;
        case HeuristicFault::wrong_after:
            out << "the move gives the value " << report.followed_value << ", from scratch it is "
                << report.to_value;
        }
        if constexpr (requires { out << *report.from; }) {
            if (report.from) out << '\n' << *report.from;
            if (report.to) out << '\n' << *report.to;
        }
        return out;
    }
};

namespace detail {

/// Looks for a fault at one state after another.
/// \tparam B the heuristic `H`, bound to the problem
template <Problem P, class H, class B>
class FaultFinder {
public:
    using State = state_t<P>;
    using Estimate = estimate_t<H, P>;

    FaultFinder(const P& problem, B& heuristic) : problem_(problem), heuristic_(heuristic) {}

    /// Checks a state and all steps from it. Returns a neighbor at random.
    std::optional<State> check(const State& state) {
        std::optional<State> next;
        ++report.states;
        const Estimate value = convert(heuristic_(state));
        if (problem_.is_goal(state) && Estimate{} < value) {
            report.fault = HeuristicFault::goal_above_zero;
            report.from = state;
            report.from_value = value;
            return next;
        }
        std::uint64_t count = 0;
        for_each_neighbor(problem_, state, [&](const State& to, const cost_t<P>& cost, const auto& move) {
            if (!report) return;
            check_step(state, value, move, to, cost);
            if (mix(++random_) % ++count == 0) next = to;
        });
        return next;
    }

    ConsistencyReport<State, cost_t<P>, Estimate> report;

private:
    static Estimate convert(const auto& value) { return convert_value<Estimate, B>(value); }

    void check_step(const State& from, const Estimate& value, [[maybe_unused]] const auto& move,
                    const State& to, const cost_t<P>& cost) {
        ++report.steps;
        const Estimate to_value = convert(heuristic_(to));
        const auto note = [&](HeuristicFault fault, const Estimate& followed) {
            report = {fault, report.states, report.steps, from, value, to, to_value, cost, followed};
        };
        [[maybe_unused]] const auto compare = [&](const Estimate& followed) {
            if (report && followed != to_value) note(HeuristicFault::wrong_after, followed);
        };
        if (is_steep(value, saturating_add(saturating_cast<Estimate>(cost), to_value)) || is_nan(value) ||
            is_nan(to_value)) {
            note(HeuristicFault::steep_step, {});
        }
        if constexpr (EvaluatingHeuristicFor<H, P>) {
            compare(convert(heuristic_.value(heuristic_.after(heuristic_.evaluate(from), from, move, to))));
        }
        if constexpr (IncrementalHeuristicFor<H, P>) {
            compare(static_cast<Estimate>(heuristic_.after(value, from, move, to)));
        }
    }

    /// Whether a value exceeds the most that a step allows, by more than sums of rounded numbers may differ.
    static bool is_steep(const Estimate& value, const Estimate& most) {
        if (is_infinite(most) || !(most < value)) return false;
        if constexpr (std::floating_point<Estimate>) {
            return value - most > Estimate(1e-6) * (std::max)(value, Estimate{1});
        }
        return true;
    }

    const P& problem_;
    B& heuristic_;
    std::uint64_t random_ = 0;
};

} // namespace detail

/// Looks for a fault of a heuristic at the given states, at the states on a random walk of `walk_length`
/// steps from each of them (the same walk each time), and along all steps from these states. A heuristic that
/// is zero at goals and consistent is admissible.
///
/// With floating-point values, a difference of a millionth of the value counts as rounding. Time is linear in
/// the number of states.
///
/// \param samples states from which a goal may or may not be in reach; goals themselves are good ones
/// \return the first fault found, with its states and values
template <Problem P, class H, class Samples = std::initializer_list<state_t<P>>>
    requires HeuristicFor<H, P>
[[nodiscard]] auto verify_consistency(const P& problem, H&& heuristic, const Samples& samples,
                                      std::size_t walk_length = 0)
    -> ConsistencyReport<state_t<P>, cost_t<P>, estimate_t<H, P>> {
    return detail::with_bound(heuristic, problem, [&]<class B>(B& bound) {
        detail::FaultFinder<P, H, B> finder(problem, bound);
        for (const state_t<P>& sample : samples) {
            std::optional<state_t<P>> state = detail::checked_state(problem, sample);
            for (std::size_t step = 0; state && finder.report && step <= walk_length; ++step) {
                state = finder.check(*state);
            }
        }
        return finder.report;
    });
}

} // namespace npuzzle
