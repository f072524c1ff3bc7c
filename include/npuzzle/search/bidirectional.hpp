#pragma once

#include "npuzzle/search/core/problem_adaptors.hpp"
#include "npuzzle/search/engine/bidirectional_methods.hpp"
#include "npuzzle/search/engine/call.hpp"
#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/engine/parts.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Bidirectional search: from the start and from the goal at once. A state of one side that the other side
/// knows makes a solution. The search ends when a bound proves that no path is cheaper than the cheapest one
/// so far.

namespace npuzzle {

/// A heuristic that can serve both directions: it binds to the problem, and to the same problem with another
/// goal. `Zero` serves any problem.
template <class H, class P>
concept TwoWayHeuristicFor =
    HeuristicFor<H, P> &&
    (std::same_as<std::remove_cvref_t<H>, Zero> ||
     (UndirectedProblem<P> && HasWithGoal<P> && BindsTo<H, P> && BackwardHeuristicFor<H, P>));

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

/// Bidirectional A* as an object that can be stepped: `BidirectionalAStar engine(Nbs{}, problem, start,
/// heuristic, backward_heuristic)`; without a method, `AutomaticMethod` chooses. A step is one expansion, by
/// NBS one of each side. Statistics include both sides.
///
/// Some nodes cannot be part of a better solution: those whose f is not below the cost of the solution, and,
/// under consistent heuristics, those that the other side has expanded ("nipping": Kwa 1989). They stay in
/// their table, open, without an entry on the open list. So a closed node is one that was expanded, at its
/// least cost.
template <class Method, BackwardProblem P, class H, class HB, class O = SilentObserver>
    requires(HeuristicFor<H, P> && BackwardHeuristicFor<HB, P>)
class BidirectionalAStar : public Engine {
    static constexpr bool counts_steps = Method::counts_steps && is_weighted<P>;
    using Forward = std::conditional_t<counts_steps, detail::UnitSteps<P>, P>;
    static constexpr bool is_undirected = UndirectedProblem<Forward>;
    using Backward = std::conditional_t<is_undirected, Forward, detail::Reversed<Forward>>;
    using Target = detail::backward_target_t<P>;
    using ForwardHeuristic = typename detail::bound_heuristic<H, P>::type;
    using BackwardHeuristic = typename detail::bound_heuristic<HB, Target>::type;
    using Wide =
        detail::wide_t<std::common_type_t<typename detail::Estimator<ForwardHeuristic, Forward>::Estimate,
                                          typename detail::Estimator<BackwardHeuristic, Backward>::Estimate>>;

