// As in a release build: promises are counted, and not asserted.
#define NPUZZLE_ASSERT(condition) static_cast<void>(0)

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/external_astar.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/k_shortest_paths.hpp>
#include <npuzzle/search/layers.hpp>
#include <npuzzle/search/parallel/parallel_astar.hpp>
#include <npuzzle/search/replanning.hpp>

#include "support/catch.hpp"
#include "support/family.hpp"
#include "support/problems.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace {

using npuzzle::astar;
using npuzzle::Status;
using npuzzle::Zero;

struct Declares {
    static constexpr bool is_consistent = true;
    int operator()(int vertex) const { return vertex == 0 ? 5 : vertex == 1 ? 3 : 0; }
};

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// From 0 by 1 or by 2 to 3, which is nearer by 1: steps lead both ways.
struct Square : test::Graph<double> {
    static constexpr bool is_undirected = true;

    explicit Square(double step) : test::Graph<double>(4) {
        connect(0, 1, step).connect(1, 0, step).connect(1, 3, 1).connect(3, 1, 1);
        connect(0, 2, 2).connect(2, 0, 2).connect(2, 3, 2).connect(3, 2, 2).add_goal(3);
    }
    [[nodiscard]] static int goal() { return 3; }
};

/// Calls `check(name, result)` for searches of each kind.
template <class F>
void with_each_search(const Square& square, const test::Table<double>& heuristic, F check) {
    npuzzle::SilentObserver silent;
    const auto check_member = [&](const auto& member, const auto& result) { check(member.name, result); };
    test::with_each_graph_search(square, 0, heuristic, false, {}, silent, check_member);
    check("parallel A*", npuzzle::parallel_astar(square, 0, heuristic, {.threads = 2}));
    check("MM", npuzzle::bidirectional_astar<npuzzle::MeetInTheMiddle>(square, 0, heuristic, heuristic));
    check("BAE*", npuzzle::bidirectional_astar<npuzzle::BaeStar>(square, 0, heuristic, heuristic));
    check("LPA*", test::result_of(npuzzle::LpaStar(square, 0, heuristic)));
    check("D* Lite", test::result_of(npuzzle::DStarLite(square, 0, heuristic)));
}

} // namespace

TEST_CASE("a goal with an estimate other than zero is counted, and accepted", "[contract_violations]") {
    test::Graph<int> graph(2);
    graph.connect(0, 1, 1).add_goal(1);
    for (const int estimate : {1, -1}) {
        const auto result = astar(graph, 0, [&](int vertex) { return vertex == 1 ? estimate : 0; });
        CHECK(result.status == Status::solved);
        CHECK(result.cost == 1);
        CHECK(result.statistics.contract_violations == 1);
    }
    CHECK(astar(graph, 1, [](int) { return 3; }).statistics.contract_violations == 1);
    CHECK(astar(graph, 0, Zero{}).statistics.contract_violations == 0);
}

TEST_CASE("a step of negative cost is counted, and not followed", "[contract_violations]") {
    test::Graph<int> graph(4);
    graph.connect(0, 1, -1).connect(0, 1, -7).connect(0, 2, 4).connect(2, 3, 4).connect(1, 3, 1).add_goal(3);
    const auto result = astar(graph, 0, Zero{});
    CHECK(result.status == Status::solved);
    CHECK(result.cost == 8);
    CHECK(result.path == std::vector{0, 2, 3});
    CHECK(result.statistics.contract_violations == 2);
    CHECK(result.statistics.generated == 4);

    test::Graph<double> infinitely(2);
    infinitely.connect(0, 1, -std::numeric_limits<double>::infinity()).add_goal(1);
    CHECK(astar(infinitely, 0, Zero{}).status == Status::unsolvable);
    CHECK(astar(infinitely, 0, Zero{}).statistics.contract_violations == 1);

    test::Graph<double> walled(4);
    walled.connect(0, 1, 1)
        .connect(1, 2, std::numeric_limits<double>::infinity())
        .connect(1, 3, -1)
        .add_goal(3);
    const auto fewest = npuzzle::breadth_first(walled, 0);
    CHECK(fewest.status == Status::unsolvable);
    CHECK(fewest.statistics.contract_violations == 1);
    const auto layers = npuzzle::breadth_first_layers(walled, 0);
    CHECK(layers.counts == std::vector<std::uint64_t>{1, 1});
    CHECK(layers.statistics.contract_violations == 1);
    walled.connect(0, 3, not_a_number);
    CHECK(npuzzle::breadth_first_layers(walled, 0).status == Status::cost_overflow);

    // Nor is it the way back to where a state was reached from.
    test::Graph<int> doubled(5);
    doubled.connect(0, 2, 5).connect(0, 1, 1).connect(1, 2, 2).connect(2, 3, -1).connect(2, 3, 1);
    doubled.connect(3, 4, 10).add_goal(4);
    CHECK(npuzzle::external_astar(doubled, 0, [](int vertex) { return vertex == 1 ? 13 : 0; }, {}).cost ==
          14);

    test::Graph<std::int8_t> narrow(2);
    narrow.connect(0, 1, -128).add_goal(1);
    CHECK(astar(narrow, 0, Zero{}).status == Status::unsolvable);
    CHECK(astar(narrow, 0, Zero{}).statistics.contract_violations == 1);
}

