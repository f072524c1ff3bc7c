// The counterpart of npuzzle.cpp, which does the same with npuzzle: steps of 1 and 2 along a line, as an
// implicit graph. An explicit graph, as in boost_adjacency_list.cpp, is shorter to write and takes longer to
// compile.

#include <boost/graph/astar_search.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

struct Line {
    using vertex_descriptor = int;
    using edge_descriptor = std::pair<int, int>;
    using directed_category = boost::directed_tag;
    using edge_parallel_category = boost::disallow_parallel_edge_tag;
    using traversal_category = boost::incidence_graph_tag;
    using out_edge_iterator = const edge_descriptor*;
    using degree_size_type = std::size_t;

    mutable std::array<edge_descriptor, 2> steps;
};

std::pair<Line::out_edge_iterator, Line::out_edge_iterator> out_edges(int place, const Line& line) {
    line.steps = {{{place, place + 1}, {place, place + 2}}};
    return {line.steps.data(), line.steps.data() + 2};
}
std::size_t out_degree(int, const Line&) {
    return 2;
}
int source(const Line::edge_descriptor& step, const Line&) {
    return step.first;
}
int target(const Line::edge_descriptor& step, const Line&) {
    return step.second;
}

struct GoalReached {};

struct GoalVisitor : boost::default_astar_visitor {
    void examine_vertex(int place, const Line&) const {
        if (place == 100) throw GoalReached{};
    }
};

int main() {
    constexpr std::size_t places = 103;
    constexpr int infinity = std::numeric_limits<int>::max();
    std::vector<int> predecessors(places), ranks(places, infinity), distances(places, infinity);
    std::vector<boost::default_color_type> colors(places);
    const auto heuristic = [](int place) { return (100 - place) / 2; };
    distances[0] = 0;
    ranks[0] = heuristic(0);
    try {
        boost::astar_search_no_init(Line{}, 0, heuristic, GoalVisitor{}, predecessors.data(), ranks.data(),
                                    distances.data(), boost::static_property_map<int>(1), colors.data(),
                                    boost::identity_property_map{}, std::less<int>{}, std::plus<int>{},
                                    infinity, 0);
    } catch (const GoalReached&) {
        return distances[100] == 50 ? 0 : 1;
    }
    return 1;
}
