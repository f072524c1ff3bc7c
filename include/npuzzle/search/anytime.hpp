#pragma once

#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/engine/best_first.hpp"
#include "npuzzle/search/engine/call.hpp"
#include "npuzzle/search/engine/counting_multiset.hpp"

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
/// Searches that find a solution soon, and go on to better ones: anytime A* and ARA*.

namespace npuzzle {

/// The options of anytime A*: `{.weight = 1.5}`; `AnytimeOptions<int>{.weight = 5}` keeps integer costs and
/// estimates in integers, which have a faster open list.
template <class W = double>
struct AnytimeOptions {
    /// The weight until the first solution, at least 1; a greater one usually finds it sooner. When a
    /// solution is proved to be within a smaller factor of the optimum, the weight falls to that, or to the
    /// nearest integer.
    W weight = 5;
};

template <class W>
AnytimeOptions(W) -> AnytimeOptions<W>;

/// The options of ARA*: its weights begin at `weight`, and fall by `step` after each iteration, to 1.
template <class W = double>
struct AraStarOptions {
    W weight = 5; ///< at least 1
    W step = 1;   ///< more than 0
};

template <class W>
AraStarOptions(W, W) -> AraStarOptions<W>;

/// The outcome of an anytime search, or one of its solutions.
///
/// `status` is `solved` if the solution is proved to be a cheapest, `running` if the search goes on, and else
/// what ended it: a limit, with the best solution so far, if there is one.
template <class State, class Cost, class Move = void>
struct AnytimeResult : SearchResult<State, Cost, Move> {
    /// Whether there is a solution: `path` is one, also if a limit ended the search.
    bool is_solution = false;
    /// The solution costs at most this many times the optimum, if the heuristic is admissible; 1 if it is
    /// proved to be the optimum. Infinite without a solution, or if nothing is proved.
    double bound = std::numeric_limits<double>::infinity();
};

/// What an anytime search of a problem gives back: `AnytimeResult` of its states, costs and moves.
template <class P>
using anytime_result_t = typename detail::result_of<P, AnytimeResult>::type;

/// Takes the solutions of an anytime search: called with an `AnytimeResult`; may return `false` to stop.
template <class F, class P>
concept SolutionSink = Problem<P> && std::invocable<F&, const anytime_result_t<P>&>;

namespace detail {

/// Any node may be reached again by a cheaper path.
struct AnytimePolicy : PooledPolicy {
    static constexpr bool reopens = true;
};

template <class P, class H, class PriorityType>
using anytime_parts_t = PartsFor<P, std::remove_cvref_t<H>, AnytimePolicy, PriorityType>;

/// Anytime A*, which expands by turns the least g + w h and the least g + h; and ARA*, with weights that fall
/// by steps.
///
/// In ARA*, a cheaper path to a node that was expanded waits for the next weight. In anytime A* it waits
/// until the first solution; but then the turns of g + h go on from it.
///
/// Nodes that are not closed are counted by g + h. Unless nothing is cheaper than the solution, one of them
/// lies on a cheapest path, at its least cost. So the least of these values is a bound on the optimum at any
/// time.
template <Problem P, class H, class W, class O>
class AnytimeEngine
    : BestFirst<P, H, O, anytime_parts_t<P, H, WeightedPriority<cost_t<P>, estimate_t<H, P>, W>>> {
    using Weighted = WeightedPriority<cost_t<P>, estimate_t<H, P>, W>;
    using Base = BestFirst<P, H, O, anytime_parts_t<P, H, Weighted>>;
    using typename Base::Table, typename Base::TableNode, typename Base::Child, typename Base::Estimator;
    using Key = typename Table::Key;

public:
    using typename Base::Cost, typename Base::Estimate, typename Base::Node, typename Base::Priority,
        typename Base::State;
    using Result = AnytimeResult<State, Cost, move_t<P>>;

    static_assert(std::is_arithmetic_v<Cost> && std::is_arithmetic_v<Estimate>,
                  "bounds are quotients: costs and estimates have to be numbers");

    using Base::status, Base::statistics;

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

    /// Steps to the next solution, which is cheaper than the last. False if the search has ended without one
    /// more.
    bool next_solution() {
        while (handed_out_ == solutions_ && step()) {
        }
        return std::exchange(handed_out_, solutions_) < solutions_;
    }

    /// Ends the search with what it has; the status says why.
    void stop(SearchStatus reason = SearchStatus::cancelled) {
        if (status_ == SearchStatus::running) {
            this->finish(reason);
        }
    }

    /// How many solutions have been found, each cheaper than the one before.
    [[nodiscard]] std::uint64_t solutions() const noexcept { return solutions_; }

    /// The weight at present.
    [[nodiscard]] W weight() const { return weight_; }

    /// The best solution so far, with what is known of it now. By reference: it changes when the search goes
    /// on.
    const Result& solution() {
        complete_solution(solution_);
        return solution_;
    }

    /// The same as a copy. Without a solution, `partial_path` leads to the nearest state. If there is no memory
    /// left for the path of a solution, the status is `memory_limit`.
    [[nodiscard]] Result result() const {
        return this->outcome(
            Result{}, [this] { return statistics(); },
            [&](Result& result) {
                result = solution_;
                complete_solution(result);
                if (const auto nearest = this->nearest_.find_in(table_);
                    nearest && !result.is_solution && ends_without_goal(status_)) {
                    this->add_path(*nearest, result.partial_path, result);
                }
            });
    }

protected:
    /// \param weight_step by how much the weight of ARA* falls; nothing for anytime A*
    /// \throws std::invalid_argument if the weight is less than 1, or the step not more than 0
    AnytimeEngine(const P& problem, const State& start, H&& heuristic, W weight, std::optional<W> weight_step,
                  const BasicLimits<Cost>& limits, O&& observer)
        : Base(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer), Weighted(weight)),
          weight_(weight), weight_step_(weight_step.value_or(W{1})), is_repairing_(weight_step.has_value()),
          totals_(budget_), by_total_(budget_), expanded_in_(BudgetAllocator<std::uint32_t>(budget_)) {
        if (!(weight_ >= W{1}) || !(weight_step_ > W{})) {
            throw std::invalid_argument("weights are 1 or more, and fall by steps of more than 0");
        }
        guarded([&] {
            TableNode node = table_.insert(State(checked_state(problem, start))).first;
            const Node view = this->view_of(start, Cost{}, this->estimator()(start));
            observer_.start(view);
            set_path(node, view, Table::root(node));
            this->note_open();
            after_expansion();
        });
    }

private:
    using Base::budget_, Base::guarded, Base::observer_, Base::open_, Base::priority_, Base::problem_,
        Base::statistics_, Base::status_, Base::table_;

