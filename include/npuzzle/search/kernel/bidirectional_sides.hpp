#pragma once

#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/engine/parts.hpp"
#include "npuzzle/search/engine/retrace.hpp"
#include "npuzzle/search/kernel/bidirectional_methods.hpp"
#include "npuzzle/search/kernel/problem_adaptors.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The two sides of a bidirectional search: nodes that are reached from either end, with a heuristic for each
/// direction.

namespace npuzzle {

/// Which of the two sides of a bidirectional search.
enum class Direction : std::uint8_t {
    forward,  ///< from the starts
    backward, ///< from the goals
};

/// A node of a bidirectional search as an observer sees it: cost and estimate belong to its side.
template <class State, class Cost, class Estimate, class Priority>
struct BidirectionalNodeView : NodeView<State, Cost, Estimate, Priority> {
    Direction direction;
};

namespace detail {

/// The nodes that can be reached from one end, which may be several states.
/// \tparam P the problem as seen from this end
/// \tparam Own the `Estimator` of the cost to the other end
/// \tparam OppositeEstimator the other side's: it estimates the cost from this end
/// \tparam T the node table
/// \tparam OtherTable the other side's
/// \tparam Q the open list
template <class P, class Own, class OppositeEstimator, class T, class OtherTable, class Q>
struct Side {
    using Problem = P;
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Wide = typename Q::Priority;
    using Estimate = typename Own::Estimate;
    using OppositeEstimates = OppositeEstimator;
    using Table = T;
    using Node = typename Table::Node;
    using Queue = Q;
    using View = BidirectionalNodeView<State, Cost, Wide, Wide>;
    using Entry = typename Queue::Entry;

    static_assert(FindsNodes<Table>);

    static constexpr bool asks_opposite = Queue::asks_opposite;

    using OppositeEvaluation =
        std::conditional_t<asks_opposite, typename OppositeEstimates::ChildEvaluation, Nothing>;

    /// A neighbor that waits for its insertion into the node table.
    struct Pending {
        Pending(const Table& table, const OtherTable& other, State&& state, const Cost& its_cost,
                const typename Own::ChildEvaluation& its_estimate, const OppositeEvaluation& its_opposite,
                const typename Table::Link& its_link)
            : hint(other.lookup_hint(state)), probe(table.probe(std::move(state))), cost(its_cost),
              estimate(its_estimate), opposite(its_opposite), link(its_link) {}

        typename OtherTable::LookupHint hint;
        typename Table::Probe probe;
        Cost cost;
        NPUZZLE_NO_UNIQUE_ADDRESS typename Own::ChildEvaluation estimate;
        NPUZZLE_NO_UNIQUE_ADDRESS OppositeEvaluation opposite;
        typename Table::Link link;
    };

    Side(Direction its_direction, const P& its_problem, const State& its_root, const Own& its_own,
         const OppositeEstimates& its_opposite, MemoryBudget& budget, const Wide& epsilon)
        : direction(its_direction), problem(&its_problem), own(its_own), opposite(its_opposite),
          table(its_problem, budget), queue(budget, epsilon), root(its_root) {}

    template <class OtherSide, class Meeting, class O>
    void insert_roots(const OtherSide& other, Meeting& best, O& observer) {
        insert_root(root, other, best, observer);
        for (const State& state : added_roots) {
            insert_root(state, other, best, observer);
        }
    }

    template <class OtherSide, class Meeting, class O>
    void insert_root(const State& state, const OtherSide& other, Meeting& best, O& observer) {
        const Estimate estimate = own(state);
        const Wide wide = saturating_cast<Wide>(estimate);
        const Rank<Wide> rank = rank_of<Wide>(Cost{}, wide, opposite_of(state));
        auto [node, is_new] = table.insert(State(state));
        if (!is_new) {
            return;
        }
        observer.start(view_of(state, Cost{}, wide, rank));
        node.relax(Cost{}, estimate, Table::root(node));
        if (auto there = other.table.find(other.table.lookup_hint(state), state)) {
            best.meet(state, Cost{}, there->cost());
        }
        if (!is_infinite(estimate) && !best.is_too_dear(rank.priority)) {
            queue.push(rank, Cost{}, node.key());
        } else if constexpr (Queue::counts_nodes) {
            node.close();
        }
    }

    /// Forgets all nodes.
    void clear() {
        table.clear();
        queue.clear();
    }

    [[nodiscard]] View view_of(const State& state, const Cost& cost, const Wide& estimate,
                               const Rank<Wide>& rank) const {
        return View{{state, cost, estimate, queue.priority(rank)}, direction};
    }

    /// Prefetches the slots of several nodes.
    void prefetch(const Entry* entries, std::size_t count) const {
        for (std::size_t i = 0; count > 1 && i < count; ++i) {
            table.prefetch(entries[i].key);
        }
    }

    [[nodiscard]] Estimate estimate_of(const Node& node, const State& state) const {
        if constexpr (Table::stores_estimate) {
            return node.estimate();
        } else {
            return own(state);
        }
    }

