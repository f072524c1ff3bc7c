#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/kernel/arrival.hpp"
#include "npuzzle/search/kernel/ida_star_base.hpp"
#include "npuzzle/search/kernel/ida_star_bounds.hpp"
#include "npuzzle/search/kernel/ida_star_places.hpp"
#include "npuzzle/search/kernel/interleaving.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The engine of IDA* in its plain form: nothing is stored, and moves may be unrolled at compile time.

namespace npuzzle {

namespace detail {

template <MoveProblem P, class B, class O>
class DividedIdaStar;

template <MoveProblem P, class B>
class SubtreeSearch;

template <MoveProblem P, class B, class O, class Known>
class IdaStarBelow;

template <class P, class B, class Bound, bool is_end_told>
class Interleaving;

} // namespace detail

/// IDA* as an object: each `step` is one iteration, a depth-first search under a bound on f, or the end of
/// the search. See `ida_star`.
///
/// The engine refers to the problem and, where these were given as lvalues, to the heuristic and the
/// observer: they must outlive it.
template <MoveProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
class IdaStar : public detail::IdaStarBase<IdaStar<P, H, O>, P, H, O> {
    using Base = detail::IdaStarBase<IdaStar, P, H, O>;
    friend Base;
    friend EngineBase<IdaStar, cost_t<P>, O>;
    template <MoveProblem, class, class>
    friend class detail::DividedIdaStar;
    template <MoveProblem, class>
    friend class detail::SubtreeSearch;
    template <MoveProblem, class, class, class>
    friend class detail::IdaStarBelow;
    template <class, class, class, bool>
    friend class detail::Interleaving;

public:
    using typename Base::State, typename Base::Cost, typename Base::Move, typename Base::Estimate,
        typename Base::Value, typename Base::Node;

    /// \param limits what may end the search; `max_cost` is the most that a solution may cost
    IdaStar(const P& problem, state_t<P> start, H&& heuristic, const BasicLimits<cost_t<P>>& limits = {},
            O&& observer = O{})
        : Base(problem, std::move(start), std::forward<H>(heuristic), limits, std::forward<O>(observer)) {
        guarded([&] { this->begin(); });
    }
    IdaStar(const P&& problem, state_t<P> start, H&& heuristic, const BasicLimits<cost_t<P>>& limits = {},
            O&& observer = O{}) = delete; ///< The engine refers to the problem.

private:
    /// For an engine that is given its bounds and its starts by another one.
    IdaStar(detail::Nothing, const P& problem, state_t<P> start, H&& heuristic, O&& observer)
        : Base(problem, std::move(start), std::forward<H>(heuristic), {}, std::forward<O>(observer)) {}

    using Base::cost_, Base::estimate_of, Base::evaluate_after, Base::evaluation_, Base::guarded,
        Base::heuristic_, Base::max_depth, Base::monitor_, Base::moves_, Base::next_bound_, Base::observer_,
        Base::problem_, Base::proved_, Base::pruned_by_bound_, Base::start_, Base::statistics_;
    using typename Base::BoundHeuristic, typename Base::Children, typename Base::Evaluation,
        typename Base::Part, typename Base::Priority;

    /// A state that fits two registers goes in them.
    using Passed =
        std::conditional_t<std::is_trivially_copyable_v<State> && sizeof(State) <= 16, State, const State&>;

    using PassedEvaluation =
        std::conditional_t<(sizeof(Evaluation) <= 16) || std::same_as<Evaluation, Estimate>, Evaluation,
                           const Evaluation&>;

    static constexpr bool is_incremental = Part::follows_moves;
    static constexpr bool is_silent = !sees_nodes<O>;
    static constexpr bool has_unit_bound = !is_weighted<P> && std::integral<Estimate>;

    using Bound = detail::ida_star_bound_t<P, H, BoundHeuristic, Estimate, max_depth>;
    using Position = typename Bound::Position;

