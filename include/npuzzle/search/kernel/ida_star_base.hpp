#pragma once

#include "npuzzle/search/core/combinators.hpp"
#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/engine/expansion.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/ida_star_places.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// Whether it is known how many moves a state has at most.
template <class P>
concept LimitsMoves = requires {
    { P::move_count } -> std::convertible_to<unsigned>;
};

/// Whether all moves of a state must be listed before another state is asked for its moves: see
/// `StepsAsMoves`.
template <class P>
concept LendsNeighbors = bool(P::lends_neighbors);

/// Whether IDA* evaluates all children of a state before it visits the first. Only with unit costs, by which
/// no child is left out before it is evaluated, and only if the evaluations take little of the stack at each
/// depth.
template <class B, class P>
inline constexpr bool evaluates_children_first = [] {
    if constexpr (declares_waits_for_memory<B> && EvaluatedPart<B, P>::is_evaluating &&
                  !EvaluatedPart<B, P>::is_lazy && !is_weighted<P> && std::integral<estimate_t<B, P>> &&
                  LimitsMoves<P>) {
        constexpr std::size_t max_bytes = 1024;
        return sizeof(typename EvaluatedPart<B, P>::Evaluation) * static_cast<std::size_t>(P::move_count) <=
               max_bytes;
    } else {
        return false;
    }
}();

/// The evaluations of the children of a state, in the order of its moves. Nothing where they are made one by
/// one.
///
/// \tparam B the bound heuristic
template <class B, MoveProblem P>
class ChildEvaluations {
public:
    template <class Place, class State, class Evaluation>
    NPUZZLE_ALWAYS_INLINE ChildEvaluations(B& /*heuristic*/, const P& /*problem*/, const Place& /*place*/,
                                           const State& /*state*/, const Evaluation& /*evaluation*/) {}
};

template <class B, MoveProblem P>
    requires evaluates_children_first<B, P>
class ChildEvaluations<B, P> {
    using Part = EvaluatedPart<B, P>;

public:
    using Evaluation = typename Part::Evaluation;

    template <class Place>
    NPUZZLE_ALWAYS_INLINE ChildEvaluations(B& heuristic, const P& problem, const Place& place,
                                           const state_t<P>& state, const Evaluation& evaluation) {
        EvaluateMove evaluate{heuristic, problem, state, evaluation, evaluations_.data()};
        if constexpr (is_dynamic<Place>) {
            problem.for_each_move(state, place.last, [&](const auto& move) { evaluate(place, move); });
        } else {
            problem.any_move(place, evaluate);
        }
    }

    /// The same for the next child.
    NPUZZLE_ALWAYS_INLINE Evaluation& take() { return evaluations_[taken_++]; }

private:
    /// No lambda: this is inlined by force, so that a move that is known at compile time stays known.
    struct EvaluateMove {
        B& heuristic;
        const P& problem;
        const state_t<P>& state;
        const Evaluation& evaluation;
        Evaluation* next;

        template <class Place, class AnyMove>
        NPUZZLE_ALWAYS_INLINE bool operator()(const Place& /*place*/, const AnyMove& move) {
            state_t<P> child = state;
            problem.apply(child, move);
            *next++ = Part::after(heuristic, evaluation, state, move, child);
            return false;
        }
    };

    std::array<Evaluation, static_cast<std::size_t>(P::move_count)> evaluations_;
    std::size_t taken_ = 0;
};

/// The states that the last steps of a path have left, if these steps add nothing to the cost. Nothing where
/// each step costs 1.
template <class State, bool is_used>
class FreeSteps {
public:
    void push(const State& /*from*/, std::size_t /*depth*/) {}
    void pop() {}
    void clear() {}
    [[nodiscard]] bool lead_to(const State& /*state*/) const { return false; }
};

template <class State>
class FreeSteps<State, true> {
public:
    /// \param depth the number of steps before the state
    void push(const State& from, std::size_t depth) { steps_.push_back({from, depth}); }
    void pop() { steps_.pop_back(); }
    void clear() { steps_.clear(); }

