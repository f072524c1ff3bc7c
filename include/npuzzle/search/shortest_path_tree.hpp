#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/with_goals.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Dijkstra's algorithm (1959) to all states that can be reached: `for_each_reachable` visits the states,
/// `shortest_path_tree` keeps the paths to them. A goal is a state like any other.

namespace npuzzle {

/// The outcome of `for_each_reachable`; true if all states that can be reached were visited.
struct Exploration {
    /// `solved` if all states that can be reached were visited, else what ended the search.
    SearchStatus status = SearchStatus::running;
    Statistics statistics;

    explicit operator bool() const { return status == SearchStatus::solved; }
};

namespace detail {

/// An engine whose problem has no goal, with `Zero`.
template <class Engine>
struct Exploring : Engine {
    using Engine::Engine;

    /// `solved` if all states were expanded: also where a path was beyond `max_cost`, but another was not.
    [[nodiscard]] SearchStatus exploration_status() const noexcept {
        using enum SearchStatus;
        const SearchStatus status = this->status();
        const bool has_all = !this->has_overflowed_ && this->statistics_.expanded == this->table_.size();
        return status == unsolvable || (status == cost_limit && has_all) ? solved : status;
    }

    [[nodiscard]] Exploration result() const { return {exploration_status(), this->statistics()}; }
};

/// Calls a function for each state that is expanded.
template <class F>
struct Visitor : SilentObserver {
    F& visit;

    void expand(const auto& node) { visit(node.state, node.cost); }
};

/// Keeps the nodes that a search closes, in their order.
template <class Table>
struct ClosingRecorder : SilentObserver {
    static constexpr bool sees_nodes = false;
    using Order = Storage<typename Table::Handle>;
    Order* order;

    void closing(const typename Table::Node& node) { order->push_back(node.handle()); }
};

/// The problem of a search through all states: a base, to be made before the engine.
template <Problem P>
struct WithoutGoal {
    WithGoals<P, NoGoal> without_goal;
};

/// A search that may begin again would give states twice.
template <class Policy>
struct Reopening : Policy {
    static constexpr bool reopens = true;
};

template <Problem P, class Policy, class Parts = PartsFor<WithGoals<P, NoGoal>, Zero, Reopening<Policy>>>
using tree_engine_t =
    Exploring<BestFirst<WithGoals<P, NoGoal>, Zero, ClosingRecorder<typename Parts::NodeTable>, Parts>>;

} // namespace detail

/// Calls `visit(state, cost)` once for each state that can be reached from `start`, with the cost of a
/// cheapest path to it, in the order of costs. To fill a table of distances to a goal of an undirected
/// problem, such as a pattern database, start from the goal.
///
/// \param limits with `max_cost`, only states that cost no more are visited; `Status::cost_limit` if there
///        are others
/// \return after a lack of memory, with `Status::memory_limit`. Other exceptions of the problem or `visit`
///         pass through.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P,
          std::invocable<const state_t<P>&, const cost_t<P>&> F>
Exploration for_each_reachable(const P& problem, const detail::named_state_t<P>& start, F&& visit,
                               limits_t<P> limits = {}) {
    detail::Visitor<F> visitor{{}, visit};
    const auto without_goal = with_goals(problem, detail::NoGoal{});
    using Search = AStar<std::remove_const_t<decltype(without_goal)>, Zero, decltype((visitor)),
                         detail::Reopening<Policy>>;
    return detail::run_engine<detail::Exploring<Search>>(without_goal, start, Zero{}, limits, visitor);
}

/// The cheapest paths from one start, or from the nearest of several, to all states that can be reached.
/// Memory: the node table of the search, and four bytes more for each state, or a copy of it if states are
/// packed.
///
/// After a limit, the tree holds the states that were expanded: the nearest ones, with their final costs and
/// paths. True if it holds all states that can be reached.
///
/// The tree refers to the problem, which must outlive it. It cannot be copied or moved: `const auto tree =
/// shortest_path_tree(...)` makes it in its place.
///
/// \tparam P a `Problem`, with `HasHash` unless its states are packed or numbered
/// \tparam Policy the open list and node table: see `DefaultPolicy`
template <Problem P, std::derived_from<DefaultPolicy> Policy = DefaultPolicy>
class ShortestPathTree : detail::WithoutGoal<P>, detail::tree_engine_t<P, Policy> {
    using Engine = detail::tree_engine_t<P, Policy>;
    using typename Engine::Table, typename Engine::TableNode;
    using Recorder = detail::ClosingRecorder<Table>;

    static_assert(
        Table::finds_duplicates && requires(const Table& table, const state_t<P>& state) {
            table.find(table.lookup_hint(state), state);
        }, "the node table has to find duplicates and states");

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;

    /// A state, and what the cheapest path to it costs. The state is a reference into the tree, or a value if
    /// states are packed.
    struct Entry {
        decltype(std::declval<const TableNode&>().state()) state;
        Cost cost;
    };

