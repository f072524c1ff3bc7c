#pragma once

#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/kernel/arrival.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/retrace.hpp"
#include "npuzzle/search/node_table/node_table.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// The base of such an engine: its parts, its views of nodes, the bound on f, the start and the goal.
/// \tparam Engine what derives from it, and befriends `EngineBase`
/// \tparam Parts has the types `Priority`, `NodeTable` and `OpenList`
template <class Engine, Problem P, class H, class O, class Parts>
class TableEngine : public EngineBase<Engine, cost_t<P>, O> {
    using Base = EngineBase<Engine, cost_t<P>, O>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Priority = typename Parts::Priority::Value;
    using Node = NodeView<State, Cost, Estimate, Priority>; ///< as observers see it

    static_assert(NodeTable<typename Parts::NodeTable>);
    static_assert(OpenList<typename Parts::OpenList>);
    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

protected:
    using Table = typename Parts::NodeTable;
    using TableNode = typename Table::Node;
    using Key = typename Table::Key;
    using Move = typename Table::Move;
    using BoundHeuristic = typename detail::bound_heuristic<H, P>::type;
    using Estimates = detail::Estimator<BoundHeuristic, P>;

    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;

    static constexpr bool keeps_nearest =
        Table::finds_duplicates && (detail::FindsByKey<Table> || FindsNodes<Table>);

