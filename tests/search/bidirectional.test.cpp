#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/open_list/heap.hpp>
#include <npuzzle/search/replanning.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/family.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"
#include "support/two_way_graphs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

// Searches of random graphs that know the goal and the steps to a state: bidirectional ones, LPA* and D* Lite,
// compared with Dijkstra's algorithm.

namespace {

using npuzzle::BaeStar;
using npuzzle::bidirectional_astar;
using npuzzle::bidirectional_breadth_first;
using npuzzle::Direction;
using npuzzle::MeetInTheMiddle;
using npuzzle::Nbs;
using npuzzle::Status;
using npuzzle::Zero;
using test::Backward;
using test::Estimates;
using test::Member;
using test::Promise;
using test::Random;
using test::TwoWayGraph;

/// A graph of 2 to 40 vertices, sparse or dense, with or without edges of cost zero. It may have self-loops,
/// parallel edges and unconnected parts. It declares its least cost, or zero. Costs are multiples of `unit`.
template <class C, bool undirected>
TwoWayGraph<C, undirected> random_two_way_graph(Random& random, double unit) {
    const int vertices = random.between(2, random.one_in(3) ? 40 : 12);
    TwoWayGraph<C, undirected> graph(vertices, random.between(0, vertices - 1));
    const int smallest = random.one_in(2) ? 0 : random.between(1, 3);
    const int largest = smallest + random.between(0, random.one_in(2) ? 3 : 12);
    const auto any = [&] { return random.between(0, vertices - 1); };
    const int count = vertices * random.between(2, 6) / (undirected ? 3 : 2);
    int least = std::numeric_limits<int>::max();
    for (int i = 0; i < count; ++i) {
        const int from = any();
        const int to = random.one_in(20) ? from : any();
        const int copies = random.one_in(10) ? 2 : 1;
        for (int copy = 0; copy < copies; ++copy) {
            const int units = random.between(smallest, largest);
            least = std::min(least, units);
            graph.connect(from, to, static_cast<C>(units * unit));
        }
    }
    graph.least = random.one_in(3) || count == 0 ? C{} : static_cast<C>(least * unit);
    return graph;
}

/// Admissible estimates made from the true costs to an end: consistent ones are the costs, the costs limited
/// by some number, or zero; others are anything from zero to the costs. For vertices without a path the
/// estimate is infinite, or the greatest that the others have.
template <class C, bool consistent>
Estimates<C, consistent> estimates_of(const std::map<int, C>& costs, int vertices, Random& random) {
    C most{};
    for (const auto& [vertex, cost] : costs) {
        most = std::max(most, cost);
    }
    const C cap = static_cast<C>(static_cast<int>(most) * random.between(0, 4) / 4);
    const bool is_exact = random.one_in(4);
    const bool tells_dead_ends = random.one_in(2);
    using Range = std::numeric_limits<C>;
    Estimates<C, consistent> estimates;
    for (int vertex = 0; vertex < vertices; ++vertex) {
        const auto found = costs.find(vertex);
        const C cost = found == costs.end() ? most : found->second;
        estimates.values.push_back(found == costs.end() && tells_dead_ends
                                       ? Range::has_infinity ? Range::infinity() : Range::max()
                                   : is_exact || (!consistent && random.one_in(3)) ? cost
                                   : consistent                                    ? std::min(cap, cost)
                                                : static_cast<C>(random.between(0, static_cast<int>(cost))));
    }
    return estimates;
}

/// The heuristics of both directions, made of the true costs.
template <class C, bool is_consistent>
struct Heuristics {
    Estimates<C, is_consistent> forward;
    Estimates<C, is_consistent> backward;

