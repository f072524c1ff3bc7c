#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/astar_then_ida_star.hpp>
#include <npuzzle/search/move_pruning.hpp>

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"
#include "support/unit_graphs.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using npuzzle::astar_then_ida_star;
using npuzzle::AStarThenIdaStar;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using Options = npuzzle::AStarThenIdaStarOptions;

/// A graph whose steps may cost nothing, but for cycles.
template <class C>
test::Graph<C> graph_with_free_steps(std::uint64_t seed) {
    test::Random random(seed);
    const int vertices = random.between(2, 30);
    test::Graph<C> graph(static_cast<std::size_t>(vertices));
    for (int i = 0; i < 2 * vertices; ++i) {
        const int from = random.between(0, vertices - 1);
        const int to = random.between(0, vertices - 1);
        const int units = from < to && random.one_in(3) ? 0 : random.between(1, 9);
        graph.connect(from, to, static_cast<C>(units * (std::is_integral_v<C> ? 1 : 0.1)));
    }
    return graph.add_goal(vertices - 1);
}

/// Counts what an observer is told.
struct Told : npuzzle::SilentObserver {
    std::uint64_t starts = 0;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t goals = 0;
    int goal_cost = 0;

    void start(const auto&) { ++starts; }
    void expand(const auto& node) {
        ++expanded;
        CHECK(node.cost + node.estimate <= node.priority);
    }
    void generate(const auto& node, const auto& parent) {
        ++generated;
        CHECK(node.cost == parent.cost + 1);
    }
    void goal(const auto& node) {
        ++goals;
        goal_cost = node.cost;
    }
};

} // namespace

