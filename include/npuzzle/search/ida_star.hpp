#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/engine/evaluated_part.hpp"
#include "npuzzle/search/engine/steps_as_moves.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

template <MoveProblem P, class B, class O>
class SplitIdaStar;

/// The bound on f = g + h of one iteration, and the least f beyond it, which is the next bound. A node's
/// position is its cost and its depth.
/// \tparam has_dead_ends whether an infinite estimate says that no goal can be reached; else it overflows
template <class Cost, class Estimate, bool has_dead_ends>
class CostBound {
public:
    struct Position {
        Cost cost;
        std::size_t depth;
    };

    explicit CostBound(const Estimate& bound = {}) : bound_(bound) {}

    const Estimate& value() const noexcept { return bound_; }
    Position start() const { return {Cost{}, 0}; }
    const Cost& cost(const Position& position) const { return position.cost; }
    std::size_t depth(const Position& position) const { return position.depth; }

    /// From a node's position to its child's; false if the step is NaN, or the cost type cannot hold the cost.
    bool advance(Position& position, const Cost& step) {
        position.cost = saturating_add<Cost>(position.cost, step);
        ++position.depth;
        const bool is_held = !is_infinite(position.cost);
        has_overflowed_ = has_overflowed_ || (!is_held && (!is_infinite(step) || is_nan(step)));
        return is_held;
    }

    /// Whether a child is within the bound; if not, its f counts for the next bound.
    bool admits(const Position& /*parent*/, const Position& child, const Estimate& estimate) {
        const Estimate f = AStarPriority<Cost, Estimate>{}(child.cost, estimate);
        if (!(bound_ < f)) return true;
        if (is_infinite(f)) {
            has_overflowed_ = has_overflowed_ || !has_dead_ends || !is_infinite(estimate);
        } else if (!next_ || f < *next_) {
            next_ = f;
        }
        return false;
    }

    /// The next bound, if there is any. `refused`: how many children were not within this one.
    std::optional<Estimate> next(std::uint64_t /*refused*/) const { return next_; }

    bool has_overflowed() const noexcept { return has_overflowed_; }

    /// Adds what another search saw under the same bound.
    void merge(const CostBound& other) {
        if (other.next_ && (!next_ || *other.next_ < *next_)) next_ = other.next_;
        has_overflowed_ = has_overflowed_ || other.has_overflowed_;
    }

private:
    Estimate bound_;
    bool has_overflowed_ = false;
    std::optional<Estimate> next_;
};

/// The same where each step costs 1 and estimates are integers. A node's position is what its cost leaves of
/// the bound; a child is within the bound if its estimate is less than its parent's position. No sum
/// overflows.
///
/// `is_steady`: a child's estimate differs from its parent's by 1 at most. Then f exceeds the bound by 1 or 2,
/// and one comparison tells which. If it rises by more all the same, the next bound is too low, which costs an
/// iteration and changes no result.
template <class Cost, std::integral Estimate, bool has_dead_ends, bool is_steady, std::size_t max_depth>
class UnitCostBound {
public:
    using Position = Estimate;

    explicit UnitCostBound(Estimate bound = {}) : bound_(bound < lowest ? lowest : bound) {}

    Estimate value() const { return bound_; }
    Position start() const { return bound_; }
    Cost cost(Position position) const { return static_cast<Cost>(bound_ - position); }
    std::size_t depth(Position position) const { return static_cast<std::size_t>(bound_ - position); }

    bool advance(Position& position, const Cost& /*step*/) const {
        --position;
        return true;
    }

    /// Any greater estimate of a child says no more.
    Estimate greatest_of_interest(Position parent) const {
        return !is_steady && difference(greatest, parent) < excess_
                   ? greatest
                   : static_cast<Estimate>(static_cast<Excess>(parent) + excess_ - 1);
    }

    bool admits(Position parent, Position /*child*/, Estimate estimate) {
        if (estimate < parent) return true;
        if constexpr (is_steady) {
            if (estimate == parent) [[unlikely]] {
                excess_ = 0;
            }
        } else {
            const Excess excess = difference(estimate, parent);
            if (excess < excess_ && (!has_dead_ends || !is_infinite(estimate))) [[unlikely]] {
                excess_ = excess;
            }
        }
        return false;
    }

