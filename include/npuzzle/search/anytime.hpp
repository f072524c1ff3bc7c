#pragma once

#include "npuzzle/search/assert.hpp"
#include "npuzzle/search/best_first_engine.hpp"
#include "npuzzle/search/cost.hpp"
#include "npuzzle/search/hash.hpp"
#include "npuzzle/search/heuristic.hpp"
#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/observer.hpp"
#include "npuzzle/search/policy.hpp"
#include "npuzzle/search/priority.hpp"
#include "npuzzle/search/problem.hpp"
#include "npuzzle/search/result.hpp"

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
/// Searches that find a solution soon, and go on to better ones: anytime weighted A* and ARA*.

namespace npuzzle {

/// The outcome of an anytime search, or one of its solutions.
///
/// `status` is `solved` if the solution is proved to be the cheapest, `running` if the search goes on, and else what ended
/// it: a limit, with the best solution that had been found until then, if there was one.
template <class State, class Cost, class Move = void>
struct AnytimeResult : SearchResult<State, Cost, Move> {
    /// `path` leads to a goal. If not, it is the best partial path of a search that a limit ended, or empty.
    bool is_solution = false;
    /// The solution costs at most this many times the optimum, if the heuristic is admissible; 1 if it is proved to be the
    /// optimum. Infinite if there is no solution, or if nothing is known but that costs are not negative.
    double bound = std::numeric_limits<double>::infinity();
};

/// The weights of ARA*: `first`, then less by `step` from one iteration to the next, until 1. Integers keep integer costs and
/// estimates in integers, and so in the quicker open list.
template <class W>
struct WeightSchedule {
    static_assert(std::is_arithmetic_v<W>);

    /// \throws std::invalid_argument if `first` is less than 1, or `step` not more than 0
    constexpr WeightSchedule(W first_weight, W weight_step) : first(first_weight), step(weight_step) {
        if (!(first >= W{1}) || !(step > W{})) {
            throw std::invalid_argument("weights fall from 1 or more by steps of more than 0");
        }
    }

    W first;
    W step;
};

namespace detail {

template <class P>
struct anytime_result {
    using type = void;
};

template <Problem P>
struct anytime_result<P> {
    using type = AnytimeResult<state_t<P>, cost_t<P>, move_t<P>>;
};

template <class P>
using anytime_result_t = typename anytime_result<P>::type;

/// Both searches: that by one weight, which opens closed nodes again, and that by falling weights, which expands a node once
/// for each of them.
template <Problem P, class H, class W, class O>
class AnytimeEngine {
public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Result = AnytimeResult<State, Cost, move_t<P>>;

private:
    using WeightedFunction = WeightedPriority<Cost, Estimate, W>;
    // Nodes are gone through by number, for the least f among those that are open.
    using Parts = PartsFor<P, std::remove_cvref_t<H>, Policy{.node_table = NodeTableKind::pooled}, WeightedFunction>;
    using Table = typename Parts::NodeTable;
    using TableNode = typename Table::Node;
    using Key = typename Table::Key;
    using Move = typename Table::Move;
    using OpenList = typename Parts::OpenList;
    using Kept = typename kept_heuristic<H, P>::type;
    using Priority = typename WeightedFunction::Value;

public:
    using Node = NodeView<State, Cost, Estimate, Priority>;

    static_assert(std::is_arithmetic_v<Cost> && std::is_arithmetic_v<Estimate>);
    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    AnytimeEngine(const AnytimeEngine&) = delete;
    AnytimeEngine& operator=(const AnytimeEngine&) = delete;

    /// Adds one more state to start from. Has no effect once the search is over.
    void add_start(const State& start) {
        if (status_ == Status::running) {
            guarded([&] {
                auto [node, is_new] = table_.insert(State(start));
                if (is_new || Cost{} < node.cost()) {
                    const Estimate estimate = evaluate(start);
                    observer_.start(Node{node.state(), Cost{}, estimate, priority_(Cost{}, estimate)});
                    statistics_.reopened += !is_new && node.is_closed() ? 1 : 0;
                    admit(node, Cost{}, estimate, Table::root(node));
                }
                announce();
            });
        }
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        guarded([&] { advance(); });
        return status_ == Status::running;
    }

    /// Steps to the next solution that is cheaper than the last one. False if the search has ended without one more.
    bool next_solution() {
        while (handed_out_ == solutions_ && status_ == Status::running) {
            step();
        }
        const bool is_one_more = handed_out_ < solutions_;
        handed_out_ = solutions_;
        return is_one_more;
    }

