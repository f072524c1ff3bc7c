#pragma once

#include "npuzzle/search/engine/problem_adaptors.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

/// \file
/// The same problem with other goals: a set of states, or all that a predicate holds for.

namespace npuzzle {

namespace detail {

/// No state is a goal.
struct NoGoal {
    constexpr bool operator()(const auto& /*state*/) const { return false; }
};

/// Holds for some states, looked up by their hashes where there are any.
template <class P>
struct GoalStates {
    struct Hash {
        const P* problem;
        std::size_t operator()(const state_t<P>& state) const { return hash_state(*problem, state); }
    };

    std::unordered_set<state_t<P>, Hash> states;

    template <class Range>
    GoalStates(const P& problem, const Range& goals) : states(0, Hash{&problem}) {
        for (const auto& goal : goals) states.insert(checked_state(problem, state_t<P>(goal)));
    }

    bool operator()(const state_t<P>& state) const { return states.contains(state); }
};

} // namespace detail

/// A problem with other goals and the capabilities of `P` that do not depend on goals, to which it refers.
template <Problem P, std::predicate<const state_t<P>&> IsGoal>
class WithGoals : public detail::ProblemAdaptor<P> {
    static_assert(!PrunesMoves<P>,
                  "other goals, or none, are for the problem with all moves, such as the map of JumpPoints");

public:
    using State = state_t<P>;
    using Move = detail::move_or_nothing_t<P>;
    static constexpr Move no_move = detail::no_move<P>();

    // Constants that make nodes small; `Nothing` where the problem has none.
#define NPUZZLE_FORWARD(constant)                                                                            \
    static constexpr auto constant = [] {                                                                    \
        if constexpr (requires { std::bool_constant<(static_cast<void>(P::constant), true)>{}; }) {          \
            return P::constant;                                                                              \
        } else {                                                                                             \
            return detail::Nothing{};                                                                        \
        }                                                                                                    \
    }();
    NPUZZLE_FORWARD(move_count)
    NPUZZLE_FORWARD(word_bits)
    NPUZZLE_FORWARD(longest_path)
#undef NPUZZLE_FORWARD

    WithGoals(const P& problem, IsGoal is_goal)
        : detail::ProblemAdaptor<P>(problem), is_goal_(std::move(is_goal)) {}
    WithGoals(const P&& problem, IsGoal is_goal) = delete; ///< it would refer to a destroyed problem

    [[nodiscard]] bool is_goal(const State& state) const { return is_goal_(state); }

    /// The problem itself, with its own goal.
    [[nodiscard]] const P& problem() const { return *this->problem_; }
    [[nodiscard]] const IsGoal& goals() const noexcept { return is_goal_; }

private:
    IsGoal is_goal_;
};

/// The same problem, which must outlive what is returned, with other goals, for any search that does not need
/// one known goal. All threads of a search call `is_goal(state)`.
template <Problem P, std::predicate<const state_t<P>&> IsGoal>
[[nodiscard]] WithGoals<P, IsGoal> with_goals(const P& problem, IsGoal is_goal) {
    return {problem, std::move(is_goal)};
}

/// The same with a range of states as the goals. A goal test is one look-up, or linear without a hash.
template <Problem P, class Range>
    requires(detail::is_state_range<Range, state_t<P>> && !std::predicate<Range, const state_t<P>&>)
[[nodiscard]] WithGoals<P, detail::GoalStates<P>> with_goals(const P& problem, const Range& states) {
    return {problem, detail::GoalStates<P>(problem, states)};
}

template <Problem P, class Goals>
void with_goals(const P&& problem, Goals&& goals) = delete; // it would refer to a destroyed problem

namespace detail {

/// Not copied: the heuristics may refer to their problems.
template <class P, class B>
struct BoundNearest {
    static constexpr bool is_consistent = declares_consistent<B>;
    static constexpr bool is_zero_at_goals = declares_zero_at_goals<B>;
    static constexpr bool marks_dead_ends = declares_dead_ends<B>;

    std::vector<P> problems;
    std::vector<B> parts;

    BoundNearest(const P& problem, const auto& goals, const auto& heuristic) {
        for (const auto& goal : goals) problems.push_back(problem.with_goal(goal));
        for (const P& one : problems) parts.push_back(bind_heuristic(heuristic, one));
    }
    BoundNearest(BoundNearest&&) = default;
    BoundNearest& operator=(BoundNearest&&) = default;

    auto operator()(const state_t<P>& state) { return least_of(parts, state); }
    auto operator()(const state_t<P>& state) const
        requires std::invocable<const B&, const state_t<P>&>
    {
        return least_of(parts, state);
    }

private:
    static value_t<B, P> least_of(auto& parts, const state_t<P>& state) {
        value_t<B, P> least{};
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const value_t<B, P> value = parts[i](state);
            least = i == 0 || value < least ? value : least;
        }
        return least;
    }
};

} // namespace detail

/// A heuristic for the goals of `with_goals(puzzle, boards)`: `NearestGoal{Manhattan{}}` is the least value of
/// one for each goal. Admissible (consistent) if these are. Time: one call for each goal.
template <class H>
class NearestGoal {
public:
    constexpr explicit NearestGoal(H heuristic) : heuristic_(std::move(heuristic)) {}

    template <HasWithGoal P>
        requires HeuristicFor<H, P>
    [[nodiscard]] auto bind(const WithGoals<P, detail::GoalStates<P>>& problem) const {
        return detail::BoundNearest<P, bound_t<H, P>>(problem.problem(), problem.goals().states, heuristic_);
    }

private:
    H heuristic_;
};

} // namespace npuzzle
