#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/assert.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/bounded_ida_star.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/limit_monitor.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Iterative-deepening A*.

namespace npuzzle {

namespace detail {

/// The place of a state whose moves are found out at run time: just the move that led to it.
template <class Move>
struct DynamicPlace {
    Move last;
};

/// The bound on f = g + h of one iteration, and the least f that goes over it. A node's position under the bound is its
/// cost and its depth.
template <class Cost, class Estimate>
class CostBound {
public:
    using Value = Estimate;

    struct Position {
        Cost cost;
        std::size_t depth;
    };

    void set(const Value& bound) {
        bound_ = bound;
        next_.reset();
    }

    const Value& value() const { return bound_; }
    Position start() const { return {Cost{}, 0}; }
    const Cost& cost(const Position& position) const { return position.cost; }
    std::size_t depth(const Position& position) const { return position.depth; }

    /// From a node's position to its child's; false if the cost type cannot hold the child's cost.
    bool advance(Position& position, const Cost& step) {
        position.cost = saturating_add<Cost>(position.cost, step);
        ++position.depth;
        if (is_infinite(position.cost)) {
            has_overflowed_ = has_overflowed_ || !is_infinite(step);
            return false;
        }
        return true;
    }

    /// Whether a child is within the bound; if not, its f is taken note of.
    bool admits(const Position& /*parent*/, const Position& child, const Estimate& estimate) {
        const Value priority = AStarPriority<Cost, Estimate>{}(child.cost, estimate);
        if (!(bound_ < priority)) {
            return true;
        }
        if (!is_infinite(priority)) {
            if (!next_ || priority < *next_) {
                next_ = priority;
            }
        } else if (!is_infinite(estimate)) {
            has_overflowed_ = true;
        }
        return false;
    }

    /// The bound of the next iteration, if there is any. `refused`: how many children were not within this one.
    std::optional<Value> next(std::uint64_t /*refused*/) const { return next_; }

    bool has_overflowed() const { return has_overflowed_; }

private:
    Value bound_{};
    std::optional<Value> next_;
    bool has_overflowed_ = false;
};

/// The same where each step costs 1 and estimates are integers. A node's position is what its cost leaves of the bound;
/// a child is within the bound if its estimate is less than its parent's position, so that no sum is made that could
/// overflow.
///
/// `is_steady`: a child's estimate differs from its parent's by 1 at most. Then what is beyond the bound is so by 1 or
/// by 2, and the comparison with the bound tells which. Should the estimate rise by more all the same, the next bound
/// is too low, which costs an iteration and changes no result.
template <class Cost, std::integral Estimate, bool is_steady, std::size_t max_depth>
class UnitCostBound {
public:
    using Value = Estimate;
    using Position = Estimate;

    void set(Value bound) {
        bound_ = bound < lowest ? lowest : bound;
        excess_ = none;
    }

    Value value() const { return bound_; }
    Position start() const { return bound_; }
    Cost cost(Position position) const { return static_cast<Cost>(bound_ - position); }
    std::size_t depth(Position position) const { return static_cast<std::size_t>(bound_ - position); }

    bool advance(Position& position, const Cost& /*step*/) const {
        --position;
        return true;
    }

    bool admits(Position parent, Position /*child*/, Estimate estimate) {
        if (estimate < parent) {
            return true;
        }
        if constexpr (is_steady) {
            if (estimate == parent) [[unlikely]] {
                excess_ = 0;
            }
        } else {
            const Excess excess =
                static_cast<Excess>(static_cast<Excess>(estimate) - static_cast<Excess>(parent));
            if (excess < excess_ && !is_infinite(estimate)) [[unlikely]] {
                excess_ = excess;
            }
        }
        return false;
    }

