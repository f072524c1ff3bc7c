#pragma once

#include "npuzzle/search/core/capabilities.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// \file
/// Problems made of another one: with steps that all cost 1, or seen from its goal.

namespace npuzzle::detail {

/// Hashes, numbers and packs states as another problem does. Refers to the problem.
template <class P>
class SameStates {
public:
    using State = state_t<P>;

    explicit SameStates(const P& problem) : problem_(&problem) {}

    [[nodiscard]] std::size_t hash(const State& state) const
        requires HasHash<P>
    {
        return hash_state(*problem_, state);
    }
    [[nodiscard]] std::uint64_t owner_hash(const State& state) const
        requires has_owner_hash<P>
    {
        return static_cast<std::uint64_t>(problem_->owner_hash(state));
    }
    [[nodiscard]] std::size_t index(const State& state) const
        requires IndexedProblem<P>
    {
        return static_cast<std::size_t>(problem_->index(state));
    }
    [[nodiscard]] std::size_t size() const
        requires IndexedProblem<P>
    {
        return static_cast<std::size_t>(problem_->size());
    }
    [[nodiscard]] bool contains(const State& state) const
        requires checks_states<P>
    {
        return bool(problem_->contains(state));
    }
    [[nodiscard]] State state_at(std::size_t number) const
        requires NumberedProblem<P>
    {
        return problem_->state_at(number);
    }
    [[nodiscard]] auto pack(const State& state) const
        requires PackedProblem<P>
    {
        return problem_->pack(state);
    }
    template <UnsignedWord Word>
        requires PackedProblem<P>
    [[nodiscard]] State unpack(Word word) const {
        return problem_->unpack(word);
    }

protected:
    const P* problem_;
};

/// A weighted problem in which each step costs 1. Steps that cannot be paid for are none. A step whose cost is
/// NaN is one: nothing is proved without it.
template <Problem P>
class UnitSteps : public SameStates<P> {
public:
    using State = state_t<P>;

    static constexpr bool is_undirected = UndirectedProblem<P>;

    using SameStates<P>::SameStates;

    [[nodiscard]] std::vector<State> neighbors(const State& state) const {
        return ends_of(this->problem_->neighbors(state));
    }
    [[nodiscard]] std::vector<State> predecessors(const State& state) const
        requires requires(const P& p, const State& s) { p.predecessors(s); }
    {
        return ends_of(this->problem_->predecessors(state));
    }
    [[nodiscard]] State goal() const
        requires HasGoalState<P>
    {
        return this->problem_->goal();
    }
    [[nodiscard]] bool is_goal(const State& state) const { return bool(this->problem_->is_goal(state)); }

private:
    template <class Range>
    static std::vector<State> ends_of(Range&& edges) {
        std::vector<State> ends;
        for (const auto& [to, cost] : edges) {
            if (is_nan(cost) || (!is_negative(cost) && !is_infinite(cost))) {
                ends.push_back(State(to));
            }
        }
        return ends;
    }
};

/// A problem with its steps reversed, from its goal to a start.
template <BackwardProblem P>
class Reversed : public SameStates<P> {
public:
    using State = state_t<P>;

    Reversed(const P& problem, const State& start) : SameStates<P>(problem), start_(start) {}

    [[nodiscard]] decltype(auto) neighbors(const State& state) const {
        if constexpr (UndirectedProblem<P>) {
            return this->problem_->neighbors(state);
        } else {
            return this->problem_->predecessors(state);
        }
    }
    [[nodiscard]] const State& goal() const noexcept { return start_; }
    [[nodiscard]] bool is_goal(const State& state) const { return state == start_; }

private:
    State start_;
};

/// The problem that a backward heuristic is bound to: with the start as its goal, if it can be given another
/// goal; else the reversed one.
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

/// A heuristic for the other direction: called with a state, it estimates the cost from the start to it. One
/// that `BindsTo` problems is bound to `problem.with_goal(start)`, if there is that, else to a problem whose
/// `neighbors` are the predecessors.
template <class H, class P>
concept BackwardHeuristicFor = BackwardProblem<P> && HeuristicFor<H, detail::backward_target_t<P>>;

} // namespace npuzzle
