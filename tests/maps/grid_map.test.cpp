#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/maps/jump_points.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/path_finder.hpp>
#include <npuzzle/search/with_goals.hpp>

#include "support/catch.hpp"
#include "support/maps.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
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
using test::Random;
using Cell = std::uint32_t;
using Path = std::vector<Cell>;

static_assert(npuzzle::UndirectedProblem<GridMap<>> && npuzzle::HasWithGoal<GridMap<>> &&
              npuzzle::NumberedProblem<GridMap<int>>);
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

/// The ends and costs of the steps from each cell.
template <class Cost>
auto all_steps(const GridMap<Cost>& map) {
    std::vector<std::set<std::pair<Cell, Cost>>> steps(map.size());
    for (Cell cell = 0; cell < map.size(); ++cell) {
        for (const auto& edge : map.neighbors(cell)) steps[cell].emplace(edge.to, edge.cost);
    }
    return steps;
}

template <class Cost>
void check_steps(const PlainMap<Cost>& plain, const GridMap<Cost>& map) {
    REQUIRE(map.width() == plain.width);
    REQUIRE(map.height() == plain.height);
    const auto steps = all_steps(map);
    for (Cell cell = 0; cell < map.size(); ++cell) {
        const std::pair place{map.x(cell), map.y(cell)};
        REQUIRE(map.cell(place.first, place.second) == cell);
        REQUIRE(map.is_free(cell) == plain.is_free(place.first, place.second));
        std::set<std::pair<Cell, Cost>> expected;
        for (const auto& edge : plain.neighbors(place)) {
            expected.emplace(map.cell(edge.to.first, edge.to.second), edge.cost);
        }
        REQUIRE(steps[cell] == expected);
        for (const auto& [to, cost] : steps[cell]) {
            REQUIRE(cost >= map.least_cost());
            REQUIRE(steps[to].count({cell, cost}) == 1);
        }
    }
}

template <class P>
std::string moves_in_words(const P& problem, const Path& path) {
    std::ostringstream out;
    for (const npuzzle::GridMove move : npuzzle::moves_along(problem, path)) out << move << ' ';
    return out.str();
}

} // namespace

TEMPLATE_TEST_CASE("a map has the steps that its rules allow", "[grid]", int, double) {
    with_random_maps<TestType>([](const auto& plain, const auto& map, Random&) { check_steps(plain, map); });
}

TEMPLATE_TEST_CASE("a changed map has the steps of one that is built anew", "[grid]", int, double) {
    with_random_maps<TestType>([](auto plain, auto map, Random& random) {
        const auto copy = map.with_goal(0);
        const auto old = map.clone();
        for (std::size_t i = 0; i < plain.weights.size(); ++i) {
            if (plain.walls[i]) plain.weights[i] = 1; // none was asked for
        }
        const auto before = plain;
        for (int round = 0; round < 8; ++round) {
            const bool is_free = random.one_in(2);
            const int left = static_cast<int>(random.below(static_cast<std::uint64_t>(plain.width)));
            const int top = static_cast<int>(random.below(static_cast<std::uint64_t>(plain.height)));
            const int width = random.one_in(2) ? 1 : random.between(0, plain.width - left);
            const int height = width == 1 ? 1 : random.between(0, plain.height - top);
            const auto steps_before = all_steps(map);
            std::vector<Cell> changed;
            if (plain.weights.empty() || random.one_in(2)) {
                for (int y = top; y < top + height; ++y) {
                    for (int x = left; x < left + width; ++x) plain.walls[plain.at(x, y)] = !is_free;
                }
                changed = width == 1 ? map.set_free(map.cell(left, top), is_free)
                                     : map.set_free(left, top, width, height, is_free);
            } else {
                const auto weight = static_cast<TestType>(random.between(0, 9));
                plain.weights[plain.at(left, top)] = weight;
                changed = map.set_weight(map.cell(left, top), weight);
            }
            check_steps(plain, map);
            const auto steps_after = all_steps(copy);
            for (Cell cell = 0; cell < map.size(); ++cell) {
                if (steps_before[cell] == steps_after[cell]) continue;
                CHECK(std::count(changed.begin(), changed.end(), cell) == 1);
            }
        }
        check_steps(before, old);
    });
}