TEST_CASE("8-puzzles, with more and less memory for A*, with all moves and with pruned ones",
          "[astar_then_ida_star]") {
    const SlidingPuzzle<3> puzzle;
    const auto pruning = npuzzle::learn_move_pruning(puzzle, puzzle.goal());
    const auto pruned = npuzzle::with_move_pruning(puzzle, pruning);
    int by_ida_star = 0;
    std::uint64_t all_moves = 0;
    std::uint64_t fewer = 0;
    const auto search = [&](const auto& problem, const PackedBoard<3>& board, int depth, Options options) {
        AStarThenIdaStar engine(problem, board, Manhattan{}, options);
        engine.run();
        by_ida_star += engine.has_left_astar() ? 1 : 0;
        const auto result = engine.result();
        test::check_moves(puzzle, board, result, depth);
        return result.statistics.generated;
    };
    const auto boards = oracle::space_of_size_3(oracle::blank_last_of_size_3).solvable(4'000);
    REQUIRE(boards.size() > 40);
    for (const auto& cells : boards) {
        const int depth = oracle::space_of_size_3(oracle::blank_last_of_size_3).depth(cells);
        const PackedBoard<3> board(cells);
        for (const std::uint64_t nodes : {1U, 100U, 800U}) {
            for (const std::size_t checked : {0U, 1U, 5U, 1'000U}) {
                const Options options{.astar_nodes = nodes, .checked_moves = checked};
                all_moves += search(puzzle, board, depth, options);
                fewer += search(pruned, board, depth, options);
            }
        }
    }
    CHECK(by_ida_star > 500);
    CHECK(fewer < all_moves);
}

TEST_CASE("boards of Korf's in less memory than A* needs, on fewer nodes than IDA* alone",
          "[astar_then_ida_star]") {
    const SlidingPuzzle<4> puzzle;
    for (const test::KorfBoard& korf : test::korf_boards) {
        if (korf.number != 12 && korf.number != 79) {
            continue;
        }
        const PackedBoard<4> board(korf.turned);
        const auto whole = npuzzle::astar(puzzle, board, Manhattan{});
        const std::uint64_t bytes = whole.statistics.bytes / 2;
        REQUIRE(npuzzle::astar(puzzle, board, Manhattan{}, {.bytes = bytes}).status == Status::memory_limit);
        const auto result = astar_then_ida_star(puzzle, board, Manhattan{}, {}, {.bytes = bytes});
        CHECK(result.cost == korf.moves);
        CHECK(result.statistics.bytes <= bytes);
        CHECK(result.statistics.stored < whole.statistics.stored);
        test::check_path(puzzle, board, result);
        // To refute one bound less takes all nodes under it, and no luck.
        const auto refute = [&](std::uint64_t astar_bytes) {
            const auto refuted = astar_then_ida_star(puzzle, board, Manhattan{}, {.astar_bytes = astar_bytes},
                                                     {.max_cost = korf.moves - 2});
            CHECK(refuted.status == Status::cost_limit);
            return refuted.statistics.generated;
        };
        CHECK(refute(bytes) < refute(1));
        // Without a limit it is A*.
        const auto astar = astar_then_ida_star(puzzle, board, Manhattan{});
        CHECK(astar.path == whole.path);
        CHECK(astar.statistics.expanded == whole.statistics.expanded);
    }
}

TEST_CASE("as on the page of A* and IDA*", "[astar_then_ida_star]") {
    const SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const PackedBoard<4> korf_79({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15});
    const auto result =
        npuzzle::astar_then_ida_star(puzzle, korf_79, npuzzle::Manhattan{}, {}, {.bytes = 4'000'000});
    CHECK(result.cost == 42);
    CHECK(result.statistics.bytes <= 4'000'000);
}

TEST_CASE("states that A* knows are not searched again", "[astar_then_ida_star]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1}); // 31 moves
    std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    for (const std::size_t checked : {1U, 6U, 12U}) {
        const auto result =
            astar_then_ida_star(puzzle, board, Manhattan{}, {.astar_nodes = 2'000, .checked_moves = checked});
        CHECK(result.cost == 31);
        CHECK(result.statistics.expanded < last);
        last = result.statistics.expanded;
    }
}

TEMPLATE_TEST_CASE("random graphs, with free steps, with integers and real costs", "[astar_then_ida_star]",
                   int, double) {
    int by_ida_star = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        INFO("seed " << seed);
        const auto graph = graph_with_free_steps<TestType>(seed);
        const auto least = oracle::least_cost<TestType>(graph, 0);
        test::Table<TestType> table{oracle::costs_to_goal<TestType>(graph, 0)};
        test::Random random(seed);
        for (auto& [vertex, value] : table.values) {
            value = random.one_in(3) ? TestType{} : value; // not consistent
        }
        for (int vertex = 0; vertex < graph.size(); ++vertex) {
            table.values.emplace(vertex, std::numeric_limits<TestType>::has_infinity
                                             ? std::numeric_limits<TestType>::infinity()
                                             : std::numeric_limits<TestType>::max());
        }
        for (const std::uint64_t nodes : {1U, 3U, 6U, 12U}) {
            AStarThenIdaStar engine(graph, 0, table,
                                    Options{.astar_nodes = nodes, .checked_moves = 1 + seed % 4});
            engine.run();
            by_ida_star += engine.has_left_astar() ? 1 : 0;
            const auto result = engine.result();
            if (least) {
                CHECK(result.status == Status::solved);
                CHECK(result.cost == Approx(*least).epsilon(1e-13));
            } else {
                CHECK(result.status == Status::unsolvable);
            }
            test::check_path(graph, 0, result);
        }
    }
    CHECK(by_ida_star > 900);
}

TEST_CASE("an observer sees A* and IDA* as one search", "[astar_then_ida_star]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1});
    Told told;
    const auto result = astar_then_ida_star(puzzle, board, Manhattan{}, {.astar_nodes = 2'000}, {}, told);
    CHECK(told.starts == 1);
    CHECK(told.goals == 1);
    CHECK(told.goal_cost == 31);
    CHECK(told.expanded == result.statistics.expanded);
    CHECK(told.generated == result.statistics.generated);
}

TEST_CASE("limits of A* and IDA* together", "[astar_then_ida_star]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1}); // 31 moves
    const Options options{.astar_nodes = 2'000};
    AStarThenIdaStar whole(puzzle, board, Manhattan{}, options);
    while (!whole.has_left_astar()) {
        REQUIRE(whole.step());
    }
    const std::uint64_t by_astar = whole.statistics().expanded;
    CHECK_FALSE(whole.status() == Status::solved);
    whole.run();
    const std::uint64_t need = whole.statistics().expanded;
    CHECK(whole.bound() == 31);
    for (const std::uint64_t limit :
         {std::uint64_t{0}, by_astar - 1, by_astar, by_astar + 1, need - 1, need, need + 1}) {
        const auto result = astar_then_ida_star(puzzle, board, Manhattan{}, options, {.expansions = limit});
        CHECK(result.status == (limit < need ? Status::expansion_limit : Status::solved));
        CHECK(result.statistics.expanded == (limit < need ? limit : need));
        CHECK(result.partial_path.empty() == (limit >= need));
        test::check_path(puzzle, board, result);
    }
    for (const int most : {-1, 0, 25, 29, 30, 31, 40}) {
        const auto result = astar_then_ida_star(puzzle, board, Manhattan{}, options, {.max_cost = most});
        CHECK(result.status == (most < 31 ? Status::cost_limit : Status::solved));
    }
    const auto search = [&](npuzzle::Limits limits) {
        return astar_then_ida_star(puzzle, board, Manhattan{}, options, limits).status;
    };
    CHECK(search({.time = std::chrono::nanoseconds(0)}) == Status::time_limit);
    npuzzle::StopSource source;
    source.request_stop();
    CHECK(search({.stop = source.get_token()}) == Status::cancelled);
    CHECK(search({.bytes = 0}) == Status::memory_limit);
    // No room for the list of open nodes.
    CHECK(
        astar_then_ida_star(puzzle, board, Manhattan{}, {.astar_bytes = 40'000}, {.bytes = 41'000}).status ==
        Status::memory_limit);
}

TEST_CASE("a start that is a goal, and one that is a dead end, in no memory", "[astar_then_ida_star]") {
    const auto neighbors = [](int vertex) { return std::vector<int>{vertex + 1}; };
    const auto goes_on = [](int vertex) { return vertex < 5 ? 0 : std::numeric_limits<int>::max(); };
    const Options options{.astar_bytes = 1};
    const auto solved = astar_then_ida_star(0, neighbors, goes_on, [](int v) { return v == 0; }, options);
    CHECK(solved.status == Status::solved);
    CHECK(solved.path == std::vector{0});
    const auto deeper = astar_then_ida_star(0, neighbors, goes_on, [](int v) { return v == 4; }, options);
    CHECK(deeper.path == std::vector{0, 1, 2, 3, 4});
    CHECK(deeper.cost == 4);
    CHECK(astar_then_ida_star(
              0, neighbors, goes_on, [](int v) { return v == 9; }, options)
              .status == Status::unsolvable);
    CHECK(astar_then_ida_star(
              7, neighbors, goes_on, [](int v) { return v == 9; }, options)
              .status == Status::unsolvable);
}
