#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/core/combinators.hpp>
#include <npuzzle/search/depth_first.hpp>
#include <npuzzle/search/iterative_deepening.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/failing_searches.hpp"
#include "support/oracles.hpp"
#include "support/policies.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Each allocation of a search fails once: the search ends with memory_limit, nothing leaks, and the program
// goes on.

namespace {

using npuzzle::AStar;
using npuzzle::astar;
using npuzzle::SilentObserver;
using npuzzle::Status;
using npuzzle::Zero;
using test::fail_each_allocation;
using test::memory;

using test::BucketsAndPacked;
using test::BucketsAndPooled;
using test::BucketsAndTree;
using test::HeapAndPacked;
using test::HeapAndPooled;
using test::HeapAndTree;
using test::LadderAndPooled;

/// Those with a closed set.
using PolicyTypes =
    std::tuple<HeapAndPooled, HeapAndPacked, LadderAndPooled, BucketsAndPooled<>, BucketsAndPacked<>>;

/// Numbers in words too long to be stored in place; from each, to its double and its successor.
struct LongWords {
    using State = std::string;

    static State word(int number) { return "a word of more than some characters: " + std::to_string(number); }
    static int number(const State& state) { return std::stoi(state.substr(state.rfind(' '))); }

    std::vector<State> neighbors(const State& state) const {
        const int x = number(state);
        return {word(x + 1), word(2 * x)};
    }
    bool is_goal(const State& state) const { return number(state) == 97; }
};

/// Two ways on from each of 30,000 numbers, without an allocation.
struct Arithmetic {
    using State = int;