    static_assert(
        std::same_as<cost_t<Forward>, cost_t<Backward>> && is_weighted<Forward> == is_weighted<Backward>,
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
    using Cost = cost_t<Forward>;
    using Node = BidirectionalNodeView<State, Cost, Wide, Wide>; ///< as observers see it
    using Result = SearchResult<State, cost_t<P>, move_t<P>>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    BidirectionalAStar(const P& problem, const State& start, H&& heuristic, HB&& backward_heuristic,
                       const BasicLimits<Cost>& limits = {}, O&& observer = O{})
        : Engine(limits), observer_(std::forward<O>(observer)),
          max_cost_(detail::checked_max_cost(limits.max_cost)), problem_(&problem), forward_problem_(problem),
          backward_problem_(make_backward(forward_problem_, detail::checked_state(problem, start))),
          target_(make_target(problem, start)),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), problem)),
          backward_heuristic_(detail::make_bound_heuristic(std::forward<HB>(backward_heuristic), target_)),
          epsilon_(make_epsilon(problem)),
          forward_(Direction::forward, forward_problem_, start, {heuristic_, statistics_},
                   opposite_of<ForwardSide>(backward_heuristic_), *this),
          backward_(Direction::backward, backward_problem_, detail::checked_state(problem, problem.goal()),
                    {backward_heuristic_, statistics_}, opposite_of<BackwardSide>(heuristic_), *this) {
        monitor_.restart(); // To bind heuristics may take long.
        guarded([this] { begin(); });
    }

    BidirectionalAStar(Method /*method*/, const P& problem, const State& start, H&& heuristic,
                       HB&& backward_heuristic, const BasicLimits<Cost>& limits = {}, O&& observer = O{})
        : BidirectionalAStar(problem, start, std::forward<H>(heuristic), std::forward<HB>(backward_heuristic),
                             limits, std::forward<O>(observer)) {}

    template <class... Rest>
    BidirectionalAStar(const P&&, Rest&&...) = delete; ///< The engine refers to the problem.
    template <class... Rest>
    BidirectionalAStar(Method, const P&&, Rest&&...) = delete;

    /// Adds one more state to start from; the path begins at the best one. The backward heuristic has to
    /// estimate the cost from the nearest of all starts. Has no effect once the search is over. After an
    /// expansion the search begins again, from all starts to all goals, since what was proved may no longer
    /// hold; statistics and limits go on.
    /// \throws std::invalid_argument if it is no state of the problem, or if the backward heuristic is more
    ///         than zero at a start, which it does not know then; the search has failed
    void add_start(const State& start)
        requires UnboundHeuristicFor<HB, Target>
    {
        add_root(forward_, backward_, start);
    }

    /// Adds one more goal beside `problem.goal()`; the path ends at the best one. The same as for starts,
    /// with the forward heuristic and the nearest of all goals. `problem.is_goal` is not asked.
    void add_goal(const State& goal)
        requires UnboundHeuristicFor<H, P>
    {
        add_root(backward_, forward_, goal);
    }

    /// One expansion, or a pair; or the end of the search. Returns whether the search goes on.
    bool step() {
        guarded([this] { advance(1); });
        return status_ == SearchStatus::running;
    }

    /// Steps to the end. In a large search it takes a few nodes of equal priority at once, so that cache misses
    /// overlap.
    SearchStatus run() {
        guarded([this] {
            while (status_ == SearchStatus::running) {
                const bool is_large = forward_.table.size() + backward_.table.size() >= large &&
                                      forward_.queue.size() >= 64 && backward_.queue.size() >= 64;
                advance(is_large ? batch_width : 1);
            }
        });
        return status_;
    }

    /// The proved lower bound on the cost of a solution, as of the last step: in the end the optimum, if there
    /// is a solution.
    [[nodiscard]] Wide lower_bound() const
        requires std::is_arithmetic_v<Wide>
    {
        return best_cost_ ? (std::min)(best_, bound_) : bound_;
    }

    /// What has been done so far.
    [[nodiscard]] Statistics statistics() const {
        Statistics statistics = measured();
        statistics.expanded = expanded();
        statistics.stored = forward_.table.size() + backward_.table.size();
        return statistics;
    }

    /// The outcome: with the path if the search is solved, in time linear in its length. If there is no
    /// memory left for the path, the status is `memory_limit`.
    [[nodiscard]] Result result() const {
        const auto add_path_if_solved = [this](Result& result) {
            if (status_ == SearchStatus::solved) {
                add_path(result);
            }
        };
        return outcome(Result{}, [this] { return statistics(); }, add_path_if_solved);
    }

