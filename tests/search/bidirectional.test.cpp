#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"
#include "support/two_way_graphs.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

// Bidirectional searches of random graphs, compared with Dijkstra's algorithm.

namespace {

using npuzzle::BaeStar;
using npuzzle::bidirectional_astar;
using npuzzle::bidirectional_breadth_first;
using npuzzle::Direction;
using npuzzle::MeetInTheMiddle;
using npuzzle::Nbs;
using npuzzle::Status;
using npuzzle::Zero;
using test::Estimates;
using test::Random;
using test::TwoWayGraph;

/// Where a search of a graph begins; the first goal is that of the graph.
struct Ends {
    std::vector<int> starts;
    std::vector<int> goals;

    template <class Graph>
    Ends(const Graph& graph, Random& random) : goals{graph.goal()} {
        const auto any = [&] { return random.between(0, graph.size() - 1); };
        for (int count = random.between(1, 4); count > 0; --count) {
            starts.push_back(any());
        }
        for (int count = random.between(0, 3); count > 0; --count) {
            goals.push_back(any());
        }
    }
};

/// Adds what comes after the first start and the first goal to an engine, by turns.
/// \param steps how many are made before each, at most
/// \return the ends without those that came after the end of the search
template <class Engine>
Ends add_ends(Engine& engine, const Ends& ends, int steps, Random& random) {
    Ends added = ends;
    added.starts.resize(1);
    added.goals.resize(1);
    for (std::size_t i = 1; i < std::max(ends.starts.size(), ends.goals.size()); ++i) {
        for (int count = random.between(0, steps); count > 0; --count) {
            engine.step();
        }
        const bool counts = engine.status() == Status::running;
        if (i < ends.starts.size()) {
            engine.add_start(ends.starts[i]);
            added.starts.insert(added.starts.end(), counts ? 1 : 0, ends.starts[i]);
        }
        if (i < ends.goals.size()) {
            engine.add_goal(ends.goals[i]);
            added.goals.insert(added.goals.end(), counts ? 1 : 0, ends.goals[i]);
        }
    }
    return added;
}

/// The least of the values of some vertices.
template <class Value>
std::optional<Value> least_of(const std::map<int, Value>& values, const std::vector<int>& vertices) {
    std::optional<Value> least;
    for (const int vertex : vertices) {
        const auto found = values.find(vertex);
        if (found != values.end() && (!least || found->second < *least)) {
            least = found->second;
        }
    }
    return least;
}

/// Checks that a path leads from one of the starts to one of the goals.
template <class Graph, class Result>
void check_between(const Graph& graph, const Ends& ends, const Result& result) {
    CHECK(result.path.empty() == (result.status != Status::solved));
    CHECK(result.statistics.contract_violations == 0);
    if (result) {
        CHECK(std::count(ends.starts.begin(), ends.starts.end(), result.path.front()) > 0);
        CHECK(std::count(ends.goals.begin(), ends.goals.end(), result.path.back()) > 0);
        CHECK(oracle::path_cost<typename Graph::Cost>(graph, result.path) == result.cost);
    }
}

template <class Method, class Graph, class H>
void check_ends(const Graph& graph, const Ends& ends, const H& heuristics, std::uint64_t seed) {
    using Cost = typename Graph::Cost;
    INFO("seed " << seed << ", method " << typeid(Method).name());
    for (const int steps : {0, 5}) {
        Random random(seed);
        npuzzle::BidirectionalAStar engine(Method{}, graph, ends.starts.front(), heuristics.forward,
                                           heuristics.backward);
        const Ends added = add_ends(engine, ends, steps, random);
        const auto optimum = least_of(oracle::costs_from_nearest<Cost>(graph, added.starts), added.goals);
        do {
            CHECK((!optimum || !(*optimum < engine.lower_bound())));
        } while (engine.step());
        const auto result = engine.result();
        check_between(graph, added, result);
        CHECK(result.status == (optimum ? Status::solved : Status::unsolvable));
        CHECK(result.cost == optimum.value_or(Cost{}));
        if (steps > 0 || !optimum) {
            continue;
        }
        CHECK(engine.lower_bound() == *optimum);
        CHECK(result.statistics.expanded <= result.statistics.stored + result.statistics.reopened);
        const auto within = [&](const npuzzle::BasicLimits<Cost>& limits) {
            npuzzle::BidirectionalAStar other(Method{}, graph, ends.starts.front(), heuristics.forward,
                                              heuristics.backward, limits);
            add_ends(other, ends, 0, random);
            other.run();
            return other.result();
        };
        CHECK(within({.max_cost = *optimum}).cost == *optimum);
        if (*optimum > Cost{}) {
            CHECK(within({.max_cost = *optimum / 2}).status == Status::cost_limit);
            const auto limited = within({.expansions = result.statistics.expanded - 1});
            CHECK(limited.status == Status::expansion_limit);
            CHECK(limited.path.empty());
        }
    }
}

/// Searches random graphs from several starts to several goals.
template <class C, bool is_undirected, bool is_consistent, class... Methods>
void search_between_several(std::uint64_t seeds, double unit) {
    int several = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Random random(seed);
        const auto graph = test::random_two_way_graph<C, is_undirected>(random, unit);
        const Ends ends(graph, random);
        const auto heuristics = test::heuristics_of<C, is_consistent>(graph, ends.starts, ends.goals, random);
        several += ends.starts.size() > 1 && ends.goals.size() > 1 ? 1 : 0;
        (check_ends<Methods>(graph, ends, heuristics, seed), ...);
    }
    CHECK(several > static_cast<int>(seeds / 3));
}

} // namespace