    std::array<State, 2> neighbors(State number) const {
        return {(5 * number + 1) % 30'000, (7 * number + 13) % 30'000};
    }
    bool is_goal(State number) const { return number == 12'345; }
    std::uint16_t pack(State number) const { return static_cast<std::uint16_t>(number); }
    State unpack(std::uint16_t word) const { return word; }
};

template <class Policy, class P, class H>
void fail_each_allocation_of(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic) {
    fail_each_allocation([&] { return astar<Policy>(problem, start, heuristic); });
}

} // namespace

TEST_CASE("each allocation of a search fails: numbers as states", "[out_of_memory]") {
    // Large enough for tables, heaps and buckets to grow a few times.
    const test::WithWords<test::Ring> ring(5, 250, 125);
    REQUIRE(oracle::least_cost<int>(ring, 0).has_value());
    SECTION("heap, pooled") {
        fail_each_allocation_of<HeapAndPooled>(ring, 0, Zero{});
    }
    SECTION("heap, packed") {
        fail_each_allocation_of<HeapAndPacked>(ring, 0, Zero{});
    }
    SECTION("ladder, pooled") {
        fail_each_allocation_of<LadderAndPooled>(ring, 0, Zero{});
    }
    SECTION("buckets, pooled") {
        fail_each_allocation_of<BucketsAndPooled<>>(ring, 0, Zero{});
    }
    SECTION("buckets, packed") {
        fail_each_allocation_of<BucketsAndPacked<>>(ring, 0, Zero{});
    }
    SECTION("with moves") {
        const test::WithWords<test::WithMoves<test::Ring>> walked(5, 250, 125);
        fail_each_allocation_of<npuzzle::DefaultPolicy>(walked, 0, Zero{});
        fail_each_allocation_of<BucketsAndPooled<>>(walked, 0, Zero{});
    }
}

TEST_CASE("each allocation of a search fails: states that allocate", "[out_of_memory]") {
    SECTION("vectors") {
        const test::Pancakes pancakes;
        const test::Pancakes::State start{3, 1, 6, 2, 4, 5};
        fail_each_allocation_of<HeapAndPooled>(pancakes, start, test::PancakeGaps{});
        fail_each_allocation_of<BucketsAndPooled<>>(pancakes, {3, 1, 4, 2}, Zero{});
        fail_each_allocation_of<HeapAndTree>(pancakes, start, test::PancakeGaps{});
        fail_each_allocation_of<BucketsAndTree>(pancakes, start, test::PancakeGaps{});
    }
    SECTION("strings") {
        const LongWords words;
        fail_each_allocation_of<HeapAndPooled>(words, LongWords::word(1), Zero{});
        fail_each_allocation_of<BucketsAndPooled<>>(words, LongWords::word(1), Zero{});
        fail_each_allocation_of<BucketsAndTree>(words, LongWords::word(12), Zero{});
    }
}

TEST_CASE("an engine that runs out of memory keeps its statistics", "[out_of_memory]") {
    const test::Pancakes pancakes;
    const test::Pancakes::State start{3, 1, 6, 2, 4, 5};
    std::uint64_t ended = 0;
    for (std::uint64_t number = 1; number < 400; number += 7) {
        const std::uint64_t blocks = memory.blocks;
        {
            AStar<test::Pancakes, Zero> engine(pancakes, start, Zero{});
            std::uint64_t steps = 0;
            memory.arm(number);
            while (engine.step()) {
                ++steps;
            }
            memory.disarm();
            ended += engine.status() == Status::memory_limit ? 1 : 0;
            // The step that failed may have counted its expansion before it did.
            CHECK(engine.statistics().expanded >= steps);
            CHECK(engine.statistics().expanded <= steps + 1);
            CHECK(engine.statistics().stored >= 1);
            CHECK(engine.statistics().bytes > 0);
            CHECK(engine.statistics().seconds > 0);
            CHECK_FALSE(engine.step());
            const auto result = engine.result();
            CHECK(result.status == engine.status());
            CHECK(result.path.empty() == (result.status != Status::solved));
        }
        CHECK(memory.blocks == blocks);
    }
    CHECK(ended > 30);
}

TEST_CASE("each step of growth is refused once by the limit of bytes", "[out_of_memory]") {
    const test::WithWords<test::WithMoves<test::Ring>> ring(5, 400, 200);
    const auto sweep = [&](auto policy) {
        using Policy = typename decltype(policy)::type;
        const auto whole = astar<Policy>(ring, 0, Zero{});
        REQUIRE(whole.status == Status::solved);
        const std::uint64_t need = whole.statistics.bytes;
        const std::uint64_t blocks = memory.blocks;
        std::uint64_t different = 0;
        std::uint64_t last_peak = 0;
        for (std::uint64_t limit = 0; limit < need; limit += 16) {
            std::optional result = astar<Policy>(ring, 0, Zero{}, {.bytes = limit});
            const std::uint64_t bytes = result->statistics.bytes;
            const Status status = result->status;
            const bool has_path = !result->path.empty();
            result.reset(); // with the partial path
            if (status != Status::memory_limit || bytes > limit || bytes < last_peak || has_path ||
                memory.blocks != blocks) {
                CAPTURE(limit, status, bytes, last_peak);
                FAIL("a limit of bytes did not end the search as it should");
            }
            different += bytes > last_peak ? 1 : 0;
            last_peak = bytes;
        }
        CHECK(different >= 3);
        CHECK(astar<Policy>(ring, 0, Zero{}, {.bytes = need}).status == Status::solved);
    };
    sweep(std::type_identity<HeapAndPooled>{});
    sweep(std::type_identity<HeapAndPacked>{});
    sweep(std::type_identity<LadderAndPooled>{});
    sweep(std::type_identity<BucketsAndPooled<>>{});
    sweep(std::type_identity<BucketsAndPacked<>>{});
}

TEMPLATE_LIST_TEST_CASE("a search that is begun again needs no more memory", "[out_of_memory]", PolicyTypes) {
    const Arithmetic problem;
    using Parts = npuzzle::PartsFor<Arithmetic, Zero, TestType>;
    npuzzle::BestFirst<Arithmetic, Zero, SilentObserver, Parts> engine(problem, 0, Zero{});
    std::uint64_t most = 0;
    const auto run_all = [&] {
        std::uint64_t solved = 0;
        for (int start = 0; start < 200; ++start) {
            engine.restart(start);
            solved += engine.run() == Status::solved ? 1 : 0;
            most = std::max(most, engine.statistics().stored);
        }
        return solved;
    };
    const std::uint64_t solved = run_all();
    CHECK(solved > 100);
    CHECK(most > 5'000);
    memory.arm(1, true);
    const std::uint64_t solved_again = run_all();
    const std::uint64_t failures = memory.failures;
    memory.disarm();
    CHECK(failures == 0);
    CHECK(solved_again == solved);
}

TEMPLATE_LIST_TEST_CASE("the budget counts what is allocated in fact", "[out_of_memory]", PolicyTypes) {
    using Ring = test::WithWords<test::Ring>;
    using Parts = npuzzle::PartsFor<Ring, Zero, TestType>;
    const Ring ring(1, 61, 0);
    npuzzle::MemoryBudget budget;
    const std::uint64_t bytes = memory.bytes;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> counted;
    counted.reserve(1000);
    const std::uint64_t vector_bytes = memory.bytes - bytes;
    {
        typename Parts::NodeTable table(ring, budget);
        typename Parts::OpenList list(budget);
        // Some so far apart that buckets do not reach, the rest close together; few enough that nothing is so
        // large as to be mapped instead of allocated.
        for (int i = 0; i < 20'000; ++i) {
            const auto node = table.insert(int{i}).first;
            list.push({i < 1'200 ? 5 * i : i % 60, i % 7, node.key()});
            if (i % 100 == 0) {
                counted.emplace_back(memory.bytes - bytes - vector_bytes, budget.used());
            }
        }
    }
    for (const auto& [allocated, used] : counted) {
        CHECK(allocated == used);
    }
    CHECK(memory.bytes == bytes + vector_bytes);
    CHECK(budget.used() == 0);
}