private:
    using Rank = detail::Rank<Wide>;

    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;
    static constexpr bool is_silent = std::same_as<std::remove_cvref_t<O>, SilentObserver>;
    /// Where nodes are counted, those without an entry are closed, which tells nothing of their cost then.
    static constexpr bool nips = (Chosen::needs_consistency || are_consistent) && !Chosen::counts_nodes;

    static constexpr std::uint64_t large = std::uint64_t{1} << 16; // nodes, more than the cache holds

    template <class Q, class B>
    using TableFor = typename PartsFor<Q, std::remove_cvref_t<B>, detail::KeepingEstimates>::NodeTable;

    /// The nodes that can be reached from one end, which may be several states.
    /// \tparam Q the problem as seen from this end
    /// \tparam B estimates the cost to the other end, and `OtherB` the cost from this end
    template <class Q, class B, class OtherQ, class OtherB>
    struct Side {
        using Table = TableFor<Q, B>;
        using OtherTable = TableFor<OtherQ, OtherB>;
        using Own = detail::Estimator<B, Q>;
        using OppositeEstimator =
            detail::Estimator<std::conditional_t<Chosen::asks_opposite, OtherB, Zero>, Q>;
        using Estimate = typename Own::Estimate;
        using Key = typename Table::Key;
        using Queue =
            std::conditional_t<Chosen::takes_pairs,
                               detail::PairedQueue<Wide, Cost, Key, !is_weighted<Forward>>,
                               detail::OrderedQueue<Chosen, Wide, Cost, Key, !is_weighted<Forward>>>;
        using Entry = typename Queue::Entry;
        static_assert(FindsNodes<Table>);

        /// A path to a neighbor, on its way into the node table.
        struct Child {
            Child(const Table& table, const OtherTable& other, State&& state, const Cost& its_cost,
                  const typename Own::ChildEvaluation& its_evaluation,
                  const typename OppositeEstimator::ChildEvaluation& its_opposite,
                  const typename Table::Link& its_link)
                : hint(other.lookup_hint(state)), probe(table.probe(std::move(state))), cost(its_cost),
                  evaluation(its_evaluation), opposite(its_opposite), link(its_link) {}

            typename OtherTable::LookupHint hint;
            typename Table::Probe probe;
            Cost cost;
            NPUZZLE_NO_UNIQUE_ADDRESS typename Own::ChildEvaluation evaluation;
            NPUZZLE_NO_UNIQUE_ADDRESS typename OppositeEstimator::ChildEvaluation opposite;
            typename Table::Link link;
        };

        Side(Direction its_direction, const Q& its_problem, const State& root, Own its_own,
             OppositeEstimator its_opposite, BidirectionalAStar& search)
            : direction(its_direction), problem(&its_problem), own(its_own), opposite(its_opposite),
              table(its_problem, search.budget_), queue(search.budget_, search.epsilon_), roots{root} {}

        [[nodiscard]] Node view_of(const State& state, const Cost& cost, const Wide& estimate,
                                   const Rank& rank) const {
            return Node{{state, cost, estimate, queue.priority(rank)}, direction};
        }

        [[nodiscard]] Estimate estimate_of(const typename Table::Node& node, const State& state) const {
            if constexpr (Table::stores_estimate) {
                return node.estimate();
            } else {
                return own(state);
            }
        }

        /// A state that was reached from this end is no dead end for the other direction's heuristic.
        static Wide reachable(const typename OppositeEstimator::Estimate& estimate) {
            const Wide wide = detail::saturating_cast<Wide>(estimate);
            return detail::is_infinite(wide) ? Wide{} : wide;
        }

        Direction direction;
        const Q* problem;
        Own own;
        OppositeEstimator opposite;
        Table table;
        Queue queue;
        std::vector<Child> children; ///< of what was expanded last
        std::uint64_t expanded = 0;
        std::vector<State> roots; ///< where this side begins
    };

    using ForwardSide = Side<Forward, ForwardHeuristic, Backward, BackwardHeuristic>;
    using BackwardSide = Side<Backward, BackwardHeuristic, Forward, ForwardHeuristic>;

    /// How many nodes are expanded at once, where the open list can give them.
    static constexpr std::size_t batch_width = is_watched || !ForwardSide::Queue::gives_batches ? 1 : 16;

    /// The estimates of the cost from the end of a side, where the method asks for them.
    template <class OneSide>
    typename OneSide::OppositeEstimator opposite_of([[maybe_unused]] auto& heuristic) {
        if constexpr (Chosen::asks_opposite) {
            return {heuristic, statistics_};
        } else {
            static Zero zero;
            return {zero, statistics_};
        }
    }

    static decltype(auto) make_backward(const Forward& forward, const State& start) {
        if constexpr (is_undirected) {
            return (forward);
        } else {
            return Backward(forward, start);
        }
    }

    static auto make_target(const P& problem, const State& start) {
        if constexpr (BindsTo<HB, Target>) {
            return detail::make_backward_target(problem, start);
        } else {
            return detail::Nothing{};
        }
    }

    /// No step costs less.
    static Wide make_epsilon(const P& problem) {
        if constexpr (!is_weighted<Forward>) {
            return detail::saturating_cast<Wide>(Cost{1});
        } else if constexpr (HasLeastCost<P>) {
            return detail::saturating_cast<Wide>(static_cast<Cost>(problem.least_cost()));
        } else {
            return Wide{};
        }
    }

    void add_root(auto& side, const auto& other, const State& state) {
        if (status_ != SearchStatus::running) {
            return;
        }
        guarded([&] {
            detail::checked_state(*side.problem, state);
            const auto is_above_zero = [](const auto& estimate) {
                return std::remove_cvref_t<decltype(estimate)>{} < estimate;
            };
            if (is_above_zero(other.own(side.roots.front())) || is_above_zero(other.own(state))) {
                throw std::invalid_argument(
                    "a heuristic is zero or less at each start or goal that it is for");
            }
            side.roots.push_back(state);
            if (expanded() == 0) {
                return insert_root(side, other, state);
            }
            for_both([](auto& each, auto& /*other*/) {
                each.table.clear();
                each.queue.clear();
            });
            method_ = {};
            bound_ = Wide{};
            best_cost_.reset();
            least_dropped_.reset();
            pruned_by_bound_ = false;
            begin();
        });
    }

    void for_both(auto&& work) {
        work(forward_, backward_);
        work(backward_, forward_);
    }

    void begin() {
        for_both([this](auto& side, auto& other) {
            for (const State& state : side.roots) {
                this->insert_root(side, other, state);
            }
        });
    }

    template <class OneSide>
    void insert_root(OneSide& side, const auto& other, const State& state) {
        const auto estimate = side.own(state);
        const Wide wide = detail::saturating_cast<Wide>(estimate);
        const Rank rank = rank_of(Cost{}, wide, side.reachable(side.opposite(state)));
        auto [node, is_new] = side.table.insert(State(state));
        if (!is_new) {
            return;
        }
        observer_.start(side.view_of(state, Cost{}, wide, rank));
        node.relax(Cost{}, estimate, OneSide::Table::root(node));
        if (const auto there = other.table.find(other.table.lookup_hint(state), state)) {
            meet(state, Cost{}, there->cost());
        }
        if (!detail::is_infinite(estimate) && !is_too_dear(rank.priority)) {
            side.queue.push(rank, Cost{}, node.key());
        } else if constexpr (Chosen::counts_nodes) {
            node.close();
        }
    }

    /// The next node or nodes of one side, or of both, or the end.
    void advance(std::size_t width) {
        while (status_ == SearchStatus::running) {
            if (best_cost_ && !(Cost{} < *best_cost_)) {
                return finish_run();
            }
            if constexpr (Chosen::takes_pairs) {
                if (advance_pairs(width)) {
                    return;
                }
            } else {
                if (forward_.queue.empty() || backward_.queue.empty()) {
                    return finish_run();
                }
                bound_ = Chosen::bound(forward_.queue, backward_.queue, epsilon_);
                if (is_proved()) {
                    return finish_run();
                }
                if (method_.is_forward_next(forward_, backward_) ? take_turn(forward_, backward_, width)
                                                                 : take_turn(backward_, forward_, width)) {
                    return;
                }
            }
        }
    }

    /// Whether the solution at hand is proved to be a best one, or that there is none of the cost that is
    /// allowed.
    bool is_proved() { return !may_improve(bound_) || is_too_dear(bound_); }

    /// Expands the first nodes of a side that are not superseded. Returns whether there were any, or the
    /// search is over.
    template <class OneSide>
    bool take_turn(OneSide& side, auto& other, std::size_t width) {
        std::array<typename OneSide::Entry, batch_width> entries;
        if (monitor_.is_due(expanded() + width)) {
            width = 1; // so that nothing has been taken but the entry that goes back if a limit strikes
        }
        const std::size_t count = side.queue.take(entries.data(), (std::min)(width, batch_width));
        return expand_all(side, other, entries.data(), count, entries[0].priority);
    }

    bool expand_all(auto& side, auto& other, const auto* entries, std::size_t count, const Wide& priority) {
        prefetch(side, entries, count);
        bool has_expanded = false;
        for (std::size_t i = 0; i < count; ++i) {
            has_expanded = expand(side, other, entries[i]) || has_expanded;
            if (status_ != SearchStatus::running) {
                return true;
            }
        }
        relax_all(side, other, nullptr, priority);
        return has_expanded;
    }

    static void prefetch(const auto& side, const auto* entries, std::size_t count) {
        for (std::size_t i = 0; count > 1 && i < count; ++i) {
            side.table.prefetch(entries[i].key);
        }
    }

    /// NBS: expands both nodes of a pair within the bound, or of as many pairs as `width`. False if there was
    /// nothing to expand.
    bool advance_pairs(std::size_t width) {
        if (!raise_bound(width) || is_proved()) {
            finish_run();
            return true;
        }
        typename ForwardSide::Entry forward[batch_width];
        typename BackwardSide::Entry backward[batch_width];
        const Wide room = forward_.queue.ready.first_priority();
        const std::size_t found = take_live(forward_, backward_, forward, (std::min)(width, batch_width),
                                            backward_.queue.ready.first_priority());
        const std::size_t paired = found == 0 ? 0 : take_live(backward_, forward_, backward, found, room);
        for (std::size_t i = paired; i < found; ++i) {
            forward_.queue.give_back(forward[i]);
        }
        if (paired == 0) {
            return false;
        }
        const bool has_advanced = expand_all(forward_, backward_, forward, paired, bound_);
        if (status_ != SearchStatus::running) {
            return true;
        }
        if (!may_improve(bound_)) {
            finish_run();
            return true;
        }
        return expand_all(backward_, forward_, backward, paired, bound_) || has_advanced;
    }

    /// Makes a pair ready within the bound, which is raised to the least max(f(u), f(v), g(u) + g(v) +
    /// epsilon) of a pair where it must be. False if a side has nothing left.
    bool raise_bound(std::size_t width) {
        auto& one = forward_.queue;
        auto& other = backward_.queue;
        while (!one.empty() && !other.empty()) {
            std::optional<Wide> next;
            const auto consider = [&](const Wide& value) { next = next ? (std::min)(*next, value) : value; };
            if (!one.ready.empty() && !other.ready.empty()) {
                consider(
                    detail::cost_through(one.ready.first_priority(), other.ready.first_priority(), epsilon_));
                if (!(bound_ < *next)) {
                    return true;
                }
            }
            const bool has_admitted = one.admit(width);
            if (other.admit(width) || has_admitted) {
                continue;
            }
            if (!one.waiting.empty()) {
                consider(one.waiting.first_priority());
            }
            if (!other.waiting.empty()) {
                consider(other.waiting.first_priority());
            }
            bound_ = *next;
            one.set_bound(bound_);
            other.set_bound(bound_);
        }
        return false;
    }

    /// Takes ready nodes of least g that are not superseded, as long as that and the other side's g are
    /// within the bound.
    std::size_t take_live(auto& side, const auto& other, auto* entries, std::size_t most, const Wide& room) {
        auto& ready = side.queue.ready;
        std::size_t live = 0;
        while (live == 0 && !ready.empty() &&
               !(bound_ < detail::cost_through(ready.first_priority(), room, epsilon_))) {
            const std::size_t count = side.queue.take(entries, most);
            prefetch(side, entries, count);
            for (std::size_t i = 0; i < count; ++i) {
                if (find_live(side, other, entries[i])) {
                    entries[live++] = entries[i];
                }
            }
        }
        return live;
    }

    /// The open node of an entry, unless the entry is superseded.
    auto find_live(auto& side, const auto& other, const auto& entry) {
        // Asked where nodes share a key. Those without an entry must not be taken for the one that has it.
        const auto is_wanted = [&](const State& state) {
            const Rank rank = rank_of(entry.cost, detail::saturating_cast<Wide>(side.own(state)),
                                      side.reachable(side.opposite(state)));
            if (!side.queue.is_of(entry, rank) || !may_improve(rank.priority)) {
                return false;
            }
            const auto there = nips ? other.table.find(other.table.lookup_hint(state), state) : std::nullopt;
            return !there || !there->is_closed();
        };
        return side.table.find_open(entry.key, entry.cost, is_wanted);
    }

    /// Generates the neighbors of an entry's node, which wait in `children` then, unless somebody watches. Or
    /// ends the search. False if there was nothing to expand.
    template <class OneSide>
    bool expand(OneSide& side, auto& other, const auto& entry) {
        auto node = find_live(side, other, entry);
        if (!node) {
            return false;
        }
        decltype(auto) state = node->state();
        const auto estimate = side.estimate_of(*node, state);
        const Wide wide = detail::saturating_cast<Wide>(estimate);
        Rank rank = rank_of(entry.cost, wide, Wide{});
        if (!may_improve(rank.priority)) {
            side.queue.forget(rank);
            if constexpr (Chosen::counts_nodes) {
                node->close();
            }
            return false;
        }
        if (monitor_.is_due(expanded()) && is_stopped()) {
            side.queue.give_back(entry);
            return true;
        }
        typename OneSide::OppositeEstimator::Estimate opposite{};
        if constexpr (is_watched || OneSide::OppositeEstimator::is_incremental) {
            opposite = side.opposite(state);
            rank.opposite = OneSide::reachable(opposite);
        }
        side.queue.forget(rank);
        node->close();
        ++side.expanded;
        const Node view = side.view_of(state, entry.cost, wide, rank);
        observer_.expand(view);
        generate(side, other, *node, view, estimate, opposite);
        if constexpr (is_watched) {
            relax_all(side, other, &view, entry.priority);
        }
        return true;
    }

    template <class OneSide>
    void generate(OneSide& side, const auto& other, const auto& node, const Node& view, const auto& estimate,
                  const auto& opposite) {
        using Table = typename OneSide::Table;
        const State& state = view.state;
        const Cost cost = view.cost;
        const auto evaluation = side.own.evaluation_of(state, estimate);
        const auto opposite_evaluation = side.opposite.evaluation_of(state, opposite);
        const auto note_overflow = [this](const Cost& sum) { drop(detail::saturating_cast<Wide>(sum)); };
        const auto add = [&](State&& child, const Cost& step, const auto& move) {
            if constexpr (is_weighted<Forward> && HasLeastCost<P>) {
                if (!(step < Cost{}) && detail::saturating_cast<Wide>(step) < epsilon_) {
                    ++statistics_.contract_violations;
                    NPUZZLE_ASSERT(false && "no step costs less than the least");
                }
            }
            const Cost child_cost = detail::saturating_add<Cost>(cost, step);
            if (!detail::may_follow(step, child_cost, Table::can_hold, statistics_, note_overflow)) {
                return;
            }
            const auto child_evaluation = side.own.evaluate_child(evaluation, state, move, child);
            const auto child_opposite = side.opposite.evaluate_child(opposite_evaluation, state, move, child);
            side.children.emplace_back(side.table, other.table, std::move(child), child_cost,
                                       child_evaluation, child_opposite, Table::link(node, move));
        };
        detail::for_each_neighbor(*side.problem, side.table, node, state, add);
    }

    /// Relaxes the neighbors that wait.
    /// \param parent theirs, for the observer, where there is only one
    void relax_all(auto& side, auto& other, const Node* parent, const Wide& parent_priority) {
        for (const auto& child : side.children) {
            side.table.prefetch_slot(child.probe);
            other.table.prefetch_slot(child.hint);
        }
        for (const auto& child : side.children) {
            side.table.prefetch(child.probe);
        }
        for (auto& child : side.children) {
            relax(side, other, child, parent, parent_priority);
        }
        side.children.clear();
        statistics_.peak_open =
            std::max<std::uint64_t>(statistics_.peak_open, forward_.queue.size() + backward_.queue.size());
    }

    /// Puts a path to a state into the node table. If it is new, or cheaper than the one that was known, and
    /// may be part of a better solution, the state goes on the open list.
    template <class OneSide>
    NPUZZLE_ALWAYS_INLINE void relax(OneSide& side, const auto& other, typename OneSide::Child& child,
                                     [[maybe_unused]] const Node* parent, const Wide& parent_priority) {
        ++statistics_.generated;
        auto [node, is_new] = side.table.insert(std::move(child.probe));
        const bool is_duplicate = !is_new && !(child.cost < node.cost());
        if (is_duplicate) {
            ++statistics_.duplicates;
            if (!is_watched) {
                return;
            }
        }
        decltype(auto) state = side.table.state_of(child.probe, node);
        const auto estimate = OneSide::Own::is_incremental || is_new
                                  ? side.own.estimate_of_child(child.evaluation, state)
                                  : side.estimate_of(node, state);
        const Wide wide = detail::saturating_cast<Wide>(estimate);
        const auto opposite = side.opposite.estimate_of_child(child.opposite, state);
        const Rank rank = rank_of(child.cost, wide, OneSide::reachable(opposite));
        const Node view = side.view_of(state, child.cost, wide, rank);
        if constexpr (is_watched) {
            observer_.generate(view, *parent);
            if (is_duplicate) {
                return observer_.duplicate(view);
            }
        }
        const bool was_closed = node.is_closed();
        if (!was_closed) {
            side.queue.forget(rank_of(node.cost(), wide, Wide{}));
        }
        node.relax(child.cost, estimate, child.link);
        const auto there = other.table.find(child.hint, state);
        if (there) {
            meet(state, child.cost, there->cost());
        }
        bool is_dropped = detail::is_infinite(wide) || is_too_dear(rank.priority);
        if (!is_dropped && (detail::is_infinite(rank.priority) || detail::is_infinite(view.priority))) {
            drop(detail::is_infinite(rank.priority) ? rank.priority : rank.cost); // beyond the type
            is_dropped = true;
        }
        if (is_dropped || !may_improve(rank.priority) || (nips && there && there->is_closed())) {
            if constexpr (Chosen::counts_nodes) {
                node.close();
            }
            return;
        }
        constexpr bool is_promised =
            !Chosen::takes_pairs &&
            (Chosen::needs_consistency || declares_consistent<typename OneSide::Own::Heuristic>);
        detail::check_consistency<is_promised>(parent_priority, view.priority, statistics_);
        if (!is_new) {
            statistics_.reopened += was_closed ? 1 : 0;
            if constexpr (is_watched) {
                was_closed ? observer_.reopen(view) : observer_.improve(view);
            }
        }
        side.queue.push(rank, child.cost, node.key());
    }

    static Rank rank_of(const Cost& cost, const Wide& estimate, const Wide& opposite) {
        const Wide wide = detail::saturating_cast<Wide>(cost);
        return {wide, detail::saturating_add<Wide>(wide, estimate), opposite};
    }

    /// A path through a state that both sides know.
    void meet(const State& state, const Cost& cost, const Cost& other_cost) {
        const Cost total = detail::saturating_add<Cost>(cost, other_cost);
        if (detail::is_infinite(total)) {
            drop(detail::saturating_cast<Wide>(total));
        } else if (detail::is_over(max_cost_, total)) {
            pruned_by_bound_ = true;
        } else if (!best_cost_ || total < *best_cost_) {
            meeting_ = state;
            best_cost_ = total;
            best_ = detail::saturating_cast<Wide>(total);
        }
    }

    /// Whether a path with this lower bound may be a better solution.
    [[nodiscard]] bool may_improve(const Wide& bound) const { return !best_cost_ || bound < best_; }

    /// Whether a path with this lower bound costs more than is allowed, which is noted.
    bool is_too_dear(const Wide& bound) {
        const bool is_over = detail::is_over(max_cost_, bound);
        pruned_by_bound_ = pruned_by_bound_ || is_over;
        return is_over;
    }

    /// Notes a path that is not followed because the type cannot hold its cost, which is at least `cost`.
    void drop(const Wide& cost) {
        if (!is_too_dear(cost)) {
            pruned_by_bound_ = true;
            least_dropped_ = least_dropped_ ? (std::min)(*least_dropped_, cost) : cost;
        }
    }

    /// A solution is proved, or one side has nothing left.
    void finish_run() {
        if (!best_cost_ || (least_dropped_ && *least_dropped_ < best_)) {
            return finish(detail::exhausted_status(pruned_by_bound_,
                                                   !least_dropped_ && statistics_.contract_violations == 0));
        }
        bound_ = best_;
        // With the cost of the whole path.
        observer_.goal(Node{{*meeting_, *best_cost_, Wide{}, best_}, Direction::forward});
        if constexpr (counts_steps) {
            // A path of few steps may cost more than the type can hold.
            Result result;
            add_path(result);
            statistics_.contract_violations += detail::is_nan(result.cost) ? 1 : 0;
            finish(detail::is_infinite(result.cost) ? SearchStatus::cost_overflow : SearchStatus::solved);
        } else {
            finish(SearchStatus::solved);
        }
    }

    void finish(SearchStatus status) {
        end(status);
        if constexpr (!is_silent) {
            observer_.progress(statistics());
        }
    }

    bool is_stopped() {
        const SearchStatus limit = monitor_.check(expanded(), !is_silent);
        if (limit != SearchStatus::running) {
            finish(limit);
        } else if constexpr (!is_silent) {
            observer_.progress(statistics());
        }
        return limit != SearchStatus::running;
    }

    template <class F>
    void guarded(F&& work) {
        Engine::guarded(work, [this](SearchStatus status) { finish(status); });
    }

    /// Adds the path through the meeting, and its cost.
    void add_path(Result& result) const {
        const auto half = [&]<class Q>(const Q& /*problem*/, const auto& side) {
            std::vector<State> states;
            std::vector<typename std::remove_cvref_t<decltype(side)>::Table::Move> moves;
            const auto node = side.table.find(side.table.lookup_hint(*meeting_), *meeting_);
            detail::retrace<Q>(side.table, *node, states, moves);
            return states;
        };
        result.path = half(*forward_.problem, forward_);
        const std::vector<State> other = half(*backward_.problem, backward_);
        result.path.insert(result.path.end(), other.rbegin() + 1, other.rend());
        // The steps are looked up, so that moves are the problem's own, and sums those along the path from
        // its start.
        result.cost = detail::look_up_steps(*problem_, result.path, detail::moves_of<P>(result));
    }

    [[nodiscard]] std::uint64_t expanded() const { return forward_.expanded + backward_.expanded; }

    O observer_;
    std::optional<Cost> max_cost_;
    const P* problem_;
    std::conditional_t<counts_steps, Forward, const Forward&> forward_problem_;
    std::conditional_t<is_undirected, const Backward&, Backward> backward_problem_;
    std::conditional_t<BindsTo<HB, Target>, Target, detail::Nothing> target_;
    ForwardHeuristic heuristic_;
    BackwardHeuristic backward_heuristic_;
    Wide epsilon_; // no step costs less
    ForwardSide forward_;
    BackwardSide backward_;

    NPUZZLE_NO_UNIQUE_ADDRESS Chosen method_;
    Wide bound_{};                  // no solution that may still be found costs less
    std::optional<State> meeting_;  // where the sides meet on the best path
    std::optional<Cost> best_cost_; // of that
    Wide best_{};                   // the same
    std::optional<Wide> least_dropped_;
};

