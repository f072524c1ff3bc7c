// Queries of one road network: Dijkstra's algorithm and A* against those of Boost.Graph on its CSR graph, and
// A* with landmarks, which Boost.Graph has not. All keep their memory for the next query, and give the path;
// every cost is checked. In each round all contestants answer all queries in turn; times are processor times.
//
//     g++ -std=c++20 -O3 -DNDEBUG -I include -I benchmarks benchmarks/road_network.cpp -o road_network
//     taskset -c 0 ./road_network [VERTICES] [ROUNDS]

#include <npuzzle/maps/graph.hpp>
#include <npuzzle/maps/landmarks.hpp>
#include <npuzzle/search/path_finder.hpp>

#include "support/answers.hpp"
#include "support/timing.hpp"

#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace {

using Vertex = std::uint32_t;
using Graph = npuzzle::UndirectedGraph<double>;

/// Crossings in rows and columns, displaced, and roads between most neighbors: up to half as long again as the
/// straight line.
Graph network(Vertex size) {
    std::mt19937 random(2);
    const auto share = [&] { return static_cast<double>(random() % 1024) / 1024; };
    const auto columns = static_cast<Vertex>(std::sqrt(size));
    std::vector<npuzzle::Point> crossings(size);
    for (Vertex i = 0; i < size; ++i) crossings[i] = {i % columns + share() / 2, i / columns + share() / 2};
    std::vector<npuzzle::Arc<double>> roads;
    const auto build = [&](Vertex a, Vertex b) {
        if (random() % 7 == 0) return;
        const double length = std::hypot(crossings[a].x - crossings[b].x, crossings[a].y - crossings[b].y);
        roads.push_back({a, b, length * (1 + share() / 2)});
    };
    for (Vertex i = 0; i + columns < size; ++i) {
        if ((i + 1) % columns != 0) build(i, i + 1);
        build(i, i + columns);
    }
    return {std::move(crossings), roads};
}

/// Boost.Graph, with vectors as property maps.
struct Boost {
    using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, double,
                                                   boost::no_property, Vertex, Vertex>;

    /// Ends a search at the goal by an exception, as the manual recommends.
    struct Visitor : boost::default_astar_visitor {
        Vertex goal;
        void examine_vertex(Vertex vertex, const Csr&) const {
            if (vertex == goal) throw *this;
        }
    };

    explicit Boost(const Graph& roads)
        : predecessors(roads.size()), colors(roads.size()), distances(roads.size()), ranks(roads.size()) {
        std::vector<std::pair<Vertex, Vertex>> ends;
        std::vector<double> lengths;
        for (Vertex from = 0; from < roads.size(); ++from) {
            for (const auto& [to, length] : roads.neighbors(from)) {
                ends.emplace_back(from, to);
                lengths.push_back(length);
            }
        }
        graph = Csr(boost::edges_are_sorted, ends.begin(), ends.end(), lengths.begin(),
                    static_cast<Vertex>(roads.size()));
    }

    /// The cost of a path, by `search(graph, maps)`.
    template <class F>
    double find(Vertex start, Vertex goal, F&& search) {
        const auto map = [&](auto& values) {
            return boost::make_iterator_property_map(values.begin(), get(boost::vertex_index, graph));
        };
        try {
            search(graph, boost::weight_map(get(boost::edge_bundle, graph))
                              .distance_map(map(distances))
                              .predecessor_map(map(predecessors))
                              .color_map(map(colors))
                              .rank_map(map(ranks))
                              .visitor(Visitor{{}, goal}));
        } catch (const Visitor&) {
            std::vector<Vertex> path{goal};
            while (path.back() != start) path.push_back(predecessors[path.back()]);
            std::reverse(path.begin(), path.end());
        }
        return distances[goal];
    }

    Csr graph;
    std::vector<Vertex> predecessors;
    std::vector<boost::default_color_type> colors;
    std::vector<double> distances;
    std::vector<double> ranks;
};

} // namespace

int main(int argc, char** argv) {
    const auto size = static_cast<Vertex>(argc > 1 ? std::max(4, std::atoi(argv[1])) : 500'000);
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 7;
    constexpr std::size_t queries = 20;
    const Graph graph = network(size);
    const double begin = benchmarks::processor_seconds();
    const npuzzle::Landmarks landmarks(graph);
    std::printf("%u vertices; 16 landmarks in %.2f s\n", size, benchmarks::processor_seconds() - begin);
    Boost boost(graph);
    npuzzle::PathFinder dijkstra(graph);
    npuzzle::PathFinder astar(graph, npuzzle::EuclideanDistance{});
    npuzzle::PathFinder guided(graph, landmarks);
    const auto boost_astar = [&](Vertex a, Vertex b) {
        const auto bound = npuzzle::EuclideanDistance{}.bind(graph.with_goal(b));
        const auto h = [&](Vertex vertex) { return bound(vertex); };
        return boost.find(a, b, [&](auto& g, auto&& maps) { boost::astar_search(g, a, h, maps); });
    };
    const auto boost_dijkstra = [&](Vertex a, Vertex b) {
        return boost.find(a, b, [&](auto& g, auto&& maps) { boost::dijkstra_shortest_paths(g, a, maps); });
    };
    struct Contestant {
        const char* name;
        std::function<double(Vertex, Vertex)> cost;
        std::vector<double> times = {};
    };
    std::vector<Contestant> contestants{
        {"Boost.Graph, A* by the straight line", boost_astar},
        {"Boost.Graph, Dijkstra", boost_dijkstra},
        {"npuzzle, Dijkstra", [&](Vertex a, Vertex b) { return dijkstra.find(a, b).cost; }},
        {"npuzzle, A* by the straight line", [&](Vertex a, Vertex b) { return astar.find(a, b).cost; }},
        {"npuzzle, A* by landmarks", [&](Vertex a, Vertex b) { return guided.find(a, b).cost; }}};

    std::mt19937 random(3);
    std::vector<std::pair<Vertex, Vertex>> pairs;
    while (pairs.size() < queries) {
        const std::pair pair(static_cast<Vertex>(random() % size), static_cast<Vertex>(random() % size));
        if (astar.find(pair.first, pair.second)) pairs.push_back(pair);
    }
    std::vector<double> costs;
    for (int round = 0; round < rounds; ++round) {
        for (Contestant& each : contestants) {
            std::vector<double> found;
            const double before = benchmarks::processor_seconds();
            for (const auto& [from, to] : pairs) found.push_back(each.cost(from, to));
            const double seconds = benchmarks::processor_seconds() - before;
            each.times.push_back(1e3 * seconds / static_cast<double>(queries));
            if (costs.empty()) costs = found;
            benchmarks::require(found == costs, each.name);
        }
    }
    std::printf("%-38s%-27s%s\n", "", "ms a query", "times as fast as the first");
    for (const auto& [name, cost, times] : contestants) {
        const auto [least, greatest] = std::minmax_element(times.begin(), times.end());
        const double median = benchmarks::median(times);
        std::printf("%-37s %7.2f [%6.2f, %6.2f] %8.2f\n", name, median, *least, *greatest,
                    benchmarks::median(contestants[0].times) / median);
    }
}