    std::optional<Value> next(std::uint64_t refused) {
        if (is_steady && excess_ == none && refused > 0) {
            excess_ = 1;
        }
        if (excess_ == none) {
            return std::nullopt;
        }
        constexpr Value greatest = std::numeric_limits<Value>::max();
        if (excess_ >= static_cast<Excess>(static_cast<Excess>(greatest) - static_cast<Excess>(bound_)) - 1) {
            has_overflowed_ = true;
            return std::nullopt;
        }
        return static_cast<Value>(static_cast<Excess>(bound_) + excess_ + 1);
    }

    bool has_overflowed() const { return has_overflowed_; }

private:
    /// How far f is beyond the least value beyond the bound: exact for any two values, since unsigned.
    using Excess = std::make_unsigned_t<Estimate>;

    static constexpr Excess none = std::numeric_limits<Excess>::max();
    /// No position passes the other end of the type. A bound that is raised to this is still below the f of each goal.
    static constexpr Value lowest =
        std::signed_integral<Value>
            ? static_cast<Value>(std::numeric_limits<Value>::lowest() + static_cast<Value>(max_depth + 2))
            : Value{};

    Value bound_{};
    Excess excess_ = none;
    bool has_overflowed_ = false;
};

/// What a search takes along of each state so that a heuristic can follow its moves: the value, or more.
template <class H, class P>
struct evaluation_of {
    using type = estimate_t<H, P>;
};

template <class H, class P>
    requires EvaluatingHeuristicFor<H, P>
struct evaluation_of<H, P> {
    using type = typename bound_t<H, P>::Evaluation;
};

/// Depth-first searches under a bound on f, each under the least f that went over the bound before it. `H` is the
/// heuristic, or a reference to it.
template <MoveProblem P, class H, class O>
class IdaStar {
public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Move = typename P::Move;
    using Estimate = estimate_t<H, P>;
    using Priority = AStarPriority<Cost, Estimate>;
    using Value = typename Priority::Value;
    using Result = SearchResult<State, Cost, Move>;
    using Node = NodeView<State, Cost, Estimate, Value>;

    static_assert(ObserverOf<O, Node>);

    IdaStar(const P& problem, H&& heuristic, const BasicLimits<Cost>& limits, O& observer)
        : heuristic_(std::forward<H>(heuristic)), problem_(problem), observer_(observer),
          max_cost_(limits.max_cost), monitor_(limits) {}

    Result run(const State& start) { return finish_run<true>(start); }

    /// The moves alone, for states of which one wants no copy for each step of the path.
    Result run_for_moves(State&& start) { return finish_run<false>(std::move(start)); }

private:
    template <bool keeps_path, class Start>
    Result finish_run(Start&& start) {
        Result result;
        try {
            search(std::forward<Start>(start));
            flush_counters();
            if constexpr (keeps_path || copies_states) {
                retrace(start, result);
            } else if (status_ == Status::solved) {
                for (const std::optional<Move>& taken : taken_) {
                    result.moves.push_back(*taken);
                }
                result.cost = cost_;
            }
            if constexpr (!keeps_path) {
                result.path.clear();
            }
        } catch (const std::bad_alloc&) {
            flush_counters();
            status_ = Status::memory_limit;
            result = Result{};
        }
        result.status = status_;
        result.statistics = statistics();
        observer_.progress(result.statistics);
        return result;
    }

    /// A state that fits two registers goes in them.
    using Passed =
        std::conditional_t<std::is_trivially_copyable_v<State> && sizeof(State) <= 16, State, const State&>;

    /// The estimate, or what the heuristic makes it of.
    using Evaluation = typename evaluation_of<H, P>::type;

    using PassedEvaluation =
        std::conditional_t<(sizeof(Evaluation) <= 16) || std::same_as<Evaluation, Estimate>, Evaluation,
                           const Evaluation&>;

    static constexpr bool is_evaluating = EvaluatingHeuristicFor<H, P>;
    static constexpr bool is_incremental = is_evaluating || IncrementalHeuristicFor<H, P>;
    static constexpr bool is_silent = !sees_nodes<O>;
    /// A path longer than this would need more stack than a thread may have; it ends the search with `memory_limit`.
    static constexpr std::size_t max_depth = 2'000;