    /// g + h: what a path through a node costs at least.
    static Estimate total(const Cost& cost, const Estimate& estimate) {
        return AStarPriority<Cost, Estimate>{}(cost, estimate);
    }
    static Estimate total(const TableNode& node) { return total(node.cost(), node.estimate()); }

    /// Whether no such path is cheaper than the solution that is known.
    [[nodiscard]] bool is_beaten(const Estimate& total) const {
        return best_ && !(total < saturating_cast<Estimate>(*best_));
    }

    /// Whether anytime A* takes turns: by a weight of 1, both orders are the same.
    [[nodiscard]] bool takes_turns() const { return !is_repairing_ && W{1} < weight_; }

    /// Whether a node is expanded once by the present weight, and a cheaper path to it waits.
    [[nodiscard]] bool expands_once() const { return is_repairing_ || (takes_turns() && !best_); }

    /// One expansion, or the end.
    void advance() {
        while (status_ == SearchStatus::running) {
            std::optional<TableNode> node = next_node();
            if (!node || is_beaten(total(*node))) {
                continue;
            }
            const Node view = this->view_of(node->state(), node->cost(), node->estimate());
            this->nearest_.note(node->key(), view);
            if (this->may_expand(view.priority)) {
                expand(*node, view);
                after_expansion();
            }
            return;
        }
    }

    /// The node that is to be expanded next. Nothing if there was none, or the entry is superseded.
    std::optional<TableNode> next_node() {
        const auto find = [this](const auto& entry) {
            return table_.find_open(entry.key, entry.cost, [](const State&) { return true; });
        };
        if (takes_turns() && !by_total_.empty() && (statistics_.expanded % 2 == 1 || open_.empty())) {
            return find(by_total_.pop());
        }
        if (open_.empty()) {
            end_iteration();
            return std::nullopt;
        }
        const auto entry = open_.pop();
        // By a weight of 1 it goes on until nothing is left that is not beaten.
        if (is_repairing_ && best_ && W{1} < weight_ &&
            !(entry.priority < saturating_cast<Priority>(*best_))) {
            end_iteration(); // The entry's node is not closed, and so found again.
            return std::nullopt;
        }
        return find(entry);
    }

