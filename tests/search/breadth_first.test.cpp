#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/dijkstra.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

// What all searches have in common is in the tests of the family.

namespace {

using npuzzle::breadth_first;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::Graph;

/// Breadth-first search by the engine of all problems, whether or not states fit a word.
struct AnyState : npuzzle::PooledPolicy {
    static constexpr bool early_goal_test = true;
};

const oracle::PuzzleSpace<3>& all_8_puzzles() {
    static const oracle::PuzzleSpace<3> space(oracle::Cells<3>{1, 2, 3, 4, 5, 6, 7, 8, 0});
    return space;
}

/// A sliding puzzle of which nothing is known but its neighbors, and that its boards fit a word.
template <int N>
struct Words {
    using State = PackedBoard<N>;
    SlidingPuzzle<N> puzzle;

    auto neighbors(const State& board) const { return puzzle.neighbors(board); }
    bool is_goal(const State& board) const { return puzzle.is_goal(board); }
    auto pack(const State& board) const { return board.word(); }
    State unpack(decltype(State().word()) word) const { return State::from_word(word); }
};

/// The numbers of a byte in a line.
struct Line {
    using State = int;
    std::vector<int> neighbors(int x) const {
        return x == 0 ? std::vector{1} : x == 255 ? std::vector{254} : std::vector{x - 1, x + 1};
    }
    bool is_goal(int x) const { return x == goal; }
    std::uint8_t pack(int x) const { return static_cast<std::uint8_t>(x); }
    int unpack(std::uint8_t word) const { return word; }
    int goal;
};

/// Counts events, and checks their order.
struct Counter : npuzzle::SilentObserver {
    npuzzle::Statistics seen;
    std::uint64_t starts = 0;
    std::uint64_t goals = 0;
    std::uint64_t ends = 0;
    int depth = 0;
    bool is_in_order = true;

