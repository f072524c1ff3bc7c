#pragma once

#include "npuzzle/search/assert.hpp"
#include "npuzzle/search/cost.hpp"
#include "npuzzle/search/heuristic.hpp"
#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/observer.hpp"
#include "npuzzle/search/policy.hpp"
#include "npuzzle/search/problem.hpp"
#include "npuzzle/search/result.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
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

/// Depth-first searches under a bound on f, each under the least f that went over the bound before it.
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

    IdaStar(const P& problem, H& heuristic, const Limits& limits, O& observer)
        : problem_(problem), heuristic_(heuristic), observer_(observer), monitor_(limits) {}

    Result run(const State& start) {
        Result result;
        try {
            search(start);
            if (status_ == Status::solved) {
                retrace(start, result);
            }
        } catch (const std::bad_alloc&) {
            status_ = Status::memory_limit;
            result = Result{};
        }
        result.status = status_;
        result.statistics = statistics();
        observer_.progress(result.statistics);
        return result;
    }

private:
    /// A state that fits two registers goes in them.
    using Passed =
        std::conditional_t<std::is_trivially_copyable_v<State> && sizeof(State) <= 16, State, const State&>;

    static constexpr bool is_incremental = IncrementalHeuristicFor<H, P>;
    /// A path longer than this would need more stack than a thread may have; it ends the search with `memory_limit`.
    static constexpr std::size_t deepest = 2'000;

    void search(const State& start) {
        const Estimate estimate = evaluate(start);
        std::optional<Value> bound = priority_(Cost{}, estimate);
        observer_.start(Node{start, Cost{}, estimate, *bound});
        while (status_ == Status::running) {
            if (!bound || is_infinite(*bound)) {
                status_ = has_overflowed_ ? Status::cost_overflow : Status::unsolvable;
                return;
            }
            bound_ = *bound;
            next_bound_.reset();
            if constexpr (UnrolledProblem<P>) {
                problem_.with_place(start, [&](auto place) { visit(place, start, Cost{}, estimate, 0); });
            } else {
                visit(DynamicPlace<Move>{P::no_move}, start, Cost{}, estimate, 0);
            }
            bound = next_bound_;
        }
    }

    /// Returns whether the search is over: a goal was found or a limit struck.
    template <class Place>
    bool visit(Place place, Passed state, Cost cost, Estimate estimate, std::size_t depth) {
        if (problem_.is_goal(state)) {
            if (estimate < Estimate{} || Estimate{} < estimate) {
                ++statistics_.broken_promises;
                NPUZZLE_ASSERT(false && "h(goal) is zero");
            }
            observer_.goal(Node{state, cost, estimate, bound_});
            cost_ = cost;
            status_ = Status::solved;
            return true;
        }
        if (monitor_.is_due(statistics_.expanded) && is_over_limit()) {
            return true;
        }
        ++statistics_.expanded;
        observer_.expand(Node{state, cost, estimate, bound_});
        if constexpr (std::same_as<Place, DynamicPlace<Move>>) {
            bool is_over = false;
            problem_.for_each_move(state, place.last, [&](Move move) {
                is_over = is_over || try_move(DynamicPlace<Move>{move}, move, state, cost, estimate, depth);
            });
            return is_over;
        } else {
            return problem_.any_move(place, [&](auto next, auto move) {
                return try_move(next, move, state, cost, estimate, depth);
            });
        }
    }

    template <class Place, class AnyMove>
    bool try_move(Place place, AnyMove move, Passed state, Cost cost, Estimate estimate, std::size_t depth) {
        State child = state;
        problem_.apply(child, move);
        ++statistics_.generated;
        Cost child_cost = cost;
        if constexpr (is_weighted<P>) {
            const Cost step = problem_.move_cost(state, move);
            if (step < Cost{}) {
                ++statistics_.broken_promises;
                NPUZZLE_ASSERT(false && "costs are not negative");
                return false;
            }
            child_cost = saturating_add<Cost>(cost, step);
            if (is_infinite(child_cost)) {
                has_overflowed_ = has_overflowed_ || !is_infinite(step);
                return false;
            }
        } else {
            child_cost = cost + Cost{1}; // far below the type's limit: see `deepest`
        }
        const Estimate child_estimate = evaluate_after(estimate, state, move, child);
        const Value priority = priority_(child_cost, child_estimate);
        observer_.generate(Node{child, child_cost, child_estimate, priority},
                           Node{state, cost, estimate, bound_});
        if (bound_ < priority) {
            if (!is_infinite(priority)) {
                if (!next_bound_ || priority < *next_bound_) {
                    next_bound_ = priority;
                }
            } else if (!is_infinite(child_estimate)) {
                has_overflowed_ = true;
            }
            return false;
        }
        if (depth == deepest) {
            status_ = Status::memory_limit;
            return true;
        }
        const bool is_over = visit(place, child, child_cost, child_estimate, depth + 1);
        if (is_over && status_ == Status::solved) {
            moves_.push_back(move); // on the way back: the last move first
        }
        return is_over;
    }

    Estimate evaluate(const State& state) {
        if constexpr (std::same_as<std::remove_cvref_t<H>, Zero>) {
            return Estimate{};
        } else {
            return saturating_cast<Estimate>(heuristic_(state));
        }
    }

    template <class AnyMove>
    Estimate evaluate_after(const Estimate& before_estimate, const State& before, AnyMove move,
                            const State& after) {
        if constexpr (is_incremental) {
            return static_cast<Estimate>(heuristic_.after(before_estimate, before, move, after));
        } else {
            return evaluate(after);
        }
    }

    bool is_over_limit() {
        const Status limit = monitor_.check(statistics_.expanded);
        if (limit != Status::running) {
            status_ = limit;
            return true;
        }
        observer_.progress(statistics());
        return false;
    }

    Statistics statistics() const {
        Statistics statistics = statistics_;
        statistics.seconds = monitor_.seconds();
        return statistics;
    }

    void retrace(const State& start, Result& result) {
        std::reverse(moves_.begin(), moves_.end());
        result.path.reserve(moves_.size() + 1);
        result.path.push_back(start);
        for (const Move move : moves_) {
            result.path.push_back(result.path.back());
            problem_.apply(result.path.back(), move);
        }
        result.moves = std::move(moves_);
        result.cost = cost_;
    }

    const P& problem_;
    H& heuristic_;
    O& observer_;
    [[no_unique_address]] Priority priority_{};
    LimitMonitor monitor_;
    Statistics statistics_;
    std::vector<Move> moves_;
    Value bound_{};
    std::optional<Value> next_bound_;
    Cost cost_{};
    Status status_ = Status::running;
    bool has_overflowed_ = false;
};

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
/// \return as from `astar`; nothing is stored. A path of more than 2,000 moves ends in `Status::memory_limit`.
template <MoveProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
SearchResult<state_t<P>, cost_t<P>, move_t<P>>
ida_star(const P& problem, const state_t<P>& start, H&& heuristic, Limits limits = {}, O&& observer = O{}) {
    if constexpr (BindsTo<H, P>) {
        auto bound = heuristic.bind(problem);
        return detail::IdaStar<P, decltype(bound), std::remove_reference_t<O>>(problem, bound, limits,
                                                                               observer)
            .run(start);
    } else {
        return detail::IdaStar<P, std::remove_reference_t<H>, std::remove_reference_t<O>>(problem, heuristic,
                                                                                          limits, observer)
            .run(start);
    }
}

} // namespace npuzzle
