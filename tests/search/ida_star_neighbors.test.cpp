#include <npuzzle/search/ida_star.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace {

/// The vertices of a graph as words, which are not trivially copyable: IDA* makes its moves in place.
struct InWords {
    using State = std::string;
    test::Graph<int> graph;

    static int vertex(const State& word) { return static_cast<int>(word.size()); }
    std::vector<npuzzle::Edge<State, int>> neighbors(const State& word) const {
        std::vector<npuzzle::Edge<State, int>> result;
        for (const auto& edge : graph.neighbors(vertex(word))) {
            result.push_back({State(static_cast<std::size_t>(edge.to), 'x'), edge.cost});
        }
        return result;
    }
    bool is_goal(const State& word) const { return graph.is_goal(vertex(word)); }
};

/// Gives the neighbors of all vertices in the same memory.
struct InOneBuffer {
    using State = int;
    const test::Graph<int>* graph;
    std::vector<npuzzle::Edge<int, int>>* buffer;

    std::span<const npuzzle::Edge<int, int>> neighbors(int vertex) const {
        const auto& edges = graph->neighbors(vertex);
        std::fill(buffer->begin(), buffer->end(), npuzzle::Edge<int, int>{vertex, 0});
        std::copy(edges.begin(), edges.end(), buffer->begin());
        return std::span(*buffer).first(edges.size());
    }
    bool is_goal(int vertex) const { return graph->is_goal(vertex); }
};

} // namespace

TEST_CASE("IDA* finds a cheapest path where there are no moves", "[ida_star]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        INFO("seed " << seed);
        const InWords words{test::random_graph<int>(seed, 8, 16, 1)};
        const auto least = oracle::least_cost<int>(words.graph, 0);
        if (!least) {
            continue; // It would not end.
        }
        ++solved;
        const auto exact = oracle::costs_to_goal<int>(words.graph, 0);
        const auto half = [&](int vertex) {
            const auto found = exact.find(vertex);
            return found == exact.end() ? 0 : found->second / 2;
        };
        const auto of_word = [&](const std::string& word) { return half(InWords::vertex(word)); };

        const auto result = npuzzle::ida_star(words.graph, 0, half);
        CHECK(result.cost == *least);
        const auto in_place = npuzzle::ida_star(words, "", of_word);
        CHECK(in_place.cost == *least);
        CHECK(oracle::path_cost<int>(words.graph, result.path) == *least);
        CHECK(std::set(result.path.begin(), result.path.end()).size() == result.path.size());
        CHECK(in_place.path.size() == result.path.size());
        CHECK(in_place.statistics.expanded == result.statistics.expanded);

        const auto called = npuzzle::ida_star(
            std::string(), [&](const std::string& word) { return words.neighbors(word); }, of_word,
            [&](const std::string& word) { return words.is_goal(word); },
            npuzzle::IdaStarOptions{.growth = 2});
        CHECK(called.cost == *least);
        CHECK(std::set(called.path.begin(), called.path.end()).size() == called.path.size());
        CHECK(words.is_goal(called.path.back()));
    }
    CHECK(solved > 50);
}

TEST_CASE("IDA* goes back to no state that it comes from", "[ida_star]") {
    const auto neighbors = [](int x) { return std::vector{x - 1, x + 1}; };
    const auto is_goal = [](int x) { return x == 12; };
    const auto result = npuzzle::ida_star(0, neighbors, is_goal);
    CHECK(result.cost == 12);
    CHECK(result.path.size() == 13);
    // Under the bound b, 2 b + 1 states on both sides; under the last one it stops at the goal.
    CHECK(result.statistics.expanded <= 13 * 13);
    CHECK(npuzzle::ida_star(0, neighbors, npuzzle::Zero{}, is_goal, {.expansions = 5}).status ==
          npuzzle::Status::expansion_limit);
}

TEST_CASE("neighbors need last only until the next call of neighbors", "[ida_star]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        INFO("seed " << seed);
        const auto graph = test::random_graph<int>(seed, 8, 16, 1);
        std::vector<npuzzle::Edge<int, int>> buffer(64);
        const InOneBuffer lending{&graph, &buffer};
        if (const auto least = oracle::least_cost<int>(graph, 0)) {
            ++solved;
            const auto result = npuzzle::ida_star(lending, 0, npuzzle::Zero{});
            CHECK(result.cost == *least);
            CHECK(oracle::path_cost<int>(graph, result.path) == *least);
        }
    }
    CHECK(solved > 10);
}

TEST_CASE("a circle of steps that cost nothing ends without a goal", "[ida_star]") {
    test::Graph<int> graph(3);
    graph.connect(0, 1, 0).connect(1, 2, 0).connect(2, 0, 0).connect(2, 2, 0);
    CHECK(npuzzle::ida_star(graph, 0, npuzzle::Zero{}).status == npuzzle::Status::unsolvable);
    test::Graph<double> absorbed(3); // steps too short to change the cost
    absorbed.connect(0, 1, 1e17).connect(1, 2, 1).connect(2, 1, 2);
    CHECK(npuzzle::ida_star(absorbed, 0, npuzzle::Zero{}).status == npuzzle::Status::unsolvable);
}