template <class P, class H, class HB, class O = SilentObserver>
BidirectionalAStar(const P&, const state_t<P>&, H&&, HB&&, const limits_t<P>& = {}, O&& = O{})
    -> BidirectionalAStar<AutomaticMethod, P, H, HB, O>;

template <class Method, class P, class H, class HB, class O = SilentObserver>
BidirectionalAStar(Method, const P&, const state_t<P>&, H&&, HB&&, const limits_t<P>& = {}, O&& = O{})
    -> BidirectionalAStar<Method, P, H, HB, O>;

/// Bidirectional breadth-first search as an object that can be stepped. Takes several starts and goals. The
/// bound on the cost, `max_cost`, is the most steps.
template <BackwardProblem P, class O = SilentObserver>
class BidirectionalBreadthFirst : public BidirectionalAStar<detail::Layers, P, Zero, Zero, O> {
public:
    /// No temporary problem: the engine refers to it.
    BidirectionalBreadthFirst(const P&& problem, const state_t<P>& start, const BasicLimits<int>& limits = {},
                              O&& observer = O{}) = delete;

    BidirectionalBreadthFirst(const P& problem, const state_t<P>& start, const BasicLimits<int>& limits = {},
                              O&& observer = O{})
        : BidirectionalBreadthFirst::BidirectionalAStar(problem, start, Zero{}, Zero{}, limits,
                                                        std::forward<O>(observer)) {}
};