    template <class Graph>
    Heuristics(const Graph& graph, int start, Random& random)
        : forward(estimates_of<C, is_consistent>(oracle::costs_from<C>(Backward{&graph}, graph.goal()),
                                                 graph.size(), random)),
          backward(
              estimates_of<C, is_consistent>(oracle::costs_from<C>(graph, start), graph.size(), random)) {}
};

template <class C>
using Consistent = Estimates<C, true>;

template <class C, class F>
void with_each(const TwoWayGraph<C, false>& graph, int start, const Consistent<C>& forward,
               const Consistent<C>& backward, const npuzzle::BasicLimits<C>& limits, F check) {
    check(Member{"MM", Promise::least_cost},
          bidirectional_astar<MeetInTheMiddle>(graph, start, forward, backward, limits));
    check(Member{"NBS", Promise::least_cost},
          bidirectional_astar<Nbs>(graph, start, forward, backward, limits));
    check(Member{"BAE*", Promise::least_cost},
          bidirectional_astar<BaeStar>(graph, start, forward, backward, limits));
    check(Member{"LPA*", Promise::least_cost},
          test::result_of(npuzzle::LpaStar(graph, start, forward, limits)));
    check(Member{"D* Lite", Promise::least_cost},
          test::result_of(npuzzle::DStarLite(graph, start, backward, limits)));
}

/// A graph, and what is true of it.
struct Case {
    using Graph = TwoWayGraph<int, false>;

    Random random;
    Graph graph;
    int start;
    Heuristics<int, true> heuristics;
    std::optional<int> least;
    std::optional<int> steps;

    explicit Case(std::uint64_t seed)
        : random(seed), graph(random_two_way_graph<int, false>(random, 1)),
          start(random.between(0, graph.size() - 1)), heuristics(graph, start, random),
          least(oracle::least_cost<int>(graph, start)) {
        const auto depths = oracle::breadth_first(graph, start);
        if (const auto found = depths.find(graph.goal()); found != depths.end()) {
            steps = found->second;
        }
    }

    /// For each search, with a bound on what it promises the least of.
    template <class F>
    void search(npuzzle::Limits limits, std::optional<int> most, F check) const {
        npuzzle::BasicLimits<int> all = limits;
        all.max_cost = most;
        with_each(graph, start, heuristics.forward, heuristics.backward, all, check);
        check(Member{"bidirectional breadth-first", Promise::fewest_steps},
              bidirectional_breadth_first(graph, start, all));
    }
};

} // namespace

TEST_CASE("each search from both ends keeps its promise on random graphs", "[bidirectional]") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        const Case one(seed);
        one.search({}, std::nullopt, [&](const Member& member, const auto& result) {
            INFO(member.name);
            CHECK(result.status == (one.least ? Status::solved : Status::unsolvable));
            test::check_path(one.graph, one.start, result);
            CHECK(result.statistics.contract_violations == 0);
            if (result && member.promise == Promise::least_cost) {
                CHECK(result.cost == *one.least);
            } else if (result) {
                CHECK(static_cast<int>(result.path.size()) - 1 == *one.steps);
            }
        });
    }
}

TEST_CASE("a bound on the cost is kept from both ends, and proves that nothing is cheaper",
          "[bidirectional]") {
    int bounded = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const Case one(seed);
        if (!one.least) {
            continue;
        }
        for (const int more : {-1000, -2, -1, 0, 1, 1000}) {
            const auto check_one = [&](Promise promise, int truth) {
                one.search({}, truth + more, [&](const Member& member, const auto& result) {
                    INFO("seed " << seed << ", " << member.name << ", " << more << " more than " << truth);
                    if (member.promise == promise) {
                        CHECK(result.status == (more < 0 ? Status::cost_limit : Status::solved));
                        test::check_path(one.graph, one.start, result);
                        bounded += more < 0 ? 1 : 0;
                    }
                });
            };
            check_one(Promise::least_cost, *one.least);
            check_one(Promise::fewest_steps, *one.steps);
        }
    }
    CHECK(bounded > 500);
}

