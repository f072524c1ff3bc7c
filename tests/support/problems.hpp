/// @file
/// Problems that several tests use.
#pragma once

#include <npuzzle/search/core/problem.hpp>
#include <npuzzle/search/node_table/packed.hpp>

#include "support/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace test {

/// An explicit directed graph. The goals are a set of vertices.
template <class C>
struct Graph {
    using State = int;
    using Cost = C;
    using Edge = npuzzle::Edge<int, C>;

    std::vector<std::vector<Edge>> edges;
    std::vector<bool> goals;

    explicit Graph(std::size_t size) : edges(size), goals(size, false) {}

    const std::vector<Edge>& neighbors(int vertex) const { return edges[static_cast<std::size_t>(vertex)]; }
    bool is_goal(int vertex) const { return goals[static_cast<std::size_t>(vertex)]; }
    std::uint16_t pack(int vertex) const { return static_cast<std::uint16_t>(vertex); }
    int unpack(std::uint16_t word) const { return word; }

    Graph& connect(int from, int to, C cost) {
        edges[static_cast<std::size_t>(from)].push_back(Edge{to, cost});
        return *this;
    }
    Graph& add_goal(int vertex) {
        goals[static_cast<std::size_t>(vertex)] = true;
        return *this;
    }
    int size() const { return static_cast<int>(edges.size()); }
};

/// From 0 to the goal, 6, by five steps of 1, or at once by one of 9.
inline Graph<int> detour() {
    Graph<int> graph(7);
    graph.connect(0, 6, 9);
    for (const int from : {0, 1, 2, 3}) graph.connect(from, from + 1, 1);
    return graph.connect(4, 6, 1).add_goal(6);
}

/// A random graph, which may have self-loops, parallel edges, dead ends and unreachable vertices. Costs are
/// multiples of `unit` from 0 to `largest` times it, and one more for parallel edges. If `unit` is a power of
/// two, floating-point sums are exact. If no number of goals is given, the last vertex is the goal. It is
/// expensive to reach, so that the search has to visit much else before.
template <class C>
Graph<C> random_graph(std::uint64_t seed, int vertices, int edges, int goals, int largest = 9,
                      double unit = 1) {
    Random random(seed);
    const auto any = [&] { return random.between(0, vertices - 1); };
    const auto cost_of = [&](int units) {
        if constexpr (std::is_arithmetic_v<C>) {
            return static_cast<C>(units * unit);
        } else {
            return C(static_cast<unsigned>(units));
        }
    };
    Graph<C> graph(static_cast<std::size_t>(vertices));
    for (int i = 0; i < edges; ++i) {
        const int from = any();
        const int to = random.one_in(20) ? from : any();
        const int units = random.one_in(5) ? 0 : random.between(0, largest);
        const int copies = random.one_in(10) ? 2 : 1;
        for (int copy = 0; copy < copies; ++copy) {
            graph.connect(from, to, cost_of(units + copy));
        }
    }
    for (int i = 0; i < goals; ++i) {
        graph.add_goal(any());
    }
    if (goals == 0) {
        graph.add_goal(vertices - 1);
        for (auto& edges_of_vertex : graph.edges) {
            for (auto& edge : edges_of_vertex) {
                if (edge.to == vertices - 1) {
                    edge.cost = static_cast<C>(edge.cost + cost_of(4 * largest));
                }
            }
        }
    }
    return graph;
}

/// A heuristic from a table with one estimate for each vertex; 0 for vertices that are not in it.
template <class C>
struct Table {
    static constexpr bool marks_dead_ends = true;

    std::map<int, C> values;

    C operator()(int vertex) const {
        const auto found = values.find(vertex);
        return found == values.end() ? C{} : found->second;
    }
};

/// Says that so many vertices side by side belong together.
template <class P>
struct WithDistricts : P {
    int district;
    WithDistricts(P problem, int size) : P(std::move(problem)), district(size) {}
    [[nodiscard]] int owner_hash(int vertex) const { return vertex / district; }
};

