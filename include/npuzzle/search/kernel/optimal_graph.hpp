#pragma once

#include "npuzzle/search/engine/limit_monitor.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <vector>

/// \file
/// The graph of all cheapest paths, its paths counted and walked.

namespace npuzzle::detail {

/// The states of all cheapest paths, as vertices numbered from 0, and the steps between them. The ways from a
/// start to an end, a vertex without edges, are the cheapest paths.
///
/// \tparam Number what vertices, edges and links are numbered with
template <std::unsigned_integral Number>
class OptimalGraph {
public:
    template <class T>
    using Vector = std::vector<T, BudgetAllocator<T>>;

    static constexpr Number none = (std::numeric_limits<Number>::max)();

    struct Edge {
        Number to;
        Number link; ///< what the search knows of it
    };

    /// A vertex on the way of a depth-first walk, and the next of its edges.
    struct Place {
        Number vertex;
        Number next_edge;
    };

    explicit OptimalGraph(MemoryBudget& budget)
        : starts_(BudgetAllocator<Number>(budget)), first_edge_(BudgetAllocator<Number>(budget)),
          edges_(BudgetAllocator<Edge>(budget)), components_(BudgetAllocator<Number>(budget)),
          order_(BudgetAllocator<Number>(budget)) {}

    [[nodiscard]] Number size() const { return static_cast<Number>(components_.size()); }
    [[nodiscard]] MemoryBudget& budget() const { return edges_.get_allocator().budget(); }
    [[nodiscard]] bool is_end(Number vertex) const { return first_edge_[vertex] == first_edge_[vertex + 1]; }
    [[nodiscard]] const Vector<Number>& starts() const noexcept { return starts_; }

    void add_start(Number vertex) { starts_.push_back(vertex); }

    /// `visit_edges(visit)` calls `visit(from, edge)` for each edge, the same each time. The edges of a
    /// vertex are put in the order of their links. False if a limit ended it.
    template <class F>
    bool set_edges(Number vertices, F&& visit_edges, WorkMonitor& monitor) {
        first_edge_.assign(vertices + std::size_t{1}, 0);
        components_.assign(vertices, none);
        visit_edges([&](Number from, const Edge&) { ++first_edge_[from + 1]; });
        for (Number vertex = 0; vertex < vertices; ++vertex) {
            first_edge_[vertex + 1] += first_edge_[vertex];
        }
        edges_.resize(first_edge_.back(), Edge{});
        Vector<Number> filled(first_edge_.begin(), first_edge_.end() - 1, first_edge_.get_allocator());
        visit_edges([&](Number from, const Edge& edge) { edges_[filled[from]++] = edge; });
        return finish(monitor);
    }

    /// How many ways there are from each start to an end, all together, but not more than the type holds;
    /// nothing if a limit ended it.
    std::optional<std::uint64_t> count(WorkMonitor& monitor) const;

    /// All ways from starts to ends, depth first: what is entered and left on them, step by step.
    class Walk {
    public:
        enum class Event : std::uint8_t { entered, left, done, limit };

        explicit Walk(const OptimalGraph& graph)
            : graph_(graph), is_on_way_(graph.size(), 0, BudgetAllocator<std::uint8_t>(graph.budget())),
              way_(BudgetAllocator<Place>(graph.budget())) {}

        /// The next event; `vertex` is what was entered, by the edge with `link`, which is `none` at a start.
        Event step(WorkMonitor& monitor, Number& vertex, Number& link) {
            while (monitor.may_work()) {
                link = none;
                if (way_.empty()) {
                    if (next_start_ == graph_.starts_.size()) {
                        return Event::done;
                    }
                    vertex = graph_.starts_[next_start_++];
                    enter(vertex);
                    return Event::entered;
                }
                Place& last = way_.back();
                if (last.next_edge == graph_.first_edge_[last.vertex + 1]) {
                    is_on_way_[last.vertex] = 0;
                    way_.pop_back();
                    return Event::left;
                }
                const Edge& edge = graph_.edges_[last.next_edge++];
                if (is_on_way_[edge.to] == 0) {
                    vertex = edge.to;
                    link = edge.link;
                    enter(vertex);
                    return Event::entered;
                }
            }
            return Event::limit;
        }

