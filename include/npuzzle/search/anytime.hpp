#pragma once

#include "npuzzle/search/core/assert.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/counting_multiset.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/expansion.hpp"
#include "npuzzle/search/memory/budget.hpp"

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
/// `status` is `solved` if the solution is proved to be a cheapest, `running` if the search goes on, and else what ended it: a
/// limit, with the best solution that had been found until then, if there was one.
template <class State, class Cost, class Move = void>
struct AnytimeResult : SearchResult<State, Cost, Move> {
    /// Whether `path` leads to a goal. If not, it is the best partial path of a search that a limit ended, or empty.
    bool is_solution = false;
    /// The solution costs at most this many times the optimum, if the heuristic is admissible; 1 if it is proved to be the
    /// optimum. Infinite if there is no solution, or if nothing is known but that costs are not negative.
    double bound = std::numeric_limits<double>::infinity();
};

/// The weights of ARA*: `first`, then less by `step` from one iteration to the next, until 1. Integers keep integer costs
/// and estimates in integers, and so in the quicker open list.
template <class W>
    requires std::is_arithmetic_v<W>
struct WeightSchedule {
    /// \throws std::invalid_argument if `first` is less than 1, or `step` not more than 0
    constexpr WeightSchedule(W first_weight, W weight_step) : first(first_weight), step(weight_step) {
        if (!(first >= W{1}) || !(step > W{})) {
            throw std::invalid_argument("weights fall from 1 or more by steps of more than 0");
        }
    }

    W first;
    W step;
};

/// What an anytime search of a problem gives back: `AnytimeResult` of its states, costs and moves.
template <class P>
using anytime_result_t = typename detail::result_of<P, AnytimeResult>::type;

namespace detail {

/// Both searches: that by one weight, which opens closed nodes again, and that by falling weights, which expands a node once
/// for each of them ("repairs" what it did by the last).
///
/// Nodes that are not closed are counted by g + h. One of them lies on a cheapest path, with the least cost that leads to it,
/// unless nothing is cheaper than the solution: so the least of these values is a bound on the optimum at any time.
template <Problem P, class H, class W, class O>
class AnytimeEngine : public EngineBase<AnytimeEngine<P, H, W, O>, cost_t<P>, O> {
    using Base = EngineBase<AnytimeEngine, cost_t<P>, O>;
    friend Base;
    using Weighted = WeightedPriority<cost_t<P>, estimate_t<H, P>, W>;
    // The pooled table numbers its nodes, and they do not move when it grows.
    using Parts = PartsFor<P, std::remove_cvref_t<H>, Policy{.node_table = NodeTableKind::pooled}, Weighted>;
    using Table = typename Parts::NodeTable;
    using TableNode = typename Table::Node;
    using Key = typename Table::Key;
    using Move = typename Table::Move;
    using BoundHeuristic = typename bound_heuristic<H, P>::type;
    using Priority = typename Weighted::Value;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Result = AnytimeResult<State, Cost, move_t<P>>;
    using Node = NodeView<State, Cost, Estimate, Priority>;

    static_assert(std::is_arithmetic_v<Cost> && std::is_arithmetic_v<Estimate>,
                  "bounds are quotients: costs and estimates have to be numbers");
    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// Adds one more state to start from; what was proved of the optimum is forgotten. Has no effect once the search is over.
    void add_start(const State& start) {
        if (status_ != Status::running) {
            return;
        }
        guarded([&] {
            proved_ = Estimate{};
            proved_by_weight_ = 0;
            if (is_repairing_ && statistics_.expanded > 0) {
                begin_iteration(); // All that an iteration proves, it proves of starts that it began with.
            }
            auto [node, is_new] = table_.insert(State(start));
            if (is_new || Cost{} < node.cost()) {
                const Estimate estimate =
                    is_new ? Estimator<BoundHeuristic, P>(heuristic_)(start) : node.estimate();
                observer_.start(view_of(node.state(), Cost{}, estimate));
                statistics_.reopened += !is_new && node.is_closed() ? 1 : 0;
                relax(node, Cost{}, estimate, Table::root(node));
            }
            finish_run();
        });
    }

    /// Steps to the next solution, which is cheaper than the last. False if the search has ended without one more.
    bool next_solution() {
        while (handed_out_ == solutions_ && this->step()) {
        }
        return std::exchange(handed_out_, solutions_) < solutions_;
    }