    /// Steps to the end.
    Status run() {
        while (step()) {
        }
        return status_;
    }

    /// Ends the search with what it has.
    void stop(Status status = Status::cancelled) {
        if (status_ == Status::running) {
            finish(status);
        }
    }

    Status status() const { return status_; }

    /// How many solutions have been found, each cheaper than the one before.
    std::uint64_t solutions() const { return solutions_; }

    /// The weight at present.
    W weight() const { return weight_; }

    /// What has been done so far.
    Statistics statistics() const {
        Statistics statistics = statistics_;
        statistics.stored = table_.size();
        statistics.bytes = budget_.peak();
        statistics.seconds = status_ == Status::running ? monitor_.seconds() : seconds_;
        return statistics;
    }

    /// The best solution so far, by reference: it changes when the search goes on.
    const Result& solution() {
        solution_.status = status_;
        solution_.statistics = statistics();
        solution_.bound = bound();
        return solution_;
    }

    /// The same as a copy. If there is no solution and a limit ended the search, the path goes to the state of the least
    /// estimate of those expanded. If there is no memory left for the path, the status is `memory_limit`.
    Result result() {
        try {
            Result result = solution();
            if (!result.is_solution && nearest_ && is_limit(status_)) {
                retrace(table_.find(*nearest_), result);
            }
            return result;
        } catch (const std::bad_alloc&) {
            Result result;
            result.statistics = statistics();
            result.status = is_limit(status_) ? status_ : Status::memory_limit;
            return result;
        }
    }

protected:
    AnytimeEngine(const P& problem, const State& start, H&& heuristic, W weight, W step, bool is_repairing,
                  BasicLimits<Cost> limits, O&& observer)
        : problem_(&problem), heuristic_(keep(std::forward<H>(heuristic), problem)),
          observer_(std::forward<O>(observer)), weight_(weight), weight_step_(step), is_repairing_(is_repairing),
          priority_(weight), max_cost_(limits.max_cost), monitor_(limits), budget_(limits.bytes),
          table_(problem, budget_), open_(budget_), closed_in_(BudgetAllocator<std::uint32_t>(budget_)) {
        add_start(start);
    }

private:
    static constexpr bool has_moves = MoveProblem<P>;
    static constexpr bool is_evaluating = follows_by_evaluation<H, P>;
    static constexpr bool is_incremental = is_evaluating || IncrementalHeuristicFor<H, P>;

    struct Nothing {};

    struct Parent {
        const State& state;
        Cost cost;
        Estimate estimate;
        Priority priority;
        TableNode node;
    };

    static Kept keep(H&& heuristic, const P& problem) {
        if constexpr (BindsTo<H, P>) {
            return heuristic.bind(problem);
        } else {
            return std::forward<H>(heuristic);
        }
    }

    static bool is_limit(Status status) {
        return status == Status::expansion_limit || status == Status::memory_limit ||
               status == Status::time_limit || status == Status::cancelled;
    }

    template <class F>
    void guarded(F&& work) {
        try {
            work();
        } catch (const std::bad_alloc&) {
            finish(Status::memory_limit);
        }
    }

    void finish(Status status) {
        if (status != Status::solved) {
            prove();
        }
        status_ = status;
        seconds_ = monitor_.seconds();
        observer_.progress(statistics());
    }

    Estimate evaluate(const State& state) {
        if constexpr (std::same_as<std::remove_cvref_t<H>, Zero>) {
            return Estimate{};
        } else {
            return saturating_cast<Estimate>(heuristic_(state));
        }
    }

    static Estimate least_total(const Cost& cost, const Estimate& estimate) {
        return AStarPriority<Cost, Estimate>{}(cost, estimate);
    }

    /// Whether no path through a node is cheaper than the solution that is known.
    bool is_beaten(const Cost& cost, const Estimate& estimate) const {
        return incumbent_ && !(least_total(cost, estimate) < saturating_cast<Estimate>(*incumbent_));
    }

    /// Whether no path through a node costs as little as a solution may, or as the type can hold.
    bool is_beyond(const Cost& cost, const Estimate& estimate) {
        const bool is_beyond = is_too_dear(least_total(cost, estimate));
        is_cut_ = is_cut_ || is_beyond;
        return is_beyond;
    }

    bool is_too_dear(const Estimate& least) const {
        return is_infinite(least) || (max_cost_ && saturating_cast<Estimate>(*max_cost_) < least);
    }

