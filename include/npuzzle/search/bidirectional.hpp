#pragma once

#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/engine/parts.hpp"
#include "npuzzle/search/engine/problem_adaptors.hpp"
#include "npuzzle/search/engine/steps_as_moves.hpp"
#include "npuzzle/search/memory/budget_allocator.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Bidirectional search: from the start and from the goal at once. A state that both sides know makes a
/// solution. The search ends when a bound proves that no path is cheaper than the best solution so far. A
/// method gives the order of each side's nodes, the side that is next, and the bound.

namespace npuzzle {

/// A heuristic for both directions: it binds to the problem, and to the problem with another goal. `Zero`
/// serves any problem.
template <class H, class P>
concept TwoWayHeuristicFor =
    HeuristicFor<H, P> &&
    (std::same_as<std::remove_cvref_t<H>, Zero> ||
     (UndirectedProblem<P> && HasWithGoal<P> && BindsTo<H, P> && BackwardHeuristicFor<H, P>));

/// The two sides of a bidirectional search.
enum class Direction : std::uint8_t {
    forward,  ///< from the starts
    backward, ///< from the goals
};

/// A node as an observer sees it: cost and estimate belong to its side.
template <class State, class Cost, class Estimate, class Priority>
struct BidirectionalNodeView : NodeView<State, Cost, Estimate, Priority> {
    Direction direction;
};

namespace detail {

/// A lower bound on the cost of a path through two nodes, one of each side, of these costs.
template <class Wide>
Wide cost_through(const Wide& cost, const Wide& other_cost, const Wide& epsilon) {
    return saturating_add<Wide>(saturating_add<Wide>(cost, other_cost), epsilon);
}

/// The values that order a node.
template <class Wide>
struct Rank {
    Wide cost;       ///< g
    Wide total;      ///< f = g + h
    Wide opposite{}; ///< the other direction's h, 0 or more, if the method asks for it
};

/// The defaults of a method. Each also has
///
/// - `raise_bound(forward, backward, epsilon, bound)`: the new bound: no solution that may still be found
///   costs less. Both sides have nodes left; no step costs less than epsilon
/// - `is_forward_next(forward, backward)`: which side expands its next node, unless the method takes pairs
struct TwoWayMethod {
    static constexpr bool needs_consistency = false; ///< optimal only under consistent heuristics
    static constexpr bool counts_nodes = false;      ///< the bound needs the least g and f of a side
    static constexpr bool asks_opposite = false;     ///< the priority depends on `Rank::opposite`
    static constexpr bool takes_pairs = false;       ///< expands one node of each side, within a bound

    /// What orders each side, the least first.
    template <class Wide>
    static Wide priority(const Rank<Wide>& rank, const Wide& /*epsilon*/) {
        return rank.total;
    }
};

/// Breadth first: layer by layer, the smaller one first.
struct SmallerLayerFirst : TwoWayMethod {
    static constexpr bool needs_consistency = true; // which `Zero` has

    template <class Wide>
    static Wide priority(const Rank<Wide>& rank, const Wide& /*epsilon*/) {
        return rank.cost;
    }

    template <class Wide>
    static Wide raise_bound(auto& one, auto& other, const Wide& epsilon, const Wide& /*bound*/) {
        return cost_through<Wide>(one.open.first_priority(), other.open.first_priority(), epsilon);
    }

    bool is_forward_next(auto& forward, auto& backward) {
        const auto first = [&] {
            return is_forward_layer ? forward.open.first_priority() : backward.open.first_priority();
        };
        if (layer < first()) {
            is_forward_layer = forward.size() <= backward.size();
            layer = first();
        }
        return is_forward_layer;
    }

    std::int64_t layer = 0; // being expanded
    bool is_forward_layer = true;
};

} // namespace detail

/// MM: neither side expands a node whose g is more than half the optimum (R. C. Holte, A. Felner, G. Sharon,
/// N. R. Sturtevant, "Bidirectional search that is guaranteed to meet in the middle", AAAI 2016). The least
/// cost of a step is part of the bound, as in MMe (G. Sharon, R. C. Holte, A. Felner, N. R. Sturtevant 2016).
/// Any admissible heuristics.
struct MeetInTheMiddle : detail::TwoWayMethod {
    static constexpr bool counts_nodes = true;

