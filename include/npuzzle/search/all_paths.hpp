#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/engine/optimal_graph.hpp"

#include <algorithm>
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
/// Every cheapest path: how many there are, and one after another.
///
/// A path is a sequence of states without repetition that begins at a start and ends at the first goal it
/// meets. Two paths are different if their states are: parallel edges of equal cost make one path, with the
/// moves of the first of them.

namespace npuzzle {

/// The outcome of a search for all cheapest paths. `path` is the first of them.
template <class State, class Cost, class Move = void>
struct AllPathsResult : SearchResult<State, Cost, Move> {
    /// How many cheapest paths were counted, or given.
    std::uint64_t count = 0;
    /// Whether there are no more. False after a limit, if the caller ended it, or if there are more than
    /// `count` can hold.
    bool is_complete = false;
    /// The paths themselves, from `all_optimal_paths`.
    std::vector<std::vector<State>> paths = {};
};

/// The search for all cheapest paths as an object. When A* would end at a goal, it goes on until all states
/// are expanded whose f is not greater than the cost of that goal. For each state it notes all states from
/// which it is reached at its least cost. In the end it follows these links back from all goals of that cost.
/// This gives the optimal graph: the ways through it from a start to an end are the cheapest paths.
///
/// Correct under any admissible heuristic, consistent or not. The time and the stop of limits also hold after
/// the search.
///
/// \tparam P a `Problem` with `HasHash`
/// \tparam O an `ObserverOf` its nodes
template <Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AllPaths : BestFirst<P, H, O, PartsFor<P, std::remove_cvref_t<H>, PooledPolicy>> {
    using Base = typename AllPaths::BestFirst;
    using typename Base::Entry, typename Base::Child, typename Base::Move, typename Base::TableNode,
        typename Base::Estimator;

public:
    using typename Base::Cost, typename Base::Estimate, typename Base::Node, typename Base::Priority,
        typename Base::State;
    using Result = AllPathsResult<State, Cost, move_t<P>>;

    /// No temporary problem: the engine refers to it.
    AllPaths(const P&& problem, const State& start, H&& heuristic, const BasicLimits<Cost>& limits = {},
             O&& observer = O{}) = delete;

    AllPaths(const P& problem, const State& start, H&& heuristic, const BasicLimits<Cost>& limits = {},
             O&& observer = O{})
        : Base(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer), {}),
          work_monitor_(limits), graph_(budget_), starts_(BudgetAllocator<std::uint32_t>(budget_)),
          goals_(starts_) {
        add_start(start);
    }

    using Base::status, Base::statistics;

    /// Adds one more state to start from. Each start begins paths of its own, even if the path of another
    /// start leads through it. Has no effect once the search is over.
    void add_start(const State& start) {
        if (status_ != SearchStatus::running) {
            return;
        }
        guarded([&] {
            const auto known =
                table_.find(table_.lookup_hint(detail::checked_state(*problem_, start)), start);
            if (known && Cost{} < known->cost()) {
                graph_.clear(known->key());
            }
            this->insert_start(start);
            const auto key = table_.find(table_.lookup_hint(start), start)->key();
            if (std::find(starts_.begin(), starts_.end(), key) == starts_.end()) {
                starts_.push_back(key);
            }
        });
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        guarded([&] { advance(); });
        return status_ == SearchStatus::running;
    }

    /// Steps to the end.
    SearchStatus run() {
        while (step()) {
        }
        return status_;
    }

    /// How many cheapest paths there are. Linear in the size of the optimal graph, not in the number of
    /// paths. But the paths within a cycle of steps that cost nothing are enumerated, in time exponential in
    /// its size. Limits also hold for this.
    Result count() {
        return finished([&](Result& result) {
            const std::optional<std::uint64_t> count = graph_.count(work_monitor_);
            if (count) {
                for_each_path([&](const auto& path, const auto& moves) {
                    set_path(result, path, moves);
                    return false;
                });
                result.count = *count;
                result.is_complete = *count != (std::numeric_limits<std::uint64_t>::max)();
            }
        });
    }

    /// Calls `visit(path)`, or `visit(path, moves)` where the problem has moves and `visit` takes them, for
    /// each cheapest path, in the order of the starts, then of the neighbors. Ends early if `visit` returns
    /// false; it may return nothing. The next path takes time linear in its length, unless steps of cost zero
    /// form a cycle.
    template <class F>
    Result for_each(F&& visit) {
        return finished([&](Result& result) {
            result.is_complete = true;
            for_each_path([&](const auto& path, const auto& moves) {
                if (result.count++ == 0) {
                    set_path(result, path, moves);
                }
                result.is_complete = goes_on(visit, path, moves);
                return result.is_complete;
            });
        });
    }

private:
    using Base::budget_, Base::guarded, Base::monitor_, Base::observer_, Base::open_, Base::problem_,
        Base::statistics_, Base::status_, Base::table_;

