#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/combinators.hpp>
#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/core/problem_from.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/stairs.hpp"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace {

using npuzzle::astar;
using npuzzle::MarksDeadEnds;
using npuzzle::MaxOf;
using npuzzle::Scaled;
using npuzzle::SumOf;
using npuzzle::Zero;
using test::Stairs;
using test::Thirds;
using test::thirds;

template <class Bound>
auto value_at(Bound bound, int x) {
    return bound(x);
}

} // namespace

TEST_CASE("the greatest of several heuristics", "[heuristic]") {
    const Stairs stairs;
    const auto bind = [&](const auto& heuristic) { return npuzzle::bind_heuristic(heuristic, stairs); };
    const auto fives = [](int x) { return x < 30 ? 5 : 0; };
    CHECK(value_at(bind(MaxOf{Thirds{}, fives}), 0) == 10);
    CHECK(value_at(bind(MaxOf{Thirds{}, fives}), 27) == 5);
    CHECK(value_at(bind(MaxOf{Thirds{}}), 0) == 10);
    CHECK(value_at(bind(MaxOf{[](int) { return 1; }, [](int) { return 2.5; }, [](int) { return 2; }}), 0) ==
          2.5);
    CHECK(value_at(bind(MaxOf{Thirds{}, [](int) { return 0.5; }}), 31) ==
          std::numeric_limits<double>::infinity());

    const auto result = astar(stairs, 0, MaxOf{Zero{}, Thirds{}, thirds});
    CHECK(result.cost == 10);
    CHECK(result.statistics.expanded == astar(stairs, 0, Thirds{}).statistics.expanded);
    const MaxOf lvalue{Zero{}, Thirds{}};
    CHECK(astar(stairs, 0, lvalue).cost == 10);
}

TEST_CASE("the sum of several heuristics", "[heuristic]") {
    const Stairs stairs;
    const auto bind = [&](const auto& heuristic) { return npuzzle::bind_heuristic(heuristic, stairs); };
    CHECK(value_at(bind(SumOf{Thirds{}, [](int) { return 2; }, [](int) { return 0.5; }}), 0) == 12.5);
    constexpr int infinite = std::numeric_limits<int>::max();
    CHECK(value_at(bind(SumOf{[](int) { return infinite - 1; }, [](int) { return 5; }}), 0) == infinite);
    CHECK(value_at(bind(SumOf{Thirds{}, Zero{}}), 31) == infinite);
    CHECK(astar(stairs, 0, SumOf{Thirds{}, Zero{}}).cost == 10);

    // Two counters, each of which looks at steps that the other does not: east and north.
    const auto grid = npuzzle::problem_from<std::pair<int, int>>(
        [](std::pair<int, int> p) {
            return std::vector<std::pair<int, int>>{{p.first + 1, p.second}, {p.first, p.second + 1}};
        },
        [](std::pair<int, int> p) { return p == std::pair{9, 9}; });
    const auto east = [](std::pair<int, int> p) { return p.first <= 9 ? 9 - p.first : infinite; };
    const auto north = [](std::pair<int, int> p) { return p.second <= 9 ? 9 - p.second : infinite; };
    const auto result = astar(grid, {0, 0}, SumOf{east, north});
    CHECK(result.cost == 18);
    CHECK(result.statistics.expanded == 18);
}

TEST_CASE("a heuristic times a factor", "[heuristic]") {
    const Stairs stairs;
    const auto bind = [&](const auto& heuristic) { return npuzzle::bind_heuristic(heuristic, stairs); };
    CHECK(value_at(bind(Scaled{Thirds{}, 3}), 0) == 30);
    CHECK(value_at(bind(Scaled{Thirds{}, 1.5}), 0) == 15.0);
    CHECK(value_at(bind(Scaled{Thirds{}, 3}), 31) == std::numeric_limits<int>::max());
    CHECK(value_at(bind(Scaled{Thirds{}, 0.5}), 31) == std::numeric_limits<double>::infinity());
    CHECK(value_at(bind(Scaled{[](int) { return 1 << 30; }, 2}), 0) == std::numeric_limits<int>::max());
    CHECK(value_at(bind(MaxOf{Scaled{Thirds{}, 2}, SumOf{Zero{}, Zero{}}}), 0) == 20);
    CHECK(astar(stairs, 0, Scaled{Thirds{}, 1}).statistics.expanded ==
          astar(stairs, 0, thirds).statistics.expanded);
}

TEST_CASE("what a combination cannot hold is no dead end, and a dead end stays one", "[heuristic]") {
    const Stairs stairs;
    const auto value = [&](const auto& heuristic) {
        return value_at(npuzzle::bind_heuristic(heuristic, stairs), 0);
    };
    constexpr int infinite = std::numeric_limits<int>::max();
    const auto byte = [](int) { return std::uint8_t{255}; };
    const auto most = [](int) { return infinite; };
    const MarksDeadEnds dead_byte{[](int) { return std::uint8_t{255}; }};
    const MarksDeadEnds half_of_all{[](int) { return infinite / 2 + 1; }};

    CHECK(value(SumOf{byte, byte}) == 510);
    CHECK(value(SumOf{[](int) { return true; }, [](int) { return true; }}) == 2);
    CHECK(value(MaxOf{byte, [](int) { return 7; }}) == 255);
    CHECK(value(Scaled{byte, std::uint8_t{2}}) == 510);
    CHECK(value(Scaled{most, 0}) == 0);

    // Beside parts that mark dead ends, the others and finite sums stay below the greatest value.
    CHECK(value(SumOf{dead_byte, [](int) { return -7; }}) == infinite);
    CHECK(value(MaxOf{dead_byte, [](int) { return 0; }}) == infinite);
    CHECK(value(MaxOf{dead_byte, [](int) { return 0.5; }}) == std::numeric_limits<double>::infinity());
    CHECK(value(MaxOf{half_of_all, most}) == infinite - 1);
    CHECK(value(SumOf{half_of_all, half_of_all}) == infinite - 1);
    CHECK(value(Scaled{half_of_all, 2}) == infinite - 1);
    CHECK(value(Scaled{dead_byte, 0}) == infinite);
    CHECK(value(Scaled{dead_byte, 0.0}) == std::numeric_limits<double>::infinity());

    const auto bound = npuzzle::bind_heuristic(npuzzle::LazyMaxOf{SumOf{Thirds{}, Zero{}}, Zero{}}, stairs);
    STATIC_REQUIRE(npuzzle::declares_dead_ends<decltype(bound)>);
    STATIC_REQUIRE(!npuzzle::declares_dead_ends<npuzzle::bound_t<MaxOf<Zero>, Stairs>>);
}