    static constexpr bool has_unit_bound = !is_weighted<P> && std::integral<Estimate>;

    static auto choose_bound() {
        if constexpr (has_unit_bound) {
            constexpr bool is_steady = declares_consistent<H> && UndirectedProblem<P>;
            return std::type_identity<UnitCostBound<Cost, Estimate, is_steady, max_depth>>{};
        } else {
            return std::type_identity<CostBound<Cost, Estimate>>{};
        }
    }

    using Bound = typename decltype(choose_bound())::type;
    using Position = typename Bound::Position;

    /// Whether an estimate above zero tells that a path does not end at a state.
    static constexpr bool is_end_told = has_unit_bound && declares_zero_at_goals<H>;

    /// Whether each move is made on a copy of the state, rather than made and taken back in place. To copy 256 bytes
    /// was measured to be cheaper than to make a move twice.
    static constexpr bool copies_states =
        UnrolledProblem<P> || (std::is_trivially_copyable_v<State> && sizeof(State) <= 256);

    /// Whether the moves of a state are counted before they are made, in one addition; those that the end of the search
    /// came before are taken off again, unless it came by `std::bad_alloc`.
    static constexpr bool counts_ahead = UnrolledProblem<P> && is_incremental && is_silent;

    /// Whether the state before a move is asked for after it.
    static constexpr bool needs_parent = is_incremental || !is_silent;

    template <class Start>
    void search(Start&& start) {
        const Evaluation evaluation = evaluate(start);
        const Estimate estimate = estimate_of(evaluation);
        std::optional<Value> bound = Priority{}(Cost{}, estimate);
        observer_.start(Node{start, Cost{}, estimate, *bound});
        if constexpr (!copies_states) {
            if constexpr (needs_parent) {
                parent_.emplace(std::as_const(start));
            }
            state_.emplace(std::forward<Start>(start));
        }
        while (bound && !is_infinite(*bound)) {
            if (max_cost_ && saturating_cast<Value>(*max_cost_) < *bound) {
                status_ = Status::cost_limit;
                return;
            }
            bound_.set(*bound);
            const Statistics before = statistics_;
            if (visit_start(start, evaluation)) {
                return;
            }
            flush_counters();
            const std::uint64_t within = statistics_.expanded - before.expanded - 1;
            bound = bound_.next(statistics_.generated - before.generated - within);
        }
        status_ = !bound_.has_overflowed() ? Status::unsolvable
                  : max_cost_              ? Status::cost_limit
                                           : Status::cost_overflow;
    }

    bool visit_start(const State& start, const Evaluation& evaluation) {
        if constexpr (UnrolledProblem<P>) {
            bool is_over = false;
            problem_.with_place(
                start, [&](auto place) { is_over = visit(place, start, bound_.start(), evaluation); });
            return is_over;
        } else if constexpr (copies_states) {
            return visit(DynamicPlace<Move>{P::no_move}, start, bound_.start(), evaluation);
        } else {
            return visit_in_place(P::no_move, bound_.start(), evaluation);
        }
    }

    /// Returns whether the search is over: a goal was found or a limit struck.
    template <class Place>
    bool visit(Place place, Passed state, Position position, PassedEvaluation evaluation) {
        if (is_end(state, position, evaluation)) {
            return true;
        }
        if constexpr (std::same_as<Place, DynamicPlace<Move>>) {
            if (is_stopped_before(0, position)) {
                return true;
            }
            observe_expanded(state, position, evaluation);
            bool is_over = false;
            problem_.for_each_move(state, place.last, [&](Move move) {
                is_over =
                    is_over || try_move(DynamicPlace<Move>{move}, move, false, state, position, evaluation);
            });
            return is_over;
        } else {
            int untried = 0;
            problem_.any_move(place, [&](auto, auto) {
                ++untried;
                return false;
            });
            if (is_stopped_before(untried, position)) {
                return true;
            }
            observe_expanded(state, position, evaluation);
            return problem_.any_move(place, [&](auto next, auto move) {
                --untried;
                return try_move(next, move, untried == 0, state, position, evaluation);
            });
        }
    }