    /// The node is closed when all its neighbors are inserted: if memory ends before that, it still counts
    /// for the bound.
    void expand(TableNode& node, const Node& view) {
        if (expands_once()) {
            if (expanded_in_.size() <= node.key()) {
                expanded_in_.resize(
                    std::max<std::size_t>(2 * expanded_in_.size(), node.key() + std::size_t{1}));
            }
            expanded_in_[node.key()] = iteration_;
        }
        ++statistics_.expanded;
        observer_.expand(view);
        for_each_neighbor(*problem_, table_, node, view.state, this->generating_from(node, view, true));
        for (Child& child : this->children_) {
            relax(child, view);
        }
        this->children_.clear();
        totals_.remove(total(node));
        node.close();
        this->note_open();
    }

    void relax(Child& child, const Node& parent) {
        ++statistics_.generated;
        auto [node, is_new] = table_.insert(std::move(child.probe));
        const bool is_cheaper = is_new || child.cost < node.cost();
        const Node view = this->view_of(node.state(), child.cost,
                                        this->estimate_of_child(child, node, is_new, node.state()));
        observer_.generate(view, parent);
        if (!is_cheaper) {
            ++statistics_.duplicates;
            observer_.duplicate(view);
            return;
        }
        const bool was_closed = node.is_closed();
        if (set_path(node, view, child.link) && !is_new) {
            statistics_.reopened += was_closed ? 1 : 0;
            was_closed ? observer_.reopen(view) : observer_.improve(view);
        }
    }

    /// Gives a node a cheaper path, and puts it on the open list, or takes it for a solution. False if no
    /// cheaper solution leads through it.
    bool set_path(TableNode& node, const Node& view, const typename Table::Link& link) {
        if (!node.is_closed()) {
            totals_.remove(total(node));
        }
        if (Estimator::has_dead_ends && is_infinite(view.estimate)) {
            node.relax(Cost{}, view.estimate, link); // No path is cheaper: it is evaluated once.
            node.close();
            return false;
        }
        node.relax(view.cost, view.estimate, link);
        if (this->prune_if_over(view.cost, view.estimate) || is_beaten(total(node))) {
            totals_.add(total(node)); // It stays open, since a cheaper path may still be found.
            return false;
        }
        if (problem_->is_goal(view.state)) {
            check_goal(view.estimate, statistics_);
            node.close(); // What lies behind a goal is not cheaper.
            reached_ = node.key();
            best_ = view.cost;
            return true;
        }
        totals_.add(total(node));
        const bool waits =
            expands_once() && node.key() < expanded_in_.size() && expanded_in_[node.key()] == iteration_;
        if (!waits) {
            this->push(node, view);
        }
        if (takes_turns()) {
            by_total_.push({total(node), view.cost, node.key()});
        }
        return true;
    }

    /// After an expansion: makes the solution, if there is a new one, and sees whether it is proved to be the
    /// best.
    void after_expansion() {
        const bool is_new = reached_.has_value();
        if (is_new) {
            Result solution;
            this->add_path(table_.find(*reached_), solution.path, solution);
            solution.is_solution = true;
            best_ = solution.cost;
            solution_ = std::move(solution);
            ++solutions_;
            const TableNode goal = table_.find(*reached_);
            observer_.goal(this->view_of(goal.state(), solution_.cost, goal.estimate()));
            reached_.reset();
        }
        prove();
        if (best_ && is_beaten(proved_)) {
            this->finish(SearchStatus::solved);
        } else if (is_new) {
            lower_weight();
        }
    }

    /// A solution may have brought the bound below the weight of anytime A*, which then follows.
    void lower_weight() {
        const double proved = bound();
        if (!takes_turns() || !(proved < static_cast<double>(weight_))) {
            return;
        }
        const W next = static_cast<W>(std::is_integral_v<W> ? proved + 0.5 : proved);
        // Each change is linear in the number of nodes, so small ones are not worth it.
        constexpr double least_change = 0.8;
        if (static_cast<double>(next) - 1 < least_change * (static_cast<double>(weight_) - 1)) {
            weight_ = next;
            begin_iteration();
        }
    }

