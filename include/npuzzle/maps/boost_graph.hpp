#pragma once

#include "npuzzle/search/core/problem.hpp"

#if !__has_include(<boost/graph/graph_traits.hpp>)
#error "BoostGraph needs the headers of Boost 1.74 or newer: libboost-dev"
#endif
#include <boost/container/small_vector.hpp>
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/property_map/property_map.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

/// \file
/// Graphs of Boost.Graph. No other header includes this one, so only who uses it needs Boost.Graph.

namespace npuzzle {

/// A graph of Boost.Graph as a problem, without a copy: its states are the vertices, its costs the weights of
/// edges. An infinite weight is a wall. The graph must outlive this, and must not change during a search.
///
///     const BoostGraph roads(graph);                                // weights: boost::edge_weight
///     const BoostGraph timed(graph, boost::get(&Road::time, graph)); // a bundled property
///     astar(roads.with_goal(7), 0, heuristic);
///
/// Listing up to 8 neighbors allocates nothing.
///
/// Optional capabilities: `UndirectedProblem` of an undirected graph, `BackwardProblem` of a bidirectional
/// one too; `IndexedProblem` if vertices are numbers without gaps, as with `vecS`. Else the vertices need a
/// hash.
/// \tparam G a model of Boost.Graph's IncidenceGraph
/// \tparam WeightMap a readable property map of its edges, whose values are a `CostType`
template <class G, class WeightMap = typename boost::property_map<G, boost::edge_weight_t>::const_type>
    requires CostType<typename boost::property_traits<WeightMap>::value_type>
class BoostGraph {
    using Traits = boost::graph_traits<G>;

    /// Whether the vertices are numbered from 0 without gaps, unlike those of a filtered graph.
    static constexpr bool is_numbered = std::integral<typename Traits::vertex_descriptor> &&
                                        requires(const G& graph, typename Traits::vertex_iterator vertex) {
                                            num_vertices(graph);
                                            vertex - vertex;
                                        };

public:
    using State = typename Traits::vertex_descriptor;
    using Cost = typename boost::property_traits<WeightMap>::value_type;
    using Neighbor = Edge<State, Cost>;
    using Neighbors = boost::container::small_vector<Neighbor, 8>;

    static constexpr bool is_undirected =
        std::is_convertible_v<typename Traits::directed_category, boost::undirected_tag>;

    explicit BoostGraph(const G& graph) : BoostGraph(graph, get(boost::edge_weight, graph)) {}
    BoostGraph(const G& graph, WeightMap weights) : graph_(&graph), weights_(std::move(weights)) {}
    explicit BoostGraph(const G&& graph) = delete; // it would refer to a destroyed graph
    BoostGraph(const G&& graph, WeightMap weights) = delete;

    /// The same graph with the goal `goal`. O(1).
    /// \throws std::invalid_argument if vertices are numbers and there is no such vertex
    [[nodiscard]] BoostGraph with_goal(const State& goal) const {
        if constexpr (is_numbered) {
            if (index(goal) >= size()) {
                throw std::invalid_argument("no goal " + std::to_string(goal) + " in a graph of " +
                                            std::to_string(size()) + " vertices");
            }
        }
        BoostGraph other = *this;
        other.goal_ = goal;
        return other;
    }

    /// The goal.
    /// \throws std::logic_error if the graph was given none
    [[nodiscard]] State goal() const {
        if (!goal_) throw std::logic_error("the graph was given no goal: see with_goal");
        return *goal_;
    }
    /// \throws std::logic_error as `goal()`: a search without a goal would find that there is no path
    [[nodiscard]] bool is_goal(const State& vertex) const { return vertex == goal(); }

    [[nodiscard]] Neighbors neighbors(const State& vertex) const {
        Neighbors result;
        for (auto [edge, end] = out_edges(vertex, *graph_); edge != end; ++edge) {
            result.push_back({target(*edge, *graph_), get(weights_, *edge)});
        }
        return result;
    }
    /// The sources of the edges to a vertex.
    [[nodiscard]] Neighbors predecessors(const State& vertex) const
        requires std::is_convertible_v<typename Traits::traversal_category, boost::bidirectional_graph_tag>
    {
        Neighbors result;
        for (auto [edge, end] = in_edges(vertex, *graph_); edge != end; ++edge) {
            result.push_back({source(*edge, *graph_), get(weights_, *edge)});
        }
        return result;
    }

    [[nodiscard]] std::size_t size() const
        requires is_numbered
    {
        return num_vertices(*graph_);
    }
    [[nodiscard]] std::size_t index(const State& vertex) const
        requires is_numbered
    {
        return static_cast<std::size_t>(vertex);
    }

private:
    const G* graph_;
    WeightMap weights_;
    std::optional<State> goal_;
};

} // namespace npuzzle