    /// Ends the search with what it has; the status says why.
    void stop(Status status = Status::cancelled) {
        if (status_ == Status::running) {
            finish(status);
        }
    }

    /// How many solutions have been found, each cheaper than the one before.
    std::uint64_t solutions() const { return solutions_; }

    /// The weight at present.
    W weight() const { return weight_; }

    /// The best solution so far, with what is known of it now. By reference: it changes when the search goes on.
    const Result& solution() {
        solution_.status = status_;
        solution_.statistics = this->statistics();
        solution_.bound = bound();
        return solution_;
    }

    /// The same as a copy. If there is no solution and a limit ended the search, the path goes to the state of the least
    /// estimate of those taken up. If there is no memory left for the path, the status is `memory_limit`.
    Result result() {
        return outcome(Result{}, [&](Result& result) {
            result = solution();
            if (!result.is_solution && nearest_ && is_limit(status_)) {
                retrace(*nearest_, result);
            }
        });
    }

protected:
    AnytimeEngine(const P& problem, const State& start, H&& heuristic, W weight, W weight_step,
                  bool is_repairing, const BasicLimits<Cost>& limits, O&& observer)
        : Base(limits, std::forward<O>(observer)), problem_(&problem),
          heuristic_(make_bound_heuristic(std::forward<H>(heuristic), problem)), weight_(weight),
          weight_step_(weight_step), is_repairing_(is_repairing), priority_(weight), table_(problem, budget_),
          open_(budget_), totals_(budget_), expanded_in_(BudgetAllocator<std::uint32_t>(budget_)) {
        monitor_.restart(); // To bind a heuristic may take long.
        add_start(start);
    }

private:
    using Base::budget_, Base::exhausted, Base::guarded, Base::pruned_by_bound_, Base::is_stopped,
        Base::max_cost_, Base::monitor_, Base::observer_, Base::outcome, Base::statistics_, Base::status_;

    void finish(Status status) {
        prove();
        Base::finish(status);
    }

    void complete(Statistics& statistics) const { statistics.stored = table_.size(); }

    Node view_of(const State& state, const Cost& cost, const Estimate& estimate) const {
        return Node{state, cost, estimate, priority_(cost, estimate)};
    }

    /// g + h: what a path through a node costs at least.
    static Estimate total(const Cost& cost, const Estimate& estimate) {
        return AStarPriority<Cost, Estimate>{}(cost, estimate);
    }
    static Estimate total(const TableNode& node) { return total(node.cost(), node.estimate()); }

    /// Whether no such path is cheaper than the solution that is known.
    bool is_beaten(const Estimate& total) const {
        return best_ && !(total < saturating_cast<Estimate>(*best_));
    }

    /// Whether no such path costs as little as a solution may, or as the type can hold.
    bool is_beyond(const Estimate& total) const {
        return is_infinite(total) || (max_cost_ && saturating_cast<Estimate>(*max_cost_) < total);
    }

    /// One expansion, or the end.
    void advance() {
        while (status_ == Status::running) {
            if (open_.empty()) {
                end_iteration();
                continue;
            }
            const auto entry = open_.pop();
            // By a weight of 1 it goes on until nothing is left that is not beaten.
            if (is_repairing_ && best_ && W{1} < weight_ &&
                !(entry.priority < saturating_cast<Priority>(*best_))) {
                end_iteration(); // The entry's node is not closed, and so found again.
                continue;
            }
            const auto node = table_.find_open(entry.key, entry.cost, [](const State&) { return true; });
            if (!node || is_beaten(total(*node))) {
                continue;
            }
            if (!nearest_ || node->estimate() < least_estimate_) {
                nearest_ = entry.key;
                least_estimate_ = node->estimate();
            }
            if (monitor_.is_due(statistics_.expanded) && is_stopped(statistics_.expanded)) {
                return;
            }
            expand(*node);
            finish_run();
            return;
        }
    }

    /// When no node is left that the present weight has to expand: goes on with the next weight, or ends.
    void end_iteration() {
        if (is_repairing_) {
            if (best_ && declares_consistent<BoundHeuristic>) {
                proved_by_weight_ =
                    std::max(proved_by_weight_, static_cast<double>(*best_) / static_cast<double>(weight_));
            }
            do {
                const W next = static_cast<W>(weight_ - std::min(weight_step_, weight_));
                weight_ = W{1} < next && next < weight_ ? next : W{1};
            } while (W{1} < weight_ && !(static_cast<double>(weight_) < bound()));
            begin_iteration();
        }
        if (open_.empty()) {
            finish(best_ ? Status::solved : exhausted());
        }
    }

