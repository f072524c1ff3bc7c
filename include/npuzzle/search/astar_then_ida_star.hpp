#pragma once

#include "npuzzle/search/kernel/astar_then.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/ida_star_engine.hpp"
#include "npuzzle/search/kernel/steps_as_moves.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// Options of `astar_then_ida_star`.
struct AStarThenIdaStarOptions {
    /// The bytes that A* may hold before IDA* goes on below it. 0: a quarter of `Limits::bytes`, since its
    /// tables grow by doubling; if that is not given, A* goes on to the end. The list of its open nodes is
    /// made when it is left, and counts on `Limits::bytes`, too.
    std::uint64_t astar_bytes = 0;
    /// The nodes that A* may store before IDA* goes on below it, whatever memory they take.
    std::uint64_t astar_nodes = Limits::unlimited;
    /// For how many moves below an open node each state is looked up in the table of A*. A state to which A*
    /// has a path that costs no more is not searched. At least 1, which leaves out the way straight back. A
    /// greater number saves a few nodes; a look-up takes as long as several expansions if A* does not fit in
    /// the cache.
    std::size_t checked_moves = 1;
};

namespace detail {

/// IDA* below states to which A* has a path.
/// \tparam B the heuristic, bound
/// \tparam Known tells to which states A* has a path that costs no more
template <MoveProblem P, class B, class O, class Known>
class IdaStarBelow {
    using Engine = IdaStar<P, B&, O&>;
    using Position = typename Engine::Position;
    using Evaluation = typename Engine::Evaluation;
    using Part = typename Engine::Part;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Move = move_t<P>;
    using Value = typename Engine::Value;

    /// \param state any one
    /// \param monitor, statistics what goes before, and counts on the limits
    /// \param checked_moves as in the options
    IdaStarBelow(const P& problem, const State& state, B& heuristic, O& observer, const LimitMonitor& monitor,
                 const Statistics& statistics, const Known& known, std::size_t checked_moves)
        : engine_(Nothing{}, problem, state, heuristic, observer), known_(known),
          checked_moves_(checked_moves < 1 ? 1 : checked_moves) {
        engine_.monitor_ = monitor;
        engine_.statistics_ = statistics;
    }

    [[nodiscard]] Statistics statistics() const { return engine_.statistics(); }
    [[nodiscard]] bool has_overflowed() const noexcept { return engine_.bound_.has_overflowed(); }

    /// Begins an iteration.
    void begin(const Value& bound) {
        engine_.bound_.set(bound);
        before_ = engine_.statistics_;
        starts_ = 0;
    }

    /// Searches below a state within the bound. Returns whether the search is over; `status()` tells how.
    bool search(const State& state, const Cost& cost) {
        ++starts_;
        engine_.start_ = state;
        engine_.parent_.reset();
        if constexpr (!Engine::copies_states && Engine::needs_parent) {
            engine_.parent_.emplace(state);
        }
        const Position position = engine_.bound_.start(cost);
        if (visit(P::no_move, engine_.start_, position, Part::evaluate(engine_.heuristic_, engine_.start_),
                  checked_moves_)) {
            engine_.flush_counters();
            engine_.follow_path();
            return true;
        }
        return false;
    }

    /// The bound of the next iteration, as far as the nodes tell that were searched in this one.
    [[nodiscard]] std::optional<Value> next_bound() {
        engine_.flush_counters();
        const Statistics& now = engine_.statistics_;
        const std::uint64_t within = now.expanded - before_.expanded - starts_;
        const std::uint64_t known = now.duplicates - before_.duplicates;
        return engine_.bound_.next(now.generated - before_.generated - within - known);
    }

    /// \name When the search is over
    /// @{
    [[nodiscard]] Status status() const noexcept { return engine_.end_; }
    /// The state below which it ended.
    [[nodiscard]] const State& start() const noexcept { return engine_.start_; }
    /// The moves from there to the goal, if one was reached.
    [[nodiscard]] const auto& moves() const noexcept { return engine_.moves_; }
    /// @}

private:
    /// Leaves out what A* knows.
    struct Check {
        IdaStarBelow& search;
        std::size_t left; ///< moves below this one in which states are looked up

        void descend(std::size_t /*left*/, const Move& /*move*/) const {}

        bool visit(const Move& last, const State& state, const Position& position,
                   const Evaluation& evaluation) const {
            if (search.known_.contains(state, search.engine_.bound_.cost(position))) {
                ++search.engine_.statistics_.duplicates;
                return false;
            }
            return search.visit(last, state, position, evaluation, left);
        }
    };

