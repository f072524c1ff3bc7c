#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/maps/distances.hpp"
#include "npuzzle/search/core/problem.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Graphs that are given as a list of arcs, such as road maps.

namespace npuzzle {

/// A step of a graph, from one vertex to another. In an undirected graph it leads both ways.
template <class Cost>
struct Arc {
    std::uint32_t from;
    std::uint32_t to;
    Cost cost;

    friend bool operator==(const Arc&, const Arc&) = default;
};

namespace detail {

/// Edges stored without padding, and read as `Edge`s.
template <class Cost>
struct PackedEdges {
    struct Record {
        std::uint32_t to;
        std::array<unsigned char, sizeof(Cost)> cost;
    };

    struct Iterator {
        using value_type = Edge<std::uint32_t, Cost>;
        using difference_type = std::ptrdiff_t;

        const Record* at;

        value_type operator*() const { return {at->to, std::bit_cast<Cost>(at->cost)}; }
        Iterator& operator++() { return ++at, *this; }
        void operator++(int) { ++at; }
        friend bool operator==(const Iterator&, const Iterator&) = default;
    };

    const Record* first;
    const Record* last;

    [[nodiscard]] Iterator begin() const { return {first}; }
    [[nodiscard]] Iterator end() const { return {last}; }
};

} // namespace detail

/// A graph as a problem: its states are the numbers of its vertices, from 0. Parallel arcs and arcs from a
/// vertex to itself are allowed. An arc of infinite cost is a wall.
///
/// The graph does not change, and copies share it. Build it once, and give it a goal for each search:
/// `astar(graph.with_goal(7), 0, EuclideanDistance{})`. Without a goal it serves `for_each_reachable` and
/// `with_goals`.
///
/// Memory, with costs of 8 bytes: 24 bytes for each arc, and for each vertex 4, or 8 in a directed graph, and
/// 16 for coordinates.
///
/// Optional capabilities: `NumberedProblem`, `BackwardProblem`, `HasLeastCost`; with costs that are numbers
/// and coordinates `PositionedProblem`, for `EuclideanDistance`. `UndirectedProblem` if it is undirected.
/// \tparam Cost a `CostType` that can be copied as bytes
template <CostType Cost = double, bool undirected = false>
    requires std::is_trivially_copyable_v<Cost>
class Graph {
public:
    /// The number of a vertex.
    using State = std::uint32_t;
    /// What `neighbors` yields, by value.
    using Neighbor = Edge<State, Cost>;
    using Neighbors = detail::PackedEdges<Cost>;

    static constexpr bool is_undirected = undirected;

    /// A graph of `vertices` vertices and these arcs. Neighbors have the order of the list. Linear.
    /// \throws std::invalid_argument if an arc begins or ends at no vertex, or its cost is negative or not a
    ///         number; the message says which; or if there are 2^32 - 1 vertices or 2^31 arcs, or more
    Graph(std::size_t vertices, const std::vector<Arc<Cost>>& arcs)
        : Graph(vertices, std::vector<Point>{}, arcs) {}

    /// The same with coordinates: a vertex for each point.
    /// \throws std::invalid_argument also if a coordinate is no number from -1e150 to 1e150
    Graph(std::vector<Point> points, const std::vector<Arc<Cost>>& arcs)
        : Graph(points.size(), std::move(points), arcs) {}

    /// The same graph with the goal `goal`. O(1).
    /// \throws std::invalid_argument if there is no such vertex
    [[nodiscard]] Graph with_goal(State goal) const {
        if (goal >= size()) {
            throw std::invalid_argument("no goal " + std::to_string(goal) + " in a graph of " +
                                        std::to_string(size()) + " vertices");
        }
        Graph other = *this;
        other.goal_ = goal;
        return other;
    }

    /// The goal.
    /// \throws std::logic_error if the graph was given none
    [[nodiscard]] State goal() const {
        if (goal_ == no_vertex) throw std::logic_error("the graph was given no goal: see with_goal");
        return goal_;
    }
    /// \throws std::logic_error as `goal()`: a search without a goal would find that there is no path
    [[nodiscard]] bool is_goal(State vertex) const { return vertex == goal(); }

    /// The arcs from a vertex, which must be less than `size()`. Valid as long as a copy of the graph is.
    [[nodiscard]] Neighbors neighbors(State vertex) const {
        NPUZZLE_ASSERT(vertex < size());
        return data_->forward[vertex];
    }
    /// The sources of the arcs to a vertex, likewise.
    [[nodiscard]] Neighbors predecessors(State vertex) const {
        NPUZZLE_ASSERT(vertex < size());
        return undirected ? data_->forward[vertex] : data_->backward[vertex];
    }

    /// The number of vertices.
    [[nodiscard]] std::size_t size() const noexcept { return data_->forward.starts.size() - 1; }
    [[nodiscard]] std::size_t index(State vertex) const noexcept { return vertex; }
    [[nodiscard]] State state_at(std::size_t number) const noexcept { return static_cast<State>(number); }

