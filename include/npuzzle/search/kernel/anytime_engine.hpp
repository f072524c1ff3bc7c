#pragma once

#include "npuzzle/search/kernel/counting_multiset.hpp"
#include "npuzzle/search/kernel/pooled_engine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

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

namespace detail {

/// Anytime A*, which expands in turn the least g + w h and the least g + h; and ARA*,
/// with weights that fall by steps.
///
/// In ARA*, a cheaper path to a node that was expanded waits for the next weight. In anytime A* it waits
/// until the first solution; but then the turns of g + h go on from it.
///
/// Nodes that are not closed are counted by g + h. Unless nothing is cheaper than the solution, one of them
/// lies on a cheapest path, at its least cost. So the least of these values is a bound on the optimum at any
/// time.
template <Problem P, class H, class W, class O>
class AnytimeEngine : public PooledEngine<AnytimeEngine<P, H, W, O>, P, H, O,
                                          WeightedPriority<cost_t<P>, estimate_t<H, P>, W>> {
    using Weighted = WeightedPriority<cost_t<P>, estimate_t<H, P>, W>;
    using Base = PooledEngine<AnytimeEngine, P, H, O, Weighted>;
    friend EngineBase<AnytimeEngine, cost_t<P>, O>;
    using typename Base::Key, typename Base::TableNode, typename Base::BoundHeuristic;

public:
    using typename Base::Cost, typename Base::Estimate, typename Base::Node, typename Base::Priority,
        typename Base::State;
    using Result = AnytimeResult<State, Cost, move_t<P>>;

    static_assert(std::is_arithmetic_v<Cost> && std::is_arithmetic_v<Estimate>,
                  "bounds are quotients: costs and estimates have to be numbers");

    /// Adds one more state to start from; what was proved of the optimum is forgotten. Has no effect once the
    /// search is over.
    void add_start(const State& start) {
        if (status_ != SearchStatus::running) {
            return;
        }
        guarded([&] {
            proved_ = Estimate{};
            proved_by_weight_ = 0;
            if (is_repairing_ && statistics_.expanded > 0) {
                begin_iteration(); // All that an iteration proves, it proves of starts that it began with.
            }
            this->insert_start(start, Arriving<typename Base::StartRules>{{{}, *this}});
            after_expansion();
        });
    }

    /// Steps to the next solution, which is cheaper than the last. False if the search has ended without one
    /// more.
    bool next_solution() {
        while (handed_out_ == solutions_ && this->step()) {
        }
        return std::exchange(handed_out_, solutions_) < solutions_;
    }

    /// Ends the search with what it has; the status says why.
    void stop(SearchStatus status = SearchStatus::cancelled) {
        if (status_ == SearchStatus::running) {
            finish(status);
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
        return outcome(Result{}, [&](Result& result) {
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
        add_start(start);
    }

private:
    using Base::budget_, Base::exhausted, Base::guarded, Base::is_stopped, Base::monitor_, Base::observer_,
        Base::open_, Base::outcome, Base::priority_, Base::problem_, Base::statistics_, Base::status_,
        Base::table_;

    /// What becomes of a node that has a new path.
    template <class Rules>
    struct Arriving : Rules {
        using Rules::engine;

        void relaxing(const TableNode& node, const Node& /*view*/) { engine.uncount(node); }
        bool is_beyond(const TableNode& node, const Node& /*view*/) { return engine.is_useless(node); }
        void open(TableNode& node, const Node& view, Arrival /*arrival*/) { engine.open(node, view); }
    };

    void finish(SearchStatus status) {
        prove();
        Base::finish(status);
    }

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
            const auto node = next_node();
            if (!node || is_beaten(total(*node))) {
                continue;
            }
            this->nearest_.note(node->key(), this->view_of(node->state(), node->cost(), node->estimate()));
            if (monitor_.is_due(statistics_.expanded) && is_stopped(statistics_.expanded)) {
                return;
            }
            expand(*node);
            after_expansion();
            return;
        }
    }

    /// The node that is to be expanded next. Nothing if there was none, or the entry is superseded.
    std::optional<TableNode> next_node() {
        if (takes_turns() && !by_total_.empty() && (statistics_.expanded % 2 == 1 || open_.empty())) {
            const auto entry = by_total_.pop();
            return table_.find_open(entry.key, entry.cost, [](const State&) { return true; });
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
        return this->find_open(entry);
    }

    /// When no node is left that the present weight has to expand: goes on with the next weight, or ends.
    void end_iteration() {
        if (is_repairing_) {
            if (best_ && declares_consistent<BoundHeuristic>) {
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
            finish(best_ ? SearchStatus::solved : exhausted());
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

    /// Orders again all nodes that are not closed, and may be on the way to a cheaper solution.
    void begin_iteration() {
        priority_ = Weighted(weight_);
        ++iteration_;
        open_.clear();
        if (!takes_turns()) {
            by_total_.clear();
        }
        for (std::uint64_t key = 0; key < table_.size(); ++key) {
            const TableNode node = table_.find(static_cast<Key>(key));
            if (!node.is_closed() && !is_beaten(total(node)) && !this->exceeds(total(node))) {
                open_.push({priority_(node.cost(), node.estimate()), node.cost(), node.key()});
            }
        }
        this->note_open();
    }

    /// The node is closed when all its neighbors are inserted: if memory ends before that, it still counts
    /// for the bound.
    void expand(TableNode node) {
        if (expands_once()) {
            if (expanded_in_.size() <= node.key()) {
                expanded_in_.resize(
                    std::max<std::size_t>(2 * expanded_in_.size(), node.key() + std::size_t{1}));
            }
            expanded_in_[node.key()] = iteration_;
        }
        ++statistics_.expanded;
        const Node view = this->view_of(node.state(), node.cost(), node.estimate());
        observer_.expand(view);
        this->template insert_neighbors<Arriving<typename Base::NeighborRules>>(
            node, view, node.link().move,
            [&](const State& state, const Cost&) { return table_.leads_back(node, state); });
        uncount(node);
        node.close();
        this->note_open();
    }

    /// Takes a node that is open out of those that are counted.
    void uncount(const TableNode& node) {
        if (!node.is_closed()) {
            totals_.remove(total(node));
        }
    }

    /// Whether a node cannot be on the way to a better solution. It stays open nevertheless, since a
    /// cheaper path may still be found.
    bool is_useless(const TableNode& node) {
        const bool is_beyond = this->is_beyond(node.cost(), node.estimate());
        const bool is_useless = is_beyond || is_beaten(total(node));
        if (is_useless) {
            totals_.add(total(node));
        }
        return is_useless;
    }

    /// Goes on from a node by its new path: to the open list, or to a solution if it is a goal.
    void open(TableNode& node, const Node& view) {
        if (problem_->is_goal(view.state)) {
            check_goal(view.estimate, statistics_);
            node.close(); // What lies behind a goal is not cheaper.
            reached_ = node.key();
            best_ = view.cost;
            return;
        }
        totals_.add(total(node));
        if (!is_expanded_already(node.key())) {
            this->push(view.priority, view.cost, node);
        }
        // If not, it is open all the same, for the next iteration.
        if (takes_turns()) {
            by_total_.push({total(node), view.cost, node.key()});
        }
    }

    /// Whether a node has had its turn in this iteration: then a cheaper path to it waits.
    [[nodiscard]] bool is_expanded_already(Key key) const {
        return expands_once() && key < expanded_in_.size() && expanded_in_[key] == iteration_;
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
            finish(SearchStatus::solved);
        } else if (is_new) {
            lower_weight();
        }
    }

    /// Notes the least total of a node that is not closed: no solution costs less, now or later.
    void prove() {
        if (!totals_.empty()) {
            const Estimate least = totals_.least();
            proved_ =
                (std::max)(proved_, best_ ? (std::min)(least, saturating_cast<Estimate>(*best_)) : least);
        } else if (best_) {
            proved_ = (std::max)(proved_, saturating_cast<Estimate>(*best_));
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
        solution.statistics = this->statistics();
        solution.bound = bound();
    }

    W weight_;
    W weight_step_;
    bool is_repairing_;
    CountingMultiset<Estimate> totals_; // of the nodes that are not closed
    /// The open nodes by g + h, if anytime A* takes turns.
    typename pooled_parts_t<P, H, AStarPriority<Cost, Estimate>>::OpenList by_total_;
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

} // namespace detail
} // namespace npuzzle