    void start(const auto& node) {
        ++starts;
        is_in_order = is_in_order && node.cost == 0;
    }
    void expand(const auto& node) {
        ++seen.expanded;
        is_in_order = is_in_order && (node.cost == depth || node.cost == depth + 1);
        is_in_order = is_in_order && node.priority == node.cost;
        depth = node.cost;
    }
    void generate(const auto& node, const auto& parent) {
        ++seen.generated;
        is_in_order = is_in_order && parent.cost == depth && node.cost == depth + 1;
    }
    void duplicate(const auto& node) {
        ++seen.duplicates;
        is_in_order = is_in_order && node.cost == depth + 1;
    }
    void goal(const auto& node) {
        ++goals;
        is_in_order = is_in_order && node.cost == depth + 1;
    }
    void progress(const npuzzle::Statistics& statistics) { ends = statistics.expanded; }
};

/// What two searches through all there is have done alike.
void check_same_work(const npuzzle::Statistics& a, const npuzzle::Statistics& b) {
    CHECK(a.expanded == b.expanded);
    CHECK(a.generated == b.generated);
    CHECK(a.duplicates == b.duplicates);
    CHECK(a.stored == b.stored);
}

/// Whatever a problem says of its words and moves, the same is found.
template <class P>
void check_8_puzzles(const P& problem, const oracle::PuzzleSpace<3>& space) {
    for (const auto& cells : space.solvable(4000)) {
        const PackedBoard<3> board(cells);
        const auto result = breadth_first(problem, board);
        CHECK(result.cost == space.depth(cells));
        test::check_path(problem, board, result);
        test::check_statistics(result.status, result.statistics);
        if constexpr (npuzzle::MoveProblem<P>) {
            REQUIRE(result.moves.size() + 1 == result.path.size());
            auto walked = board;
            for (const auto move : result.moves) {
                problem.apply(walked, move);
            }
            CHECK(problem.is_goal(walked));
        }
    }
    const PackedBoard<3> unsolvable(oracle::Cells<3>{2, 1, 3, 4, 5, 6, 7, 8, 0});
    const auto all = breadth_first(problem, unsolvable);
    const auto expected = breadth_first<AnyState>(problem, unsolvable);
    CHECK(all.status == Status::unsolvable);
    check_same_work(all.statistics, expected.statistics);
    CHECK(all.statistics.bytes * 3 < expected.statistics.bytes * 2);

    // Limits strike where they do, though states are expanded some at a time.
    const auto some = breadth_first(problem, unsolvable, {.expansions = 123'457});
    CHECK(some.status == Status::expansion_limit);
    CHECK(some.statistics.expanded == 123'457);
    test::check_path(problem, unsolvable, some);
    CHECK(some.partial_path.size() > 20);
    CHECK(some.cost == breadth_first<AnyState>(problem, unsolvable, {.expansions = 123'457}).cost);
    CHECK(breadth_first(problem, unsolvable, {.expansions = 0}).partial_path == std::vector{unsolvable});
    for (const int bound : {0, 11, 22}) {
        const auto bounded = breadth_first(problem, unsolvable, {.max_cost = bound});
        CHECK(bounded.status == Status::cost_limit);
        check_same_work(bounded.statistics,
                        breadth_first<AnyState>(problem, unsolvable, {.max_cost = bound}).statistics);
    }
}

} // namespace

TEST_CASE("breadth-first search of states that fit a word", "[breadth_first]") {
    const oracle::PuzzleSpace<3>& space = all_8_puzzles();
    SECTION("the last move beside it") {
        check_8_puzzles(SlidingPuzzle<3>{}, space);
        const PackedBoard<3> farthest(oracle::Cells<3>{8, 6, 7, 2, 5, 4, 3, 0, 1});
        const auto goal_beyond = SlidingPuzzle<3>{}.with_goal(farthest.twin());
        CHECK(breadth_first(goal_beyond, farthest, {.max_cost = 31}).status == Status::unsolvable);
    }
    SECTION("nothing beside it") {
        check_8_puzzles(Words<3>{}, space);
    }
    SECTION("a word of 128 bits") {
        const SlidingPuzzle<5> puzzle;
        const PackedBoard<5> board(npuzzle::random_walk(npuzzle::goal_blank_last(5), 12, 1));
        const auto result = breadth_first(puzzle, board);
        test::check_path(puzzle, board, result);
        CHECK(result.cost == npuzzle::astar(puzzle, board, npuzzle::Manhattan{}).cost);
    }
    SECTION("all values of a word") {
        const auto to_the_end = breadth_first(Line{255}, 0);
        CHECK(to_the_end.cost == 255);
        test::check_path(Line{255}, 0, to_the_end);
        CHECK(breadth_first(Line{0}, 200).cost == 200);
        CHECK(breadth_first(Line{7}, 7).path == std::vector{7});
        const auto all = breadth_first(Line{-1}, 100);
        CHECK(all.status == Status::unsolvable);
        CHECK(all.statistics.stored == 256);
        CHECK(all.statistics.generated == 255);
    }
}

TEST_CASE("an observer sees breadth-first search layer by layer", "[breadth_first]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board(oracle::Cells<3>{8, 6, 7, 2, 5, 4, 3, 0, 1});
    Counter counter;
    const auto result = breadth_first(puzzle, board, {}, counter);
    CHECK(result.cost == 31);
    CHECK(counter.is_in_order);
    CHECK(counter.starts == 1);
    CHECK(counter.goals == 1);
    CHECK(counter.ends == result.statistics.expanded);
    CHECK(counter.seen.expanded == result.statistics.expanded);
    CHECK(counter.seen.generated == result.statistics.generated);
    CHECK(counter.seen.duplicates == result.statistics.duplicates);
    CHECK(result.statistics.generated - result.statistics.duplicates + 1 == result.statistics.stored);
    CHECK(breadth_first(puzzle, board).cost == 31);
}

TEST_CASE("the queue of breadth-first search keeps to a limit of bytes at each step of its growth",
          "[breadth_first]") {
    const Words<3> problem;
    const PackedBoard<3> board(npuzzle::random_walk(npuzzle::goal_blank_last(3), 200, 1));
    const auto whole = breadth_first(problem, board);
    REQUIRE(whole.status == Status::solved);
    std::uint64_t last = 0;
    int different = 0;
    for (std::uint64_t limit = 0; limit < whole.statistics.bytes; limit += 1 + limit / 16) {
        const auto result = breadth_first(problem, board, {.bytes = limit});
        CHECK(result.status == Status::memory_limit);
        CHECK(result.path.empty());
        test::check_path(problem, board, result);
        CHECK(result.statistics.bytes <= limit);
        CHECK(result.statistics.bytes >= last);
        different += result.statistics.bytes > last ? 1 : 0;
        last = result.statistics.bytes;
    }
    CHECK(different > 10);
    CHECK(breadth_first(problem, board, {.bytes = whole.statistics.bytes}).path == whole.path);
}

TEST_CASE("breadth-first search ends when a goal is generated", "[breadth_first]") {
    Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(0, 2, 1).connect(0, 3, 1).add_goal(2);
    const auto result = breadth_first(graph, 0);
    CHECK(result.statistics.expanded == 1);
    CHECK(result.statistics.generated == 2);
}

TEST_CASE("breadth-first search counts steps, and says what they cost", "[breadth_first]") {
    Graph<double> graph(5);
    graph.connect(0, 4, 10).connect(0, 4, 9.5).connect(0, 1, 0.25).connect(1, 4, 0.25);
    graph.connect(0, 2, HUGE_VAL).connect(2, 3, 1).add_goal(4);
    const auto result = breadth_first(graph, 0);
    CHECK(result.path == std::vector{0, 4});
    CHECK(result.cost == 9.5);
    CHECK(npuzzle::dijkstra(graph, 0).cost == 0.5);
    CHECK(breadth_first(graph, 0, {.expansions = 0}).partial_path == std::vector{0});
    Graph<double> wall(2);
    wall.connect(0, 1, HUGE_VAL).add_goal(1);
    CHECK(breadth_first(wall, 0).status == Status::unsolvable);

    const test::WithMoves<test::Ring> ring(3, 60, 12);
    const auto walked = breadth_first(ring, 0);
    test::check_path(ring, 0, walked);
    CHECK(walked.moves.size() + 1 == walked.path.size());
}
