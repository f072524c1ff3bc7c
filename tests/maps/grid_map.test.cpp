#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/core/with_goals.hpp>
#include <npuzzle/search/frontier.hpp>

#include "support/catch.hpp"
#include "support/family.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using npuzzle::CornerRule;
using npuzzle::GridMap;
using npuzzle::OctileDistance;
using npuzzle::Sides;
using npuzzle::Status;
using test::Member;
using test::Promise;
using test::Random;
using Cell = std::uint32_t;

static_assert(npuzzle::ReversibleProblem<GridMap<>> && npuzzle::NumberedProblem<GridMap<int>>);
static_assert(npuzzle::HasLeastCost<GridMap<short>> && npuzzle::GridProblem<GridMap<unsigned char>>);
static_assert(npuzzle::PositionedProblem<GridMap<float>>);

/// A second, plain reading of the rules: a map of characters, whose states are columns and rows.
template <class Cost>
struct PlainMap {
    using State = std::pair<int, int>;

    int width;
    int height;
    npuzzle::GridSteps<Cost> steps;
    std::vector<bool> walls;
    std::vector<Cost> weights; // or none

    bool is_free(int x, int y) const {
        return x >= 0 && y >= 0 && x < width && y < height && !walls[at(x, y)];
    }
    std::size_t at(int x, int y) const { return static_cast<std::size_t>(y * width + x); }

    std::vector<npuzzle::Edge<State, Cost>> neighbors(const State& from) const {
        std::vector<npuzzle::Edge<State, Cost>> result;
        const auto [x, y] = from;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const bool is_diagonal = dx != 0 && dy != 0;
                if ((dx == 0 && dy == 0) || !is_free(x, y) || !is_free(x + dx, y + dy)) continue;
                if (is_diagonal) {
                    const bool first = is_free(x + dx, y);
                    const bool second = is_free(x, y + dy);
                    if (steps.sides == Sides::four) continue;
                    if (steps.corners == CornerRule::both_free && !(first && second)) continue;
                    if (steps.corners == CornerRule::one_free && !first && !second) continue;
                }
                Cost cost = is_diagonal ? steps.diagonal : steps.straight;
                if (!weights.empty()) {
                    cost = static_cast<Cost>(cost * (weights[at(x, y)] + weights[at(x + dx, y + dy)]) / 2);
                }
                result.push_back({{x + dx, y + dy}, cost});
            }
        }
        return result;
    }
};

/// Random maps with each rule and several costs, some with weights, and the same map as read by the library.
template <class Cost, class F>
void with_random_maps(F check) {
    int number = 0;
    for (const Sides sides : {Sides::four, Sides::eight}) {
        for (const CornerRule corners : {CornerRule::both_free, CornerRule::one_free, CornerRule::any}) {
            for (std::uint64_t seed = 0; seed < 16; ++seed, ++number) {
                INFO("map " << number);
                Random random(static_cast<std::uint64_t>(number));
                npuzzle::GridSteps<Cost> steps{.sides = sides, .corners = corners};
                // Diagonal steps that are dearer than two straight ones, or cheaper than one, too.
                if (seed % 4 == 1) steps.diagonal = static_cast<Cost>(3 * steps.straight);
                if (seed % 4 == 2) steps.straight = static_cast<Cost>(steps.diagonal + Cost{1});
                PlainMap<Cost> plain{random.between(1, 9), random.between(1, 9), steps, {}, {}};
                for (int i = plain.width * plain.height; i > 0; --i) plain.walls.push_back(random.one_in(3));
                const auto is_free = [&](int x, int y) { return plain.is_free(x, y); };
                GridMap<Cost> map(plain.width, plain.height, is_free, steps);
                if (seed % 2 == 1) {
                    for (std::size_t i = 0; i < plain.walls.size(); ++i) {
                        const int quarters = random.between(seed % 3 == 0 ? 0 : 2, 12);
                        plain.weights.push_back(static_cast<Cost>(quarters) /
                                                (std::is_floating_point_v<Cost> ? 4 : 1));
                    }
                    map = map.with_weights([&](int x, int y) { return plain.weights[plain.at(x, y)]; });
                }
                check(plain, map, random);
            }
        }
    }
}