    /// Goes through the states in the order of their costs, as `for` does.
    struct Iterator {
        const ShortestPathTree* tree;
        std::size_t place;

        Entry operator*() const { return (*tree)[place]; }
        void operator++() { ++place; }
        friend bool operator==(const Iterator&, const Iterator&) = default;
    };

    /// Searches from a range of states to the end. Lack of memory is a status; other exceptions of the
    /// problem pass through.
    /// \param limits with `max_cost`, the tree holds the states that cost no more, and ends with
    ///        `Status::cost_limit` if there are others
    template <class Range>
        requires detail::is_state_range<Range, state_t<P>>
    ShortestPathTree(detail::Lasting<P> problem, const Range& starts, const BasicLimits<Cost>& limits = {})
        : detail::WithoutGoal<P>{with_goals(*problem.address, detail::NoGoal{})},
          Engine(this->without_goal, Zero{}, limits, Recorder{{}, &order_}, {}), order_(this->budget_) {
        for (const auto& start : starts) this->add_start(start);
        this->run();
    }

    /// `solved` if every state that can be reached is here, else what ended the search.
    [[nodiscard]] SearchStatus status() const noexcept { return this->exploration_status(); }
    /// Whether every state that can be reached is here.
    explicit operator bool() const noexcept { return status() == SearchStatus::solved; }
    using Engine::statistics;

    /// How many states are here.
    [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
    /// Whether a state is here. Expected O(1), as `cost_to` and `parent_of`.
    [[nodiscard]] bool contains(const State& state) const { return find(state).has_value(); }
    /// What the cheapest path to a state costs; nothing if the state is not here.
    [[nodiscard]] std::optional<Cost> cost_to(const State& state) const {
        const std::optional<TableNode> node = find(state);
        return node ? std::optional<Cost>(node->cost()) : std::nullopt;
    }
    /// The state before this one on its cheapest path; nothing for a start, or if the state is not here.
    [[nodiscard]] std::optional<State> parent_of(const State& state) const {
        const std::optional<TableNode> node = find(state);
        return node && !node->is_root() ? std::optional<State>(this->table_.parent(*node).state())
                                        : std::nullopt;
    }
    /// A cheapest path to a state, from a start; empty if the state is not here. Linear in its length.
    [[nodiscard]] std::vector<State> path_to(const State& state) const {
        std::vector<State> path;
        if (const auto node = find(state)) detail::retrace(this->table_, *node, path);
        return path;
    }
    /// The moves along that path.
    [[nodiscard]] auto moves_to(const State& state) const
        requires MoveProblem<P>
    {
        std::vector<move_t<P>> moves;
        detail::look_up_steps(this->without_goal, path_to(state), moves);
        return moves;
    }

    /// The state with this number, counted from the nearest; each comes after its parent. Expected O(1).
    [[nodiscard]] Entry operator[](std::size_t place) const {
        const TableNode node = this->table_.find(order_[place]);
        return Entry{node.state(), node.cost()};
    }
    /// The states in that order.
    [[nodiscard]] Iterator begin() const noexcept { return {this, 0}; }
    [[nodiscard]] Iterator end() const noexcept { return {this, size()}; }

private:
    std::optional<TableNode> find(const State& state) const {
        if (!detail::is_state(this->without_goal, state)) return std::nullopt;
        const std::optional<TableNode> node = this->table_.find(this->table_.lookup_hint(state), state);
        return node && node->is_closed() ? node : std::nullopt; // An open one may yet get cheaper.
    }

    typename Recorder::Order order_;
};

/// The tree of cheapest paths from `start` to every state that can be reached: see `ShortestPathTree`.
/// \code
/// const auto tree = shortest_path_tree(graph, start);
/// for (const auto& [state, cost] : tree) { ... } // the cheapest first
/// tree.path_to(state);
/// \endcode
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P>
[[nodiscard]] ShortestPathTree<P, Policy>
shortest_path_tree(const P& problem, const detail::named_state_t<P>& start, const limits_t<P>& limits = {}) {
    return ShortestPathTree<P, Policy>(problem, std::span<const state_t<P>, 1>(&start, 1), limits);
}

/// No temporary problem: the tree refers to it.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class... Rest>
void shortest_path_tree(const P&& problem, Rest&&... rest) = delete;

/// The same from a range of starts: to each state from the nearest of them.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class Range>
    requires(detail::is_state_range<Range, state_t<P>> && !std::convertible_to<const Range&, state_t<P>>)
[[nodiscard]] ShortestPathTree<P, Policy> shortest_path_tree(const P& problem, const Range& starts,
                                                             const limits_t<P>& limits = {}) {
    return ShortestPathTree<P, Policy>(problem, starts, limits);
}

} // namespace npuzzle