    /// When no node is left that the present weight has to expand: goes on with the next weight, or ends.
    void end_iteration() {
        if (is_repairing_) {
            if (best_ && declares_consistent<typename Base::BoundHeuristic>) {
                proved_by_weight_ =
                    (std::max)(proved_by_weight_, static_cast<double>(*best_) / static_cast<double>(weight_));
            }
            do {
                const W next = static_cast<W>(weight_ - (std::min)(weight_step_, weight_));
                weight_ = W{1} < next && next < weight_ ? next : W{1};
            } while (W{1} < weight_ && !(static_cast<double>(weight_) < bound()));
            begin_iteration();
        }
        if (open_.empty()) {
            prove();
            this->finish(best_ ? SearchStatus::solved
                               : this->exhausted(is_bound(this->max_cost_, Table::can_hold)));
        }
    }

    /// Orders again all nodes that are not closed, and may be on the way to a cheaper solution.
    void begin_iteration() {
        priority_ = Weighted(weight_);
        ++iteration_;
        open_.clear();
        if (!takes_turns()) {
            by_total_.clear();
        }
        table_.for_each_node([this](const TableNode& node) {
            if (!node.is_closed() && !is_beaten(total(node)) &&
                !this->is_over_limit(node.cost(), node.estimate())) {
                this->push(node, this->view_of(node.state(), node.cost(), node.estimate()));
            }
        });
        this->note_open();
    }

    /// Notes the least total of a node that is not closed: no solution costs less, now or later.
    void prove() {
        if (best_) {
            const auto best = saturating_cast<Estimate>(*best_);
            proved_ = (std::max)(proved_, totals_.empty() ? best : (std::min)(totals_.least(), best));
        } else if (!totals_.empty()) {
            proved_ = (std::max)(proved_, totals_.least());
        }
    }

    [[nodiscard]] double bound() const {
        if (!solution_.is_solution) {
            return std::numeric_limits<double>::infinity();
        }
        if (!(proved_ < saturating_cast<Estimate>(solution_.cost))) {
            return 1;
        }
        const double least = (std::max)(static_cast<double>(proved_), proved_by_weight_);
        return least > 0 ? (std::max)(static_cast<double>(solution_.cost) / least, 1.0)
                         : std::numeric_limits<double>::infinity();
    }

    void complete_solution(Result& solution) const {
        solution.status = status_;
        solution.statistics = statistics();
        solution.bound = bound();
    }

    W weight_;
    W weight_step_;
    bool is_repairing_;
    CountingMultiset<Estimate> totals_; // of the nodes that are not closed
    /// The open nodes by g + h, if anytime A* takes turns.
    typename anytime_parts_t<P, H, AStarPriority<Cost, Estimate>>::OpenList by_total_;
    /// By the number of a node, the last iteration in which it was expanded, while `expands_once`.
    std::vector<std::uint32_t, BudgetAllocator<std::uint32_t>> expanded_in_;
    std::uint32_t iteration_ = 1;
    std::optional<Cost> best_;   // the least cost of a goal that was reached
    std::optional<Key> reached_; // that goal, until its path is in `solution_`
    Result solution_;
    std::uint64_t solutions_ = 0;
    std::uint64_t handed_out_ = 0;
    Estimate proved_{};           // no solution costs less
    double proved_by_weight_ = 0; // nor this
};

/// Runs an anytime engine and hands out its solutions.
template <class Engine, class F, class... Arguments>
auto run_anytime(F& on_solution, Arguments&&... arguments) {
    return guarded_search([&] {
        Engine engine(std::forward<Arguments>(arguments)...);
        while (engine.next_solution()) {
            try {
                if (!wants_more(on_solution, engine.solution())) {
                    engine.stop();
                }
            } catch (const std::bad_alloc&) {
                engine.stop(SearchStatus::memory_limit);
            }
        }
        return engine.result();
    });
}

} // namespace detail

