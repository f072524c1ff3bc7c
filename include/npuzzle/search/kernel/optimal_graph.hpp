#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/kernel/limit_monitor.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

/// \file
/// The graph of all cheapest paths, its paths counted and walked.

namespace npuzzle::detail {

/// The states of all cheapest paths, as vertices numbered from 0, and the steps between them. Each way from a start to its
/// end, a vertex without edges, is a cheapest path.
///
/// \tparam Number what vertices, edges and links are numbered with
template <std::unsigned_integral Number>
class OptimalGraph {
public:
    template <class T>
    using Vector = std::vector<T, BudgetAllocator<T>>;

    static constexpr Number none = std::numeric_limits<Number>::max();

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

    Number size() const { return static_cast<Number>(components_.size()); }
    MemoryBudget& budget() const { return edges_.get_allocator().budget(); }
    bool is_end(Number vertex) const { return first_edge_[vertex] == first_edge_[vertex + 1]; }
    const Vector<Number>& starts() const { return starts_; }

    void add_start(Number vertex) { starts_.push_back(vertex); }

    /// `visit_edges(visit)` calls `visit(from, edge)` for each edge, the same each time. The edges of a vertex are put in the
    /// order of their links. False if a limit ended it.
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

    /// How many ways there are from each start to an end, all together, but not more than the type holds; nothing if a limit
    /// ended it.
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

/// The strongly connected components, each after all those that can be reached from it (R. Tarjan, "Depth-first search and
/// linear graph algorithms", 1972). Those of several vertices are circles of steps that cost nothing.
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
                    lowest[vertex] = std::min(lowest[vertex], found[to]);
                }
                continue;
            }
            way.pop_back();
            if (!way.empty()) {
                Number& above = lowest[way.back().vertex];
                above = std::min(above, lowest[vertex]);
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
        // In a component of one vertex this is the sum over its edges; in others, over those of all ways within it.
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

} // namespace npuzzle::detail
