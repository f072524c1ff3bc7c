#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/engine/work_monitor.hpp"
#include "npuzzle/search/memory/budget_allocator.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Every cheapest path: how many there are, and one after another.
///
/// A path is a sequence of states without repetition, from a start to the first goal that it meets. Paths are
/// different if their states are: parallel edges of equal cost make one path, with the moves of the first.

namespace npuzzle {

/// The outcome of a search for all cheapest paths. `path` is the first of them.
template <class State, class Cost, class Move = void>
struct AllPathsResult : SearchResult<State, Cost, Move> {
    /// How many cheapest paths were counted, or given.
    std::uint64_t count = 0;
    /// Whether there are no more. False after a limit, if the caller ended the search, or if `count`
    /// overflows.
    bool is_complete = false;
    /// The paths themselves, from `all_optimal_paths`.
    std::vector<std::vector<State>> paths = {};
};

/// The search for all cheapest paths as an object. Where A* ends at a goal, it goes on until all states are
/// expanded whose f is at most the cost of that goal. It notes all steps that reach a state at its least
/// cost. Followed back from the goals, they make up all cheapest paths. Correct with any admissible
/// heuristic. Limits of time and stops also hold after the search.
///
/// \tparam P a `Problem` with `HasHash`
/// \tparam O an `ObserverOf` its nodes
template <Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AllPaths : BestFirst<P, H, O, PartsFor<P, std::remove_cvref_t<H>, PooledPolicy>> {
    using Base = typename AllPaths::BestFirst;
    using typename Base::Entry, typename Base::Child, typename Base::Move, typename Base::TableNode;

public:
    using typename Base::Cost, typename Base::Estimate, typename Base::Node, typename Base::Priority,
        typename Base::State;
    using Result = AllPathsResult<State, Cost, move_t<P>>;

    AllPaths(detail::Lasting<P> problem, const State& start, H&& heuristic,
             const BasicLimits<Cost>& limits = {}, O&& observer = O{})
        : Base(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer), {}),
          work_monitor_(limits), starts_(BudgetAllocator<Number>(budget_)), goals_(starts_),
          last_step_(starts_), steps_(BudgetAllocator<Step>(budget_)) {
        add_start(start);
    }

    using Base::status, Base::statistics;

    /// Adds a start. It begins paths of its own, even if the path of another start leads through it.
    /// \throws std::logic_error after the first expansion
    void add_start(const State& start) {
        if (status_ != SearchStatus::running) return;
        if (statistics_.expanded > 0) throw std::logic_error("a start was added after an expansion");
        guarded(observer_, [&] {
            this->insert_start(start);
            starts_.push_back(table_.find(table_.lookup_hint(start), start)->key());
        });
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        return this->Engine::step(observer_, [this] { advance(); });
    }

    /// Steps to the end.
    SearchStatus run() {
        return this->Engine::run(observer_, [this] { advance(); });
    }

    /// How many cheapest paths there are. Linear in the number of steps on them, not in the number of paths;
    /// but along steps that cost nothing, paths are counted one by one.
    Result count() {
        return run_and_then([&](Result& result, std::uint64_t& count) {
            count = count_paths();
            result.is_complete = count != (std::numeric_limits<std::uint64_t>::max)();
            for_each_path(result, [](const auto&...) { return false; });
        });
    }

    /// Calls `visit(path)`, or `visit(path, moves)` where the problem has moves and `visit` takes them, for
    /// each cheapest path. Ends early if `visit` returns false; it may return nothing. The next path takes
    /// time linear in its length, unless steps of cost zero form a cycle.
    template <class F>
    Result for_each(F&& visit) {
        return run_and_then([&](Result& result, std::uint64_t& count) {
            for_each_path(result, [&](const auto& path, const auto& moves) {
                ++count;
                if constexpr (detail::has_moves<P> && std::invocable<F&, decltype(path), decltype(moves)>) {
                    result.is_complete = detail::wants_more(visit, path, moves);
                } else {
                    result.is_complete = detail::wants_more(visit, path);
                }
                return result.is_complete;
            });
        });
    }

private:
    using Base::budget_, Base::guarded, Base::monitor_, Base::observer_, Base::open_, Base::problem_,
        Base::statistics_, Base::status_, Base::table_;

    using Number = std::uint32_t; // of a node, or of a step
    template <class T>
    using Vector = std::vector<T, BudgetAllocator<T>>;

    static_assert(std::same_as<typename Base::Table::Key, Number>); // nodes are numbered from 0
    static constexpr Number none = (std::numeric_limits<Number>::max)();

    /// A step by which a node is reached at its least cost.
    struct Step {
        Number from;
        Number next; // of those to the same node
        NPUZZLE_NO_UNIQUE_ADDRESS Move move;
    };

    /// A node on a way back, the step by which the way goes on, and the step to try after it.
    struct Place {
        Number node;
        Number step;
        Number next;
    };

