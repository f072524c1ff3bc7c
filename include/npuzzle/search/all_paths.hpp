#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/assert.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/expansion.hpp"
#include "npuzzle/search/kernel/limit_monitor.hpp"
#include "npuzzle/search/kernel/optimal_graph.hpp"
#include "npuzzle/search/memory/budget.hpp"

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
/// A path is a sequence of states without repetition that begins at a start and ends at the first goal it meets. Two paths
/// are different if their states are: parallel edges of equal cost make one path, that of the first of them.

namespace npuzzle {

/// The outcome of a search for all cheapest paths. `path` is the first of them.
template <class State, class Cost, class Move = void>
struct AllPathsResult : SearchResult<State, Cost, Move> {
    /// How many cheapest paths were counted, or given.
    std::uint64_t count = 0;
    /// Whether there are no more. If not, a limit or the caller ended it, or `count` is the largest number that there is,
    /// 2^64 - 1, and the true one is greater.
    bool is_complete = false;
    /// The paths themselves, from `all_optimal_paths`.
    std::vector<std::vector<State>> paths = {};
};

/// The search for all cheapest paths as an object. It goes on from A* when a goal has been found: until all states are
/// expanded whose f is not greater than the cost of that goal; the last step sets up the optimal graph. Meanwhile it notes
/// for each state all those from which it is reached at its least cost. Going back over these from all goals of that cost
/// gives the optimal graph, in which each way from a start to its end is a cheapest path, and the other way round.
///
/// Right under any admissible heuristic, a consistent one or not. Refers to the problem, heuristic and observer as `AStar`
/// does, and keeps limits as it does; their time and stop hold for what comes after the search, too.
///
/// \tparam P a `Problem` with `HasHash`
/// \tparam H a `HeuristicFor` it; a reference type to refer to an lvalue
/// \tparam O an `ObserverOf` its nodes; a reference type to refer to an lvalue
template <Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AllPaths : public EngineBase<AllPaths<P, H, O>, cost_t<P>, O> {
    using Base = EngineBase<AllPaths, cost_t<P>, O>;
    friend Base;
    using Parts = PartsFor<P, std::remove_cvref_t<H>, Policy{.node_table = NodeTableKind::pooled}>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Priority = typename Parts::Priority::Value;
    using Result = AllPathsResult<State, Cost, move_t<P>>;
    using Node = NodeView<State, Cost, Estimate, Priority>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// Sets up a search. Linear in the size of the state; throws what copying the heuristic or binding it throws.
    AllPaths(const P& problem, const State& start, H&& heuristic, BasicLimits<Cost> limits = {},
             O&& observer = O{})
        : Base(limits, std::forward<O>(observer)), problem_(&problem),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), problem)),
          work_monitor_(limits), table_(problem, budget_), open_(budget_), heads_(on_budget<Number>()),
          links_(on_budget<Link>()), starts_(on_budget<Number>()), goals_(on_budget<Number>()),
          graph_(budget_), vertices_(on_budget<Number>()) {
        monitor_.restart(); // To bind a heuristic may take long.
        add_start(start);
    }

    /// Adds one more state to start from. A path counts from each start, also if it comes by another.
    /// Has no effect once the search is over.
    void add_start(const State& start) {
        if (status_ != Status::running) {
            return;
        }
        guarded([&] {
            auto [node, is_new] = insert(State(start));
            if (!is_new && !(Cost{} < node.cost()) &&
                std::find(starts_.begin(), starts_.end(), node.key()) != starts_.end()) {
                return;
            }
            starts_.push_back(node.key());
            if (!is_new && !(Cost{} < node.cost())) {
                return; // reached from another start at no cost
            }
            statistics_.reopened += !is_new && node.is_closed() ? 1 : 0;
            const Estimate estimate = evaluate(start);
            const Priority priority = priority_(Cost{}, estimate);
            observer_.start(Node{start, Cost{}, estimate, priority});
            node.relax(Cost{}, estimate, Table::root(node));
            heads_[node.key()] = none;
            if (detail::is_infinite(estimate) || is_beyond(priority)) {
                node.close();
            } else {
                push(priority, Cost{}, node);
            }
        });
    }

    /// How many cheapest paths there are: for each state, from the goals backward, the sum over the states that follow it.
    /// Linear in the size of the optimal graph, however many the paths are. Where steps of cost zero lead in a circle there
    /// is no such order; then the paths within the circles, and these alone, are gone through one by one, which takes time
    /// exponential in their size. Limits hold for that, too.
    Result count() {
        return finished([&](Result& result) {
            const std::optional<std::uint64_t> count = graph_.count(work_monitor_);
            Paths paths(*this);
            if (!count || !paths.next()) {
                return work_monitor_.status();
            }
            take_first(result, paths);
            result.count = *count;
            result.is_complete = result.count != std::numeric_limits<std::uint64_t>::max();
            return Status::solved;
        });
    }

    /// Calls `visit(path)`, or `visit(path, moves)` where the problem has moves and `visit` takes them, for each cheapest path,
    /// in the order of the starts, then of the neighbours of each state. They are made one by one, as they are asked for. Ends
    /// early if `visit` returns false; it may return nothing. From one path to the next it takes time linear in their length,
    /// except where steps of cost zero lead in a circle: there are dead ends then.
    template <class F>
    Result for_each(F&& visit) {
        return finished([&](Result& result) {
            Paths paths(*this);
            while (paths.next()) {
                if (result.count++ == 0) {
                    take_first(result, paths);
                }
                if (!goes_on(visit, paths)) {
                    return Status::solved;
                }
            }
            result.is_complete = paths.status() == Status::solved;
            return paths.status();
        });
    }