template <class P, class O = SilentObserver>
BidirectionalBreadthFirst(const P&, const state_t<P>&, const BasicLimits<int>& = {}, O&& = O{})
    -> BidirectionalBreadthFirst<P, O>;

/// Finds a cheapest path from `start` to `problem.goal()` by two searches toward each other.
///
/// Any `BackwardProblem`, any cost type. Optimal if both heuristics are admissible; `BaeStar` asks for
/// consistent ones. The least cost of a step makes the bounds better, where the problem has it
/// (`HasLeastCost`; 1 if steps cost 1). Memory for the nodes of both sides comes from the same
/// `limits.bytes`; statistics include both sides.
///
/// \tparam Method `BaeStar`, `Nbs`, `MeetInTheMiddle`, or `AutomaticMethod`, which chooses
/// \param heuristic estimates the cost from a state to the goal
/// \param backward_heuristic estimates the cost from the start to a state: see `BackwardHeuristicFor`
/// \param observer receives the events of both sides, as `BidirectionalNodeView`s; at the end, `goal` with a
///        state where they met and the cost of the whole path
/// \return as from `astar`, without a partial path; `unsolvable` is proved by exhausting one of the sides
template <class Method = AutomaticMethod, BackwardProblem P, class H, class HB,
          class O = detail::default_observer_t<P, H, DefaultPolicy>>
    requires(HeuristicFor<H, P> && BackwardHeuristicFor<HB, P>)
search_result_t<P> bidirectional_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       HB&& backward_heuristic, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<BidirectionalAStar<Method, P, H, HB, O>>(
        problem, start, std::forward<H>(heuristic), std::forward<HB>(backward_heuristic), limits,
        std::forward<O>(observer));
}

/// The same with one heuristic for both directions: bound to the problem, and to the problem with `start` as
/// its goal. `bidirectional_astar(puzzle, board, Manhattan{})`.
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
    return detail::run_engine<BidirectionalBreadthFirst<P, O>>(problem, start, limits,
                                                               std::forward<O>(observer));
}

} // namespace npuzzle