    template <class Wide>
    static Wide priority(const detail::Rank<Wide>& rank, const Wide& epsilon) {
        return (std::max)(rank.total, detail::cost_through(rank.cost, rank.cost, epsilon));
    }

    template <class Wide>
    static Wide raise_bound(auto& one, auto& other, const Wide& epsilon, const Wide& /*bound*/) {
        const auto least = [](const auto& counts) { return counts.begin()->first; };
        return (std::max)({(std::min)(one.open.first_priority(), other.open.first_priority()),
                           least(one.totals), least(other.totals),
                           detail::cost_through<Wide>(least(one.costs), least(other.costs), epsilon)});
    }

    static bool is_forward_next(auto& forward, auto& backward) {
        const auto one = forward.open.first_priority();
        const auto other = backward.open.first_priority();
        return one < other || (!(other < one) && forward.size() <= backward.size());
    }
};

/// NBS: under consistent heuristics, expands at most twice as many nodes as any such search must expand to
/// prove its solution (J. Chen, R. C. Holte, S. Zilles, N. R. Sturtevant, "Front-to-end bidirectional
/// heuristic search with near-optimal node expansions", IJCAI 2017). Optimal under any admissible heuristics.
///
/// Nodes wait by f. Nodes whose f is below the bound, and some whose f is the bound, are ready, by g.
struct Nbs : detail::TwoWayMethod {
    static constexpr bool takes_pairs = true;

    /// The least max(f(u), f(v), g(u) + g(v) + epsilon) of a pair, which is made ready.
    template <class Wide>
    static Wide raise_bound(auto& one, auto& other, const Wide& epsilon, Wide bound) {
        const auto make_ready_if = [](auto& side, auto is_within) {
            if (side.open.empty() || !is_within(side.open.first_priority())) return false;
            for (auto& entry : side.take(side.open, side.width)) {
                entry.priority = detail::saturating_cast<Wide>(entry.cost);
                side.ready.push(entry);
            }
            return true;
        };
        while (true) {
            std::optional<Wide> next;
            const auto consider = [&](const Wide& value) { next = next ? (std::min)(*next, value) : value; };
            if (!one.ready.empty() && !other.ready.empty()) {
                consider(detail::cost_through<Wide>(one.ready.first_priority(), other.ready.first_priority(),
                                                    epsilon));
                if (!(bound < *next)) return bound;
            }
            // Of nodes whose f is the bound, the greatest g first.
            const auto is_bound = [&](const Wide& f) { return !(bound < f); };
            const bool has_one = make_ready_if(one, is_bound);
            if (make_ready_if(other, is_bound) || has_one) continue;
            if (!one.open.empty()) consider(one.open.first_priority());
            if (!other.open.empty()) consider(other.open.first_priority());
            bound = *next;
            const auto is_below = [&](const Wide& f) { return f < bound; };
            while (make_ready_if(one, is_below) || make_ready_if(other, is_below)) continue;
        }
    }
};

/// BAE*: the error of one heuristic at a node counts for the other (S. K. Sadhukhan, "A new approach to
/// bidirectional heuristic search using error functions", 2012; V. Alcazar, P. J. Riddle, M. Barley, "A
/// unifying view on individual bounds and heuristic inaccuracies in bidirectional search", AAAI 2020). Both
/// heuristics must be consistent, and costs numbers.
struct BaeStar : detail::TwoWayMethod {
    static constexpr bool needs_consistency = true;
    static constexpr bool asks_opposite = true;

    /// b = f + (g - h'), where h' is the other direction's estimate.
    template <class Wide>
    static Wide priority(const detail::Rank<Wide>& rank, const Wide& /*epsilon*/) {
        return detail::saturating_add<Wide>(rank.total, static_cast<Wide>(rank.cost - rank.opposite));
    }

    template <class Wide>
    static Wide raise_bound(auto& one, auto& other, const Wide& /*epsilon*/, const Wide& /*bound*/) {
        const auto [least, most] =
            std::minmax<Wide>({one.open.first_priority(), other.open.first_priority()});
        return std::midpoint(most, least); // half of an odd sum is rounded up
    }

