#pragma once

#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/engine/nearest_node.hpp"
#include "npuzzle/search/engine/retrace.hpp"
#include "npuzzle/search/kernel/arrival.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

template <class P, class H, class PriorityType>
using pooled_parts_t = PartsFor<P, std::remove_cvref_t<H>, PooledPolicy, PriorityType>;

} // namespace detail

/// The base of engines that number their nodes: their parts, their views of nodes, the bound on f. Nodes do
/// not move when the pooled table grows.
/// \tparam Engine what derives from it, and befriends `EngineBase`
template <class Engine, Problem P, class H, class O,
          class PriorityType = AStarPriority<cost_t<P>, estimate_t<H, P>>>
class PooledEngine : public EngineBase<Engine, cost_t<P>, O> {
    using Base = EngineBase<Engine, cost_t<P>, O>;
    using Parts = detail::pooled_parts_t<P, H, PriorityType>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Priority = typename PriorityType::Value;
    using Node = NodeView<State, Cost, Estimate, Priority>; ///< as observers see it

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

protected:
    using Table = typename Parts::NodeTable;
    using TableNode = typename Table::Node;
    using Key = typename Table::Key;
    using Move = typename Table::Move;
    using BoundHeuristic = typename detail::bound_heuristic<H, P>::type;
    using Estimates = detail::Estimator<BoundHeuristic, P>;
    using Evaluation = decltype(std::declval<const Estimates&>().evaluation_of(
        std::declval<const State&>(), std::declval<const Estimate&>()));

