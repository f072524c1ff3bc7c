#include <npuzzle/search/compare_heuristics.hpp>
#include <npuzzle/search/core/heuristic.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using npuzzle::compare_heuristics;
using npuzzle::compare_heuristics_by;
using npuzzle::Named;
using npuzzle::Zero;

const std::vector<test::Pancakes::State> stacks{{3, 1, 2, 5, 4}, {5, 3, 1, 2, 4}, {1, 2, 3, 4, 5}};

} // namespace

TEST_CASE("a comparison adds up what the searches say", "[compare]") {
    const test::Pancakes pancakes;
    const auto comparison =
        compare_heuristics(pancakes, stacks, Named{"none", Zero{}}, Named{"gaps", test::PancakeGaps{}});
    REQUIRE(comparison.rows.size() == 2);
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    double cost = 0;
    double value = 0;
    for (const auto& stack : stacks) {
        const auto result = npuzzle::astar(pancakes, stack, test::PancakeGaps{});
        expanded += result.statistics.expanded;
        generated += result.statistics.generated;
        cost += result.cost;
        value += test::PancakeGaps{}(stack);
    }
    const auto& gaps = comparison.rows[1];
    CHECK(gaps.name == "gaps");
    CHECK(gaps.starts == 3);
    CHECK(gaps.solved == 3);
    CHECK(gaps.expanded == expanded);
    CHECK(gaps.generated == generated);
    CHECK(gaps.mean_cost == cost / 3);
    CHECK(gaps.mean_value == value / 3);
    const auto& none = comparison.rows[0];
    CHECK(none.mean_cost == gaps.mean_cost);
    CHECK(none.mean_value == 0);
    CHECK(none.expanded > gaps.expanded);
    CHECK(none.seconds > 0);
}

TEST_CASE("the table has a line for each heuristic", "[compare]") {
    npuzzle::HeuristicComparison comparison;
    comparison.rows.push_back({"Manhattan", 16, 16, 20.5, 25.875, 12345, 20000, 0.0125});
    comparison.rows.push_back({"mine", 16, 9, 101, 26, 7, 9, 12.5});
    CHECK(comparison.text(false) == "heuristic  solved  mean h  mean cost  expanded\n"
                                    "Manhattan   16/16   20.50      25.88     12345\n"
                                    "mine         9/16  101.00      26.00         7\n");
    std::ostringstream text;
    text << comparison;
    CHECK(text.str() == "heuristic  solved  mean h  mean cost  expanded  seconds\n"
                        "Manhattan   16/16   20.50      25.88     12345    0.013\n"
                        "mine         9/16  101.00      26.00         7   12.500\n");
    CHECK(npuzzle::HeuristicComparison{}.text(false) == "heuristic  solved  mean h  mean cost  expanded\n");
}

TEST_CASE("limits hold for each search of a comparison", "[compare]") {
    const test::Pancakes pancakes;
    const auto comparison =
        compare_heuristics(pancakes, stacks, npuzzle::Limits{.expansions = 2}, Named{"none", Zero{}});
    CHECK(comparison.rows[0].solved == 1);
    CHECK(comparison.rows[0].expanded == 4);
    CHECK(comparison.rows[0].mean_cost == 0);
}

TEST_CASE("dead ends do not spoil the mean", "[compare]") {
    test::Graph<int> graph(3);
    graph.connect(0, 1, 5).add_goal(1);
    const npuzzle::MarksDeadEnds heuristic{[](int vertex) {
        return vertex == 0 ? 4 : vertex == 1 ? 0 : std::numeric_limits<int>::max();
    }};
    const auto comparison = compare_heuristics(graph, std::vector<int>{0, 2}, Named{"h", heuristic});
    CHECK(comparison.rows[0].mean_value == 4);
    CHECK(comparison.rows[0].solved == 1);
    CHECK(comparison.rows[0].mean_cost == 5);
    CHECK(compare_heuristics(graph, std::vector<int>{}, Named{"h", heuristic}).rows[0].mean_value == 0);
}

TEST_CASE("another search can be compared by", "[compare]") {
    int searches = 0;
    const auto comparison = compare_heuristics_by(
        [&](const test::Pancakes& problem, const test::Pancakes::State& start, const auto& heuristic) {
            ++searches;
            return npuzzle::astar<npuzzle::ParentOnly>(problem, start, heuristic);
        },
        test::Pancakes{}, stacks, Named{"gaps", test::PancakeGaps{}});
    CHECK(searches == 3);
    CHECK(comparison.rows[0].solved == 3);
}
