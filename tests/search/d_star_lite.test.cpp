#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/d_star_lite.hpp>

#include "support/catch.hpp"
#include "support/changing_graph.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using npuzzle::Status;
using Map = npuzzle::GridMap<>;

} // namespace

TEST_CASE("D* Lite follows a thousand changes of a map while its start goes along the path",
          "[d_star_lite]") {
    constexpr int width = 32;
    constexpr int height = 24;
    test::Random random(5);
    std::vector<bool> blocks(width * height);
    const auto map_with = [&](std::uint32_t goal) {
        return Map(width, height,
                   [&](int x, int y) { return !blocks[static_cast<std::size_t>(y * width + x)]; })
            .with_goal(goal);
    };
    const std::uint32_t goal = width * height - width - 2;
    std::uint32_t start = width + 1;
    Map map = map_with(goal);
    test::Beginnings beginnings;
    npuzzle::DStarLite engine(map, start, npuzzle::OctileDistance{}, {}, beginnings);
    int unsolvable = 0;
    int arrived = 0;
    std::uint64_t expanded = 0;
    std::uint64_t expanded_from_scratch = 0;
    for (int round = 0; round < 1000; ++round) {
        INFO("round " << round);
        engine.run();
        const auto result = engine.result();
        const auto expected = test::check_as_from_scratch(map, start, npuzzle::OctileDistance{}, result);
        expanded += result.statistics.expanded;
        expanded_from_scratch += expected.statistics.expanded;
        unsolvable += result ? 0 : 1;
        if (result) {
            start = result.path[std::min<std::size_t>(result.path.size() - 1, random.below(3))];
            engine.move_start(start);
        }
        if (start == goal) {
            ++arrived;
            start = static_cast<std::uint32_t>(random.below(map.size()));
            engine.move_start(start);
        }
        std::vector<std::uint32_t> changed;
        for (int i = random.between(0, 6); i > 0; --i) {
            const auto cell = static_cast<std::uint32_t>(random.below(map.size()));
            if (cell != goal) {
                blocks[cell] = random.one_in(3);
                changed.push_back(cell);
            }
        }
        blocks[start] = false;
        changed.push_back(start);
        map = map_with(goal);
        for (const auto cell : changed) {
            for (int y = std::max(0, map.y(cell) - 1); y <= std::min(height - 1, map.y(cell) + 1); ++y) {
                for (int x = std::max(0, map.x(cell) - 1); x <= std::min(width - 1, map.x(cell) + 1); ++x) {
                    engine.update(map.cell(x, y));
                }
            }
        }
    }
    CHECK(unsolvable > 10);
    CHECK(unsolvable < 500);
    CHECK(arrived > 5);
    CHECK(beginnings.count == 1);
    CHECK(expanded < expanded_from_scratch);
}

TEST_CASE("D* Lite expands nothing where the start goes along its path", "[d_star_lite]") {
    const Map map = Map(50, 50, [](int x, int y) { return x != 20 || y > 40; }).with_goal(2499);
    npuzzle::DStarLite engine(map, 0, npuzzle::OctileDistance{});
    engine.run();
    const auto path = engine.result().path;
    REQUIRE(path.size() > 50);
    for (const auto cell : path) {
        engine.move_start(cell);
        CHECK(engine.run() == Status::solved);
        CHECK(engine.statistics().expanded == 0);
        CHECK(engine.result().cost ==
              Approx(npuzzle::astar(map, cell, npuzzle::OctileDistance{}).cost).margin(1e-9));
    }
}

TEST_CASE("D* Lite without a heuristic may move its start, too", "[d_star_lite]") {
    test::Random random(8);
    test::ChangingGraph<int> graph(random, 1, 1);
    npuzzle::DStarLite engine(graph, 0, npuzzle::Zero{});
    for (int start = 0; start < graph.vertices; ++start) {
        engine.move_start(start);
        engine.run();
        const auto expected = npuzzle::astar(graph, start, npuzzle::Zero{});
        CHECK(engine.result().status == expected.status);
        CHECK(engine.result().cost == expected.cost);
    }
}

TEST_CASE("D* Lite with a heuristic that is not bound keeps its start", "[d_star_lite]") {
    const auto none = [](int) { return 0; };
    using Engine = npuzzle::DStarLite<test::ChangingGraph<int>, decltype(none)>;
    CHECK_FALSE(std::invocable<decltype([](auto& engine) -> decltype(engine.move_start(0)) {}), Engine&>);
    test::Random random(8);
    const test::ChangingGraph<int> graph(random, 1, 1);
    CHECK(npuzzle::d_star_lite(graph, 0, none).status == npuzzle::astar(graph, 0, none).status);
}