    /// Orders all nodes anew that are not closed, and may be on the way to a cheaper solution.
    void begin_iteration() {
        priority_ = Weighted(weight_);
        ++iteration_;
        open_.clear();
        for (std::uint64_t key = 0; key < table_.size(); ++key) {
            const TableNode node = table_.find(static_cast<Key>(key));
            if (!node.is_closed() && !is_beaten(total(node)) && !is_beyond(total(node))) {
                open_.push({priority_(node.cost(), node.estimate()), node.cost(), node.key()});
            }
        }
        note_open();
    }

    void note_open() { statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, open_.size()); }

    /// The node is closed when all its neighbours are there: if memory ends before that, it still counts for the bound.
    void expand(TableNode node) {
        const Cost cost = node.cost();
        const Estimate estimate = node.estimate();
        if (is_repairing_) {
            if (expanded_in_.size() <= node.key()) {
                expanded_in_.resize(
                    std::max<std::size_t>(2 * expanded_in_.size(), node.key() + std::size_t{1}));
            }
            expanded_in_[node.key()] = iteration_;
        }
        ++statistics_.expanded;
        const Node parent = view_of(node.state(), cost, estimate);
        observer_.expand(parent);
        using Estimates = Estimator<BoundHeuristic, P>;
        const Estimates estimates(heuristic_);
        const auto carried = [&] {
            if constexpr (Estimates::is_incremental) {
                return estimates.evaluation_of(parent.state, estimate);
            } else {
                return Nothing{};
            }
        }();
        for_each_neighbor(*problem_, table_, node, parent.state,
                          [&](State&& child, const Cost& step, const Move& move) {
                              generate(node, parent, std::move(child), step, move, [&](const State& state) {
                                  if constexpr (Estimates::is_incremental) {
                                      return estimates.after(carried, parent.state, move, state);
                                  } else {
                                      return estimates(state);
                                  }
                              });
                          });
        totals_.remove(total(node));
        node.close();
        note_open();
    }

    template <class EstimateOf>
    void generate(const TableNode& from, const Node& parent, State&& state, const Cost& step,
                  const Move& move, EstimateOf&& estimate_of) {
        ++statistics_.generated;
        if (step < Cost{}) {
            ++statistics_.contract_violations;
            NPUZZLE_ASSERT(false && "costs are not negative");
            return;
        }
        const Cost cost = saturating_add<Cost>(parent.cost, step);
        if (!Table::can_hold(cost)) {
            // A step of infinite cost is a wall; only a finite one can lead out of the type's range.
            pruned_by_bound_ = pruned_by_bound_ || !is_infinite(step);
            return;
        }
        auto [node, is_new] = table_.insert(std::move(state));
        const Estimate estimate = is_new ? estimate_of(node.state()) : node.estimate();
        const Node view = view_of(node.state(), cost, estimate);
        observer_.generate(view, parent);
        if (!is_new && !(cost < node.cost())) {
            ++statistics_.duplicates;
            observer_.duplicate(view);
            return;
        }
        if (!is_new && !is_beyond(total(cost, estimate)) && !is_beaten(total(cost, estimate))) {
            if (node.is_closed()) {
                ++statistics_.reopened;
                observer_.reopen(view);
            } else {
                observer_.improve(view);
            }
        }
        relax(node, cost, estimate, Table::link(from, move));
    }

    /// Gives a node its path, and puts it where it belongs.
    void relax(TableNode& node, const Cost& cost, const Estimate& estimate,
               const typename Table::Link& link) {
        if (is_infinite(estimate)) {
            node.relax(Cost{}, estimate, link);
            node.close(); // A dead end: known, at a cost that no path can beat.
            return;
        }
        if (!node.is_closed()) {
            totals_.remove(total(node));
        }
        node.relax(cost, estimate, link);
        const Estimate least = total(cost, estimate);
        if (!is_beyond(least) && !is_beaten(least) && problem_->is_goal(node.state())) {
            if (estimate < Estimate{} || Estimate{} < estimate) {
                ++statistics_.contract_violations;
                NPUZZLE_ASSERT(false && "h(goal) is zero");
            }
            node.close(); // What lies behind a goal is not cheaper.
            reached_ = node.key();
            best_ = cost;
            return;
        }
        totals_.add(least);
        if (is_beyond(least)) {
            pruned_by_bound_ = true;
        } else if (!is_beaten(least) && !is_expanded_already(node.key())) {
            open_.push({priority_(cost, estimate), cost, node.key()});
        }
        // If not pushed it is open all the same: for a cheaper path that may yet be found, or for the next iteration.
    }

