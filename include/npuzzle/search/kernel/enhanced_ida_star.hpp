#pragma once

#include "npuzzle/search/kernel/arrival.hpp"
#include "npuzzle/search/kernel/ida_star_base.hpp"
#include "npuzzle/search/kernel/ida_star_bounds.hpp"
#include "npuzzle/search/node_table/transposition_table.hpp"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

/// \file
/// The engine of IDA* with a transposition table, and with bounds that may grow by more than the least step.

namespace npuzzle {

/// The options of `ida_star`.
struct IdaStarOptions {
    /// The size of a transposition table, which counts on `BasicLimits::bytes`; 0: none. It stores lower
    /// bounds that were found by searching below a state, so that a state that is reached again is searched
    /// less often (A. Reinefeld, T. A. Marsland, "Enhanced iterative-deepening search", IEEE Transactions on
    /// Pattern Analysis and Machine Intelligence 16, 1994).
    std::uint64_t table_bytes = 0;
    /// How many times the work of an iteration the next one should take, 2 for example; 1 or less: the bound
    /// rises by the least step. For costs of many different values, such as real numbers, where the least
    /// step may let in a single state. The next bound follows from how many paths went how far beyond the
    /// last one (U. K. Sarkar, P. P. Chakrabarti, S. Ghose, S. C. De Sarkar, "Reducing reexpansions in
    /// iterative-deepening search by controlling cutoff bounds", Artificial Intelligence 50, 1991). As a
    /// bound may exceed the optimum, the last iteration goes on from a goal to cheaper ones. For arithmetic
    /// costs; others rise by the least step.
    double growth = 0;
};

/// IDA* with options as an object: each `step` is one iteration, or the end of the search. See
/// `IdaStarOptions`.
template <MoveProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P> && HasHash<P>
class EnhancedIdaStar : public detail::IdaStarBase<EnhancedIdaStar<P, H, O>, P, H, O> {
    using Base = detail::IdaStarBase<EnhancedIdaStar, P, H, O>;
    friend Base;
    friend EngineBase<EnhancedIdaStar, cost_t<P>, O>;

public:
    using typename Base::State, typename Base::Cost, typename Base::Move, typename Base::Estimate,
        typename Base::Value, typename Base::Node;

    /// No temporary problem: the engine refers to it.
    EnhancedIdaStar(const P&& problem, state_t<P> start, H&& heuristic, const IdaStarOptions& options = {},
                    const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{}) = delete;

    EnhancedIdaStar(const P& problem, state_t<P> start, H&& heuristic, const IdaStarOptions& options = {},
                    const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{})
        : Base(problem, std::move(start), std::forward<H>(heuristic), limits, std::forward<O>(observer)),
          growth_(options.growth), table_(problem, budget_) {
        guarded([&] {
            table_.allocate(options.table_bytes);
            this->begin();
        });
    }

private:
    using Base::budget_, Base::cost_, Base::finite_estimate_of, Base::evaluate_after, Base::evaluation_,
        Base::finish, Base::guarded, Base::max_depth, Base::monitor_, Base::moves_, Base::next_bound_,
        Base::observer_, Base::problem_, Base::proved_, Base::pruned_by_bound_, Base::start_,
        Base::statistics_, Base::status_;
    using typename Base::Evaluation, typename Base::Priority;

    /// Larger states are kept off the stack.
    static constexpr bool is_small = sizeof(State) <= 256;

    /// A state, and what is known of it.
    struct Visited {
        const State& state;
        const Move& last;
        Cost cost;
        const Evaluation& evaluation;
        Value evaluated; // by the heuristic
        Value known;     // by the table as well
    };

    void complete(Statistics& statistics) const { statistics.stored = table_.stored(); }

    void deepen(const Value& bound) {
        bound_ = bound;
        beyond_.clear();
        const std::uint64_t before = statistics_.expanded;
        const Move none = P::no_move;
        const Estimate estimate = finite_estimate_of(*evaluation_);
        visit({start_, none, Cost{}, *evaluation_, estimate, estimate}, infinite());
        if (status_ != Status::running) {
            return;
        }
        if (has_goal_) {
            finish(Status::solved);
            return;
        }
        proved_ = beyond_.least().value_or(proved_);
        next_bound_ =
            1 < growth_
                ? beyond_.bound_for((growth_ - 1) * static_cast<double>(statistics_.expanded - before))
                : beyond_.least();
    }

    /// Searches what is below a state within the bound. Returns a lower bound on the way from it to a goal:
    /// the least that was seen of its children, and `back`, what the way straight back, which is not tried,
    /// takes at least. So it holds whichever way has led to the state.
    Value visit(const Visited& node, const Value& back) {
        if (taken_.size() > max_depth) {
            finish(Status::memory_limit);
            return node.known;
        }
        if (is_goal(node)) {
            reach(node);
            return Value{};
        }
        if (monitor_.is_due(statistics_.expanded) && this->is_stopped(statistics_.expanded, bound_)) {
            return node.known;
        }
        const std::uint64_t before = statistics_.expanded++;
        observer_.expand(view_of(node));
        Value least = back;
        problem_->for_each_move(node.state, node.last, [&](const Move& move) {
            if (status_ == Status::running) {
                const Value through = try_move(node, move);
                least = through < least ? through : least;
            }
        });
        least = least < node.known ? node.known : least;
        if (status_ == Status::running && !table_.is_empty() && node.evaluated < least) {
            table_.store(node.state, least, statistics_.expanded - before);
        }
        return least;
    }

