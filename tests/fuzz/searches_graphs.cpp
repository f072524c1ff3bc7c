/// @file
/// All searches over a graph with one goal, of which the edges into each vertex are known.
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/replanning.hpp>

#include "searches.hpp"
#include "support/problems.hpp"
#include "support/two_way_graphs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <type_traits>

namespace fuzz {

namespace {

/// How estimates are made of the true costs.
enum class Guess : std::uint8_t { zero, exact, capped, any };

/// Admissible estimates for the vertices, from the true costs to an end.
template <class C>
test::Table<C> estimates_of(const std::map<int, C>& costs, int vertices, Guess guess, bool tells_dead_ends,
                            C unit, Bytes bytes) {
    constexpr C infinite = std::numeric_limits<C>::has_infinity ? std::numeric_limits<C>::infinity()
                                                                : std::numeric_limits<C>::max();
    const C cap = static_cast<C>(bytes.below(64)) * unit;
    test::Table<C> table;
    for (int vertex = 0; vertex < vertices; ++vertex) {
        const int share = bytes.next();
        const auto found = costs.find(vertex);
        if (found == costs.end()) {
            if (tells_dead_ends) table.values[vertex] = infinite;
            continue;
        }
        const C cost = found->second;
        const C some = static_cast<C>(static_cast<int>(cost / unit) * share / 255) * unit;
        table.values[vertex] = guess == Guess::zero     ? C{}
                               : guess == Guess::exact  ? cost
                               : guess == Guess::capped ? std::min(cost, cap)
                                                        : std::min(cost, some);
    }
    return table;
}

/// Bytes: vertices, kind, goal, limits; then twelve shares of the true costs, then two for each edge.
template <class C>
void search_graph(Bytes bytes) {
    constexpr int max_vertices = 12;
    const int vertices = 1 + bytes.below(max_vertices);
    const int kind = bytes.next();
    const bool is_exact = std::is_integral_v<C> || (kind & 1) != 0;
    const C unit = std::is_integral_v<C> ? C{1} : static_cast<C>(is_exact ? 0.25 : 0.1);
    const auto guess = static_cast<Guess>(kind >> 1 & 3);
    const bool tells_dead_ends = (kind & 8) != 0;
    const int free = (kind & 16) != 0 ? 0 : 1;

    test::TwoWayGraph<C, false> graph(vertices, bytes.below(vertices));
    auto limits = limits_of<C>(bytes, unit);
    const Bytes shares = bytes;
    for (int i = 0; i <= max_vertices; ++i) bytes.next();
    while (!bytes.empty()) {
        const int ends = bytes.next();
        graph.connect(ends / 16 % vertices, ends % 16 % vertices,
                      static_cast<C>(bytes.below(24) + free) * unit);
    }

    const test::Backward backward{&graph};
    const auto to_goal = oracle::costs_from<C>(backward, graph.goal());
    const auto from_start = oracle::costs_from<C>(graph, 0);
    const auto forth = estimates_of<C>(to_goal, vertices, guess, tells_dead_ends, unit, shares);
    const auto back = estimates_of<C>(from_start, vertices, guess, tells_dead_ends, unit, shares);
    const bool is_consistent = is_exact && tells_dead_ends && guess != Guess::any;

    npuzzle::SilentObserver silent;
    if (!is_exact) limits.expansions = std::min<std::uint64_t>(limits.expansions, 500);
    const Judge judge(graph, limits, is_exact);
    test::with_each_graph_search(graph, 0, forth, is_consistent, limits, silent, judge);
    test::with_k_shortest_paths(graph, 0, forth, limits, silent, judge);
    const npuzzle::BasicLimits<C> steps{.expansions = limits.expansions};
    test::with_breadth_first(graph, 0, {.expansions = limits.expansions}, silent, Judge(graph, steps));

    using npuzzle::bidirectional_astar;
    using test::Promise::least_cost;
    judge({"MM", least_cost}, bidirectional_astar<npuzzle::MeetInTheMiddle>(graph, 0, forth, back, limits));
    judge({"NBS", least_cost}, bidirectional_astar<npuzzle::Nbs>(graph, 0, forth, back, limits));
    if (is_consistent) {
        const auto as_consistent = [](const test::Table<C>& table) {
            test::Estimates<C, true> estimates;
            for (int vertex = 0; vertex < max_vertices; ++vertex) estimates.values.push_back(table(vertex));
            return estimates;
        };
        judge({"BAE*", least_cost}, bidirectional_astar<npuzzle::BaeStar>(graph, 0, as_consistent(forth),
                                                                          as_consistent(back), limits));
        judge({"LPA*", least_cost},
              test::result_of(npuzzle::LpaStar(graph, 0, as_consistent(forth), limits)));
        judge({"D* Lite", least_cost},
              test::result_of(npuzzle::DStarLite(graph, 0, as_consistent(back), limits)));
    }

    // They may go through a graph once for each path in it.
    limits.expansions = std::min<std::uint64_t>(limits.expansions, 500);
    test::with_each_tree_search(graph, 0, forth, limits, silent, Judge(graph, limits, is_exact));
}

} // namespace

void search_graph_of_integers(Bytes bytes) {
    search_graph<int>(bytes);
}
void search_graph_of_reals(Bytes bytes) {
    search_graph<double>(bytes);
}

} // namespace fuzz
