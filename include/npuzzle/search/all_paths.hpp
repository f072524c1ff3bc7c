#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/kernel/optimal_graph.hpp"
#include "npuzzle/search/kernel/pooled_engine.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
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
class AllPaths : public PooledEngine<AllPaths<P, H, O>, P, H, O> {
    using Base = PooledEngine<AllPaths, P, H, O>;
    friend EngineBase<AllPaths, cost_t<P>, O>;

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
          work_monitor_(limits), steps_(budget_), starts_(BudgetAllocator<Number>(budget_)),
          goals_(BudgetAllocator<Number>(budget_)), graph_(budget_) {
        add_start(start);
    }

    /// Adds one more state to start from. Each start begins paths of its own, even if the path of another
    /// start leads through it. Has no effect once the search is over.
    void add_start(const State& start) {
        if (status_ != SearchStatus::running) {
            return;
        }
        guarded([&] {
            const auto [node, has_path] = this->insert_start(start, StartArriving{{{}, *this}});
            if (has_path || std::find(starts_.begin(), starts_.end(), node.key()) == starts_.end()) {
                starts_.push_back(node.key());
            }
        });
    }

    /// How many cheapest paths there are. Linear in the size of the optimal graph, not in the number of
    /// paths. But the paths within a cycle of steps that cost nothing are enumerated, in time exponential in
    /// its size. Limits also hold for this.
    Result count() {
        return finished([&](Result& result) {
            const std::optional<std::uint64_t> count = graph_.count(work_monitor_);
            Paths paths(*this);
            if (!count || !paths.next()) {
                return work_monitor_.status();
            }
            take_first(result, paths);
            result.count = *count;
            result.is_complete = result.count != (std::numeric_limits<std::uint64_t>::max)();
            return SearchStatus::solved;
        });
    }

    /// Calls `visit(path)`, or `visit(path, moves)` where the problem has moves and `visit` takes them, for
    /// each cheapest path, in the order of the starts, then of the neighbors. Ends early if `visit` returns
    /// false; it may return nothing. The next path takes time linear in its length, unless steps of cost zero
    /// form a cycle.
    template <class F>
    Result for_each(F&& visit) {
        return finished([&](Result& result) {
            Paths paths(*this);
            while (paths.next()) {
                if (result.count++ == 0) {
                    take_first(result, paths);
                }
                if (!goes_on(visit, paths)) {
                    return SearchStatus::solved;
                }
            }
            result.is_complete = paths.status() == SearchStatus::solved;
            return paths.status();
        });
    }

private:
    using Base::budget_, Base::exhausted, Base::finish, Base::guarded, Base::is_stopped, Base::monitor_,
        Base::observer_, Base::open_, Base::problem_, Base::statistics_, Base::status_, Base::table_;
    using typename Base::Key, typename Base::Move, typename Base::TableNode, typename Base::BoundHeuristic;

    /// The number of a node in the table, of a link, or of a vertex of the optimal graph.
    using Number = Key;
    using Graph = detail::OptimalGraph<Number>;

    static_assert(std::same_as<Number, std::uint32_t>); // the pooled table numbers its nodes from 0

    static constexpr Number none = Graph::none;
    static constexpr bool has_moves = detail::has_moves<P>;

    struct StartArriving : Base::StartRules {
        using Base::StartRules::engine;

        void made(const TableNode& /*node*/) { engine.steps_.add_node(); }
        bool is_beyond(TableNode& node, const Node& view) {
            engine.steps_.clear(node.key());
            return engine.close_beyond(node, view);
        }
    };

    struct Arriving : Base::NeighborRules {
        using Base::NeighborRules::engine, Base::NeighborRules::from, Base::NeighborRules::from_view,
            Base::NeighborRules::move, Base::NeighborRules::cost;

        void made(const TableNode& /*node*/) { engine.steps_.add_node(); }
        void duplicate(const TableNode& node) {
            if (!(node.cost() < cost)) {
                engine.steps_.add(from.key(), node.key(), move);
            }
        }
        NPUZZLE_ALWAYS_INLINE bool is_beyond(TableNode& node, const Node& view) {
            detail::check_consistency<declares_consistent<BoundHeuristic>>(from_view.priority, view.priority,
                                                                           engine.statistics_);
            engine.steps_.clear(node.key());
            engine.steps_.add(from.key(), node.key(), move);
            return engine.close_beyond(node, view);
        }
    };

    /// Closes a node through which no path is within the bound, or costs as little as a goal that was
    /// reached. A cheaper path to it may yet be found, and opens it again.
    bool close_beyond(TableNode& node, const Node& view) {
        const bool is_beyond = this->is_beyond(view.cost, view.estimate) || is_beyond_goal(view.priority);
        if (is_beyond) {
            node.close();
        }
        return is_beyond;
    }

