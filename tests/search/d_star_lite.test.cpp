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

namespace {

using npuzzle::Status;
using Map = npuzzle::GridMap<>;

} // namespace

TEST_CASE("D* Lite follows a thousand changes of a map while its start goes along the path",
          "[d_star_lite]") {
    constexpr int width = 32;
    constexpr int height = 24;
    test::Random random(5);
    const std::uint32_t goal = width * height - width - 2;
    std::uint32_t start = width + 1;
    Map map = Map(width, height, [](int, int) { return true; }).with_goal(goal);
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
        const auto change = [&](const auto& changed) {
            for (const auto cell : changed) engine.update(cell);
        };
        for (int i = random.between(0, 6); i > 0; --i) {
            const auto cell = static_cast<std::uint32_t>(random.below(map.size()));
            if (cell != goal) change(map.set_free(cell, !random.one_in(3)));
        }
        change(map.set_free(start, true));
    }
    CHECK(unsolvable > 10);
    CHECK(unsolvable < 500);
    CHECK(arrived > 5);
    CHECK(beginnings.count == 1);
    CHECK(expanded < expanded_from_scratch);
}

TEST_CASE("D* Lite follows changes of the weights of a map", "[d_star_lite]") {
    test::Random random(6);
    Map map = Map(20, 20, [&](int x, int y) { return x + y == 0 || !random.one_in(5); })
                  .with_goal(399)
                  .with_weights([&](int, int) { return random.between(4, 20) / 4.0; });
    npuzzle::DStarLite engine(map, 0, npuzzle::OctileDistance{});
    for (int round = 0; round < 200; ++round) {
        INFO("round " << round);
        engine.run();
        test::check_as_from_scratch(map, 0, npuzzle::OctileDistance{}, engine.result());
        const auto cell = static_cast<std::uint32_t>(random.below(map.size()));
        for (const auto changed : map.set_weight(cell, random.between(4, 20) / 4.0)) engine.update(changed);
    }
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
