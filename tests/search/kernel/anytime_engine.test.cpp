#include <npuzzle/search/anytime.hpp>
#include <npuzzle/search/kernel/anytime_engine.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <cstdint>

using npuzzle::AnytimeAStar;
using npuzzle::AraStar;
using npuzzle::Status;
using test::Table;

TEST_CASE("starts may be added while it searches", "[anytime_engine]") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        const auto graph = test::random_graph<int>(seed, 30, 70, 1, 20);
        const auto first = oracle::least_cost<int>(graph, 0);
        const int other = static_cast<int>(seed % 30);
        const auto second = oracle::least_cost<int>(graph, other);
        const auto least = !second ? first : !first ? second : std::min(first, second);
        Table<int> heuristic{oracle::costs_to_goal<int>(graph, 0)};
        heuristic.values.merge(oracle::costs_to_goal<int>(graph, other));
        for (auto& [vertex, value] : heuristic.values) {
            value = seed % 3 == 0 && vertex % 2 == 0 ? 0 : value; // not consistent
        }
        const auto check = [&](auto& engine) {
            for (std::uint64_t i = 0; i < seed % 11; ++i) {
                engine.step();
            }
            const bool is_late = engine.status() != Status::running;
            engine.add_start(other);
            if (is_late) {
                CHECK(engine.solution().is_solution == first.has_value());
                return;
            }
            while (engine.next_solution()) {
                CHECK(engine.solution().cost <= engine.solution().bound * *least + 1e-9);
            }
            CHECK(engine.status() == (least ? Status::solved : Status::unsolvable));
            const auto result = engine.result();
            CHECK((!least || result.cost == *least));
            CHECK((!least || result.path.front() == 0 || result.path.front() == other));
        };
        AnytimeAStar astar(graph, 0, heuristic, {.weight = 3});
        check(astar);
        AraStar ara(graph, 0, heuristic, {.weight = 5, .step = 1});
        check(ara);
    }
}