    /// The estimate of a neighbor that has been inserted.
    [[nodiscard]] Estimate estimate_of(const Node& node, bool is_new, const Pending& neighbor,
                                       const State& state) const {
        if constexpr (Own::is_incremental) {
            return neighbor.estimate;
        } else {
            return is_new ? own(state) : estimate_of(node, state);
        }
    }

    /// The estimate of the cost from this end to a state, where the method asks for it. A state that was
    /// reached from this end is no dead end.
    [[nodiscard]] Wide opposite_of(const State& state) const {
        if constexpr (asks_opposite) {
            return reachable(opposite(state));
        } else {
            return Wide{};
        }
    }

    [[nodiscard]] Wide opposite_of(const Pending& neighbor, const State& state) const {
        if constexpr (asks_opposite && OppositeEstimates::is_incremental) {
            return reachable(neighbor.opposite);
        } else {
            return opposite_of(state);
        }
    }

    static Wide reachable(const typename OppositeEstimates::Estimate& estimate) {
        const Wide wide = saturating_cast<Wide>(estimate);
        return is_infinite(wide) ? Wide{} : wide;
    }

    Direction direction;
    const P* problem;
    Own own;
    OppositeEstimates opposite;
    Table table;
    Queue queue;
    std::vector<Pending> pending; ///< neighbors of what was expanded last
    std::uint64_t expanded = 0;
    State root;                     ///< where this side begins
    std::vector<State> added_roots; ///< where it begins as well
};

template <class Method, class P>
using forward_problem_t = std::conditional_t<Method::counts_steps && is_weighted<P>, UnitSteps<P>, P>;

/// The best solution so far: a state that both sides have reached, with the costs of its paths added up. Also
/// notes what was not followed because it costs too much.
template <class State, class Cost, class Wide>
class BestMeeting {
public:
    explicit BestMeeting(const std::optional<Cost>& max_cost) : max_cost_(max_cost) {}

    explicit operator bool() const { return cost_.has_value(); }
    /// Requires that there is one, as do the next two.
    [[nodiscard]] const State& state() const noexcept { return *state_; }
    [[nodiscard]] const Cost& cost() const noexcept { return *cost_; }
    [[nodiscard]] const Wide& bound() const noexcept { return bound_; }

    /// A path through a state that both sides know.
    void meet(const State& state, const Cost& cost, const Cost& other_cost) {
        const Cost total = saturating_add<Cost>(cost, other_cost);
        if (is_infinite(total)) {
            drop(saturating_cast<Wide>(total));
        } else if (is_over(max_cost_, total)) {
            has_pruned_ = true;
        } else if (!cost_ || total < *cost_) {
            state_ = state;
            cost_ = total;
            bound_ = saturating_cast<Wide>(total);
        }
    }

    /// Whether a path with this lower bound may be a better solution.
    [[nodiscard]] bool may_improve(const Wide& bound) const { return !cost_ || bound < bound_; }

    /// Whether a path with this lower bound costs more than is allowed, which is noted.
    bool is_too_dear(const Wide& bound) {
        if (is_over(max_cost_, bound)) {
            has_pruned_ = true;
            return true;
        }
        return false;
    }

    /// Whether a rank or its priority is beyond what the type can hold, which is noted.
    bool has_overflowed(const Rank<Wide>& rank, const Wide& priority) {
        if (is_infinite(rank.priority)) {
            drop(rank.priority);
            return true;
        }
        if (is_infinite(priority)) {
            drop(rank.cost);
            return true;
        }
        return false;
    }

    /// Notes a path that is not followed because the type cannot hold its cost, which is at least `cost`.
    void drop(const Wide& cost) {
        if (is_too_dear(cost)) {
            return;
        }
        has_pruned_ = true;
        if (!least_dropped_ || cost < *least_dropped_) {
            least_dropped_ = cost;
        }
    }

    [[nodiscard]] bool has_pruned() const noexcept { return has_pruned_; }
    [[nodiscard]] bool has_dropped() const noexcept { return least_dropped_.has_value(); }
    /// Whether a path that was dropped may have been a better solution.
    [[nodiscard]] bool has_dropped_better() const { return least_dropped_ && *least_dropped_ < bound_; }

private:
    std::optional<Cost> max_cost_;
    std::optional<State> state_;
    std::optional<Cost> cost_;
    Wide bound_{};
    std::optional<Wide> least_dropped_;
    bool has_pruned_ = false;
};

/// Both sides of a bidirectional search, and what they refer to.
/// \tparam H a heuristic for the problem, HB one for the other direction; reference types to refer to lvalues
template <class Method, BackwardProblem P, class H, class HB>
class BothSides {
protected:
    using State = state_t<P>;
    using Forward = forward_problem_t<Method, P>;
    static constexpr bool counts_steps = !std::same_as<Forward, P>;
    static constexpr bool is_undirected = UndirectedProblem<Forward>;
    using Backward = std::conditional_t<is_undirected, Forward, Reversed<Forward>>;
    using Target = backward_target_t<P>;
    static_assert(
        std::same_as<cost_t<Forward>, cost_t<Backward>> && is_weighted<Forward> == is_weighted<Backward>,
        "predecessors(state) must give states where neighbors(state) does, else Edges of the same cost type");

