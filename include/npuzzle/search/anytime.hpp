#pragma once

#include "npuzzle/search/engine/best_first.hpp"
#include "npuzzle/search/engine/priority.hpp"

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
/// Anytime search finds a solution soon, and goes on to better ones.

namespace npuzzle {

/// The options of anytime search: `{.weight = 1.5}`, or `{.weight = 5, .step = 1}` for ARA*.
struct AnytimeOptions {
    /// The weight until the first solution, at least 1; a greater one usually finds it sooner.
    double weight = 5;
    /// 0: anytime A*, whose weight falls to the proved bound of each solution. More: ARA*, whose weight falls
    /// by so much after each iteration, to 1.
    double step = 0;
};

/// The outcome of an anytime search, or one of its solutions.
///
/// `status` is `solved` if the solution is proved to be a cheapest one, and `running` while the search goes
/// on. After a limit, the best solution so far is kept.
template <class State, class Cost, class Move = void>
struct AnytimeResult : SearchResult<State, Cost, Move> {
    /// Whether there is a solution: `path` is one, also if a limit ended the search.
    bool is_solution = false;
    /// The solution costs at most this many times the optimum, if the heuristic is admissible; 1 if it is
    /// proved to be the optimum. Infinite without a solution, or if nothing is proved.
    double bound = std::numeric_limits<double>::infinity();
};

/// The `AnytimeResult` of a problem.
template <class P>
using anytime_result_t = detail::result_of<P, AnytimeResult>;

/// Anytime search as an object. Solutions are known as soon as goals are generated. Then paths that cannot be
/// cheaper are pruned, so the search reaches the optimum.
///
/// Open nodes are in two lists. `by_weight_` orders them by g + w h, to find solutions. `by_total_` orders
/// them by g + h: until the solution is optimal, one of them lies on a cheapest path, at its least cost, so
/// the least g + h is a lower bound on the optimum at any time. A change of w takes time linear in the number
/// of nodes.
///
/// - Anytime A* (E. A. Hansen and R. Zhou, "Anytime heuristic search", JAIR 28, 2007). Unlike theirs, it
///   expands the least g + w h and the least g + h in turn. Let n be the number of states whose g + h is at
///   most the optimum: if the heuristic is consistent, the search ends after at most 2 n + 1 expansions. A
///   cheaper path to an expanded node waits until the first solution, unless a turn of g + h takes it up.
/// - ARA* (M. Likhachev, G. Gordon, S. Thrun, "ARA*: anytime A* with provable bounds on sub-optimality", NIPS
///   2003): weighted A* searches with falling weights, which share their nodes. A cheaper path to an expanded
///   node waits for the next weight. Weights that cannot prove anything new are skipped.
///
/// With a weight of 1, both are A*. Unlike `BestFirst`, it has one start, and neither `restart` nor `resume`.
template <Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AnytimeAStar : public Engine {
    using Weighted = WeightedPriority<cost_t<P>, estimate_t<H, P>, double>;
    using Total = AStarPriority<cost_t<P>, estimate_t<H, P>>;

    template <class Priority>
    using PartsBy = PartsFor<P, std::remove_cvref_t<H>, PooledPolicy, Priority>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Priority = typename Weighted::Value;
    using Node = NodeView<State, Cost, Estimate, Priority>; ///< as observers see it
    using Result = AnytimeResult<State, Cost, move_t<P>>;

    static_assert(std::is_arithmetic_v<Cost> && std::is_arithmetic_v<Estimate>,
                  "bounds are quotients: costs and estimates have to be numbers");
    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// \throws std::invalid_argument if the weight is less than 1, or the step less than 0
    AnytimeAStar(detail::Lasting<P> problem, const State& start, H&& heuristic, AnytimeOptions options = {},
                 const BasicLimits<Cost>& limits = {}, O&& observer = O{})
        : Engine(limits), observer_(std::forward<O>(observer)),
          max_cost_(detail::checked_max_cost(limits.max_cost)), problem_(problem.address),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), *problem_)),
          estimates_(heuristic_, statistics_), options_(options),
          weight_(detail::checked_weight(options.weight)), table_(*problem_, budget_), by_weight_(budget_),
          by_total_(budget_), expanded_in_(budget_) {
        if (!(options.step >= 0)) throw std::invalid_argument("weights do not rise: their step is 0 or more");
        monitor_.restart(); // To bind a heuristic may take long.
        guarded(observer_, [&] {
            TableNode node = table_.insert(State(detail::checked_state(*problem_, start))).first;
            const Node view = view_of(start, Cost{}, estimates_(start));
            observer_.start(view);
            set_path(node, view, Table::root(node));
        });
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        return Engine::step(observer_, [this] { advance(); });
    }
    /// Steps to the end.
    SearchStatus run() {
        return Engine::run(observer_, [this] { advance(); });
    }
    /// Steps to the next, cheaper solution. False if the search ends without one.
    bool next_solution() {
        const std::uint64_t before = solutions_;
        while (solutions_ == before && step()) continue;
        return before < solutions_;
    }

    /// Ends the search with the best solution so far.
    void stop(SearchStatus reason = SearchStatus::cancelled) {
        guarded(observer_, [&] {
            if (status_ == SearchStatus::running) finish(observer_, reason);
        });
    }

    /// How many solutions have been found.
    [[nodiscard]] std::uint64_t solutions() const noexcept { return solutions_; }
    /// The weight at present.
    [[nodiscard]] double weight() const { return weight_; }
    /// The best solution so far, with its present bound. By reference: it changes as the search goes on.
    const Result& solution() {
        complete(solution_);
        return solution_;
    }

    /// The same as a copy. Without a solution, `partial_path` leads to the nearest state. Without memory for
    /// the path, the status is `memory_limit`.
    [[nodiscard]] Result result() const {
        const auto add_best = [this](Result& result) {
            result = solution_;
            complete(result);
            if (!result.is_solution && detail::ends_without_goal(status_) && nearest_.handle) {
                add_path(table_.find(*nearest_.handle), result.partial_path, result);
            }
        };
        Result result = outcome(Result{}, add_best);
        if (solution_.is_solution && !result.is_solution && status_ != SearchStatus::failed) {
            result.status = SearchStatus::memory_limit;
        }
        return result;
    }