    /// The last move of a state is not recorded: with nothing left to do after the call, the call becomes a jump.
    /// Inlined by force: else all places that make the same move share one function, a call more for each child.
    template <class Place, class AnyMove>
    NPUZZLE_ALWAYS_INLINE bool try_move(Place next, AnyMove move, bool is_last, Passed state,
                                        Position position, PassedEvaluation evaluation) {
        if constexpr (!counts_ahead) {
            ++statistics_.generated;
        }
        Position child_position = position;
        if (!advance(child_position, state, move)) {
            return false;
        }
        State child = state;
        problem_.apply(child, move);
        const Evaluation child_evaluation = evaluate_after(evaluation, state, move, child);
        const Estimate child_estimate = estimate_of(child_evaluation);
        observe_generated(child, child_position, child_estimate, state, position, evaluation);
        if (!bound_.admits(position, child_position, child_estimate)) {
            return false;
        }
        if (is_last) {
            return visit(next, child, child_position, child_evaluation);
        }
        if (visit(next, child, child_position, child_evaluation)) [[unlikely]] {
            record(position, move);
            return true;
        }
        return false;
    }

    /// For states that are dearer to copy than to change. The state is `*state_`; so is, where it is needed,
    /// `*parent_`, which stays behind it from a move to the visit.
    bool visit_in_place(const Move& last, Position position, const Evaluation& evaluation) {
        if (is_end(*state_, position, evaluation) || is_stopped_before(0, position)) {
            return true;
        }
        observe_expanded(*state_, position, evaluation);
        // All of them before the first is made: the problem may be in the middle of the state that the move changes.
        const std::size_t first = untried_.size();
        problem_.for_each_move(std::as_const(*state_), last,
                               [&](const Move& move) { untried_.push_back(move); });
        const std::size_t end = untried_.size();
        for (std::size_t i = first; i < end; ++i) {
            const Move move = untried_[i];
            if (try_move_in_place(move, position, evaluation)) {
                record(position, move);
                return true;
            }
        }
        untried_.resize(first, P::no_move);
        return false;
    }

    bool try_move_in_place(const Move& move, Position position, const Evaluation& evaluation) {
        ++statistics_.generated;
        Position child_position = position;
        if (!advance(child_position, *state_, move)) {
            return false;
        }
        problem_.apply(*state_, move);
        Evaluation child_evaluation{};
        if constexpr (needs_parent) {
            child_evaluation = evaluate_after(evaluation, *parent_, move, *state_);
            observe_generated(*state_, child_position, estimate_of(child_evaluation), *parent_, position,
                              evaluation);
        } else {
            child_evaluation = evaluate(*state_);
        }
        const Estimate child_estimate = estimate_of(child_evaluation);
        const Move back = problem_.inverse(move);
        if (bound_.admits(position, child_position, child_estimate)) {
            if constexpr (needs_parent) {
                problem_.apply(*parent_, move);
            }
            if (visit_in_place(move, child_position, child_evaluation)) {
                return true;
            }
            if constexpr (needs_parent) {
                problem_.apply(*parent_, back);
            }
        }
        problem_.apply(*state_, back);
        return false;
    }

    /// From a node's position to its child's; false if the move is not to be followed.
    template <class AnyMove>
    bool advance(Position& position, const State& state, const AnyMove& move) {
        if constexpr (is_weighted<P>) {
            const Cost step = problem_.move_cost(state, move);
            if (step < Cost{}) {
                ++statistics_.contract_violations;
                NPUZZLE_ASSERT(false && "costs are not negative");
                return false;
            }
            return bound_.advance(position, step);
        } else {
            return bound_.advance(position, Cost{1});
        }
    }