    bool visit(const Move& last, const State& state, const Position& position, const Evaluation& evaluation,
               std::size_t checked) {
        if (checked == 0) {
            return engine_.visit_at(last, state, position, evaluation);
        }
        const Check check{*this, checked - 1};
        const DividedPlace<Move, const Check> place{last, 1, &check};
        if constexpr (Engine::copies_states) {
            return engine_.visit(place, state, position, evaluation);
        } else {
            return engine_.visit_in_place(place, position, evaluation);
        }
    }

    Engine engine_;
    Known known_;
    std::size_t checked_moves_;
    Statistics before_;        ///< the iteration
    std::uint64_t starts_ = 0; ///< of the iteration
};

} // namespace detail

/// A* and IDA* below it as an object: each `step` is one expansion of A*, one iteration of IDA*, or the end
/// of the search. See `astar_then_ida_star`.
///
/// \tparam O an `ObserverOf` its nodes
template <Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P> && HasHash<detail::unpruned_t<P>>
class AStarThenIdaStar : public detail::AStarThen<AStarThenIdaStar<P, H, O>, cost_t<P>, O> {
    using Base = detail::AStarThen<AStarThenIdaStar, cost_t<P>, O>;
    friend Base;
    friend EngineBase<AStarThenIdaStar, cost_t<P>, O>;
    /// What A* searches.
    using Unpruned = detail::unpruned_t<P>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Value = estimate_t<H, P>;
    using Options = AStarThenIdaStarOptions;
    using Result = search_result_t<Unpruned>;

    /// No temporary problem: the engine refers to it.
    AStarThenIdaStar(const P&& problem, const State& start, H&& heuristic, Options options = {},
                     BasicLimits<Cost> limits = {}, O&& observer = O{}) = delete;

    /// \param limits `bytes` is what A* may hold, with the list of its open nodes
    AStarThenIdaStar(const P& problem, const State& start, H&& heuristic, Options options = {},
                     BasicLimits<Cost> limits = {}, O&& observer = O{})
        : Base(limits, std::forward<O>(observer), options.astar_bytes, options.astar_nodes),
          steps_(steps_of(problem)), checked_moves_(options.checked_moves),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), problem)),
          astar_(problem, start, heuristic_, limits, observer_),
          frontier_(BudgetAllocator<Open>(astar_.budget())) {
        monitor_.restart(); // To bind a heuristic may take long.
        guarded([&] { this->follow_astar(); });
    }

    /// The bound on f of the next iteration of IDA*, or of the one that found the goal; empty before the
    /// first one, and if there is none.
    [[nodiscard]] const std::optional<Value>& bound() const noexcept { return bound_; }

    /// The outcome. Linear in the length of the path.
    [[nodiscard]] Result result() const {
        if (!this->has_left_astar()) {
            return astar_.result();
        }
        return outcome(Result{}, [&](Result& result) {
            if (status_ == Status::solved) {
                add_solution(result);
            } else if (detail::is_limit(status_)) {
                astar_.add_partial_path(result);
            }
        });
    }

