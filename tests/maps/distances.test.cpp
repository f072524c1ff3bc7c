#include <npuzzle/maps/distances.hpp>
#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/search/core/capabilities.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/verify_consistency.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

// On grids. What graphs ask of the straight line is in graph.test.cpp.

namespace {

using npuzzle::CornerRule;
using npuzzle::EuclideanDistance;
using npuzzle::GridMap;
using npuzzle::ManhattanDistance;
using npuzzle::OctileDistance;
using npuzzle::Sides;
using Cell = std::uint32_t;

template <class H, class P>
constexpr bool is_declared = npuzzle::declares_consistent<npuzzle::bound_t<H, P>> &&
                             npuzzle::declares_zero_at_goals<npuzzle::bound_t<H, P>>;
static_assert(is_declared<EuclideanDistance, GridMap<>> && is_declared<OctileDistance, GridMap<int>> &&
              is_declared<ManhattanDistance, GridMap<float>>);

template <class P>
std::vector<Cell> all_cells(const P& map) {
    std::vector<Cell> cells(map.size());
    std::iota(cells.begin(), cells.end(), Cell{0});
    return cells;
}

} // namespace

TEMPLATE_TEST_CASE("the distances are consistent under each rule and all costs", "[distances]", int, double) {
    using Cost = TestType;
    std::uint64_t seed = 0;
    for (const Sides sides : {Sides::four, Sides::eight}) {
        for (const CornerRule corners : {CornerRule::both_free, CornerRule::one_free, CornerRule::any}) {
            for (int straight = 0; straight <= 10; straight += 2) {
                for (int diagonal = 0; diagonal <= 21; diagonal += 3) {
                    test::Random random(++seed);
                    const GridMap<Cost> plain(9, 7, [&](int, int) { return !random.one_in(4); },
                                              {.sides = sides,
                                               .corners = corners,
                                               .straight = static_cast<Cost>(straight),
                                               .diagonal = static_cast<Cost>(diagonal)});
                    const auto map = seed % 2 == 0 ? plain : plain.with_weights([&](int, int) {
                        return Cost(random.between(2, 9)) / 2;
                    });
                    const auto to = map.with_goal(static_cast<Cell>(random.below(map.size())));
                    INFO("seed " << seed << ", straight " << straight << ", diagonal " << diagonal);
                    CHECK(npuzzle::verify_consistency(to, OctileDistance{}, all_cells(to)));
                    CHECK(npuzzle::verify_consistency(to, ManhattanDistance{}, all_cells(to)));
                    CHECK(npuzzle::verify_consistency(to, EuclideanDistance{}, all_cells(to)));
                }
            }
        }
    }
}

TEMPLATE_TEST_CASE("the octile distance is exact on an empty map", "[distances]", int, double) {
    using Cost = TestType;
    const auto free = [](int, int) { return true; };
    for (const Sides sides : {Sides::four, Sides::eight}) {
        for (const int diagonal : {5, 7, 10, 12}) {
            const GridMap<Cost> map(
                8, 8, free, {.sides = sides, .straight = Cost{5}, .diagonal = static_cast<Cost>(diagonal)});
            for (const Cell goal : {0U, 19U, 63U}) {
                const auto to = map.with_goal(goal);
                const auto octile = OctileDistance{}.bind(to);
                const auto manhattan = ManhattanDistance{}.bind(to);
                const auto euclidean = EuclideanDistance{}.bind(to);
                for (Cell cell = 0; cell < map.size(); ++cell) {
                    CHECK(octile(cell) == npuzzle::dijkstra(to, cell).cost);
                    CHECK(manhattan(cell) <= octile(cell));
                    CHECK(static_cast<double>(euclidean(cell)) <= static_cast<double>(octile(cell)) + 1e-9);
                    CHECK((sides == Sides::eight || manhattan(cell) == octile(cell)));
                }
            }
        }
    }
}

TEST_CASE("the distances are what they say", "[distances]") {
    const auto free = [](int, int) { return true; };
    const GridMap<int> map = GridMap<int>(9, 9, free).with_goal(0);
    const Cell cell = map.cell(8, 6);
    CHECK(OctileDistance{}.bind(map)(cell) == 6 * 7 + 2 * 5);
    CHECK(ManhattanDistance{}.bind(map)(cell) == 3 * (8 + 6)); // half of 7, rounded down
    CHECK(EuclideanDistance{}.bind(map)(cell) == 50);          // 10 * 7 / sqrt(2) = 49.497, rounded up
    const GridMap<double> other = GridMap<double>(9, 9, free).with_goal(0);
    CHECK(EuclideanDistance{}.bind(other)(cell) == Approx(10).epsilon(1e-15));

    const auto swamp = map.with_weights([](int x, int) { return x == 0 ? 3 : 4; });
    CHECK(OctileDistance{}.bind(swamp)(cell) == 3 * (6 * 7 + 2 * 5));

    // A heuristic keeps what it needs of the map.
    const auto bound = [&] {
        const GridMap<int> local = GridMap<int>(9, 9, free).with_goal(0);
        return OctileDistance{}.bind(local);
    }();
    CHECK(bound(cell) == 52);
}