    /// Whether a path ends here, and with it the search: at a goal, or because it is too long.
    bool is_end(Passed state, Position position, PassedEvaluation evaluation) {
        const Estimate estimate = estimate_of(evaluation);
        if constexpr (is_end_told) {
            // A node too deep with an estimate above zero is under a bound that is too deep itself: see `resume`.
            NPUZZLE_ASSERT((!(Estimate{} < estimate) || !problem_.is_goal(state)) && "h(goal) is zero");
            return !(Estimate{} < estimate) && ends(state, position, estimate);
        } else {
            return (bound_.depth(position) > max_depth || problem_.is_goal(state)) &&
                   ends(state, position, estimate);
        }
    }

    NPUZZLE_NOINLINE bool ends(Passed state, Position position, Estimate estimate) {
        if (bound_.depth(position) > max_depth) {
            finish(Status::memory_limit, position);
            return true;
        }
        if (!problem_.is_goal(state)) {
            return false;
        }
        if (estimate < Estimate{} || Estimate{} < estimate) {
            ++statistics_.contract_violations;
            NPUZZLE_ASSERT(false && "h(goal) is zero");
        }
        cost_ = bound_.cost(position);
        observer_.goal(Node{state, cost_, estimate, bound_.value()});
        finish(Status::solved, position);
        return true;
    }

    /// Counts an expansion that is to make so many moves; true if a limit forbids it.
    bool is_stopped_before(int moves, Position position) {
        const std::int64_t cost = one_expansion - (counts_ahead ? moves : 0);
        count_ -= cost;
        return count_ < 0 && is_stopped(cost, position);
    }

    /// Looks at the limits when the expansions that were granted have been used up.
    NPUZZLE_NOINLINE bool is_stopped(std::int64_t cost, Position position) {
        count_ += cost;
        flush_counters();
        if (bound_.depth(position) > max_depth) {
            finish(Status::memory_limit, position);
            return true;
        }
        if (monitor_.is_due(statistics_.expanded)) {
            const Status limit = monitor_.check(statistics_.expanded);
            if (limit != Status::running) {
                finish(limit, position);
                return true;
            }
            tell_progress(observer_, statistics(), bound_.value());
        }
        resume();
        count_ -= cost;
        return false;
    }

    /// Grants expansions for which no limit is looked at.
    void resume() {
        granted_ = 1;
        if constexpr (is_end_told) {
            if (std::cmp_greater(bound_.value(), max_depth)) {
                count_ = one_expansion; // each of them may be too deep
                return;
            }
        }
        while (granted_ < max_granted && !monitor_.is_due(statistics_.expanded + 2 * granted_)) {
            granted_ *= 2;
        }
        count_ = static_cast<std::int64_t>(granted_) * one_expansion;
    }

    /// Moves the counts to the statistics.
    void flush_counters() {
        statistics_.expanded += granted_ - static_cast<std::uint64_t>(count_ / one_expansion);
        statistics_.generated += static_cast<std::uint64_t>(count_ % one_expansion);
        granted_ = 0;
        count_ = 0;
    }

    void finish(Status status, Position position) {
        status_ = status;
        taken_.resize(bound_.depth(position));
    }

    void record(Position position, const Move& move) { taken_[bound_.depth(position)] = move; }

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

    Estimate estimate_of(const Evaluation& evaluation) {
        if constexpr (is_evaluating) {
            return saturating_cast<Estimate>(heuristic_.value(evaluation));
        } else {
            return evaluation;
        }
    }

    Evaluation evaluate(const State& state) {
        if constexpr (is_evaluating) {
            return heuristic_.evaluate(state);
        } else if constexpr (std::same_as<std::remove_cvref_t<H>, Zero>) {
            return Estimate{};
        } else {
            return saturating_cast<Estimate>(heuristic_(state));
        }
    }

    template <class AnyMove>
    Evaluation evaluate_after(const Evaluation& before_evaluation, const State& before, AnyMove move,
                              const State& after) {
        if constexpr (is_evaluating) {
            return heuristic_.after(before_evaluation, before, move, after);
        } else if constexpr (is_incremental) {
            return static_cast<Estimate>(heuristic_.after(before_evaluation, before, move, after));
        } else {
            return evaluate(after);
        }
    }