    /// Whether a node has had its turn in this iteration: then a cheaper path to it waits for the next one.
    bool is_expanded_already(Key key) const {
        return is_repairing_ && key < expanded_in_.size() && expanded_in_[key] == iteration_;
    }

    /// After an expansion: gives out the solution, if there is a new one, and sees whether it is proved to be the best.
    void finish_run() {
        if (reached_) {
            Result solution;
            retrace(*reached_, solution);
            solution.is_solution = true;
            best_ = solution.cost;
            solution_ = std::move(solution);
            ++solutions_;
            const TableNode goal = table_.find(*reached_);
            observer_.goal(view_of(goal.state(), solution_.cost, goal.estimate()));
            reached_.reset();
        }
        prove();
        if (best_ && is_beaten(proved_)) {
            finish(Status::solved);
        }
    }

    /// Notes the least total of a node that is not closed: no solution costs less, now or later.
    void prove() {
        if (!totals_.empty()) {
            const Estimate least = totals_.least();
            proved_ = std::max(proved_, best_ ? std::min(least, saturating_cast<Estimate>(*best_)) : least);
        } else if (best_) {
            proved_ = std::max(proved_, saturating_cast<Estimate>(*best_));
        }
    }

    double bound() const {
        if (!solution_.is_solution) {
            return std::numeric_limits<double>::infinity();
        }
        if (!(proved_ < saturating_cast<Estimate>(solution_.cost))) {
            return 1;
        }
        const double least = std::max(static_cast<double>(proved_), proved_by_weight_);
        return least > 0 ? std::max(static_cast<double>(solution_.cost) / least, 1.0)
                         : std::numeric_limits<double>::infinity();
    }

    /// The path that leads to a node now.
    void retrace(Key key, Result& result) {
        for (TableNode node = table_.find(key);; node = table_.parent(node)) {
            result.path.push_back(node.state());
            if (node.is_root()) {
                break;
            }
            if constexpr (detail::has_moves<P>) {
                result.moves.push_back(node.last_move());
            }
        }
        std::reverse(result.path.begin(), result.path.end());
        if constexpr (detail::has_moves<P>) {
            std::reverse(result.moves.begin(), result.moves.end());
            result.cost = path_cost(*problem_, result.path, result.moves);
        } else {
            result.cost = path_cost(*problem_, result.path, Nothing{});
        }
    }

    const P* problem_;
    BoundHeuristic heuristic_;
    W weight_;
    W weight_step_;
    bool is_repairing_;
    Weighted priority_;
    Table table_;
    typename Parts::OpenList open_;
    CountingMultiset<Estimate> totals_; // of the nodes that are not closed
    /// By the number of a node, the last iteration in which ARA* expanded it.
    std::vector<std::uint32_t, BudgetAllocator<std::uint32_t>> expanded_in_;
    std::uint32_t iteration_ = 1;
    std::optional<Cost> best_;   // the least cost of a goal that was reached
    std::optional<Key> reached_; // that goal, until it is given out
    Result solution_;
    std::uint64_t solutions_ = 0;
    std::uint64_t handed_out_ = 0;
    Estimate proved_{};           // no solution costs less
    double proved_by_weight_ = 0; // nor this
    std::optional<Key> nearest_;  // of those taken up, the node of the least estimate
    Estimate least_estimate_{};
};

/// Runs an anytime engine, made by `make`, and hands out its solutions.
template <class Make, class F>
auto run_anytime(Make&& make, F& on_solution) {
    return guarded_search([&] {
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
    });
}

} // namespace detail

/// What can be told of the solutions of an anytime search: called with an `AnytimeResult`; may return `false` to stop.
template <class F, class P>
concept SolutionSink = Problem<P> && std::invocable<F&, const anytime_result_t<P>&>;