    PooledEngine(const P& problem, H&& heuristic, const BasicLimits<Cost>& limits, O&& observer,
                 PriorityType priority)
        : Base(limits, std::forward<O>(observer)), problem_(&problem),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), problem)),
          priority_(std::move(priority)), table_(problem, this->budget_), open_(this->budget_) {
        if constexpr (BindsTo<H, P>) {
            this->monitor_.restart(); // To bind a heuristic may take long.
        }
    }
    ~PooledEngine() = default;

    void complete(Statistics& statistics) const { statistics.stored = table_.size(); }

    /// The rules of a start; an engine derives its own from these and from a neighbor's.
    struct StartRules : detail::ArrivalRules {
        static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;
        static constexpr bool closes_dead_ends = Estimates::has_dead_ends;

        Engine& engine;

        [[nodiscard]] auto& observer() const { return static_cast<PooledEngine&>(engine).observer_; }

        [[nodiscard]] Node view(const State& state, const Cost& cost, const Estimate& estimate) const {
            return engine.view_of(state, cost, estimate);
        }

        void open(const TableNode& node, const Node& view, detail::Arrival /*arrival*/) const {
            engine.push(view.priority, view.cost, node);
            engine.note_open();
        }
    };

    /// The rules of the arrival of a neighbor.
    struct NeighborRules : StartRules {
        using StartRules::engine;
        const TableNode& from;
        const Node& from_view;
        const Evaluation& evaluation; ///< of `from`
        const Move& move;             ///< from there, if there are moves
        const Cost& cost;             ///< of the path

        [[nodiscard]] const Node& parent() const { return from_view; }

        [[nodiscard]] Estimate estimate(const TableNode& node, bool is_new, const State& state) const {
            return is_new ? engine.estimates().after(evaluation, from_view.state, move, state)
                          : node.estimate();
        }
    };

    /// Inserts a state to start from, and gives it its path if that is better than the one it has.
    /// \param rules as for an arrival: `made`, `relaxing`, `is_beyond` and `open` are called
    /// \return the node, and whether it has got the path
    /// \throws std::invalid_argument if it is no state of the problem
    template <class Rules>
    std::pair<TableNode, bool> insert_start(const State& start, Rules&& rules) {
        auto [node, is_new] = table_.insert(State(detail::checked_state(*problem_, start)));
        if (is_new) {
            rules.made(node);
        } else if (!(Cost{} < node.cost())) {
            return {node, false};
        }
        const Node view = view_of(start, Cost{}, estimates()(start));
        this->observer_.start(view);
        this->statistics_.reopened += !is_new && node.is_closed() ? 1 : 0;
        rules.relaxing(node, view);
        node.relax(Cost{}, view.estimate, Table::root(node));
        if (detail::is_infinite(view.estimate)) {
            node.close(); // a dead end, known at a cost that no path can beat
        } else if (!rules.is_beyond(node, view)) {
            rules.open(node, view, detail::Arrival::new_node);
        }
        return {node, true};
    }

    /// Generates the neighbors of a node, and inserts each of them.
    /// \tparam Rules derived from `NeighborRules`
    /// \param last the move that is not taken back, if there are moves
    /// \param is_skipped whether a step is left out: `is_skipped(neighbor, cost of the step)`
    template <class Rules, class IsSkipped>
    void insert_neighbors(const TableNode& node, const Node& view, const Move& last, IsSkipped&& is_skipped) {
        const Evaluation evaluation = estimates().evaluation_of(view.state, view.estimate);
        detail::for_each_neighbor(
            *problem_, view.state, last, detail::nothing_leads_back,
            [&](State&& neighbor, const Cost& step, const Move& move) {
                if (is_skipped(std::as_const(neighbor), step)) {
                    return;
                }
                const Cost cost = detail::saturating_add<Cost>(view.cost, step);
                if (this->may_follow(step, cost, Table::can_hold)) {
                    auto probe = table_.probe(std::move(neighbor));
                    detail::arrive(
                        table_, probe, cost, Table::link(node, move), this->statistics_,
                        Rules{{{{}, static_cast<Engine&>(*this)}, node, view, evaluation, move, cost}});
                }
            });
    }

    /// The open node of an entry, unless the entry is superseded.
    template <class Entry>
    std::optional<TableNode> find_open(const Entry& entry) {
        return table_.find_open(entry.key, entry.cost, [](const State&) { return true; });
    }

    /// Appends the path that leads to a node now, and puts its moves and its cost into a result.
    template <class Result>
    void add_path(const TableNode& end, std::vector<State>& path, Result& result) const {
        auto&& moves = detail::moves_of<P>(result);
        detail::retrace<P>(table_, end, path, moves);
        result.cost = detail::path_cost(*problem_, path, moves);
    }

    [[nodiscard]] SearchStatus exhausted() const { return Base::exhausted(Table::can_hold); }

    Estimates estimates() { return Estimates(heuristic_, this->statistics_); }

    [[nodiscard]] Node view_of(const State& state, const Cost& cost, const Estimate& estimate) const {
        return Node{state, cost, estimate, priority_(cost, estimate)};
    }

    /// Whether no path of the cost g + h costs as little as a solution may, or as the type can hold.
    [[nodiscard]] bool exceeds(const Estimate& total) const {
        return detail::is_infinite(total) || detail::is_over(this->max_cost_, total);
    }

    /// The same for a node; it is recorded for the status at the end.
    bool is_beyond(const Cost& cost, const Estimate& estimate) {
        const bool is_beyond = exceeds(AStarPriority<Cost, Estimate>{}(cost, estimate));
        this->pruned_by_bound_ = this->pruned_by_bound_ || is_beyond;
        return is_beyond;
    }

    void push(const Priority& priority, const Cost& cost, const TableNode& node) {
        open_.push({priority, cost, node.key()});
    }

    void note_open() {
        this->statistics_.peak_open = std::max<std::uint64_t>(this->statistics_.peak_open, open_.size());
    }

    const P* problem_;
    BoundHeuristic heuristic_;
    NPUZZLE_NO_UNIQUE_ADDRESS PriorityType priority_;
    Table table_;
    typename Parts::OpenList open_;
    detail::NearestNode<Table, !Estimates::is_zero> nearest_;
};

} // namespace npuzzle
