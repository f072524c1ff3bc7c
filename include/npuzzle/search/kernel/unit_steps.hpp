#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/word.hpp"

#include <cstddef>
#include <vector>

/// \file
/// A problem whose steps are counted instead of paid for.

namespace npuzzle::detail {

/// Hashes and numbers states as another problem does.
template <class P>
class SameStates {
public:
    using State = state_t<P>;

    explicit SameStates(const P& problem) : problem_(&problem) {}

    std::size_t hash(const State& state) const
        requires HasHash<P>
    {
        return hash_state(*problem_, state);
    }
    std::size_t index(const State& state) const
        requires IndexedProblem<P>
    {
        return static_cast<std::size_t>(problem_->index(state));
    }
    std::size_t size() const
        requires IndexedProblem<P>
    {
        return static_cast<std::size_t>(problem_->size());
    }

protected:
    const P* problem_;
};

/// A weighted problem in which each step costs 1. Steps that cannot be paid for are none. Refers to the
/// problem.
template <Problem P>
class UnitSteps : public SameStates<P> {
public:
    using State = state_t<P>;

    static constexpr bool is_undirected = UndirectedProblem<P>;

    explicit UnitSteps(const P& problem) : SameStates<P>(problem) {}

    std::vector<State> neighbors(const State& state) const {
        return ends_of(this->problem_->neighbors(state));
    }
    std::vector<State> predecessors(const State& state) const
        requires HasPredecessors<P>
    {
        return ends_of(this->problem_->predecessors(state));
    }
    State goal() const
        requires HasGoalState<P>
    {
        return this->problem_->goal();
    }
    bool is_goal(const State& state) const { return bool(this->problem_->is_goal(state)); }
    auto pack(const State& state) const
        requires PackedProblem<P>
    {
        return this->problem_->pack(state);
    }
    template <UnsignedWord Word>
        requires PackedProblem<P>
    State unpack(Word word) const {
        return this->problem_->unpack(word);
    }

private:
    template <class Range>
    static std::vector<State> ends_of(Range&& edges) {
        std::vector<State> ends;
        for (auto&& edge : edges) {
            if (!(edge.cost < cost_t<P>{}) && !is_infinite(edge.cost)) {
                ends.push_back(State(edge.to));
            }
        }
        return ends;
    }
};

} // namespace npuzzle::detail
