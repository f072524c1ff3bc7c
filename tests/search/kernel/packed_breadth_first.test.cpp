#include <npuzzle/search/kernel/packed_breadth_first.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

#include <cstdint>

// Puzzles, limits and observers are in the tests of breadth_first.

namespace {

using npuzzle::SilentObserver;
using npuzzle::Status;

/// A random graph whose steps all cost one.
struct Unweighted {
    using State = int;
    test::Graph<int> graph;

    std::vector<int> neighbors(int vertex) const {
        std::vector<int> result;
        for (const auto& edge : graph.neighbors(vertex)) {
            result.push_back(edge.to);
        }
        return result;
    }
    bool is_goal(int vertex) const { return graph.is_goal(vertex); }
    std::uint16_t pack(int vertex) const { return static_cast<std::uint16_t>(vertex); }
    int unpack(std::uint16_t word) const { return word; }
};

using Engine = npuzzle::detail::PackedBreadthFirst<Unweighted, SilentObserver>;

} // namespace

TEST_CASE("breadth-first search in words, run or step by step", "[breadth_first]") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Unweighted problem{test::random_graph<int>(seed, 2 + static_cast<int>(seed), 80, 1)};
        const auto depths = oracle::breadth_first(problem, 0);
        int least = -1;
        for (const auto& [vertex, depth] : depths) {
            if (problem.is_goal(vertex) && (least < 0 || depth < least)) {
                least = depth;
            }
        }
        Engine run(problem, 0, {}, SilentObserver{});
        run.run();
        Engine stepped(problem, 0, {}, SilentObserver{});
        std::uint64_t steps = 0;
        while (stepped.step()) {
            REQUIRE(stepped.statistics().expanded <= ++steps);
        }
        const Engine& ended = run;
        const auto result = ended.result();
        CHECK(result.status == (least < 0 ? Status::unsolvable : Status::solved));
        CHECK((!result || result.cost == least));
        test::check_path(problem, 0, result);
        CHECK(stepped.result().path == result.path);
        CHECK(stepped.statistics().expanded == result.statistics.expanded);
        CHECK(stepped.statistics().stored == result.statistics.stored);
    }
}

TEST_CASE("the most states that wait are those at the worst moment", "[breadth_first]") {
    // A broom: five wait after the second step, and then fewer.
    Unweighted problem{test::Graph<int>(8)};
    problem.graph.connect(0, 1, 1).add_goal(7);
    for (int leaf = 2; leaf < 7; ++leaf) {
        problem.graph.connect(1, leaf, 1);
    }
    Engine engine(problem, 0, {}, SilentObserver{});
    CHECK(engine.run() == Status::unsolvable);
    CHECK(engine.statistics().peak_open == 5);
}
