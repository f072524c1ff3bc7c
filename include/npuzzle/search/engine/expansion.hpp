#pragma once

#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/result.hpp"

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

/// \file
/// The expansion of a node: its neighbors, the cost of a step, the estimate. All engines share it.

namespace npuzzle::detail {

/// Converts a value of a heuristic to an estimate. NaN is a contract violation, which is counted.
template <class Estimate, class B, class Value>
NPUZZLE_ALWAYS_INLINE inline Estimate estimate_from(const Value& value, Statistics& statistics) {
    if (is_nan(value)) [[unlikely]] {
        ++statistics.contract_violations;
        NPUZZLE_ASSERT(false && "estimates are numbers");
        return Estimate{};
    }
    return convert_value<Estimate, B>(value);
}

/// Evaluates a heuristic on the states of a problem, and follows its moves where the heuristic can.
template <class B, class P>
class Estimator {
public:
    using Heuristic = std::remove_cvref_t<B>;
    using Estimate = estimate_t<Heuristic, P>;

    static constexpr bool is_zero = std::same_as<Heuristic, Zero>;
    /// Whether an infinite estimate says that no goal can be reached; else there is none.
    static constexpr bool has_dead_ends = detail::has_dead_ends<Heuristic, Estimate>;
    /// Whether the estimates of neighbors are made from the exact one of the node.
    static constexpr bool needs_exact = IncrementalHeuristicFor<Heuristic, P>;

private:
    /// Whether it follows moves by evaluations. It does not if values are enough, nor if some parts are called
    /// from scratch: that would be done for each neighbor and not only for the new ones.
    static constexpr bool is_evaluating =
        EvaluatingHeuristicFor<Heuristic, P> && !needs_exact && !calls_parts_anew<Heuristic>;
    static constexpr bool follows_moves = is_evaluating || needs_exact;

public:
    /// The estimate of a neighbor before it is known whether it is new: `Nothing` if it takes a call from
    /// scratch.
    using ChildEvaluation = std::conditional_t<follows_moves, Estimate, Nothing>;

    Estimator(std::remove_reference_t<B>& heuristic, Statistics& statistics)
        : heuristic_(&heuristic), statistics_(&statistics) {}

    [[nodiscard]] Estimate operator()(const state_t<P>& state) const {
        if constexpr (is_zero) {
            return Estimate{};
        } else {
            return convert((*heuristic_)(state));
        }
    }

    /// What `evaluate_child` needs of a node that is expanded.
    [[nodiscard]] auto evaluation_of(const state_t<P>& state, const auto& estimate) const {
        if constexpr (is_evaluating) {
            return heuristic_->evaluate(state);
        } else {
            return estimate;
        }
    }

    template <class Evaluation, class Move>
    ChildEvaluation evaluate_child(const Evaluation& evaluation, const state_t<P>& before, const Move& move,
                                   const state_t<P>& after) const {
        if constexpr (is_evaluating) {
            return convert(heuristic_->value(heuristic_->after(evaluation, before, move, after)));
        } else if constexpr (follows_moves) {
            return convert(static_cast<Estimate>(heuristic_->after(evaluation, before, move, after)));
        }
        return {};
    }

    /// The estimate of a neighbor that is new.
    [[nodiscard]] Estimate estimate_of_child(const ChildEvaluation& evaluation,
                                             const state_t<P>& state) const {
        if constexpr (follows_moves) return evaluation;
        return (*this)(state);
    }

private:
    /// If nothing marks dead ends, no estimate is infinite.
    template <class Value>
    Estimate convert(const Value& value) const {
        const auto estimate = estimate_from<Estimate, Heuristic>(value, *statistics_);
        return has_dead_ends || sizeof(Value) < sizeof(Estimate) ? estimate : finite(estimate);
    }

