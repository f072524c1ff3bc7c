#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/lpa_star.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using npuzzle::Status;
using Map = npuzzle::GridMap<>;

/// A map of which blocks appear and vanish.
struct Blocks {
    int width;
    int height;
    std::vector<bool> blocks = std::vector<bool>(static_cast<std::size_t>(width * height));

    Map map(std::uint32_t goal) const {
        return Map(width, height,
                   [this](int x, int y) { return !blocks[static_cast<std::size_t>(y * width + x)]; })
            .with_goal(goal);
    }
};

/// Tells a search of the cells whose steps a block in a cell changes.
template <class Engine>
void update_around(Engine& engine, const Map& map, std::uint32_t cell) {
    for (int y = map.y(cell) - 1; y <= map.y(cell) + 1; ++y) {
        for (int x = map.x(cell) - 1; x <= map.x(cell) + 1; ++x) {
            if (x >= 0 && x < map.width() && y >= 0 && y < map.height()) {
                engine.update(map.cell(x, y));
            }
        }
    }
}

} // namespace

TEST_CASE("LPA* follows blocks that appear and vanish on a map", "[lpa_star]") {
    test::Random random(11);
    Blocks blocks{24, 18};
    const std::uint32_t start = 25;
    const std::uint32_t goal = 24 * 16 + 22;
    Map map = blocks.map(goal);
    npuzzle::LpaStar engine(map, start, npuzzle::OctileDistance{});
    int unsolvable = 0;
    for (int round = 0; round < 300; ++round) {
        INFO("round " << round);
        engine.run();
        const auto result = engine.result();
        test::check_as_from_scratch(map, start, npuzzle::OctileDistance{}, result);
        unsolvable += result ? 0 : 1;
        std::vector<std::uint32_t> changed;
        for (int i = random.between(1, 20); i > 0; --i) {
            const auto cell = static_cast<std::uint32_t>(random.below(map.size()));
            if (cell != start && cell != goal) {
                blocks.blocks[cell] = random.one_in(3);
                changed.push_back(cell);
            }
        }
        map = blocks.map(goal);
        for (const auto cell : changed) {
            update_around(engine, map, cell);
        }
    }
    CHECK(unsolvable > 5);
    CHECK(unsolvable < 150);
}

TEST_CASE("LPA* expands little for a change near the goal, and nothing for none", "[lpa_star]") {
    Blocks blocks{60, 60};
    const std::uint32_t start = 0;
    const std::uint32_t goal = 60 * 60 - 1;
    for (std::size_t y = 5; y < 55; ++y) {
        blocks.blocks[y * 60 + 60 - y] = true;
    }
    Map map = blocks.map(goal);
    npuzzle::LpaStar engine(map, start, npuzzle::OctileDistance{});
    engine.run();
    const auto all = engine.statistics().expanded;
    engine.update(goal);
    CHECK(engine.run() == Status::solved);
    CHECK(engine.statistics().expanded == 0);
    const auto path = engine.result().path;
    const std::uint32_t near = path[path.size() - 4];
    blocks.blocks[near] = true;
    map = blocks.map(goal);
    update_around(engine, map, near);
    CHECK(engine.run() == Status::solved);
    CHECK(engine.result().cost == Approx(npuzzle::astar(map, start, npuzzle::OctileDistance{}).cost));
    CHECK(20 * engine.statistics().expanded < all);
    CHECK(engine.statistics().expanded > 0);
}

TEST_CASE("LPA* gives the moves of a problem that has them", "[lpa_star]") {
    struct Back : test::WithMoves<test::Ring> {
        using test::WithMoves<test::Ring>::WithMoves;
        int goal() const { return goal_vertex; }
        std::vector<npuzzle::Edge<int, int>> predecessors(int to) const {
            std::vector<npuzzle::Edge<int, int>> result;
            for (int from = 0; from < 61; ++from) {
                for (const auto& edge : neighbors(from)) {
                    if (edge.to == to) {
                        result.push_back({from, edge.cost});
                    }
                }
            }
            return result;
        }
    };
    const Back back(3, 61, 17);
    const auto result = npuzzle::lpa_star(back, 0, npuzzle::Zero{});
    const auto expected = npuzzle::astar(back, 0, npuzzle::Zero{});
    REQUIRE(result.status == Status::solved);
    CHECK(result.cost == expected.cost);
    int vertex = 0;
    for (const auto move : result.moves) {
        back.apply(vertex, move);
    }
    CHECK(vertex == 17);
    CHECK(result.moves.size() + 1 == result.path.size());
}

TEST_CASE("LPA* says that costs exceed their type", "[lpa_star]") {
    struct Far {
        using State = int;
        using Edges = std::vector<npuzzle::Edge<int, std::int8_t>>;
        Edges neighbors(int x) const { return x < 5 ? Edges{{x + 1, 60}} : Edges{}; }
        Edges predecessors(int x) const { return x > 0 ? Edges{{x - 1, 60}} : Edges{}; }
        int goal() const { return 5; }
        bool is_goal(int x) const { return x == 5; }
    };
    CHECK(npuzzle::lpa_star(Far{}, 0, npuzzle::Zero{}).status == Status::cost_overflow);
    CHECK(npuzzle::lpa_star(Far{}, 3, npuzzle::Zero{}).cost == 120);
}