    private:
        void enter(Number vertex) {
            is_on_way_[vertex] = 1;
            way_.push_back({vertex, graph_.first_edge_[vertex]});
        }

        const OptimalGraph& graph_;
        Vector<std::uint8_t> is_on_way_;
        Vector<Place> way_;
        std::size_t next_start_ = 0;
    };

private:
    bool finish(WorkMonitor& monitor);

    Vector<Number> starts_;
    Vector<Number> first_edge_; // of each vertex, and one more
    Vector<Edge> edges_;
    Vector<Number> components_; // by vertex
    Vector<Number> order_;      // vertices, component by component
};

/// The strongly connected components, each after all those that can be reached from it (R. Tarjan,
/// "Depth-first search and linear graph algorithms", 1972). Components of several vertices are circles of
/// steps that cost nothing.
template <std::unsigned_integral Number>
bool OptimalGraph<Number>::finish(WorkMonitor& monitor) {
    const auto allocator = starts_.get_allocator();
    for (Number vertex = 0; vertex < size(); ++vertex) {
        std::sort(edges_.begin() + first_edge_[vertex], edges_.begin() + first_edge_[vertex + 1],
                  [](const Edge& a, const Edge& b) { return a.link < b.link; });
    }
    order_.reserve(size());
    Vector<Number> found(size(), none, allocator);
    Vector<Number> lowest(size(), none, allocator);
    Vector<Number> waiting(allocator);
    Vector<Place> way(allocator);
    Number count = 0;
    Number component = 0;
    const auto enter = [&](Number vertex) {
        found[vertex] = lowest[vertex] = count++;
        waiting.push_back(vertex);
        way.push_back({vertex, first_edge_[vertex]});
    };
    for (const Number start : starts_) {
        if (found[start] == none) {
            enter(start);
        }
        while (!way.empty()) {
            if (!monitor.may_work()) {
                return false;
            }
            const Number vertex = way.back().vertex;
            if (way.back().next_edge < first_edge_[vertex + 1]) {
                const Number to = edges_[way.back().next_edge++].to;
                if (found[to] == none) {
                    enter(to);
                } else if (components_[to] == none) {
                    lowest[vertex] = (std::min)(lowest[vertex], found[to]);
                }
                continue;
            }
            way.pop_back();
            if (!way.empty()) {
                Number& above = lowest[way.back().vertex];
                above = (std::min)(above, lowest[vertex]);
            }
            if (lowest[vertex] == found[vertex]) {
                Number last = none;
                do {
                    last = waiting.back();
                    waiting.pop_back();
                    components_[last] = component;
                    order_.push_back(last);
                } while (last != vertex);
                ++component;
            }
        }
    }
    return true;
}

template <std::unsigned_integral Number>
std::optional<std::uint64_t> OptimalGraph<Number>::count(WorkMonitor& monitor) const {
    // For each vertex that is entered from another component, the ways from there to an end.
    Vector<std::uint64_t> counts(size(), 0, BudgetAllocator<std::uint64_t>(budget()));
    Vector<std::uint8_t> is_entered(size(), 0, BudgetAllocator<std::uint8_t>(budget()));
    Vector<std::uint8_t> is_on_way(is_entered);
    Vector<Place> way{BudgetAllocator<Place>(budget())};
    for (const Number start : starts_) {
        is_entered[start] = 1;
    }
    for (Number vertex = 0; vertex < size(); ++vertex) {
        for (Number i = first_edge_[vertex]; i < first_edge_[vertex + 1]; ++i) {
            if (components_[edges_[i].to] != components_[vertex]) {
                is_entered[edges_[i].to] = 1;
            }
        }
    }
    for (const Number vertex : order_) {
        if (is_entered[vertex] == 0) {
            continue;
        }
        if (is_end(vertex)) {
            counts[vertex] = 1;
            continue;
        }
        // In a component of one vertex this is the sum over its edges; in others, over the edges of all ways
        // within it.
        std::uint64_t sum = 0;
        way.push_back({vertex, first_edge_[vertex]});
        is_on_way[vertex] = 1;
        while (!way.empty()) {
            if (!monitor.may_work()) {
                return std::nullopt;
            }
            Place& last = way.back();
            if (last.next_edge == first_edge_[last.vertex + 1]) {
                is_on_way[last.vertex] = 0;
                way.pop_back();
                continue;
            }
            const Number to = edges_[last.next_edge++].to;
            if (components_[to] != components_[vertex]) {
                sum = saturating_add(sum, counts[to]);
            } else if (is_on_way[to] == 0) {
                is_on_way[to] = 1;
                way.push_back({to, first_edge_[to]});
            }
        }
        counts[vertex] = sum;
    }
    std::uint64_t all = 0;
    for (const Number start : starts_) {
        all = saturating_add(all, counts[start]);
    }
    return all;
}

/// For each node of a search, all steps that reach it at its least cost. In the end they make the optimal
/// graph.
///
/// \tparam Number what nodes are numbered with, from 0
/// \tparam Move what a step is known by
template <std::unsigned_integral Number, class Move>
class CheapestSteps {
    using Graph = OptimalGraph<Number>;
    template <class T>
    using Vector = typename Graph::template Vector<T>;

