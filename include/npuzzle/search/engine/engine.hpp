#pragma once

#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/problem_from.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// What all engines have: the expansion of a node, limits, status, statistics, how they fail, the way back
/// along a path, and functions that make an engine, run it and take its result.

namespace npuzzle {

namespace detail {

/// Converts a value of a heuristic to an estimate. NaN is a contract violation, which is counted.
template <class Estimate, class B, class Value>
NPUZZLE_ALWAYS_INLINE inline Estimate estimate_from(const Value& value, Statistics& statistics) {
    if (is_nan(value)) [[unlikely]] {
        ++statistics.contract_violations;
        NPUZZLE_ASSERT(false && "estimates are numbers");
        return Estimate{};
    }
    return convert_value<Estimate, B>(value);
}

/// Evaluates a heuristic on the states of a problem, and follows its moves where the heuristic can.
template <class B, class P>
class Estimator {
public:
    using Heuristic = std::remove_cvref_t<B>;
    using Estimate = estimate_t<Heuristic, P>;

    static constexpr bool is_zero = std::same_as<Heuristic, Zero>;
    /// Whether an infinite estimate says that no goal can be reached; else there is none.
    static constexpr bool has_dead_ends = detail::has_dead_ends<Heuristic, Estimate>;
    /// Whether the estimates of neighbors are made from the exact one of the node.
    static constexpr bool needs_exact = IncrementalHeuristicFor<Heuristic, P>;

private:
    /// Whether it follows moves by evaluations: not if values are enough, nor if parts are called from scratch,
    /// for each neighbor and not only for the new ones.
    static constexpr bool is_evaluating =
        EvaluatingHeuristicFor<Heuristic, P> && !needs_exact && !calls_parts_anew<Heuristic>;
    static constexpr bool follows_moves = is_evaluating || needs_exact;

public:
    /// The estimate of a neighbor, new or not; `Nothing` if it takes a call from scratch.
    using ChildEvaluation = std::conditional_t<follows_moves, Estimate, Nothing>;

    Estimator(std::remove_reference_t<B>& heuristic, Statistics& statistics)
        : heuristic_(&heuristic), statistics_(&statistics) {}

    Estimate operator()(const state_t<P>& state) const {
        if constexpr (is_zero) {
            return Estimate{};
        } else {
            return convert((*heuristic_)(state));
        }
    }

    /// What `evaluate_child` needs of a node that is expanded.
    auto evaluation_of(const state_t<P>& state, const auto& estimate) const {
        if constexpr (is_evaluating) {
            return heuristic_->evaluate(state);
        } else {
            return estimate;
        }
    }

    template <class Evaluation, class Move>
    ChildEvaluation evaluate_child(const Evaluation& evaluation, const state_t<P>& before, const Move& move,
                                   const state_t<P>& after) const {
        if constexpr (is_evaluating) {
            return convert(heuristic_->value(heuristic_->after(evaluation, before, move, after)));
        } else if constexpr (follows_moves) {
            return convert(static_cast<Estimate>(heuristic_->after(evaluation, before, move, after)));
        }
        return {};
    }

    /// The estimate of a neighbor that is new.
    Estimate estimate_of_child(const ChildEvaluation& evaluation, const state_t<P>& state) const {
        if constexpr (follows_moves) return evaluation;
        return (*this)(state);
    }

private:
    /// If nothing marks dead ends, no estimate is infinite.
    template <class Value>
    Estimate convert(const Value& value) const {
        const auto estimate = estimate_from<Estimate, Heuristic>(value, *statistics_);
        return has_dead_ends || sizeof(Value) < sizeof(Estimate) ? estimate : finite(estimate);
    }