    /// One expansion, or the end.
    void advance() {
        while (status_ == Status::running) {
            if (open_.empty()) {
                begin_iteration();
                continue;
            }
            const auto entry = open_.pop();
            if (is_repairing_ && incumbent_ && !(entry.priority < saturating_cast<Priority>(*incumbent_))) {
                begin_iteration(); // The entry's node is still open, and found again.
                continue;
            }
            const auto found = table_.find_open(entry.key, entry.cost, [](const State&) { return true; });
            if (!found || is_beaten(entry.cost, found->estimate())) {
                continue;
            }
            if (monitor_.is_due(statistics_.expanded)) {
                if (const Status limit = monitor_.check(statistics_.expanded); limit != Status::running) {
                    finish(limit);
                    return;
                }
                observer_.progress(statistics());
            }
            TableNode node = *found;
            expand({node.state(), entry.cost, node.estimate(), entry.priority, node});
            announce();
            return;
        }
    }

    /// When no node is left that this weight has to expand: goes on with the next weight, or ends.
    void begin_iteration() {
        if (is_repairing_ && incumbent_ && declares_consistent<Kept>) {
            // Likhachev, Gordon and Thrun prove it for consistent heuristics.
            proved_by_weight_ =
                std::max(proved_by_weight_, static_cast<double>(*incumbent_) / static_cast<double>(weight_));
        }
        prove();
        if (is_repairing_) {
            do {
                weight_ = weight_ > W{1} && weight_ - W{1} > weight_step_ ? static_cast<W>(weight_ - weight_step_)
                                                                         : W{1};
            } while (weight_ > W{1} && !(static_cast<double>(weight_) < bound()));
            priority_ = WeightedFunction(weight_);
            ++iteration_;
            open_.clear();
            for_each_open([&](const TableNode& node) {
                open_.push({priority_(node.cost(), node.estimate()), node.cost(), node.key()});
            });
            note_open();
        }
        if (open_.empty()) {
            finish(incumbent_   ? Status::solved
                   : !is_cut_   ? Status::unsolvable
                   : max_cost_  ? Status::cost_limit
                                : Status::cost_overflow);
        }
    }

    /// Calls `visit(node)` for each node that may be on the way to a cheaper solution.
    template <class F>
    void for_each_open(F&& visit) {
        for (std::uint64_t key = 0; key < table_.size(); ++key) {
            const TableNode node = table_.find(static_cast<Key>(key));
            if (!node.is_closed() && !is_beaten(node.cost(), node.estimate()) &&
                !is_too_dear(least_total(node.cost(), node.estimate()))) {
                visit(node);
            }
        }
    }

    /// Takes the least f of all open nodes for a bound on the optimum: one of them is on a cheapest path, with the least
    /// cost that leads to it, unless nothing is cheaper than the solution.
    void prove() {
        if (!incumbent_) {
            return;
        }
        Estimate least = saturating_cast<Estimate>(*incumbent_);
        if (expanding_ && *expanding_ < least) {
            least = *expanding_; // Of its neighbours, some may be missing.
        }
        for_each_open([&](const TableNode& node) {
            least = std::min(least, least_total(node.cost(), node.estimate()));
        });
        proved_ = std::max(proved_, least);
        proved_at_ = statistics_.expanded;
    }

    double bound() const {
        if (!solution_.is_solution) {
            return std::numeric_limits<double>::infinity();
        }
        if (!(proved_ < saturating_cast<Estimate>(solution_.cost))) {
            return 1;
        }
        const double least = std::max(static_cast<double>(proved_), proved_by_weight_);
        const double bound = static_cast<double>(solution_.cost) / least;
        return least > 0 ? std::max(bound, 1.0) : std::numeric_limits<double>::infinity();
    }

    /// Makes the goal that was reached the solution.
    void announce() {
        if (!reached_) {
            return;
        }
        const TableNode goal = table_.find(*reached_);
        reached_.reset();
        Result solution;
        retrace(goal, solution);
        solution.is_solution = true;
        incumbent_ = solution.cost;
        solution_ = std::move(solution);
        ++solutions_;
        observer_.goal(Node{goal.state(), solution_.cost, goal.estimate(),
                            priority_(solution_.cost, goal.estimate())});
        // All nodes are looked at for that: not again before some part of the work has been done that made them.
        constexpr std::uint64_t few = 1 << 14;
        if (table_.size() < few || statistics_.expanded - proved_at_ > table_.size() / 16) {
            prove();
        }
        if (bound() <= 1) {
            finish(Status::solved);
        }
    }