template <class Cost>
bool is_close(Cost cost, Cost expected) {
    if constexpr (std::is_integral_v<Cost>) {
        return cost == expected;
    } else {
        return std::abs(cost - expected) <= Cost(1e-5) * (1 + expected);
    }
}

} // namespace

TEMPLATE_TEST_CASE("a map has the steps that its rules allow", "[grid]", int, double, float) {
    with_random_maps<TestType>([](const auto& plain, const auto& map, Random&) {
        REQUIRE(map.width() == plain.width);
        REQUIRE(map.height() == plain.height);
        for (Cell cell = 0; cell < map.size(); ++cell) {
            const std::pair place{map.x(cell), map.y(cell)};
            CHECK(map.cell(place.first, place.second) == cell);
            CHECK(map.is_free(cell) == plain.is_free(place.first, place.second));
            std::set<std::pair<Cell, TestType>> expected;
            for (const auto& edge : plain.neighbors(place)) {
                expected.emplace(map.cell(edge.to.first, edge.to.second), edge.cost);
            }
            std::set<std::pair<Cell, TestType>> found;
            for (const auto& edge : map.neighbors(cell)) {
                found.emplace(edge.to, edge.cost);
                CHECK(edge.cost >= map.least_cost());
                const auto back = map.neighbors(edge.to);
                CHECK(std::count(back.begin(), back.end(), npuzzle::Edge<Cell, TestType>{cell, edge.cost}) ==
                      1);
            }
            CHECK(found == expected);
        }
    });
}

TEMPLATE_TEST_CASE("paths are as cheap as those of Dijkstra's algorithm over a plain map", "[grid]", int,
                   double) {
    int solved = 0;
    with_random_maps<TestType>([&](const auto& plain, const auto& map, Random& random) {
        const auto start = static_cast<Cell>(random.below(map.size()));
        const auto costs = oracle::costs_from<TestType>(plain, {map.x(start), map.y(start)});
        for (Cell goal = 0; goal < map.size(); goal += 5) {
            const auto found = costs.find({map.x(goal), map.y(goal)});
            const auto check = [&](const auto& result) {
                CHECK(result.status == (found == costs.end() ? Status::unsolvable : Status::solved));
                CHECK((!result || is_close(result.cost, found->second)));
                CHECK(result.statistics.contract_violations == 0);
            };
            const auto to = map.with_goal(goal);
            check(npuzzle::astar(to, start, OctileDistance{}));
            check(npuzzle::bidirectional_astar(to, start, OctileDistance{}));
            solved += found == costs.end() ? 0 : 1;
        }
    });
    CHECK(solved > 100);
}

TEST_CASE("each search of the family keeps its promise on a map", "[grid]") {
    npuzzle::SilentObserver silent;
    int number = 0;
    with_random_maps<int>([&](const auto& plain, const auto& map, Random& random) {
        if (++number % 3 != 0) return;
        const auto start = static_cast<Cell>(random.below(map.size()));
        const auto to = map.with_goal(static_cast<Cell>(random.below(map.size())));
        const auto costs = oracle::costs_from<int>(plain, {map.x(start), map.y(start)});
        const auto found = costs.find({map.x(to.goal()), map.y(to.goal())});
        const auto check = [&](const Member& member, const auto& result) {
            INFO(member.name);
            CHECK(result.status == (found == costs.end() ? Status::unsolvable : Status::solved));
            test::check_path(to, start, result);
            if (!result) return;
            if (member.promise == Promise::least_cost) CHECK(result.cost == found->second);
            if (member.promise == Promise::cost_within_bound) {
                CHECK(result.cost <= member.bound * found->second);
            }
        };
        test::with_each_graph_search(to, start, OctileDistance{}, true, {}, silent, check);
        test::with_breadth_first(to, start, {}, silent, check);
        using npuzzle::bidirectional_astar;
        const Member both{"from both ends", Promise::least_cost};
        check(both, bidirectional_astar<npuzzle::Nbs>(to, start, OctileDistance{}));
        check(both, bidirectional_astar<npuzzle::MeetInTheMiddle>(to, start, OctileDistance{}));
        check(Member{"layers", Promise::a_path}, npuzzle::bidirectional_breadth_first(to, start));
    });
}

