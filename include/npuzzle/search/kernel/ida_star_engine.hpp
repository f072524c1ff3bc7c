#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/kernel/arrival.hpp"
#include "npuzzle/search/kernel/ida_star_base.hpp"
#include "npuzzle/search/kernel/ida_star_bounds.hpp"
#include "npuzzle/search/kernel/ida_star_places.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The engine of IDA*: nothing is stored but the path, and moves may be unrolled at compile time.

namespace npuzzle {

namespace detail {

template <MoveProblem P, class B, class O>
class DividedIdaStar;

template <MoveProblem P, class B>
class SubtreeSearch;

} // namespace detail

/// The options of `ida_star`.
struct IdaStarOptions {
    /// The factor by which the work of an iteration should exceed the last one's, 2 for example; 1 or
    /// less: the bound rises by the least step. For costs of many different values, such as real numbers,
    /// where the least step may let in a single state. The next bound follows from how many paths went how
    /// far beyond the last one (U. K. Sarkar, P. P. Chakrabarti, S. Ghose, S. C. De Sarkar, "Reducing
    /// reexpansions in iterative-deepening search by controlling cutoff bounds", Artificial Intelligence 50,
    /// 1991). As a bound may exceed the optimum, the last iteration goes on from a goal to cheaper ones.
    /// Without effect where f is an integer and each step costs 1, or where f is no number.
    double growth = 0;
};

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

public:
    using typename Base::State, typename Base::Cost, typename Base::Move, typename Base::Estimate,
        typename Base::Value, typename Base::Node;

    /// \param limits what may end the search; `max_cost` is the most that a solution may cost
    IdaStar(const P& problem, state_t<P> start, H&& heuristic, const BasicLimits<cost_t<P>>& limits = {},
            O&& observer = O{})
        : Base(problem, std::move(start), std::forward<H>(heuristic), limits, std::forward<O>(observer)) {
        guarded([&] { this->begin(); });
    }
    template <std::same_as<IdaStarOptions> Options>
    IdaStar(const P& problem, state_t<P> start, H&& heuristic, Options options,
            const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{})
        : IdaStar(problem, std::move(start), std::forward<H>(heuristic), limits, std::forward<O>(observer)) {
        if constexpr (can_grow) {
            guarded([&] {
                if (1 < options.growth) {
                    growth_ = options.growth;
                    overshoot_ = std::make_unique<detail::Overshoot<Value>>();
                }
            });
        }
    }
    IdaStar(const P&& problem, state_t<P> start, H&& heuristic, const BasicLimits<cost_t<P>>& limits = {},
            O&& observer = O{}) = delete; ///< The engine refers to the problem.
    template <std::same_as<IdaStarOptions> Options>
    IdaStar(const P&& problem, state_t<P> start, H&& heuristic, Options options,
            const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{}) = delete;

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
    static constexpr bool can_grow = !has_unit_bound && std::is_arithmetic_v<Value>;

    using Bound = detail::ida_star_bound_t<P, H, BoundHeuristic, Estimate, max_depth>;
    using Position = typename Bound::Position;

    /// Whether an estimate above zero tells that a path does not end at a state.
    static constexpr bool is_end_told =
        has_unit_bound && (declares_zero_at_goals<H> || declares_zero_at_goals<BoundHeuristic>);

    /// Whether each move is made on a copy of the state, and not in place. Measured: copying 256 bytes is
    /// cheaper than making a move twice.
    static constexpr bool copies_states =
        UnrolledProblem<P> || (std::is_trivially_copyable_v<State> && sizeof(State) <= 256);

    /// Whether the moves of a state are counted before they are made, in one addition; at the end of the
    /// search those that were not made are subtracted, unless it ended by `std::bad_alloc`.
    static constexpr bool counts_ahead = UnrolledProblem<P> && is_incremental && is_silent;

    /// Whether the state before a move is needed after it.
    static constexpr bool needs_parent = is_incremental || !is_silent;

    void deepen(const Value& bound) { deepen(bound, detail::DynamicPlace<Move>{P::no_move}); }