    static bool is_forward_next(const auto& forward, const auto& backward) {
        return forward.expanded <= backward.expanded;
    }
};

/// BAE* if both heuristics declare themselves consistent and costs are numbers, else NBS.
struct AutomaticMethod : detail::TwoWayMethod {};

/// Bidirectional A* as an object: `BidirectionalAStar engine(Nbs{}, problem, start, heuristic,
/// backward_heuristic)`. Statistics include both sides.
///
/// `advance` lets the method raise the bound and choose a side, whose first node is expanded. `relax` puts
/// each neighbor into its node table, and `set_path` looks whether the other side knows the state. A large
/// search that nobody watches expands batches of nodes of equal priority; counts may differ.
///
/// Some nodes cannot be part of a better solution: nodes whose f is not below the cost of the best solution
/// and, under consistent heuristics, nodes that the other side has expanded ("nipping": Kwa 1989). They stay
/// in their table, open, without an entry on the open list, except that MM closes them. A node that was
/// expanded may be opened again if a heuristic is inconsistent.
template <class Method, BackwardProblem P, class H, class HB, class O = SilentObserver>
    requires(HeuristicFor<H, P> && BackwardHeuristicFor<HB, P>)
class BidirectionalAStar : public Engine {
    static constexpr bool is_undirected = UndirectedProblem<P>;
    using Backward = std::conditional_t<is_undirected, P, detail::Reversed<P>>;
    using Target = detail::backward_target_t<P>;
    using ForwardHeuristic = detail::kept_t<H, P>;
    using BackwardHeuristic = detail::kept_t<HB, Target>;
    using Total = std::common_type_t<typename detail::Estimator<ForwardHeuristic, P>::Estimate,
                                     typename detail::Estimator<BackwardHeuristic, Backward>::Estimate>;
    /// The type of bounds: signed, and wide enough to double a cost.
    using Wide = std::conditional_t<std::integral<Total>, std::int64_t, Total>;
    using Rank = detail::Rank<Wide>;

    static_assert(
        std::same_as<cost_t<P>, cost_t<Backward>> && is_weighted<P> == is_weighted<Backward>,
        "predecessors(state) must give states where neighbors(state) does, else Edges of the same cost type");

    static constexpr bool are_consistent =
        declares_consistent<ForwardHeuristic> && declares_consistent<BackwardHeuristic>;
    using Chosen =
        std::conditional_t<!std::same_as<Method, AutomaticMethod>, Method,
                           std::conditional_t<are_consistent && std::is_arithmetic_v<Wide>, BaeStar, Nbs>>;
    static_assert(!std::same_as<Chosen, BaeStar> || std::is_arithmetic_v<Wide>,
                  "BAE* subtracts and halves costs, which are numbers; Nbs takes all");

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Node = BidirectionalNodeView<State, Cost, Wide, Wide>; ///< as observers see it
    using Result = search_result_t<P>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    BidirectionalAStar(Method /*method*/, detail::Lasting<P> problem, const State& start, H&& heuristic,
                       HB&& backward_heuristic, const BasicLimits<Cost>& limits = {}, O&& observer = O{})
        : Engine(limits), observer_(std::forward<O>(observer)),
          max_cost_(detail::checked_max_cost(limits.max_cost)), problem_(problem.address),
          target_(make_target(*problem_, detail::checked_state(*problem_, start))),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), *problem_)),
          backward_heuristic_(detail::make_bound_heuristic(std::forward<HB>(backward_heuristic), target_)),
          epsilon_(least_step(*problem_)),
          forward_(*this, Direction::forward, *problem_, heuristic_, backward_heuristic_),
          backward_(*this, Direction::backward, std::get<!is_undirected>(std::tie(*problem_, target_)),
                    backward_heuristic_, heuristic_) {
        detail::checked_state(*problem_, problem_->goal());
        monitor_.restart(); // To bind heuristics may take long.
        guarded(observer_, [&] {
            insert_root(forward_, backward_, start);
            insert_root(backward_, forward_, problem_->goal());
        });
    }

    /// One expansion, or a pair; or the end of the search. Returns whether the search goes on.
    bool step() {
        return Engine::step(observer_, [this] { advance(1); });
    }
    /// Goes on to the end.
    SearchStatus run() {
        return Engine::run(observer_, [this] { advance(detail::Batching::width); });
    }

    /// The proved lower bound on the cost of a solution; in the end the optimum, if there is one.
    [[nodiscard]] Wide lower_bound() const
        requires std::is_arithmetic_v<Wide>
    {
        Wide bound = may_improve(bound_) ? bound_ : widen(best_->cost);
        if (pruned_by_bound_ && max_cost_) {
            bound = (std::min)(bound, (std::max)(Wide{}, detail::greatest_total<Wide>(*max_cost_)));
        }
        return least_overflow_ ? (std::min)(bound, *least_overflow_) : bound;
    }

    /// The outcome, with the path if the search is solved; `memory_limit` if there is no memory for that.
    [[nodiscard]] Result result() const {
        return outcome(Result{}, [this](Result& result) {
            if (status_ == SearchStatus::solved) add_path(result);
        });
    }