private:
    using Base::guarded, Base::max_cost_, Base::monitor_, Base::observer_, Base::outcome, Base::status_;

    using Observer = std::remove_reference_t<O>;
    using BoundHeuristic = typename detail::bound_heuristic<H, P>::type;
    using B = std::remove_reference_t<BoundHeuristic>;
    using AStarPart = detail::LeavingAStar<Unpruned, B&, Observer>;
    using Table = typename AStarPart::Table;
    using Steps = typename std::conditional_t<detail::has_moves<P>, std::type_identity<const P&>,
                                              std::type_identity<const detail::StepsAsMoves<P>>>::type;
    using Below = detail::IdaStarBelow<std::remove_cvref_t<Steps>, B, Observer, detail::KnownByTable<Table>>;

    static_assert(FindsNodes<Table>);

    /// An open node of A*.
    struct Open {
        detail::handle_t<Table> handle;
        Cost cost;
        Value priority;
        std::uint32_t number; ///< in the order of A*
    };

    static Steps steps_of(const P& problem) {
        if constexpr (detail::has_moves<P>) {
            return problem;
        } else {
            return detail::StepsAsMoves<P>(problem);
        }
    }

    void complete(Statistics& statistics) const {
        const double seconds = statistics.seconds;
        statistics = below_ ? below_->statistics() : astar_.statistics();
        statistics.seconds = seconds;
        statistics.stored = astar_.table().size();
        statistics.bytes = astar_.budget().peak();
    }

    /// Lists the open nodes, those of the greatest g first, and among equals in the order of A*.
    void leave_astar() {
        astar_.take_open([&](const auto& node, const Value& priority) {
            bound_ = bound_ && !(priority < *bound_) ? bound_ : priority;
            frontier_.push_back({detail::handle_of<Table>(node), node.cost(), priority,
                                 static_cast<std::uint32_t>(frontier_.size())});
        });
        if (frontier_.empty()) {
            astar_.step();
            this->end(astar_.status());
            return;
        }
        std::sort(frontier_.begin(), frontier_.end(), [](const Open& a, const Open& b) {
            return b.cost < a.cost || (!(a.cost < b.cost) && a.number < b.number);
        });
        Statistics statistics = astar_.statistics();
        statistics.seconds = 0; // The monitor goes on.
        below_.emplace(steps_, detail::node_of(astar_.table(), frontier_.front().handle).state(), heuristic_,
                       observer_, astar_.monitor(), statistics, detail::KnownByTable<Table>(astar_.table()),
                       checked_moves_);
    }

    /// One iteration, or the end of the search.
    void advance_below(unsigned /*most*/) {
        if (!bound_) {
            this->pruned_by_bound_ = below_->has_overflowed();
            this->finish(this->pruned_by_bound_ ? this->exhausted() : astar_.exhausted());
            return;
        }
        if (max_cost_ && detail::saturating_cast<Value>(*max_cost_) < *bound_) {
            this->finish(Status::cost_limit);
            return;
        }
        below_->begin(*bound_);
        std::optional<Value> beyond;
        for (const Open& open : frontier_) {
            if (*bound_ < open.priority) {
                beyond = beyond && !(open.priority < *beyond) ? beyond : open.priority;
            } else if (below_->search(detail::node_of(astar_.table(), open.handle).state(), open.cost)) {
                this->finish(below_->status());
                return;
            }
        }
        const std::optional<Value> next = below_->next_bound();
        bound_ = !next || (beyond && *beyond < *next) ? beyond : next;
    }

    void add_solution(Result& result) const {
        astar_.add_path_to(below_->start(), result);
        for (const auto& move : below_->moves()) {
            const Cost step = detail::step_cost(steps_, result.path.back(), move);
            result.cost = detail::saturating_add<Cost>(result.cost, step);
            State next = result.path.back();
            steps_.apply(next, move);
            result.path.push_back(std::move(next));
            if constexpr (detail::has_moves<P>) {
                result.moves.push_back(move);
            }
        }
    }

    Steps steps_; ///< the problem, with moves
    std::size_t checked_moves_;
    BoundHeuristic heuristic_;
    AStarPart astar_;
    std::deque<Open, BudgetAllocator<Open>> frontier_;
    std::optional<Below> below_;
    std::optional<Value> bound_;
};

template <class P, class H, class O = SilentObserver>
AStarThenIdaStar(const P&, const state_t<P>&, H&&, AStarThenIdaStarOptions = {}, limits_t<P> = {}, O&& = O{})
    -> AStarThenIdaStar<P, H, O>;

/// Finds a cheapest path by A* as long as memory lasts, and by IDA* below it after that: A*+IDA* (Z. Bu, R.
/// E. Korf, "A*+IDA*: a simple hybrid search algorithm", IJCAI 2019). Optimal if the heuristic is admissible.
///
/// A problem that A* solves in its memory is solved as by `astar`. Otherwise IDA* searches below each open
/// node of A*, under a bound on f that begins with the least f of them. This saves three things: a state that
/// A* has met on several paths is searched below once; iterations within A* are not repeated; and open nodes
/// of the greatest g come first, which are most likely near a goal. Below A*, states are not stored, and may
/// be searched on each path to them, as by `ida_star`.
///
/// Never ends if no goal can be reached, A* has no memory for all states, and those that are left are in a
/// cycle: check first, or give limits.
///
/// \tparam P a `Problem` that `HasHash`, or one `with_move_pruning`: then A* has all moves, and IDA* those
///         that are left
/// \param limits `bytes` is what A* may hold, with the list of its open nodes; without it, this is A*
/// \return as from `astar`. A path of more than 2,000 moves below A* ends in `Status::memory_limit`
template <Problem P, class H, class O = detail::silent_observer_t<detail::unpruned_t<P>, H, true>>
    requires HeuristicFor<H, P> && HasHash<detail::unpruned_t<P>>
search_result_t<detail::unpruned_t<P>>
astar_then_ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                    AStarThenIdaStarOptions options = {}, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<AStarThenIdaStar<P, H, O>>(problem, start, std::forward<H>(heuristic), options,
                                                         limits, std::forward<O>(observer));
}

/// The same of a start and callables, without a problem: see `problem_from`.
template <class S, class N, class H, class G, class P = detail::called_problem_t<S, N, G>,
          class O = detail::silent_observer_t<P, H, true>>
search_result_t<P> astar_then_ida_star(const S& start, N&& neighbors, H&& heuristic, G&& is_goal,
                                       AStarThenIdaStarOptions options = {}, limits_t<P> limits = {},
                                       O&& observer = O{}) {
    return astar_then_ida_star(P(neighbors, is_goal), start, std::forward<H>(heuristic), options, limits,
                               std::forward<O>(observer));
}

} // namespace npuzzle