    /// Whether an estimate above zero tells that a path does not end at a state.
    static constexpr bool is_end_told =
        has_unit_bound && (declares_zero_at_goals<H> || declares_zero_at_goals<BoundHeuristic>);

    /// Whether each move is made on a copy of the state, and not in place. Measured: copying 256 bytes is
    /// cheaper than making a move twice.
    static constexpr bool copies_states =
        UnrolledProblem<P> || (std::is_trivially_copyable_v<State> && sizeof(State) <= 256);

    /// Whether a subtree may be searched in parts, by turns.
    static constexpr bool may_interleave = copies_states && is_silent && has_unit_bound &&
                                           detail::can_interleave<std::remove_reference_t<BoundHeuristic>, P>;

    /// Whether the moves of a state are counted before they are made, in one addition; at the end of the
    /// search those that were not made are subtracted, unless it ended by `std::bad_alloc`.
    static constexpr bool counts_ahead =
        (UnrolledProblem<P> && is_incremental && is_silent) || may_interleave;

    /// Whether the state before a move is needed after it.
    static constexpr bool needs_parent = is_incremental || !is_silent;

    void deepen(const Value& bound) { deepen(bound, detail::DynamicPlace<Move>{P::no_move}); }

    template <class Place>
    void deepen(const Value& bound, const Place& place) {
        bound_.set(bound);
        const Statistics before = statistics_;
        const bool is_over = visit_start(place);
        flush_counters();
        if (is_over) {
            follow_path();
            finish(end_);
            return;
        }
        const std::uint64_t within = statistics_.expanded - before.expanded - 1;
        next_bound_ = bound_.next(statistics_.generated - before.generated - within);
        proved_ = next_bound_.value_or(bound);
        pruned_by_bound_ = bound_.has_overflowed();
    }

    NPUZZLE_COLD void finish(Status status) {
        flush_counters();
        Base::finish(status);
    }

    template <class Place>
    bool visit_start(const Place& place) {
        if constexpr (copies_states) {
            const Position position = bound_.start();
            return visit_subtree(place, start_, position, *evaluation_,
                                 [&] { return visit(place, start_, position, *evaluation_); });
        } else {
            if (needs_parent && !parent_) {
                parent_.emplace(start_);
            }
            return visit_in_place(place, bound_.start(), *evaluation_);
        }
    }

    /// Visits a state by its last move.
    bool visit_at(const Move& last, Passed state, Position position, const Evaluation& evaluation) {
        const detail::DynamicPlace<Move> place{last};
        if constexpr (copies_states) {
            return visit_subtree(place, state, position, evaluation,
                                 [&] { return visit_next(place, state, position, evaluation); });
        } else {
            return visit_in_place(place, position, evaluation);
        }
    }

    /// Visits a state in the way that is best for what is below it. `visit`: in one depth-first search.
    template <class Place, class F>
    bool visit_subtree(const Place& place, Passed state, Position position, const Evaluation& evaluation,
                       F&& visit) {
        if constexpr (may_interleave && !detail::is_divided<Place>) {
            if (const auto is_over = interleaving_.visit(*this, {state, evaluation, position, place.last})) {
                return *is_over;
            }
        }
        return visit();
    }

    /// Returns whether the search is over: a goal was found or a limit was reached.
    template <class Place>
    bool visit(Place place, Passed state, Position position, PassedEvaluation evaluation) {
        if (is_end(state, position, evaluation)) {
            return true;
        }
        if constexpr (detail::is_dynamic<Place>) {
            int untried = 0;
            if constexpr (counts_ahead) {
                problem_->for_each_move(state, place.last, [&](const Move&) { ++untried; });
            }
            if (is_stopped_before(untried, position)) {
                return true;
            }
            observe_expanded(state, position, evaluation);
            Children children(heuristic_, *problem_, place, state, evaluation);
            bool is_over = false;
            problem_->for_each_move(state, place.last, [&](Move move) {
                is_over = is_over ||
                          try_move(place.after(move), move, false, state, position, evaluation, children);
            });
            return is_over;
        } else {
            if (is_stopped_before(place.moves, position)) {
                return true;
            }
            observe_expanded(state, position, evaluation);
            Children children(heuristic_, *problem_, place, state, evaluation);
            return problem_->any_move(
                place, TryMove<Place>{*this, state, position, evaluation, place.moves, children});
        }
    }