TEST_CASE("maps of any width are read, and changed, right", "[grid]") {
    for (const int width : {1, 62, 63, 64, 65, 127, 128, 129, 200}) {
        for (const CornerRule corners : {CornerRule::both_free, CornerRule::one_free, CornerRule::any}) {
            INFO("width " << width << ", rule " << static_cast<int>(corners));
            Random random(static_cast<std::uint64_t>(width));
            PlainMap<int> plain{width, 200 / width + 3, {.corners = corners}, {}, {}};
            std::string text;
            for (int i = 1; i <= plain.width * plain.height; ++i) {
                plain.walls.push_back(random.one_in(3));
                text += plain.walls.back() ? '@' : '.';
                if (i % plain.width == 0) text += '\n';
            }
            std::vector<std::pair<int, int>> asked;
            GridMap<int> map(
                plain.width, plain.height,
                [&](int x, int y) {
                    asked.emplace_back(y, x);
                    return plain.is_free(x, y);
                },
                plain.steps);
            CHECK(asked.size() == map.size());
            CHECK(std::is_sorted(asked.begin(), asked.end()));
            check_steps(plain, map);
            map = GridMap<int>(text, plain.steps);
            check_steps(plain, map);
            for (int i = 0; i < 20; ++i) {
                const auto cell = static_cast<Cell>(random.below(map.size()));
                plain.walls[cell] = !plain.walls[cell];
                map.set_free(cell, !plain.walls[cell]);
            }
            check_steps(plain, map);
        }
    }
}