    std::optional<Estimate> next(std::uint64_t refused) {
        if (refused == 0 || excess_ == none) return std::nullopt;
        has_overflowed_ = excess_ >= difference(greatest, bound_) - 1;
        return has_overflowed_
                   ? std::nullopt
                   : std::optional(static_cast<Estimate>(static_cast<Excess>(bound_) + excess_ + 1));
    }

    bool has_overflowed() const noexcept { return has_overflowed_; }

    void merge(const UnitCostBound& other) { excess_ = other.excess_ < excess_ ? other.excess_ : excess_; }

private:
    /// How far f is beyond the least value beyond the bound: exact for any two values, since unsigned.
    using Excess = std::make_unsigned_t<Estimate>;

    static constexpr Excess difference(Estimate greater, Estimate less) {
        return static_cast<Excess>(static_cast<Excess>(greater) - static_cast<Excess>(less));
    }

    static constexpr Excess none = (std::numeric_limits<Excess>::max)();
    static constexpr Estimate greatest = (std::numeric_limits<Estimate>::max)();
    /// No position passes the other end of the type. This is still below the f of each goal.
    static constexpr Estimate lowest = std::signed_integral<Estimate>
                                           ? static_cast<Estimate>(std::numeric_limits<Estimate>::lowest() +
                                                                   static_cast<Estimate>(max_depth + 2))
                                           : Estimate{};

    Estimate bound_;
    Excess excess_ = is_steady ? Excess{1} : none;
    bool has_overflowed_ = false;
};

} // namespace detail

/// IDA* as an object: each `step` is one iteration, a depth-first search under a bound on f, or the end of
/// the search. See `ida_star`.
template <MoveProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
class IdaStar : public Engine {
    template <MoveProblem, class, class>
    friend class detail::SplitIdaStar;

    using BoundHeuristic = detail::kept_t<H, P>;
    using B = std::remove_reference_t<BoundHeuristic>;
    using Part = detail::EvaluatedPart<B, P>;
    /// The estimate, or what the heuristic follows moves by.
    using Evaluation = typename Part::Evaluation;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Move = move_t<P>;
    using Estimate = estimate_t<H, P>;
    using Priority = AStarPriority<Cost, Estimate>;
    using Result = search_result_t<P>;
    using Node = NodeView<State, Cost, Estimate, Estimate>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    IdaStar(detail::Lasting<P> problem, State start, H&& heuristic, const BasicLimits<Cost>& limits = {},
            O&& observer = O{})
        : Engine(limits), problem_(problem.address), start_(std::move(start)),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), *problem_)),
          observer_(std::forward<O>(observer)), max_cost_(detail::checked_max_cost(limits.max_cost)) {
        guarded(observer_, [&] {
            evaluation_.emplace(Part::evaluate(heuristic_, detail::checked_state(*problem_, start_)));
            Estimate estimate = estimate_of(*evaluation_);
            if constexpr (!detail::has_dead_ends<BoundHeuristic, Estimate>) {
                estimate = detail::finite(estimate);
            }
            proved_ = Priority{}(Cost{}, estimate);
            next_bound_ = proved_;
            observer_.start(Node{start_, Cost{}, estimate, proved_});
        });
    }

    /// One iteration, or the end of the search. Returns whether the search goes on.
    bool step() {
        return Engine::step(observer_, [this] { advance(); });
    }

    /// Steps to the end.
    SearchStatus run() {
        return Engine::run(observer_, [this] { advance(); });
    }

    /// The bound on f of the next iteration, or of the one that found the goal; empty if there is none.
    [[nodiscard]] const std::optional<Estimate>& bound() const noexcept { return next_bound_; }

    /// Linear in the length of the path.
    [[nodiscard]] NPUZZLE_COLD Result result() const {
        return outcome(Result{}, [this](Result& result) {
            if (status_ != SearchStatus::solved) return;
            result.moves = moves_;
            result.cost = cost_;
            result.path.reserve(moves_.size() + 1);
            result.path.push_back(start_);
            for (const Move& move : moves_) {
                result.path.push_back(State(result.path.back()));
                problem_->apply(result.path.back(), move);
            }
        });
    }