private:
    using Table = typename PartsBy<Weighted>::NodeTable;
    using TableNode = typename Table::Node;
    using BoundHeuristic = detail::kept_t<H, P>;
    using Estimator = detail::Estimator<BoundHeuristic, P>;

    bool is_ara_star() const { return options_.step > 0; }

    void advance() {
        while (status_ == SearchStatus::running) {
            if (reached_) {
                return take_solution(); // The start is a goal.
            }
            const bool takes_turns = !is_ara_star() && 1 < weight_;
            std::optional<TableNode> node;
            if (takes_turns ? statistics_.expanded % 2 == 1 || by_weight_.empty() : !(1 < weight_)) {
                if (by_total_.empty()) return finish_exhausted();
                const auto entry = by_total_.pop();
                node = node_of(entry);
                proved_ = node ? (std::max)(proved_, entry.priority) : proved_;
                if (is_beaten(proved_)) return finish_exhausted();
            } else if (by_weight_.empty() ||
                       (is_ara_star() && best_ &&
                        !(by_weight_.first_priority() < detail::saturating_cast<Priority>(*best_)))) {
                end_iteration();
            } else {
                node = node_of(by_weight_.pop());
            }
            if (!node || is_beaten(total(*node))) continue;
            const Node view = view_of(node->state(), node->cost(), node->estimate());
            nearest_.note(*node, view);
            if (may_expand(observer_, view.priority)) {
                expand(*node, view);
                if (reached_) take_solution();
            }
            return;
        }
    }

    std::optional<TableNode> node_of(const auto& entry) {
        return table_.find_open(entry.key, entry.cost, [](const State&) { return true; });
    }

    void expand(TableNode node, const Node& view) {
        if (expanded_in_.size() <= node.key()) {
            expanded_in_.resize(2 * std::size_t{node.key()} + 64, 0);
        }
        expanded_in_[node.key()] = iteration_;
        ++statistics_.expanded;
        observer_.expand(view);
        const Estimator estimates = estimates_; // with copies of its pointers
        const auto evaluation = estimates.evaluation_of(view.state, view.estimate);
        const auto relax = [&](State&& state, const Cost& step, const auto& move) {
            const Cost cost = detail::saturating_add<Cost>(view.cost, step);
            if (!accept_step(step, cost, Table::can_hold)) return;
            ++statistics_.generated;
            const auto evaluated = estimates.evaluate_child(evaluation, view.state, move, state);
            auto [child, is_new] = table_.insert(std::move(state));
            const Estimate estimate =
                is_new ? estimates.estimate_of_child(evaluated, child.state()) : child.estimate();
            const Node child_view = view_of(child.state(), cost, estimate);
            observer_.generate(child_view, view);
            if (!is_new && !(cost < child.cost())) {
                ++statistics_.duplicates;
                observer_.duplicate(child_view);
                return;
            }
            const bool was_closed = child.is_closed();
            if (set_path(child, child_view, Table::link(node, move)) && !is_new) {
                statistics_.reopened += was_closed ? 1 : 0;
                was_closed ? observer_.reopen(child_view) : observer_.improve(child_view);
            }
        };
        detail::for_each_neighbor(*problem_, table_, node, view.state, relax);
        node.close(); // Not before: if memory ends half-way, it still counts for the bound.
    }

    /// Gives a node a cheaper path, and pushes it, or notes that a goal is reached. False if no cheaper
    /// solution leads through it.
    NPUZZLE_ALWAYS_INLINE bool set_path(TableNode& node, const Node& view, const typename Table::Link& link) {
        statistics_.stored = table_.size();
        if (Estimator::has_dead_ends && detail::is_infinite(view.estimate)) {
            node.relax(Cost{}, view.estimate, link); // No path is cheaper: it is evaluated once.
            node.close();
            return false;
        }
        node.relax(view.cost, view.estimate, link);
        const bool is_over = is_over_limit(total(node));
        pruned_by_bound_ = pruned_by_bound_ || is_over;
        if (is_over || is_beaten(total(node))) return false;
        if (problem_->is_goal(view.state)) {
            detail::check_goal(view.estimate, statistics_);
            node.close(); // Goals behind a goal are not cheaper.
            reached_ = node.key();
            best_ = view.cost;
            return true;
        }
        const bool waits = (is_ara_star() || !best_) && node.key() < expanded_in_.size() &&
                           expanded_in_[node.key()] == iteration_;
        if (1 < weight_ && !waits) {
            by_weight_.push({view.priority, view.cost, node.key()});
        }
        by_total_.push({total(node), view.cost, node.key()});
        statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, by_total_.size());
        return true;
    }

    /// Stores the path to the goal reached, and ends the search if it is proved to be a cheapest one.
    void take_solution() {
        const TableNode goal = table_.find(*reached_);
        Result solution;
        add_path(goal, solution.path, solution);
        solution.is_solution = true;
        best_ = solution.cost;
        solution_ = std::move(solution);
        ++solutions_;
        reached_.reset();
        observer_.goal(view_of(goal.state(), solution_.cost, goal.estimate()));
        prove();
        if (is_beaten(proved_)) {
            finish_exhausted();
        } else if (const double proved = bound(); !is_ara_star() && proved - 1 < 0.8 * (weight_ - 1)) {
            set_weight(proved); // takes linear time, so not for small changes
        }
    }

    /// Goes on with the next weight of ARA*, or ends.
    void end_iteration() {
        if (best_ && declares_consistent<BoundHeuristic>) {
            proved_by_weight_ = (std::max)(proved_by_weight_, static_cast<double>(*best_) / weight_);
        }
        prove();
        if (by_total_.empty() || is_beaten(proved_)) return finish_exhausted();
        double next = weight_;
        do { // Weights that cannot prove anything new are skipped.
            const double lower = next - (std::min)(options_.step, next);
            next = 1 < lower && lower < next ? lower : 1;
        } while (1 < next && !(next < bound()));
        set_weight(next);
    }

    /// Orders all open nodes by a new weight; for a weight of 1 there is `by_total_`.
    void set_weight(double weight) {
        weight_ = weight;
        priority_ = Weighted(weight_);
        ++iteration_;
        by_weight_.clear();
        for (typename Table::Key key = 0; key < table_.size(); ++key) {
            const TableNode node = table_.find(key);
            if (1 < weight_ && !node.is_closed() && !is_beaten(total(node)) && !is_over_limit(total(node))) {
                by_weight_.push({priority_(node.cost(), node.estimate()), node.cost(), key});
            }
        }
    }

    static Estimate total(const TableNode& node) { return Total{}(node.cost(), node.estimate()); }

    bool is_over_limit(const Estimate& total) const {
        return detail::is_infinite(total) || detail::is_over(max_cost_, total);
    }

    /// Whether no path of this g + h is cheaper than the best solution.
    bool is_beaten(const Estimate& total) const {
        return best_ && !(total < detail::saturating_cast<Estimate>(*best_));
    }

    /// Notes the least g + h of an open node: no solution costs less, now or later.
    void prove() {
        while (!by_total_.empty()) {
            const auto entry = by_total_.pop();
            if (node_of(entry)) {
                proved_ = (std::max)(proved_, entry.priority);
                return by_total_.push(entry);
            }
        }
    }

    double bound() const {
        // Not `best_`: a cheaper path may have been found, and no memory to keep it.
        const bool is_proved =
            solution_.is_solution && !(proved_ < detail::saturating_cast<Estimate>(solution_.cost));
        if (status_ == SearchStatus::solved || is_proved) return 1;
        const double least = (std::max)(static_cast<double>(proved_), proved_by_weight_);
        return solution_.is_solution && least > 0
                   ? (std::max)(static_cast<double>(solution_.cost) / least, 1.0)
                   : std::numeric_limits<double>::infinity();
    }

    void finish_exhausted() {
        finish(observer_, best_ ? SearchStatus::solved : exhausted(max_cost_, Table::can_hold));
    }

    void complete(Result& solution) const {
        solution.status = status_;
        solution.statistics = statistics();
        solution.bound = bound();
    }

    /// Appends the path to a node, and puts its moves and its cost into a result.
    void add_path(const TableNode& end, std::vector<State>& path, Result& result) const {
        detail::retrace(table_, end, path);
        result.cost = detail::look_up_steps(*problem_, path, detail::moves_of<P>(result));
    }

    Node view_of(const State& state, const Cost& cost, const Estimate& estimate) const {
        return Node{state, cost, estimate, priority_(cost, estimate)};
    }

    O observer_;
    std::optional<Cost> max_cost_;
    const P* problem_;
    BoundHeuristic heuristic_;
    Estimator estimates_;
    AnytimeOptions options_;
    double weight_;
    Weighted priority_{weight_};
    Table table_;
    typename PartsBy<Weighted>::OpenList by_weight_; // nodes to expand under this weight, unless it is 1
    typename PartsBy<Total>::OpenList by_total_;     // all open nodes
    detail::NearestNode<Table, !Estimator::is_zero> nearest_;
    detail::Storage<std::uint32_t> expanded_in_; // the last iteration, by node
    std::uint32_t iteration_ = 1;
    std::optional<Cost> best_;                   // the least cost of a goal that was reached
    std::optional<typename Table::Key> reached_; // that goal, until its path is in `solution_`
    Result solution_;
    std::uint64_t solutions_ = 0;
    Estimate proved_{};           // no solution costs less
    double proved_by_weight_ = 0; // nor less than this
};