    using BoundHeuristic = typename bound_heuristic<H, P>::type;
    using BackwardHeuristic = typename bound_heuristic<HB, Target>::type;
    template <class Q>
    using ForwardEstimator = Estimator<BoundHeuristic, Q>;
    template <class Q>
    using BackwardEstimator = Estimator<BackwardHeuristic, Q>;

    using Cost = cost_t<Forward>;
    using Wide = wide_t<std::common_type_t<typename ForwardEstimator<Forward>::Estimate,
                                           typename BackwardEstimator<Backward>::Estimate>>;
    static_assert(!std::same_as<Method, BaeStar> || HasDifference<Wide>,
                  "BAE* subtracts estimates: `a - b` is missing");

    using ForwardTable =
        typename PartsFor<Forward, std::remove_cvref_t<BoundHeuristic>, KeepingEstimates>::NodeTable;
    using BackwardTable =
        typename PartsFor<Backward, std::remove_cvref_t<BackwardHeuristic>, KeepingEstimates>::NodeTable;
    template <class Table>
    using Queue = typename Method::template Queue<Wide, Cost, typename Table::Key, !is_weighted<Forward>>;
    using ForwardSide = Side<Forward, ForwardEstimator<Forward>, BackwardEstimator<Forward>, ForwardTable,
                             BackwardTable, Queue<ForwardTable>>;
    using BackwardSide = Side<Backward, BackwardEstimator<Backward>, ForwardEstimator<Backward>,
                              BackwardTable, ForwardTable, Queue<BackwardTable>>;

    static constexpr bool are_declared_consistent =
        declares_consistent<BoundHeuristic> && declares_consistent<BackwardHeuristic>;

    BothSides(const P& problem, const State& start, H&& heuristic, HB&& backward_heuristic,
              MemoryBudget& budget, Statistics& statistics)
        : problem_(&problem), forward_problem_(problem),
          backward_problem_(make_backward(forward_problem_, checked_state(problem, start))),
          target_(make_target(problem, start)),
          heuristic_(make_bound_heuristic(std::forward<H>(heuristic), problem)),
          backward_heuristic_(make_bound_heuristic(std::forward<HB>(backward_heuristic), target_)),
          epsilon_(make_epsilon(problem)),
          forward_(Direction::forward, forward_problem_, start,
                   ForwardEstimator<Forward>(heuristic_, statistics),
                   BackwardEstimator<Forward>(backward_heuristic_, statistics), budget, epsilon_),
          backward_(Direction::backward, backward_problem_, checked_state(problem, problem.goal()),
                    BackwardEstimator<Backward>(backward_heuristic_, statistics),
                    ForwardEstimator<Backward>(heuristic_, statistics), budget, epsilon_) {}
    BothSides(const BothSides&) = delete;
    BothSides& operator=(const BothSides&) = delete;
    ~BothSides() = default;

    /// Adds the path through a state that both sides know to a result, and its cost.
    template <class Result>
    void add_path(const State& meeting, Result& result) const {
        const auto half = [&](const auto& side) {
            using Table = typename std::remove_cvref_t<decltype(side)>::Table;
            std::vector<State> states;
            std::vector<typename Table::Move> moves;
            const auto node = side.table.find(side.table.lookup_hint(meeting), meeting);
            retrace<typename std::remove_cvref_t<decltype(side)>::Problem>(side.table, *node, states, moves);
            return states;
        };
        result.path = half(forward_);
        const std::vector<State> other = half(backward_);
        result.path.insert(result.path.end(), other.rbegin() + 1, other.rend());
        // The steps are looked up, so that moves are the problem's own, and sums those along the path from
        // its start.
        result.cost = look_up_steps(*problem_, result.path, moves_of<P>(result));
    }

private:
    static decltype(auto) make_backward(const Forward& forward, const State& start) {
        if constexpr (is_undirected) {
            return (forward);
        } else {
            return Reversed<Forward>(forward, start);
        }
    }

    static auto make_target(const P& problem, const State& start) {
        if constexpr (!BindsTo<HB, Target>) {
            return Nothing{};
        } else {
            return make_backward_target(problem, start);
        }
    }

    static Wide make_epsilon(const P& problem) {
        if constexpr (!is_weighted<Forward>) {
            return saturating_cast<Wide>(Cost{1});
        } else if constexpr (HasLeastCost<P>) {
            return saturating_cast<Wide>(static_cast<Cost>(problem.least_cost()));
        } else {
            return Wide{};
        }
    }

    const P* problem_;
    std::conditional_t<counts_steps, Forward, const Forward&> forward_problem_;
    std::conditional_t<is_undirected, const Backward&, Backward> backward_problem_;
    std::conditional_t<BindsTo<HB, Target>, Target, Nothing> target_;
    BoundHeuristic heuristic_;
    BackwardHeuristic backward_heuristic_;

protected:
    Wide epsilon_; // no step costs less
    ForwardSide forward_;
    BackwardSide backward_;
};

} // namespace detail
} // namespace npuzzle