    std::remove_reference_t<B>* heuristic_;
    Statistics* statistics_;
};

/// The cost of a move that leads from a state.
template <class P, class Move>
cost_t<P> step_cost(const P& problem, const state_t<P>& state, const Move& move) {
    if constexpr (is_weighted<P>) {
        return static_cast<cost_t<P>>(problem.move_cost(state, move));
    } else {
        return cost_t<P>{1};
    }
}

/// Calls `visit(state, step, move)` for each neighbor of a state; `state` can be moved from.
/// \param last the move that led to the state: with moves, the one that takes it back is left out
/// \param leads_back without moves, a neighbor is left out if `leads_back(neighbor)` is true
template <class P, class Move, class LeadsBack, class F>
NPUZZLE_ALWAYS_INLINE inline void for_each_neighbor(const P& problem, const state_t<P>& state,
                                                    const Move& last, LeadsBack&& leads_back, F&& visit) {
    using State = state_t<P>;
    if constexpr (has_moves<P>) {
        problem.for_each_move(state, last, [&](const move_t<P>& move) {
            State child = state;
            problem.apply(child, move);
            visit(std::move(child), step_cost(problem, state, move), move);
        });
    } else {
        using Neighbors = neighbors_t<P>;
        for (auto&& neighbor : problem.neighbors(state)) {
            // The elements of a container returned by value can be moved from.
            constexpr bool is_ours =
                std::is_rvalue_reference_v<decltype(neighbor)&&> ||
                (!std::is_reference_v<Neighbors> && requires { typename Neighbors::allocator_type; });
            const auto follow = [&](auto& to, const cost_t<P>& step) {
                State child = is_ours ? State(std::move(to)) : State(to);
                if (!leads_back(std::as_const(child))) visit(std::move(child), step, last);
            };
            if constexpr (is_weighted<P>) {
                auto& [to, step] = neighbor;
                follow(to, step);
            } else {
                follow(neighbor, cost_t<P>{1});
            }
        }
    }
}

/// The same for all neighbors.
template <class P, class F>
NPUZZLE_ALWAYS_INLINE inline void for_each_neighbor(const P& problem, const state_t<P>& state, F&& visit) {
    const auto leads_back = [](const auto&) { return false; };
    for_each_neighbor(problem, state, no_move<P>(), leads_back, visit);
}

/// The same for a node of a table: the one that it came from is left out.
template <class P, class Table, class F>
NPUZZLE_ALWAYS_INLINE inline void for_each_neighbor(const P& problem, const Table& table,
                                                    const typename Table::Node& node, const state_t<P>& state,
                                                    F&& visit) {
    if constexpr (has_moves<P>) {
        for_each_neighbor(problem, state, node.last_move(), [](const auto&) { return false; }, visit);
    } else {
        const bool has_parent = !node.is_root();
        const typename Table::Node parent = has_parent ? table.parent(node) : node;
        const auto leads_back = [&](const auto& child) {
            return has_parent && is_equal<state_t<P>>(parent.state(), child);
        };
        for_each_neighbor(problem, state, typename Table::Move{}, leads_back, visit);
    }
}

/// Whether the cost of a step is negative or NaN: a contract violation, which is counted. No such step is
/// followed.
template <class Cost>
bool breaks_contract(const Cost& step, Statistics& statistics) {
    if (is_negative(step) || is_nan(step)) {
        ++statistics.contract_violations;
        NPUZZLE_ASSERT(false && "costs are not negative, and are numbers");
        return true;
    }
    return false;
}

/// Checks that f has not fallen from a node to its neighbor, if that is promised. Other sums than of integers
/// round.
template <bool is_promised, class Priority>
void check_consistency(const Priority& parent, const Priority& priority, Statistics& statistics) {
    if constexpr (std::integral<Priority> && is_promised) {
        if (priority < parent) {
            ++statistics.contract_violations;
            NPUZZLE_ASSERT(false && "f does not fall under a consistent heuristic");
        }
    }
}

/// Checks that the estimate of a goal is zero.
template <class Estimate>
void check_goal(const Estimate& estimate, Statistics& statistics) {
    if (estimate < Estimate{} || Estimate{} < estimate) {
        ++statistics.contract_violations;
        NPUZZLE_ASSERT(false && "h(goal) is zero");
    }
}

/// Calls a callback. False if it returns false: it wants no more.
template <class F, class... Arguments>
bool wants_more(F& callback, const Arguments&... arguments) {
    if constexpr (std::convertible_to<std::invoke_result_t<F&, const Arguments&...>, bool>) {
        return static_cast<bool>(callback(arguments...));
    }
    return callback(arguments...), true;
}

/// `can_hold` of an engine without a node table.
inline constexpr auto is_finite = [](const auto& cost) { return !is_infinite(cost); };

/// Checks limits every so many expansions: usually within a few milliseconds, and at no measurable cost.
class LimitMonitor {
public:
    explicit LimitMonitor(Limits limits) : limits_(std::move(limits)), started_(now()), last_(started_) {}

    /// Starts counting again.
    void restart() {
        started_ = last_ = now();
        next_ = 0;
    }