    /// A lower bound on the way to a goal that begins with a move.
    Value try_move(const Visited& node, const Move& move) {
        ++statistics_.generated;
        const Cost step = detail::step_cost(*problem_, node.state, move);
        if (detail::breaks_contract(step, statistics_)) {
            pruned_by_bound_ = pruned_by_bound_ || detail::is_nan(step);
            return infinite();
        }
        const Cost cost = detail::saturating_add<Cost>(node.cost, step);
        if (detail::is_infinite(cost)) {
            pruned_by_bound_ = pruned_by_bound_ || !detail::is_infinite(step);
            return infinite();
        }
        if constexpr (is_small) {
            State child = node.state;
            problem_->apply(child, move);
            return enter(node, move, step, cost, child);
        } else {
            std::vector<State> child(1, node.state);
            problem_->apply(child.front(), move);
            return enter(node, move, step, cost, child.front());
        }
    }

    Value enter(const Visited& node, const Move& move, const Cost& step, const Cost& cost,
                const State& child) {
        const Evaluation evaluation = evaluate_after(node.evaluation, node.state, move, child);
        const Estimate estimate = finite_estimate_of(evaluation);
        observer_.generate(Node{child, cost, estimate, Priority{}(cost, estimate)}, view_of(node));
        const Value step_value = detail::saturating_cast<Value>(step);
        Value known = estimate;
        bool is_within = admits(cost, estimate);
        if (is_within && !table_.is_empty()) {
            if (const Value* stored = table_.find(child); stored != nullptr && known < *stored) {
                known = *stored;
                is_within = admits(cost, known);
                statistics_.duplicates += is_within ? 0 : 1;
            }
        }
        if (!is_within) {
            const Value priority = Priority{}(cost, known);
            if (!detail::is_infinite(priority)) {
                beyond_.add(bound_, priority);
            } else if (!detail::is_infinite(known)) {
                pruned_by_bound_ = true;
            }
            return detail::saturating_add<Value>(step_value, known);
        }
        taken_.push_back(move);
        // A step back costs nothing at least, and one where each step does.
        const Value least_step = is_weighted<P> ? Value{} : step_value;
        const Value below = visit({child, move, cost, evaluation, estimate, known},
                                  detail::saturating_add<Value>(least_step, node.known));
        taken_.pop_back();
        return detail::saturating_add<Value>(step_value, below);
    }

    /// Whether a path of this cost and estimate is to be followed: within the bound, and cheaper than what
    /// was found.
    [[nodiscard]] bool admits(const Cost& cost, const Value& estimate) const {
        const Value priority = Priority{}(cost, estimate);
        return has_goal_ ? priority < detail::saturating_cast<Value>(cost_) : !(bound_ < priority);
    }

    [[nodiscard]] bool is_goal(const Visited& node) const {
        if constexpr (declares_zero_at_goals<H>) {
            NPUZZLE_ASSERT((!(Estimate{} < node.evaluated) || !problem_->is_goal(node.state)) &&
                           "h(goal) is zero");
            return !(Estimate{} < node.evaluated) && problem_->is_goal(node.state);
        } else {
            return problem_->is_goal(node.state);
        }
    }

    /// A goal; the end, if nothing can be cheaper.
    void reach(const Visited& node) {
        detail::check_goal(node.evaluated, statistics_);
        if (has_goal_ && !(node.cost < cost_)) {
            return;
        }
        moves_ = taken_;
        cost_ = node.cost;
        has_goal_ = true;
        observer_.goal(view_of(node));
        if (!(proved_ < detail::saturating_cast<Value>(node.cost)) || !(1 < growth_)) {
            finish(Status::solved);
        }
    }

    [[nodiscard]] Node view_of(const Visited& node) const {
        return {node.state, node.cost, node.evaluated, bound_};
    }

    static Value infinite() {
        if constexpr (std::numeric_limits<Value>::has_infinity) {
            return std::numeric_limits<Value>::infinity();
        } else {
            return std::numeric_limits<Value>::max();
        }
    }

    double growth_;
    TranspositionTable<P, Value> table_;
    detail::Overshoot<Value> beyond_;
    Value bound_{};
    std::vector<Move> taken_; ///< on the way to the state that is visited
    bool has_goal_ = false;   ///< some goal was found; `moves_` lead to the best
};

template <class P, class H, class O = SilentObserver>
EnhancedIdaStar(const P&, const state_t<P>&, H&&, IdaStarOptions = {}, limits_t<P> = {}, O&& = O{})
    -> EnhancedIdaStar<P, H, O>;

} // namespace npuzzle