    /// Whether a state is among those that the last step and the free ones right before it have left.
    [[nodiscard]] bool lead_to(const State& state) const {
        for (std::size_t i = steps_.size(), depth = steps_.back().depth; i-- > 0; --depth) {
            if (steps_[i].depth != depth) {
                return false; // before this one there is a step with a cost
            }
            if (is_equal(steps_[i].from, state)) {
                return true;
            }
        }
        return false;
    }

private:
    struct Step {
        State from;
        std::size_t depth;
    };
    std::vector<Step> steps_;
};

/// The base of the engines of IDA*: estimates, the bound of the next iteration, limits, the path and the
/// result.
///
/// An engine befriends it and has `deepen(bound)`: one iteration. That sets `next_bound_` and `proved_`, or
/// ends the search by `finish`.
///
/// \tparam Engine what derives from it
template <class Engine, MoveProblem P, class H, class O>
class IdaStarBase : public EngineBase<Engine, cost_t<P>, O> {
    using Base = EngineBase<Engine, cost_t<P>, O>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Move = move_t<P>;
    using Estimate = estimate_t<H, P>;
    using Priority = AStarPriority<Cost, Estimate>;
    using Value = typename Priority::Value;
    using Result = search_result_t<P>;
    using Node = NodeView<State, Cost, Estimate, Value>;

    static_assert(ObserverOf<O, Node>);

    /// The bound on f of the next iteration, or of the one that found the goal; empty if there is none.
    [[nodiscard]] const std::optional<Value>& bound() const noexcept { return next_bound_; }

    /// The outcome. Linear in the length of the path.
    [[nodiscard]] NPUZZLE_COLD Result result() const {
        return outcome(Result{}, [&](Result& result) {
            add_moves(result);
            if (status_ == SearchStatus::solved) {
                result.path.reserve(moves_.size() + 1);
                result.path.push_back(start_);
                for (const Move& move : moves_) {
                    State next = result.path.back();
                    problem_->apply(next, move);
                    result.path.push_back(std::move(next));
                }
            }
        });
    }

    /// The same without the states of the path, for large states.
    [[nodiscard]] NPUZZLE_COLD Result result_without_path() const {
        return outcome(Result{}, [&](Result& result) { add_moves(result); });
    }

protected:
    using Base::finish, Base::guarded, Base::max_cost_, Base::observer_, Base::outcome, Base::statistics_,
        Base::status_;

    using BoundHeuristic = typename bound_heuristic<H, P>::type;
    using Part = EvaluatedPart<std::remove_reference_t<BoundHeuristic>, P>;
    /// The estimate, or what the heuristic follows moves by.
    using Evaluation = typename Part::Evaluation;
    using Children = ChildEvaluations<std::remove_reference_t<BoundHeuristic>, P>;

    /// A longer path would need more stack than a thread may have. It ends the search with `memory_limit`.
    static constexpr std::size_t max_depth = 2'000;

    IdaStarBase(const P& problem, State&& start, H&& heuristic, const BasicLimits<Cost>& limits, O&& observer)
        : Base(limits, std::forward<O>(observer)), problem_(&problem), start_(std::move(start)),
          heuristic_(make_bound_heuristic(std::forward<H>(heuristic), problem)) {}

    /// Evaluates the start: its f is the first bound. To be called within `guarded`.
    NPUZZLE_COLD void begin() {
        evaluation_.emplace(Part::evaluate(heuristic_, checked_state(*problem_, start_)));
        const Estimate estimate = finite_estimate_of(*evaluation_);
        proved_ = Priority{}(Cost{}, estimate);
        next_bound_ = proved_;
        observer_.start(Node{start_, Cost{}, estimate, proved_});
    }

    /// One iteration, or the end of the search.
    void advance() {
        if (const std::optional<Value> bound = take_bound()) {
            static_cast<Engine&>(*this).deepen(*bound);
        }
    }