    void expand(Parent parent) {
        if (is_repairing_) {
            if (closed_in_.size() <= parent.node.key()) {
                closed_in_.resize(std::max<std::size_t>(2 * closed_in_.size(), parent.node.key() + std::size_t{1}));
            }
            closed_in_[parent.node.key()] = iteration_;
        }
        if (!nearest_ || parent.estimate < least_estimate_) {
            nearest_ = parent.node.key();
            least_estimate_ = parent.estimate;
        }
        expanding_ = least_total(parent.cost, parent.estimate);
        parent.node.close();
        ++statistics_.expanded;
        observer_.expand(view_of(parent));
        if constexpr (has_moves) {
            const auto evaluation = [&] {
                if constexpr (is_evaluating) {
                    return heuristic_.evaluate(parent.state);
                } else {
                    return Nothing{};
                }
            }();
            const Move last = parent.node.last_move();
            problem_->for_each_move(parent.state, last, [&](Move move) {
                State child = parent.state;
                problem_->apply(child, move);
                generate(parent, std::move(child), move_cost(parent.state, move), move, evaluation);
            });
        } else {
            for (auto&& neighbor : problem_->neighbors(parent.state)) {
                if constexpr (is_weighted<P>) {
                    consider(parent, State(neighbor.to), neighbor.cost);
                } else {
                    consider(parent, State(neighbor), Cost{1});
                }
            }
        }
        note_open();
        expanding_.reset();
    }

    void note_open() {
        statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, open_.size());
    }

    Cost move_cost(const State& state, const Move& move) const {
        if constexpr (is_weighted<P>) {
            return problem_->move_cost(state, move);
        } else {
            return Cost{1};
        }
    }

    void consider(const Parent& parent, State&& child, const Cost& step) {
        if (!table_.leads_back(parent.node, child)) {
            generate(parent, std::move(child), step, Move{}, Nothing{});
        }
    }

    template <class Evaluation>
    void generate(const Parent& parent, State&& state, const Cost& step, const Move& move,
                  const Evaluation& evaluation) {
        ++statistics_.generated;
        if (step < Cost{}) {
            ++statistics_.broken_promises;
            NPUZZLE_ASSERT(false && "costs are not negative");
            return;
        }
        const Cost cost = saturating_add<Cost>(parent.cost, step);
        if (!Table::can_hold(cost)) {
            // A step of infinite cost is a wall; only a finite one can lead out of the type's range.
            is_cut_ = is_cut_ || !is_infinite(step);
            return;
        }
        auto [node, is_new] = table_.insert(std::move(state));
        const Estimate estimate =
            is_new ? new_estimate(parent, node.state(), move, evaluation) : node.estimate();
        const Node view{node.state(), cost, estimate, priority_(cost, estimate)};
        observer_.generate(view, view_of(parent));
        if (!is_new && !(cost < node.cost())) {
            ++statistics_.duplicates;
            observer_.duplicate(view);
            return;
        }
        if (!is_new && !is_infinite(estimate) && !is_beaten(cost, estimate)) {
            if (node.is_closed()) {
                ++statistics_.reopened;
                observer_.reopen(view);
            } else {
                observer_.improve(view);
            }
        }
        admit(node, cost, estimate, Table::link(parent.node, move));
    }

    /// Gives a node its path, and puts it where it belongs.
    void admit(TableNode node, const Cost& cost, const Estimate& estimate, const typename Table::Link& link) {
        if (is_infinite(estimate)) {
            node.relax(Cost{}, estimate, link);
            node.close(); // A dead end: known, at a cost that no path can beat.
            return;
        }
        node.relax(cost, estimate, link);
        if (is_beyond(cost, estimate) || is_beaten(cost, estimate)) {
            return; // It stays open, for a cheaper path that may yet be found.
        }
        if (problem_->is_goal(node.state())) {
            if (estimate < Estimate{} || Estimate{} < estimate) {
                ++statistics_.broken_promises;
                NPUZZLE_ASSERT(false && "h(goal) is zero");
            }
            node.close(); // What lies behind a goal is not cheaper.
            reached_ = node.key();
            incumbent_ = cost;
            return;
        }
        if (is_repairing_ && node.key() < closed_in_.size() && closed_in_[node.key()] == iteration_) {
            return; // Inconsistent: open, but not in this iteration.
        }
        open_.push({priority_(cost, estimate), cost, node.key()});
    }