    template <class Place>
    void deepen(const Value& bound, const Place& place) {
        bound_.set(bound);
        free_steps_.clear();
        if (overshoot_ != nullptr) {
            overshoot_->clear();
            taken_.resize(max_depth + 2, P::no_move);
        }
        const Statistics before = statistics_;
        const bool is_over = visit_start(place);
        flush_counters();
        if (is_over) {
            follow_path();
            finish(end_);
            return;
        }
        if (has_goal_) {
            finish(SearchStatus::solved);
            return;
        }
        const std::uint64_t expanded = statistics_.expanded - before.expanded;
        next_bound_ = bound_.next(statistics_.generated - before.generated - (expanded - 1));
        proved_ = next_bound_.value_or(bound);
        if constexpr (can_grow) {
            if (overshoot_ != nullptr && next_bound_) {
                next_bound_ = overshoot_->bound_for((growth_ - 1) * static_cast<double>(expanded));
            }
        }
        pruned_by_bound_ = this->has_overflowed_ = bound_.has_overflowed();
    }

    NPUZZLE_COLD void finish(SearchStatus status) {
        flush_counters();
        Base::finish(status);
    }

    template <class Place>
    bool visit_start(const Place& place) {
        if constexpr (copies_states) {
            return visit(place, start_, bound_.start(), *evaluation_);
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
            return visit_next(place, state, position, evaluation);
        } else {
            return visit_in_place(place, position, evaluation);
        }
    }

