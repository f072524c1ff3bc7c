/// @file
/// A directed graph whose arcs come, go and change their costs, for searches that replan.
#pragma once

#include <npuzzle/search/core/cost.hpp>
#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/core/observer.hpp>
#include <npuzzle/search/core/problem.hpp>

#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/two_way_graphs.hpp"

#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace test {

template <class C>
C infinite_cost() {
    return std::numeric_limits<C>::has_infinity ? std::numeric_limits<C>::infinity()
                                                : std::numeric_limits<C>::max();
}

template <class C>
struct ChangingGraph {
    using State = int;
    using Edge = npuzzle::Edge<int, C>;
    struct Arc {
        int from;
        int to;
        C least; ///< what it costs never less than
        C cost;
        bool is_there;
    };

    int vertices;
    int goal_vertex;
    std::vector<Arc> arcs;

    /// Without steps between most of the vertices; perhaps with self-loops, parallel arcs, and circles of
    /// arcs that cost nothing. Costs are multiples of `unit`, times a power of `spread` each.
    ChangingGraph(Random& random, C unit, C spread)
        : vertices(random.between(2, 24)), goal_vertex(random.between(0, vertices - 1)) {
        for (int i = random.between(vertices, 4 * vertices); i > 0; --i) {
            C least = static_cast<C>(random.between(0, 6)) * unit;
            for (int power = random.between(0, 2); power > 0; --power) {
                least = least * spread;
            }
            arcs.push_back({random.between(0, vertices - 1), random.between(0, vertices - 1), least, least,
                            !random.one_in(4)});
        }
    }

    std::vector<Edge> neighbors(int vertex) const {
        std::vector<Edge> result;
        for (const Arc& arc : arcs) {
            if (arc.is_there && arc.from == vertex) {
                result.push_back({arc.to, arc.cost});
            }
        }
        return result;
    }
    std::vector<Edge> predecessors(int vertex) const {
        std::vector<Edge> result;
        for (const Arc& arc : arcs) {
            if (arc.is_there && arc.to == vertex) {
                result.push_back({arc.from, arc.cost});
            }
        }
        return result;
    }
    int goal() const { return goal_vertex; }
    bool is_goal(int vertex) const { return vertex == goal_vertex; }

    /// Changes some arcs, and gives their ends.
    std::set<int> change(Random& random) {
        std::set<int> ends;
        for (int i = random.between(1, 4); i > 0; --i) {
            Arc& arc = arcs[random.below(arcs.size())];
            arc.is_there = !random.one_in(3);
            arc.cost = random.one_in(5) ? infinite_cost<C>()
                                        : arc.least + arc.least * static_cast<C>(random.between(0, 3));
            ends.insert({arc.from, arc.to});
        }
        return ends;
    }

    /// With all arcs at their least costs.
    ChangingGraph cheapest() const {
        ChangingGraph result = *this;
        for (Arc& arc : result.arcs) {
            arc.cost = arc.least;
            arc.is_there = true;
        }
        return result;
    }
};

/// What it costs at least from one vertex to another, whatever changes.
template <class C>
class LeastCosts {
public:
    explicit LeastCosts(const ChangingGraph<C>& graph) {
        const auto cheapest = graph.cheapest();
        for (int vertex = 0; vertex < graph.vertices; ++vertex) {
            costs_.push_back(oracle::costs_from<C>(cheapest, vertex));
        }
    }

    C operator()(int from, int to) const {
        const auto& costs = costs_[static_cast<std::size_t>(from)];
        const auto found = costs.find(to);
        return found == costs.end() ? infinite_cost<C>() : found->second;
    }

private:
    std::vector<std::map<int, C>> costs_;
};

/// A heuristic for a search from the start, bound to the goal.
template <class C>
struct ToGoal {
    const LeastCosts<C>* costs;
    auto bind(const auto& problem) const {
        return npuzzle::MarksDeadEnds{
            [this_costs = costs, goal = problem.goal()](int vertex) { return (*this_costs)(vertex, goal); }};
    }
};

/// A heuristic for a search from the goal, bound to the problem seen from there, whose goal is the start.
template <class C>
struct FromStart {
    const LeastCosts<C>* costs;
    auto bind(const auto& reversed) const {
        return npuzzle::MarksDeadEnds{[this_costs = costs, start = reversed.goal()](int vertex) {
            return (*this_costs)(start, vertex);
        }};
    }
};

/// Counts how often a search has begun.
struct Beginnings : npuzzle::SilentObserver {
    int count = 0;
    void start(const auto& /*node*/) { ++count; }
};

} // namespace test