    [[nodiscard]] bool is_beyond_goal(const Priority& priority) const {
        return detail::is_over(goal_cost_, priority);
    }

    /// One expansion, or the end.
    void advance() {
        while (status_ == SearchStatus::running) {
            if (open_.empty()) {
                end_search();
                return;
            }
            const auto entry = open_.pop();
            if (is_beyond_goal(entry.priority)) {
                end_search();
                return;
            }
            std::optional<TableNode> node = this->find_open(entry);
            if (!node) {
                continue;
            }
            const Node view{node->state(), entry.cost, node->estimate(), entry.priority};
            if (problem_->is_goal(view.state)) {
                node->close();
                add_goal(view, entry.key);
                continue;
            }
            if (monitor_.is_due(statistics_.expanded) && is_stopped(statistics_.expanded)) {
                return;
            }
            node->close();
            ++statistics_.expanded;
            observer_.expand(view);
            expand(*node, view);
            return;
        }
    }

    void add_goal(const Node& view, Key key) {
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

    void expand(const TableNode& node, const Node& view) {
        // A step straight back is on no cheapest path, unless it costs nothing.
        const Move last = [&] {
            if constexpr (has_moves && is_weighted<P>) {
                return P::no_move;
            } else {
                return node.link().move;
            }
        }();
        this->template insert_neighbors<Arriving>(node, view, last,
                                                  [&](const State& state, const Cost& step) {
                                                      return Cost{} < step && table_.leads_back(node, state);
                                                  });
    }

    void end_search() {
        if (goals_.empty()) {
            finish(exhausted());
            return;
        }
        finish(steps_.make_graph(graph_, starts_, goals_, work_monitor_) ? SearchStatus::solved
                                                                         : work_monitor_.status());
    }

    /// All paths, one after another.
    class Paths {
    public:
        explicit Paths(AllPaths& engine) : engine_(engine), walk_(engine.graph_) {}

        /// Goes on to the next path. False if there is none, or if a limit ended it: `status` tells.
        bool next() {
            using Event = typename Graph::Walk::Event;
            Number vertex = none;
            Number link = none;
            for (;;) {
                switch (walk_.step(engine_.work_monitor_, vertex, link)) {
                case Event::entered:
                    path_.push_back(engine_.table_.find(engine_.steps_.node_of(vertex)).state());
                    if (link != none) {
                        moves_.push_back(engine_.steps_.move_of(link));
                    }
                    if (engine_.graph_.is_end(vertex)) {
                        return true;
                    }
                    break;
                case Event::left:
                    path_.pop_back();
                    if (!moves_.empty()) {
                        moves_.pop_back();
                    }
                    break;
                case Event::limit:
                    status_ = engine_.work_monitor_.status();
                    return false;
                case Event::done:
                    return false;
                }
            }
        }

        [[nodiscard]] SearchStatus status() const noexcept { return status_; }
        [[nodiscard]] const std::vector<State>& path() const noexcept { return path_; }
        [[nodiscard]] const std::vector<Move>& moves() const noexcept { return moves_; }

    private:
        AllPaths& engine_;
        typename Graph::Walk walk_;
        std::vector<State> path_;
        std::vector<Move> moves_;
        SearchStatus status_ = SearchStatus::solved;
    };

    template <class F>
    static bool goes_on(F& visit, const Paths& paths) {
        const auto call = [&]() -> decltype(auto) {
            if constexpr (has_moves &&
                          std::invocable<F&, const std::vector<State>&, const std::vector<Move>&>) {
                return visit(paths.path(), paths.moves());
            } else {
                return visit(paths.path());
            }
        };
        if constexpr (std::convertible_to<decltype(call()), bool>) {
            return static_cast<bool>(call());
        } else {
            call();
            return true;
        }
    }

    static void take_first(Result& result, const Paths& paths) {
        result.path = paths.path();
        if constexpr (has_moves) {
            result.moves = paths.moves();
        }
    }

    /// Runs the search if it has not been, and `work(result)` if it is solved.
    template <class F>
    Result finished(F&& work) {
        this->run();
        Result result;
        result.status = status_;
        result.is_complete = status_ == SearchStatus::unsolvable;
        if (status_ == SearchStatus::solved) {
            try {
                result.status = work(result);
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
        result.statistics = this->statistics();
        result.statistics.seconds = monitor_.seconds();
        return result;
    }

    detail::WorkMonitor work_monitor_; // for what comes after the search
    detail::CheapestSteps<Number, Move> steps_;
    typename Graph::template Vector<Number> starts_;
    typename Graph::template Vector<Number> goals_; // of the least cost
    Graph graph_;
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
