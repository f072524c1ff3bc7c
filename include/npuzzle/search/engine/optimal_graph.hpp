#pragma once

#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// All steps that reach the nodes of a search at their least costs, and in the end the graph of all cheapest
/// paths: the nodes from which a goal is reached by such steps, as vertices numbered from 0. The ways from a
/// start to an end, a vertex without edges, are the cheapest paths.
template <class Move>
class OptimalGraph {
    template <class T>
    using Vector = std::vector<T, BudgetAllocator<T>>;

    struct Step {
        std::uint32_t from;
        std::uint32_t next; // of those to the same node
        NPUZZLE_NO_UNIQUE_ADDRESS Move move;
    };

    struct Edge {
        std::uint32_t from;
        std::uint32_t step;
        std::uint32_t to;

        friend auto operator<=>(const Edge&, const Edge&) = default;
    };

    /// A vertex on the way of a depth-first walk, and the next of its edges.
    struct Place {
        std::uint32_t vertex;
        std::uint32_t next_edge;
        std::uint32_t step; // that led to it
    };

public:
    using Nodes = Vector<std::uint32_t>;
    using Way = Vector<Place>;

    explicit OptimalGraph(MemoryBudget& budget)
        : budget_(&budget), last_step_(make<std::uint32_t>()), steps_(make<Step>()),
          nodes_(make<std::uint32_t>()), starts_(make<std::uint32_t>()), first_edge_(make<std::uint32_t>()),
          edges_(make<Edge>()) {}

    /// Forgets the steps to a node, since there is a cheaper path.
    void clear(std::uint32_t node) {
        if (node < last_step_.size()) {
            last_step_[node] = none;
        }
    }

    /// Adds a step to a node.
    void add_step(std::uint32_t from, std::uint32_t to, const Move& move) {
        if (last_step_.size() <= to) {
            last_step_.resize(to + std::size_t{1}, none);
        }
        std::uint32_t& last = last_step_[to];
        if (from == to || (last != none && steps_[last].from == from)) {
            return; // in place, or parallel to the one before
        }
        if (steps_.size() == none) {
            throw std::bad_alloc();
        }
        steps_.push_back({from, last, move});
        last = static_cast<std::uint32_t>(steps_.size() - 1);
    }

    /// Makes the graph, with the edges of a vertex in the order in which the steps were added. False if a
    /// limit ended it.
    bool make_graph(std::size_t nodes, const Nodes& starts, const Nodes& goals, WorkMonitor& monitor) {
        last_step_.resize(nodes, none);
        Nodes vertex_of = make(nodes, none);
        const auto add_vertex = [&](std::uint32_t node) {
            if (vertex_of[node] == none) {
                vertex_of[node] = static_cast<std::uint32_t>(nodes_.size());
                nodes_.push_back(node);
            }
            return vertex_of[node];
        };
        for (const std::uint32_t goal : goals) {
            add_vertex(goal);
        }
        for (std::uint32_t vertex = 0; vertex < nodes_.size(); ++vertex) {
            if (!monitor.may_work()) {
                return false;
            }
            for (std::uint32_t i = last_step_[nodes_[vertex]]; i != none; i = steps_[i].next) {
                edges_.push_back({add_vertex(steps_[i].from), i, vertex});
            }
        }
        for (const std::uint32_t start : starts) {
            if (vertex_of[start] != none) {
                starts_.push_back(vertex_of[start]);
            }
        }
        std::sort(edges_.begin(), edges_.end());
        first_edge_.resize(nodes_.size() + 1, 0);
        for (std::uint32_t vertex = 0, edge = 0; vertex < nodes_.size(); ++vertex) {
            for (; edge < edges_.size() && edges_[edge].from == vertex; ++edge) {
            }
            first_edge_[vertex + 1] = edge;
        }
        return true;
    }

    /// Calls `visit(way)` for each way from a start to an end, until it returns false. False if a limit ended
    /// it.
    template <class F>
    bool for_each_way(WorkMonitor& monitor, F&& visit) const {
        Next next = Next::on;
        auto is_on_way = make<std::uint8_t>(nodes_.size());
        for (std::size_t i = 0; next != Next::stop && i < starts_.size(); ++i) {
            const bool is_done = walk(starts_[i], is_on_way, monitor, [&](const Way& way) {
                next = !is_end(way.back().vertex) || visit(way) ? Next::on : Next::stop;
                return next;
            });
            if (!is_done) {
                return false;
            }
        }
        return true;
    }

    /// The node of a place on a way.
    [[nodiscard]] std::uint32_t node_at(const Place& place) const { return nodes_[place.vertex]; }
    /// The move that led to a place on a way. Requires that it is not the first.
    [[nodiscard]] const Move& move_to(const Place& place) const { return steps_[place.step].move; }