    template <class Evaluation>
    Estimate new_estimate(const Parent& parent, const State& state, const Move& move,
                          const Evaluation& evaluation) {
        if constexpr (is_evaluating) {
            return saturating_cast<Estimate>(
                heuristic_.value(heuristic_.after(evaluation, parent.state, move, state)));
        } else if constexpr (is_incremental) {
            return static_cast<Estimate>(heuristic_.after(parent.estimate, parent.state, move, state));
        } else {
            return evaluate(state);
        }
    }

    static Node view_of(const Parent& parent) {
        return Node{parent.state, parent.cost, parent.estimate, parent.priority};
    }

    /// The path that leads to a node now. It may be cheaper than when the node was reached, since nodes on it may have
    /// been improved.
    void retrace(const TableNode& end, Result& result) {
        for (TableNode node = end;; node = table_.parent(node)) {
            result.path.push_back(node.state());
            if (node.is_root()) {
                break;
            }
            if constexpr (has_moves) {
                result.moves.push_back(node.last_move());
            }
        }
        std::reverse(result.path.begin(), result.path.end());
        if constexpr (has_moves) {
            std::reverse(result.moves.begin(), result.moves.end());
        }
        for (std::size_t i = 1; i < result.path.size(); ++i) {
            if constexpr (!is_weighted<P>) {
                result.cost = static_cast<Cost>(result.cost + Cost{1});
            } else if constexpr (has_moves) {
                result.cost = static_cast<Cost>(result.cost +
                                                problem_->move_cost(result.path[i - 1], result.moves[i - 1]));
            } else {
                std::optional<Cost> least;
                for (auto&& neighbor : problem_->neighbors(result.path[i - 1])) {
                    if (is_equal(State(neighbor.to), result.path[i]) && !(neighbor.cost < Cost{}) &&
                        (!least || neighbor.cost < *least)) {
                        least = neighbor.cost;
                    }
                }
                result.cost = static_cast<Cost>(result.cost + *least);
            }
        }
    }

    const P* problem_;
    Kept heuristic_;
    O observer_;
    W weight_;
    W weight_step_;
    bool is_repairing_;
    WeightedFunction priority_;
    std::optional<Cost> max_cost_;
    LimitMonitor monitor_;
    MemoryBudget budget_;
    Table table_;
    OpenList open_;
    /// By the number of a node, the last iteration in which ARA* expanded it.
    std::vector<std::uint32_t, BudgetAllocator<std::uint32_t>> closed_in_;
    std::uint32_t iteration_ = 1;
    Statistics statistics_;
    std::optional<Cost> incumbent_; // the least cost of a goal that was reached
    std::optional<Key> reached_;    // the goal, until it is announced
    Result solution_;
    std::uint64_t solutions_ = 0;
    std::uint64_t handed_out_ = 0;
    std::optional<Estimate> expanding_; // f of the node whose neighbours are not all there
    Estimate proved_{};                 // no solution costs less
    double proved_by_weight_ = 0;       // nor this
    std::uint64_t proved_at_ = 0;       // after so many expansions
    std::optional<Key> nearest_;        // of those expanded, the node of the least estimate
    Estimate least_estimate_{};
    double seconds_ = 0;
    Status status_ = Status::running;
    bool is_cut_ = false; // some path was not followed since it costs too much
};

/// Runs an anytime engine, made by `make`, and hands out its solutions.
template <class P, class Make, class F>
anytime_result_t<P> run_anytime(Make&& make, F&& on_solution) {
    try {
        auto engine = make();
        while (engine.next_solution()) {
            try {
                if constexpr (std::is_void_v<decltype(on_solution(engine.solution()))>) {
                    on_solution(engine.solution());
                } else if (!on_solution(engine.solution())) {
                    engine.stop();
                }
            } catch (const std::bad_alloc&) {
                engine.stop(Status::memory_limit);
            }
        }
        return engine.result();
    } catch (const std::bad_alloc&) {
        anytime_result_t<P> result;
        result.status = Status::memory_limit;
        return result;
    }
}

} // namespace detail

/// What can be told of the solutions of an anytime search: called with an `AnytimeResult`; may return `false` to stop.
template <class F, class P>
concept SolutionSink = Problem<P> && std::invocable<F&, const detail::anytime_result_t<P>&>;