template <class P, class H, class O = SilentObserver>
AnytimeAStar(const P&, const state_t<P>&, H&&, AnytimeOptions = {}, const limits_t<P>& = {}, O&& = O{})
    -> AnytimeAStar<P, H, O>;

/// Anytime search: ever cheaper paths to a goal, until one is proved to be a cheapest, a limit is reached, or
/// `on_solution` returns false. See `AnytimeAStar`.
///
/// ARA* expands each node at most once for each weight. If the heuristic declares itself consistent, its
/// solution at the end of an iteration costs at most the weight times the optimum.
///
/// \param on_solution called with each solution when it is found, with its bound so far; may return nothing.
///        If it returns false, the search ends with `Status::cancelled`
/// \param options `{.weight = 5, .step = 1}` for ARA* with the weights 5, 4, 3, 2, 1
/// \param limits `max_cost` prunes from the beginning
/// \return the last solution, also after a limit, with its final bound
/// \throws std::invalid_argument if the weight is less than 1, or the step less than 0
template <Problem P, class H, class F, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P> && std::invocable<F&, const anytime_result_t<P>&>
anytime_result_t<P> anytime_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                  F&& on_solution, AnytimeOptions options = {}, limits_t<P> limits = {},
                                  O&& observer = O{}) {
    return detail::guarded_search([&] {
        AnytimeAStar<P, H, O> engine(problem, start, std::forward<H>(heuristic), options, limits,
                                     std::forward<O>(observer));
        while (engine.next_solution()) {
            try {
                if (!detail::wants_more(on_solution, engine.solution())) engine.stop();
            } catch (const std::bad_alloc&) {
                engine.stop(SearchStatus::memory_limit);
            }
        }
        return engine.result();
    });
}

} // namespace npuzzle