    /// The least cost of an arc; zero if there is none.
    [[nodiscard]] Cost least_cost() const { return data_->least_cost; }

    /// The coordinates of a vertex; the graph must have some.
    [[nodiscard]] const Point& position(State vertex) const { return data_->points[vertex]; }
    /// The least cost of an arc per unit of its length; zero if no arc has a length.
    /// \throws std::logic_error if the graph has no coordinates
    [[nodiscard]] double cost_per_distance() const
        requires std::is_arithmetic_v<Cost>
    {
        if (data_->points.empty()) throw std::logic_error("the graph has no coordinates for a distance");
        return data_->cost_per_distance;
    }

private:
    static constexpr State no_vertex = (std::numeric_limits<State>::max)();

    /// The neighbors of all vertices, and where each vertex's begin.
    struct Rows {
        std::vector<State> starts;
        std::vector<typename Neighbors::Record> neighbors;

        Rows() = default;

        /// \param ahead,back whether to take arcs as they are, and whether reversed
        Rows(std::size_t vertices, const std::vector<Arc<Cost>>& arcs, bool ahead, bool back) {
            const auto for_each = [&](auto visit) {
                for (const Arc<Cost>& arc : arcs) {
                    if (ahead) visit(arc.from, arc.to, arc.cost);
                    if (back && !(ahead && arc.from == arc.to)) visit(arc.to, arc.from, arc.cost);
                }
            };
            starts.resize(vertices + 2);
            for_each([&](State from, State, const Cost&) { ++starts[std::size_t{from} + 2]; });
            std::partial_sum(starts.begin(), starts.end(), starts.begin());
            neighbors.resize(starts.back());
            for_each([&](State from, State to, const Cost& cost) {
                neighbors[starts[std::size_t{from} + 1]++] = {
                    to, std::bit_cast<decltype(Neighbors::Record::cost)>(cost)};
            });
            starts.pop_back();
        }

        Neighbors operator[](State vertex) const {
            const State* const start = starts.data() + vertex;
            const Neighbors row{neighbors.data() + start[0], neighbors.data() + start[1]};
            // In a large graph, reading the row of a vertex is a cache miss. Most neighbors are expanded later.
            for (const auto* arc = row.first; arc != row.last; ++arc) {
                NPUZZLE_PREFETCH(neighbors.data() + starts[arc->to]);
            }
            return row;
        }
    };

    struct Data {
        Rows forward;
        Rows backward;
        std::vector<Point> points;
        Cost least_cost;
        double cost_per_distance;
    };

    Graph(std::size_t vertices, std::vector<Point>&& points, const std::vector<Arc<Cost>>& arcs) {
        if (vertices >= no_vertex) throw std::invalid_argument("a graph of 2^32 - 1 vertices or more");
        if (arcs.size() > no_vertex / 2) throw std::invalid_argument("a graph of 2^31 arcs or more");
        for (std::size_t vertex = 0; vertex < points.size(); ++vertex) {
            if (!(std::abs(points[vertex].x) <= 1e150 && std::abs(points[vertex].y) <= 1e150)) {
                throw std::invalid_argument("vertex " + std::to_string(vertex) +
                                            " has a coordinate that is no number from -1e150 to 1e150");
            }
        }
        Cost least = arcs.empty() ? Cost{} : arcs.front().cost;
        double factor = std::numeric_limits<double>::infinity();
        for (std::size_t number = 0; number < arcs.size(); ++number) {
            const Arc<Cost>& arc = arcs[number];
            check(arc, number, vertices);
            least = arc.cost < least ? arc.cost : least;
            if constexpr (std::is_arithmetic_v<Cost>) {
                const double length = points.empty() ? 0 : detail::distance(points[arc.from], points[arc.to]);
                if (length > 0) factor = (std::min)(factor, static_cast<double>(arc.cost) / length);
            }
        }
        data_ = std::make_shared<const Data>(Data{
            Rows(vertices, arcs, true, undirected), undirected ? Rows{} : Rows(vertices, arcs, false, true),
            std::move(points), least, std::isfinite(factor) ? factor : 0});
    }

    static void check(const Arc<Cost>& arc, std::size_t number, std::size_t vertices) {
        const auto fail = [&](const std::string& message) {
            throw std::invalid_argument("arc " + std::to_string(number) + ", from " +
                                        std::to_string(arc.from) + " to " + std::to_string(arc.to) + ": " +
                                        message);
        };
        if (arc.from >= vertices || arc.to >= vertices) {
            fail("no such vertex in a graph of " + std::to_string(vertices));
        }
        if (!(arc.cost == arc.cost)) fail("its cost is not a number");
        if (detail::is_negative(arc.cost)) fail("its cost is negative");
    }

    std::shared_ptr<const Data> data_;
    State goal_ = no_vertex;
};

/// A graph whose arcs lead both ways at the same cost.
template <CostType Cost = double>
using UndirectedGraph = Graph<Cost, true>;

} // namespace npuzzle
