#pragma once

#include "npuzzle/search/kernel/ida_star_engine.hpp"
#include "npuzzle/search/parallel/kernel/ida_star_unit.hpp"

#include <cstddef>
#include <new>
#include <span>
#include <utility>

namespace npuzzle::detail {

/// An engine of IDA* that one thread of a divided search has: it searches subtrees under one bound. What
/// stops it are not limits, but `stop` alone.
template <MoveProblem P, class B>
class SubtreeSearch {
public:
    using Engine = IdaStar<P, B, SilentObserver>;
    using State = state_t<P>;
    using Move = move_t<P>;
    using Value = typename Engine::Value;
    using Unit = IdaStarUnit<typename Engine::Position, typename Engine::Evaluation, typename Engine::Bound>;

    /// Of the start of another engine, with one more of its heuristic. \throws std::bad_alloc
    SubtreeSearch(const Engine& whole, B&& heuristic, StopToken stop)
        : engine_(*whole.problem_, whole.start_, std::forward<B>(heuristic), {.stop = std::move(stop)}) {
        if (engine_.status() != SearchStatus::running) {
            throw std::bad_alloc();
        }
    }

    /// What it has counted in all subtrees.
    [[nodiscard]] const Statistics& statistics() const { return engine_.statistics_; }

    /// Goes through the nodes above a cut. Returns whether there is a goal; then the search goes on all the
    /// same.
    template <class Division>
    bool visit_above(const Value& bound, std::size_t depth, Division& division) {
        begin(bound);
        const bool is_over = engine_.visit_start(DividedPlace<Move, Division>{P::no_move, depth, &division});
        engine_.flush_counters();
        return is_over;
    }

    /// After a search that ended somewhere below the start, in which states were changed in place.
    void return_to(const State& start) {
        engine_.start_ = start;
        engine_.parent_.reset();
    }

    /// Searches the subtree that moves lead to from the start, and notes in the unit what was counted there;
    /// not if the search is over in it, which is returned.
    bool search(const Value& bound, const std::span<const Move>& moves, Unit& unit) {
        begin(bound);
        const Statistics before = engine_.statistics_;
        const bool is_over = visit_below(moves, unit);
        engine_.flush_counters();
        if (!is_over) {
            const Statistics& after = engine_.statistics_;
            unit.bound = engine_.bound_;
            unit.expanded = after.expanded - before.expanded;
            unit.generated = after.generated - before.generated;
            unit.contract_violations = after.contract_violations - before.contract_violations;
        }
        return is_over;
    }

private:
    void begin(const Value& bound) {
        engine_.bound_ = typename Engine::Bound{};
        engine_.bound_.set(bound);
        engine_.free_steps_.clear();
        engine_.untried_.clear();
    }

    /// Makes the moves and, unless the search is over below them, takes them back.
    bool visit_below(const std::span<const Move>& moves, const Unit& unit) {
        const P& problem = *engine_.problem_;
        auto position = engine_.bound_.start();
        if constexpr (Engine::copies_states) {
            State state = engine_.start_;
            for (const Move& move : moves) {
                note_step(position, state, move);
                problem.apply(state, move);
            }
            return engine_.visit_at(moves.back(), state, unit.position, unit.evaluation);
        } else {
            for (const Move& move : moves) {
                note_step(position, engine_.start_, move);
                apply_in_place(move);
            }
            if (engine_.visit_at(moves.back(), engine_.start_, unit.position, unit.evaluation)) {
                return true;
            }
            for (std::size_t i = moves.size(); i-- > 0;) {
                apply_in_place(problem.inverse(moves[i]));
            }
            return false;
        }
    }

    void note_step([[maybe_unused]] typename Engine::Position& position, [[maybe_unused]] const State& from,
                   [[maybe_unused]] const Move& move) {
        if constexpr (is_weighted<P>) {
            const auto before = position;
            static_cast<void>(engine_.bound_.advance(position, step_cost(*engine_.problem_, from, move)));
            if (engine_.costs_nothing(before, position)) {
                engine_.free_steps_.push(from, engine_.bound_.depth(before));
            }
        }
    }

    void apply_in_place(const Move& move) {
        if constexpr (Engine::needs_parent) {
            if (!engine_.parent_) {
                engine_.parent_.emplace(engine_.start_);
            }
            engine_.problem_->apply(*engine_.parent_, move);
        }
        engine_.problem_->apply(engine_.start_, move);
    }

    Engine engine_;
};

} // namespace npuzzle::detail