TEST_CASE("a map is read from a text", "[grid]") {
    const GridMap<> map("..@\nGTS\r\nW.O\n");
    std::string shown;
    for (Cell cell = 0; cell < map.size(); ++cell) shown += map.is_free(cell) ? '.' : '#';
    CHECK(shown == "..#.#.#.#");
    CHECK(map.width() == 3);
    CHECK(map.height() == 3);
    CHECK(GridMap<>("....").width() == 4);
    CHECK(GridMap<>("....\n....").height() == 2);

    const auto message = [](const std::string& text) {
        return message_of<std::invalid_argument>([&] { return GridMap<>(text); });
    };
    CHECK(message("...\n..\n...") == "line 2 of the map has 2 cells, the first one has 3");
    CHECK(message("..\n..\n\n..") == "line 3 of the map has 0 cells, the first one has 2");
    for (const char* other : {"010\n000", "# #\n# #", "   ", "@@\n@x"}) {
        CHECK(message(other) == "no cell of the map is free: only '.', 'G' and 'S' are");
    }
    CHECK(message("@O\r\nTW\n") == "nothing thrown");
    CHECK_FALSE(GridMap<>("..").is_free(2));
    CHECK(message("") == "a map of 0 times 0 cells: too few or too many");
    CHECK(message("\n\n") == "a map of 0 times 2 cells: too few or too many");
}

TEST_CASE("the corner of a wall is passed by the rule", "[grid]") {
    const auto cost = [](const char* text, CornerRule rule) {
        const GridMap<int> map(text, {.corners = rule});
        const auto result = npuzzle::astar(map.with_goal(3), 0, OctileDistance{});
        return result ? result.cost : -1;
    };
    using enum CornerRule;
    CHECK(cost("..\n..", both_free) == 7);
    CHECK(cost("..\n@.", both_free) == 10);
    CHECK(cost("..\n@.", one_free) == 7);
    CHECK(cost(".@\n@.", one_free) == -1);
    CHECK(cost(".@\n@.", any) == 7);
}

TEST_CASE("the default costs are 1 and the square root of 2", "[grid]") {
    const GridMap<> map("....\n....\n....");
    const auto result = npuzzle::astar(map.with_goal(map.cell(3, 2)), 0, OctileDistance{});
    CHECK(result.cost == Approx(1 + 2 * std::sqrt(2.0)).epsilon(1e-15));
    const GridMap<> four("....\n....\n....", {.sides = Sides::four});
    CHECK(npuzzle::astar(four.with_goal(four.cell(3, 2)), 0, OctileDistance{}).cost == 5);
}

TEST_CASE("paths go around what is expensive", "[grid]") {
    const GridMap<> map("...\n...\n...", {.sides = Sides::four});
    const auto weighted = map.with_weights([](int x, int y) { return x == 1 && y != 2 ? 10.0 : 1.0; });
    CHECK(npuzzle::astar(map.with_goal(2), 0, OctileDistance{}).cost == 2);
    CHECK(npuzzle::astar(weighted.with_goal(2), 0, OctileDistance{}).cost == 6);
    CHECK(weighted.with_goal(2).with_weights([](int, int) { return 3; }).goal() == 2);

    // The least weight is that of free cells: a wall has none.
    const GridMap<int> walled("..@", {.straight = 1});
    CHECK(walled.with_weights([](int x, int) { return 4 - x; }).least_cost() == 3);
    CHECK(GridMap<int>("@@").with_weights([](int, int) { return 9; }).least_cost() == 0);
}