    /// The bound of the iteration that is next; nothing at the end of the search.
    std::optional<Value> take_bound() {
        Engine& engine = static_cast<Engine&>(*this);
        if (!next_bound_ || is_infinite(*next_bound_)) {
            engine.finish(this->exhausted());
            return std::nullopt;
        }
        if (max_cost_) {
            const Value most = greatest_total<Value>(*max_cost_);
            if (most < proved_) {
                this->pruned_by_bound_ = true;
                engine.finish(this->exhausted());
                return std::nullopt;
            }
            next_bound_ = most < *next_bound_ ? most : *next_bound_;
        }
        return next_bound_;
    }

    NPUZZLE_ALWAYS_INLINE Estimate estimate_of(const Evaluation& evaluation) {
        if constexpr (std::is_same_v<std::remove_cvref_t<H>, Zero>) {
            return Estimate{};
        } else {
            return convert(Part::value(heuristic_, evaluation));
        }
    }

    template <class AnyMove>
    NPUZZLE_ALWAYS_INLINE Evaluation evaluate_after(const Evaluation& before_evaluation, const State& before,
                                                    AnyMove move, const State& after) {
        return Part::after(heuristic_, before_evaluation, before, move, after);
    }

    /// What the heuristic knows of a child; nothing yet if `is_lazy`.
    template <bool is_lazy, class AnyMove>
    NPUZZLE_ALWAYS_INLINE decltype(auto) evaluate_child([[maybe_unused]] Children& children,
                                                        const Evaluation& evaluation, const State& state,
                                                        const AnyMove& move, const State& child) {
        if constexpr (!std::is_empty_v<Children>) {
            return children.take();
        } else if constexpr (is_lazy) {
            return Evaluation{};
        } else {
            return Part::after(heuristic_, evaluation, state, move, child);
        }
    }

    /// The estimate of a child. If `is_lazy`, it may be less than it should be if it is of no interest to the
    /// bound, and the evaluation, which is `result`, is not made then.
    template <bool is_lazy, class AnyMove, class Bound, class Position>
    NPUZZLE_ALWAYS_INLINE Estimate estimate_child(Evaluation& result, const Evaluation& evaluation,
                                                  const State& state, const AnyMove& move, const State& child,
                                                  const Bound& bound, const Position& parent) {
        if constexpr (is_lazy) {
            return convert(Part::after_within(heuristic_, result, evaluation, state, move, child,
                                              bound.greatest_of_interest(parent)));
        } else {
            return estimate_of(result);
        }
    }

    template <class T>
    NPUZZLE_ALWAYS_INLINE Estimate convert(const T& value) {
        return estimate_from<Estimate, std::remove_cvref_t<BoundHeuristic>>(value, statistics_);
    }

    /// `estimate_of`, infinite at dead ends alone. The inner loop of `IdaStar` leaves that to its bound.
    Estimate finite_estimate_of(const Evaluation& evaluation) {
        const Estimate estimate = estimate_of(evaluation);
        return has_dead_ends<BoundHeuristic, Estimate> ? estimate : finite(estimate);
    }

    /// The move that was made, the last one if none is recorded; those after it were not.
    template <bool counts_ahead>
    NPUZZLE_COLD Move find_taken(const State& state, const Move& last, const Move& taken) {
        Move move = P::no_move;
        bool is_found = false;
        problem_->for_each_move(state, last, [&](const Move& next) {
            if (!is_found) {
                move = next;
                is_found = next == taken;
            } else if (counts_ahead) {
                --statistics_.generated;
            }
        });
        return move;
    }

    const P* problem_;
    /// An engine that makes moves in place makes them here, and takes them back.
    State start_;
    BoundHeuristic heuristic_;
    std::optional<Evaluation> evaluation_; ///< of the start
    std::optional<Value> next_bound_;
    Value proved_{};          ///< no solution costs less
    std::vector<Move> moves_; ///< from the start to the goal, if one was found
    Cost cost_{};             ///< of these

private:
    void add_moves(Result& result) const {
        if (status_ == SearchStatus::solved) {
            result.moves = moves_;
            result.cost = cost_;
        }
    }
};

} // namespace npuzzle::detail
