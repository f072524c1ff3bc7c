#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/replanning.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <type_traits>
#include <vector>

// LPA* and D* Lite, against Dijkstra's algorithm and A* from scratch.

namespace {

using npuzzle::Status;
using test::Random;
using Map = npuzzle::GridMap<>;

template <class C>
constexpr C infinite_cost =
    std::numeric_limits<C>::has_infinity ? std::numeric_limits<C>::infinity() : std::numeric_limits<C>::max();

/// A directed graph whose arcs come, go and change their costs: with self-loops, parallel arcs, and circles
/// of arcs that cost nothing. Costs are multiples of `unit`, times a power of `spread`.
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
            arc.cost = random.one_in(5) ? infinite_cost<C>
                                        : arc.least + arc.least * static_cast<C>(random.between(0, 3));
            ends.insert({arc.from, arc.to});
        }
        return ends;
    }
};

/// What it costs at least from one vertex to another, whatever changes.
template <class C>
class LeastCosts {
public:
    explicit LeastCosts(ChangingGraph<C> graph) {
        for (auto& arc : graph.arcs) {
            arc.is_there = true;
        }
        for (int vertex = 0; vertex < graph.vertices; ++vertex) {
            costs_.push_back(oracle::costs_from<C>(graph, vertex));
        }
    }

    C operator()(int from, int to) const {
        const auto& costs = costs_[static_cast<std::size_t>(from)];
        const auto found = costs.find(to);
        return found == costs.end() ? infinite_cost<C> : found->second;
    }

private:
    std::vector<std::map<int, C>> costs_;
};

/// Heuristics: to the goal for a search from the start, and from the start for one from the goal.
template <class C, bool is_forward>
struct Exact {
    const LeastCosts<C>* costs;
    auto bind(const auto& problem) const {
        return npuzzle::MarksDeadEnds{[this_costs = costs, end = problem.goal()](int vertex) {
            return is_forward ? (*this_costs)(vertex, end) : (*this_costs)(end, vertex);
        }};
    }
};

/// Counts how often a search has begun.
struct Beginnings : npuzzle::SilentObserver {
    int count = 0;
    void start(const auto& /*node*/) { ++count; }
};

/// The least cost by Dijkstra's algorithm, where arcs of infinite cost are none.
template <class C>
std::optional<C> least_cost(ChangingGraph<C> graph, int start) {
    for (auto& arc : graph.arcs) {
        arc.is_there = arc.is_there && arc.cost < infinite_cost<C>;
    }
    return oracle::least_cost<C>(graph, start);
}

template <class C, class Engine>
void check(const ChangingGraph<C>& graph, int start, Engine& engine) {
    const Status status = engine.run();
    const auto least = least_cost(graph, start);
    REQUIRE(status == (least ? Status::solved : Status::unsolvable));
    const auto result = engine.result();
    CHECK(result.status == status);
    CHECK(result.statistics.contract_violations == 0);
    CHECK(result.path.empty() == !least);
    if (least) {
        CHECK(result.path.front() == start);
        CHECK(result.path.back() == graph.goal());
        CHECK(result.cost == *oracle::path_cost<C>(graph, result.path));
        const double share = std::is_integral_v<C> ? 0 : 1e-14;
        CHECK(static_cast<double>(result.cost) <= static_cast<double>(*least) * (1 + share));
        CHECK(static_cast<double>(result.cost) >= static_cast<double>(*least) * (1 - share));
    }
}

/// Changes arcs of a graph, and tells engines where.
template <class C, class... Engines>
void change_arcs(ChangingGraph<C>& graph, Random& random, Engines&... engines) {
    for (const int vertex : graph.change(random)) {
        (engines.update(vertex), ...);
    }
}

/// Calls `work(graph, random)` for so many random graphs.
template <class F>
void for_each_graph(std::uint64_t count, F&& work) {
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        ChangingGraph<int> graph(random, 1, 1);
        work(graph, random);
    }
}

