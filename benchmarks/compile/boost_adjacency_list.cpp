// The counterpart of npuzzle.cpp, which does the same with npuzzle: steps of 1 and 2 along a line, as an
// explicit graph, which is usual with Boost.Graph.

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/astar_search.hpp>

#include <cstddef>
#include <vector>

struct GoalReached {};

struct GoalVisitor : boost::default_astar_visitor {
    template <class Graph>
    void examine_vertex(std::size_t place, const Graph&) {
        if (place == 100) throw GoalReached{};
    }
};

using Line = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                   boost::property<boost::edge_weight_t, int>>;

int main() {
    Line line(103);
    for (std::size_t place = 0; place <= 100; ++place) {
        add_edge(place, place + 1, 1, line);
        add_edge(place, place + 2, 1, line);
    }
    std::vector<int> distances(103);
    const auto heuristic = [](std::size_t place) { return (100 - static_cast<int>(place)) / 2; };
    try {
        boost::astar_search(line, 0, heuristic, boost::visitor(GoalVisitor{}).distance_map(distances.data()));
    } catch (const GoalReached&) {
        return distances[100] == 50 ? 0 : 1;
    }
    return 1;
}
