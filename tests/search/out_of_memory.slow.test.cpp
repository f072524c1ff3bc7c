#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/open_list/heap.hpp>
#include <npuzzle/search/parallel/shared_budget.hpp>

#include "support/catch.hpp"
#include "support/failing_searches.hpp"
#include "support/policies.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// The memory of A*: each allocation fails once, with each open list and node table; limits of bytes are exact.

namespace {

using npuzzle::AStar;
using npuzzle::astar;
using npuzzle::Status;
using npuzzle::Zero;
using test::memory;

/// Those with a closed set.
using PolicyTypes = std::tuple<test::HeapAndPooled, test::HeapAndPacked, test::LadderAndPooled,
                               test::BucketsAndPooled<>, test::BucketsAndPacked<>>;

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

} // namespace

TEMPLATE_LIST_TEST_CASE("each allocation of A* fails, and each step of growth", "[out_of_memory]",
                        PolicyTypes) {
    // Large enough for tables, heaps and buckets to grow a few times.
    const test::WithWords<test::WithMoves<test::Ring>> ring(5, 250, 125);
    test::fail_each_allocation([&] { return astar<TestType>(ring, 0, Zero{}); });
    const std::uint64_t need = astar<TestType>(ring, 0, Zero{}).statistics.bytes;
    const std::uint64_t blocks = memory.blocks;
    std::uint64_t last_peak = 0;
    std::uint64_t different = 0;
    for (std::uint64_t limit = 0; limit < need; limit += 16) {
        std::optional result = astar<TestType>(ring, 0, Zero{}, {.bytes = limit});
        const auto [status, bytes] = std::pair(result->status, result->statistics.bytes);
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
    CHECK(astar<TestType>(ring, 0, Zero{}, {.bytes = need}).status == Status::solved);
}

TEST_CASE("each allocation of A* fails: states that allocate", "[out_of_memory]") {
    const test::Pancakes pancakes;
    const test::Pancakes::State start{3, 1, 6, 2, 4, 5};
    const test::PancakeGaps gaps;
    test::fail_each_allocation([&] { return astar<test::HeapAndPooled>(pancakes, start, gaps); });
    test::fail_each_allocation([&] { return astar<test::HeapAndTree>(pancakes, start, gaps); });
    const LongWords words;
    const LongWords::State one = LongWords::word(1);
    test::fail_each_allocation([&] { return astar(words, one, Zero{}); });
}

TEST_CASE("an engine that runs out of memory keeps its statistics", "[out_of_memory]") {
    const test::Pancakes pancakes;
    const test::Pancakes::State start{3, 1, 6, 2, 4, 5};
    std::uint64_t ended = 0;
    for (std::uint64_t number = 1; number < 400; number += 7) {
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
        CHECK_FALSE(engine.step());
        const auto result = engine.result();
        CHECK(result.status == engine.status());
        CHECK(result.path.empty() == (result.status != Status::solved));
    }
    CHECK(ended > 30);
}

TEMPLATE_LIST_TEST_CASE("a search that is begun again needs no more memory", "[out_of_memory]", PolicyTypes) {
    const Arithmetic problem;
    AStar<Arithmetic, Zero, npuzzle::SilentObserver, TestType> engine(problem, 0, Zero{});
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

TEST_CASE("what the system refuses is not counted", "[out_of_memory]") {
    npuzzle::SharedMemoryBudget budget(test::Memory::never);
    memory.arm(1);
    CHECK_THROWS_AS(budget.allocate(1000, 8), std::bad_alloc);
    memory.disarm();
    CHECK(budget.used() == 0);
}

TEMPLATE_LIST_TEST_CASE("the budget counts what is allocated in fact", "[out_of_memory]", PolicyTypes) {
    using Ring = test::Compact<test::WithWords<test::WithMoves<test::Ring>>>;
    using Parts = npuzzle::PartsFor<Ring, Zero, TestType>;
    const Ring ring(1, 61, 0);
    // Shared: the budget of one thread has room for the first bytes itself.
    npuzzle::SharedMemoryBudget budget(test::Memory::never);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> counted;
    counted.reserve(1000);
    const std::uint64_t bytes = memory.bytes;
    {
        typename Parts::NodeTable table(ring, budget);
        typename Parts::OpenList list(budget);
        // Some so far apart that buckets do not reach, the rest close together; few enough that nothing is so
        // large as to be mapped instead of allocated.
        for (int i = 0; i < 20'000; ++i) {
            const auto node = table.insert(int{i}).first;
            list.push({i < 1'200 ? 5 * i : i % 60, i % 7, node.key()});
            if (i % 100 == 0) {
                counted.emplace_back(memory.bytes - bytes, budget.used());
            }
        }
    }
    for (const auto& [allocated, used] : counted) {
        CHECK(allocated == used);
    }
    CHECK(memory.bytes == bytes);
    CHECK(budget.used() == 0);
}
