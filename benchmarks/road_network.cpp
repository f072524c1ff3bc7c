// Queries of one road network: Dijkstra's algorithm and A* against those of Boost.Graph on its CSR graph, and
// A* with landmarks, which Boost.Graph has not. All keep their memory for the next query, and give the path;
// every cost is checked. In each round all contestants answer all queries in turn; times are processor times.
//
//     g++ -std=c++20 -O3 -DNDEBUG -I include -I benchmarks benchmarks/road_network.cpp -o road_network
//     taskset -c 0 ./road_network [CROSSINGS A SIDE] [ROUNDS]

#include <npuzzle/maps/graph.hpp>
#include <npuzzle/maps/landmarks.hpp>
#include <npuzzle/search/path_finder.hpp>
#include <npuzzle/search/shortest_path_tree.hpp>

#include "../examples/road_drawing.hpp"
#include "peers/boost_graph.hpp"
#include "support/answers.hpp"
#include "support/timing.hpp"

#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace {

using Vertex = std::uint32_t;
using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, double,
                                               boost::no_property, Vertex, Vertex>;

Csr csr_of(const npuzzle::UndirectedGraph<double>& roads) {
    std::vector<std::pair<Vertex, Vertex>> ends;
    std::vector<double> lengths;
    for (Vertex from = 0; from < roads.size(); ++from) {
        for (const auto& [to, length] : roads.neighbors(from)) {
            ends.emplace_back(from, to);
            lengths.push_back(length);
        }
    }
    return {boost::edges_are_sorted, ends.begin(), ends.end(), lengths.begin(),
            static_cast<Vertex>(roads.size())};
}

/// The cost of a way by `search(maps)` of Boost.Graph, with vectors that are kept for the next query.
double find(const Csr& graph, peers::VectorMaps<double>& kept, Vertex start, Vertex goal,
            std::uint64_t& expanded, const auto& search) {
    const auto map = [&](auto& values) {
        values.resize(num_vertices(graph));
        return boost::make_iterator_property_map(values.begin(), get(boost::vertex_index, graph));
    };
    try {
        search(boost::weight_map(get(boost::edge_bundle, graph))
                   .distance_map(map(kept.distances))
                   .predecessor_map(map(kept.predecessors))
                   .color_map(map(kept.colors))
                   .rank_map(map(kept.ranks))
                   .visitor(peers::GoalVisitor([=](Vertex vertex) { return vertex == goal; }, expanded)));
    } catch (const peers::GoalReached&) {
        peers::walk_back(kept.predecessors, start, goal);
    }
    return kept.distances[goal];
}

} // namespace

int main(int argc, char** argv) {
    const auto side = static_cast<Vertex>(argc > 1 ? std::max(2, std::atoi(argv[1])) : 707);
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 7;
    constexpr int queries = 20;
    const auto graph = road_drawing::Network(side, side).graph();
    npuzzle::PathFinder dijkstra(graph);
    npuzzle::PathFinder astar(graph, npuzzle::EuclideanDistance{});
    std::mt19937 random(3);
    const auto any = [&] { return static_cast<Vertex>(random() % graph.size()); };
    std::vector<std::pair<Vertex, Vertex>> pairs;
    while (pairs.size() < queries) {
        const Vertex to = any();
        if (const Vertex from = any(); astar.find(from, to)) pairs.emplace_back(from, to);
    }
    const double begin = benchmarks::processor_seconds();
    const npuzzle::Landmarks landmarks(graph);
    const double built = benchmarks::processor_seconds();
    for (const auto& [from, to] : pairs) npuzzle::for_each_reachable(graph, from, [](Vertex, double) {});
    std::printf("%zu crossings; 16 landmarks in %.2f s, Dijkstra's algorithm to all crossings in %.3f s\n",
                graph.size(), built - begin, (benchmarks::processor_seconds() - built) / queries);
    npuzzle::PathFinder guided(graph, landmarks);
    const Csr csr = csr_of(graph);
    peers::VectorMaps<double> kept;
    const auto ours = [](auto& finder) {
        return [&](Vertex a, Vertex b, std::uint64_t& expanded) {
            const auto result = finder.find(a, b);
            expanded += result.statistics.expanded;
            return result.cost;
        };
    };
    struct Contestant {
        const char* name;
        std::function<double(Vertex, Vertex, std::uint64_t&)> find; // the cost, and what it expands
        std::vector<double> times = {};
        std::uint64_t expanded = 0;
    };
    std::vector<Contestant> contestants{
        {"Boost.Graph, A* by the straight line",
         [&](Vertex a, Vertex b, std::uint64_t& expanded) {
             const auto h = npuzzle::EuclideanDistance{}.bind(graph.with_goal(b));
             return find(csr, kept, a, b, expanded, [&](auto&& maps) { astar_search(csr, a, h, maps); });
         }},
        {"Boost.Graph, Dijkstra",
         [&](Vertex a, Vertex b, std::uint64_t& expanded) {
             return find(csr, kept, a, b, expanded,
                         [&](auto&& maps) { dijkstra_shortest_paths(csr, a, maps); });
         }},
        {"npuzzle, Dijkstra", ours(dijkstra)},
        {"npuzzle, A* by the straight line", ours(astar)},
        {"npuzzle, A* by landmarks", ours(guided)}};

    std::vector<double> costs;
    for (int round = 0; round < rounds; ++round) {
        for (Contestant& each : contestants) {
            std::vector<double> found;
            const double before = benchmarks::processor_seconds();
            for (const auto& [from, to] : pairs) found.push_back(each.find(from, to, each.expanded));
            each.times.push_back(1e3 * (benchmarks::processor_seconds() - before) / queries);
            if (costs.empty()) costs = found;
            benchmarks::require(found == costs, each.name);
        }
    }
    std::printf("%-38s%-27s%-28s%s\n", "", "ms a query", "times as fast as the first", "expanded");
    for (const auto& [name, find, times, expanded] : contestants) {
        const auto [least, greatest] = std::minmax_element(times.begin(), times.end());
        const double median = benchmarks::median(times);
        std::printf("%-37s %7.2f [%6.2f, %6.2f] %8.2f %28.0f\n", name, median, *least, *greatest,
                    benchmarks::median(contestants[0].times) / median,
                    static_cast<double>(expanded) / queries / rounds);
    }
}
