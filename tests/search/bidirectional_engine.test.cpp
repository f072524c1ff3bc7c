#include <npuzzle/search/bidirectional.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/two_way_graphs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

using npuzzle::BaeStar;
using npuzzle::bidirectional_astar;
using npuzzle::BidirectionalAStar;
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

/// Throws at one of its calls, if it counts down to 0.
template <class Error>
struct Thrower : npuzzle::SilentObserver {
    int left = 0;
    explicit Thrower(int calls) : left(calls) {}
    void expand(const auto& /*node*/) { count(); }
    void generate(const auto& /*node*/, const auto& /*parent*/) { count(); }
    void count() {
        if (--left == 0) {
            throw Error{};
        }
    }
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

TEST_CASE("observers are told of both sides", "[bidirectional]") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const auto heuristics = test::heuristics_of<int, true>(graph, 0, random);
        check_events<Nbs>(graph, heuristics);
        check_events<BaeStar>(graph, heuristics);
        check_events<MeetInTheMiddle>(graph, test::heuristics_of<int, false>(graph, 0, random));
    }
}

TEST_CASE("observers are told of each start and each goal", "[bidirectional]") {
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

TEST_CASE("NBS expands at most twice as many nodes as it must", "[bidirectional]") {
    // Before a solution of cost C can be proved, of each pair of nodes with max(f(u), f(v), g(u) + g(v) +
    // epsilon) < C one has to be expanded: at least as many as cover all the pairs (Eckerle, Chen,
    // Sturtevant, Zilles, Holte 2017).
    std::uint64_t covers = 0;
    std::uint64_t expansions = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const int start = random.between(0, graph.size() - 1);
        const auto heuristics = test::heuristics_of<int, true>(graph, start, random);
        const auto optimum = oracle::least_cost<int>(graph, start);
        if (!optimum) {
            continue;
        }
        BidirectionalAStar engine(Nbs{}, graph, start, heuristics.forward, heuristics.backward);
        std::uint64_t expanded_below = 0;
        std::uint64_t before = 0;
        int last_bound = 0;
        bool goes_on = true;
        while (goes_on) {
            goes_on = engine.step();
            const auto bound = static_cast<int>(engine.lower_bound());
            CHECK(bound >= last_bound);
            CHECK(bound <= *optimum);
            last_bound = bound;
            const std::uint64_t expanded = engine.statistics().expanded;
            expanded_below += bound < *optimum ? expanded - before : 0;
            before = expanded;
        }
        REQUIRE(engine.status() == Status::solved);
        const std::size_t cover =
            test::least_cover(oracle::costs_from<int>(graph, start),
                              oracle::costs_from<int>(test::Backward{&graph}, graph.goal()),
                              heuristics.forward, heuristics.backward, graph.least_cost(), *optimum);
        INFO("seed " << seed << ", cover " << cover);
        CHECK(expanded_below <= 2 * cover);
        covers += cover;
        expansions += expanded_below;
    }
    CHECK(covers > 500);
    CHECK(expansions > covers / 2);
}

TEST_CASE("a search that ended early proves no bound that is too high", "[bidirectional]") {
    int ended = 0;
    const auto check = [&](auto method, const auto& graph, const auto& heuristics, int optimum) {
        const auto ends = [&](int calls, const npuzzle::BasicLimits<int>& limits, auto observer) {
            BidirectionalAStar engine(method, graph, 0, heuristics.forward, heuristics.backward, limits,
                                      observer);
            try {
                engine.run();
            } catch (int) {
            }
            CHECK(engine.lower_bound() <= optimum);
            ++ended;
            return engine.status() == Status::solved || calls > 100;
        };
        for (int calls = 0; !ends(calls, {.expansions = static_cast<std::uint64_t>(calls)}, Thrower<int>(0));
             ++calls) {
        }
        for (int calls = 1; !ends(calls, {}, Thrower<int>(calls)); ++calls) {
        }
        for (int calls = 1; !ends(calls, {}, Thrower<std::bad_alloc>(calls)); ++calls) {
        }
    };
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const auto heuristics = test::heuristics_of<int, true>(graph, 0, random);
        if (const auto optimum = oracle::least_cost<int>(graph, 0)) {
            check(MeetInTheMiddle{}, graph, heuristics, *optimum);
            check(BaeStar{}, graph, heuristics, *optimum);
            check(Nbs{}, graph, heuristics, *optimum);
        }
    }
    CHECK(ended > 1000);
}
