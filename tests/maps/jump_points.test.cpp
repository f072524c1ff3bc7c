#include <npuzzle/maps/jump_points.hpp>
#include <npuzzle/search/core/capabilities.hpp>

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/failing_searches.hpp"
#include "support/jump_oracle.hpp"
#include "support/maps.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using npuzzle::CornerRule;
using npuzzle::GridMap;
using npuzzle::GridSteps;
using npuzzle::jump_point_search;
using npuzzle::JumpPoints;
using npuzzle::OctileDistance;
using npuzzle::Sides;
using npuzzle::Status;
using test::Random;
using Cell = std::uint32_t;

static_assert(npuzzle::MoveProblem<JumpPoints<>> && npuzzle::IndexedProblem<JumpPoints<int>>);
static_assert(npuzzle::GridProblem<JumpPoints<short>> && npuzzle::PositionedProblem<JumpPoints<float>>);
static_assert(npuzzle::HasWithGoal<JumpPoints<>> && npuzzle::HasLeastCost<JumpPoints<unsigned char>>);
static_assert(npuzzle::PrunesMoves<JumpPoints<>> && !npuzzle::HasHash<JumpPoints<>>);
static_assert(!npuzzle::BackwardProblem<JumpPoints<>> && !npuzzle::UndirectedProblem<JumpPoints<int>>);

/// A map of one of four kinds, of `size` cells a side.
test::SquareMap random_kind(int kind, int size, Random& random) {
    const auto seed = random.word();
    switch (kind) {
    case 0:
        return test::scattered(size, static_cast<unsigned>(random.between(0, 45)), seed);
    case 1: {
        const int count = size * size / random.between(10, 100);
        return test::blocks(size, count, random.between(1, 8), seed);
    }
    case 2:
        return test::rooms(size, random.between(2, 9), seed);
    default:
        return test::maze(size, seed);
    }
}

} // namespace

