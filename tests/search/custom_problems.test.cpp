#include <npuzzle/search.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

// Problems that have nothing to do with the sliding-tile puzzle.

namespace {

using npuzzle::astar;
using npuzzle::Status;
using npuzzle::Zero;
using test::FourPegHanoi;
using test::OctileGrid;
using test::PancakeGaps;
using test::Pancakes;

// The greatest distances of 2 to 8 pancakes (Garey, Johnson, Lin 1977), and the moves of 1 to 7 discs on four
// pegs.
constexpr std::array<int, 7> pancake_numbers{1, 3, 4, 5, 7, 8, 9};
constexpr std::array<int, 7> hanoi_numbers{1, 3, 5, 9, 13, 17, 25};

} // namespace

TEST_CASE("pancakes: A* agrees with breadth-first search on each stack", "[custom_problems]") {
    const Pancakes pancakes;
    for (int count = 2; count <= 6; ++count) {
        INFO(count << " pancakes");
        // A flip takes itself back: distances from the sorted stack are distances to it.
        const auto depths = oracle::breadth_first(pancakes, Pancakes::sorted(count));
        int greatest = 0;
        for (const auto& [stack, depth] : depths) {
            const auto guided = astar(pancakes, stack, PancakeGaps{});
            const auto blind = count <= 5 ? astar(pancakes, stack, Zero{}) : guided;
            REQUIRE(guided.cost == depth);
            REQUIRE(blind.cost == depth);
            REQUIRE(guided.path.size() == static_cast<std::size_t>(depth) + 1);
            REQUIRE(oracle::path_cost<int>(pancakes, guided.path) == depth);
            REQUIRE(guided.statistics.reopened == 0);
            REQUIRE(guided.statistics.contract_violations == 0);
            greatest = guided.cost > greatest ? guided.cost : greatest;
        }
        CHECK(greatest == pancake_numbers[static_cast<std::size_t>(count - 2)]);
    }
}

TEST_CASE("pancakes: the greatest distances of 7 and 8", "[custom_problems]") {
    const Pancakes pancakes;
    for (const int count : {7, 8}) {
        INFO(count << " pancakes");
        const auto depths = oracle::breadth_first(pancakes, Pancakes::sorted(count));
        const int greatest = pancake_numbers[static_cast<std::size_t>(count - 2)];
        int number = 0;
        int farthest = 0;
        for (const auto& [stack, depth] : depths) {
            CHECK(depth <= greatest);
            farthest += depth == greatest ? 1 : 0;
            // All of the farthest stacks, and some of the others.
            if (depth == greatest || ++number % 200 == 0) {
                REQUIRE(astar(pancakes, stack, PancakeGaps{}).cost == depth);
            }
        }
        CHECK(farthest > 0);
    }
}

TEST_CASE("the towers of Hanoi on four pegs", "[custom_problems]") {
    const FourPegHanoi hanoi;
    for (std::size_t discs = 1; discs <= hanoi_numbers.size(); ++discs) {
        INFO(discs << " discs");
        const auto result = astar(hanoi, FourPegHanoi::start(discs), Zero{});
        CHECK(result.cost == hanoi_numbers[discs - 1]);
        test::check_path(hanoi, FourPegHanoi::start(discs), result);
        test::check_statistics(result.status, result.statistics);
        // Each disc that is elsewhere has to move once.
        const auto elsewhere = [](const std::string& pegs) {
            int count = 0;
            for (const char peg : pegs) {
                count += peg != 'd' ? 1 : 0;
            }
            return count;
        };
        const auto guided = astar(hanoi, FourPegHanoi::start(discs), elsewhere);
        CHECK(guided.cost == hanoi_numbers[discs - 1]);
        CHECK(guided.statistics.expanded <= result.statistics.expanded);
        if (discs <= 5) {
            CHECK(oracle::least_cost<int>(hanoi, FourPegHanoi::start(discs)) == hanoi_numbers[discs - 1]);
        }
    }
}

TEST_CASE("the towers of Hanoi from any state", "[custom_problems]") {
    const FourPegHanoi hanoi;
    // Moves can be taken back.
    for (const auto& [pegs, depth] : oracle::breadth_first(hanoi, std::string(4, 'd'))) {
        CHECK(astar(hanoi, pegs, Zero{}).cost == depth);
    }
}

TEST_CASE("a grid with floating-point costs", "[custom_problems]") {
    int solved = 0;
    int unsolvable = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        INFO("seed " << seed);
        const OctileGrid grid(seed, 25, 20);
        const OctileGrid::State start{0, 0};
        const auto least = oracle::least_cost<double>(grid, start);
        const auto octile = [&](const OctileGrid::State& cell) { return grid.octile_distance(cell); };
        const auto blind = astar(grid, start, Zero{});
        const auto guided = astar(grid, start, octile);
        for (const auto& result : {blind, guided}) {
            REQUIRE(result.status == (least ? Status::solved : Status::unsolvable));
            if (least) {
                CHECK(result.cost == Approx(*least));
                CHECK(oracle::path_cost<double>(grid, result.path).value() == Approx(result.cost));
                CHECK(result.path.front() == start);
                CHECK(grid.is_goal(result.path.back()));
            }
        }
        // Where there is no way to the goal, both go everywhere; the guided search may be led back by a
        // rounding error.
        CHECK((!least || guided.statistics.expanded <= blind.statistics.expanded));
        CHECK(guided.statistics.stored <= blind.statistics.stored);
        solved += least ? 1 : 0;
        unsolvable += least ? 0 : 1;
    }
    CHECK(solved > 10);
    CHECK(unsolvable > 0);
}

TEST_CASE("a graph that is never built in full", "[custom_problems]") {
    // Infinitely many states; the goal is found all the same, and no more is looked at than is as near.
    struct Plane {
        using State = std::pair<long, long>;
        std::vector<State> neighbors(const State& s) const {
            return {{s.first + 1, s.second},
                    {s.first - 1, s.second},
                    {s.first, s.second + 1},
                    {s.first, s.second - 1}};
        }
        bool is_goal(const State& s) const { return s == State{1000, -1000}; }
    };
    const auto result = astar(Plane{}, {0, 0}, [](const Plane::State& s) {
        return std::abs(1000 - s.first) + std::abs(-1000 - s.second);
    });
    CHECK(result.cost == 2000);
    CHECK(result.statistics.expanded == 2000);
}

namespace own {

struct Graph {
    int vertices;
};

/// Found beside its first argument, as the library's is beside its third.
int depth_first(const Graph& graph, int start, npuzzle::DepthFirstOptions /*options*/) {
    return graph.vertices + start;
}

} // namespace own

TEST_CASE("what is no problem at all is left to functions of the same name", "[custom_problems]") {
    CHECK(depth_first(own::Graph{5}, 2, npuzzle::DepthFirstOptions{}) == 7);
}