namespace {

/// The same with costs in another unit, and estimates of at most `most` units.
template <class C, class F>
void search_in_units(const Case& one, C unit, int most, std::optional<C> max_cost, F check) {
    TwoWayGraph<C, false> graph(one.graph.size(), one.graph.goal());
    const auto cost = [&](int units) { return static_cast<C>(static_cast<C>(units) * unit); };
    graph.least = cost(one.graph.least);
    for (int from = 0; from < one.graph.size(); ++from) {
        for (const auto& edge : one.graph.neighbors(from)) {
            graph.connect(from, edge.to, cost(edge.cost));
        }
    }
    const auto in_units = [&](const Consistent<int>& estimates) {
        Consistent<C> result;
        for (const int value : estimates.values) {
            result.values.push_back(cost(std::min(value, most)));
        }
        return result;
    };
    npuzzle::BasicLimits<C> limits;
    limits.max_cost = max_cost;
    with_each<C>(graph, one.start, in_units(one.heuristics.forward), in_units(one.heuristics.backward),
                 limits, check);
}

} // namespace

TEMPLATE_TEST_CASE("no search from both ends takes rounding or the limit of a type for a proof",
                   "[bidirectional]", std::int8_t, double) {
    constexpr auto greatest = std::numeric_limits<TestType>::max();
    constexpr auto unit = static_cast<TestType>(greatest / 15);
    int beyond = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Case one(seed);
        if (const TestType tenths = static_cast<TestType>(1 + seed % 9) / 10; one.least && tenths > 0) {
            const auto check = [&](TestType bound, Status expected) {
                search_in_units(one, tenths, 1000, std::optional(bound),
                                [&](const Member& member, const auto& result) {
                                    INFO("seed " << seed << ", " << member.name << ", bound " << bound);
                                    CHECK(result.status == expected);
                                });
            };
            const TestType least = static_cast<TestType>(*one.least) * tenths;
            check(least, Status::solved);
            check(least - tenths, Status::cost_limit);
        }
        for (const int units : {15, 14, 11, 7}) {
            const auto bound =
                units == 15 ? greatest : static_cast<TestType>(static_cast<TestType>(units) * unit);
            search_in_units<TestType>(one, unit, 14, bound, [&](const Member& member, const auto& result) {
                INFO("seed " << seed << ", " << member.name << ", bound " << units);
                CHECK((result.status != Status::unsolvable || !one.least));
                CHECK((result.status != Status::cost_limit || !one.least || *one.least > units));
                beyond += result.status == Status::cost_overflow ? 1 : 0;
            });
        }
    }
    CHECK(beyond > 100);
}

TEST_CASE("limits strike searches from both ends at any moment, and are exact", "[bidirectional]") {
    for (const std::uint64_t seed : {2U, 5U, 9U, 14U}) {
        const Case one(seed);
        std::map<std::string_view, std::uint64_t> needs;
        one.search({}, std::nullopt, [&](const Member& member, const auto& result) {
            needs[member.name] = result.statistics.expanded;
        });
        for (std::uint64_t limit = 0; limit <= 30; ++limit) {
            one.search({.expansions = limit}, std::nullopt, [&](const Member& member, const auto& result) {
                INFO("seed " << seed << ", " << member.name << ", limit " << limit);
                CHECK(result.statistics.expanded == std::min(limit, needs[member.name]));
                CHECK((result.status == Status::expansion_limit) == (limit < needs[member.name]));
            });
        }
        for (std::uint64_t limit = 0; limit <= 40'000; limit += 2'000) {
            one.search({.bytes = limit}, std::nullopt, [&](const Member& member, const auto& result) {
                INFO(member.name << ", limit " << limit);
                CHECK(result.statistics.bytes <= limit);
                CHECK((limit > 0 || result.status == Status::memory_limit));
            });
        }
        npuzzle::StopSource source;
        source.request_stop();
        one.search({.stop = source.get_token()}, std::nullopt, [&](const Member& member, const auto& result) {
            INFO(member.name);
            CHECK((needs[member.name] == 0 || result.status == Status::cancelled));
            CHECK(result.statistics.expanded == 0);
        });
    }
}