    /// Tries the moves of a place. No lambda: this is inlined by force, so that the moves stay known.
    template <class Place>
    struct TryMove {
        IdaStar& engine;
        Passed state;
        Position position;
        PassedEvaluation evaluation;
        int untried;
        Children& children;

        template <class Next, class AnyMove>
        NPUZZLE_ALWAYS_INLINE bool operator()(Next next, AnyMove move) {
            --untried;
            // A place that holds something may leave moves out at run time.
            constexpr bool knows_last = std::is_empty_v<Place> && std::is_empty_v<Children>;
            return engine.try_move(next, move, knows_last && untried == 0, state, position, evaluation,
                                   children);
        }
    };

    /// The last move of a state is not recorded: with nothing left to do after the call, the call becomes a
    /// jump. Inlined by force: else all places that make the same move share one function, a call more for
    /// each child.
    template <class Place, class AnyMove>
    NPUZZLE_ALWAYS_INLINE bool try_move(Place next, AnyMove move, bool is_last, Passed state,
                                        Position position, PassedEvaluation evaluation, Children& children) {
        if constexpr (!counts_ahead) {
            ++statistics_.generated;
        }
        Position child_position = position;
        if (!advance_position(child_position, state, move)) {
            return false;
        }
        State child = state;
        problem_->apply(child, move);
        constexpr bool is_lazy = has_unit_bound && is_silent && Base::Part::is_lazy;
        auto&& child_evaluation =
            this->template evaluate_child<is_lazy>(children, evaluation, state, move, child);
        const Estimate child_estimate = this->template estimate_child<is_lazy>(
            child_evaluation, evaluation, state, move, child, bound_, position);
        observe_generated(child, child_position, child_estimate, state, position, evaluation);
        if (!bound_.admits(position, child_position, child_estimate)) {
            return false;
        }
        if (is_last) {
            return visit_next(next, child, child_position, child_evaluation);
        }
        if (visit_next(next, child, child_position, child_evaluation)) [[unlikely]] {
            record(position, move);
            return true;
        }
        return false;
    }

    /// Visits a child. From the start, whose place is not known at compile time, to those whose place is.
    template <class Place>
    NPUZZLE_ALWAYS_INLINE bool visit_next(Place place, Passed state, Position position,
                                          PassedEvaluation evaluation) {
        if constexpr (detail::is_divided<Place>) {
            return place.left == 0 ? place.division->visit(place.last, state, position, evaluation)
                                   : visit(place, state, position, evaluation);
        } else if constexpr (UnrolledProblem<P> && detail::is_dynamic<Place>) {
            bool is_over = false;
            problem_->with_place(state, place.last,
                                 [&](auto known) { is_over = visit(known, state, position, evaluation); });
            return is_over;
        } else {
            return visit(place, state, position, evaluation);
        }
    }

    /// For states that are more expensive to copy than to change. The state is `start_`; so is, where it is
    /// needed, `*parent_`, which stays behind it from a move to the visit.
    template <class Place>
    bool visit_in_place(const Place& place, Position position, const Evaluation& evaluation) {
        if constexpr (detail::is_divided<Place>) {
            if (place.left == 0) {
                return place.division->visit(place.last, start_, position, evaluation);
            }
        }
        if (is_end(start_, position, evaluation) || is_stopped_before(0, position)) {
            return true;
        }
        observe_expanded(start_, position, evaluation);
        // All of them before the first is made: the problem may be in the middle of the state that the move
        // changes.
        const std::size_t first = untried_.size();
        problem_->for_each_move(std::as_const(start_), place.last,
                                [&](const Move& move) { untried_.push_back(move); });
        const std::size_t end = untried_.size();
        for (std::size_t i = first; i < end; ++i) {
            const Place next = place.after(untried_[i]);
            if (try_move_in_place(next, position, evaluation)) {
                record(position, next.last);
                return true;
            }
        }
        untried_.resize(first, P::no_move);
        return false;
    }