/// Searches graphs again and again, while arcs change and the start of D* Lite moves.
/// \return how often a search has begun again
template <class C>
int replan_on_random_graphs(std::uint64_t graphs, C unit, C spread) {
    int again = 0;
    for (std::uint64_t seed = 0; seed < graphs; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        ChangingGraph<C> graph(random, unit, spread);
        const LeastCosts<C> least(graph);
        int start = random.between(0, graph.vertices - 1);
        const int first = start;
        Beginnings forward;
        Beginnings blind;
        npuzzle::LpaStar lpa_star(graph, start, Exact<C, true>{&least}, {}, forward);
        npuzzle::DStarLite d_star_lite(graph, start, Exact<C, false>{&least});
        npuzzle::DStarLite without_heuristic(graph, start, npuzzle::Zero{}, {}, blind);
        const auto vertices = static_cast<std::uint64_t>(graph.vertices);
        for (int round = 0; round < 20; ++round) {
            INFO("round " << round);
            check(graph, first, lpa_star);
            check(graph, start, d_star_lite);
            check(graph, start, without_heuristic);
            if (std::is_integral_v<C>) {
                CHECK(lpa_star.statistics().expanded <= 2 * vertices);
                CHECK(d_star_lite.statistics().expanded <= 2 * vertices);
            }
            const auto path = d_star_lite.result().path;
            if (path.size() > 1 && !random.one_in(3)) {
                start = path[1];
            } else if (random.one_in(4)) {
                start = random.between(0, graph.vertices - 1);
            }
            d_star_lite.move_start(start);
            without_heuristic.move_start(start);
            if (!random.one_in(6)) {
                change_arcs(graph, random, lpa_star, d_star_lite, without_heuristic);
            }
        }
        // An estimate that is infinite between the places of the start makes D* Lite begin again.
        again += forward.count + blind.count - 2;
    }
    return again;
}

} // namespace

TEST_CASE("replanning finds the least costs on random graphs that change", "[replanning]") {
    CHECK(replan_on_random_graphs<int>(300, 1, 1) == 0);
    CHECK(replan_on_random_graphs<double>(150, 0.1, 1.4142135623730951) == 0);
    // Where sums swallow steps, by beginning again.
    CHECK(replan_on_random_graphs<double>(300, 0.1, 12345678901.0) > 0);
}

TEST_CASE("costs may change between the steps of a search", "[replanning]") {
    int changes = 0;
    for_each_graph(100, [&](ChangingGraph<int>& graph, Random& random) {
        const LeastCosts<int> least(graph);
        int start = 0;
        npuzzle::LpaStar lpa_star(graph, 0, Exact<int, true>{&least});
        npuzzle::DStarLite d_star_lite(graph, start, Exact<int, false>{&least});
        for (int round = 0; round < 10; ++round) {
            for (int i = random.between(0, 6); i > 0; --i) {
                lpa_star.step();
                d_star_lite.step();
            }
            changes += lpa_star.status() == Status::running ? 1 : 0;
            change_arcs(graph, random, lpa_star, d_star_lite);
            if (random.one_in(3)) {
                start = random.between(0, graph.vertices - 1);
                d_star_lite.move_start(start);
            }
            if (random.one_in(2)) {
                check(graph, 0, lpa_star);
                check(graph, start, d_star_lite);
            }
        }
    });
    CHECK(changes > 100);
}

TEST_CASE("limits strike a search that replans at any moment, and it can go on", "[replanning]") {
    int struck = 0;
    for_each_graph(60, [&](ChangingGraph<int>& graph, Random& random) {
        npuzzle::LpaStar engine(graph, 0, npuzzle::Zero{}, {.expansions = 1});
        for (int round = 0; round < 6; ++round) {
            int runs = 0;
            while (engine.run() == Status::expansion_limit) {
                CHECK(engine.statistics().expanded == 1);
                CHECK(engine.result().path.empty());
                if (random.one_in(6)) {
                    change_arcs(graph, random, engine);
                    ++struck;
                } else {
                    engine.resume();
                }
                REQUIRE(++runs < 1000);
            }
            check(graph, 0, engine);
            engine.resume();
            CHECK(engine.status() != Status::running); // There is nothing left to do.
            change_arcs(graph, random, engine);
        }
    });
    CHECK(struck > 50);
}