TEST_CASE("changes that cannot be are refused, and change nothing", "[grid]") {
    GridMap<int> map("...\n@..");
    const auto refusal = [](auto change) { return message_of<std::invalid_argument>(change); };
    CHECK(refusal([&] { map.set_free(6, false); }) == "no cell 6 on a map of 6 cells");
    CHECK(refusal([&] { map.set_free(1, 0, 3, 1, false); }) ==
          "no column 3, row 0 on a map of 3 columns and 2 rows");
    CHECK_THROWS_AS(map.set_free(-1, 0, 2, 1, false), std::invalid_argument);
    CHECK_THROWS_AS(map.set_free(1, 0, 2'147'483'647, 1, false), std::invalid_argument);
    CHECK(map.set_free(7, 7, 0, 1, false).empty());
    CHECK_THROWS_AS(map.set_weight(0, 2), std::logic_error);
    auto weighted = map.with_weights([](int, int) { return 2; });
    CHECK(refusal([&] { weighted.set_weight(1, -1); }) ==
          "the weight of column 1, row 0 is negative, no number or too large");
    CHECK(refusal([&] { weighted.set_weight(6, 1); }) == "no cell 6 on a map of 6 cells");
    check_steps(PlainMap<int>{3, 2, {}, {false, false, false, true, false, false}, {}}, map);
}

TEST_CASE("no step of a changed map is cheaper than the bounds of the map", "[grid]") {
    // The greatest number of the callable's type is a number like others.
    CHECK(GridMap<int>("..").with_weights([](int, int) { return std::uint8_t{255}; }).neighbors(0)[0].cost ==
          5 * 255);
    auto map = GridMap<int>("..@").with_weights([](int x, int) { return 4 - x; });
    CHECK(map.straight_bound() == 15);
    map.set_free(2, true); // no weight was asked for
    CHECK(map.straight_bound() == 5);
    map.set_weight(1, 0);
    CHECK(map.straight_bound() == 0);
    map.set_weight(1, 9);
    CHECK(map.neighbors(0)[0].cost == 5 * (4 + 9) / 2);
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

TEST_CASE("paths go around what is expensive", "[grid]") {
    const GridMap<> map("...\n...\n...", {.sides = Sides::four});
    const auto weighted = map.with_weights([](int x, int y) { return x == 1 && y != 2 ? 10.0 : 1.0; });
    CHECK(npuzzle::astar(map.with_goal(2), 0, OctileDistance{}).cost == 2);
    CHECK(npuzzle::astar(GridMap<>("...").with_goal(2), 0, OctileDistance{}).cost == 2);
    CHECK(npuzzle::astar(GridMap<>("..\n..").with_goal(3), 0, OctileDistance{}).cost ==
          Approx(std::sqrt(2.0)).epsilon(1e-11));
    CHECK(npuzzle::astar(weighted.with_goal(2), 0, OctileDistance{}).cost == 6);
    CHECK(weighted.with_goal(2).with_weights([](int, int) { return 3; }).goal() == 2);

    // The least weight is that of free cells: a wall has none.
    const GridMap<int> walled("..@", {.straight = 1});
    CHECK(walled.with_weights([](int x, int) { return 4 - x; }).least_cost() == 3);
    CHECK(GridMap<int>("@@").with_weights([](int, int) { return 9; }).least_cost() == 5);
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

TEST_CASE("sums of the default diagonal are exact, so no cell is reopened", "[grid]") {
    const double diagonal = npuzzle::GridSteps<double>{}.diagonal;
    for (double straight = 0, k = 0; k < 1000; ++k, straight += diagonal) REQUIRE(straight == k * diagonal);
    const auto square = test::scattered(100, 10, 7);
    for (const double given : {diagonal, std::sqrt(2.0)}) {
        const GridMap<> map(100, 100, [&](int x, int y) { return square.is_free(x, y); },
                            {.diagonal = given});
        const auto result = npuzzle::astar(map.with_goal(map.cell(97, 60)), map.cell(2, 3), OctileDistance{});
        REQUIRE(result.status == npuzzle::Status::solved);
        CHECK((result.statistics.reopened == 0) == (given == diagonal));
    }
}

TEST_CASE("a path is given as cells, as turning points and as moves", "[grid]") {
    const GridMap<> map("....\n....\n....\n");
    const Path path{0, 1, 2, 7, 11, 10};
    CHECK(npuzzle::cells_along(map, path) == path);
    CHECK(npuzzle::turning_points(map, path) == Path{0, 2, 7, 11, 10});
    CHECK(moves_in_words(map, path) == "right right down-right down left ");
    CHECK(npuzzle::cells_along(map, {0, 2, 10}) == Path{0, 1, 2, 6, 10});
    CHECK(moves_in_words(map, {10, 0}) == "up-left up-left ");
    CHECK(moves_in_words(map, {8, 2, 10, 11, 3}) == "up-right up-right down down right up up ");
    CHECK(moves_in_words(map, {2, 8}) == "down-left down-left ");
    CHECK(npuzzle::turning_points(map, {0, 1, 2, 1, 0}) == Path{0, 2, 0});
}

TEST_CASE("a path of one cell or of none has no moves", "[grid]") {
    const GridMap<> map("..\n");
    for (const Path& path : {Path{}, Path{1}, Path{1, 1}}) {
        CHECK(npuzzle::moves_along(map, path).empty());
        CHECK(npuzzle::cells_along(map, path) == Path(path.begin(), path.begin() + !path.empty()));
        CHECK(npuzzle::turning_points(map, path) == npuzzle::cells_along(map, path));
    }
}

TEST_CASE("the three forms of a path are one path, by cells and by jumps", "[grid]") {
    test::Random random(9);
    int turned = 0;
    for (int round = 0; round < 300; ++round) {
        const int width = random.between(1, 30);
        const GridMap<int> map(width, random.between(1, 30), [&](int, int) { return !random.one_in(5); });
        const auto start = static_cast<Cell>(random.below(map.size()));
        const auto goal = static_cast<Cell>(random.below(map.size()));
        npuzzle::PathFinder by_cells(map, npuzzle::OctileDistance{});
        npuzzle::PathFinder by_jumps(npuzzle::JumpPoints{map}, npuzzle::OctileDistance{});
        const auto result = by_cells.find(start, goal);
        CHECK(npuzzle::cells_along(map, result.path) == result.path);
        for (const Path& path : {result.path, by_jumps.find(start, goal).path}) {
            const Path cells = npuzzle::cells_along(map, path);
            const Path points = npuzzle::turning_points(map, path);
            const auto moves = npuzzle::moves_along(map, path);
            CHECK(npuzzle::cells_along(map, points) == cells);
            CHECK(npuzzle::turning_points(map, cells) == points);
            CHECK(npuzzle::moves_along(map, points) == moves);
            if (!result) continue;
            CHECK(oracle::path_cost<int>(map, cells) == result.cost);
            Path walked{start};
            for (const npuzzle::GridMove move : moves) {
                const auto [dx, dy] = GridMap<int>::directions[static_cast<std::size_t>(move)];
                walked.push_back(map.cell(map.x(walked.back()) + dx, map.y(walked.back()) + dy));
            }
            CHECK(walked == cells);
            turned += points.size() > 4 ? 1 : 0;
        }
    }
    CHECK(turned > 50);
}