private:
    /// A longer path would need more stack than a thread may have.
    static constexpr std::size_t max_depth = 2'000;

    static constexpr bool is_watched = sees_nodes<O>;
    static constexpr bool has_unit_bound = !is_weighted<P> && std::integral<Estimate>;

    /// Whether an estimate above zero tells that a path does not end at a state.
    static constexpr bool is_end_told =
        has_unit_bound && (declares_zero_at_goals<H> || declares_zero_at_goals<BoundHeuristic>);

    /// Whether moves are made on copies of the state, and not in place: in `start_`, and where the state before
    /// a move is needed, in `*parent_`, which stays one move behind. Measured: copying 256 bytes is cheaper than
    /// making a move twice.
    static constexpr bool copies_states =
        UnrolledProblem<P> || (std::is_trivially_copyable_v<State> && sizeof(State) <= 256);
    static constexpr bool needs_parent = !copies_states && (Part::follows_moves || is_watched);

    /// Whether the moves of a state are counted before they are made, in one addition. At the end those not made
    /// are subtracted, unless an exception ends the search.
    static constexpr bool counts_ahead = UnrolledProblem<P> && Part::follows_moves && !is_watched;

    /// How many children of a state are evaluated before the first is visited; 0: each when it is made. Only with
    /// unit costs, which leave out no child before, and if the evaluations take little of the stack.
    static constexpr std::size_t evaluated_first = [] {
        if constexpr (copies_states && has_unit_bound && declares_waits_for_memory<B> &&
                      Part::is_evaluating && !Part::is_lazy && requires { unsigned{P::move_count}; }) {
            constexpr auto count = static_cast<std::size_t>(P::move_count);
            return sizeof(Evaluation) * count <= 1024 ? count : std::size_t{0};
        } else {
            return std::size_t{0};
        }
    }();

    static auto choose_bound() {
        constexpr bool has_dead_ends = detail::has_dead_ends<BoundHeuristic, Estimate>;
        if constexpr (has_unit_bound) {
            constexpr bool is_steady =
                (declares_consistent<H> || declares_consistent<BoundHeuristic>) && UndirectedProblem<P>;
            return detail::UnitCostBound<Cost, Estimate, has_dead_ends, is_steady, max_depth>{};
        } else {
            return detail::CostBound<Cost, Estimate, has_dead_ends>{};
        }
    }
    using Bound = decltype(choose_bound());
    using Position = typename Bound::Position;

    /// What fits two registers goes in them. In place, it is the one state that changes.
    using StateArg = std::conditional_t<
        !copies_states, State&,
        std::conditional_t<std::is_trivially_copyable_v<State> && sizeof(State) <= 16, State, const State&>>;
    using EvaluationArg = std::conditional_t<(sizeof(Evaluation) <= 16) || std::same_as<Evaluation, Estimate>,
                                             Evaluation, const Evaluation&>;

    /// The place of a state whose moves are found out at run time.
    struct DynamicPlace {
        Move last;

        DynamicPlace after(const Move& move) const { return {move}; }
    };

    /// What a split search does with a state at its cut. `visit()` visits it.
    using Visit = const std::function<bool()>&;
    using Cut = std::function<bool(Visit visit)>;

    /// A dynamic place above the cut.
    struct UpperPlace {
        Move last;
        std::size_t left; ///< moves to the cut
        const Cut* cut;

        UpperPlace after(const Move& move) const { return {move, left - 1, cut}; }
    };

    template <class Place>
    static constexpr bool is_dynamic = std::same_as<Place, DynamicPlace> || std::same_as<Place, UpperPlace>;

    NPUZZLE_COLD void finish(SearchStatus status) { Engine::finish(observer_, status); }

    /// Settles the next bound; false at the end of the search.
    bool take_bound() {
        bool is_exhausted = !next_bound_ || detail::is_infinite(*next_bound_);
        if (!is_exhausted && max_cost_) {
            is_exhausted = pruned_by_bound_ = detail::is_over(max_cost_, proved_);
            next_bound_ = (std::min)(*next_bound_, detail::greatest_total<Estimate>(*max_cost_));
        }
        if (is_exhausted) finish(exhausted(max_cost_, detail::is_finite));
        return !is_exhausted;
    }

    void advance() {
        if (take_bound()) deepen(DynamicPlace{P::no_move});
    }

    /// One iteration.
    template <class Place>
    void deepen(const Place& place) {
        const Estimate bound = *next_bound_;
        const Statistics before = statistics_;
        if (visit_start(bound, place)) {
            follow_path();
            finish(end_);
            return;
        }
        const std::uint64_t expanded = statistics_.expanded - before.expanded;
        next_bound_ = bound_.next(statistics_.generated - before.generated - (expanded - 1));
        proved_ = next_bound_.value_or(bound);
        pruned_by_bound_ = has_overflowed_ = bound_.has_overflowed();
    }

    /// The depth-first search. Returns whether it ended before all was visited.
    template <class Place>
    bool visit_start(const Estimate& bound, const Place& place) {
        bound_ = Bound(bound);
        taken_.assign(std::same_as<Place, UpperPlace> ? max_depth + 2 : 0, P::no_move); // A cut may end it.
        untried_.clear();
        left_.clear();
        first_left_ = 0;
        if (needs_parent && !parent_) parent_.emplace(start_);
        try {
            const bool is_over = visit(place, start_, bound_.start(), *evaluation_);
            flush_counters();
            return is_over;
        } catch (...) {
            flush_counters();
            throw;
        }
    }

    /// Returns whether the iteration is over: a goal was found or a limit was reached.
    template <class Place>
    bool visit(Place place, StateArg state, Position position, EvaluationArg evaluation) {
        if (is_end(state, position, evaluation)) return true;
        std::array<Evaluation, evaluated_first> children;
        if constexpr (is_dynamic<Place>) {
            // Listed first: the problem may go through the state that changes, or neighbors that it only lends.
            const std::size_t first = untried_.size();
            problem_->for_each_move(state, place.last, [&](const Move& move) { untried_.push_back(move); });
            const std::size_t end = untried_.size();
            if (is_stopped_before(static_cast<int>(end - first), state, position, evaluation)) return true;
            if constexpr (evaluated_first > 0) {
                EvaluateMove evaluate{*this, state, evaluation, children.data()};
                for (std::size_t i = first; i < end; ++i) evaluate(place, untried_[i]);
            }
            for (std::size_t i = first; i < end; ++i) {
                const Move move = untried_[i]; // a copy: the list grows
                const Evaluation* const child = evaluated_first > 0 ? &children[i - first] : nullptr;
                if (try_move(place.after(move), move, false, state, position, evaluation, child)) return true;
            }
            untried_.resize(first, P::no_move);
            return false;
        } else {
            if (is_stopped_before(place.moves, state, position, evaluation)) return true;
            if constexpr (evaluated_first > 0) {
                problem_->any_move(place, EvaluateMove{*this, state, evaluation, children.data()});
            }
            return problem_->any_move(
                place, TryMove<Place>{*this, state, position, evaluation, place.moves, children.data()});
        }
    }

    // No lambdas: inlined by force, so that a move that is known at compile time stays known.

    struct EvaluateMove {
        IdaStar& engine;
        StateArg state;
        EvaluationArg evaluation;
        Evaluation* child;

        template <class Place, class AnyMove>
        NPUZZLE_ALWAYS_INLINE bool operator()(const Place& /*place*/, const AnyMove& move) {
            State next = state;
            engine.problem_->apply(next, move);
            *child++ = Part::after(engine.heuristic_, evaluation, state, move, next);
            return false;
        }
    };

    template <class Place>
    struct TryMove {
        IdaStar& engine;
        StateArg state;
        Position position;
        EvaluationArg evaluation;
        int untried;
        const Evaluation* child;

        template <class Next, class AnyMove>
        NPUZZLE_ALWAYS_INLINE bool operator()(Next next, AnyMove move) {
            --untried;
            // A place that holds something may leave moves out at run time.
            constexpr bool knows_last = std::is_empty_v<Place> && evaluated_first == 0;
            return engine.try_move(next, move, knows_last && untried == 0, state, position, evaluation,
                                   evaluated_first > 0 ? child++ : nullptr);
        }
    };

    /// Makes a move, and visits the child if it is within the bound. Inlined by force: else all places that
    /// make the same move share one function, a call more for each child.
    /// \param is_last the state's last move is not recorded: with nothing left to do, the call becomes a jump
    template <class Place, class AnyMove>
    NPUZZLE_ALWAYS_INLINE bool try_move(Place next, AnyMove move, bool is_last, StateArg state,
                                        Position position, EvaluationArg evaluation,
                                        [[maybe_unused]] const Evaluation* evaluated) {
        if (!counts_ahead) ++statistics_.generated;
        const Cost step = detail::step_cost(*problem_, state, move);
        if (detail::breaks_contract(step, statistics_) && !detail::is_nan(step)) return false;
        Position child_position = position;
        if (!bound_.advance(child_position, step)) return false;
        // No bound ends a circle of steps that add nothing to the cost: the states that such steps have just left
        // are in `left_` from `first_left_` on.
        bool is_free = false;
        [[maybe_unused]] const std::size_t first_left = first_left_;
        if constexpr (is_weighted<P>) {
            is_free = !(bound_.cost(position) < bound_.cost(child_position));
            if (is_free) {
                left_.push_back(state);
            } else {
                first_left_ = left_.size();
            }
        }

        std::conditional_t<copies_states, State, State&> child = state;
        problem_->apply(child, move);
        const State& before = needs_parent ? *parent_ : state;
        constexpr bool is_lazy = has_unit_bound && !is_watched && Part::is_lazy;
        Evaluation child_evaluation = is_lazy ? Evaluation{}
                                      : evaluated_first > 0
                                          ? *evaluated
                                          : Part::after(heuristic_, evaluation, before, move, child);
        Estimate child_estimate{};
        if constexpr (is_lazy) { // it may be less if it is of no interest
            child_estimate = convert(Part::after_within(heuristic_, child_evaluation, evaluation, before,
                                                        move, child, bound_.greatest_of_interest(position)));
        } else {
            child_estimate = estimate_of(child_evaluation);
        }
        if constexpr (is_watched) {
            const Cost cost = bound_.cost(child_position);
            observer_.generate(Node{child, cost, child_estimate, Priority{}(cost, child_estimate)},
                               Node{before, bound_.cost(position), estimate_of(evaluation), bound_.value()});
        }

        bool is_followed = bound_.admits(position, child_position, child_estimate);
        if constexpr (is_weighted<P>) {
            is_followed = is_followed &&
                          !(is_free &&
                            std::any_of(left_.begin() + static_cast<std::ptrdiff_t>(first_left_), left_.end(),
                                        [&](const State& other) { return detail::is_equal(other, child); }));
        }
        if (is_followed) {
            if (is_last && !is_weighted<P>) return visit_next(next, child, child_position, child_evaluation);
            if constexpr (needs_parent) problem_->apply(*parent_, move);
            if (visit_next(next, child, child_position, child_evaluation)) [[unlikely]] {
                record(position, move);
                return true;
            }
            if constexpr (needs_parent) problem_->apply(*parent_, problem_->inverse(move));
        }
        if constexpr (!copies_states) problem_->apply(start_, problem_->inverse(move));
        if constexpr (is_weighted<P>) {
            if (is_free) left_.pop_back();
            first_left_ = first_left;
        }
        return false;
    }

    /// Visits a child, at a place known at compile time where there is one.
    template <class Place>
    NPUZZLE_ALWAYS_INLINE bool visit_next(Place place, StateArg state, Position position,
                                          EvaluationArg evaluation) {
        if constexpr (std::same_as<Place, UpperPlace>) {
            const auto leave = [&] {
                return visit_next(DynamicPlace{place.last}, state, position, evaluation);
            };
            return place.left == 0 ? (*place.cut)(leave) : visit(place, state, position, evaluation);
        } else if constexpr (UnrolledProblem<P> && is_dynamic<Place>) {
            bool is_over = false;
            problem_->with_place(state, place.last,
                                 [&](auto known) { is_over = visit(known, state, position, evaluation); });
            return is_over;
        } else {
            return visit(place, state, position, evaluation);
        }
    }

    /// Whether the iteration ends here, at a goal or too deep.
    NPUZZLE_ALWAYS_INLINE bool is_end(StateArg state, Position position, EvaluationArg evaluation) {
        const Estimate estimate = estimate_of(evaluation);
        if constexpr (is_end_told) {
            // `is_stopped` finds a node that is too deep with an estimate above zero: so is its bound.
            NPUZZLE_ASSERT((!(Estimate{} < estimate) || !problem_->is_goal(state)) && "h(goal) is zero");
            return !(Estimate{} < estimate) && ends(state, position, estimate);
        } else {
            return (bound_.depth(position) > max_depth || problem_->is_goal(state)) &&
                   ends(state, position, estimate);
        }
    }

    NPUZZLE_COLD bool ends(StateArg state, Position position, Estimate estimate) {
        if (bound_.depth(position) > max_depth) {
            end_with(SearchStatus::memory_limit, position);
        } else if (!problem_->is_goal(state)) {
            return false;
        } else {
            detail::check_goal(estimate, statistics_);
            cost_ = bound_.cost(position);
            observer_.goal(Node{state, cost_, estimate, bound_.value()});
            end_with(SearchStatus::solved, position);
        }
        return true;
    }

    /// Counts an expansion with so many moves, and shows it; true if a limit forbids it.
    NPUZZLE_ALWAYS_INLINE bool is_stopped_before(int moves, [[maybe_unused]] const State& state,
                                                 Position position,
                                                 [[maybe_unused]] const Evaluation& evaluation) {
        const std::int64_t cost = one_expansion - (counts_ahead ? moves : 0);
        count_ -= cost;
        if (count_ < 0 && is_stopped(cost, position)) return true;
        if constexpr (is_watched) {
            observer_.expand(Node{state, bound_.cost(position), estimate_of(evaluation), bound_.value()});
        }
        return false;
    }

    /// Looks at the limits when the granted expansions are used up, and grants others.
    NPUZZLE_COLD bool is_stopped(std::int64_t cost, Position position) {
        count_ += cost;
        flush_counters();
        if (bound_.depth(position) > max_depth) {
            end_with(SearchStatus::memory_limit, position);
            return true;
        }
        if (monitor_.is_due(statistics_.expanded)) {
            const SearchStatus limit = monitor_.check(statistics_.expanded);
            if (limit != SearchStatus::running) {
                end_with(limit, position);
                return true;
            }
            detail::tell_progress(observer_, statistics(), bound_.value());
        }
        granted_ = 1;
        while (granted_ < max_granted && !monitor_.is_due(statistics_.expanded + 2 * granted_)) granted_ *= 2;
        if constexpr (is_end_told) {
            if (std::cmp_greater(bound_.value(), max_depth)) granted_ = 1; // Each may be too deep.
        }
        count_ = static_cast<std::int64_t>(granted_) * one_expansion - cost;
        return false;
    }

    /// Adds what is counted apart from the statistics.
    void flush_counters() {
        statistics_.expanded += granted_ - static_cast<std::uint64_t>(count_ / one_expansion);
        statistics_.generated += static_cast<std::uint64_t>(count_ % one_expansion);
        granted_ = 0;
        count_ = 0;
    }

    NPUZZLE_ALWAYS_INLINE Estimate estimate_of(const Evaluation& evaluation) {
        if constexpr (std::is_same_v<std::remove_cvref_t<H>, Zero>) {
            return Estimate{};
        } else {
            return convert(Part::value(heuristic_, evaluation));
        }
    }

    template <class T>
    NPUZZLE_ALWAYS_INLINE Estimate convert(const T& value) {
        return detail::estimate_from<Estimate, std::remove_cvref_t<BoundHeuristic>>(value, statistics_);
    }

    NPUZZLE_COLD void end_with(SearchStatus status, Position position) {
        end_ = status;
        taken_.resize(bound_.depth(position), P::no_move);
    }

    NPUZZLE_COLD void record(Position position, const Move& move) { taken_[bound_.depth(position)] = move; }

    /// Follows the path on which the iteration ended: fills in last moves, subtracts what was counted ahead and
    /// not made, or takes back what was made in place.
    NPUZZLE_COLD void follow_path() {
        if constexpr (UnrolledProblem<P>) {
            State state = start_;
            Move last = P::no_move;
            for (Move& taken : taken_) {
                Move move = P::no_move;
                problem_->for_each_move(state, last, [&](const Move& next) {
                    if (move == P::no_move || move != taken) {
                        move = next;
                    } else if (counts_ahead) {
                        --statistics_.generated;
                    }
                });
                last = taken = move;
                problem_->apply(state, last);
            }
        } else if constexpr (!copies_states) {
            for (std::size_t i = taken_.size(); i-- > 0;) {
                problem_->apply(start_, problem_->inverse(taken_[i]));
            }
            parent_.reset();
        }
        if (end_ == SearchStatus::solved) moves_ = std::move(taken_);
    }

    /// The unit of `count_`; below it are moves, more than there can be in `max_granted` expansions.
    static constexpr std::int64_t one_expansion = std::int64_t{1} << 30;
    static constexpr std::uint64_t max_granted = std::uint64_t{1} << 16;

    const P* problem_;
    State start_;
    BoundHeuristic heuristic_;
    O observer_;
    std::optional<Cost> max_cost_;
    std::optional<Evaluation> evaluation_; ///< of the start

    std::optional<Estimate> next_bound_;
    Estimate proved_{}; ///< no solution costs less
    Bound bound_;
    /// `one_expansion` times the expansions left of those granted, plus the moves that were counted ahead.
    std::int64_t count_ = 0;
    std::uint64_t granted_ = 0;
    std::vector<Move> untried_;
    std::vector<State> left_;    ///< by steps that cost nothing
    std::size_t first_left_ = 0; ///< of those since the last step that cost something
    std::optional<State> parent_;

    SearchStatus end_ = SearchStatus::running; ///< how the iteration ended, if it did so early
    std::vector<Move> taken_; ///< on the path on which it ended; `no_move` where none is recorded
    std::vector<Move> moves_; ///< from the start to the goal that was found last
    Cost cost_{};             ///< of these
};