    /// How many ways there are from each start to an end, all together, but not more than the type holds;
    /// nothing if a limit ended it. The ways within a strongly connected component are gone one by one.
    [[nodiscard]] std::optional<std::uint64_t> count(WorkMonitor& monitor) const {
        const auto components = find_components(monitor);
        if (!components) {
            return std::nullopt;
        }
        const Nodes& component_of = components->of;
        auto is_on_way = make<std::uint8_t>(nodes_.size());
        auto counts = make<std::uint64_t>(nodes_.size()); // of the ways from each vertex to an end
        for (const std::uint32_t vertex : components->order) {
            if (is_end(vertex)) {
                counts[vertex] = 1;
            } else {
                std::uint64_t sum = 0;
                const bool is_done = walk(vertex, is_on_way, monitor, [&](const Way& way) {
                    const std::uint32_t last = way.back().vertex;
                    const bool is_within = component_of[last] == component_of[vertex];
                    sum = is_within ? sum : saturating_add(sum, counts[last]);
                    return is_within ? Next::on : Next::back;
                });
                if (!is_done) {
                    return std::nullopt;
                }
                counts[vertex] = sum;
            }
        }
        std::uint64_t all = 0;
        for (const std::uint32_t start : starts_) {
            all = saturating_add(all, counts[start]);
        }
        return all;
    }

private:
    static constexpr std::uint32_t none = (std::numeric_limits<std::uint32_t>::max)();

    template <class T>
    [[nodiscard]] Vector<T> make(std::size_t size = 0, T value = {}) const {
        return Vector<T>(size, value, BudgetAllocator<T>(*budget_));
    }

    [[nodiscard]] bool is_end(std::uint32_t vertex) const {
        return first_edge_[vertex] == first_edge_[vertex + 1];
    }

    /// How a walk goes on from a vertex.
    enum class Next : std::uint8_t { on, back, stop };

    /// Goes all ways from a vertex, depth first, on which no vertex comes twice. `choose(way)` says how they
    /// go on from their last vertex. False if a limit ended it.
    /// \param is_on_way for each vertex; all false before and after
    template <class F>
    bool walk(std::uint32_t start, Vector<std::uint8_t>& is_on_way, WorkMonitor& monitor, F&& choose) const {
        Way way = make<Place>();
        Next next = Next::on;
        const auto enter = [&](std::uint32_t vertex, std::uint32_t step) {
            way.push_back({vertex, first_edge_[vertex], step});
            is_on_way[vertex] = 1;
            next = choose(std::as_const(way));
            if (next == Next::back) {
                way.back().next_edge = first_edge_[vertex + 1];
            }
        };
        enter(start, none);
        while (!way.empty() && next != Next::stop) {
            if (!monitor.may_work()) {
                return false;
            }
            Place& last = way.back();
            if (last.next_edge == first_edge_[last.vertex + 1]) {
                is_on_way[last.vertex] = 0;
                way.pop_back();
            } else if (const Edge& edge = edges_[last.next_edge++]; is_on_way[edge.to] == 0) {
                enter(edge.to, edge.step);
            }
        }
        return true;
    }

    struct Components {
        Nodes of;    // by vertex
        Nodes order; // vertices, component by component
    };

    /// The strongly connected components, each after all those that can be reached from it (R. Tarjan,
    /// "Depth-first search and linear graph algorithms", 1972). Components of several vertices are circles of
    /// steps that cost nothing.
    [[nodiscard]] std::optional<Components> find_components(WorkMonitor& monitor) const {
        Components result{make(nodes_.size(), none), make<std::uint32_t>()};
        Nodes found = make(nodes_.size(), none);
        Nodes lowest = make(nodes_.size(), none);
        Nodes waiting = make<std::uint32_t>();
        Way way = make<Place>();
        std::uint32_t count = 0;
        std::uint32_t component = 0;
        const auto enter = [&](std::uint32_t vertex) {
            found[vertex] = lowest[vertex] = count++;
            waiting.push_back(vertex);
            way.push_back({vertex, first_edge_[vertex], none});
        };
        for (const std::uint32_t start : starts_) {
            if (found[start] == none) {
                enter(start);
            }
            while (!way.empty()) {
                if (!monitor.may_work()) {
                    return std::nullopt;
                }
                const std::uint32_t vertex = way.back().vertex;
                if (way.back().next_edge < first_edge_[vertex + 1]) {
                    const std::uint32_t to = edges_[way.back().next_edge++].to;
                    if (found[to] == none) {
                        enter(to);
                    } else if (result.of[to] == none) {
                        lowest[vertex] = (std::min)(lowest[vertex], found[to]);
                    }
                    continue;
                }
                way.pop_back();
                if (!way.empty()) {
                    std::uint32_t& above = lowest[way.back().vertex];
                    above = (std::min)(above, lowest[vertex]);
                }
                if (lowest[vertex] == found[vertex]) {
                    for (std::uint32_t last = none; last != vertex;) {
                        last = waiting.back();
                        waiting.pop_back();
                        result.of[last] = component;
                        result.order.push_back(last);
                    }
                    ++component;
                }
            }
        }
        return result;
    }

    MemoryBudget* budget_;
    Nodes last_step_; // by node, the step that was added last
    Vector<Step> steps_;
    Nodes nodes_; // by vertex
    Nodes starts_;
    Nodes first_edge_; // of each vertex, and one more
    Vector<Edge> edges_;
};

} // namespace npuzzle::detail