/// A ring of vertices with chords: from each vertex some of six fixed offsets lead to other vertices, each at
/// its own cost. A ring can have every optional capability of a problem. `Ring` has none of them; the structs
/// below add them.
struct Ring {
    using State = int;
    static constexpr std::array<int, 6> offsets = {1, -1, 7, -7, 30, -30};

    int size_of_ring;
    int goal_vertex;
    std::vector<std::array<int, 6>> costs; // -1: no such step

    Ring(std::uint64_t seed, int size, int goal) : size_of_ring(size), goal_vertex(goal) {
        Random random(seed);
        for (int vertex = 0; vertex < size; ++vertex) {
            std::array<int, 6> row{};
            for (int& cost : row) {
                cost = random.one_in(4) ? -1 : random.between(0, 12);
            }
            costs.push_back(row);
        }
    }

    int after(int vertex, std::size_t i) const { return (vertex + offsets[i] + size_of_ring) % size_of_ring; }
    int cost(int vertex, std::size_t i) const { return costs[static_cast<std::size_t>(vertex)][i]; }

    std::vector<npuzzle::Edge<int, int>> neighbors(int vertex) const {
        std::vector<npuzzle::Edge<int, int>> result;
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            if (cost(vertex, i) >= 0) {
                result.push_back({after(vertex, i), cost(vertex, i)});
            }
        }
        return result;
    }
    bool is_goal(int vertex) const { return vertex == goal_vertex; }
};

/// Adds moves to a problem derived from `Ring`.
template <class Base>
struct WithMoves : Base {
    using Base::Base;
    using Move = std::uint8_t;
    static constexpr unsigned move_count = Base::offsets.size();
    static constexpr Move no_move = move_count;

    template <class F>
    void for_each_move(int vertex, Move last, F f) const {
        for (std::size_t i = 0; i < Base::offsets.size(); ++i) {
            const auto move = static_cast<Move>(i);
            if (Base::cost(vertex, i) >= 0 && (last == no_move || move != inverse(last))) {
                f(move);
            }
        }
    }
    void apply(int& vertex, Move move) const { vertex = Base::after(vertex, static_cast<std::size_t>(move)); }
    Move inverse(Move move) const { return static_cast<Move>(move ^ 1); }
    int move_cost(int vertex, Move move) const { return Base::cost(vertex, static_cast<std::size_t>(move)); }
};

/// Adds packed states.
template <class Base>
struct WithWords : Base {
    using Base::Base;
    std::uint32_t pack(int vertex) const { return static_cast<std::uint32_t>(vertex); }
    int unpack(std::uint32_t word) const { return static_cast<int>(word); }
};

/// Adds compact nodes to a problem with moves and packed states.
template <class Base>
struct Compact : Base {
    using Base::Base;
    static constexpr unsigned word_bits = 32;
    static constexpr int longest_path = 1000;
};

/// The same with words of 60 bits, chosen so that groups of eight states have the same key in the open list.
template <class Base>
struct CompactWithEqualKeys : Base {
    using Base::Base;
    using Mixer = npuzzle::detail::Mixer<60>;
    static constexpr unsigned word_bits = 60;
    static constexpr int longest_path = 1000;

    std::uint64_t pack(int vertex) const {
        const auto number = static_cast<std::uint64_t>(vertex);
        return Mixer::unmix((number / 8 * 2654435761U & 0xffffffff) << 28 | number << 5);
    }
    int unpack(std::uint64_t word) const { return static_cast<int>((Mixer::mix(word) & 0xfffffff) >> 5); }
};

/// Adds numbered states.
template <class Base>
struct WithIndex : Base {
    using Base::Base;
    std::size_t index(int vertex) const { return static_cast<std::size_t>(vertex); }
    std::size_t size() const { return static_cast<std::size_t>(Base::size_of_ring); }
    int state_at(std::size_t number) const { return static_cast<int>(number); }
};

/// A stack of pancakes, 1 the smallest, which is sorted by reversing the topmost 2, 3, ...
struct Pancakes {
    using State = std::vector<std::int8_t>;

