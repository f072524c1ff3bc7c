#pragma once

#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/kernel/unit_steps.hpp"

/// \file
/// A problem seen from its other end.

namespace npuzzle::detail {

/// A problem whose steps are gone the other way, from its goal to a start. Refers to the problem.
template <BackwardProblem P>
class Reversed : public SameStates<P> {
public:
    using State = state_t<P>;

    Reversed(const P& problem, const State& start) : SameStates<P>(problem), start_(start) {}

    decltype(auto) neighbors(const State& state) const {
        if constexpr (UndirectedProblem<P>) {
            return this->problem_->neighbors(state);
        } else {
            return this->problem_->predecessors(state);
        }
    }
    const State& goal() const { return start_; }
    bool is_goal(const State& state) const { return state == start_; }

private:
    State start_;
};

} // namespace npuzzle::detail