    template <class Place>
    bool try_move_in_place(const Place& next, Position position, const Evaluation& evaluation) {
        const Move& move = next.last;
        ++statistics_.generated;
        Position child_position = position;
        if (!advance_position(child_position, start_, move)) {
            return false;
        }
        problem_->apply(start_, move);
        Evaluation child_evaluation{};
        if constexpr (needs_parent) {
            child_evaluation = evaluate_after(evaluation, *parent_, move, start_);
            observe_generated(start_, child_position, estimate_of(child_evaluation), *parent_, position,
                              evaluation);
        } else {
            child_evaluation = Part::evaluate(heuristic_, start_);
        }
        const Estimate child_estimate = estimate_of(child_evaluation);
        const Move back = problem_->inverse(move);
        if (bound_.admits(position, child_position, child_estimate)) {
            if constexpr (needs_parent) {
                problem_->apply(*parent_, move);
            }
            if (visit_in_place(next, child_position, child_evaluation)) {
                return true;
            }
            if constexpr (needs_parent) {
                problem_->apply(*parent_, back);
            }
        }
        problem_->apply(start_, back);
        return false;
    }

    /// From a node's position to its child's; false if the move is not to be followed.
    template <class AnyMove>
    NPUZZLE_ALWAYS_INLINE bool advance_position(Position& position, const State& state, const AnyMove& move) {
        const Cost step = detail::step_cost(*problem_, state, move);
        const bool is_followed = !detail::breaks_contract(step, statistics_) || detail::is_nan(step);
        return is_followed && bound_.advance(position, step);
    }

    /// Whether a path ends here, and with it the search: at a goal, or because it is too long.
    NPUZZLE_ALWAYS_INLINE bool is_end(Passed state, Position position, PassedEvaluation evaluation) {
        const Estimate estimate = estimate_of(evaluation);
        if constexpr (is_end_told) {
            // A node too deep with an estimate above zero is under a bound that is too deep itself: see
            // `resume`.
            NPUZZLE_ASSERT((!(Estimate{} < estimate) || !problem_->is_goal(state)) && "h(goal) is zero");
            return !(Estimate{} < estimate) && ends(state, position, estimate);
        } else {
            return (bound_.depth(position) > max_depth || problem_->is_goal(state)) &&
                   ends(state, position, estimate);
        }
    }

    NPUZZLE_COLD bool ends(Passed state, Position position, Estimate estimate) {
        if (bound_.depth(position) > max_depth) {
            end(Status::memory_limit, position);
            return true;
        }
        if (!problem_->is_goal(state)) {
            return false;
        }
        detail::check_goal(estimate, statistics_);
        cost_ = bound_.cost(position);
        observer_.goal(Node{state, cost_, estimate, bound_.value()});
        end(Status::solved, position);
        return true;
    }

    /// Counts an expansion that is to make so many moves; true if a limit forbids it.
    NPUZZLE_ALWAYS_INLINE bool is_stopped_before(int moves, Position position) {
        const std::int64_t cost = one_expansion - (counts_ahead ? moves : 0);
        count_ -= cost;
        return count_ < 0 && is_stopped(cost, position);
    }