namespace {

/// Steps through searches of random graphs, and looks at their bounds.
template <class C, bool is_undirected, bool is_consistent, class... Methods>
void check_bounds(std::uint64_t seeds, double unit) {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Random random(seed);
        const auto graph = random_two_way_graph<C, is_undirected>(random, unit);
        const int start = random.between(0, graph.size() - 1);
        const Heuristics<C, is_consistent> heuristics(graph, start, random);
        const auto optimum = oracle::least_cost<C>(graph, start);
        const auto check = [&]<class Method>(Method method) {
            INFO("seed " << seed << ", method " << typeid(Method).name());
            npuzzle::BidirectionalAStar engine(method, graph, start, heuristics.forward, heuristics.backward);
            do {
                CHECK((!optimum || !(*optimum < engine.lower_bound())));
            } while (engine.step());
            const auto result = engine.result();
            CHECK(result.status == (optimum ? Status::solved : Status::unsolvable));
            CHECK(result.cost == optimum.value_or(C{}));
            CHECK(result.statistics.contract_violations == 0);
            CHECK((!optimum || engine.lower_bound() == *optimum));
            test::check_path(graph, start, result);
            for (int share = 0; optimum && C{} < *optimum && share < 8; ++share) {
                npuzzle::BidirectionalAStar bounded(
                    method, graph, start, Zero{}, Zero{},
                    {.max_cost = static_cast<C>(*optimum * static_cast<C>(share) / 8)});
                bounded.run();
                CHECK(!(*optimum < bounded.lower_bound()));
                CHECK(bounded.status() == Status::cost_limit);
            }
        };
        (check(Methods{}), ...);
        solved += optimum ? 1 : 0;
    }
    CHECK(solved > static_cast<int>(seeds / 3));
}

} // namespace

TEST_CASE("the bound is never above the optimum, and reaches it", "[bidirectional]") {
    check_bounds<int, false, true, Nbs, BaeStar, npuzzle::AutomaticMethod>(250, 1);
    check_bounds<double, true, false, MeetInTheMiddle, Nbs>(250, 0.25);
}

namespace {

/// A way of edges, the goal at its end.
TwoWayGraph<int, false> way(const std::vector<int>& costs) {
    const int goal = static_cast<int>(costs.size());
    TwoWayGraph<int, false> graph(goal + 1, goal);
    for (int i = 0; i < goal; ++i) {
        graph.connect(i, i + 1, costs[static_cast<std::size_t>(i)]);
    }
    return graph;
}

Status status_of(const std::vector<int>& costs) {
    const Consistent<int> nothing{std::vector<int>(costs.size() + 1, 0)};
    const auto result = bidirectional_astar(way(costs), 0, nothing, nothing);
    CHECK(result.cost == (result ? std::accumulate(costs.begin(), costs.end(), 0) : 0));
    return result.status;
}

} // namespace

namespace {

struct AsksTheProblem {
    int other; // than the goal
    bool* knows;

    auto bind(const auto& problem) const {
        *knows = problem.is_goal(problem.goal()) && !problem.is_goal(other);
        return Zero{};
    }
};

} // namespace

TEST_CASE("a heuristic is bound to a problem that knows its goal, in both directions", "[bidirectional]") {
    TwoWayGraph<int, false> graph(3, 2);
    graph.connect(0, 1, 1);
    graph.connect(1, 2, 1);
    bool knows = false;
    bool knows_backward = false;
    CHECK(bidirectional_astar(graph, 0, AsksTheProblem{0, &knows}, AsksTheProblem{2, &knows_backward}).cost ==
          2);
    CHECK(knows);
    CHECK(knows_backward);
}

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

