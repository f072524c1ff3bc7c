#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/verify_consistency.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <vector>

namespace {

using npuzzle::HeuristicFault;
using npuzzle::verify_consistency;
using npuzzle::Zero;

using WalkedRing = test::WithMoves<test::Ring>;

std::vector<int> all_vertices(int count) {
    std::vector<int> result;
    for (int vertex = 0; vertex < count; ++vertex) {
        result.push_back(vertex);
    }
    return result;
}

/// Counts down from its number, in ones.
struct Countdown {
    using State = int;
    std::vector<int> neighbors(int x) const { return x > 0 ? std::vector<int>{x - 1} : std::vector<int>{}; }
    bool is_goal(int x) const { return x == 0; }
};

} // namespace

TEST_CASE("true distances have no fault", "[verify]") {
    int steps = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto graph = test::random_graph<int>(seed, 40, 90, 1);
        const test::Table<int> exact{oracle::costs_to_goal<int>(graph, 0)};
        // A vertex that is not in the table cannot reach a goal, or cannot be reached.
        const npuzzle::MarksDeadEnds heuristic{[&](int vertex) {
            const auto found = exact.values.find(vertex);
            return found == exact.values.end() ? std::numeric_limits<int>::max() : found->second;
        }};
        std::vector<int> reachable;
        for (const auto& [vertex, value] : exact.values) {
            reachable.push_back(vertex);
        }
        const auto report = verify_consistency(graph, heuristic, reachable);
        CHECK(report);
        CHECK(report.states == reachable.size());
        steps += static_cast<int>(report.steps);
    }
    CHECK(steps > 1000);
}

TEST_CASE("a planted fault is found wherever it is, and told", "[verify]") {
    for (int vertex = 1; vertex < 40; ++vertex) {
        const auto spoilt = [&](int x) { return x == vertex ? x + 1 : x; };
        const auto report = verify_consistency(Countdown{}, spoilt, all_vertices(60));
        CHECK_FALSE(report);
        CHECK(report.fault == HeuristicFault::steep_step);
        CHECK(report.from == vertex);
        CHECK(report.to == vertex - 1);
        CHECK(report.from_value == vertex + 1);
        CHECK(report.to_value == vertex - 1);
        CHECK(report.cost == 1);
    }
    std::ostringstream text;
    text << verify_consistency(Countdown{}, [](int x) { return x == 5 ? 9 : x; }, {3, 5});
    CHECK(text.str() == "not consistent: the value falls from 9 to 4 along a step that costs 1\n5\n4");
}

TEST_CASE("a goal of a value above zero is found", "[verify]") {
    const auto report = verify_consistency(Countdown{}, [](int x) { return x + 1; }, all_vertices(3));
    CHECK(report.fault == HeuristicFault::goal_above_zero);
    CHECK(report.from == 0);
    CHECK(report.from_value == 1);
    CHECK_FALSE(report.to.has_value());
    std::ostringstream text;
    text << report;
    CHECK(text.str() == "not admissible: a goal has the value 1\n0");
    CHECK(verify_consistency(Countdown{}, [](int x) { return x - 1; }, all_vertices(3)));
}

TEST_CASE("random walks go where no sample is", "[verify]") {
    const auto spoilt = [](int x) { return x == 3 ? 9 : x; };
    CHECK(verify_consistency(Countdown{}, spoilt, {40}));
    CHECK(verify_consistency(Countdown{}, spoilt, {40}, 36));
    const auto report = verify_consistency(Countdown{}, spoilt, {40}, 37);
    CHECK_FALSE(report);
    CHECK(report.states == 38);
    // A walk that comes to where no step leads on ends there.
    CHECK(verify_consistency(Countdown{}, [](int x) { return x; }, {40}, 1000).states == 41);
}

TEST_CASE("what follows moves wrongly is found, by values and by evaluations", "[verify]") {
    struct ByValue {
        int operator()(int) const { return 0; }
        int after(int, int, std::uint8_t, int after) const { return after == 7 ? 1 : 0; }
    };
    struct ByEvaluation {
        struct Evaluation {
            int value = 0;
        };
        int operator()(int) const { return 0; }
        Evaluation evaluate(int) const { return {}; }
        Evaluation after(const Evaluation&, int, std::uint8_t, int after) const {
            return {after == 7 ? 1 : 0};
        }
        int value(const Evaluation& evaluation) const { return evaluation.value; }
    };
    const WalkedRing ring(1, 200, 100);
    const auto check = [&](const auto& heuristic) {
        const auto report = verify_consistency(ring, heuristic, all_vertices(200));
        CHECK(report.fault == HeuristicFault::wrong_after);
        CHECK(report.to == 7);
        CHECK(report.to_value == 0);
        CHECK(report.followed_value == 1);
        std::ostringstream text;
        text << report;
        CHECK(text.str().find("the move gives the value 1, from scratch it is 0") == 0);
    };
    check(ByValue{});
    check(ByEvaluation{});
    CHECK(verify_consistency(ring, Zero{}, all_vertices(200)));
}

TEST_CASE("neither rounding nor an infinite value behind a finite one is a fault", "[verify]") {
    constexpr int infinite = std::numeric_limits<int>::max();
    CHECK(verify_consistency(Countdown{}, [](int x) { return x < 5 && x > 0 ? infinite : 0; }, {5}));
    CHECK_FALSE(verify_consistency(Countdown{}, [](int x) { return x < 5 ? 0 : infinite; }, {5}));

    test::Graph<double> graph(3);
    graph.connect(0, 1, 0.1).connect(1, 2, 0.2).add_goal(2);
    const std::array<double, 3> values{0.1 + 0.2, 0.2, 0.0};
    const auto exact = [&](int vertex) { return values[static_cast<std::size_t>(vertex)]; };
    CHECK(verify_consistency(graph, exact, all_vertices(3)));
    CHECK_FALSE(
        verify_consistency(graph, [&](int vertex) { return exact(vertex) * 1.001; }, all_vertices(3)));
}