private:
    /// A method that counts nodes closes those without an entry: being closed tells nothing of their cost.
    static constexpr bool nips = (Chosen::needs_consistency || are_consistent) && !Chosen::counts_nodes;
    static constexpr bool is_watched = sees_nodes<O>;
    static constexpr Zero no_estimates{};

    template <class Q, class B>
    using TableFor = typename decltype(detail::choose_node_table<Q, DefaultPolicy, estimate_t<B, Q>>())::type;

    /// The search from one end.
    /// \tparam Q the problem as seen from this end
    /// \tparam B estimates the cost to the other end, and `OtherB` the cost from this end
    template <class Q, class B, class OtherQ, class OtherB>
    struct Side {
        using Table = TableFor<Q, B>;
        using OtherTable = TableFor<OtherQ, OtherB>;
        using Own = detail::Estimator<B, Q>;
        using OppositeEstimator =
            detail::Estimator<std::conditional_t<Chosen::asks_opposite, OtherB, const Zero>, Q>;
        using List = typename detail::included<
            AutomaticOpenList<Wide, Cost, typename Table::Key, !is_weighted<P>>>::type;
        using Entry = typename List::Entry;
        using Allocator = BudgetAllocator<std::pair<const Wide, std::uint64_t>>;
        using Counts = std::map<Wide, std::uint64_t, std::less<>, Allocator>; ///< how many nodes have a value

        /// A path to a neighbor, not yet in the node table.
        struct Child {
            typename OtherTable::LookupHint hint;
            typename Table::Probe probe;
            Cost cost;
            NPUZZLE_NO_UNIQUE_ADDRESS typename Own::ChildEvaluation evaluation;
            NPUZZLE_NO_UNIQUE_ADDRESS typename OppositeEstimator::ChildEvaluation opposite;
            typename Table::Link link;
        };

        Side(BidirectionalAStar& search, Direction its_direction, const Q& its_problem,
             std::remove_reference_t<B>& heuristic, auto& other_heuristic)
            : direction(its_direction), problem(&its_problem), own(heuristic, search.statistics_),
              opposite(std::get<Chosen::asks_opposite>(std::tie(no_estimates, other_heuristic)),
                       search.statistics_),
              table(its_problem, search.budget_), open(search.budget_), ready(search.budget_),
              costs(Allocator(search.budget_)), totals(Allocator(search.budget_)) {}

        void push(const Rank& rank, const Entry& entry, const Wide& bound) {
            if (Chosen::counts_nodes) {
                ++costs[rank.cost];
                ++totals[rank.total];
            }
            if (Chosen::takes_pairs && rank.total < bound) {
                ready.push({rank.cost, entry.cost, entry.key});
            } else {
                open.push(entry);
            }
        }

        /// A node that was pushed has been taken, or has a cheaper path.
        void forget(const Rank& rank) {
            const auto remove = [](Counts& counts, const Wide& value) {
                if (--counts[value] == 0) counts.erase(value);
            };
            if (Chosen::counts_nodes) {
                remove(costs, rank.cost);
                remove(totals, rank.total);
            }
        }

        /// Takes entries of the same priority.
        auto& take(List& list, std::size_t most) {
            if constexpr (PopsEqual<List>) {
                batch.resize(most);
                batch.resize(list.pop_equal(batch.data(), most));
            } else {
                batch.assign(1, list.pop());
            }
            for (const auto& entry : batch) table.prefetch(entry.key);
            return batch;
        }

        bool empty() const { return Chosen::counts_nodes ? costs.empty() : open.empty() && ready.empty(); }
        std::uint64_t size() const { return open.size() + ready.size(); }

        auto estimate_of(const typename Table::Node& node, const State& state) const {
            if constexpr (Table::stores_estimate) return node.estimate();
            return own(state);
        }

        Direction direction;
        const Q* problem;
        Own own;
        OppositeEstimator opposite;
        Table table;
        List open;                   ///< by the priority of the method
        List ready;                  ///< NBS: nodes within the bound, by g
        Counts costs, totals;        ///< MM: of all open nodes
        std::vector<Entry> batch;    ///< expanded next
        std::size_t width = 1;       ///< the most of them
        std::vector<Child> children; ///< of the batch
        std::uint64_t expanded = 0;
    };

    /// The problem as the backward search and its heuristic see it.
    static auto make_target([[maybe_unused]] const P& problem, [[maybe_unused]] const State& start) {
        if constexpr (!is_undirected || BindsTo<HB, Target>) {
            return detail::make_backward_target(problem, start);
        } else {
            return detail::Nothing{};
        }
    }

    static Wide least_step([[maybe_unused]] const P& problem) {
        if constexpr (!is_weighted<P>) return widen(Cost{1});
        if constexpr (HasLeastCost<P>) return widen(static_cast<Cost>(problem.least_cost()));
        return Wide{};
    }

    template <class OneSide>
    void insert_root(OneSide& side, const auto& other, const State& state) {
        const auto estimate = side.own(state);
        const Rank rank = rank_of(Cost{}, estimate, side.opposite(state));
        const Node view = view_of(side, state, Cost{}, estimate, rank);
        observer_.start(view);
        auto node = side.table.insert(State(state)).first;
        set_path(side, node, view, estimate, rank, OneSide::Table::root(node),
                 other.table.find(other.table.lookup_hint(state), state));
        note_size();
    }

    /// Expands the next node of one side, or of both, or ends the search.
    /// \param width in a large search, the most nodes of a side that are expanded at once, as in A*
    void advance(std::size_t width) {
        const bool is_small = is_watched || statistics_.stored < detail::Batching::least_stored ||
                              (std::min)(forward_.size(), backward_.size()) < detail::Batching::least_open;
        forward_.width = backward_.width = is_small ? 1 : width;
        const std::uint64_t before = statistics_.expanded;
        while (status_ == SearchStatus::running && statistics_.expanded == before) {
            if ((best_ && !(Cost{} < best_->cost)) || forward_.empty() || backward_.empty()) {
                return finish_run();
            }
            bound_ = Chosen::raise_bound(forward_, backward_, epsilon_, bound_);
            if (!may_improve(bound_) || prune_if_over(bound_)) return finish_run();
            expand_next();
        }
    }

    void expand_next() {
        if constexpr (Chosen::takes_pairs) {
            const auto take_live = [this](auto& side, auto& other, std::size_t most) -> auto& {
                const auto is_dead = [&](const auto& entry) { return !this->find_live(side, other, entry); };
                std::erase_if(side.take(side.ready, most), is_dead);
                return side.batch;
            };
            auto& batch = take_live(forward_, backward_, forward_.width);
            if (batch.empty()) return;
            const auto& others = take_live(backward_, forward_, batch.size());
            for (; batch.size() > others.size(); batch.pop_back()) forward_.ready.push(batch.back());
            expand_batch(forward_, backward_);
            if (status_ == SearchStatus::running && may_improve(bound_)) expand_batch(backward_, forward_);
        } else if (method_.is_forward_next(forward_, backward_)) {
            forward_.take(forward_.open, forward_.width);
            expand_batch(forward_, backward_);
        } else {
            backward_.take(backward_.open, backward_.width);
            expand_batch(backward_, forward_);
        }
    }

    /// The open node of an entry, unless the entry is superseded.
    auto find_live(auto& side, const auto& other, const auto& entry) {
        // Asked where nodes share a key, to tell the node that has this entry from nodes without one.
        const auto is_wanted = [&](const State& state) {
            const Rank rank = rank_of(entry.cost, side.own(state), side.opposite(state));
            const bool has_entry = Chosen::takes_pairs ? !(bound_ < rank.total)
                                                       : Chosen::priority(rank, epsilon_) == entry.priority;
            if (!has_entry || !may_improve(rank.total) || detail::is_over(max_cost_, rank.total))
                return false;
            const auto there = nips ? other.table.find(other.table.lookup_hint(state), state) : std::nullopt;
            return !there || !there->is_closed();
        };
        return side.table.find_open(entry.key, entry.cost, is_wanted);
    }

    /// Expands the nodes of a batch, and relaxes their neighbors.
    void expand_batch(auto& side, auto& other) {
        for (const auto& entry : side.batch) {
            expand(side, other, entry);
            if (status_ != SearchStatus::running) break;
        }
        if (!side.batch.empty()) relax_all(side, other, side.batch[0].priority, nullptr);
    }

    /// Expands the node of an entry, unless it is superseded, or ends the search.
    template <class OneSide>
    void expand(OneSide& side, auto& other, const auto& entry) {
        using Table = typename OneSide::Table;
        auto node = find_live(side, other, entry);
        if (!node) return;
        decltype(auto) state = node->state();
        const auto estimate = side.estimate_of(*node, state);
        const auto opposite = side.opposite(state);
        const Rank rank = rank_of(entry.cost, estimate, opposite);
        if (!may_improve(rank.total)) {
            side.forget(rank);
            if (Chosen::counts_nodes) node->close();
            return;
        }
        if (!may_expand(observer_)) return;
        side.forget(rank);
        node->close();
        ++side.expanded;
        ++statistics_.expanded;
        const Node view = view_of(side, state, entry.cost, estimate, rank);
        observer_.expand(view);
        const auto evaluation = side.own.evaluation_of(view.state, estimate);
        const auto opposite_evaluation = side.opposite.evaluation_of(view.state, opposite);
        const auto add = [&](State&& child, const Cost& step, const auto& move) {
            if (!detail::is_negative(step) && widen(step) < epsilon_) {
                ++statistics_.contract_violations;
                NPUZZLE_ASSERT(false && "no step costs less than the least");
            }
            const Cost cost = detail::saturating_add<Cost>(view.cost, step);
            if (!accept_step(step, cost, Table::can_hold)) {
                if (std::exchange(has_overflowed_, false)) {
                    note_overflow(detail::is_nan(cost) ? detail::infinite<Wide>() : widen(cost));
                }
                return;
            }
            const auto ahead = side.own.evaluate_child(evaluation, view.state, move, child);
            const auto back = side.opposite.evaluate_child(opposite_evaluation, view.state, move, child);
            const auto hint = other.table.lookup_hint(child);
            const auto link = Table::link(*node, move);
            side.children.push_back({hint, {side.table, std::move(child)}, cost, ahead, back, link});
        };
        detail::for_each_neighbor(*side.problem, side.table, *node, view.state, add);
        if (is_watched) relax_all(side, other, view.priority, &view);
    }

    /// Relaxes the children of a side, whose cache misses overlap.
    void relax_all(auto& side, const auto& other, const Wide& priority, const Node* parent) {
        for (const auto& child : side.children) {
            side.table.prefetch_slot(child.probe);
            other.table.prefetch_slot(child.hint);
        }
        for (const auto& child : side.children) side.table.prefetch(child.probe);
        for (auto& child : side.children) relax(side, other, child, priority, parent);
        side.children.clear();
        note_size();
    }

    /// Puts a path to a state into the node table. If the path is new or cheaper, and may be part of a better
    /// solution, the node goes on the open list.
    template <class OneSide>
    void relax(OneSide& side, const auto& other, auto& child, const Wide& priority, const Node* parent) {
        ++statistics_.generated;
        auto [node, is_new] = side.table.insert(std::move(child.probe));
        const bool is_duplicate = !is_new && !(child.cost < node.cost());
        if (is_duplicate) {
            ++statistics_.duplicates;
            if (!is_watched) return;
        }
        decltype(auto) state = node.state();
        const auto estimate =
            is_new ? side.own.estimate_of_child(child.evaluation, state) : side.estimate_of(node, state);
        const Rank rank =
            rank_of(child.cost, estimate, side.opposite.estimate_of_child(child.opposite, state));
        const Node view = view_of(side, state, child.cost, estimate, rank);
        if (is_watched) observer_.generate(view, *parent);
        if (is_duplicate) return observer_.duplicate(view);
        const bool was_closed = node.is_closed();
        if (!was_closed) side.forget(rank_of(node.cost(), estimate, Wide{}));
        if (!set_path(side, node, view, estimate, rank, child.link, other.table.find(child.hint, state)))
            return;
        constexpr bool is_promised =
            !Chosen::takes_pairs &&
            (Chosen::needs_consistency || declares_consistent<typename OneSide::Own::Heuristic>);
        detail::check_consistency<is_promised>(priority, view.priority, statistics_);
        if (!is_new) {
            statistics_.reopened += was_closed ? 1 : 0;
            was_closed ? observer_.reopen(view) : observer_.improve(view);
        }
    }

    /// Gives a node a path, and pushes it on the open list. Together with `there`, the node of the same state
    /// on the other side, it makes a solution. False, and not pushed, if it cannot be part of a better one.
    template <class OneSide>
    NPUZZLE_ALWAYS_INLINE bool set_path(OneSide& side, auto& node, const Node& view, const auto& estimate,
                                        const Rank& rank, const auto& link, const auto& there) {
        node.relax(view.cost, estimate, link);
        if (there) note_meeting(view.state, view.cost, there->cost());
        bool is_pruned = detail::is_infinite(estimate) || prune_if_over(rank.total);
        if (!is_pruned && (detail::is_infinite(rank.total) || detail::is_infinite(view.priority))) {
            note_overflow(detail::is_infinite(rank.total) ? rank.total : rank.cost);
            is_pruned = true;
        }
        if (is_pruned || !may_improve(rank.total) || (nips && there && there->is_closed())) {
            if (Chosen::counts_nodes) node.close();
            return false;
        }
        side.push(rank, {view.priority, view.cost, node.key()}, bound_);
        return true;
    }

    static Wide widen(const auto& value) { return detail::saturating_cast<Wide>(value); }

    /// \param opposite infinite is taken as 0: a state that was reached is no dead end for the way back
    static Rank rank_of(const Cost& cost, const auto& estimate, const auto& opposite) {
        const Wide back = widen(opposite);
        return {widen(cost), detail::saturating_add<Wide>(widen(cost), widen(estimate)),
                back < Wide{} || detail::is_infinite(back) ? Wide{} : back};
    }

    Node view_of(const auto& side, const State& state, const Cost& cost, const auto& estimate,
                 const Rank& rank) const {
        return Node{{state, cost, widen(estimate), Chosen::priority(rank, epsilon_)}, side.direction};
    }

    void note_size() {
        statistics_.peak_open = (std::max)(statistics_.peak_open, forward_.size() + backward_.size());
        statistics_.stored = forward_.table.size() + backward_.table.size();
    }

    /// Notes a solution through a state that both sides know, if it is the best so far.
    void note_meeting(const State& state, const Cost& cost, const Cost& other_cost) {
        const Cost total = detail::saturating_add<Cost>(cost, other_cost);
        if (detail::is_infinite(total) || detail::is_infinite(widen(total))) {
            note_overflow(widen(total));
        } else if (detail::is_over(max_cost_, total)) {
            pruned_by_bound_ = true;
        } else if (!best_ || total < best_->cost) {
            best_ = Meeting{state, total};
        }
    }

    /// Whether a path with this lower bound may be a better solution.
    bool may_improve(const Wide& bound) const { return !best_ || bound < widen(best_->cost); }

    /// Whether a path with this lower bound costs more than `max_cost`, which is noted.
    bool prune_if_over(const Wide& bound) {
        const bool is_over = detail::is_over(max_cost_, bound);
        pruned_by_bound_ = pruned_by_bound_ || is_over;
        return is_over;
    }

    /// Notes a path not followed because its cost, at least `cost`, exceeds the type.
    void note_overflow(const Wide& cost) {
        if (!prune_if_over(cost)) {
            pruned_by_bound_ = true;
            least_overflow_ = least_overflow_ ? (std::min)(*least_overflow_, cost) : cost;
        }
    }

    /// Ends the search: a solution is proved, or one side has nothing left.
    void finish_run() {
        if (!best_ || (least_overflow_ && may_improve(*least_overflow_))) {
            const bool is_bounded = !least_overflow_ && statistics_.contract_violations == 0;
            return finish(observer_, detail::exhausted_status(pruned_by_bound_, is_bounded));
        }
        bound_ = widen(best_->cost);
        observer_.goal(Node{{best_->state, best_->cost, Wide{}, bound_}, Direction::forward});
        finish(observer_, SearchStatus::solved);
    }

    /// Adds the path through the meeting, and its cost.
    void add_path(Result& result) const {
        const auto add_from_meeting = [&](const auto& table) {
            auto node = *table.find(table.lookup_hint(best_->state), best_->state);
            while (!node.is_root()) {
                node = table.parent(node);
                result.path.push_back(node.state());
            }
        };
        add_from_meeting(forward_.table);
        std::reverse(result.path.begin(), result.path.end());
        result.path.push_back(best_->state);
        add_from_meeting(backward_.table);
        // The moves of the backward side are not the problem's own.
        result.cost = detail::look_up_steps(*problem_, result.path, detail::moves_of<P>(result));
    }

    struct Meeting {
        State state;
        Cost cost; ///< of the whole path
    };

    O observer_;
    std::optional<Cost> max_cost_;
    const P* problem_;
    std::conditional_t<!is_undirected || BindsTo<HB, Target>, Target, detail::Nothing> target_;
    ForwardHeuristic heuristic_;
    BackwardHeuristic backward_heuristic_;
    Wide epsilon_; // no step costs less
    Side<P, ForwardHeuristic, Backward, BackwardHeuristic> forward_;
    Side<Backward, BackwardHeuristic, P, ForwardHeuristic> backward_;

    NPUZZLE_NO_UNIQUE_ADDRESS Chosen method_;
    Wide bound_{};                // no solution that may still be found costs less
    std::optional<Meeting> best_; // of all meetings so far
    std::optional<Wide> least_overflow_;
};

