#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/parallel/parallel_for_each_reachable.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/puzzle_space.hpp"
#include "support/unit_graphs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

namespace {

using npuzzle::parallel_for_each_reachable;
using npuzzle::ParallelLayersOptions;
using npuzzle::Status;
using test::UndirectedWords;

/// What `visit` was called with, by each worker.
struct Visits {
    std::vector<std::map<int, int>> by_worker = std::vector<std::map<int, int>>(8);
    std::vector<int> twice = std::vector<int>(8);

    void operator()(int vertex, int cost, std::size_t worker) {
        twice[worker] += by_worker[worker].emplace(vertex, cost).second ? 0 : 1;
    }
    [[nodiscard]] std::map<int, int> all() const {
        CHECK(twice == std::vector<int>(8));
        std::map<int, int> all;
        for (const auto& visits : by_worker) {
            for (const auto& visit : visits) {
                CHECK(all.insert(visit).second);
            }
        }
        return all;
    }
};

} // namespace

TEST_CASE("several threads visit each state once, with what it costs", "[parallel]") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const UndirectedWords graph(seed, 80, 100);
        const auto expected = oracle::breadth_first(graph, 0);
        for (const unsigned threads : {1U, 2U, 3U, 8U}) {
            Visits visits;
            const auto result = parallel_for_each_reachable(
                graph, 0, visits, {.threads = threads, .least_divided = 1 + seed % 4});
            CHECK(result);
            CHECK(visits.all() == expected);
            CHECK(result.statistics.expanded == expected.size());
        }
    }
}

TEST_CASE("states are visited in the order of their costs", "[parallel]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    std::array<std::atomic<int>, 40> counts{};
    std::atomic<int> early{0};
    const auto all = parallel_for_each_reachable(
        puzzle, puzzle.goal(),
        [&](const npuzzle::PackedBoard<3>&, int cost) {
            const auto depth = static_cast<std::size_t>(cost);
            ++counts[depth];
            early += depth > 0 && counts[depth - 1] != oracle::counts_of_the_8_puzzle[depth - 1] ? 1 : 0;
        },
        {.threads = 3, .least_divided = 200});
    CHECK(all);
    CHECK(early == 0);
}

TEST_CASE("visits on several threads end at a limit", "[parallel]") {
    const UndirectedWords graph(5, 300, 420);
    const auto depths = oracle::breadth_first(graph, 0);
    int deepest = 0;
    for (const auto& [vertex, depth] : depths) {
        deepest = std::max(deepest, depth);
    }
    const ParallelLayersOptions options{.threads = 3, .least_divided = 5};
    for (int most = -1; most <= deepest + 1; ++most) {
        Visits visits;
        const auto result = parallel_for_each_reachable(graph, 0, visits, options, {.max_cost = most});
        CHECK(result.status == (most < deepest ? Status::cost_limit : Status::solved));
        auto expected = depths;
        std::erase_if(expected, [&](const auto& entry) { return entry.second > most; });
        CHECK(visits.all() == expected);
        const auto serial = npuzzle::for_each_reachable(graph, 0, [](int, int) {}, {.max_cost = most});
        CHECK(result.status == serial.status);
    }
    Visits visits;
    const auto few = parallel_for_each_reachable(graph, 0, visits, options, {.expansions = 40});
    CHECK(few.status == Status::expansion_limit);
    CHECK(few.statistics.expanded == 40);
    CHECK(visits.all().size() > 40);
    CHECK(parallel_for_each_reachable(graph, 0, visits, options, {.bytes = 1'000}).status ==
          Status::memory_limit);
}

TEST_CASE("visits of a start and callables; what they throw comes out", "[parallel]") {
    const auto neighbors = [](int x) { return std::array{x + 1, 2 * x}; };
    std::atomic<int> sum{0};
    const ParallelLayersOptions options{.threads = 4, .least_divided = 1};
    CHECK(parallel_for_each_reachable(1, neighbors, [&](int x, int) { sum += x; }, options, {.max_cost = 3})
              .status == Status::cost_limit);
    CHECK(sum == 1 + 2 + (3 + 4) + (5 + 6 + 8));
    for (const int number : {1, 100, 2'000}) {
        std::atomic<int> left{number};
        CHECK_THROWS_AS(parallel_for_each_reachable(
                            1, neighbors,
                            [&](int, int) {
                                if (--left == 0) {
                                    throw std::runtime_error("enough");
                                }
                            },
                            options),
                        std::runtime_error);
    }
}