    TableEngine(const P& problem, H&& heuristic, const BasicLimits<Cost>& limits, O&& observer,
                typename Parts::Priority priority)
        : Base(limits, std::forward<O>(observer)), problem_(&problem),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), problem)),
          priority_(std::move(priority)), table_(problem, this->budget_), open_(this->budget_) {
        if constexpr (BindsTo<H, P>) {
            this->monitor_.restart(); // To bind a heuristic may take long.
        }
    }
    ~TableEngine() = default;

    void complete(Statistics& statistics) const { statistics.stored = table_.size(); }

    /// The rules of an arrival that all engines share. Each engine derives its own from them.
    /// \tparam Derived the engine, or a base of it
    template <class Derived>
    struct Rules : detail::ArrivalRules {
        static constexpr bool is_watched = TableEngine::is_watched;
        static constexpr bool closes_dead_ends = Estimates::has_dead_ends;

        Derived& engine;

        [[nodiscard]] auto& observer() const { return static_cast<TableEngine&>(engine).observer_; }

        [[nodiscard]] Node view(const State& state, const Cost& cost, const Estimate& estimate) const {
            return engine.view_of(state, cost, estimate);
        }

        [[nodiscard]] bool is_beyond(const TableNode& /*node*/, const Node& view) const {
            return engine.is_beyond(view.cost, view.estimate);
        }

        void open(const TableNode& node, const Node& view, detail::Arrival /*arrival*/) const {
            engine.push(view.priority, view.cost, node);
            engine.note_open();
        }
    };

    /// Inserts a state to start from, and gives it its path if that is better than the one it has.
    /// \param rules as for an arrival: `made`, `relaxing`, `is_beyond` and `open` are called
    /// \return the node, and whether it has got the path
    /// \throws std::invalid_argument if it is no state of the problem
    template <class StartRules>
    std::pair<TableNode, bool> insert_start(const State& start, StartRules&& rules) {
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

    /// The open node of an entry, unless the entry is superseded.
    template <class Entry>
    std::optional<TableNode> find_open(const Entry& entry) {
        const auto is_wanted = [&](const State& state) {
            const Priority priority = priority_(entry.cost, estimates()(state));
            return !(priority < entry.priority) && !(entry.priority < priority);
        };
        return table_.find_open(entry.key, entry.cost, is_wanted);
    }

    /// Appends the path that leads to a node now, and puts its moves and its cost into a result.
    /// \param is_exact whether the node has the cost of the path, and not more
    template <class Result>
    void add_path(const TableNode& end, std::vector<State>& path, Result& result,
                  bool is_exact = false) const {
        auto&& moves = detail::moves_of<P>(result);
        detail::retrace<P>(table_, end, path, moves);
        result.cost = is_exact ? end.cost() : detail::path_cost(*problem_, path, moves);
    }

    /// How a search ends that has nothing left to expand.
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

    /// Whether a step is to be followed that makes a path of this cost.
    bool may_follow(const Cost& step, const Cost& cost) {
        return Base::may_follow(step, cost, Table::can_hold);
    }

    void push(const Priority& priority, const Cost& cost, const TableNode& node) {
        open_.push({priority, cost, node.key()});
    }

    void note_open() {
        this->statistics_.peak_open = std::max<std::uint64_t>(this->statistics_.peak_open, open_.size());
    }

    void tell_goal(const Node& view) {
        detail::check_goal(view.estimate, this->statistics_);
        this->observer_.goal(view);
    }

    /// The estimate of a node that was taken from the open list by this priority and cost.
    Estimate estimate_of(const TableNode& node, const State& state, const Priority& priority,
                         const Cost& cost) {
        if constexpr (Table::stores_estimate) {
            return node.estimate();
        } else if constexpr (requires { priority_.estimate(priority, cost); }) {
            return priority_.estimate(priority, cost);
        } else {
            return estimates()(state);
        }
    }

    /// False if the priority of a node says that another was nearer to a goal: it need not be evaluated then.
    [[nodiscard]] bool may_be_nearest(const Priority& priority, const Cost& cost) const {
        if constexpr (std::floating_point<Estimate> && std::is_arithmetic_v<Cost> &&
                      std::same_as<typename Parts::Priority, AStarPriority<Cost, Estimate>>) {
            // f - g is h, but for the rounding of f and of g.
            const Estimate rounding = 2 * std::numeric_limits<Estimate>::epsilon() * priority;
            return !nearest_ || !(least_estimate_ < priority - static_cast<Estimate>(cost) - rounding);
        } else {
            return true;
        }
    }

    /// Takes note of a node that was taken up, if none was nearer to a goal: by the least estimate, without
    /// one by the greatest cost.
    void note_nearest(const Key& key, const Node& view) {
        if constexpr (keeps_nearest) {
            const bool is_nearer = [&] {
                if (!nearest_) {
                    return true;
                }
                if constexpr (Estimates::is_zero) {
                    return nearest_cost_ < view.cost;
                } else {
                    return view.estimate < least_estimate_;
                }
            }();
            if (is_nearer) [[unlikely]] {
                if constexpr (detail::FindsByKey<Table>) {
                    nearest_ = key;
                } else {
                    nearest_ = view.state;
                }
                nearest_cost_ = view.cost;
                least_estimate_ = view.estimate;
            }
        }
    }

    /// The node that is nearest to a goal of those that were taken up.
    [[nodiscard]] std::optional<TableNode> nearest() const {
        if constexpr (keeps_nearest) {
            if (nearest_) {
                return detail::node_of(table_, *nearest_);
            }
        }
        return std::nullopt;
    }

    /// How near that node is to a goal, to compare with another engine's.
    struct Nearness {
        std::conditional_t<Estimates::is_zero, Cost, Estimate> value;

        [[nodiscard]] bool is_nearer_than(const Nearness& other) const {
            if constexpr (Estimates::is_zero) {
                return other.value < value;
            } else {
                return value < other.value;
            }
        }
    };
    [[nodiscard]] Nearness nearness() const {
        if constexpr (Estimates::is_zero) {
            return {nearest_cost_};
        } else {
            return {least_estimate_};
        }
    }

    void forget_nearest() { nearest_.reset(); }

    const P* problem_;
    BoundHeuristic heuristic_;
    NPUZZLE_NO_UNIQUE_ADDRESS typename Parts::Priority priority_;
    Table table_;
    typename Parts::OpenList open_;

private:
    std::optional<detail::handle_t<Table>> nearest_;
    Cost nearest_cost_{};
    Estimate least_estimate_{};
};

} // namespace npuzzle