TEST_CASE("a bound on the cost is kept at each search", "[replanning]") {
    int bounded = 0;
    for_each_graph(100, [&](ChangingGraph<int>& graph, Random& random) {
        const LeastCosts<int> least(graph);
        const int bound = random.between(0, 8);
        int start = 0;
        npuzzle::DStarLite engine(graph, start, Exact<int, false>{&least}, {.max_cost = bound});
        for (int round = 0; round < 10; ++round) {
            const Status status = engine.run();
            const auto cost = least_cost(graph, start);
            if (cost) {
                CHECK(status == (*cost <= bound ? Status::solved : Status::cost_limit));
                bounded += *cost > bound ? 1 : 0;
            } else {
                CHECK((status == Status::unsolvable || status == Status::cost_limit));
            }
            const auto next = graph.neighbors(start);
            if (!next.empty() && random.one_in(2)) {
                start = next.front().to;
                engine.move_start(start);
            }
            change_arcs(graph, random, engine);
        }
    });
    CHECK(bounded > 50);
}

namespace {

/// Lower bounds on the costs of one graph, from 2 and from 3.
struct FromTwoOrThree {
    auto bind(const auto& problem) const {
        return [start = problem.goal()](int vertex) -> std::uint8_t {
            if (vertex == start || start < 2) return 0;
            return start == 3 || vertex == 3 ? 100 : 50;
        };
    }
};

} // namespace

TEST_CASE("a start that moved far leaves as much room for costs as one that did not", "[replanning]") {
    Random random(1);
    ChangingGraph<std::uint8_t> graph(random, 1, 1);
    graph.vertices = 4;
    graph.goal_vertex = 0;
    graph.arcs = {{1, 0, 0, 220, true},
                  {2, 0, 0, 200, true},
                  {2, 1, 0, 50, true},
                  {2, 3, 0, 100, true},
                  {3, 2, 0, 100, true}};
    for (const std::optional<std::uint8_t> bound : {std::optional<std::uint8_t>{}, {std::uint8_t{150}}}) {
        graph.arcs[0].cost = 220;
        auto changing = graph;
        npuzzle::DStarLite engine(changing, 2, FromTwoOrThree{}, {.max_cost = bound});
        engine.run();
        engine.move_start(3);
        engine.move_start(2);
        engine.run();
        changing.arcs[0].cost = 50;
        engine.update(1);
        engine.update(0);
        CHECK(engine.run() == Status::solved);
        CHECK(engine.result().cost == 100);
        CHECK(engine.statistics().contract_violations == 0);
    }
}

TEST_CASE("without memory a search that replans ends, and begins again when it goes on", "[replanning]") {
    Random random(3);
    ChangingGraph<int> graph(random, 1, 1);
    int refused = 0;
    for (std::uint64_t bytes = 2'000; bytes <= 8'000; bytes += 150) {
        npuzzle::LpaStar engine(graph, 0, npuzzle::Zero{}, {.bytes = bytes});
        for (int round = 0; round < 8; ++round) {
            const Status status = engine.run();
            CHECK(engine.statistics().bytes <= bytes);
            if (status == Status::memory_limit) {
                CHECK(engine.result().path.empty());
                ++refused;
            } else {
                check(graph, 0, engine);
            }
            change_arcs(graph, random, engine);
        }
    }
    CHECK(refused > 5);
    CHECK(refused < 300);
}