TEST_CASE("costs that fit the type, and not the type of bounds, are never taken for the least",
          "[bidirectional]") {
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    TwoWayGraph<std::uint64_t, false> graph(22, 1);
    graph.connect(0, 1, half + 100);
    graph.connect(0, 2, half + 10);
    graph.connect(2, 3, 20);
    graph.connect(3, 20, 10);
    graph.connect(20, 1, 10);
    for (const auto& result : {bidirectional_astar(graph, 0, Zero{}, Zero{}),
                               bidirectional_astar<Nbs>(graph, 0, Zero{}, Zero{})}) {
        CHECK((result.status == Status::cost_overflow || result.cost == half + 50));
    }
}

TEST_CASE("an estimate that fits its type, and not the type of bounds, is no dead end", "[bidirectional]") {
    constexpr std::uint64_t cost = std::uint64_t{1} << 63;
    TwoWayGraph<std::uint64_t, false> graph(2, 1);
    graph.connect(0, 1, cost);
    const auto ahead = [](int vertex) { return vertex == 0 ? cost : 0; };
    const auto back = [](int vertex) { return vertex == 1 ? cost : 0; };
    for (const auto& result :
         {bidirectional_astar<Nbs>(graph, 0, ahead, back), bidirectional_astar(graph, 0, ahead, Zero{})}) {
        CHECK((result.status == Status::cost_overflow || result.cost == cost));
    }
}

namespace {

/// All cells of a plane, each with four neighbors.
struct Plane {
    using State = std::array<int, 2>;
    static constexpr bool is_undirected = true;

    std::vector<State> neighbors(const State& at) const {
        return {{at[0] + 1, at[1]}, {at[0] - 1, at[1]}, {at[0], at[1] + 1}, {at[0], at[1] - 1}};
    }
    State goal() const { return {600, 600}; }
    bool is_goal(const State& at) const { return at == goal(); }
};

/// Two ways from 8 to 33: by 9, at 22, and by 15, at 20. These three vertices share a key.
struct TwoWays : test::CompactWithEqualKeys<test::WithMoves<test::Ring>> {
    static constexpr bool is_undirected = true;

    TwoWays() : CompactWithEqualKeys(0, 60, 33) {
        for (auto& row : costs) row.fill(-1);
        connect(8, 0, 2);
        connect(9, 4, 14);
        connect(8, 2, 2);
        for (int vertex = 15; vertex < 39; ++vertex) connect(vertex, 0, 1);
    }
    void connect(int vertex, std::size_t offset, int cost) {
        costs[static_cast<std::size_t>(vertex)][offset] = cost;
        costs[static_cast<std::size_t>(after(vertex, offset))][offset + 1] = cost;
    }
    int goal() const { return goal_vertex; }
};

} // namespace

TEST_CASE("a node that a bound on the cost has pruned is not taken for one of the same key",
          "[bidirectional]") {
    const TwoWays ways;
    const auto left = [costs = oracle::costs_from<int>(ways, 33)](int vertex) { return costs.at(vertex); };
    const auto made = [costs = oracle::costs_from<int>(ways, 8), others = oracle::costs_from<int>(ways, 15)](
                          int vertex) { return std::min(costs.at(vertex), others.at(vertex)); };
    const auto result = bidirectional_astar<BaeStar>(ways, 8, left, made, {.max_cost = 20});
    CHECK(result.status == Status::solved);
    CHECK(result.cost == 20);
}

TEST_CASE("a limit within a batch leaves the counts whole", "[bidirectional]") {
    for (const std::uint64_t limit : {80'001U, 80'006U}) {
        const auto result =
            bidirectional_astar<MeetInTheMiddle>(Plane{}, {0, 0}, Zero{}, Zero{}, {.expansions = limit});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.statistics.generated == 3 * limit + 2); // four of both ends, of each other node three
    }
}