TEST_CASE("a map has the goal that it is given", "[grid]") {
    const GridMap<> map("...\n@..");
    CHECK_THROWS_AS(map.goal(), std::logic_error);
    CHECK_THROWS_AS(npuzzle::dijkstra(map, 0), std::logic_error);
    CHECK(npuzzle::astar(map.with_goal(5), 0, npuzzle::Zero{}).cost > 2);
    CHECK(npuzzle::dijkstra(npuzzle::with_goals(map, std::vector<Cell>{2, 5}), 0).cost == 2);
    CHECK(npuzzle::dijkstra(map.with_goal(3), 0).status == Status::unsolvable); // a wall
    CHECK(npuzzle::dijkstra(map.with_goal(0), 3).status == Status::unsolvable);
    CHECK(message_of<std::invalid_argument>([&] { return map.with_goal(6); }) ==
          "no goal 6 on a map of 6 cells");
    CHECK(message_of<std::invalid_argument>([&] { return map.cell(3, 0); }) ==
          "no column 3, row 0 on a map of 3 columns and 2 rows");
    for (const auto& [x, y] : {std::pair{-1, 0}, std::pair{0, -1}, std::pair{0, 2}}) {
        CHECK_THROWS_AS(map.cell(x, y), std::invalid_argument);
    }
    // A heuristic for each of several goals.
    const std::vector<Cell> goals{map.cell(2, 0), map.cell(2, 1)};
    CHECK(npuzzle::astar(npuzzle::with_goals(map, goals), 0, npuzzle::NearestGoal{OctileDistance{}}).cost ==
          2);
}

TEST_CASE("sizes and costs that cannot be are refused", "[grid]") {
    const auto free = [](int, int) { return true; };
    const auto refuses = [&](int width, int height, const npuzzle::GridSteps<int>& steps = {}) {
        return message_of<std::invalid_argument>([&] {
                   return GridMap<int>(width, height, free, steps);
               }).find("nothing") == std::string::npos;
    };
    CHECK(refuses(0, 3));
    CHECK(refuses(3, -1));
    CHECK(refuses(65'536, 65'536));
    CHECK(refuses(2'147'483'647, 2'147'483'647));
    CHECK(refuses(2, 2, {.straight = -1}));
    CHECK(refuses(2, 2, {.diagonal = -1}));
    CHECK(refuses(2, 2, {.straight = 268'435'456}));
    CHECK_FALSE(refuses(2, 2, {.straight = 268'435'455}));
    CHECK_FALSE(refuses(1, 1, {.straight = 0}));
    CHECK_THROWS_AS(GridMap<signed char>(9, 9, free), std::invalid_argument); // 2 * 18 * 7
    for (const double bad :
         {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        CHECK_THROWS_AS(GridMap<>(2, 2, free, {.straight = bad}), std::invalid_argument);
        CHECK_THROWS_AS(GridMap<>(2, 2, free, {.diagonal = bad}), std::invalid_argument);
        CHECK(
            message_of<std::invalid_argument>([&] {
                return GridMap<>(2, 2, free).with_weights([&](int x, int y) { return x + y == 2 ? bad : 1; });
            }) == "the weight of column 1, row 1 is negative, no number or too large");
    }
    // Weights of another type than the costs.
    for (const double bad : {-3.0, std::numeric_limits<double>::quiet_NaN(), 1e10}) {
        const auto weight = [&](int, int) { return bad; };
        CHECK_THROWS_AS(GridMap<int>(2, 2, free).with_weights(weight), std::invalid_argument);
        CHECK_THROWS_AS(GridMap<std::uint16_t>(2, 2, free).with_weights(weight), std::invalid_argument);
    }
}