    Statistics statistics() const {
        Statistics statistics = statistics_;
        statistics.seconds = monitor_.seconds();
        return statistics;
    }

    /// Follows the path on which the search ended.
    void retrace(const State& start, Result& result) {
        if (status_ == Status::solved) {
            result.path.reserve(taken_.size() + 1);
            result.path.push_back(start);
            result.moves.reserve(taken_.size());
            result.cost = cost_;
        } else if (!counts_ahead) {
            return;
        }
        State state = start;
        Move last = P::no_move;
        for (const std::optional<Move>& taken : taken_) {
            last = find_taken(state, last, taken);
            problem_.apply(state, last);
            if (status_ == Status::solved) {
                result.path.push_back(state);
                result.moves.push_back(last);
            }
        }
    }

    /// The move that was made, the last one if none is recorded; those after it were not.
    Move find_taken(const State& state, const Move& last, const std::optional<Move>& taken) {
        if constexpr (!UnrolledProblem<P>) {
            return *taken;
        }
        Move move = P::no_move;
        bool is_found = false;
        problem_.for_each_move(state, last, [&](const Move& next) {
            if (!is_found) {
                move = next;
                is_found = taken && next == *taken;
            } else if (counts_ahead) {
                --statistics_.generated;
            }
        });
        return move;
    }

    /// The unit of `count_`, whose lower part counts moves: more than there can be in `max_granted` expansions.
    static constexpr std::int64_t one_expansion = std::int64_t{1} << 30;
    static constexpr std::uint64_t max_granted = std::uint64_t{1} << 16;

