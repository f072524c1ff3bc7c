#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/problem_from.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

std::vector<int> successors(int x) {
    return {x + 1, 2 * x};
}

} // namespace

TEST_CASE("two lambdas make a problem of unit costs", "[problem_from]") {
    const auto problem = npuzzle::problem_from<int>(successors, [](int x) { return x == 10; });
    STATIC_REQUIRE(npuzzle::Problem<std::remove_const_t<decltype(problem)>>);
    STATIC_REQUIRE_FALSE(npuzzle::is_weighted<std::remove_const_t<decltype(problem)>>);
    CHECK(problem.neighbors(5) == std::vector{6, 10});
    CHECK(problem.is_goal(10));
    CHECK_FALSE(problem.is_goal(11));
    CHECK(npuzzle::astar(problem, 1, npuzzle::Zero{}).path == std::vector{1, 2, 4, 5, 10});
}

TEST_CASE("lambdas that yield edges make a weighted problem", "[problem_from]") {
    using Edge = npuzzle::Edge<std::string, double>;
    const auto problem = npuzzle::problem_from<std::string>(
        [](const std::string& s) { return std::vector<Edge>{{s + "a", 0.5}, {s + "bb", 0.75}}; },
        [](const std::string& s) { return s.size() == 3; });
    STATIC_REQUIRE(std::same_as<npuzzle::cost_t<std::remove_const_t<decltype(problem)>>, double>);
    const auto result = npuzzle::astar(problem, "", npuzzle::Zero{});
    CHECK(result.cost == 1.25);
    CHECK(result.path.back().size() == 3);
}

TEST_CASE("what the callables hold is held by the problem", "[problem_from]") {
    SECTION("a copy") {
        auto steps = std::make_shared<std::vector<int>>(std::vector{1, 5});
        const std::weak_ptr<std::vector<int>> watch = steps;
        {
            const auto problem = npuzzle::problem_from<int>(
                [steps](int x) { return std::vector{x + (*steps)[0], x + (*steps)[1]}; },
                [](int x) { return x == 12; });
            steps.reset();
            CHECK_FALSE(watch.expired());
            CHECK(npuzzle::astar(problem, 0, npuzzle::Zero{}).cost == 4);
        }
        CHECK(watch.expired());
    }
    SECTION("what can only be moved") {
        auto goal = std::make_unique<int>(3);
        const auto problem =
            npuzzle::problem_from<int>(successors, [goal = std::move(goal)](int x) { return x == *goal; });
        CHECK(npuzzle::astar(problem, 1, npuzzle::Zero{}).cost == 2);
    }
    SECTION("a std::function") {
        const std::function<bool(int)> is_goal = [](int x) { return x == 6; };
        const auto problem = npuzzle::problem_from<int>(std::function(successors), is_goal);
        CHECK(npuzzle::astar(problem, 1, npuzzle::Zero{}).cost == 3);
    }
}

TEST_CASE("the range of neighbors may be a reference, or pass by once", "[problem_from]") {
    const std::vector<std::vector<int>> lists{{1, 2}, {3}, {3}, {}};
    const auto by_reference = npuzzle::problem_from<int>(
        [&](int x) -> const std::vector<int>& { return lists[static_cast<std::size_t>(x)]; },
        [](int x) { return x == 3; });
    STATIC_REQUIRE(std::is_lvalue_reference_v<decltype(by_reference.neighbors(0))>);
    CHECK(&by_reference.neighbors(1) == &lists[1]);
    CHECK(npuzzle::astar(by_reference, 0, npuzzle::Zero{}).cost == 2);

    const auto once = npuzzle::problem_from<int>(
        [&](int x) { return archetype::InputRange<int>(lists[static_cast<std::size_t>(x)]); },
        [](int x) { return x == 3; });
    CHECK(npuzzle::astar(once, 0, npuzzle::Zero{}).cost == 2);
}