    void advance() {
        while (status_ == SearchStatus::running) {
            if (open_.empty()) return end_search();
            const Entry entry = open_.pop();
            if (detail::is_over(goal_cost_, entry.priority)) return end_search();
            auto node = table_.find_open(entry.key, entry.cost, [](const State&) { return true; });
            if (!node) continue;
            const Node view{node->state(), entry.cost, node->estimate(), entry.priority};
            if (!problem_->is_goal(view.state)) {
                if (this->may_expand(observer_, entry.priority)) expand(*node, view);
                return;
            }
            node->close();
            detail::check_goal(view.estimate, statistics_);
            // Under an admissible heuristic the first goal is a cheapest one.
            if (!goal_cost_ || view.cost < *goal_cost_) {
                goal_cost_ = view.cost;
                goals_.clear();
            }
            if (!(*goal_cost_ < view.cost)) {
                goals_.push_back(entry.key);
                observer_.goal(view);
            }
        }
    }

    void expand(TableNode& node, const Node& view) {
        node.close();
        ++statistics_.expanded;
        observer_.expand(view);
        // All neighbors: a step back that costs nothing may be on a cheapest path.
        detail::for_each_neighbor(*problem_, view.state, this->generating_from(node, view, true));
        for (Child& child : this->children_) {
            const std::uint64_t duplicates = statistics_.duplicates;
            const TableNode to = this->relax(child, &view.priority, &view);
            const bool is_as_cheap = !(child.cost < to.cost()) && !(to.cost() < child.cost);
            if (is_as_cheap && node.key() != to.key()) {
                add_step(node.key(), to.key(), child.link.move, statistics_.duplicates == duplicates);
            }
        }
        this->children_.clear();
        this->note_open();
    }

    /// \param is_first whether the step made a cheaper path than those before, or the first one
    void add_step(Number from, Number to, const Move& move, bool is_first) {
        if (last_step_.size() <= to) last_step_.resize(table_.size(), none);
        Number& last = last_step_[to];
        if (is_first) last = none;
        for (Number step = last; step != none; step = statistics_.reopened > 0 ? steps_[step].next : none) {
            if (steps_[step].from == from) return; // parallel to it, or from a state that was reopened
        }
        if (steps_.size() == none) throw std::bad_alloc();
        steps_.push_back({from, last, move});
        last = static_cast<Number>(steps_.size() - 1);
    }

    void end_search() {
        if (goals_.empty()) {
            return this->finish(observer_, this->exhausted(this->max_cost_, Base::Table::can_hold));
        }
        last_step_.resize(table_.size(), none);
        std::sort(starts_.begin(), starts_.end());
        this->finish(observer_, SearchStatus::solved);
    }

    bool is_start(Number node) const { return std::binary_search(starts_.begin(), starts_.end(), node); }
    Cost cost_of(Number node) const { return table_.find(node).cost(); }
    /// A flag for each node.
    Vector<std::uint8_t> make_flags() const {
        return Vector<std::uint8_t>(table_.size(), 0, BudgetAllocator<std::uint8_t>(budget_));
    }

    /// Goes all ways back from a node without repeated nodes, depth first, until a limit is reached. A way
    /// goes on from its last node if `goes_on(way)`.
    /// \param is_on_way 0 for each node, before and after
    template <class F>
    void walk_back(Number end, Vector<std::uint8_t>& is_on_way, F&& goes_on) {
        Vector<Place> way{BudgetAllocator<Place>(budget_)};
        const auto enter = [&](Number node) {
            way.push_back({node, none, last_step_[node]});
            is_on_way[node] = 1;
            if (!goes_on(std::as_const(way))) way.back().next = none;
        };
        enter(end);
        while (!way.empty() && work_monitor_.may_work()) {
            Place& last = way.back();
            last.step = last.next;
            if (last.step == none) {
                is_on_way[last.node] = 0;
                way.pop_back();
                continue;
            }
            last.next = steps_[last.step].next;
            if (const Number from = steps_[last.step].from; is_on_way[from] == 0) enter(from);
        }
    }

    /// Calls `visit(path, moves)` for each path, until it returns false or a limit is reached. The first path
    /// goes into the result.
    template <class F>
    void for_each_path(Result& result, F&& visit) {
        auto is_on_way = make_flags();
        std::vector<State> path;
        std::vector<Move> moves;
        bool is_wanted = true;
        for (std::size_t i = 0; i < goals_.size() && is_wanted; ++i) {
            walk_back(goals_[i], is_on_way, [&](const Vector<Place>& way) {
                if (!is_wanted || !is_start(way.back().node)) return is_wanted;
                path.clear();
                moves.clear();
                for (auto place = way.rbegin(); place != way.rend(); ++place) {
                    if (!path.empty()) moves.push_back(steps_[place->step].move);
                    path.push_back(table_.find(place->node).state());
                }
                if (result.path.empty()) {
                    result.path = path;
                    if constexpr (detail::has_moves<P>) result.moves = moves;
                }
                return is_wanted = visit(std::as_const(path), std::as_const(moves));
            });
        }
    }