template <class P, class H, class O = SilentObserver>
IdaStar(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> IdaStar<P, H, O>;

/// Finds a cheapest path by iterative-deepening A* (R. E. Korf, "Depth-first iterative-deepening: an optimal
/// admissible tree search", Artificial Intelligence 27, 1985): depth-first searches under a bound on f. The
/// first bound is the f of the start, each next one the least f that exceeded the last. It needs memory only
/// for the path, but visits a state once for each path to it: it suits spaces with few cycles, and integer
/// costs.
///
/// Optimal if the heuristic is admissible. If no goal can be reached and the states are in a cycle that costs
/// something, it goes on until a path has 2,000 moves, and ends with `memory_limit`: give limits. Moves are
/// tried in the order of `for_each_move`, without the one straight back. `statistics.generated` counts the
/// moves of all iterations; published counts add one for the root.
///
/// A state that is expensive to copy is changed by each move, and changed back by its inverse; without moves,
/// each step copies states. For a heuristic that `declares_zero_at_goals`, `is_goal` is called for few states.
///
/// \return as from `astar`; nothing is stored
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P>
search_result_t<P> ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                            limits_t<P> limits = {}, O&& observer = O{}) {
    if constexpr (detail::has_moves<P>) {
        return detail::run_engine<IdaStar<P, H, O>>(problem, start, std::forward<H>(heuristic), limits,
                                                    std::forward<O>(observer));
    } else {
        return detail::guarded_search([&] {
            const detail::StepsAsMoves<P> steps(problem);
            return detail::with_bound(heuristic, problem, [&]<class B>(B& bound) {
                return detail::moved<P>(detail::run_engine<IdaStar<detail::StepsAsMoves<P>, B&, O>>(
                    steps, start, bound, limits, std::forward<O>(observer)));
            });
        });
    }
}

/// The same of a start and callables, without a problem: see `problem_from`.
template <class S, class N, class H, class G, class P = detail::called_problem_t<S, N, G>,
          class O = detail::silent_observer_t<P, H>>
search_result_t<P> ida_star(const S& start, N&& neighbors, H&& heuristic, G&& is_goal,
                            limits_t<P> limits = {}, O&& observer = O{}) {
    return ida_star(P(neighbors, is_goal), start, std::forward<H>(heuristic), limits,
                    std::forward<O>(observer));
}

} // namespace npuzzle