    static constexpr Number none = Graph::none;

    struct Step {
        Number from;
        Number next; // of those to the same node
        NPUZZLE_NO_UNIQUE_ADDRESS Move move;
    };

public:
    explicit CheapestSteps(MemoryBudget& budget)
        : last_(BudgetAllocator<Number>(budget)), steps_(BudgetAllocator<Step>(budget)),
          nodes_(BudgetAllocator<Number>(budget)) {}

    /// One more node.
    void add_node() { last_.push_back(none); }

    /// Forgets the steps to a node, since there is a cheaper one.
    void clear(Number node) { last_[node] = none; }

    /// Adds a step to a node.
    void add(Number from, Number to, const Move& move) {
        Number& last = last_[to];
        if (from == to || (last != none && steps_[last].from == from)) {
            return; // in place, or parallel to the one before
        }
        if (steps_.size() == none) {
            throw std::bad_alloc();
        }
        steps_.push_back({from, last, move});
        last = static_cast<Number>(steps_.size() - 1);
    }

    /// Makes the graph of the nodes from which a goal is reached by the steps. False if a limit ended it.
    bool make_graph(Graph& graph, const Vector<Number>& starts, const Vector<Number>& goals,
                    WorkMonitor& monitor) {
        Vector<Number> vertex_of(last_.size(), none, last_.get_allocator());
        const auto add_vertex = [&](Number node) {
            if (vertex_of[node] == none) {
                vertex_of[node] = static_cast<Number>(nodes_.size());
                nodes_.push_back(node);
            }
        };
        for (const Number goal : goals) {
            add_vertex(goal);
        }
        for (std::size_t vertex = 0; vertex < nodes_.size(); ++vertex) {
            if (!monitor.may_work()) {
                return false;
            }
            for (Number i = last_[nodes_[vertex]]; i != none; i = steps_[i].next) {
                add_vertex(steps_[i].from);
            }
        }
        for (const Number start : starts) {
            if (vertex_of[start] != none) {
                graph.add_start(vertex_of[start]);
            }
        }
        const auto visit_edges = [&](const auto& visit) {
            for (Number vertex = 0; vertex < nodes_.size(); ++vertex) {
                for (Number i = last_[nodes_[vertex]]; i != none; i = steps_[i].next) {
                    visit(vertex_of[steps_[i].from], typename Graph::Edge{vertex, i});
                }
            }
        };
        return graph.set_edges(static_cast<Number>(nodes_.size()), visit_edges, monitor);
    }

    /// The node of a vertex of the graph.
    [[nodiscard]] Number node_of(Number vertex) const { return nodes_[vertex]; }
    /// The move of an edge, by its link.
    [[nodiscard]] const Move& move_of(Number link) const { return steps_[link].move; }

private:
    Vector<Number> last_; // by node, the step that was added last
    Vector<Step> steps_;
    Vector<Number> nodes_; // by vertex
};

} // namespace npuzzle::detail