/// Anytime weighted A* as an object (E. A. Hansen and R. Zhou, "Anytime heuristic search", JAIR 28, 2007): weighted A* that
/// goes on after the first solution, leaves out what cannot be cheaper, and so comes to the optimum.
///
/// Each `step` is one expansion; `next_solution` steps to the next solution, `solution` is the best so far, with the bound
/// that is proved by now. The engine refers to the problem and, where it was given an lvalue, to the heuristic and the
/// observer: they must outlive it. Several starts, limits, statistics and `result` are as those of `BestFirstEngine`.
template <Problem P, class H, class W, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AnytimeAStar : public detail::AnytimeEngine<P, H, W, O> {
public:
    /// \throws std::invalid_argument if the weight is less than 1
    AnytimeAStar(const P& problem, const state_t<P>& start, H&& heuristic, W weight,
                 const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{})
        : detail::AnytimeEngine<P, H, W, O>(problem, start, std::forward<H>(heuristic),
                                            WeightSchedule<W>(weight, W{1}).first, W{1}, false, limits,
                                            std::forward<O>(observer)) {}
};

template <class P, class H, class W, class O = SilentObserver>
AnytimeAStar(const P&, const state_t<P>&, H&&, W, const limits_t<P>& = {}, O&& = O{})
    -> AnytimeAStar<P, H, W, O>;

/// ARA* as an object (M. Likhachev, G. Gordon, S. Thrun, "ARA*: anytime A* with provable bounds on sub-optimality", NIPS
/// 2003): weighted A* by one weight after the other, each less than the last, on the same nodes. By each weight a node is
/// expanded at most once; a cheaper path to it that is found after that waits for the next weight.
///
/// A solution is given out when its goal is reached, before the iteration that found it ends. Weights that could prove nothing
/// new are passed over. From one weight to the next, time is linear in the number of nodes. Otherwise as `AnytimeAStar`.
template <Problem P, class H, class W, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AraStar : public detail::AnytimeEngine<P, H, W, O> {
public:
    AraStar(const P& problem, const state_t<P>& start, H&& heuristic, WeightSchedule<W> weights,
            const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{})
        : detail::AnytimeEngine<P, H, W, O>(problem, start, std::forward<H>(heuristic), weights.first,
                                            weights.step, true, limits, std::forward<O>(observer)) {}
};

template <class P, class H, class W, class O = SilentObserver>
AraStar(const P&, const state_t<P>&, H&&, WeightSchedule<W>, const limits_t<P>& = {}, O&& = O{})
    -> AraStar<P, H, W, O>;

/// Anytime weighted A*: ever cheaper paths to a goal, until one is proved to be a cheapest, a limit strikes, or `on_solution`
/// says that it is enough. See `AnytimeAStar`.
///
/// \param weight w, at least 1: the greater, the sooner there is a first solution. An integer keeps integer costs and
/// estimates in integers, and so in the quicker open list.
/// \param on_solution called with each solution as soon as it is found, and with the bound that is proved by then; the search
/// ends with `Status::cancelled` if it returns false. It may return nothing.
/// \param limits `max_cost` leaves out from the beginning what costs more
/// \return the last solution, also if a limit struck, with the bound that is proved at the end
/// \throws std::invalid_argument if the weight is less than 1
template <Problem P, class H, class W, class F, class O = SilentObserver>
    requires HeuristicFor<H, P> && std::is_arithmetic_v<W> && SolutionSink<F, P>
anytime_result_t<P> anytime_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                  W weight, F&& on_solution, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_anytime(
        [&] {
            return AnytimeAStar<P, H, W, O>(problem, start, std::forward<H>(heuristic), weight, limits,
                                            std::forward<O>(observer));
        },
        on_solution);
}

/// ARA*: ever cheaper paths to a goal, by weights that fall; otherwise as `anytime_astar`. See `AraStar`.
///
/// \param weights `WeightSchedule{5, 1}`: 5, 4, 3, 2, 1. When one is through, and the heuristic declares itself
/// consistent, the solution costs at most that many times the optimum.
template <Problem P, class H, class W, class F, class O = SilentObserver>
    requires HeuristicFor<H, P> && SolutionSink<F, P>
anytime_result_t<P> ara_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                             WeightSchedule<W> weights, F&& on_solution, limits_t<P> limits = {},
                             O&& observer = O{}) {
    return detail::run_anytime(
        [&] {
            return AraStar<P, H, W, O>(problem, start, std::forward<H>(heuristic), weights, limits,
                                       std::forward<O>(observer));
        },
        on_solution);
}

} // namespace npuzzle