    /// True if `check` is to be called before the next expansion.
    bool is_due(std::uint64_t expanded) const noexcept { return expanded >= next_; }

    /// The limit that has been reached, or `Status::running`.
    /// \param is_periodic whether to be called every few milliseconds even without a limit on time or a stop
    SearchStatus check(std::uint64_t expanded, bool is_periodic = true) {
        if (expanded >= limits_.expansions) return SearchStatus::expansion_limit;
        if (!is_periodic && limits_.time == (TimeLimit::max)() && !limits_.stop.stop_possible()) {
            next_ = limits_.expansions; // A small search would spend much of its time on reading the clock.
            return SearchStatus::running;
        }
        if (limits_.stop.stop_requested()) return SearchStatus::cancelled;
        const std::int64_t before = std::exchange(last_, now());
        if (last_ - started_ >= limits_.time.count()) return SearchStatus::time_limit;
        // Expansions take nanoseconds in one problem and seconds in another: every 4 ms or so.
        if (last_ - before < 2'000'000 && interval_ < longest_interval) {
            interval_ *= 2;
        } else if (last_ - before > 8'000'000 && interval_ > 1) {
            interval_ /= 2;
        }
        next_ = limits_.expansions - expanded > interval_ ? expanded + interval_ : limits_.expansions;
        return SearchStatus::running;
    }

    /// Wall-clock time since it was made, or since `restart`.
    double seconds() const { return static_cast<double>(now() - started_) / 1e9; }

private:
    static constexpr std::uint64_t longest_interval = std::uint64_t{1} << 16;

    /// In nanoseconds: arithmetic on durations takes long to compile.
    static std::int64_t now() {
        return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
    }

    Limits limits_;
    std::int64_t started_;
    std::int64_t last_;
    std::uint64_t interval_ = 1;
    std::uint64_t next_ = 0;
};

/// When a search expands nodes of equal priority in batches. Measured on the 15-puzzle: smaller batches leave
/// memory idle, larger ones gain nothing; in a smaller search, they cost more expansions than they save time.
struct Batching {
    static constexpr std::size_t width = 16;
    static constexpr std::uint64_t least_stored = std::uint64_t{1} << 16; // most of fewer are in the cache
    static constexpr std::uint64_t least_open = 64;
};

/// The status of a search that has nothing left to expand.
/// \param has_pruned whether some path was not followed since it costs too much
/// \param is_bounded whether it costs more than `max_cost` then
inline SearchStatus exhausted_status(bool has_pruned, bool is_bounded) noexcept {
    if (!has_pruned) return SearchStatus::unsolvable;
    return is_bounded ? SearchStatus::cost_limit : SearchStatus::cost_overflow;
}

/// \throws std::invalid_argument if the bound is NaN
template <class Cost>
const std::optional<Cost>& checked_max_cost(const std::optional<Cost>& max_cost) {
    if (max_cost && is_nan(*max_cost)) throw std::invalid_argument("max_cost is not a number");
    return max_cost;
}

/// A problem that an engine refers to, so that it is no temporary.
template <class P>
struct Lasting {
    Lasting(const P& problem) : address(&problem) {} // NOLINT(google-explicit-constructor)
    Lasting(const P&& problem) = delete;

    const P* address;
};

} // namespace detail

/// What all engines have, whatever their types: status, limits, budget and statistics.
///
/// An engine refers to the problem, which must outlive it, and to the heuristic, the observer and other
/// callables that were given as lvalues. Its limits hold for all of its work.
///
/// Constructors throw `std::invalid_argument` if the start or the goal is no state of the problem or
/// `max_cost` is NaN, and what copying or binding the heuristic throws, also `std::bad_alloc`.
///
/// Members that go on with the search give the basic guarantee. An exception of the problem, the heuristic,
/// the observer or a state passes through, and the status is `failed`: there is no path and no cost, until a
/// member begins the search again. `std::bad_alloc` ends the search with `memory_limit`.
///
/// An engine keeps `statistics_` up to date. It has an `advance()`, which makes a piece of the work, such as
/// an expansion, or calls `finish`.
class Engine {
public:
    [[nodiscard]] SearchStatus status() const noexcept { return status_; }

