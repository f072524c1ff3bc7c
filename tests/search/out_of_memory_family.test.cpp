#include <npuzzle/search/all_paths.hpp>
#include <npuzzle/search/anytime.hpp>
#include <npuzzle/search/beam.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/breadth_first_layers.hpp>
#include <npuzzle/search/d_star_lite.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/frontier.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/k_shortest_paths.hpp>
#include <npuzzle/search/lpa_star.hpp>
#include <npuzzle/search/partial_expansion.hpp>
#include <npuzzle/search/shortest_path_tree.hpp>

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/failing_searches.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

// As out_of_memory.slow.test.cpp, for the other searches: each allocation fails, once and from then on.

namespace {

using npuzzle::Status;
using npuzzle::Zero;
using test::fail_each_allocation;
using test::memory;

/// Pancakes that are to be sorted from either end.
struct TwoWayPancakes : test::Pancakes {
    static constexpr bool is_undirected = true;
    State goal() const { return sorted(4); }
};

const test::Pancakes::State start{3, 1, 4, 2};

} // namespace

TEST_CASE("each allocation fails of the searches that store their nodes", "[out_of_memory]") {
    const test::Pancakes pancakes;
    const test::PancakeGaps gaps;
    SECTION("Dijkstra's algorithm") {
        fail_each_allocation([&] { return npuzzle::dijkstra(pancakes, start); });
    }
    SECTION("partial expansion") {
        fail_each_allocation([&] { return npuzzle::partial_expansion_astar(pancakes, start, gaps); });
    }
    SECTION("greedy") {
        fail_each_allocation([&] { return npuzzle::greedy_best_first(pancakes, start, gaps); });
    }
    SECTION("another priority") {
        fail_each_allocation(
            [&] { return npuzzle::best_first(pancakes, start, gaps, npuzzle::XdpPriority{2}); });
    }
    SECTION("beams") {
        fail_each_allocation([&] { return npuzzle::beam_search(pancakes, start, gaps, {.width = 5}); });
        fail_each_allocation([&] { return npuzzle::doubling_beam(pancakes, start, Zero{}); });
    }
    SECTION("all cheapest paths") {
        fail_each_allocation([&] { return npuzzle::count_optimal(pancakes, start, gaps); });
        fail_each_allocation([&] { return npuzzle::all_optimal_paths(pancakes, start, gaps, 10); });
    }
    SECTION("the k shortest paths") {
        fail_each_allocation([&] { return npuzzle::k_shortest_paths(pancakes, start, gaps, 4); });
    }
}

TEST_CASE("each allocation fails of a tree of cheapest paths, and what it holds is right",
          "[out_of_memory]") {
    const test::Pancakes pancakes;
    const auto whole = npuzzle::shortest_path_tree(pancakes, start);
    REQUIRE(whole.size() == 24);
    std::size_t largest = 0;
    bool has_failed = true;
    for (std::uint64_t number = 1; has_failed; ++number) {
        const std::uint64_t blocks = memory.blocks;
        {
            memory.arm(number, false);
            const auto tree = npuzzle::shortest_path_tree(pancakes, start);
            has_failed = memory.failures > 0;
            memory.disarm();
            CHECK(tree.status() == (has_failed ? Status::memory_limit : Status::solved));
            CHECK(tree.statistics().expanded == tree.size());
            for (const auto& [stack, cost] : tree) {
                CHECK(whole.cost_to(stack) == cost);
                CHECK(tree.contains(stack));
            }
            largest = has_failed ? std::max(largest, tree.size()) : largest;
        }
        CHECK(memory.blocks == blocks);
    }
    CHECK(largest > 10);
    CHECK(largest <= 24);
}

TEST_CASE("each allocation fails of the anytime searches", "[out_of_memory]") {
    const test::Pancakes pancakes;
    const auto ignore = [](const npuzzle::anytime_result_t<test::Pancakes>&) {};
    fail_each_allocation(
        [&] { return npuzzle::anytime_astar(pancakes, start, test::PancakeGaps{}, ignore, {.weight = 3}); });
    const test::Pancakes::State six{3, 1, 6, 2, 4, 5};
    const auto search = [&] {
        return npuzzle::ara_star(pancakes, six, test::PancakeGaps{}, ignore, npuzzle::AraStarOptions{4, 1});
    };
    const int least = search().cost;
    bool is_sound = true;
    int with_solution = 0;
    fail_each_allocation([&] {
        auto result = search();
        is_sound = is_sound && (!result.is_solution || result.cost <= result.bound * least);
        with_solution += result.is_solution && !result ? 1 : 0;
        return result;
    });
    CHECK(is_sound);
    CHECK(with_solution > 0);
}

TEST_CASE("each allocation fails of the searches from both ends", "[out_of_memory]") {
    const TwoWayPancakes pancakes;
    fail_each_allocation(
        [&] { return npuzzle::bidirectional_astar<npuzzle::BaeStar>(pancakes, start, Zero{}, Zero{}); });
    fail_each_allocation(
        [&] { return npuzzle::bidirectional_astar<npuzzle::Nbs>(pancakes, start, Zero{}, Zero{}); });
    fail_each_allocation([&] {
        return npuzzle::bidirectional_astar<npuzzle::MeetInTheMiddle>(pancakes, start, Zero{}, Zero{});
    });
    fail_each_allocation([&] { return npuzzle::bidirectional_breadth_first(pancakes, start); });
}

TEST_CASE("each allocation fails of the searches that replan", "[out_of_memory]") {
    const TwoWayPancakes pancakes;
    fail_each_allocation([&] { return npuzzle::lpa_star(pancakes, start, Zero{}); });
    fail_each_allocation([&] { return npuzzle::d_star_lite(pancakes, start, Zero{}); });
}

TEST_CASE("each allocation fails of IDA*", "[out_of_memory]") {
    const test::Flips flips;
    fail_each_allocation([&] { return npuzzle::ida_star(flips, start, Zero{}); }, 1);
}

TEST_CASE("each allocation fails of the searches by layers", "[out_of_memory]") {
    const TwoWayPancakes pancakes;
    fail_each_allocation([&] { return npuzzle::frontier_search(pancakes, start); });
}

TEST_CASE("each allocation fails of what counts a space", "[out_of_memory]") {
    const test::Pancakes pancakes;
    const auto expected = npuzzle::breadth_first_layers(pancakes, start).counts;
    REQUIRE(expected.size() > 3);
    for (const bool for_good : {false, true}) {
        std::uint64_t refused = 0;
        for (std::uint64_t number = 1;; ++number) {
            const std::uint64_t blocks = memory.blocks;
            std::uint64_t failures = 0;
            {
                memory.arm(number, for_good);
                const auto layers = npuzzle::breadth_first_layers(pancakes, start);
                failures = memory.failures;
                memory.disarm();
                REQUIRE(layers.status == (failures > 0 ? Status::memory_limit : Status::solved));
                REQUIRE(layers.counts.size() <= expected.size());
                REQUIRE(std::equal(layers.counts.begin(), layers.counts.end(), expected.begin()));
            }
            REQUIRE(memory.blocks == blocks);
            if (failures == 0) {
                break;
            }
            ++refused;
        }
        CHECK(refused > 10);
    }
}