template <class Method, class P, class H, class HB, class O = SilentObserver>
BidirectionalAStar(Method, const P&, const state_t<P>&, H&&, HB&&, const limits_t<P>& = {}, O&& = O{})
    -> BidirectionalAStar<Method, P, H, HB, O>;

/// Finds a cheapest path from `start` to `problem.goal()` by two searches toward each other.
///
/// Optimal if both heuristics are admissible; `BaeStar` needs consistent ones. A known least cost of a step
/// (`HasLeastCost`; 1 if steps cost 1) tightens the bounds. `limits.bytes` and statistics include both sides.
///
/// \tparam Method `BaeStar`, `Nbs`, `MeetInTheMiddle`, or `AutomaticMethod`, which chooses
/// \param heuristic estimates the cost from a state to the goal
/// \param backward_heuristic estimates the cost from the start to a state: see `BackwardHeuristicFor`
/// \param observer sees both sides, as `BidirectionalNodeView`s; at the end, `goal` with a state where they
///        met and the cost of the whole path
/// \return as from `astar`, without a partial path; `unsolvable` is proved by exhausting one of the sides
template <class Method = AutomaticMethod, BackwardProblem P, class H, class HB,
          class O = detail::default_observer_t<P, H, DefaultPolicy>>
    requires(HeuristicFor<H, P> && BackwardHeuristicFor<HB, P>)