    std::remove_reference_t<B>* heuristic_;
    Statistics* statistics_;
};

/// The cost of a move that leads from a state.
template <class P, class Move>
cost_t<P> step_cost(const P& problem, const state_t<P>& state, const Move& move) {
    if constexpr (is_weighted<P>) {
        return static_cast<cost_t<P>>(problem.move_cost(state, move));
    } else {
        return cost_t<P>{1};
    }
}

/// Calls `visit(state, step, move)` for each neighbor of a state; `state` can be moved from.
/// \param last the move that led to the state: with moves, the one that takes it back is left out
/// \param leads_back without moves, a neighbor is left out if `leads_back(neighbor)` is true
template <class P, class Move, class LeadsBack, class F>
NPUZZLE_ALWAYS_INLINE inline void for_each_neighbor(const P& problem, const state_t<P>& state,
                                                    const Move& last, LeadsBack&& leads_back, F&& visit) {
    using State = state_t<P>;
    if constexpr (has_moves<P>) {
        problem.for_each_move(state, last, [&](const move_t<P>& move) {
            State child = state;
            problem.apply(child, move);
            visit(std::move(child), step_cost(problem, state, move), move);
        });
    } else {
        using Neighbors = neighbors_t<P>;
        for (auto&& neighbor : problem.neighbors(state)) {
            // The elements of a container returned by value can be moved from.
            constexpr bool is_ours =
                std::is_rvalue_reference_v<decltype(neighbor)&&> ||
                (!std::is_reference_v<Neighbors> && requires { typename Neighbors::allocator_type; });
            const auto follow = [&](auto& to, const cost_t<P>& step) {
                State child = is_ours ? State(std::move(to)) : State(to);
                if (!leads_back(std::as_const(child))) visit(std::move(child), step, last);
            };
            if constexpr (is_weighted<P>) {
                auto& [to, step] = neighbor;
                follow(to, step);
            } else {
                follow(neighbor, cost_t<P>{1});
            }
        }
    }
}

/// The same for all neighbors.
template <class P, class F>
NPUZZLE_ALWAYS_INLINE inline void for_each_neighbor(const P& problem, const state_t<P>& state, F&& visit) {
    const auto leads_back = [](const auto&) { return false; };
    for_each_neighbor(problem, state, no_move<P>(), leads_back, visit);
}

/// The same for a node of a table: the one that it came from is left out.
template <class P, class Table, class F>
NPUZZLE_ALWAYS_INLINE inline void for_each_neighbor(const P& problem, const Table& table,
                                                    const typename Table::Node& node, const state_t<P>& state,
                                                    F&& visit) {
    const auto leads_back = [&](const auto& child) { // asked without moves
        return !node.is_root() && is_equal<state_t<P>>(table.parent(node).state(), child);
    };
    if constexpr (has_moves<P>) {
        for_each_neighbor(problem, state, node.last_move(), leads_back, visit);
    } else {
        for_each_neighbor(problem, state, typename Table::Move{}, leads_back, visit);
    }
}

/// Whether the cost of a step is negative or NaN: a contract violation, which is counted. No such step is
/// followed.
template <class Cost>
bool breaks_contract(const Cost& step, Statistics& statistics) {
    if (is_negative(step) || is_nan(step)) {
        ++statistics.contract_violations;
        NPUZZLE_ASSERT(false && "costs are not negative, and are numbers");
        return true;
    }
    return false;
}

/// Checks that the priority has not fallen from a node to its neighbor. Of integers only: other sums round.
/// \tparam is_promised whether the heuristic declares itself consistent, and the priority follows from that
template <bool is_promised, class Priority>
void check_consistency(const Priority& parent, const Priority& priority, Statistics& statistics) {
    if constexpr (std::integral<Priority> && is_promised) {
        if (priority < parent) {
            ++statistics.contract_violations;
            NPUZZLE_ASSERT(false && "f does not fall under a consistent heuristic");
        }
    }
}

/// Checks that the estimate of a goal is zero.
template <class Estimate>
void check_goal(const Estimate& estimate, Statistics& statistics) {
    if (estimate < Estimate{} || Estimate{} < estimate) {
        ++statistics.contract_violations;
        NPUZZLE_ASSERT(false && "h(goal) is zero");
    }
}

/// Whether a step is to be followed that makes a path of this cost; else it counts as generated here. A step
/// of infinite cost is a wall.
/// \param can_hold whether a node can have a cost: costs saturate
/// \param overflow called with the cost if it cannot, though the step is finite; and if the step is NaN, since
///     nothing is proved without it
template <class Cost, class CanHold, class F>
bool may_follow(const Cost& step, const Cost& cost, CanHold&& can_hold, Statistics& statistics,
                F&& overflow) {
    const bool is_broken = breaks_contract(step, statistics);
    if (!is_broken && can_hold(cost)) return true;
    ++statistics.generated;
    if (is_broken ? is_nan(step) : !is_infinite(step)) {
        overflow(is_broken ? std::numeric_limits<Cost>::infinity() : cost);
    }
    return false;
}

/// `can_hold` of an engine without a node table.
inline constexpr auto is_finite = [](const auto& cost) { return !is_infinite(cost); };

} // namespace npuzzle::detail