TEMPLATE_TEST_CASE("no search by jumps misses a path, by Dijkstra's algorithm on the cells", "[jumps]", int,
                   double) {
    test::JumpOracle<TestType> oracle;
    Random random(5);
    for (int number = 0; number < 2000; ++number) {
        INFO("map " << number);
        const auto below = [&](int count) {
            return static_cast<int>(random.below(static_cast<std::uint64_t>(count)));
        };
        test::with_small_map<TestType>(below, [&](const auto& map, const auto& jumps, Cell start) {
            oracle.check(map, jumps, start, [](const std::string& search) { FAIL_CHECK(search); });
        });
    }
    CHECK(oracle.checks() > 90'000);
    CHECK(oracle.ended() < oracle.checks() / 100);
}

TEST_CASE("jumps follow each change of their map", "[jumps]") {
    Random random(6);
    std::uint64_t expanded = 0;
    std::uint64_t expanded_by_jumps = 0;
    for (int number = 0; number < 48; ++number) {
        INFO("map " << number);
        const auto square = random_kind(number % 4, random.between(60, 70), random); // words have 64 cells
        GridMap<int> map(square.size(), square.size() - 7, [&](int x, int y) { return square.is_free(x, y); },
                         {.sides = number % 8 < 6 ? Sides::eight : Sides::four,
                          .corners = static_cast<CornerRule>(number % 3)});
        const JumpPoints<int> jumps(map);
        for (int change = 0; change < 20; ++change) {
            const auto at = [&](int bound) {
                return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
            };
            const int x = at(map.width());
            const int y = at(map.height());
            map.set_free(x, y, std::min(1 + at(4), map.width() - x), std::min(1 + at(4), map.height() - y),
                         random.one_in(2));
            const auto start = map.cell(at(map.width()), at(map.height()));
            const auto goal = map.cell(at(map.width()), at(map.height()));
            const auto costs = oracle::costs_from<int>(map, start);
            const auto result = jump_point_search(jumps.with_goal(goal), start);
            const auto found = costs.find(goal);
            REQUIRE(result.status == (found == costs.end() ? Status::unsolvable : Status::solved));
            if (!result) continue;
            REQUIRE(result.cost == found->second);
            REQUIRE(oracle::path_cost<int>(map, result.path) == found->second);
            expanded_by_jumps += result.statistics.expanded;
            expanded += npuzzle::astar(map.with_goal(goal), start, OctileDistance{}).statistics.expanded;
        }
    }
    CHECK(2 * expanded_by_jumps < expanded);
}

TEST_CASE("a jump is a line of steps that turns at most once", "[jumps]") {
    Random random(4);
    for (int number = 0; number < 200; ++number) {
        const auto square = random_kind(number % 4, random.between(5, 40), random);
        const GridMap<int> plain(square.size(), square.size(),
                                 [&](int x, int y) { return square.is_free(x, y); },
                                 {.corners = static_cast<CornerRule>(number % 3)});
        const auto map = plain.with_goal(static_cast<Cell>(random.below(plain.size())));
        const JumpPoints<int> jumps(map);
        const auto from = static_cast<Cell>(random.below(map.size()));
        std::vector<npuzzle::Edge<Cell, int>> ends;
        jumps.for_each_move(from, jumps.no_move, [&](const npuzzle::Jump& jump) {
            Cell to = from;
            jumps.apply(to, jump);
            ends.push_back({to, jumps.move_cost(from, jump)});
            const auto cells = npuzzle::cells_along(jumps, {from, to});
            CHECK(cells.size() == jump.diagonal_length + jump.length + std::size_t{1});
            CHECK(npuzzle::turning_points(jumps, {from, to}).size() == (jump.diagonal_length > 0 ? 3 : 2));
            CHECK(oracle::path_cost<int>(map, cells) == ends.back().cost);
            jumps.apply(to, jumps.inverse(jump));
            CHECK(to == from);
        });
        const auto neighbors = jumps.neighbors(from);
        CHECK(std::equal(neighbors.begin(), neighbors.end(), ends.begin(), ends.end()));
    }
}

TEST_CASE("from where nothing is in the way to the goal, the only jump is to the goal", "[jumps]") {
    Random random(7);
    int seen = 0;
    for (int number = 0; number < 400; ++number) {
        INFO("map " << number);
        const auto square = random_kind(number % 4, random.between(60, 140), random);
        const GridMap<int> map(square.size(), square.size(),
                               [&](int x, int y) { return square.is_free(x, y); },
                               {.corners = static_cast<CornerRule>(number % 3)});
        const auto at = [&] { return random.between(0, square.size() - 1); };
        const int x = at();
        const int y = at();
        const Cell goal = map.cell(x, y);
        const Cell from = map.cell(std::clamp(x + random.between(-30, 30), 0, square.size() - 1),
                                   std::clamp(y + random.between(-30, 30), 0, square.size() - 1));
        const auto jumps = JumpPoints(map).with_goal(goal);
        // Diagonal steps, then straight ones: step by step.
        const auto cost = oracle::path_cost<int>(map, npuzzle::cells_along(map, {from, goal}));
        const auto neighbors = jumps.neighbors(from);
        const bool is_only = neighbors.size() == 1 && neighbors.front().to == goal;
        if (cost && from != goal) {
            ++seen;
            REQUIRE(is_only);
            CHECK(neighbors.front().cost == *cost);
            CHECK(jump_point_search(jumps, from).statistics.expanded == 1);
        } else {
            CHECK(std::none_of(neighbors.begin(), neighbors.end(),
                               [&](const auto& each) { return each.to == goal; }));
        }
    }
    CHECK(seen > 40);

    const GridMap<int> streets(150, 90, [](int, int) { return true; }, {.sides = Sides::four});
    for (const Cell from : {streets.cell(3, 80), streets.cell(120, 3), streets.cell(120, 7)}) {
        const auto result = jump_point_search(JumpPoints(streets).with_goal(streets.cell(40, 7)), from);
        CHECK(result.cost == 5 * static_cast<int>(result.path.size() - 1));
        CHECK(result.statistics.expanded <= 2); // up or down to the row of the goal, and along it
    }
}

TEST_CASE("after changes, jumps are those of a map made anew", "[jumps]") {
    Random random(8);
    for (int number = 0; number < 16; ++number) {
        INFO("map " << number);
        const auto square = random_kind(number % 4, random.between(190, 200), random);
        const npuzzle::GridSteps<int> steps{.sides = number % 8 < 6 ? Sides::eight : Sides::four,
                                            .corners = static_cast<CornerRule>(number % 3)};
        GridMap<int> map(
            square.size(), square.size() - 60, [&](int x, int y) { return square.is_free(x, y); }, steps);
        for (int change = 0; change < 20; ++change) {
            const int x = random.between(0, map.width() - 1);
            const int y = random.between(0, map.height() - 1);
            map.set_free(x, y, std::min(random.between(1, 80), map.width() - x),
                         std::min(random.between(1, 3), map.height() - y), random.one_in(2));
        }
        const GridMap<int> anew(
            map.width(), map.height(), [&](int x, int y) { return map.is_free(map.cell(x, y)); }, steps);
        const Cell goal = static_cast<Cell>(random.below(map.size()));
        const auto jumps = JumpPoints(map).with_goal(goal);
        const auto expected = JumpPoints(anew).with_goal(goal);
        const auto is_same = [&](Cell cell) {
            const auto found = jumps.neighbors(cell);
            const auto wanted = expected.neighbors(cell);
            return std::equal(found.begin(), found.end(), wanted.begin(), wanted.end());
        };
        Cell cell = 0;
        while (cell < map.size() && is_same(cell)) ++cell;
        CHECK(cell == map.size());
    }
}

TEST_CASE("a jump that is too long for its type is made in parts", "[jumps]") {
    const int width = 100'000;
    const JumpPoints<> jumps(GridMap<>(width, 2, [](int, int) { return true; }));
    for (const bool is_backward : {false, true}) {
        const Cell start = is_backward ? jumps.cell(width - 1, 1) : 0;
        const Cell goal = is_backward ? 0 : jumps.cell(width - 1, 1);
        const auto result = jump_point_search(jumps.with_goal(goal), start);
        CHECK(result.cost == width - 2 + npuzzle::GridSteps<double>{}.diagonal);
        CHECK(result.path.size() == static_cast<std::size_t>(width));
        CHECK(result.statistics.expanded < 10);
    }
}

TEST_CASE("a long way is left where the wall beside it has a gap", "[jumps]") {
    const int length = 200;
    for (int gap = 0; gap < length; ++gap) {
        const JumpPoints<int> jumps(GridMap<int>(length, 2, [&](int x, int y) { return y == 1 || x == gap; },
                                                 {.sides = Sides::four}));
        for (const int end : {0, length - 1}) {
            const auto result = jump_point_search(jumps.with_goal(jumps.cell(gap, 0)), jumps.cell(end, 1));
            CHECK(result.cost == 5 * (std::abs(gap - end) + 1));
        }
    }
}

TEST_CASE("jump points have the goal that they are given", "[jumps]") {
    const GridMap<> map("...\n@..");
    const JumpPoints jumps(map);
    CHECK_FALSE(jumps.has_goal());
    CHECK_THROWS_AS(jump_point_search(jumps, 0, npuzzle::Zero{}), std::logic_error);
    CHECK_THROWS_AS(jump_point_search(jumps, 0), std::logic_error);
    CHECK_THROWS_AS(jumps.with_goal(6), std::invalid_argument);
    CHECK(JumpPoints(map.with_goal(2)).goal() == 2);
    CHECK(jump_point_search(JumpPoints(map.with_goal(2)), 0).path == std::vector<Cell>{0, 1, 2});
    CHECK(jump_point_search(jumps.with_goal(0), 0).path == std::vector<Cell>{0});
    CHECK(jump_point_search(jumps.with_goal(3), 0).status == Status::unsolvable); // a wall
    CHECK(jumps.with_goal(4).map().goal() == 4);
}

TEST_CASE("costs with which jumps could miss a cheapest path are refused", "[jumps]") {
    const auto refusal = [](const GridMap<int>& map) {
        return message_of<std::invalid_argument>([&] { JumpPoints<int>{map}; });
    };
    const auto with = [](const GridSteps<int>& steps) { return GridMap<int>("..\n..", steps); };
    const std::string nothing = "jump points: a straight step costs nothing";
    const std::string ratio =
        "jump points: a diagonal step costs less than a straight one, or as much as two";
    CHECK(refusal(with({.straight = 0, .diagonal = 0})) == nothing);
    CHECK(refusal(with({.sides = Sides::four, .straight = 0})) == nothing);
    CHECK(refusal(with({.straight = 5, .diagonal = 4})) == ratio);
    CHECK(refusal(with({.straight = 5, .diagonal = 10})) == ratio); // ties: a path was missed
    CHECK(refusal(with({.straight = 5, .diagonal = 5})) == "nothing thrown");
    CHECK(refusal(with({.straight = 5, .diagonal = 9})) == "nothing thrown");
    CHECK(refusal(with({.sides = Sides::four, .straight = 5, .diagonal = 0})) == "nothing thrown");
    CHECK(refusal(with({}).with_weights([](int, int) { return 1; })) ==
          "jump points: the cells of the map have weights");
}

TEST_CASE("a limit ends a search by jumps", "[jumps]") {
    const auto square = test::rooms(40, 5, 3);
    const GridMap<int> map(40, 40, [&](int x, int y) { return square.is_free(x, y); });
    const auto jumps = JumpPoints(map).with_goal(map.cell(38, 38));
    const auto whole = jump_point_search(jumps, 0);
    REQUIRE(whole.status == Status::solved);
    const auto ended = jump_point_search(jumps, 0, OctileDistance{}, {.expansions = 5});
    CHECK(ended.status == Status::expansion_limit);
    CHECK(ended.statistics.expanded == 5);
    CHECK(ended.partial_path.size() > 1);
    test::check_path(map, 0, ended);
    CHECK(jump_point_search(jumps, 0, OctileDistance{}, {.max_cost = whole.cost}).cost == whole.cost);
    CHECK(jump_point_search(jumps, 0, OctileDistance{}, {.max_cost = whole.cost - 1}).status ==
          Status::cost_limit);

    test::fail_each_allocation([&] { return jump_point_search(jumps, 0); }, 5);
}

TEST_CASE("without memory for a partial path, it is still proved that there is none", "[jumps]") {
    const GridMap<int> map("....@.\n.@..@.\n....@.");
    const auto jumps = JumpPoints(map).with_goal(5);
    REQUIRE(jump_point_search(jumps, 0).partial_path.size() > 1);
    int proved = 0;
    for (std::uint64_t number = 1, failures = 1; failures > 0; ++number) {
        test::memory.arm(number);
        const auto result = jump_point_search(jumps, 0);
        failures = test::memory.failures;
        test::memory.disarm();
        if (result.status == Status::unsolvable) {
            ++proved;
            CHECK(result.partial_path.empty() == (failures > 0));
        } else {
            CHECK(result.status == Status::memory_limit);
            CHECK(proved == 0); // What fails after the proof does not undo it.
        }
    }
    CHECK(proved > 1); // by a search that failed, too
}