    std::vector<State> neighbors(const State& stack) const {
        std::vector<State> result;
        for (std::size_t count = 2; count <= stack.size(); ++count) {
            result.push_back(stack);
            std::reverse(result.back().begin(), result.back().begin() + static_cast<std::ptrdiff_t>(count));
        }
        return result;
    }
    bool is_goal(const State& stack) const { return std::is_sorted(stack.begin(), stack.end()); }

    static State sorted(int count) {
        State stack;
        for (int size = 1; size <= count; ++size) {
            stack.push_back(static_cast<std::int8_t>(size));
        }
        return stack;
    }
};

/// The number of pancakes that lie on one that is not adjacent in size; the plate counts as one larger than
/// the largest. Each flip changes only one such place (M. Helmert 2010).
struct PancakeGaps {
    static constexpr bool is_consistent = true;

    int operator()(const Pancakes::State& stack) const {
        int gaps = 0;
        for (std::size_t i = 0; i < stack.size(); ++i) {
            const int below = i + 1 < stack.size() ? stack[i + 1] : static_cast<int>(stack.size()) + 1;
            gaps += std::abs(below - stack[i]) != 1 ? 1 : 0;
        }
        return gaps;
    }
};

/// The towers of Hanoi with four pegs. Character i is the peg of disc i, the smallest disc first. All discs
/// go from peg a to peg d.
struct FourPegHanoi {
    using State = std::string;

    std::vector<State> neighbors(const State& pegs) const {
        std::vector<State> result;
        for (std::size_t disc = 0; disc < pegs.size(); ++disc) {
            for (char peg = 'a'; peg <= 'd'; ++peg) {
                const auto smaller = pegs.begin() + static_cast<std::ptrdiff_t>(disc);
                const bool is_free = std::find(pegs.begin(), smaller, pegs[disc]) == smaller &&
                                     std::find(pegs.begin(), smaller, peg) == smaller;
                if (is_free && peg != pegs[disc]) {
                    result.push_back(pegs);
                    result.back()[disc] = peg;
                }
            }
        }
        return result;
    }
    bool is_goal(const State& pegs) const { return pegs.find_first_not_of('d') == std::string::npos; }

    static State start(std::size_t discs) { return State(discs, 'a'); }
};

/// A map with walls. A straight step costs 1, a diagonal step the square root of 2.
struct OctileGrid {
    using State = std::array<int, 2>;
    using Edge = npuzzle::Edge<State, double>;

    int width;
    int height;
    std::vector<bool> walls;
    State goal_cell;

    OctileGrid(std::uint64_t seed, int columns, int rows)
        : width(columns), height(rows), goal_cell{columns - 1, rows - 1} {
        Random random(seed);
        for (int i = 0; i < width * height; ++i) {
            walls.push_back(random.one_in(3));
        }
        walls.front() = walls.back() = false;
    }

    bool is_free(const State& cell) const {
        return 0 <= cell[0] && cell[0] < width && 0 <= cell[1] && cell[1] < height &&
               !walls[static_cast<std::size_t>(cell[1] * width + cell[0])];
    }
    std::vector<Edge> neighbors(const State& cell) const {
        std::vector<Edge> result;
        for (int dx = -1; dx <= 1; ++dx) {
            for (int dy = -1; dy <= 1; ++dy) {
                const State to = {cell[0] + dx, cell[1] + dy};
                if (to != cell && is_free(to)) {
                    result.push_back({to, dx != 0 && dy != 0 ? std::sqrt(2.0) : 1.0});
                }
            }
        }
        return result;
    }
    bool is_goal(const State& cell) const { return cell == goal_cell; }

    /// The cost of a path on a map without walls.
    double octile_distance(const State& cell) const {
        const int dx = std::abs(goal_cell[0] - cell[0]);
        const int dy = std::abs(goal_cell[1] - cell[1]);
        return std::abs(dx - dy) + std::sqrt(2.0) * std::min(dx, dy);
    }
};

} // namespace test