/// Anytime weighted A* as an object (E. A. Hansen and R. Zhou, "Anytime heuristic search", JAIR 28, 2007): weighted A* that
/// goes on after the first solution, leaves out what cannot be cheaper, and so comes to the optimum.
///
/// The engine refers to the problem and, where it was given an lvalue, to the heuristic and the observer: they must
/// outlive it. Each `step` is one expansion; `next_solution` steps to the next solution, `solution` is the best so far.
template <Problem P, class H, class W, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AnytimeAStar : public detail::AnytimeEngine<P, H, W, O> {
public:
    /// \throws std::invalid_argument if the weight is less than 1
    AnytimeAStar(const P& problem, const state_t<P>& start, H&& heuristic, W weight,
                 BasicLimits<cost_t<P>> limits = {}, O&& observer = O{})
        : detail::AnytimeEngine<P, H, W, O>(problem, start, std::forward<H>(heuristic),
                                            WeightSchedule<W>(weight, W{1}).first, W{1}, false, limits,
                                            std::forward<O>(observer)) {}
};

template <class P, class H, class W, class O = SilentObserver>
AnytimeAStar(const P&, const state_t<P>&, H&&, W, detail::limits_t<P> = {}, O&& = O{})
    -> AnytimeAStar<P, H, W, O>;

/// ARA* as an object (M. Likhachev, G. Gordon, S. Thrun, "ARA*: anytime A* with provable bounds on sub-optimality", NIPS
/// 2003): weighted A* with one weight after the other, each less than the last, on the same nodes. With one weight a
/// node is expanded once; one that is reached more cheaply after that waits for the next.
///
/// A solution is announced when its goal is reached, before the iteration that found it ends. Weights that could prove
/// nothing new are passed over.
template <Problem P, class H, class W, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AraStar : public detail::AnytimeEngine<P, H, W, O> {
public:
    AraStar(const P& problem, const state_t<P>& start, H&& heuristic, WeightSchedule<W> weights,
            BasicLimits<cost_t<P>> limits = {}, O&& observer = O{})
        : detail::AnytimeEngine<P, H, W, O>(problem, start, std::forward<H>(heuristic), weights.first,
                                            weights.step, true, limits, std::forward<O>(observer)) {}
};

template <class P, class H, class W, class O = SilentObserver>
AraStar(const P&, const state_t<P>&, H&&, WeightSchedule<W>, detail::limits_t<P> = {}, O&& = O{})
    -> AraStar<P, H, W, O>;

/// Anytime weighted A*: ever cheaper paths to a goal, until one is proved to be the cheapest, a limit strikes, or
/// `on_solution` says so. See `AnytimeAStar`.
///
/// \param weight w, at least 1: with the first solution, and a consistent heuristic, usually the greatest bound. An
/// integer keeps integer costs and estimates in integers, and so in the quicker open list.
/// \param on_solution called with each solution as soon as it is found, and with its bound; the search ends with
/// `Status::cancelled` if it returns false. It may return nothing.
/// \param limits `max_cost` leaves out from the beginning what costs more
/// \return the last solution, with its bound; also if a limit struck
/// \throws std::invalid_argument if the weight is less than 1
template <Problem P, class H, class W, class F, class O = SilentObserver>
    requires HeuristicFor<H, P> && std::is_arithmetic_v<W> && SolutionSink<F, P>
detail::anytime_result_t<P> anytime_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                          W weight, F&& on_solution, detail::limits_t<P> limits = {},
                                          O&& observer = O{}) {
    return detail::run_anytime<P>(
        [&] {
            return AnytimeAStar<P, H, W, O>(problem, start, std::forward<H>(heuristic), weight, limits,
                                            std::forward<O>(observer));
        },
        on_solution);
}

/// ARA*: ever cheaper paths to a goal, by weights that fall, as `anytime_astar`. See `AraStar`.
///
/// \param weights `WeightSchedule{5, 1}`: 5, 4, 3, 2, 1. When one is through, and the heuristic declares itself
/// consistent, the solution costs at most that many times the optimum.
template <Problem P, class H, class W, class F, class O = SilentObserver>
    requires HeuristicFor<H, P> && SolutionSink<F, P>
detail::anytime_result_t<P> ara_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                     WeightSchedule<W> weights, F&& on_solution, detail::limits_t<P> limits = {},
                                     O&& observer = O{}) {
    return detail::run_anytime<P>(
        [&] {
            return AraStar<P, H, W, O>(problem, start, std::forward<H>(heuristic), weights, limits,
                                       std::forward<O>(observer));
        },
        on_solution);
}

} // namespace npuzzle