/// Anytime A* as an object: weighted A* that goes on after the first solution, leaves out what cannot be
/// cheaper, and so reaches the optimum (E. A. Hansen and R. Zhou, "Anytime heuristic search", JAIR 28, 2007).
/// Unlike theirs, it takes turns: it expands the node of the least g + w h, then that of the least g + h. The
/// weight w falls with the bound that is proved. Let n be the number of states whose g + h is at most the
/// optimum. If the heuristic is consistent, the search ends after at most 2 n + 1 expansions.
///
/// A change of w takes time linear in the number of nodes. Each `step` is one expansion, `next_solution`
/// steps to the next solution, and `solution` is the best so far. All else is as in `BestFirst`.
template <Problem P, class H, class W = double, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AnytimeAStar : public detail::AnytimeEngine<P, H, W, O> {
public:
    /// No temporary problem: the engine refers to it.
    AnytimeAStar(const P&& problem, const state_t<P>& start, H&& heuristic, AnytimeOptions<W> options = {},
                 const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{}) = delete;

    /// \throws std::invalid_argument if the weight is less than 1
    AnytimeAStar(const P& problem, const state_t<P>& start, H&& heuristic, AnytimeOptions<W> options = {},
                 const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{})
        : detail::AnytimeEngine<P, H, W, O>(problem, start, std::forward<H>(heuristic), options.weight,
                                            std::nullopt, limits, std::forward<O>(observer)) {}
};

template <class P, class H, class W = double, class O = SilentObserver>
AnytimeAStar(const P&, const state_t<P>&, H&&, AnytimeOptions<W> = {}, const limits_t<P>& = {}, O&& = O{})
    -> AnytimeAStar<P, H, W, O>;

/// ARA* as an object (M. Likhachev, G. Gordon, S. Thrun, "ARA*: anytime A* with provable bounds on
/// sub-optimality", NIPS 2003): a sequence of weighted A* searches with falling weights, which share their
/// nodes. With each weight a node is expanded at most once; a cheaper path to it that is found later waits
/// for the next weight.
///
/// A solution is available when its goal is reached. Weights that cannot prove anything new are skipped. The
/// change from one weight to the next is linear in the number of nodes. All else is as in `AnytimeAStar`.
template <Problem P, class H, class W = double, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AraStar : public detail::AnytimeEngine<P, H, W, O> {
public:
    /// No temporary problem: the engine refers to it.
    AraStar(const P&& problem, const state_t<P>& start, H&& heuristic, AraStarOptions<W> options = {},
            const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{}) = delete;

    /// \throws std::invalid_argument if the weight is less than 1, or the step not more than 0
    AraStar(const P& problem, const state_t<P>& start, H&& heuristic, AraStarOptions<W> options = {},
            const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{})
        : detail::AnytimeEngine<P, H, W, O>(problem, start, std::forward<H>(heuristic), options.weight,
                                            options.step, limits, std::forward<O>(observer)) {}
};

template <class P, class H, class W = double, class O = SilentObserver>
AraStar(const P&, const state_t<P>&, H&&, AraStarOptions<W> = {}, const limits_t<P>& = {}, O&& = O{})
    -> AraStar<P, H, W, O>;

/// Anytime A*: ever cheaper paths to a goal. It ends when one is proved to be a cheapest, at a
/// limit, or when `on_solution` returns false. See `AnytimeAStar`.
///
/// \param on_solution called with each solution when it is found, and the bound that is proved then; may
/// return nothing. The search ends with `Status::cancelled` if it returns false.
/// \param limits `max_cost` leaves out from the beginning what costs more
/// \return the last solution, also if a limit ended the search, with the bound that is proved at the end
/// \throws std::invalid_argument if the weight is less than 1
template <Problem P, class H, class F, class W = double, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P> && std::is_arithmetic_v<W> && SolutionSink<F, P>
anytime_result_t<P> anytime_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                  F&& on_solution, AnytimeOptions<W> options = {}, limits_t<P> limits = {},
                                  O&& observer = O{}) {
    return detail::run_anytime<AnytimeAStar<P, H, W, O>>(
        on_solution, problem, start, std::forward<H>(heuristic), options, limits, std::forward<O>(observer));
}

/// ARA*: ever cheaper paths to a goal, with falling weights; otherwise as `anytime_astar`. See `AraStar`.
///
/// If the heuristic declares itself consistent, the solution at the end of an iteration costs at most its
/// weight times the optimum.
/// \param options `{.weight = 5, .step = 1}` for the weights 5, 4, 3, 2, 1
/// \throws std::invalid_argument if the weight is less than 1, or the step not more than 0
template <Problem P, class H, class F, class W = double, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P> && std::is_arithmetic_v<W> && SolutionSink<F, P>
anytime_result_t<P> ara_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                             F&& on_solution, AraStarOptions<W> options = {}, limits_t<P> limits = {},
                             O&& observer = O{}) {
    return detail::run_anytime<AraStar<P, H, W, O>>(on_solution, problem, start, std::forward<H>(heuristic),
                                                    options, limits, std::forward<O>(observer));
}

} // namespace npuzzle