search_result_t<P> bidirectional_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       HB&& backward_heuristic, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<BidirectionalAStar<Method, P, H, HB, O>>(
        Method{}, problem, start, std::forward<H>(heuristic), std::forward<HB>(backward_heuristic), limits,
        std::forward<O>(observer));
}

/// The same with one heuristic for both directions: `bidirectional_astar(puzzle, board, Manhattan{})`. It is
/// bound to the problem, and to the problem with `start` as its goal.
template <class Method = AutomaticMethod, BackwardProblem P, class H,
          class O = detail::default_observer_t<P, H, DefaultPolicy>>
    requires TwoWayHeuristicFor<H, P>
search_result_t<P> bidirectional_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       limits_t<P> limits = {}, O&& observer = O{}) {
    using Heuristic = const std::remove_cvref_t<H>&;
    return bidirectional_astar<Method, P, Heuristic, Heuristic, O>(problem, start, heuristic, heuristic,
                                                                   limits, std::forward<O>(observer));
}

/// Finds a path of the fewest steps from `start` to `problem.goal()`, layer by layer from both ends, the
/// smaller one first (I. Pohl, "Bi-directional search", Machine Intelligence 6, 1971). Costs play no part,
/// but steps of infinite cost are none.
///
/// \param limits `max_cost` is the most steps
/// \return as from `astar`; `cost` is the cost of the path, by the cheapest of parallel edges
template <BackwardProblem P, class O = detail::default_observer_t<P, Zero, DefaultPolicy>>
search_result_t<P> bidirectional_breadth_first(const P& problem, const detail::named_state_t<P>& start,
                                               BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::in_unit_steps(problem, [&]<class Q>(const Q& steps) {
        return detail::run_engine<BidirectionalAStar<detail::SmallerLayerFirst, Q, Zero, Zero, O>>(
            detail::SmallerLayerFirst{}, steps, start, Zero{}, Zero{}, limits, std::forward<O>(observer));
    });
}

} // namespace npuzzle