TEST_CASE("a step whose cost is NaN is counted, not followed, and nothing is proved without it",
          "[contract_violations]") {
    const Square square(not_a_number);
    with_each_search(square, {}, [](const auto& name, const auto& result) {
        INFO(name);
        CHECK(result.status == Status::solved);
        CHECK(result.cost == 4);
        CHECK(result.statistics.contract_violations > 0);
    });
    Square cut_off(not_a_number);
    cut_off.edges[0].pop_back();
    cut_off.edges[2].clear();
    with_each_search(cut_off, {}, [](const auto& name, const auto& result) {
        INFO(name);
        CHECK(result.status == Status::cost_overflow);
        CHECK(result.statistics.contract_violations > 0);
    });
    const npuzzle::BasicLimits<double> bounded{.max_cost = 100};
    CHECK(astar(cut_off, 0, Zero{}, bounded).status == Status::cost_overflow);
    CHECK(npuzzle::ida_star(cut_off, 0, Zero{}, bounded).status == Status::cost_overflow);
    CHECK(npuzzle::k_shortest_paths(cut_off, 0, Zero{}, 2, bounded).status == Status::cost_overflow);
    CHECK(npuzzle::bidirectional_astar(cut_off, 0, Zero{}, bounded).status == Status::cost_overflow);
}

TEST_CASE("a step that becomes NaN between two searches leaves nothing proved", "[contract_violations]") {
    Square square(1);
    square.edges[0].pop_back();
    square.edges[2].clear();
    npuzzle::LpaStar search(square, 0, Zero{}, {.max_cost = 10.0});
    REQUIRE(search.run() == Status::solved);
    square.edges[0][0].cost = square.edges[1][0].cost = not_a_number;
    search.update(1);
    search.update(0);
    CHECK(search.run() == Status::cost_overflow);
    CHECK(search.result().statistics.contract_violations > 0);
}

TEST_CASE("a search that replans proves nothing once it has seen NaN", "[contract_violations]") {
    Square dear(1);
    dear.edges[0][0].cost = dear.edges[1][0].cost = not_a_number;
    npuzzle::LpaStar bounded(dear, 0, Zero{}, {.max_cost = 3.0});
    CHECK(bounded.run() == Status::cost_overflow);
    Square cut_off(not_a_number);
    cut_off.edges[2].pop_back();
    npuzzle::LpaStar interrupted(cut_off, 0, Zero{}, {.expansions = 1, .max_cost = 100.0});
    CHECK(interrupted.run() == Status::expansion_limit);
    while (interrupted.status() == Status::expansion_limit) {
        interrupted.resume();
        interrupted.run();
    }
    CHECK(interrupted.status() == Status::cost_overflow);
}

TEST_CASE("a search that restarts proves what a new one proves", "[contract_violations]") {
    // From 0 a path costs more than the type can hold. From 1 one step is negative, and the other too dear.
    test::Graph<double> graph(4);
    graph.connect(0, 2, 1.5e308).connect(2, 3, 1.5e308).connect(1, 2, -1).connect(1, 3, 1000).add_goal(3);
    const npuzzle::BasicLimits<double> bounded{.max_cost = 100};
    npuzzle::AStar engine(graph, 0, Zero{});
    CHECK(engine.run() == Status::cost_overflow);
    engine.restart(1, bounded);
    CHECK(engine.run() == Status::cost_limit);
    CHECK(engine.statistics().contract_violations == 1);
    CHECK(astar(graph, 1, Zero{}, bounded).status == Status::cost_limit);
}

TEST_CASE("an estimate that is NaN is counted, and taken for zero", "[contract_violations]") {
    const Square square(1);
    for (const int wrong : {0, 1, 2}) {
        with_each_search(square, {{{wrong, not_a_number}}}, [](std::string_view name, const auto& result) {
            INFO(name);
            CHECK(result.status == Status::solved);
            CHECK((result.cost == 2 || (name == "greedy" && result.cost == 4)));
            CHECK((result.statistics.contract_violations > 0 || name == "Dijkstra"));
        });
    }
}

TEST_CASE("a bound on the cost or a weight that is NaN is refused", "[contract_violations]") {
    const Square square(1);
    using Limits = npuzzle::BasicLimits<double>;
    CHECK_THROWS_AS(astar(square, 0, Zero{}, Limits{.max_cost = not_a_number}), std::invalid_argument);
    CHECK_THROWS_AS(npuzzle::bidirectional_astar(square, 0, Zero{}, Limits{.max_cost = not_a_number}),
                    std::invalid_argument);
    CHECK_THROWS_AS(npuzzle::weighted_astar(square, 0, Zero{}, {.weight = not_a_number}),
                    std::invalid_argument);
    CHECK_THROWS_AS(npuzzle::XdpPriority(not_a_number), std::invalid_argument);
    CHECK_THROWS_AS(npuzzle::XupPriority(not_a_number), std::invalid_argument);
}

TEST_CASE("an f that falls is counted where consistency was declared", "[contract_violations]") {
    // f is 5 at 0, 4 at 1 and 3 at 2: two falls. By the step from 0 to 3, of cost 7, it rises.
    test::Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(1, 2, 2).connect(2, 3, 2).connect(0, 3, 7).add_goal(3);
    const auto result = astar(graph, 0, Declares{});
    CHECK(result.cost == 5);
    CHECK(result.statistics.contract_violations == 2);

    const Declares lvalue;
    CHECK(astar(graph, 0, lvalue).statistics.contract_violations == 2);
    CHECK(astar(graph, 0, npuzzle::MaxOf{Declares{}, Zero{}}).statistics.contract_violations == 2);
    // A consistent heuristic times a factor need not be consistent, and does not say that it is.
    CHECK(astar(graph, 0, npuzzle::Scaled{Declares{}, 1}).statistics.contract_violations == 0);
    CHECK(astar(graph, 0, [](int vertex) { return Declares{}(vertex); }).statistics.contract_violations == 0);
}
