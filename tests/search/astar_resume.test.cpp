#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using npuzzle::AStar;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SilentObserver;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::WeightedAStar;

const SlidingPuzzle<3> puzzle;
const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1}); // one of the two that take 31 moves

/// Batches from the beginning, so that a limit may strike within one.
struct InBatches : npuzzle::DefaultPolicy {
    static constexpr std::size_t batch_width = 4;
};

/// Buckets, words as nodes, and batches.
struct Boards {
    using Search = AStar<SlidingPuzzle<3>, Manhattan, SilentObserver, InBatches>;
    static Search make(npuzzle::limits_t<SlidingPuzzle<3>> limits = {}) {
        return {puzzle, board, Manhattan{}, limits};
    }
};

/// The ladder, and nodes with states, which do not wait. Closed nodes stay closed.
struct WeightedBoards {
    struct Pooled : npuzzle::PooledPolicy {};
    using Search = WeightedAStar<SlidingPuzzle<3>, Manhattan, SilentObserver, double, Pooled>;
    static Search make(npuzzle::limits_t<SlidingPuzzle<3>> limits = {}, double weight = 1.25) {
        return {puzzle, board, Manhattan{}, {.weight = weight}, limits};
    }
};

struct OctileDistance {
    const test::OctileGrid* grid;
    double operator()(const test::OctileGrid::State& cell) const { return grid->octile_distance(cell); }
};

const test::OctileGrid grid(8, 150, 150);

/// The ladder, nodes with states and without moves, and batches. With an early goal test, neighbors wait.
struct Map {
    struct Early : InBatches {
        static constexpr bool early_goal_test = true;
    };
    using Search = AStar<test::OctileGrid, OctileDistance, SilentObserver, Early>;
    static Search make(npuzzle::limits_t<test::OctileGrid> limits = {}) {
        return {grid, {0, 0}, OctileDistance{&grid}, limits};
    }
};

/// What two searches have in common if one of them was interrupted.
template <class Result>
auto facts(const Result& result) {
    const npuzzle::Statistics& did = result.statistics;
    return std::pair(result.path, std::vector<double>{
                                      static_cast<double>(result.status), static_cast<double>(result.cost),
                                      static_cast<double>(did.expanded), static_cast<double>(did.generated),
                                      static_cast<double>(did.duplicates), static_cast<double>(did.reopened),
                                      static_cast<double>(did.stored), static_cast<double>(did.peak_open)});
}

template <class Test>
const auto& undisturbed() {
    static const auto result = [] {
        auto search = Test::make();
        search.run();
        return search.result();
    }();
    return result;
}

template <class Search>
auto finished(Search& search) {
    search.run();
    return facts(search.result());
}

} // namespace

TEMPLATE_TEST_CASE("a search that a limit ended at any moment goes on as if it had not", "[resume]", Boards,
                   WeightedBoards, Map) {
    const auto& expected = undisturbed<TestType>();
    REQUIRE(expected.status == Status::solved);
    const std::uint64_t all = expected.statistics.expanded;
    REQUIRE(all > 500);
    std::vector<std::uint64_t> moments{0, 1, 2, 3, 5, 6, 10, 65, 1'000, all - 1, all};
    for (std::uint64_t at = 128; at < all; at += all / 6) {
        moments.push_back(at);
    }
    for (const std::uint64_t at : moments) {
        auto search = TestType::make({.expansions = at});
        search.run();
        if (search.status() == Status::solved) { // A goal that is next is accepted.
            CHECK(at == all);
            continue;
        }
        CHECK(search.status() == Status::expansion_limit);
        CHECK(search.resume());
        CHECK(finished(search) == facts(expected));
    }
}

TEMPLATE_TEST_CASE("a search goes on after each of many limits", "[resume]", Boards, WeightedBoards, Map) {
    auto search = TestType::make({.expansions = 0});
    std::uint64_t at = 0;
    for (; search.run() == Status::expansion_limit; at += 397) {
        CHECK(search.result().partial_path.size() > (at > 0 ? 1U : 0U));
        search.resume({.expansions = at + 397});
    }
    CHECK(facts(search.result()) == facts(undisturbed<TestType>()));
}

TEST_CASE("a search goes on after a stop and after its time limit, by runs or by steps", "[resume]") {
    const auto& expected = undisturbed<Boards>();
    std::uint64_t asked = 0;
    auto stopped = Boards::make({.stop = [&asked] { return ++asked == 5; }});
    CHECK(stopped.run() == Status::cancelled);
    CHECK(stopped.resume());
    CHECK(finished(stopped) == facts(expected));
    auto late = Boards::make({.time = std::chrono::nanoseconds{0}});
    CHECK(late.run() == Status::time_limit);
    CHECK(late.resume());
    CHECK(finished(late) == facts(expected));
    auto mixed = Boards::make({.expansions = 1'001});
    mixed.run();
    CHECK(mixed.resume());
    while (mixed.step()) {
    }
    CHECK(mixed.result().cost == 31);
}

TEST_CASE("a search that is over, or has no memory, does not go on", "[resume]") {
    auto search = Boards::make();
    search.run();
    CHECK_FALSE(search.resume());
    CHECK(search.status() == Status::solved);
    auto cramped = Boards::make({.bytes = 100'000});
    CHECK(cramped.run() == Status::memory_limit);
    CHECK_FALSE(cramped.resume());
    CHECK(cramped.status() == Status::memory_limit);
}