TEST_CASE("LPA* and D* Lite follow the changes of a map, from which the start of one walks", "[replanning]") {
    Random random(5);
    const std::uint32_t first = 33;
    const std::uint32_t goal = 32 * 24 - 34;
    std::uint32_t start = first;
    Map map =
        Map(32, 24, [](int, int) { return true; }).with_goal(goal).with_weights([](int, int) { return 1.0; });
    Beginnings beginnings;
    npuzzle::LpaStar lpa_star(map, first, npuzzle::OctileDistance{});
    npuzzle::DStarLite d_star_lite(map, start, npuzzle::OctileDistance{}, {}, beginnings);
    const auto run = [&](auto& engine, std::uint32_t from) {
        engine.run();
        const auto result = engine.result();
        const auto expected = npuzzle::astar(map, from, npuzzle::OctileDistance{});
        REQUIRE(result.status == expected.status);
        test::check_path(map, from, result);
        CHECK((!expected || result.cost == Approx(expected.cost).epsilon(1e-13)));
        CHECK(result.statistics.contract_violations == 0);
        return result;
    };
    int unsolvable = 0;
    for (int round = 0; round < 600; ++round) {
        INFO("round " << round);
        run(lpa_star, first);
        const auto result = run(d_star_lite, start);
        unsolvable += result ? 0 : 1;
        if (result) {
            start = result.path[std::min<std::size_t>(result.path.size() - 1, random.below(3))];
        }
        start = start == goal ? static_cast<std::uint32_t>(random.below(map.size())) : start;
        d_star_lite.move_start(start);
        const auto tell = [&](const auto& changed) {
            for (const auto cell : changed) {
                lpa_star.update(cell);
                d_star_lite.update(cell);
            }
        };
        for (int i = random.between(0, 6); i > 0; --i) {
            const auto cell = static_cast<std::uint32_t>(random.below(map.size()));
            if (cell != goal && cell != first) {
                tell(random.one_in(4) ? map.set_weight(cell, random.between(4, 12) / 4.0)
                                      : map.set_free(cell, random.one_in(2)));
            }
        }
        tell(map.set_free(start, true));
    }
    CHECK(unsolvable > 10);
    CHECK(unsolvable < 300);
    CHECK(beginnings.count == 1);
}

TEST_CASE("a change is cheap at the end that a search goes to, and nothing changed costs nothing",
          "[replanning]") {
    Map map = Map(60, 60, [](int x, int y) { return x + y != 60 || y < 5 || y > 54; }).with_goal(60 * 60 - 1);
    npuzzle::LpaStar engine(map, 0, npuzzle::OctileDistance{});
    engine.run();
    const auto all = engine.statistics().expanded;
    engine.update(map.goal());
    CHECK(engine.run() == Status::solved);
    CHECK(engine.statistics().expanded == 0);
    const auto path = engine.result().path;
    for (const auto cell : map.set_free(path[path.size() - 4], false)) {
        engine.update(cell);
    }
    CHECK(engine.run() == Status::solved);
    CHECK(engine.result().cost == Approx(npuzzle::astar(map, 0, npuzzle::OctileDistance{}).cost));
    CHECK(20 * engine.statistics().expanded < all);
    CHECK(engine.statistics().expanded > 0);

    npuzzle::DStarLite backward(map, 0, npuzzle::OctileDistance{});
    backward.run();
    for (const auto cell : backward.result().path) {
        backward.move_start(cell);
        CHECK(backward.run() == Status::solved);
        CHECK(backward.statistics().expanded == 0);
    }
}

TEST_CASE("LPA* gives the moves of a problem that has them", "[replanning]") {
    struct Back : test::WithMoves<test::Ring> {
        using test::WithMoves<test::Ring>::WithMoves;
        int goal() const { return goal_vertex; }
        std::vector<npuzzle::Edge<int, int>> predecessors(int to) const {
            std::vector<npuzzle::Edge<int, int>> result;
            for (int from = 0; from < 61; ++from) {
                for (const auto& edge : neighbors(from)) {
                    if (edge.to == to) {
                        result.push_back({from, edge.cost});
                    }
                }
            }
            return result;
        }
    };
    const Back back(3, 61, 17);
    npuzzle::LpaStar engine(back, 0, npuzzle::Zero{});
    engine.run();
    const auto result = engine.result();
    REQUIRE(result.status == Status::solved);
    CHECK(result.cost == npuzzle::astar(back, 0, npuzzle::Zero{}).cost);
    int vertex = 0;
    for (const auto move : result.moves) {
        back.apply(vertex, move);
    }
    CHECK(vertex == 17);
    CHECK(result.moves.size() + 1 == result.path.size());
}

TEST_CASE("D* Lite with a heuristic that is not bound keeps its start", "[replanning]") {
    const auto none = [](int) { return 0; };
    using Engine = npuzzle::DStarLite<ChangingGraph<int>, decltype(none)>;
    CHECK_FALSE(std::invocable<decltype([](auto& engine) -> decltype(engine.move_start(0)) {}), Engine&>);
}
