#pragma once

#include "npuzzle/search/core/assert.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/best_first_engine.hpp"
#include "npuzzle/search/kernel/bidirectional_queues.hpp"
#include "npuzzle/search/kernel/bidirectional_side.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/reversed.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The engine of all bidirectional searches.

namespace npuzzle {

/// Which of the two sides of a bidirectional search.
enum class Direction : std::uint8_t {
    forward,  ///< from the start
    backward, ///< from the goal
};

/// A node of a bidirectional search as an observer sees it: cost and estimate are those of its side.
template <class State, class Cost, class Estimate, class Priority>
struct BidirectionalNodeView : NodeView<State, Cost, Estimate, Priority> {
    Direction direction;
};

namespace detail {

/// In which order a bidirectional search expands, and when it stops.
enum class Method : std::uint8_t { mm, nbs, bae_star, layers };

template <Method method, class Wide, class Cost, class Key, bool has_unit_steps>
struct queue_of {
    using Order =
        std::conditional_t<method == Method::mm, MeetInTheMiddleOrder,
                           std::conditional_t<method == Method::bae_star, BaeStarOrder, LayerOrder>>;
    using type = OrderedQueue<Order, Wide, Cost, Key, has_unit_steps>;
};

template <class Wide, class Cost, class Key, bool has_unit_steps>
struct queue_of<Method::nbs, Wide, Cost, Key, has_unit_steps> {
    using type = PairedQueue<Wide, Cost, Key, has_unit_steps>;
};

/// The problem that a backward heuristic is bound to: the same one with the start as its goal, where it can be given
/// another goal; else the one whose steps are gone backward.
template <class P>
struct backward_target {
    using type = Reversed<P>;
};

template <ReversibleProblem P>
struct backward_target<P> {
    using type =
        std::remove_cvref_t<decltype(std::declval<const P&>().with_goal(std::declval<const state_t<P>&>()))>;
};

template <class P>
using backward_target_t = typename backward_target<P>::type;

/// The problem of the forward side.
template <Method method, class P>
using forward_problem_t = std::conditional_t<method == Method::layers && is_weighted<P>, UnitSteps<P>, P>;

/// Two searches towards each other. A state of one side that the other side knows makes a solution; the cheapest so far
/// is returned when the method's bound proves that none is cheaper.
///
/// Nodes that no better solution can go through stay in their table without an entry on the open list: those whose f is
/// not below the cost of the solution at hand, and, under consistent heuristics, those that the other side has expanded
/// ("nipping": Kwa 1989). They are not closed, so that a closed node is one that was expanded, at its least cost.
///
/// A step is one expansion, by NBS one of each side. Statistics are those of both sides together.
template <Method method, BackwardProblem P, class H, class HB, class O>
class BidirectionalSearch
    : public EngineBase<BidirectionalSearch<method, P, H, HB, O>, cost_t<forward_problem_t<method, P>>, O> {
    using Base = EngineBase<BidirectionalSearch, cost_t<forward_problem_t<method, P>>, O>;
    friend Base;

    using Forward = forward_problem_t<method, P>;
    static constexpr bool counts_steps = !std::same_as<Forward, P>;
    static constexpr bool is_undirected = UndirectedProblem<Forward>;
    using Backward = std::conditional_t<is_undirected, Forward, Reversed<Forward>>;
    using Target = backward_target_t<P>;
    static_assert(
        std::same_as<cost_t<Forward>, cost_t<Backward>> && is_weighted<Forward> == is_weighted<Backward>,
        "predecessors(state) must give states where neighbors(state) does, else Edges of the same cost type");

    using BoundHeuristic = typename bound_heuristic<H, P>::type;
    using BackwardKept = typename bound_heuristic<HB, Target>::type;

    template <class Q>
    using ForwardEstimator = Estimator<BoundHeuristic, Q>;
    template <class Q>
    using BackwardEstimator = Estimator<BackwardKept, Q>;

public:
    using State = state_t<P>;
    using Cost = cost_t<Forward>;
    using Result = SearchResult<State, cost_t<P>, move_t<P>>;

private:
    using Wide = wide_t<std::common_type_t<typename ForwardEstimator<Forward>::Estimate,
                                           typename BackwardEstimator<Backward>::Estimate>>;
    static_assert(method != Method::bae_star || HasDifference<Wide>,
                  "BAE* subtracts estimates: `a - b` is missing");

    template <class Key>
    using Queue = typename queue_of<method, Wide, Cost, Key, !is_weighted<Forward>>::type;

    using ForwardSide = Side<Forward, ForwardEstimator<Forward>, BackwardEstimator<Forward>, Queue>;
    using BackwardSide = Side<Backward, BackwardEstimator<Backward>, ForwardEstimator<Backward>, Queue>;
    using ForwardPending = typename ForwardSide::template Pending<BackwardSide>;
    using BackwardPending = typename BackwardSide::template Pending<ForwardSide>;

    static constexpr bool are_consistent =
        method == Method::bae_star || method == Method::layers ||
        (declares_consistent<BoundHeuristic> && declares_consistent<BackwardKept>);
    static constexpr bool counts_nodes = ForwardSide::Queue::counts_nodes;
    static constexpr bool asks_opposite = ForwardSide::Queue::asks_opposite;
    /// Where nodes are counted, those without an entry are closed, which tells nothing of their cost then.
    static constexpr bool nips = are_consistent && !counts_nodes;
    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;

    /// As in A*: see `AStar`.
    static constexpr std::size_t batch_width = is_watched || !ForwardSide::Queue::gives_batches ? 1 : 16;
    static constexpr std::uint64_t batch_from = std::uint64_t{1} << 16;
    static constexpr std::uint64_t batch_open = 64;

public:
    using Node = BidirectionalNodeView<State, Cost, Wide, Wide>;
    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// Sets up a search. Linear in the size of the state; throws what copying the heuristics or binding them throws.
    BidirectionalSearch(const P& problem, const State& start, H&& heuristic, HB&& backward_heuristic,
                        BasicLimits<Cost> limits = {}, O&& observer = O{})
        : Base(limits, std::forward<O>(observer)), problem_(&problem), forward_problem_(problem),
          backward_problem_(make_backward(forward_problem_, start)), target_(make_target(problem, start)),
          heuristic_(make_bound_heuristic(std::forward<H>(heuristic), problem)),
          backward_heuristic_(make_bound_heuristic(std::forward<HB>(backward_heuristic), target_)),
          epsilon_(make_epsilon(problem)),
          forward_(forward_problem_, ForwardEstimator<Forward>(heuristic_),
                   BackwardEstimator<Forward>(backward_heuristic_), budget_, epsilon_),
          backward_(backward_problem_, BackwardEstimator<Backward>(backward_heuristic_),
                    ForwardEstimator<Backward>(heuristic_), budget_, epsilon_) {
        monitor_.restart(); // To bind heuristics may take long.
        guarded([&] {
            add_root(forward_, backward_, Direction::forward, start);
            add_root(backward_, forward_, Direction::backward, problem.goal());
        });
    }

    /// What a solution costs at least, as far as is proved: the optimum in the end, if there is a solution.
    Wide lower_bound()
        requires std::is_arithmetic_v<Wide>
    {
        Wide bound = bound_;
        if constexpr (method != Method::nbs) {
            if (!forward_.queue.empty() && !backward_.queue.empty()) {
                bound = meeting_bound();
            } else if (best_) {
                bound = bound_of_best_;
            }
        }
        return best_ && bound_of_best_ < bound ? bound_of_best_ : bound;
    }

    /// The outcome: with the path if the search is solved, in time linear in its length. If there is no memory left for
    /// the path, the status is `memory_limit`.
    Result result() {
        return outcome(Result{}, [&](Result& result) {
            if (status_ == Status::solved) {
                retrace(result);
            }
        });
    }

private:
    using Base::budget_, Base::exhausted, Base::finish, Base::guarded, Base::pruned_by_bound_,
        Base::is_stopped, Base::max_cost_, Base::monitor_, Base::observer_, Base::outcome, Base::statistics_,
        Base::status_;

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
        } else if constexpr (ReversibleProblem<P>) {
            return problem.with_goal(start);
        } else {
            return Reversed<P>(problem, start);
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

    void complete(Statistics& statistics) const {
        statistics.expanded = forward_.expanded + backward_.expanded;
        statistics.stored = forward_.table.size() + backward_.table.size();
    }

    /// Both ends are known, or one has nothing more to give.
    void finish_run() {
        if (best_ && !(least_dropped_ && *least_dropped_ < bound_of_best_)) {
            observer_.goal(Node{{*meeting_, *best_, Wide{}, bound_of_best_},
                                Direction::forward}); // the whole path's cost
            finish(Status::solved);
        } else {
            finish(exhausted());
        }
    }

    /// Takes note of a path that is not followed because of the limits of a type.
    void drop(const Wide& cost) {
        pruned_by_bound_ = true;
        if (!least_dropped_ || cost < *least_dropped_) {
            least_dropped_ = cost;
        }
    }

    template <class OneSide>
    Wide opposite_of(const OneSide& side, const State& state) const {
        if constexpr (asks_opposite) {
            return known_opposite(saturating_cast<Wide>(side.opposite(state)));
        } else {
            return Wide{};
        }
    }

    /// A state that the search has come to is no dead end of the other direction.
    static Wide known_opposite(const Wide& estimate) { return is_infinite(estimate) ? Wide{} : estimate; }

    static Rank<Wide> rank_of(const Cost& cost, const Wide& estimate, const Wide& opposite) {
        const Wide wide = saturating_cast<Wide>(cost);
        return {wide, saturating_add<Wide>(wide, estimate), opposite};
    }

    template <class OneSide>
    static Node view_of(const OneSide& side, Direction direction, const State& state, const Cost& cost,
                        const Wide& estimate, const Rank<Wide>& rank) {
        return Node{{state, cost, estimate, side.queue.priority(rank)}, direction};
    }

    template <class OneSide, class Other>
    void add_root(OneSide& side, const Other& other, Direction direction, const State& state) {
        if (direction == Direction::backward && other.table.size() == 0) {
            return; // there was no memory for the start
        }
        const auto estimate = side.own(state);
        const Wide wide = saturating_cast<Wide>(estimate);
        const Rank<Wide> rank = rank_of(Cost{}, wide, opposite_of(side, state));
        auto node = side.table.insert(State(state)).first;
        observer_.start(view_of(side, direction, state, Cost{}, wide, rank));
        node.relax(Cost{}, estimate, OneSide::Table::root(node));
        if (auto there = other.table.find(other.table.sight(state), state)) {
            meet(state, Cost{}, there->cost());
        }
        if (!is_infinite(estimate) && !is_too_dear(rank.priority)) {
            side.queue.push(rank, Cost{}, node.key());
        } else if constexpr (counts_nodes) {
            node.close();
        }
    }

    /// A path over a state that both sides know.
    void meet(const State& state, const Cost& cost, const Cost& other_cost) {
        const Cost total = saturating_add<Cost>(cost, other_cost);
        if (is_infinite(total)) {
            drop(saturating_cast<Wide>(total));
        } else if (max_cost_ && *max_cost_ < total) {
            pruned_by_bound_ = true;
        } else if (!best_ || total < *best_) {
            meeting_ = state;
            best_ = total;
            bound_of_best_ = saturating_cast<Wide>(total);
        }
    }

    /// Whether a better solution than the one at hand could have this bound.
    bool is_below_best(const Wide& bound) const { return !best_ || bound < bound_of_best_; }

    /// Whether a solution with this bound costs more than is allowed, which is taken note of.
    bool is_too_dear(const Wide& bound) {
        if (max_cost_ && saturating_cast<Wide>(*max_cost_) < bound) {
            pruned_by_bound_ = true;
            return true;
        }
        return false;
    }

    /// What a path costs at least that goes on from both open lists, neither of which is empty.
    Wide meeting_bound()
        requires(method != Method::bae_star || std::is_arithmetic_v<Wide>)
    {
        const Wide one = forward_.queue.first();
        const Wide other = backward_.queue.first();
        if constexpr (method == Method::mm) {
            Wide bound = other < one ? other : one;
            for (const Wide& each : {forward_.queue.least_priority(), backward_.queue.least_priority(),
                                     apart(forward_.queue.least_cost(), backward_.queue.least_cost())}) {
                bound = bound < each ? each : bound;
            }
            return bound;
        } else if constexpr (method == Method::bae_star) {
            const Wide sum = saturating_add<Wide>(one, other);
            Wide bound = sum / 2;
            if constexpr (std::integral<Wide>) {
                bound += sum > 0 ? sum % 2 : 0; // half of an odd sum is rounded up
            }
            return bound;
        } else {
            return apart(one, other);
        }
    }

    /// Whether the solution at hand is proved to be a best one, or that there is none of the cost that is allowed.
    bool is_proved() {
        if constexpr (method == Method::bae_star && !std::is_arithmetic_v<Wide>) {
            const Wide sum = saturating_add<Wide>(forward_.queue.first(), backward_.queue.first());
            return best_ && !(sum < saturating_add<Wide>(bound_of_best_, bound_of_best_));
        } else {
            if (!best_ && !max_cost_) {
                return false;
            }
            const Wide bound = meeting_bound();
            return !is_below_best(bound) || is_too_dear(bound);
        }
    }

    /// The next node or nodes of one side, or of both, or the end.
    void advance(std::size_t width = 1) {
        while (status_ == Status::running) {
            if (best_ && !(Cost{} < *best_)) {
                finish_run();
                return;
            }
            if constexpr (method == Method::nbs) {
                if (advance_pairs(width)) {
                    return;
                }
            } else {
                if (forward_.queue.empty() || backward_.queue.empty() || is_proved()) {
                    finish_run();
                    return;
                }
                const bool has_advanced =
                    is_forward_next()
                        ? take_turn(forward_, backward_, Direction::forward, forward_pending_, width)
                        : take_turn(backward_, forward_, Direction::backward, backward_pending_, width);
                if (has_advanced) {
                    return;
                }
            }
        }
    }

    void advance_many() {
        const bool is_large = forward_.table.size() + backward_.table.size() >= batch_from &&
                              forward_.queue.size() >= batch_open && backward_.queue.size() >= batch_open;
        advance(is_large ? batch_width : 1);
    }

    bool is_forward_next() {
        if constexpr (method == Method::mm) {
            const Wide forward = forward_.queue.first();
            const Wide backward = backward_.queue.first();
            if (forward < backward || backward < forward) {
                return forward < backward;
            }
            return forward_.queue.size() <= backward_.queue.size();
        } else if constexpr (method == Method::bae_star) {
            return forward_.expanded <= backward_.expanded;
        } else {
            // Layer by layer, the smaller one first.
            const Wide layer = is_forward_layer_ ? forward_.queue.first() : backward_.queue.first();
            if (layer_ < layer) {
                is_forward_layer_ = forward_.queue.size() <= backward_.queue.size();
                layer_ = is_forward_layer_ ? forward_.queue.first() : backward_.queue.first();
            }
            return is_forward_layer_;
        }
    }

    /// Expands the first nodes of a side that are not superseded. Returns whether there were any, or the search is over.
    template <class OneSide, class Other, class Pending>
    bool take_turn(OneSide& side, Other& other, Direction direction, std::vector<Pending>& pending,
                   std::size_t width) {
        std::array<typename OneSide::Entry, batch_width> entries;
        const std::size_t count = side.queue.take(entries.data(), std::min(width, batch_width));
        return expand_all(side, other, direction, pending, entries.data(), count, entries[0].priority);
    }

    template <class OneSide, class Other, class Pending>
    bool expand_all(OneSide& side, Other& other, Direction direction, std::vector<Pending>& pending,
                    const typename OneSide::Entry* entries, std::size_t count, const Wide& priority) {
        for (std::size_t i = 0; count > 1 && i < count; ++i) {
            side.table.prefetch(entries[i].key);
        }
        bool has_expanded = false;
        for (std::size_t i = 0; i < count; ++i) {
            has_expanded = expand(side, other, direction, pending, entries[i]) || has_expanded;
            if (status_ != Status::running) {
                return true;
            }
        }
        insert_successors(side, other, direction, pending, nullptr, priority);
        return has_expanded;
    }

    /// The open node of an entry, if it is not superseded, nor on no way to a better solution.
    template <class OneSide, class Other>
    auto find_live(OneSide& side, const Other& other, const typename OneSide::Entry& entry) {
        // Asked where nodes share a key. Those without an entry must not be taken for the one that has it.
        const auto is_wanted = [&](const State& state) {
            const Rank<Wide> rank =
                rank_of(entry.cost, saturating_cast<Wide>(side.own(state)), opposite_of(side, state));
            return side.queue.is_of(entry, rank) && is_below_best(rank.priority) && !is_nipped(other, state);
        };
        return side.table.find_open(entry.key, entry.cost, is_wanted);
    }

    template <class Other>
    static bool is_nipped(const Other& other, const State& state) {
        if constexpr (nips) {
            const auto there = other.table.find(other.table.sight(state), state);
            return there && there->is_closed();
        } else {
            return false;
        }
    }

    template <class OneSide>
    static auto estimate_of(const OneSide& side, const typename OneSide::Node& node, const State& state) {
        if constexpr (OneSide::Table::stores_estimate) {
            return node.estimate();
        } else {
            return side.own(state);
        }
    }

    /// Generates the neighbours of an entry's node into `pending`, unless somebody watches; or ends the search. False if
    /// there was nothing to expand.
    template <class OneSide, class Other, class Pending>
    bool expand(OneSide& side, Other& other, Direction direction, std::vector<Pending>& pending,
                const typename OneSide::Entry& entry) {
        auto found = find_live(side, other, entry);
        if (!found) {
            return false;
        }
        auto& node = *found;
        decltype(auto) state = node.state();
        const Cost cost = entry.cost;
        const auto estimate = estimate_of(side, node, state);
        const Wide wide = saturating_cast<Wide>(estimate);
        Rank<Wide> rank = rank_of(cost, wide, Wide{});
        if (!is_below_best(rank.priority)) {
            side.queue.forget(rank);
            if constexpr (counts_nodes) {
                node.close();
            }
            return false;
        }
        if (const std::uint64_t expanded = forward_.expanded + backward_.expanded;
            monitor_.is_due(expanded) && is_stopped(expanded)) {
            return true;
        }
        using OppositeEstimator = decltype(side.opposite);
        typename OppositeEstimator::Estimate opposite{};
        if constexpr (asks_opposite && (is_watched || OppositeEstimator::is_incremental)) {
            opposite = side.opposite(state);
            rank.opposite = known_opposite(saturating_cast<Wide>(opposite));
        }
        side.queue.forget(rank);
        node.close();
        ++side.expanded;
        if constexpr (is_watched) {
            const Node view = view_of(side, direction, state, cost, wide, rank);
            observer_.expand(view);
            generate(side, other, pending, node, state, cost, estimate, opposite);
            insert_successors(side, other, direction, pending, &view, entry.priority);
        } else {
            generate(side, other, pending, node, state, cost, estimate, opposite);
        }
        return true;
    }

    template <class OneSide, class Other, class Pending, class Estimate, class OppositeEstimate>
    void generate(OneSide& side, const Other& other, std::vector<Pending>& pending,
                  const typename OneSide::Node& node, const State& state, const Cost& cost,
                  const Estimate& estimate, const OppositeEstimate& opposite) {
        using Table = typename OneSide::Table;
        constexpr bool follows_own = !std::same_as<typename OneSide::EarlyEstimate, Nothing>;
        constexpr bool follows_opposite = !std::same_as<typename OneSide::OppositeEarly, Nothing>;
        const auto carried = [&] {
            if constexpr (follows_own) {
                return side.own.evaluation_of(state, estimate);
            } else {
                return Nothing{};
            }
        }();
        const auto opposite_carried = [&] {
            if constexpr (follows_opposite) {
                return side.opposite.evaluation_of(state, opposite);
            } else {
                return Nothing{};
            }
        }();
        for_each_neighbor(*side.problem, side.table, node, state,
                          [&](State&& child, const Cost& step, const auto& move) {
                              if (step < Cost{}) {
                                  ++statistics_.generated;
                                  ++statistics_.contract_violations;
                                  NPUZZLE_ASSERT(false && "costs are not negative");
                                  return;
                              }
                              if constexpr (is_weighted<Forward> && HasLeastCost<P>) {
                                  if (saturating_cast<Wide>(step) < epsilon_) {
                                      ++statistics_.contract_violations;
                                      NPUZZLE_ASSERT(false && "no step costs less than the least");
                                  }
                              }
                              const Cost child_cost = saturating_add<Cost>(cost, step);
                              if (!Table::can_hold(child_cost)) {
                                  ++statistics_.generated;
                                  if (!is_infinite(step)) { // which would be a wall
                                      drop(saturating_cast<Wide>(child_cost));
                                  }
                                  return;
                              }
                              typename OneSide::EarlyEstimate early{};
                              if constexpr (follows_own) {
                                  early = side.own.after(carried, state, move, child);
                              }
                              typename OneSide::OppositeEarly opposite_early{};
                              if constexpr (follows_opposite) {
                                  opposite_early = side.opposite.after(opposite_carried, state, move, child);
                              }
                              pending.emplace_back(side.table, other, std::move(child), child_cost, early,
                                                   opposite_early, Table::link(node, move));
                          });
    }

    /// Puts the noted neighbours into the side's node table and, if they are new or nearer than known, on its open list.
    /// \param parent theirs, for the observer, where there is only one
    template <class OneSide, class Other, class Pending>
    void insert_successors(OneSide& side, Other& other, Direction direction, std::vector<Pending>& pending,
                           const Node* parent, const Wide& parent_priority) {
        for (const Pending& each : pending) {
            side.table.prefetch(each.probe);
        }
        for (Pending& each : pending) {
            insert_successor(side, other, direction, each, parent, parent_priority);
        }
        pending.clear();
        statistics_.peak_open =
            std::max<std::uint64_t>(statistics_.peak_open, forward_.queue.size() + backward_.queue.size());
    }

    template <class OneSide, class Other, class Pending>
    void insert_successor(OneSide& side, Other& other, Direction direction, Pending& pending,
                          const Node* parent, const Wide& parent_priority) {
        ++statistics_.generated;
        const Cost& cost = pending.cost;
        auto [node, is_new] = side.table.insert(std::move(pending.probe));
        const bool is_duplicate = !is_new && !(cost < node.cost());
        if (is_duplicate) {
            ++statistics_.duplicates;
            if constexpr (!is_watched) {
                return;
            }
        }
        decltype(auto) state = side.table.state_of(pending.probe, node);
        const auto estimate = estimate_of(side, node, is_new, pending, state);
        const Wide wide = saturating_cast<Wide>(estimate);
        const Rank<Wide> rank = rank_of(cost, wide, opposite_of(side, pending, state));
        if constexpr (is_watched) {
            const Node view = view_of(side, direction, state, cost, wide, rank);
            observer_.generate(view, *parent);
            if (is_duplicate) {
                observer_.duplicate(view);
                return;
            }
        }
        const bool was_closed = node.is_closed();
        if (!is_new && !was_closed) {
            side.queue.forget(rank_of(node.cost(), wide, Wide{}));
        }
        node.relax(cost, estimate, pending.link);
        const auto there = other.table.find(pending.sight, state);
        if (there) {
            meet(state, cost, there->cost());
        }
        const bool is_nipped_now = nips && there && there->is_closed();
        if (is_infinite(estimate) || has_overflowed(side, rank) || is_too_dear(rank.priority) ||
            !is_below_best(rank.priority) || is_nipped_now) {
            if constexpr (counts_nodes) {
                node.close();
            }
            return;
        }
        check_consistency(side, rank, parent_priority);
        if (!is_new) {
            statistics_.reopened += was_closed ? 1 : 0;
            if constexpr (is_watched) {
                const Node view = view_of(side, direction, state, cost, wide, rank);
                was_closed ? observer_.reopen(view) : observer_.improve(view);
            }
        }
        side.queue.push(rank, cost, node.key());
    }

    template <class OneSide, class Pending>
    static auto estimate_of(const OneSide& side, const typename OneSide::Node& node, bool is_new,
                            const Pending& pending, const State& state) {
        if constexpr (!std::same_as<typename OneSide::EarlyEstimate, Nothing>) {
            return pending.estimate;
        } else {
            return is_new ? side.own(state) : estimate_of(side, node, state);
        }
    }

    template <class OneSide, class Pending>
    Wide opposite_of(const OneSide& side, const Pending& pending, const State& state) const {
        if constexpr (!std::same_as<typename OneSide::OppositeEarly, Nothing>) {
            return known_opposite(saturating_cast<Wide>(pending.opposite));
        } else {
            return opposite_of(side, state);
        }
    }

    template <class OneSide>
    bool has_overflowed(const OneSide& side, const Rank<Wide>& rank) {
        if (is_infinite(rank.priority)) {
            drop(rank.priority);
            return true;
        }
        if (is_infinite(side.queue.priority(rank))) {
            drop(rank.cost);
            return true;
        }
        return false;
    }

    /// Floating-point sums round, so that only integers can be held to the promise.
    template <class OneSide>
    void check_consistency(const OneSide& side, const Rank<Wide>& rank, const Wide& parent_priority) {
        constexpr bool is_promised =
            method == Method::bae_star ||
            (method == Method::mm && declares_consistent<typename decltype(side.own)::Heuristic>);
        if constexpr (std::integral<Wide> && is_promised) {
            if (side.queue.priority(rank) < parent_priority) {
                ++statistics_.contract_violations;
                NPUZZLE_ASSERT(false && "the priority does not fall under consistent heuristics");
            }
        }
    }

    /// NBS: raises the bound to the least max(f(u), f(v), g(u) + g(v) + epsilon) of a pair, and expands both; as many pairs
    /// as `width`. False if there was nothing to expand.
    bool advance_pairs(std::size_t width) {
        if (!raise_bound(width) || !is_below_best(bound_) || is_too_dear(bound_)) {
            finish_run();
            return true;
        }
        typename ForwardSide::Entry forward[batch_width];
        typename BackwardSide::Entry backward[batch_width];
        const std::size_t pairs = std::min(width, batch_width);
        const Wide room = forward_.queue.least_ready();
        const std::size_t found =
            take_live(forward_, backward_, forward, pairs, backward_.queue.least_ready());
        if (found == 0) {
            return false;
        }
        const std::size_t paired = take_live(backward_, forward_, backward, found, room);
        for (std::size_t i = paired; i < found; ++i) {
            forward_.queue.give_back(forward[i]);
        }
        if (paired == 0) {
            return false;
        }
        const bool has_advanced =
            expand_all(forward_, backward_, Direction::forward, forward_pending_, forward, paired, bound_);
        if (status_ != Status::running) {
            return true;
        }
        if (!is_below_best(bound_)) {
            finish_run();
            return true;
        }
        return expand_all(backward_, forward_, Direction::backward, backward_pending_, backward, paired,
                          bound_) ||
               has_advanced;
    }

    /// Takes ready nodes of least g that are not superseded, as long as that and the other side's g are within the bound.
    template <class OneSide, class Other>
    std::size_t take_live(OneSide& side, const Other& other, typename OneSide::Entry* entries,
                          std::size_t most, const Wide& other_cost) {
        std::size_t live = 0;
        while (live == 0 && side.queue.has_ready() && is_pair_within(side.queue.least_ready(), other_cost)) {
            const std::size_t count = side.queue.take(entries, most);
            for (std::size_t i = 0; count > 1 && i < count; ++i) {
                side.table.prefetch(entries[i].key);
            }
            for (std::size_t i = 0; i < count; ++i) {
                if (find_live(side, other, entries[i])) {
                    entries[live++] = entries[i];
                }
            }
        }
        return live;
    }

    bool is_pair_within(const Wide& cost, const Wide& other_cost) const {
        return !(bound_ < apart(cost, other_cost));
    }

    Wide apart(const Wide& cost, const Wide& other_cost) const {
        return saturating_add<Wide>(saturating_add<Wide>(cost, other_cost), epsilon_);
    }

    /// Makes a pair ready within the bound, which is raised where it must be. False if a side has nothing left.
    bool raise_bound(std::size_t width) {
        for (;;) {
            auto& one = forward_.queue;
            auto& other = backward_.queue;
            if (one.empty() || other.empty()) {
                return false;
            }
            std::optional<Wide> next;
            const auto consider = [&](const Wide& bound) { next = !next || bound < *next ? bound : *next; };
            if (one.has_ready() && other.has_ready()) {
                consider(apart(one.least_ready(), other.least_ready()));
                if (!(bound_ < *next)) {
                    return true;
                }
            }
            const bool has_admitted = one.admit(width);
            if (other.admit(width) || has_admitted) {
                continue;
            }
            if (one.has_waiting()) {
                consider(one.least_waiting());
            }
            if (other.has_waiting()) {
                consider(other.least_waiting());
            }
            bound_ = *next;
            one.set_bound(bound_);
            other.set_bound(bound_);
        }
    }

    void retrace(Result& result) {
        auto node = *forward_.table.find(forward_.table.sight(*meeting_), *meeting_);
        for (; !node.is_root(); node = forward_.table.parent(node)) {
            result.path.push_back(node.state());
        }
        result.path.push_back(node.state());
        std::reverse(result.path.begin(), result.path.end());
        auto other = *backward_.table.find(backward_.table.sight(*meeting_), *meeting_);
        while (!other.is_root()) {
            other = backward_.table.parent(other);
            result.path.push_back(other.state());
        }
        // The steps are looked up, so that moves are the problem's own, and sums those along the path from its start.
        constexpr bool adds_up = counts_steps || !std::integral<Cost>;
        if constexpr (detail::has_moves<P> || adds_up) {
            cost_t<P> sum{};
            for (std::size_t i = 0; i + 1 < result.path.size(); ++i) {
                sum = saturating_add<cost_t<P>>(sum, take_step(result, result.path[i], result.path[i + 1]));
            }
            if constexpr (adds_up) {
                if (is_infinite(sum)) {
                    result = Result{};
                    status_ = Status::cost_overflow;
                    result.status = status_;
                    result.statistics = this->statistics();
                    return;
                }
                result.cost = sum;
                return;
            }
        }
        if constexpr (!adds_up) {
            result.cost = *best_;
        }
    }

    /// The cheapest step between two states of the path; its move is appended to the result's, if there are moves.
    cost_t<P> take_step(Result& result, const State& from, const State& to) {
        std::optional<cost_t<P>> least;
        if constexpr (detail::has_moves<P>) {
            auto best_move = P::no_move;
            problem_->for_each_move(from, P::no_move, [&](const move_t<P>& move) {
                State after = from;
                problem_->apply(after, move);
                if (is_equal(after, to)) {
                    cost_t<P> cost{1};
                    if constexpr (is_weighted<P>) {
                        cost = problem_->move_cost(from, move);
                    }
                    if (!(cost < cost_t<P>{}) && (!least || cost < *least)) {
                        least = cost;
                        best_move = move;
                    }
                }
            });
            result.moves.push_back(best_move);
        } else {
            for (auto&& neighbor : problem_->neighbors(from)) {
                const auto consider = [&](const State& after, const cost_t<P>& cost) {
                    if (is_equal(after, to) && !(cost < cost_t<P>{}) && (!least || cost < *least)) {
                        least = cost;
                    }
                };
                if constexpr (is_weighted<P>) {
                    consider(neighbor.to, neighbor.cost);
                } else {
                    consider(neighbor, cost_t<P>{1});
                }
            }
        }
        NPUZZLE_ASSERT(least && "each step that was gone backward is a step of the problem");
        return least ? *least : cost_t<P>{};
    }

    const P* problem_;
    std::conditional_t<counts_steps, Forward, const Forward&> forward_problem_;
    std::conditional_t<is_undirected, const Backward&, Backward> backward_problem_;
    std::conditional_t<BindsTo<HB, Target>, Target, Nothing> target_;
    BoundHeuristic heuristic_;
    BackwardKept backward_heuristic_;
    Wide epsilon_;
    ForwardSide forward_;
    BackwardSide backward_;
    std::vector<ForwardPending> forward_pending_; // neighbours of what was expanded last
    std::vector<BackwardPending> backward_pending_;
    std::optional<State> meeting_; // on the best path known
    std::optional<Cost> best_;
    Wide bound_of_best_{};
    std::optional<Wide> least_dropped_;
    Wide bound_{}; // NBS: of the pairs that are taken
    Wide layer_{}; // breadth first: the layer that is being expanded
    bool is_forward_layer_ = true;
};

} // namespace detail
} // namespace npuzzle