    static_assert(std::same_as<typename Base::Table::Key, std::uint32_t>); // nodes are numbered from 0

    [[nodiscard]] bool is_beyond_goal(const Priority& priority) const {
        return detail::is_over(goal_cost_, priority);
    }

    /// One expansion, or the end.
    void advance() {
        while (status_ == SearchStatus::running) {
            if (open_.empty()) {
                return end_search();
            }
            const Entry entry = open_.pop();
            if (is_beyond_goal(entry.priority)) {
                return end_search();
            }
            auto node = table_.find_open(entry.key, entry.cost, [](const State&) { return true; });
            if (!node) {
                continue;
            }
            const Node view{node->state(), entry.cost, node->estimate(), entry.priority};
            if (problem_->is_goal(view.state)) {
                node->close();
                add_goal(view, entry.key);
            } else {
                if (this->may_expand(entry.priority)) {
                    expand(*node, view);
                }
                return;
            }
        }
    }

    void add_goal(const Node& view, std::uint32_t key) {
        detail::check_goal(view.estimate, statistics_);
        // Under an admissible heuristic the first goal is a cheapest one.
        if (!goal_cost_ || view.cost < *goal_cost_) {
            goal_cost_ = view.cost;
            goals_.clear();
        }
        if (!(*goal_cost_ < view.cost)) {
            goals_.push_back(key);
            observer_.goal(view);
        }
    }

    void expand(TableNode& node, const Node& view) {
        node.close();
        ++statistics_.expanded;
        observer_.expand(view);
        // A step straight back is on no cheapest path, unless it costs nothing.
        const Move last = [&] {
            if constexpr (detail::has_moves<P> && is_weighted<P>) {
                return P::no_move;
            } else {
                return node.link().move;
            }
        }();
        detail::for_each_neighbor(
            *problem_, view.state, last,
            [&](const State& state, const Cost& step) {
                return Cost{} < step && table_.leads_back(node, state);
            },
            this->generating_from(node, view, true));
        for (Child& child : this->children_) {
            relax(child, node, view);
        }
        this->children_.clear();
        this->note_open();
    }

    void relax(Child& child, const TableNode& from, const Node& parent) {
        ++statistics_.generated;
        auto [node, is_new] = table_.insert(std::move(child.probe));
        const Node view = this->view_of(node.state(), child.cost,
                                        this->estimate_of_child(child, node, is_new, node.state()));
        observer_.generate(view, parent);
        if (!is_new && !(child.cost < node.cost())) {
            ++statistics_.duplicates;
            observer_.duplicate(view);
            if (!(node.cost() < child.cost)) {
                graph_.add_step(from.key(), node.key(), child.link.move);
            }
            return;
        }
        if (Estimator::has_dead_ends && detail::is_infinite(view.estimate)) {
            node.relax(Cost{}, view.estimate, child.link); // No path is cheaper: it is evaluated once.
            node.close();
            return;
        }
        detail::check_consistency<declares_consistent<typename Base::BoundHeuristic>>(
            parent.priority, view.priority, statistics_);
        graph_.clear(node.key());
        graph_.add_step(from.key(), node.key(), child.link.move);
        const bool was_closed = node.is_closed();
        node.relax(child.cost, view.estimate, child.link);
        if (this->prune_if_over(view.cost, view.estimate) || is_beyond_goal(view.priority)) {
            return;
        }
        if (!is_new) {
            statistics_.reopened += was_closed ? 1 : 0;
            was_closed ? observer_.reopen(view) : observer_.improve(view);
        }
        this->push(node, view);
    }

    void end_search() {
        if (goals_.empty()) {
            this->finish(this->exhausted(detail::is_bound(this->max_cost_, Base::Table::can_hold)));
        } else if (graph_.make_graph(table_.size(), starts_, goals_, work_monitor_)) {
            this->finish(SearchStatus::solved);
        } else {
            this->finish(work_monitor_.status());
        }
    }

    /// Calls `visit(path, moves)` for each path, until it returns false or a limit is reached.
    template <class F>
    void for_each_path(F&& visit) {
        std::vector<State> path;
        std::vector<Move> moves;
        graph_.for_each_way(work_monitor_, [&](const auto& way) {
            path.clear();
            moves.clear();
            for (const auto& place : way) {
                if (!path.empty()) {
                    moves.push_back(graph_.move_to(place));
                }
                path.push_back(table_.find(graph_.node_at(place)).state());
            }
            return visit(std::as_const(path), std::as_const(moves));
        });
    }