TEST_CASE("several starts and goals", "[bidirectional][ends]") {
    search_between_several<int, false, true, Nbs, BaeStar>(250, 1);
    search_between_several<double, true, false, MeetInTheMiddle, Nbs>(250, 0.25);
}

TEST_CASE("several starts and goals: the fewest steps", "[bidirectional][ends]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const Ends ends(graph, random);
        npuzzle::BidirectionalBreadthFirst engine(graph, ends.starts.front());
        const Ends added = add_ends(engine, ends, static_cast<int>(seed % 3), random);
        engine.run();
        const auto result = engine.result();
        check_between(graph, added, result);
        std::optional<int> fewest;
        for (const int start : added.starts) {
            const auto steps = least_of(oracle::breadth_first(graph, start), added.goals);
            fewest = steps && (!fewest || *steps < *fewest) ? steps : fewest;
        }
        REQUIRE(result.status == (fewest ? Status::solved : Status::unsolvable));
        if (fewest) {
            CHECK(result.path.size() == static_cast<std::size_t>(*fewest) + 1);
            CHECK(engine.lower_bound() == *fewest);
            ++solved;
        }
    }
    CHECK(solved > 200);
}

namespace {

/// A way of edges, the goal at its end.
TwoWayGraph<int, false> way(const std::vector<int>& costs) {
    TwoWayGraph<int, false> graph;
    graph.edges.resize(costs.size() + 1);
    graph.edges_back.resize(costs.size() + 1);
    graph.goal_vertex = static_cast<int>(costs.size());
    for (int i = 0; i < graph.goal_vertex; ++i) {
        graph.connect(i, i + 1, costs[static_cast<std::size_t>(i)]);
    }
    return graph;
}

Status status_of(const std::vector<int>& costs) {
    const Estimates<int, true> nothing{std::vector<int>(costs.size() + 1, 0)};
    const auto result = bidirectional_astar(way(costs), 0, nothing, nothing);
    CHECK(result.cost == (result ? std::accumulate(costs.begin(), costs.end(), 0) : 0));
    return result.status;
}

/// Estimates of zero, but of one at a vertex.
Estimates<int, true> one_at(std::size_t vertex) {
    Estimates<int, true> estimates{std::vector<int>(5)};
    estimates.values[vertex] = 1;
    return estimates;
}

struct Seconds {
    using State = int;
    using Edge = npuzzle::Edge<int, std::chrono::seconds>;
    std::vector<Edge> neighbors(int x) const { return {{x + 1, std::chrono::seconds{x}}}; }
    std::vector<Edge> predecessors(int x) const { return {{x - 1, std::chrono::seconds{x - 1}}}; }
    int goal() const { return 5; }
    bool is_goal(int x) const { return x == 5; }
};

} // namespace

TEST_CASE("costs do not wrap", "[bidirectional]") {
    constexpr int most = std::numeric_limits<int>::max();
    CHECK(status_of({most - 1}) == Status::solved);
    CHECK(status_of({most / 2, most / 2}) == Status::solved);
    CHECK(status_of({most / 2, most / 2, 1}) == Status::cost_overflow);
    CHECK(status_of({most - 1, most - 1}) == Status::cost_overflow);
    CHECK(status_of({5, most}) == Status::unsolvable); // a wall
    CHECK(status_of({}) == Status::solved);
    CHECK(status_of({0}) == Status::solved);
    const auto fewest = bidirectional_breadth_first(way({most - 1, most - 1, 1}), 0);
    CHECK(fewest.status == Status::cost_overflow);
    CHECK(fewest.path.empty());
    CHECK(bidirectional_breadth_first(way({2, most, 1}), 0).status == Status::unsolvable);
}

TEST_CASE("a start or a goal that is added counts once, and only before the end", "[bidirectional][ends]") {
    const auto line = way({4, 3, 2, 1});
    const Estimates<int, true> nothing{std::vector<int>(5)};
    npuzzle::BidirectionalAStar engine(Nbs{}, line, 0, nothing, nothing);
    engine.add_start(1);
    engine.add_start(0);
    engine.add_start(1);
    engine.add_goal(4);
    CHECK(engine.statistics().stored == 3);

    SECTION("whatever comes then") {
        engine.add_goal(3);
        CHECK(engine.run() == Status::solved);
        CHECK(engine.result().path == std::vector{1, 2, 3});
        engine.add_start(2);
        engine.add_goal(1);
        CHECK(engine.run() == Status::solved);
        CHECK(engine.result().path == std::vector{1, 2, 3});
    }
    SECTION("a start that is a goal is the path") {
        engine.step();
        engine.add_goal(1);
        CHECK(engine.statistics().stored == 4);
        const auto expanded = engine.statistics().expanded;
        CHECK(engine.run() == Status::solved);
        CHECK(engine.result().path == std::vector{1});
        CHECK(engine.result().cost == 0);
        CHECK(engine.statistics().expanded == expanded);
    }
}

