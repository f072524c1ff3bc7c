#pragma once

#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/engine/problem_adaptors.hpp"

#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Problems with other steps: with moves, or each at a cost of 1.

namespace npuzzle::detail {

/// Gives a problem without moves a move for each neighbor: the states on both sides of the step.
template <Problem P>
class StepsAsMoves : public ProblemAdaptor<P> {
public:
    using State = state_t<P>;

    struct Move {
        std::optional<State> from;
        std::optional<State> to;
        cost_t<P> cost{};

        friend bool operator==(const Move&, const Move&) = default;
    };
    static inline const Move no_move{};

    using ProblemAdaptor<P>::ProblemAdaptor;

    bool is_goal(const State& state) const { return bool(this->problem_->is_goal(state)); }

    template <class F>
    void for_each_move(const State& state, const Move& last, F&& f) const {
        for_each_neighbor(*this->problem_, state, [&](State&& to, const cost_t<P>& step, const auto&) {
            if (!last.from || !is_equal(*last.from, to)) {
                f(Move{state, std::move(to), step});
            }
        });
    }
    void apply(State& state, const Move& move) const { state = *move.to; }
    Move inverse(const Move& move) const { return {move.to, move.from, move.cost}; }
    cost_t<P> move_cost(const State& /*state*/, const Move& move) const { return move.cost; }
};

/// A problem for searches that go by moves.
template <class P>
using moving_t = std::conditional_t<has_moves<P>, const P&, StepsAsMoves<P>>;

/// The result for a problem of a search of its `moving_t`.
template <class P, class Result>
search_result_t<P> moved(Result&& result) {
    if constexpr (has_moves<P>) {
        return std::forward<Result>(result);
    } else {
        return {{}, result.status, std::move(result.path), std::move(result.cost), result.statistics, {}};
    }
}

/// A weighted problem in which each step costs 1. Steps of infinite cost are left out; those of NaN stay: else
/// nothing would be proved.
template <Problem P>
class UnitSteps : public ProblemAdaptor<P> {
public:
    using State = state_t<P>;

    static constexpr bool is_undirected = UndirectedProblem<P>;

    using ProblemAdaptor<P>::ProblemAdaptor;

    std::vector<State> neighbors(const State& state) const {
        return ends_of(this->problem_->neighbors(state));
    }
    std::vector<State> predecessors(const State& state) const
        requires requires(const P& p, const State& s) { p.predecessors(s); }
    {
        return ends_of(this->problem_->predecessors(state));
    }
    State goal() const
        requires HasGoalState<P>
    {
        return this->problem_->goal();
    }
    bool is_goal(const State& state) const { return bool(this->problem_->is_goal(state)); }

    mutable Statistics statistics; ///< the contract violations of steps

private:
    std::vector<State> ends_of(auto&& edges) const {
        std::vector<State> ends;
        for (const auto& [to, cost] : edges) {
            const bool is_broken = breaks_contract(cost, statistics);
            if (is_broken ? is_nan(cost) : !is_infinite(cost)) ends.push_back(State(to));
        }
        return ends;
    }
};

/// What `search(UnitSteps)` finds, in moves and costs of the problem; `search(problem)` if its steps cost 1.
template <Problem P>
search_result_t<P> in_unit_steps(const P& problem, auto&& search) {
    return search(problem);
}

template <Problem P>
    requires is_weighted<P>
search_result_t<P> in_unit_steps(const P& problem, auto&& search) {
    const UnitSteps<P> steps(problem);
    auto found = search(steps);
    search_result_t<P> result;
    result.status = found.status;
    result.statistics = found.statistics;
    result.statistics.contract_violations += steps.statistics.contract_violations;
    result.path = std::move(found.path);
    result.partial_path = std::move(found.partial_path);
    try {
        result.cost = look_up_steps(problem, found ? result.path : result.partial_path, moves_of<P>(result));
    } catch (const std::bad_alloc&) {
        return without_path(result);
    }
    if (found && is_infinite(result.cost) && !is_nan(result.cost)) {
        result = without_path(result); // of few steps, which cost more than the type can hold
        result.status = SearchStatus::cost_overflow;
    }
    return result;
}

} // namespace npuzzle::detail