    template <class F>
    static bool goes_on(F& visit, const std::vector<State>& path,
                        [[maybe_unused]] const std::vector<Move>& moves) {
        if constexpr (detail::has_moves<P> &&
                      std::invocable<F&, const std::vector<State>&, const std::vector<Move>&>) {
            return detail::wants_more(visit, path, moves);
        } else {
            return detail::wants_more(visit, path);
        }
    }

    static void set_path(Result& result, const std::vector<State>& path,
                         [[maybe_unused]] const std::vector<Move>& moves) {
        result.path = path;
        if constexpr (detail::has_moves<P>) {
            result.moves = moves;
        }
    }

    /// Runs the search if it has not been, and `work(result)` if it is solved.
    template <class F>
    Result finished(F&& work) {
        run();
        Result result;
        result.status = status_;
        result.is_complete = status_ == SearchStatus::unsolvable;
        if (status_ == SearchStatus::solved) {
            try {
                work(result);
                result.status = work_monitor_.status() == SearchStatus::running ? SearchStatus::solved
                                                                                : work_monitor_.status();
            } catch (const std::bad_alloc&) {
                result.status = SearchStatus::memory_limit;
            }
            if (result.status == SearchStatus::solved) {
                result.cost = *goal_cost_;
            } else {
                Result ended;
                ended.status = result.status;
                ended.count = result.count;
                result = std::move(ended);
            }
        }
        result.statistics = statistics();
        result.statistics.seconds = monitor_.seconds();
        return result;
    }

    detail::WorkMonitor work_monitor_; // for what comes after the search
    detail::OptimalGraph<Move> graph_;
    typename detail::OptimalGraph<Move>::Nodes starts_;
    typename detail::OptimalGraph<Move>::Nodes goals_; // of the least cost
    std::optional<Cost> goal_cost_;
};

template <class P, class H, class O = SilentObserver>
AllPaths(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> AllPaths<P, H, O>;

/// What searches for all cheapest paths give back: see `search_result_t`.
template <class P>
using all_paths_result_t = typename detail::result_of<P, AllPathsResult>::type;

/// How many cheapest paths there are from `start` to a goal: `result.count`; `result.path` is one of them. If
/// there are more than 2^64 - 1, `result.is_complete` is false. See `AllPaths::count`.
///
/// The heuristic has to be admissible. Costs are added up from the start and compared exactly: if they are
/// floating-point numbers that round, paths that ought to cost the same may not.
///
/// Never throws for lack of memory: that is `Status::memory_limit`. What the problem, the heuristic or the
/// observer throws otherwise passes through.
template <Problem P, class H, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P>
all_paths_result_t<P> count_optimal(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                    limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::with_engine<AllPaths<P, H, O>>([](auto& engine) { return engine.count(); }, problem, start,
                                                  std::forward<H>(heuristic), limits,
                                                  std::forward<O>(observer));
}

/// Calls `visit(path)`, or `visit(path, moves)` where the problem has moves, for each cheapest path from
/// `start` to a goal, until it returns false or there are no more. See `AllPaths::for_each`, and
/// `count_optimal` for the rest.
/// \return how many it was called for, and whether these are all
template <Problem P, class H, class F, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P>
all_paths_result_t<P> for_each_optimal_path(const P& problem, const detail::named_state_t<P>& start,
                                            H&& heuristic, F&& visit, limits_t<P> limits = {},
                                            O&& observer = O{}) {
    return detail::with_engine<AllPaths<P, H, O>>([&](auto& engine) { return engine.for_each(visit); },
                                                  problem, start, std::forward<H>(heuristic), limits,
                                                  std::forward<O>(observer));
}

/// At most `max_paths` of the cheapest paths from `start` to a goal: `result.paths`. If there are more,
/// `result.is_complete` is false. See `count_optimal` for the rest.
template <Problem P, class H, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P>
all_paths_result_t<P> all_optimal_paths(const P& problem, const detail::named_state_t<P>& start,
                                        H&& heuristic, std::size_t max_paths, limits_t<P> limits = {},
                                        O&& observer = O{}) {
    const auto list = [max_paths](auto& engine) {
        std::vector<std::vector<state_t<P>>> paths;
        auto result = engine.for_each([&](const std::vector<state_t<P>>& path) {
            const bool is_wanted = paths.size() < max_paths;
            if (is_wanted) {
                paths.push_back(path);
            }
            return is_wanted;
        });
        result.count = paths.size();
        result.paths = std::move(paths);
        return result;
    };
    return detail::with_engine<AllPaths<P, H, O>>(list, problem, start, std::forward<H>(heuristic), limits,
                                                  std::forward<O>(observer));
}

} // namespace npuzzle
