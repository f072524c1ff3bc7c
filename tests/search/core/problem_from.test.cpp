#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/problem_from.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

std::vector<int> successors(int x) {
    return {x + 1, 2 * x};
}

bool is_ten(int x) {
    return x == 10;
}

/// A state with the names that a problem has.
struct Number {
    enum class State { even, odd };
    int value;

    std::vector<Number> neighbors() const { return {{value + 1}, {2 * value}}; }
    bool is_goal() const { return value == 10; }
    friend bool operator==(const Number&, const Number&) = default;
};

} // namespace

TEST_CASE("a start and callables are searched without a problem", "[problem_from]") {
    using npuzzle::astar;
    const auto distance = [](int x) { return x < 10 ? 1 : 0; };
    const std::vector path{1, 2, 4, 5, 10};
    npuzzle::Limits two{.expansions = 2};
    npuzzle::SilentObserver silent;
    SECTION("with a heuristic") {
        CHECK(astar(1, successors, distance, is_ten).path == path);
        CHECK(astar(1, &successors, npuzzle::Zero{}, &is_ten).path == path);
        CHECK(astar<npuzzle::HeapPolicy>(1, successors, distance, is_ten).path == path);
        CHECK(astar(1, successors, distance, is_ten, {.expansions = 2}).statistics.expanded == 2);
        CHECK(astar(1, successors, distance, is_ten, {.max_cost = 3}).status == npuzzle::Status::cost_limit);
        CHECK(astar(1, successors, distance, is_ten, two, silent).statistics.expanded == 2);
    }
    SECTION("without one") {
        CHECK(astar(1, successors, is_ten).path == path);
        CHECK(astar(1, successors, is_ten, {.expansions = 2}).statistics.expanded == 2);
        CHECK(astar(1, successors, is_ten, two).statistics.expanded == 2);
        CHECK(astar(1, successors, is_ten, two, silent).statistics.expanded == 2);
    }
    SECTION("callables that change when they are called") {
        int calls = 0;
        const auto result = astar(
            1,
            [&calls, own = 0](int x) mutable {
                calls = ++own;
                return successors(x);
            },
            is_ten);
        CHECK(result.path == path);
        CHECK(static_cast<std::uint64_t>(calls) == result.statistics.expanded);
    }
    SECTION("a state that has neighbors itself") {
        const auto result = astar(
            Number{1}, [](const Number& x) { return x.neighbors(); }, [](const auto&) { return 0; },
            [](const auto& x) { return x.is_goal(); });
        CHECK(result.cost == 4);
    }
}

TEST_CASE("a pair of a state and a cost is an edge", "[problem_from]") {
    const std::map<std::string, std::map<std::string, double>> roads{
        {"Ulm", {{"Augsburg", 85}, {"Stuttgart", 93}}},
        {"Augsburg", {{"Munich", 80}}},
        {"Stuttgart", {{"Munich", 220}}},
        {"Munich", {}}};
    const auto neighbors = [&](const std::string& town) -> const auto& { return roads.at(town); };
    const auto result = npuzzle::astar(std::string("Ulm"), neighbors,
                                       [](const std::string& town) { return town == "Munich"; });
    CHECK(result.cost == 165);
    CHECK(result.path == std::vector<std::string>{"Ulm", "Augsburg", "Munich"});
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