TEST_CASE("costs of types of one's own", "[bidirectional]") {
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

template <class Method>
void check_events(const Case& one, const auto& heuristics) {
    Log::Record record;
    const auto result = bidirectional_astar<Method>(one.graph, one.start, heuristics.forward,
                                                    heuristics.backward, {}, Log(record));
    CHECK(record.starts == std::vector<std::pair<int, Direction>>{{one.start, Direction::forward},
                                                                  {one.graph.goal(), Direction::backward}});
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
    const auto unwatched =
        bidirectional_astar<Method>(one.graph, one.start, heuristics.forward, heuristics.backward);
    CHECK(unwatched.path == result.path);
    CHECK(unwatched.statistics.expanded == result.statistics.expanded);
    CHECK(unwatched.statistics.generated == result.statistics.generated);
}

} // namespace

TEST_CASE("observers are told of both sides", "[bidirectional]") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Case one(seed);
        check_events<Nbs>(one, one.heuristics);
        check_events<BaeStar>(one, one.heuristics);
        check_events<MeetInTheMiddle>(one, Heuristics<int, false>(one.graph, one.start, one.random));
    }
}

namespace {

/// The least number of nodes that must be expanded, from either end, so that of each pair with max(f(u),
/// f(v), g(u) + g(v) + epsilon) < optimum at least one is. This is a minimum vertex cover of a bipartite
/// graph. It is as large as a maximum matching (D. König 1931), which is found by augmenting paths.
std::size_t least_cover(const Case& one) {
    const int optimum = *one.least;
    const auto costs_below = [&](const std::map<int, int>& costs, const auto& heuristic) {
        std::vector<int> below;
        for (const auto& [vertex, cost] : costs) {
            if (heuristic(vertex) < optimum && cost + heuristic(vertex) < optimum) {
                below.push_back(cost);
            }
        }
        return below;
    };
    const auto left = costs_below(oracle::costs_from<int>(one.graph, one.start), one.heuristics.forward);
    const auto right =
        costs_below(oracle::costs_from<int>(Backward{&one.graph}, one.graph.goal()), one.heuristics.backward);
    constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> partner(right.size(), nobody);
    std::size_t matched = 0;
    for (std::size_t first = 0; first < left.size(); ++first) {
        std::vector<bool> is_seen(right.size(), false);
        const auto augment = [&](const auto& self, std::size_t from) -> bool {
            for (std::size_t other = 0; other < right.size(); ++other) {
                if (left[from] + right[other] + one.graph.least < optimum && !is_seen[other]) {
                    is_seen[other] = true;
                    if (partner[other] == nobody || self(self, partner[other])) {
                        partner[other] = from;
                        return true;
                    }
                }
            }
            return false;
        };
        matched += augment(augment, first) ? 1 : 0;
    }
    return matched;
}

} // namespace

TEST_CASE("NBS expands at most twice as many nodes as it must", "[bidirectional]") {
    // Before a solution of cost C can be proved, of each pair of nodes with max(f(u), f(v), g(u) + g(v) +
    // epsilon) < C one has to be expanded: at least as many as cover all the pairs (Eckerle, Chen,
    // Sturtevant, Zilles, Holte 2017).
    std::uint64_t covers = 0;
    std::uint64_t expansions = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        const Case one(seed);
        if (!one.least) {
            continue;
        }
        npuzzle::BidirectionalAStar engine(Nbs{}, one.graph, one.start, one.heuristics.forward,
                                           one.heuristics.backward);
        std::uint64_t expanded_below = 0;
        std::uint64_t before = 0;
        int last_bound = 0;
        bool goes_on = true;
        while (goes_on) {
            goes_on = engine.step();
            const auto bound = static_cast<int>(engine.lower_bound());
            CHECK(bound >= last_bound);
            CHECK(bound <= *one.least);
            last_bound = bound;
            const std::uint64_t expanded = engine.statistics().expanded;
            expanded_below += bound < *one.least ? expanded - before : 0;
            before = expanded;
        }
        REQUIRE(engine.status() == Status::solved);
        const std::size_t cover = least_cover(one);
        INFO("seed " << seed << ", cover " << cover);
        CHECK(expanded_below <= 2 * cover);
        covers += cover;
        expansions += expanded_below;
    }
    CHECK(covers > 150);
    CHECK(expansions > covers / 2);
}