private:
    using Base::budget_, Base::exhausted, Base::finish, Base::guarded, Base::pruned_by_bound_,
        Base::is_stopped, Base::max_cost_, Base::monitor_, Base::observer_, Base::statistics_, Base::status_;

    using Table = typename Parts::NodeTable;
    using TableNode = typename Table::Node;
    using Key = typename Table::Key;
    using Move = typename Table::Move;
    using BoundHeuristic = typename detail::bound_heuristic<H, P>::type;
    /// The number of a node in the table, of a link, or of a vertex of the optimal graph.
    using Number = Key;
    using Graph = detail::OptimalGraph<Number>;

    static_assert(std::same_as<Number, std::uint32_t>); // the pooled table numbers its nodes from 0

    static constexpr Number none = Graph::none;
    static constexpr bool has_moves = detail::has_moves<P>;

    /// A step by which a state is reached at its least cost; those of one state are a list.
    struct Link {
        Number from;
        Number next;
        [[no_unique_address]] Move move;
    };

    template <class T>
    using Vector = typename Graph::template Vector<T>;

    template <class T>
    BudgetAllocator<T> on_budget() {
        return BudgetAllocator<T>(budget_);
    }

    void complete(Statistics& statistics) const { statistics.stored = table_.size(); }

    Estimate evaluate(const State& state) {
        if constexpr (std::same_as<std::remove_cvref_t<H>, Zero>) {
            return Estimate{};
        } else {
            return detail::saturating_cast<Estimate>(heuristic_(state));
        }
    }

    std::pair<TableNode, bool> insert(State&& state) {
        auto found = table_.insert(std::move(state));
        if (found.second) {
            heads_.push_back(none);
        }
        return found;
    }

    void push(const Priority& priority, const Cost& cost, const TableNode& node) {
        open_.push({priority, cost, node.key()});
        statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, open_.size());
    }

    /// One expansion, or the end.
    void advance() {
        while (status_ == Status::running) {
            if (open_.empty()) {
                end_search();
                return;
            }
            const auto entry = open_.pop();
            if (goal_cost_ && detail::saturating_cast<Priority>(*goal_cost_) < entry.priority) {
                end_search();
                return;
            }
            std::optional<TableNode> node =
                table_.find_open(entry.key, entry.cost, [](const State&) { return true; });
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
        if (view.estimate < Estimate{} || Estimate{} < view.estimate) {
            ++statistics_.contract_violations;
            NPUZZLE_ASSERT(false && "h(goal) is zero");
        }
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

    void expand(const TableNode& parent, const Node& view) {
        if constexpr (has_moves) {
            // A step straight back is on no cheapest path, unless it costs nothing.
            const Move last = is_weighted<P> ? P::no_move : parent.last_move();
            const auto evaluation = evaluation_of(view.state);
            problem_->for_each_move(view.state, last, [&](Move move) {
                State child = view.state;
                problem_->apply(child, move);
                Cost step{1};
                if constexpr (is_weighted<P>) {
                    step = problem_->move_cost(view.state, move);
                }
                generate(parent, view, std::move(child), step, move,
                         [&](const State& state) { return estimate_after(view, evaluation, move, state); });
            });
        } else {
            for (auto&& neighbor : problem_->neighbors(view.state)) {
                const auto estimate_of = [&](const State& state) { return evaluate(state); };
                if constexpr (is_weighted<P>) {
                    generate(parent, view, State(neighbor.to), neighbor.cost, Move{}, estimate_of);
                } else {
                    generate(parent, view, State(neighbor), Cost{1}, Move{}, estimate_of);
                }
            }
        }
    }

    /// What the heuristic is to know of the state being expanded, to follow its moves.
    auto evaluation_of(const State& state) {
        if constexpr (detail::follows_by_evaluation<H, P>) {
            return heuristic_.evaluate(state);
        } else {
            return std::false_type{};
        }
    }

    template <class Evaluation>
    Estimate estimate_after(const Node& before, [[maybe_unused]] const Evaluation& evaluation,
                            const Move& move, const State& state) {
        if constexpr (detail::follows_by_evaluation<H, P>) {
            return detail::saturating_cast<Estimate>(
                heuristic_.value(heuristic_.after(evaluation, before.state, move, state)));
        } else if constexpr (IncrementalHeuristicFor<H, P>) {
            return static_cast<Estimate>(heuristic_.after(before.estimate, before.state, move, state));
        } else {
            return evaluate(state);
        }
    }

    /// \param estimate_of what tells the estimate of a state that is new
    template <class F>
    void generate(const TableNode& parent, const Node& parent_view, State&& state, const Cost& step,
                  const Move& move, const F& estimate_of) {
        if (Cost{} < step && table_.leads_back(parent, state)) {
            return;
        }
        ++statistics_.generated;
        if (step < Cost{}) {
            ++statistics_.contract_violations;
            NPUZZLE_ASSERT(false && "costs are not negative");
            return;
        }
        const Cost cost = detail::saturating_add<Cost>(parent_view.cost, step);
        if (!Table::can_hold(cost)) {
            // A step of infinite cost is a wall; only a finite one can lead out of the type's range.
            pruned_by_bound_ = pruned_by_bound_ || !detail::is_infinite(step);
            return;
        }
        auto [node, is_new] = insert(std::move(state));
        const Estimate estimate = is_new ? estimate_of(node.state()) : node.estimate();
        const Priority priority = priority_(cost, estimate);
        const Node view{node.state(), cost, estimate, priority};
        observer_.generate(view, parent_view);
        if (!is_new && !(cost < node.cost())) {
            ++statistics_.duplicates;
            observer_.duplicate(view);
            if (!(node.cost() < cost)) {
                link(parent.key(), node.key(), move);
            }
            return;
        }
        if (detail::is_infinite(estimate)) {
            node.relax(Cost{}, estimate, Table::link(parent, move));
            node.close(); // A dead end: known, at a cost that no path can beat.
            return;
        }
        check_consistency(parent_view.priority, priority);
        const bool was_closed = node.is_closed();
        node.relax(cost, estimate, Table::link(parent, move));
        heads_[node.key()] = none;
        link(parent.key(), node.key(), move);
        if (is_beyond(priority)) {
            node.close(); // A cheaper path to it may yet be found, and opens it again.
            return;
        }
        if (goal_cost_ && detail::saturating_cast<Priority>(*goal_cost_) < priority) {
            node.close(); // Likewise: nothing on the way by which it was reached is of use.
            return;
        }
        if (!is_new) {
            if (was_closed) {
                ++statistics_.reopened;
                observer_.reopen(view);
            } else {
                observer_.improve(view);
            }
        }
        push(priority, cost, node);
    }

    /// Whether nothing of this priority costs as little as a solution may, or as the type can hold.
    bool is_beyond(const Priority& priority) {
        const bool is_beyond = detail::is_infinite(priority) ||
                               (max_cost_ && detail::saturating_cast<Priority>(*max_cost_) < priority);
        pruned_by_bound_ = pruned_by_bound_ || is_beyond;
        return is_beyond;
    }

    /// Floating-point sums round, so that only integers can be held to the promise.
    void check_consistency(const Priority& parent_priority, const Priority& priority) {
        if constexpr (std::integral<Priority> && declares_consistent<BoundHeuristic>) {
            if (priority < parent_priority) {
                ++statistics_.contract_violations;
                NPUZZLE_ASSERT(false && "f does not fall under a consistent heuristic");
            }
        }
    }

    /// Notes a step that is on a cheapest path to the state that it leads to.
    void link(Number from, Number to, const Move& move) {
        Number& head = heads_[to];
        if (from == to || (head != none && links_[head].from == from)) {
            return; // in place, or parallel to one that has just been noted
        }
        if (links_.size() == none) {
            throw std::bad_alloc();
        }
        links_.push_back({from, head, move});
        head = static_cast<Number>(links_.size() - 1);
    }

    void end_search() {
        if (goals_.empty()) {
            finish(exhausted());
            return;
        }
        finish(make_graph() ? Status::solved : work_monitor_.status());
    }

    /// The states from which a goal is reached along links, and the steps between them. False if a limit ended it.
    bool make_graph() {
        Vector<Number> vertex_of(static_cast<std::size_t>(table_.size()), none, heads_.get_allocator());
        const auto add = [&](Number key) {
            if (vertex_of[key] == none) {
                vertex_of[key] = static_cast<Number>(vertices_.size());
                vertices_.push_back(key);
            }
        };
        for (const Number goal : goals_) {
            add(goal);
        }
        for (std::size_t vertex = 0; vertex < vertices_.size(); ++vertex) {
            if (!work_monitor_.may_work()) {
                return false;
            }
            for (Number i = heads_[vertices_[vertex]]; i != none; i = links_[i].next) {
                add(links_[i].from);
            }
        }
        for (const Number start : starts_) {
            if (vertex_of[start] != none) {
                graph_.add_start(vertex_of[start]);
            }
        }
        const auto visit_edges = [&](const auto& visit) {
            for (Number vertex = 0; vertex < vertices_.size(); ++vertex) {
                for (Number i = heads_[vertices_[vertex]]; i != none; i = links_[i].next) {
                    visit(vertex_of[links_[i].from], typename Graph::Edge{vertex, i});
                }
            }
        };
        return graph_.set_edges(static_cast<Number>(vertices_.size()), visit_edges, work_monitor_);
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
                    path_.push_back(engine_.table_.find(engine_.vertices_[vertex]).state());
                    if (link != none) {
                        moves_.push_back(engine_.links_[link].move);
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

        Status status() const { return status_; }
        const std::vector<State>& path() const { return path_; }
        const std::vector<Move>& moves() const { return moves_; }

    private:
        AllPaths& engine_;
        typename Graph::Walk walk_;
        std::vector<State> path_;
        std::vector<Move> moves_;
        Status status_ = Status::solved;
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
        result.is_complete = status_ == Status::unsolvable;
        if (status_ == Status::solved) {
            try {
                result.status = work(result);
            } catch (const std::bad_alloc&) {
                result.status = Status::memory_limit;
            }
            if (result.status == Status::solved) {
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

    const P* problem_;
    BoundHeuristic heuristic_;
    [[no_unique_address]] typename Parts::Priority priority_{};
    detail::WorkMonitor work_monitor_; // for what comes after the search
    Table table_;
    typename Parts::OpenList open_;
    Vector<Number> heads_; // by node, the link that was noted last
    Vector<Link> links_;
    Vector<Number> starts_;
    Vector<Number> goals_; // of the least cost
    Graph graph_;
    Vector<Number> vertices_; // of the graph, their nodes
    std::optional<Cost> goal_cost_;
};

template <class P, class H, class O = SilentObserver>
AllPaths(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> AllPaths<P, H, O>;

namespace detail {

template <class P>
using all_paths_result_t = typename result_of<P, AllPathsResult>::type;

/// What `use` makes of an engine; `memory_limit` if there is no memory to set one up.
template <class P, class H, class O, class F>
all_paths_result_t<P> with_all_paths(const P& problem, const state_t<P>& start, H&& heuristic,
                                     const limits_t<P>& limits, O&& observer, F&& use) {
    return guarded_search([&] {
        AllPaths<P, H, O> engine(problem, start, std::forward<H>(heuristic), limits,
                                 std::forward<O>(observer));
        return use(engine);
    });
}

} // namespace detail

/// How many cheapest paths there are from `start` to a goal: `result.count`, which stays at 2^64 - 1 if there are more, and
/// `result.is_complete` says so. `result.path` is one of them. See `AllPaths::count`.
///
/// The heuristic has to be admissible. Costs are added up from the start and compared exactly: if they are floating-point
/// numbers that round, paths that ought to cost the same may not.
///
/// Never throws for lack of memory: that is `Status::memory_limit`. What the problem, the heuristic or the observer throws
/// otherwise passes through.
template <Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
detail::all_paths_result_t<P> count_optimal(const P& problem, const detail::named_state_t<P>& start,
                                            H&& heuristic, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::with_all_paths(problem, start, std::forward<H>(heuristic), limits,
                                  std::forward<O>(observer), [](auto& engine) { return engine.count(); });
}

/// Calls `visit(path)`, or `visit(path, moves)` where the problem has moves, for each cheapest path from `start` to a goal,
/// until it returns false or there are no more. See `AllPaths::for_each`, and `count_optimal` for the rest.
/// \return how many it was called for, and whether these are all
template <Problem P, class H, class F, class O = SilentObserver>
    requires HeuristicFor<H, P>
detail::all_paths_result_t<P> for_each_optimal_path(const P& problem, const detail::named_state_t<P>& start,
                                                    H&& heuristic, F&& visit, limits_t<P> limits = {},
                                                    O&& observer = O{}) {
    return detail::with_all_paths(problem, start, std::forward<H>(heuristic), limits,
                                  std::forward<O>(observer),
                                  [&](auto& engine) { return engine.for_each(visit); });
}

/// The cheapest paths from `start` to a goal, but no more than `most` of them: `result.paths`. If there are more,
/// `result.is_complete` is false. See `count_optimal` for the rest.
template <Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
detail::all_paths_result_t<P> all_optimal_paths(const P& problem, const detail::named_state_t<P>& start,
                                                H&& heuristic, std::size_t most, limits_t<P> limits = {},
                                                O&& observer = O{}) {
    return detail::with_all_paths(problem, start, std::forward<H>(heuristic), limits,
                                  std::forward<O>(observer), [&](auto& engine) {
                                      std::vector<std::vector<state_t<P>>> paths;
                                      auto result = engine.for_each([&](const std::vector<state_t<P>>& path) {
                                          const bool is_wanted = paths.size() < most;
                                          if (is_wanted) {
                                              paths.push_back(path);
                                          }
                                          return is_wanted;
                                      });
                                      result.count = paths.size();
                                      result.paths = std::move(paths);
                                      return result;
                                  });
}

} // namespace npuzzle