    H heuristic_;
    /// One counter for the limits and the statistics: `one_expansion` times the expansions left of those granted, plus
    /// the moves that were counted ahead.
    std::int64_t count_ = 0;
    Bound bound_;
    const P& problem_;
    O& observer_;
    std::uint64_t granted_ = 0;
    std::optional<Cost> max_cost_;
    LimitMonitor monitor_;
    Statistics statistics_;
    std::vector<std::optional<Move>> taken_; ///< by depth, when the search is over
    std::vector<Move> untried_;
    std::optional<State> state_;
    std::optional<State> parent_;
    Cost cost_{};
    Status status_ = Status::running;
};

/// What `run(search)` gives of an `Engine` for a heuristic: bound, referred to, or copied if it is a constant that cannot be
/// called.
template <template <MoveProblem, class, class> class Engine = IdaStar, MoveProblem P, class H, class O,
          class F, class... Options>
search_result_t<P> with_ida_star(const P& problem, H&& heuristic, const limits_t<P>& limits, O& observer,
                                 F&& run, const Options&... options) {
    return guarded_search([&] {
        if constexpr (BindsTo<H, P>) {
            return run(
                Engine<P, bound_t<H, P>, O>(problem, heuristic.bind(problem), limits, observer, options...));
        } else if constexpr (std::invocable<H&, const state_t<P>&>) {
            return run(
                Engine<P, std::remove_reference_t<H>&, O>(problem, heuristic, limits, observer, options...));
        } else {
            using Copy = std::remove_cvref_t<H>;
            return run(
                Engine<P, Copy, O>(problem, Copy(std::forward<H>(heuristic)), limits, observer, options...));
        }
    });
}

} // namespace detail

/// Finds a cheapest path by iterative-deepening A* (R. E. Korf, "Depth-first iterative-deepening: an optimal admissible
/// tree search", Artificial Intelligence 27, 1985): depth-first searches under a bound on f, first that of the start, then
/// each time the least f that went over the last one. Needs memory for the path alone, and visits a state once for each
/// path to it, so it suits spaces with few cycles and integer costs.
///
/// Optimal if the heuristic is admissible. Never ends by itself if no goal can be reached and the states are in a cycle:
/// ask first, or give limits. Moves are tried in the order of `for_each_move`, the one that goes straight back is left
/// out. `statistics.generated` counts each move made, in all iterations; published counts add one for the root.
///
/// A state that is dear to copy is changed by each move and changed back by its inverse; no memory is taken for a node
/// then. A heuristic that `declares_zero_at_goals` saves the question `is_goal` for most states.
///
/// \return as from `astar`; nothing is stored. A path of more than 2,000 moves ends in `Status::memory_limit`.
template <MoveProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
SearchResult<state_t<P>, cost_t<P>, move_t<P>> ida_star(const P& problem, const state_t<P>& start,
                                                        H&& heuristic, BasicLimits<cost_t<P>> limits = {},
                                                        O&& observer = O{}) {
    return detail::with_ida_star(problem, std::forward<H>(heuristic), limits, observer,
                                 [&](auto&& search) { return search.run(start); });
}

/// What `ida_star` does besides, if it is asked to.
struct IdaStarOptions {
    /// The size of a transposition table, which counts on `BasicLimits::bytes`; 0: none. It remembers, of as many states as fit
    /// in it, how much there is at least to pay from there, as found out by searching below them, so that a state that is
    /// reached by several paths, or in several iterations, is searched less often (A. Reinefeld, T. A. Marsland, "Enhanced
    /// iterative-deepening search", IEEE Transactions on Pattern Analysis and Machine Intelligence 16, 1994).
    std::uint64_t table_bytes = 0;
    /// By how many times the work of an iteration should exceed that of the one before, 2 for example; 1 or less: by whatever the
    /// least step of the bound gives. For costs of many different values, such as real numbers, where the least step may
    /// let in a single state: the next bound is chosen by how many paths went how far over the last one (U. K. Sarkar, P. P.
    /// Chakrabarti, S. Ghose, S. C. De Sarkar, "Reducing reexpansions in iterative-deepening search by controlling cutoff
    /// bounds", Artificial Intelligence 50, 1991). A bound may then exceed the optimum: the last iteration goes on from a goal
    /// to cheaper ones, until none is left. For arithmetic costs; others go by the least step.
    double growth = 0;
};

/// `ida_star` with options: `ida_star(problem, start, heuristic, IdaStarOptions{.table_bytes = 1 << 28})`. Optimal as without;
/// where costs are real numbers and there is a table, up to the rounding of sums. With a table the states have to be hashed,
/// and are copied for each move.
///
/// \return as from `ida_star`. `stored` and `bytes` are those of the table; `duplicates` counts the moves that it cut off. If
/// the table does not fit in `limits.bytes`, the search ends with `Status::memory_limit`. An observer may be told of more
/// than one goal, each cheaper than the one before.
template <MoveProblem P, class H, std::same_as<IdaStarOptions> Options, class O = SilentObserver>
    requires HeuristicFor<H, P> && HasHash<P>
SearchResult<state_t<P>, cost_t<P>, move_t<P>>
ida_star(const P& problem, const state_t<P>& start, H&& heuristic, Options options,
         BasicLimits<cost_t<P>> limits = {}, O&& observer = O{}) {
    return detail::with_ida_star<detail::BoundedIdaStar>(
        problem, std::forward<H>(heuristic), limits, observer,
        [&](auto&& search) { return search.run(start); }, options.table_bytes, options.growth);
}

/// `ida_star` for states that are so large that nobody wants the path in copies of them: `path` is empty, `moves` and `cost`
/// are there. The start is moved from; besides it there is one more state, if the heuristic follows moves.
template <MoveProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
SearchResult<state_t<P>, cost_t<P>, move_t<P>>
ida_star_moves(const P& problem, state_t<P> start, H&& heuristic, BasicLimits<cost_t<P>> limits = {},
               O&& observer = O{}) {
    return detail::with_ida_star(problem, std::forward<H>(heuristic), limits, observer,
                                 [&](auto&& search) { return search.run_for_moves(std::move(start)); });
}

} // namespace npuzzle
