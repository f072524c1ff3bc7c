#include <npuzzle/search.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

// Problems that have nothing to do with the sliding-tile puzzle.

namespace {

using npuzzle::astar;
using npuzzle::Zero;
using test::FourPegHanoi;
using test::PancakeGaps;
using test::Pancakes;

// The greatest distances of 2 to 6 pancakes (Garey, Johnson, Lin 1977), and the moves of 1 to 7 discs on four
// pegs.
constexpr std::array<int, 5> pancake_numbers{1, 3, 4, 5, 7};
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

TEST_CASE("the towers of Hanoi on four pegs", "[custom_problems]") {
    const FourPegHanoi hanoi;
    for (std::size_t discs = 1; discs <= hanoi_numbers.size(); ++discs) {
        INFO(discs << " discs");
        const auto result = astar(hanoi, FourPegHanoi::start(discs), Zero{});
        CHECK(result.cost == hanoi_numbers[discs - 1]);
        test::check_path(hanoi, FourPegHanoi::start(discs), result);
        test::check_statistics(result.status, result.statistics);
        if (discs <= 5) {
            CHECK(oracle::least_cost<int>(hanoi, FourPegHanoi::start(discs)) == hanoi_numbers[discs - 1]);
        }
    }
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