TEST_CASE("a heuristic that does not know a start or a goal is refused", "[bidirectional][ends]") {
    const auto line = way({4, 3, 2, 1});
    const Estimates<int, true> nothing{std::vector<int>(5)};
    const auto refuses_start = [&](std::size_t vertex, int start) {
        const auto backward = one_at(vertex);
        npuzzle::BidirectionalAStar engine(Nbs{}, line, 0, nothing, backward);
        engine.add_goal(2); // of which the other heuristic knows
        CHECK_THROWS_AS(engine.add_start(start), std::invalid_argument);
        CHECK(engine.run() == Status::failed);
        CHECK(engine.result().path.empty());
    };
    refuses_start(1, 1);
    refuses_start(0, 1); // it does not know the first
    const auto forward = one_at(2);
    npuzzle::BidirectionalAStar engine(Nbs{}, line, 0, forward, nothing);
    engine.add_start(2);
    CHECK_THROWS_AS(engine.add_goal(2), std::invalid_argument);
    CHECK(engine.status() == Status::failed);
}

TEST_CASE("costs of types of one's own", "[bidirectional]") {
    CHECK(bidirectional_astar(Seconds{}, 2, Zero{}).cost == std::chrono::seconds{2 + 3 + 4});

    struct Steps {
        using State = archetype::State;
        using Edge = npuzzle::Edge<State, archetype::Cost>;
        std::vector<Edge> neighbors(const State& state) const { return by(state, 1); }
        std::vector<Edge> predecessors(const State& state) const { return by(state, -1); }
        State goal() const { return State(9); }
        bool is_goal(const State& state) const { return state.number() == 9; }
        int hash(const State& state) const { return state.number(); }

        static std::vector<Edge> by(const State& state, int direction) {
            std::vector<Edge> edges;
            for (const int step : {1, 3}) {
                const int to = state.number() + direction * step;
                if (0 <= to && to <= 9) {
                    edges.push_back({State(to), archetype::Cost(step == 1 ? 3 : 7)});
                }
            }
            return edges;
        }
    };
    const auto result = bidirectional_astar(Steps{}, archetype::State(0), archetype::Heuristic{}, Zero{});
    CHECK(result.cost.value() == archetype::Problem::least_cost);
    CHECK(result.path.size() == 4);
}

namespace {

/// Writes down what happens, by side.
struct Log : npuzzle::SilentObserver {
    struct Record {
        std::vector<std::pair<int, Direction>> starts;
        int goals = 0;
        std::uint64_t expanded = 0;
        std::uint64_t generated = 0;
        std::uint64_t duplicates = 0;
        std::uint64_t reopened = 0;
        int cost_of_goal = -1;
        int greatest_cost = 0; ///< of what was expanded
        int progress = 0;
    };
    Record* record;

    explicit Log(Record& where) : record(&where) {}
    void start(const auto& node) { record->starts.emplace_back(node.state, node.direction); }
    void expand(const auto& node) {
        ++record->expanded;
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
    CHECK(record.starts == std::vector<std::pair<int, Direction>>{{0, Direction::forward},
                                                                  {graph.goal(), Direction::backward}});
    CHECK(record.goals == (result ? 1 : 0));
    CHECK(record.cost_of_goal == (result ? result.cost : -1));
    CHECK(record.expanded == result.statistics.expanded);
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

TEST_CASE("NBS expands at most twice as many nodes as it must", "[bidirectional]") {
    // Before a solution of cost C can be proved, of each pair of nodes with max(f(u), f(v), g(u) + g(v) +
    // epsilon) < C one has to be expanded: at least as many as cover all the pairs (Eckerle, Chen,
    // Sturtevant, Zilles, Holte 2017).
    std::uint64_t covers = 0;
    std::uint64_t expansions = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const int start = random.between(0, graph.size() - 1);
        const auto heuristics = test::heuristics_of<int, true>(graph, start, random);
        const auto optimum = oracle::least_cost<int>(graph, start);
        if (!optimum) {
            continue;
        }
        npuzzle::BidirectionalAStar engine(Nbs{}, graph, start, heuristics.forward, heuristics.backward);
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
    CHECK(covers > 250);
    CHECK(expansions > covers / 2);
}

TEST_CASE("a search that ended early proves no bound that is too high", "[bidirectional]") {
    int ended = 0;
    const auto check = [&](auto method, const auto& graph, const auto& heuristics, int optimum) {
        const auto ends = [&](int calls, const npuzzle::BasicLimits<int>& limits, auto observer) {
            npuzzle::BidirectionalAStar engine(method, graph, 0, heuristics.forward, heuristics.backward,
                                               limits, observer);
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
