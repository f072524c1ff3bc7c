#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/kernel/bidirectional_engine.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/two_way_graphs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

using npuzzle::BaeStar;
using npuzzle::bidirectional_astar;
using npuzzle::BidirectionalBreadthFirst;
using npuzzle::Direction;
using npuzzle::MeetInTheMiddle;
using npuzzle::Nbs;
using npuzzle::SilentObserver;
using npuzzle::Status;
using test::Random;
using test::TwoWayGraph;

namespace {

/// Writes down what happens, by side.
struct Log : SilentObserver {
    struct Record {
        int starts = 0;
        int goals = 0;
        std::uint64_t expanded[2] = {0, 0};
        std::uint64_t generated = 0;
        std::uint64_t duplicates = 0;
        std::uint64_t reopened = 0;
        int cost_of_goal = -1;
        int greatest_cost = 0; ///< of what was expanded
        int progress = 0;
    };
    Record* record;

    explicit Log(Record& where) : record(&where) {}
    void start(const auto& node) {
        record->starts += node.cost == 0 && node.direction == Direction(record->starts) ? 1 : 100;
    }
    void expand(const auto& node) {
        ++record->expanded[static_cast<std::size_t>(node.direction)];
        record->greatest_cost = std::max(record->greatest_cost, node.cost);
    }
    void generate(const auto& node, const auto& parent) {
        ++record->generated;
        CHECK(node.direction == parent.direction);
        CHECK(node.cost >= parent.cost);
    }
    void duplicate(const auto&) { ++record->duplicates; }
    void reopen(const auto&) { ++record->reopened; }
    void goal(const auto& node) {
        ++record->goals;
        record->cost_of_goal = node.cost;
    }
    void progress(const npuzzle::Statistics&) { ++record->progress; }
};

/// Writes down where each side begins.
struct Roots : SilentObserver {
    std::vector<std::pair<int, Direction>>* roots;
    explicit Roots(std::vector<std::pair<int, Direction>>& where) : roots(&where) {}
    void start(const auto& node) { roots->emplace_back(node.state, node.direction); }
};

template <class Method, bool is_consistent>
void check_events(const TwoWayGraph<int, false>& graph,
                  const test::Heuristics<int, is_consistent>& heuristics) {
    Log::Record record;
    const auto result =
        bidirectional_astar<Method>(graph, 0, heuristics.forward, heuristics.backward, {}, Log(record));
    CHECK(record.starts == 2);
    CHECK(record.goals == (result ? 1 : 0));
    CHECK(record.cost_of_goal == (result ? result.cost : -1));
    CHECK(record.expanded[0] + record.expanded[1] == result.statistics.expanded);
    CHECK(record.generated == result.statistics.generated);
    CHECK(record.duplicates == result.statistics.duplicates);
    CHECK(record.reopened == result.statistics.reopened);
    CHECK(record.progress >= 1);
    if (result && std::is_same_v<Method, MeetInTheMiddle>) {
        CHECK(2 * record.greatest_cost <= result.cost); // It meets in the middle.
    }
    // Nobody watches, and nothing else happens.
    const auto unwatched = bidirectional_astar<Method>(graph, 0, heuristics.forward, heuristics.backward);
    CHECK(unwatched.path == result.path);
    CHECK(unwatched.statistics.expanded == result.statistics.expanded);
    CHECK(unwatched.statistics.generated == result.statistics.generated);
}

} // namespace

TEST_CASE("observers are told of both sides", "[bidirectional_engine]") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const auto heuristics = test::heuristics_of<int, true>(graph, 0, random);
        check_events<Nbs>(graph, heuristics);
        check_events<BaeStar>(graph, heuristics);
        check_events<MeetInTheMiddle>(graph, test::heuristics_of<int, false>(graph, 0, random));
    }
}

TEST_CASE("breadth-first search from both ends is stepped, an expansion each", "[bidirectional_engine]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const auto depths = oracle::breadth_first(graph, 0);
        BidirectionalBreadthFirst engine(graph, 0);
        std::uint64_t steps = 0;
        while (engine.step()) {
            ++steps;
            CHECK(engine.statistics().expanded == steps);
        }
        const auto depth = depths.find(graph.goal());
        REQUIRE(engine.status() == (depth == depths.end() ? Status::unsolvable : Status::solved));
        if (depth != depths.end()) {
            const auto result = engine.result();
            CHECK(result.path.size() == static_cast<std::size_t>(depth->second) + 1);
            CHECK(result.cost == oracle::path_cost<int>(graph, result.path));
            CHECK(engine.lower_bound() == depth->second);
            ++solved;
        }
    }
    CHECK(solved > 50);
}

TEST_CASE("observers are told of each start and each goal", "[bidirectional_engine]") {
    TwoWayGraph<int, false> graph;
    graph.edges.resize(3);
    graph.edges_back.resize(3);
    graph.goal_vertex = 2;
    std::vector<std::pair<int, Direction>> roots;
    BidirectionalBreadthFirst engine(graph, 0, {}, Roots(roots));
    engine.add_start(1);
    engine.add_start(0);
    engine.add_goal(0);
    CHECK(roots == std::vector<std::pair<int, Direction>>{{0, Direction::forward},
                                                          {2, Direction::backward},
                                                          {1, Direction::forward},
                                                          {0, Direction::backward}});
}

TEST_CASE("the most entries on the open lists are those of both sides at the worst moment",
          "[bidirectional_engine]") {
    // A broom at the start, and a goal that no step leads to.
    TwoWayGraph<int, false> graph;
    graph.edges.resize(7);
    graph.edges_back.resize(7);
    for (int leaf = 1; leaf < 6; ++leaf) {
        graph.connect(0, leaf, 1);
    }
    graph.goal_vertex = 6;
    const test::Estimates<int, true> zero{std::vector<int>(7)};
    const auto result = bidirectional_astar<Nbs>(graph, 0, zero, zero);
    CHECK(result.status == npuzzle::Status::unsolvable);
    CHECK(result.statistics.peak_open >= 5);
    CHECK(result.statistics.peak_open <= 6);
}
