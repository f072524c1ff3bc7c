#pragma once

#include "npuzzle/search/engine/expansion.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <vector>

namespace npuzzle {

/// What may be wrong with a heuristic.
enum class HeuristicFault : std::uint8_t {
    none,
    goal_above_zero, ///< a goal has a value above zero: not admissible
    steep_step,      ///< along a step the value falls by more than the step costs: not consistent
    wrong_after,     ///< what follows a move gives another value than an evaluation from scratch
};

/// What `verify_consistency` found: true if it found no fault, which is no proof that there is none.
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
    /// The value of `to` as it came of following the move, where that is the fault.
    Estimate followed_value{};

    explicit operator bool() const { return fault == HeuristicFault::none; }

    /// A sentence, and the states if they can be written.
    friend std::ostream& operator<<(std::ostream& out, const ConsistencyReport& report) {
        const auto write = [&](const State& state) {
            if constexpr (requires { out << state; }) {
                out << '\n' << state;
            }
        };
        switch (report.fault) {
        case HeuristicFault::none:
            return out << "no fault on " << report.states << " states and " << report.steps
                       << " steps from them";
        case HeuristicFault::goal_above_zero:
            out << "not admissible: a goal has the value " << report.from_value;
            write(*report.from);
            return out;
        case HeuristicFault::steep_step:
            out << "not consistent: the value falls from " << report.from_value << " to " << report.to_value
                << " along a step that costs " << report.cost;
            break;
        case HeuristicFault::wrong_after:
            out << "the move gives the value " << report.followed_value << ", from scratch it is "
                << report.to_value;
            break;
        }
        write(*report.from);
        write(*report.to);
        return out;
    }
};

namespace detail {

template <Problem P, class H, class B>
class ConsistencyCheck {
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;

public:
    using Report = ConsistencyReport<State, Cost, Estimate>;

    ConsistencyCheck(const P& problem, B& heuristic) : problem_(problem), heuristic_(heuristic) {}

    /// Looks at a state and at each step from it; false if there is a fault.
    bool check(const State& state) {
        ++report_.states;
        const Estimate value = evaluate(state);
        if (problem_.is_goal(state) && Estimate{} < value) {
            report_.fault = HeuristicFault::goal_above_zero;
            report_.from = state;
            report_.from_value = value;
            return false;
        }
        return check_neighbors(state, value) && check_moves(state, value);
    }

    [[nodiscard]] const Report& report() const noexcept { return report_; }

private:
    Estimate evaluate(const State& state) { return convert_value<Estimate, B>(heuristic_(state)); }

    bool check_neighbors(const State& state, const Estimate& value) {
        for (auto&& neighbor : problem_.neighbors(state)) {
            ++report_.steps;
            const State next(end_of<P>(neighbor));
            const Cost cost = step_to<P>(neighbor);
            const Estimate next_value = evaluate(next);
            if (is_steep(value, cost, next_value)) {
                note(HeuristicFault::steep_step, state, value, next, next_value);
                report_.cost = cost;
                return false;
            }
        }
        return true;
    }

    static bool is_steep(const Estimate& value, const Cost& cost, const Estimate& next_value) {
        const Estimate least = saturating_add(saturating_cast<Estimate>(cost), next_value);
        if (is_nan(value) || is_nan(next_value)) {
            return true;
        }
        if constexpr (std::floating_point<Estimate>) {
            // What sums of rounded numbers may be apart.
            return !is_infinite(least) && value - least > Estimate(1e-6) * (value < 1 ? Estimate{1} : value);
        } else {
            return !is_infinite(least) && least < value;
        }
    }

    bool check_moves(const State& state, const Estimate& value) {
        if constexpr (EvaluatingHeuristicFor<H, P> || IncrementalHeuristicFor<H, P>) {
            bool is_right = true;
            problem_.for_each_move(state, P::no_move, [&](auto move) {
                State next = state;
                problem_.apply(next, move);
                const Estimate expected = evaluate(next);
                const auto compare = [&](const Estimate& followed) {
                    if (is_right && (followed < expected || expected < followed)) {
                        is_right = false;
                        note(HeuristicFault::wrong_after, state, value, next, expected);
                        report_.followed_value = followed;
                    }
                };
                if constexpr (EvaluatingHeuristicFor<H, P>) {
                    const auto evaluation = heuristic_.evaluate(state);
                    compare(convert_value<Estimate, B>(
                        heuristic_.value(heuristic_.after(evaluation, state, move, next))));
                }
                if constexpr (IncrementalHeuristicFor<H, P>) {
                    compare(static_cast<Estimate>(heuristic_.after(value, state, move, next)));
                }
            });
            return is_right;
        } else {
            return true;
        }
    }

    void note(HeuristicFault fault, const State& from, const Estimate& from_value, const State& to,
              const Estimate& to_value) {
        report_.fault = fault;
        report_.from = from;
        report_.from_value = from_value;
        report_.to = to;
        report_.to_value = to_value;
    }

    const P& problem_;
    B& heuristic_;
    Report report_;
};

} // namespace detail

/// Looks for a fault of a heuristic. It looks at the given states, at the states on a random walk of
/// `walk_length` steps from each of them (the same walk each time), and at all steps from these. A fault is a
/// goal whose value is above zero, a step along which the value falls by more than the step costs, or, if the
/// heuristic follows moves, a value that differs from the one from scratch. A heuristic that is zero at the
/// goals and consistent is admissible.
///
/// With floating-point values, a difference of a millionth of the value counts as rounding. Time is linear in
/// the number of states looked at.
///
/// \param samples states from which a goal may or may not be in reach; goals themselves are good ones
/// \return the first fault found, with its states and values
template <Problem P, class H, class Samples = std::initializer_list<state_t<P>>>
    requires HeuristicFor<H, P>
[[nodiscard]] auto verify_consistency(const P& problem, H&& heuristic, const Samples& samples,
                                      std::size_t walk_length = 0)
    -> ConsistencyReport<state_t<P>, cost_t<P>, estimate_t<H, P>> {
    return detail::with_bound(heuristic, problem, [&]<class B>(B& bound) {
        detail::ConsistencyCheck<P, H, B> check(problem, bound);
        std::uint64_t random = 0;
        for (const state_t<P>& sample : samples) {
            state_t<P> state = detail::checked_state(problem, sample);
            for (std::size_t step = 0; check.check(state) && step < walk_length; ++step) {
                std::vector<state_t<P>> ways;
                for (auto&& neighbor : problem.neighbors(state)) {
                    ways.push_back(state_t<P>(detail::end_of<P>(neighbor)));
                }
                if (ways.empty()) {
                    break;
                }
                state = ways[detail::mix(++random) % ways.size()];
            }
            if (!check.report()) {
                break;
            }
        }
        return check.report();
    });
}

} // namespace npuzzle
