#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/with_goals.hpp"

#include <concepts>
#include <type_traits>

namespace npuzzle {

/// The outcome of `for_each_reachable`; true if all that can be reached was visited.
struct Exploration {
    /// `solved` if every state that can be reached was visited, else what ended the search.
    SearchStatus status = SearchStatus::running;
    Statistics statistics;

    explicit operator bool() const { return status == SearchStatus::solved; }
};

namespace detail {

/// An engine whose problem has no goal, with `Zero`.
template <class Engine>
struct Exploring : Engine {
    using Engine::Engine;

    /// `solved` if all states were expanded: also where a path was beyond `max_cost`, but another was not.
    [[nodiscard]] SearchStatus exploration_status() const noexcept {
        const SearchStatus status = this->status();
        const bool has_all = !this->has_overflowed_ && this->statistics_.expanded == this->table_.size();
        return status == SearchStatus::unsolvable || (status == SearchStatus::cost_limit && has_all)
                   ? SearchStatus::solved
                   : status;
    }

    [[nodiscard]] Exploration result() const { return {exploration_status(), this->statistics()}; }
};

/// Calls a function for each state that is expanded.
template <class F>
struct Visitor : SilentObserver {
    explicit Visitor(F& its_visit) : visit(&its_visit) {}

    void expand(const auto& node) { (*visit)(node.state, node.cost); }

    F* visit;
};

} // namespace detail

/// Calls `visit(state, cost)` once for each state that can be reached from `start`, in the order of the cost
/// of a cheapest path to it, by Dijkstra's algorithm (1959). A goal is a state like any other. To fill a
/// pattern database, or another table of distances to a goal of an undirected problem, start from the goal.
///
/// \param limits with `max_cost`, only states that cost no more are visited; `Status::cost_limit` if there are
///        others
/// \return never throws for lack of memory: that is `Status::memory_limit`. What the problem or `visit`
///         throws otherwise passes through.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P,
          std::invocable<const state_t<P>&, const cost_t<P>&> F>
Exploration for_each_reachable(const P& problem, const detail::named_state_t<P>& start, F&& visit,
                               limits_t<P> limits = {}) {
    detail::Visitor<std::remove_reference_t<F>> visitor(visit);
    const auto without_goal = with_goals(problem, detail::NoGoal{});
    using Search = AStar<std::remove_const_t<decltype(without_goal)>, Zero, decltype((visitor)), Policy>;
    return detail::run_engine<detail::Exploring<Search>>(without_goal, start, Zero{}, limits, visitor);
}

} // namespace npuzzle
