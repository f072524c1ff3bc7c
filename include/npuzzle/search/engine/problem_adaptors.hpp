#pragma once

#include "npuzzle/search/core/capabilities.hpp"

#include <utility>

/// \file
/// Problems made of another one.

namespace npuzzle::detail {

/// Forwards to another problem all that depends neither on goals nor on the direction. A derived class hides
/// what differs, and has moves if it declares `Move` and `no_move`.
template <class P>
class ProblemAdaptor {
public:
    using State = state_t<P>;

    explicit ProblemAdaptor(const P& problem) : problem_(&problem) {}

#define NPUZZLE_FORWARD(member)                                                                              \
    template <class... Args, class Q = P>                                                                    \
    auto member(Args&&... args) const                                                                        \
        -> decltype(std::declval<const Q&>().member(std::forward<Args>(args)...)) {                          \
        return problem_->member(std::forward<Args>(args)...);                                                \
    }
    NPUZZLE_FORWARD(neighbors)
    NPUZZLE_FORWARD(hash)
    NPUZZLE_FORWARD(owner_hash)
    NPUZZLE_FORWARD(index)
    NPUZZLE_FORWARD(size)
    NPUZZLE_FORWARD(state_at)
    NPUZZLE_FORWARD(contains)
    NPUZZLE_FORWARD(pack)
    NPUZZLE_FORWARD(unpack)
    NPUZZLE_FORWARD(for_each_move)
    NPUZZLE_FORWARD(apply)
    NPUZZLE_FORWARD(inverse)
    NPUZZLE_FORWARD(move_cost)
#undef NPUZZLE_FORWARD

protected:
    const P* problem_;
};

/// A problem with its steps reversed, from its goal to a start.
template <BackwardProblem P>
class Reversed : public ProblemAdaptor<P> {
public:
    using State = state_t<P>;

    Reversed(const P& problem, const State& start) : ProblemAdaptor<P>(problem), start_(start) {}

    decltype(auto) neighbors(const State& state) const {
        if constexpr (UndirectedProblem<P>) {
            return this->problem_->neighbors(state);
        } else {
            return this->problem_->predecessors(state);
        }
    }
    const State& goal() const noexcept { return start_; }
    bool is_goal(const State& state) const { return state == start_; }

private:
    State start_;
};

/// The problem that a backward heuristic is bound to.
template <BackwardProblem P>
auto make_backward_target(const P& problem, const state_t<P>& start) {
    if constexpr (UndirectedProblem<P> && HasWithGoal<P>) {
        return problem.with_goal(start);
    } else {
        return Reversed<P>(problem, start);
    }
}

template <class P>
using backward_target_t =
    decltype(make_backward_target(std::declval<const P&>(), std::declval<const state_t<P>&>()));

} // namespace npuzzle::detail

namespace npuzzle {

/// Estimates the cost from the start to a state. It binds to `problem.with_goal(start)` if the problem is
/// undirected and has that, else to a problem whose `neighbors` are the predecessors.
template <class H, class P>
concept BackwardHeuristicFor = BackwardProblem<P> && HeuristicFor<H, detail::backward_target_t<P>>;

} // namespace npuzzle