    /// Returns whether the search is over: a goal was found or a limit was reached.
    template <class Place>
    bool visit(Place place, Passed state, Position position, PassedEvaluation evaluation) {
        if (is_end(state, position, evaluation)) {
            return end_ != SearchStatus::running;
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
            const auto try_next = [&](const Move& move) {
                is_over = is_over ||
                          try_move(place.after(move), move, false, state, position, evaluation, children);
            };
            if constexpr (detail::LendsNeighbors<P>) {
                for_each_listed_move(state, place.last, try_next);
            } else {
                problem_->for_each_move(state, place.last, try_next);
            }
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
        if (!admits(position, child_position, child_estimate)) {
            return false;
        }
        const bool is_free = costs_nothing(position, child_position);
        if (is_free) {
            free_steps_.push(state, bound_.depth(position));
            if (free_steps_.lead_to(child)) {
                free_steps_.pop();
                return false;
            }
        }
        record_if_growing(position, move);
        if (is_last && !is_free) {
            return visit_next(next, child, child_position, child_evaluation);
        }
        if (visit_next(next, child, child_position, child_evaluation)) [[unlikely]] {
            record(position, move);
            return true;
        }
        if (is_free) {
            free_steps_.pop();
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
        if (is_end(start_, position, evaluation)) {
            return end_ != SearchStatus::running;
        }
        if (is_stopped_before(0, position)) {
            return true;
        }
        observe_expanded(start_, position, evaluation);
        bool is_over = false;
        // The problem may be in the middle of the state that the move changes.
        for_each_listed_move(start_, place.last, [&](const Move& move) {
            if (!is_over && try_move_in_place(place.after(move), position, evaluation)) {
                record(position, move);
                is_over = true;
            }
        });
        return is_over;
    }

    /// Asks for all moves of a state before the first is made.
    template <class F>
    void for_each_listed_move(const State& state, const Move& last, F&& f) {
        const std::size_t first = untried_.size();
        problem_->for_each_move(state, last, [&](const Move& move) { untried_.push_back(move); });
        const std::size_t end = untried_.size();
        for (std::size_t i = first; i < end; ++i) {
            f(Move(untried_[i])); // a copy: the list grows
        }
        untried_.resize(first, P::no_move);
    }

    template <class Place>
    bool try_move_in_place(const Place& next, Position position, const Evaluation& evaluation) {
        const Move& move = next.last;
        ++statistics_.generated;
        Position child_position = position;
        if (!advance_position(child_position, start_, move)) {
            return false;
        }
        const bool is_free = costs_nothing(position, child_position);
        if (is_free) {
            free_steps_.push(start_, bound_.depth(position));
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
        if (admits(position, child_position, child_estimate) && !(is_free && free_steps_.lead_to(start_))) {
            if constexpr (needs_parent) {
                problem_->apply(*parent_, move);
            }
            record_if_growing(position, move);
            if (visit_in_place(next, child_position, child_evaluation)) {
                return true;
            }
            if constexpr (needs_parent) {
                problem_->apply(*parent_, back);
            }
        }
        problem_->apply(start_, back);
        if (is_free) {
            free_steps_.pop();
        }
        return false;
    }

    /// From a node's position to its child's; false if the move is not to be followed.
    template <class AnyMove>
    NPUZZLE_ALWAYS_INLINE bool advance_position(Position& position, const State& state, const AnyMove& move) {
        const Cost step = detail::step_cost(*problem_, state, move);
        const bool is_followed = !detail::breaks_contract(step, statistics_) || detail::is_nan(step);
        return is_followed && bound_.advance(position, step);
    }

    /// Whether a step adds nothing to the cost, so that no bound ends a circle of such steps.
    NPUZZLE_ALWAYS_INLINE bool costs_nothing(Position position, Position child_position) const {
        if constexpr (is_weighted<P>) {
            return !(bound_.cost(position) < bound_.cost(child_position));
        } else {
            return false;
        }
    }

    /// Whether a child is within the bound, and may lead to a goal that is cheaper than what was found.
    NPUZZLE_ALWAYS_INLINE bool admits(Position position, Position child_position, Estimate estimate) {
        const bool is_within = bound_.admits(position, child_position, estimate);
        if constexpr (can_grow) {
            if (overshoot_ != nullptr) [[unlikely]] {
                const Value priority = Priority{}(bound_.cost(child_position), estimate);
                if (!is_within && !detail::is_infinite(priority)) {
                    overshoot_->add(bound_.value(), priority);
                }
                return is_within && (!has_goal_ || priority < detail::saturating_cast<Value>(cost_));
            }
        }
        return is_within;
    }

    /// Whether a path ends here: at a goal, or because it is too long. The search ends with it if `end_` says
    /// so.
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
            end(SearchStatus::memory_limit, position);
            return true;
        }
        if (!problem_->is_goal(state)) {
            return false;
        }
        if (has_goal_ && !(bound_.cost(position) < cost_)) {
            return true;
        }
        detail::check_goal(estimate, statistics_);
        cost_ = bound_.cost(position);
        observer_.goal(Node{state, cost_, estimate, bound_.value()});
        if (overshoot_ != nullptr && proved_ < detail::saturating_cast<Value>(cost_)) {
            has_goal_ = true;
            moves_.assign(taken_.begin(),
                          taken_.begin() + static_cast<std::ptrdiff_t>(bound_.depth(position)));
        } else {
            end(SearchStatus::solved, position);
        }
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
            end(SearchStatus::memory_limit, position);
            return true;
        }
        if (monitor_.is_due(statistics_.expanded)) {
            const SearchStatus limit = monitor_.check(statistics_.expanded);
            if (limit != SearchStatus::running) {
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

    NPUZZLE_COLD void end(SearchStatus status, Position position) {
        end_ = status;
        taken_.resize(bound_.depth(position), P::no_move);
    }

    NPUZZLE_COLD void record(Position position, const Move& move) { taken_[bound_.depth(position)] = move; }

    /// A search that goes on from a goal needs the path at any time.
    NPUZZLE_ALWAYS_INLINE void record_if_growing(Position position, const Move& move) {
        if constexpr (can_grow) {
            if (overshoot_ != nullptr) [[unlikely]] {
                record(position, move);
            }
        }
    }

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
        if constexpr (UnrolledProblem<P>) {
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
        if (end_ == SearchStatus::solved) {
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
    SearchStatus end_ = SearchStatus::running; ///< how the search ends, before it has
    NPUZZLE_NO_UNIQUE_ADDRESS detail::FreeSteps<State, is_weighted<P>> free_steps_;
    double growth_ = 0;
    std::unique_ptr<detail::Overshoot<Value>> overshoot_; ///< if bounds grow
    bool has_goal_ = false; ///< a goal was found, to which `moves_` lead, and there may be cheaper ones
};

template <class P, class H, class O = SilentObserver>
IdaStar(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> IdaStar<P, H, O>;

template <class P, class H, std::same_as<IdaStarOptions> Options, class O = SilentObserver>
IdaStar(const P&, const state_t<P>&, H&&, Options, limits_t<P> = {}, O&& = O{}) -> IdaStar<P, H, O>;

} // namespace npuzzle