    /// What has been done so far.
    [[nodiscard]] NPUZZLE_NOINLINE Statistics statistics() const {
        Statistics statistics = statistics_;
        statistics.bytes = budget_.peak();
        statistics.seconds += status_ == SearchStatus::running ? monitor_.seconds() : seconds_;
        return statistics;
    }

protected:
    /// \param budget of several engines; null for one of its own
    explicit Engine(const Limits& limits, MemoryBudget* budget = nullptr)
        : monitor_(limits), own_budget_(limits.bytes), budget_(budget != nullptr ? *budget : own_budget_) {}
    ~Engine() = default;

    /// Runs again after an end, under new limits.
    void begin_under(const Limits& limits) {
        statistics_.seconds += seconds_;
        seconds_ = 0;
        monitor_ = detail::LimitMonitor(limits);
        budget_.set_limit(limits.bytes);
        status_ = SearchStatus::running;
    }

    void end(SearchStatus status) {
        status_ = status;
        seconds_ = monitor_.seconds();
    }

    /// Ends the search, and tells the observer.
    template <class O>
    NPUZZLE_NOINLINE void finish(O& observer, SearchStatus status) {
        end(status);
        if (!is_silent<O>) observer.progress(statistics());
    }

    /// `work()`; the end of the search if there is no memory for it, or if it throws.
    template <class O, class Work>
    NPUZZLE_NOINLINE void guarded(O& observer, Work&& work) {
        try {
            try {
                work();
            } catch (const std::bad_alloc&) {
                finish(observer, SearchStatus::memory_limit);
            }
        } catch (const std::bad_alloc&) {
            end(SearchStatus::memory_limit); // The observer had no memory for what `finish` told it.
        } catch (...) {
            end(SearchStatus::failed);
            throw;
        }
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    /// \param advance is not called once the search is over
    template <class O, class Advance>
    bool step(O& observer, Advance&& advance) {
        guarded(observer, [&] {
            if (status_ == SearchStatus::running) advance();
        });
        return status_ == SearchStatus::running;
    }

    /// Steps to the end.
    template <class O, class Advance>
    SearchStatus run(O& observer, Advance&& advance) {
        guarded(observer, [&] {
            while (status_ == SearchStatus::running) advance();
        });
        return status_;
    }

    /// Whether one more state may be expanded. If a limit has been reached, the search ends.
    /// \param bound on f, which the observer is told, if there is one
    template <class O, class... Bound>
    bool may_expand(O& observer, const Bound&... bound) {
        return !monitor_.is_due(statistics_.expanded) || !is_stopped(observer, bound...);
    }

    /// Whether a limit ends the search; else the observer is told of the progress.
    template <class O, class... Bound>
    NPUZZLE_NOINLINE bool is_stopped(O& observer, const Bound&... bound) {
        const SearchStatus limit = monitor_.check(statistics_.expanded, !is_silent<O>);
        if (limit != SearchStatus::running) {
            finish(observer, limit);
        } else if (!is_silent<O>) {
            detail::tell_progress(observer, statistics(), bound...);
        }
        return limit != SearchStatus::running;
    }

    /// Accepts a step that makes a path of this cost, or counts it as generated here. A step of infinite cost
    /// is a wall; without a finite one, and without one of NaN, nothing is proved.
    /// \param can_hold whether a node can have a cost: never NaN, as it is after a step of NaN
    template <class Cost, class CanHold>
    bool accept_step(const Cost& step, const Cost& cost, CanHold&& can_hold) {
        if (!(step < Cost{}) && can_hold(cost)) return true;
        return refuse_step(step);
    }
    template <class Cost>
    NPUZZLE_COLD bool refuse_step(const Cost& step) {
        const bool is_broken = detail::breaks_contract(step, statistics_);
        ++statistics_.generated;
        if (is_broken ? detail::is_nan(step) : !detail::is_infinite(step)) {
            pruned_by_bound_ = has_overflowed_ = true;
        }
        return false;
    }

    /// Whether a step of NaN may have been refused.
    bool may_be_nan() const { return has_overflowed_ && statistics_.contract_violations > 0; }

    /// The status of a search that has nothing left to expand.
    template <class Cost, class CanHold>
    SearchStatus exhausted(const std::optional<Cost>& max_cost, CanHold&& can_hold) const {
        return detail::exhausted_status(pruned_by_bound_,
                                        !may_be_nan() && detail::is_bound(max_cost, can_hold));
    }

    /// A result, to which `add_path(result)` adds the path, unless the search has failed or there is no memory
    /// for it.
    template <class Result, class AddPath>
    Result outcome(Result result, AddPath&& add_path) const {
        result.status = status_;
        result.statistics = statistics();
        if (status_ == SearchStatus::failed) return result;
        try {
            add_path(result);
            return result;
        } catch (const std::bad_alloc&) {
            result.status = status_;
            result.statistics = statistics();
            return detail::without_path(result);
        }
    }

    template <class O>
    static constexpr bool is_silent = std::same_as<std::remove_cvref_t<O>, SilentObserver>;

    detail::LimitMonitor monitor_;
    MemoryBudget own_budget_; // declared before the parts that refer to it
    MemoryBudget& budget_;
    Statistics statistics_; // its seconds are those before the last `resume`
    double seconds_ = 0;    // when the search ended
    SearchStatus status_ = SearchStatus::running;
    bool pruned_by_bound_ = false; // some path was not followed since it costs too much
    bool has_overflowed_ = false;  // for a node, so that its end may not be stored
};

namespace detail {

/// The moves of a result, or `Nothing` to pass on where the problem has none.
template <class P, class Result>
decltype(auto) moves_of(Result& result) {
    if constexpr (has_moves<P>) {
        return (result.moves);
    } else {
        return Nothing{};
    }
}

/// Appends the states from a root to a node, and the moves between them, if they are asked for. Linear.
template <class Table, class State, class Moves = Nothing>
void retrace(const Table& table, typename Table::Node node, std::vector<State>& path, Moves&& moves = {}) {
    constexpr bool has_moves = !std::same_as<std::remove_cvref_t<Moves>, Nothing>;
    const auto first = static_cast<std::ptrdiff_t>(path.size());
    for (path.push_back(node.state()); !node.is_root(); path.push_back(node.state())) {
        if constexpr (has_moves) moves.push_back(node.last_move());
        node = table.parent(node);
    }
    const auto reverse = [](auto begin, auto end) { // which <algorithm> has
        for (; begin < end && begin < --end; ++begin) std::iter_swap(begin, end);
    };
    reverse(path.begin() + first, path.end());
    if constexpr (has_moves) reverse(moves.begin() + first, moves.end());
}

/// The cost and the move of the cheapest step from a state to another, the first among equals. Linear in the
/// number of neighbors.
template <Problem P>
auto cheapest_step(const P& problem, const state_t<P>& from, const state_t<P>& to) {
    std::optional<std::pair<cost_t<P>, move_or_nothing_t<P>>> best;
    const auto compare = [&](const state_t<P>& neighbor, const cost_t<P>& step, const auto& move) {
        const bool is_best = !best || step < best->first || is_nan(best->first);
        if (!is_negative(step) && is_best && is_equal(neighbor, to)) best.emplace(step, move);
    };
    for_each_neighbor(problem, from, compare);
    return best;
}

/// What a path costs by its cheapest steps, whose moves are put into `moves`, where the problem has moves. The
/// costs of nodes may be more: a cheaper path to a node is handed on when the node is expanded again.
template <Problem P, class Moves>
cost_t<P> look_up_steps(const P& problem, const std::vector<state_t<P>>& path, Moves&& moves) {
    using Cost = cost_t<P>;
    Cost sum{};
    if constexpr (has_moves<P>) moves.clear();
    for (std::size_t i = 1; i < path.size(); ++i) {
        if constexpr (!is_weighted<P> && !has_moves<P>) {
            sum = saturating_add<Cost>(sum, Cost{1});
        } else {
            const auto step = cheapest_step(problem, path[i - 1], path[i]);
            NPUZZLE_ASSERT(step && "each step of a path is a step of the problem");
            if (!step) continue;
            sum = saturating_add<Cost>(sum, step->first);
            if constexpr (has_moves<P>) moves.push_back(step->second);
        }
    }
    return sum;
}

/// What `search()` returns; `memory_limit` if there was not even the memory to set its engine up.
template <class F>
auto guarded_search(F&& search) {
    try {
        return search();
    } catch (const std::bad_alloc&) {
        decltype(search()) result;
        result.status = SearchStatus::memory_limit;
        return result;
    }
}

/// Makes an engine, runs it, and returns its result.
template <class Engine, class... Arguments>
auto run_engine(Arguments&&... arguments) {
    return guarded_search([&] {
        Engine engine(std::forward<Arguments>(arguments)...);
        engine.run();
        return engine.result();
    });
}

} // namespace detail
} // namespace npuzzle
