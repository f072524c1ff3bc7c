#pragma once

#include "npuzzle/search/kernel/problem_adaptors.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The same problem with other goals: a set of states, or all that a predicate holds for.

namespace npuzzle {

namespace detail {

/// The moves of another problem, if it has any.
template <class P>
class SameMoves : public SameStates<P> {
public:
    using SameStates<P>::SameStates;
};

template <MoveProblem P>
class SameMoves<P> : public SameStates<P> {
public:
    using State = state_t<P>;
    using Move = typename P::Move;
    static constexpr Move no_move = P::no_move;

    using SameStates<P>::SameStates;

    template <class F>
    void for_each_move(const State& state, const Move& last, F&& f) const {
        this->problem_->for_each_move(state, last, std::forward<F>(f));
    }
    void apply(State& state, const Move& move) const { this->problem_->apply(state, move); }
    [[nodiscard]] Move inverse(const Move& move) const { return this->problem_->inverse(move); }
    [[nodiscard]] cost_t<P> move_cost(const State& state, const Move& move) const
        requires is_weighted<P>
    {
        return this->problem_->move_cost(state, move);
    }
};

template <class P>
struct SameMoveCount {};

template <HasMoveCount P>
struct SameMoveCount<P> {
    static constexpr unsigned move_count = P::move_count;
};

template <class P>
struct SameLongestPath {};

template <HasLongestPath P>
struct SameLongestPath<P> {
    static constexpr cost_t<P> longest_path = P::longest_path;
};

/// And what makes its nodes small.
template <class P>
class SameNodes : public SameMoves<P>, public SameMoveCount<P>, public SameLongestPath<P> {
public:
    using SameMoves<P>::SameMoves;
};

template <CompactProblem P>
class SameNodes<P> : public SameMoves<P>, public SameMoveCount<P>, public SameLongestPath<P> {
public:
    static constexpr unsigned word_bits = P::word_bits;

    using SameMoves<P>::SameMoves;
};

/// A predicate that holds for some states, looked up by their hashes where there are any.
template <class P>
class GoalStates {
public:
    using State = state_t<P>;

    template <class Range>
    GoalStates(const P& problem, const Range& states) : problem_(&problem) {
        for (const auto& state : states) {
            const State goal(state);
            entries_.push_back({hash(checked_state(problem, goal)), goal});
        }
        std::sort(entries_.begin(), entries_.end(),
                  [](const Entry& a, const Entry& b) { return a.hash < b.hash; });
    }

    [[nodiscard]] bool operator()(const State& state) const {
        const std::size_t wanted = hash(state);
        auto entry =
            std::lower_bound(entries_.begin(), entries_.end(), wanted,
                             [](const Entry& other, std::size_t value) { return other.hash < value; });
        for (; entry != entries_.end() && entry->hash == wanted; ++entry) {
            if (is_equal(entry->state, state)) {
                return true;
            }
        }
        return false;
    }

    template <class F>
    void for_each(F&& visit) const {
        for (const Entry& entry : entries_) {
            visit(entry.state);
        }
    }

private:
    struct Entry {
        std::size_t hash;
        State state;
    };

    [[nodiscard]] std::size_t hash(const State& state) const {
        if constexpr (HasHash<P>) {
            return hash_state(*problem_, state);
        } else {
            return 0;
        }
    }

    const P* problem_;
    std::vector<Entry> entries_;
};

} // namespace detail

/// What `with_goals` gives: a problem with the states, steps and moves of `P` and other goals. It has the
/// optional capabilities of `P` that do not depend on goals. Refers to the problem.
template <Problem P, std::predicate<const state_t<P>&> IsGoal>
class WithGoals : public detail::SameNodes<P> {
    static_assert(!PrunesMoves<P>,
                  "other goals, or none, are for the problem with all moves, such as the map of JumpPoints");

public:
    using State = state_t<P>;

    WithGoals(const P& problem, IsGoal is_goal)
        : detail::SameNodes<P>(problem), is_goal_(std::move(is_goal)) {}

    [[nodiscard]] decltype(auto) neighbors(const State& state) const {
        return this->problem_->neighbors(state);
    }
    [[nodiscard]] bool is_goal(const State& state) const { return is_goal_(state); }

    /// The problem itself, with its own goal.
    [[nodiscard]] const P& problem() const { return *this->problem_; }
    /// The predicate.
    [[nodiscard]] const IsGoal& goals() const noexcept { return is_goal_; }

private:
    IsGoal is_goal_;
};

/// The same problem with other goals, for any search that does not need one known goal. The problem must
/// outlive what is returned.
/// \param is_goal called with a state; by all threads that search
template <Problem P, std::predicate<const state_t<P>&> IsGoal>
[[nodiscard]] WithGoals<P, IsGoal> with_goals(const P& problem, IsGoal is_goal) {
    return {problem, std::move(is_goal)};
}

/// The same with a range of states as the goals. A goal test takes time logarithmic in their number, if
/// states can be hashed.
template <Problem P, detail::StateRange<state_t<P>> Range>
    requires(!std::predicate<Range, const state_t<P>&>)
[[nodiscard]] WithGoals<P, detail::GoalStates<P>> with_goals(const P& problem, const Range& states) {
    return {problem, detail::GoalStates<P>(problem, states)};
}

template <Problem P, class Goals>
void with_goals(const P&& problem, Goals&& goals) = delete; // it would refer to a destroyed problem

namespace detail {

/// Heuristics bound to problems that it owns, since they may refer to them; so it can be moved and not
/// copied.
template <class P, class B>
class BoundNearest {
public:
    static constexpr bool is_consistent = declares_consistent<B>;
    static constexpr bool is_zero_at_goals = declares_zero_at_goals<B>;
    static constexpr bool marks_dead_ends = declares_dead_ends<B>;

    template <class H>
    BoundNearest(const H& heuristic, std::vector<P> problems) : problems_(std::move(problems)) {
        for (const P& problem : problems_) {
            parts_.push_back(bind_heuristic(heuristic, problem));
        }
    }
    BoundNearest(BoundNearest&&) = default;
    BoundNearest& operator=(BoundNearest&&) = default;

    auto operator()(const state_t<P>& state) {
        using Value = std::remove_cvref_t<decltype(parts_.front()(state))>;
        bool is_first = true;
        Value least{};
        for (B& part : parts_) {
            const Value value = part(state);
            if (is_first || value < least) {
                least = value;
            }
            is_first = false;
        }
        return least;
    }

private:
    std::vector<P> problems_;
    std::vector<B> parts_;
};

} // namespace detail

/// A heuristic for several goals: the least value of one for a single goal. `NearestGoal{Manhattan{}}`
/// follows the goals of `with_goals(puzzle, boards)`. Admissible (consistent) if it is for each goal. Time:
/// one call for each goal.
template <class H>
class NearestGoal {
public:
    constexpr explicit NearestGoal(H heuristic) : heuristic_(std::move(heuristic)) {}

    template <HasWithGoal P>
        requires HeuristicFor<H, P>
    [[nodiscard]] auto bind(const WithGoals<P, detail::GoalStates<P>>& problem) const {
        std::vector<P> problems;
        problem.goals().for_each(
            [&](const state_t<P>& goal) { problems.push_back(problem.problem().with_goal(goal)); });
        return detail::BoundNearest<P, bound_t<H, P>>(heuristic_, std::move(problems));
    }

private:
    H heuristic_;
};

} // namespace npuzzle