    /// Looks at the limits when the expansions that were granted have been used up.
    NPUZZLE_COLD bool is_stopped(std::int64_t cost, Position position) {
        count_ += cost;
        flush_counters();
        if (bound_.depth(position) > max_depth) {
            end(Status::memory_limit, position);
            return true;
        }
        if (monitor_.is_due(statistics_.expanded)) {
            const Status limit = monitor_.check(statistics_.expanded);
            if (limit != Status::running) {
                end(limit, position);
                return true;
            }
            detail::tell_progress(observer_, this->statistics(), bound_.value());
        }
        resume();
        count_ -= cost;
        return false;
    }

    /// Grants expansions for which no limit is looked at.
    void resume() {
        granted_ = monitor_.grant(statistics_.expanded, max_granted);
        if constexpr (is_end_told) {
            if (std::cmp_greater(bound_.value(), max_depth)) {
                granted_ = 1; // each of them may be too deep
            }
        }
        count_ = static_cast<std::int64_t>(granted_) * one_expansion;
    }

    /// Adds what is counted apart from the statistics.
    void complete(Statistics& statistics) const {
        statistics.expanded += granted_ - static_cast<std::uint64_t>(count_ / one_expansion);
        statistics.generated += static_cast<std::uint64_t>(count_ % one_expansion);
    }

    void flush_counters() {
        complete(statistics_);
        granted_ = 0;
        count_ = 0;
    }

    NPUZZLE_COLD void end(Status status, Position position) {
        end_ = status;
        taken_.resize(bound_.depth(position), P::no_move);
    }

    NPUZZLE_COLD void record(Position position, const Move& move) { taken_[bound_.depth(position)] = move; }

    void observe_generated(const State& child, const Position& child_position, const Estimate& child_estimate,
                           const State& state, const Position& position, const Evaluation& evaluation) {
        if constexpr (!is_silent) {
            const Estimate estimate = estimate_of(evaluation);
            const Cost child_cost = bound_.cost(child_position);
            observer_.generate(
                Node{child, child_cost, child_estimate, Priority{}(child_cost, child_estimate)},
                Node{state, bound_.cost(position), estimate, bound_.value()});
        }
    }

    void observe_expanded(const State& state, const Position& position, const Evaluation& evaluation) {
        if constexpr (!is_silent) {
            observer_.expand(Node{state, bound_.cost(position), estimate_of(evaluation), bound_.value()});
        }
    }

    /// Follows the path on which the search ended: takes back what was made in place, or what was counted
    /// ahead and not made.
    NPUZZLE_COLD void follow_path() {
        if constexpr (UnrolledProblem<P> || may_interleave) {
            State state = start_;
            Move last = P::no_move;
            for (Move& taken : taken_) {
                last = taken = this->template find_taken<counts_ahead>(state, last, taken);
                problem_->apply(state, last);
            }
        } else {
            for (std::size_t i = copies_states ? 0 : taken_.size(); i-- > 0;) {
                problem_->apply(start_, problem_->inverse(taken_[i]));
            }
            parent_.reset();
        }
        if (end_ == Status::solved) {
            moves_ = std::move(taken_);
        }
    }

    /// The unit of `count_`; below it are moves, more than there can be in `max_granted` expansions.
    static constexpr std::int64_t one_expansion = std::int64_t{1} << 30;
    static constexpr std::uint64_t max_granted = std::uint64_t{1} << 16;

    /// One counter for the limits and the statistics: `one_expansion` times the expansions left of those
    /// granted, plus the moves that were counted ahead.
    std::int64_t count_ = 0;
    Bound bound_;
    std::uint64_t granted_ = 0;
    std::vector<Move> taken_; ///< by depth, when the search is over; `no_move` where none is recorded
    std::vector<Move> untried_;
    std::optional<State> parent_;
    Status end_ = Status::running; ///< how the search ends, before it has
    NPUZZLE_NO_UNIQUE_ADDRESS
    detail::interleaving_t<may_interleave, P, BoundHeuristic, Bound, is_end_told> interleaving_;
};

template <class P, class H, class O = SilentObserver>
IdaStar(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> IdaStar<P, H, O>;

} // namespace npuzzle