    /// The number of paths, at most the greatest that the type holds; 0 after a limit.
    std::uint64_t count_paths() {
        auto is_known = make_flags();
        Vector<Number> nodes = goals_; // on cheapest paths
        for (std::size_t i = 0; i < nodes.size() && work_monitor_.may_work(); ++i) {
            for (Number step = last_step_[nodes[i]]; step != none; step = steps_[step].next) {
                const Number from = steps_[step].from;
                if (std::exchange(is_known[from], std::uint8_t{1}) == 0) nodes.push_back(from);
            }
        }
        std::sort(nodes.begin(), nodes.end(), [this](Number a, Number b) { return cost_of(a) < cost_of(b); });
        // Of the ways from a start to each node: those to cheaper ones are counted before.
        Vector<std::uint64_t> counts(table_.size(), 0, BudgetAllocator<std::uint64_t>(budget_));
        auto is_on_way = make_flags();
        for (const Number node : nodes) {
            walk_back(node, is_on_way, [&](const Vector<Place>& way) {
                const Number first = way.back().node;
                const bool is_cheaper = cost_of(first) < cost_of(node);
                const std::uint64_t ways = is_cheaper ? counts[first] : is_start(first) ? 1 : 0;
                counts[node] = detail::saturating_add(counts[node], ways);
                return !is_cheaper;
            });
        }
        std::uint64_t all = 0;
        for (const Number goal : goals_) all = detail::saturating_add(all, counts[goal]);
        return work_monitor_.status() == SearchStatus::running ? all : 0;
    }

    /// Runs the search, and then `work(result, count)` if it is solved.
    template <class F>
    Result run_and_then(F&& work) {
        run();
        std::uint64_t count = 0; // apart: it stays if memory runs out
        Result result = this->outcome(Result{}, [&](Result& solved) {
            solved.is_complete = status_ == SearchStatus::unsolvable;
            if (status_ != SearchStatus::solved) return;
            solved.cost = *goal_cost_;
            work(solved, count);
        });
        result.count = count;
        if (work_monitor_.status() != SearchStatus::running) { // a limit after the search
            result = Result{{}, result.count};
            result.status = work_monitor_.status();
        }
        result.statistics = statistics();
        result.statistics.seconds = monitor_.seconds();
        return result;
    }

    detail::WorkMonitor work_monitor_; // for what comes after the search
    Vector<Number> starts_;
    Vector<Number> goals_;     // of the least cost
    Vector<Number> last_step_; // by node, the step that was added last
    Vector<Step> steps_;
    std::optional<Cost> goal_cost_;
};

template <class P, class H, class O = SilentObserver>
AllPaths(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> AllPaths<P, H, O>;

/// The `AllPathsResult` of a problem.
template <class P>
using all_paths_result_t = detail::result_of<P, AllPathsResult>;

/// How many cheapest paths there are from `start` to a goal: `result.count`; `result.path` is one of them.
/// See `AllPaths::count`.
///
/// The heuristic has to be admissible. Costs are added up from the start and compared exactly: sums of
/// floating-point numbers that ought to be equal may differ by rounding.
///
/// Never throws for lack of memory: that is `Status::memory_limit`. What the problem, the heuristic or the
/// observer throws otherwise passes through.
template <Problem P, class H, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P>
all_paths_result_t<P> count_optimal(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                    limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::guarded_search([&] {
        return AllPaths<P, H, O>(problem, start, std::forward<H>(heuristic), limits,
                                 std::forward<O>(observer))
            .count();
    });
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
    return detail::guarded_search([&] {
        return AllPaths<P, H, O>(problem, start, std::forward<H>(heuristic), limits,
                                 std::forward<O>(observer))
            .for_each(visit);
    });
}

/// At most `max_paths` of the cheapest paths from `start` to a goal: `result.paths`. If there are more,
/// `result.is_complete` is false. See `count_optimal` for the rest.
template <Problem P, class H, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P>
all_paths_result_t<P> all_optimal_paths(const P& problem, const detail::named_state_t<P>& start,
                                        H&& heuristic, std::size_t max_paths, limits_t<P> limits = {},
                                        O&& observer = O{}) {
    std::vector<std::vector<state_t<P>>> paths;
    const auto keep = [&](const std::vector<state_t<P>>& path) {
        const bool is_wanted = paths.size() < max_paths;
        if (is_wanted) paths.push_back(path);
        return is_wanted;
    };
    auto result = for_each_optimal_path(problem, start, std::forward<H>(heuristic), keep, std::move(limits),
                                        std::forward<O>(observer));
    result.count = paths.size();
    result.paths = std::move(paths);
    return result;
}

} // namespace npuzzle
