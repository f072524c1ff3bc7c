#include <npuzzle/puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "support/catch.hpp"
#include "support/korf.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stop_token>
#include <vector>

namespace {

using npuzzle::Board;
using npuzzle::ida_star;
using npuzzle::Limits;
using npuzzle::Manhattan;
using npuzzle::Move;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::Zero;

/// A walk along the integers from `low` to `high`, without cycles: the search ends even if there is no goal.
template <class Cost>
struct Line {
    using State = int;
    enum class Move : std::uint8_t { back, forth, none };
    static constexpr Move no_move = Move::none;

    int low, high, target;
    Cost forth_cost;

    std::vector<npuzzle::Edge<int, Cost>> neighbors(int x) const {
        std::vector<npuzzle::Edge<int, Cost>> edges;
        for_each_move(x, no_move, [&](Move move) {
            int to = x;
            apply(to, move);
            edges.push_back({to, move_cost(x, move)});
        });
        return edges;
    }
    bool is_goal(int x) const { return x == target; }
    void for_each_move(int x, Move last, auto visit) const {
        if (x > low && last != Move::forth) {
            visit(Move::back);
        }
        if (x < high && last != Move::back) {
            visit(Move::forth);
        }
    }
    void apply(int& x, Move move) const { x += move == Move::forth ? 1 : -1; }
    static Move inverse(Move move) {
        return move == Move::none ? move : move == Move::forth ? Move::back : Move::forth;
    }
    Cost move_cost(int /*x*/, Move move) const { return move == Move::forth ? forth_cost : Cost{1}; }
};

static_assert(npuzzle::MoveProblem<Line<int>>);
static_assert(!npuzzle::UnrolledProblem<Line<int>>);
static_assert(!npuzzle::UnrolledProblem<SlidingPuzzle<>>);
static_assert(npuzzle::UnrolledProblem<SlidingPuzzle<2>>);
static_assert(npuzzle::UnrolledProblem<SlidingPuzzle<5>>);

/// The puzzle with its rung for unrolling taken away.
struct NotUnrolled {
    using State = PackedBoard<3>;
    using Move = npuzzle::Move;
    static constexpr Move no_move = Move::none;

    SlidingPuzzle<3> puzzle;

    auto neighbors(const State& board) const { return puzzle.neighbors(board); }
    bool is_goal(const State& board) const { return puzzle.is_goal(board); }
    void for_each_move(const State& board, Move last, auto visit) const {
        puzzle.for_each_move(board, last, visit);
    }
    void apply(State& board, Move move) const { puzzle.apply(board, move); }
    static Move inverse(Move move) { return npuzzle::inverse(move); }
};

static_assert(npuzzle::MoveProblem<NotUnrolled>);
static_assert(!npuzzle::UnrolledProblem<NotUnrolled>);

template <class Puzzle, class Result>
void check_path(const Puzzle& puzzle, const typename Puzzle::State& start, const Result& result) {
    REQUIRE(result.status == Status::solved);
    REQUIRE(result.path.size() == static_cast<std::size_t>(result.cost) + 1);
    REQUIRE(result.moves.size() == static_cast<std::size_t>(result.cost));
    auto board = start;
    for (std::size_t i = 0; i < result.moves.size(); ++i) {
        CHECK(result.path[i] == board);
        puzzle.apply(board, result.moves[i]);
    }
    CHECK(result.path.back() == board);
    CHECK(puzzle.is_goal(board));
}

struct Counting : npuzzle::SilentObserver {
    std::uint64_t starts = 0, expansions = 0, generations = 0, goals = 0;
    void start(const auto& /*node*/) { ++starts; }
    void expand(const auto& /*node*/) { ++expansions; }
    void generate(const auto& /*node*/, const auto& /*parent*/) { ++generations; }
    void goal(const auto& node) {
        ++goals;
        CHECK(node.cost == node.priority);
    }
};

TEST_CASE("IDA* makes the published number of moves on Korf's easiest boards") {
    // Nodes as in Korf's table: each move made, in all iterations, and the root.
    constexpr std::array<std::uint64_t, 4> published{540'860, 546'344, 877'823, 927'212};
    const SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    for (std::size_t i = 0; i < published.size(); ++i) {
        const test::KorfBoard& korf = test::korf_boards[i];
        INFO("board " << korf.number);
        const PackedBoard<4> start(korf.tiles);
        const auto result = ida_star(puzzle, start, Manhattan{});
        check_path(puzzle, start, result);
        CHECK(result.cost == korf.moves);
        CHECK(result.statistics.generated + 1 == published[i]);
        CHECK(result.statistics.stored == 0);
        CHECK(result.statistics.broken_promises == 0);
    }
}

TEST_CASE("IDA* finds what A* finds, unrolled or not, packed or not, with each heuristic") {
    const SlidingPuzzle<3> puzzle;
    const SlidingPuzzle unpacked(3);
    const NotUnrolled not_unrolled{puzzle};
    const auto distance = [](const PackedBoard<3>& board) { return board.manhattan(); };
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Board board = npuzzle::random_solvable(3, seed);
        const PackedBoard<3> start(board);
        const auto expected = npuzzle::astar(puzzle, start, Manhattan{});
        const auto unrolled = ida_star(puzzle, start, Manhattan{});
        check_path(puzzle, start, unrolled);
        CHECK(unrolled.cost == expected.cost);

        const auto rolled = ida_star(not_unrolled, start, distance);
        check_path(not_unrolled, start, rolled);
        CHECK(rolled.moves == unrolled.moves);
        CHECK(rolled.statistics.generated == unrolled.statistics.generated);
        CHECK(rolled.statistics.expanded == unrolled.statistics.expanded);

        const auto on_boards = ida_star(unpacked, board, Manhattan{});
        check_path(unpacked, board, on_boards);
        CHECK(on_boards.moves == unrolled.moves);
        CHECK(on_boards.statistics.generated == unrolled.statistics.generated);

        const auto by_conflicts = ida_star(puzzle, start, npuzzle::LinearConflict{});
        CHECK(by_conflicts.cost == expected.cost);
        CHECK(by_conflicts.statistics.generated <= unrolled.statistics.generated);
    }
}

TEST_CASE("IDA* follows the goal of the puzzle, for each size that is packed") {
    const auto solve = [](const auto& puzzle, auto start) {
        const auto result = ida_star(puzzle, start, Manhattan{});
        check_path(puzzle, start, result);
        CHECK(result.cost == npuzzle::astar(puzzle, start, Manhattan{}).cost);
    };
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        solve(SlidingPuzzle<2>(npuzzle::goal_spiral(2)),
              PackedBoard<2>(npuzzle::random_walk(npuzzle::goal_spiral(2), 9, seed)));
        solve(SlidingPuzzle<3>(npuzzle::goal_spiral(3)),
              PackedBoard<3>(npuzzle::random_walk(npuzzle::goal_spiral(3), 25, seed)));
        solve(SlidingPuzzle<4>(npuzzle::goal_spiral(4)),
              PackedBoard<4>(npuzzle::random_walk(npuzzle::goal_spiral(4), 30, seed)));
        solve(SlidingPuzzle<5>(npuzzle::goal_blank_first(5)),
              PackedBoard<5>(npuzzle::random_walk(npuzzle::goal_blank_first(5), 30, seed)));
    }
}

TEST_CASE("A start that is a goal costs nothing") {
    const auto result = ida_star(SlidingPuzzle<4>{}, PackedBoard<4>{}, Manhattan{});
    REQUIRE(result);
    CHECK(result.cost == 0);
    CHECK(result.path.size() == 1);
    CHECK(result.moves.empty());
    CHECK(result.statistics.expanded == 0);
}

TEST_CASE("Costs may be weighted, integral or real") {
    const Line<int> by_integers{-5, 50, 7, 3};
    const auto integral = ida_star(by_integers, 0, Zero{});
    REQUIRE(integral);
    CHECK(integral.cost == 21);
    CHECK(integral.path == std::vector{0, 1, 2, 3, 4, 5, 6, 7});

    const Line<double> by_reals{-5, 50, 7, 0.75};
    const auto real = ida_star(by_reals, 0, [](int x) { return 0.5 * std::abs(7 - x); });
    REQUIRE(real);
    CHECK(real.cost == 5.25);
}

TEST_CASE("A space without cycles and without a goal is proved unsolvable") {
    const auto result = ida_star(Line<int>{-3, 4, 99, 2}, 0, Zero{});
    CHECK(result.status == Status::unsolvable);
    CHECK(result.path.empty());
    CHECK(result.moves.empty());
    CHECK(ida_star(Line<int>{-3, 4, 99, 2}, 0, [](int) { return std::numeric_limits<int>::max(); }).status ==
          Status::unsolvable);
}

TEST_CASE("Costs that the type cannot hold end in a status") {
    using Small = std::int8_t;
    const auto result = ida_star(Line<Small>{0, 9, 9, Small{40}}, 0, Zero{});
    CHECK(result.status == Status::cost_overflow);
    CHECK(ida_star(Line<Small>{0, 9, 3, Small{40}}, 0, Zero{}).cost == 120);
}

TEST_CASE("A path too deep for the stack ends in a status") {
    const auto perfect = [](int x) { return 5000 - x; };
    CHECK(ida_star(Line<int>{0, 5000, 5000, 1}, 0, perfect).status == Status::memory_limit);
    CHECK(ida_star(Line<int>{0, 5000, 5000, 1}, 3001, perfect).cost == 1999);
}

TEST_CASE("Limits are kept") {
    const SlidingPuzzle<4> puzzle;
    const PackedBoard<4> start(test::korf_boards[0].turned);
    const auto free_run = ida_star(puzzle, start, Manhattan{});
    REQUIRE(free_run);
    for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000}}) {
        const auto result = ida_star(puzzle, start, Manhattan{}, {.expansions = limit});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.statistics.expanded == limit);
        CHECK(result.moves.empty());
    }
    CHECK(ida_star(puzzle, start, Manhattan{}, {.expansions = free_run.statistics.expanded}).cost ==
          free_run.cost);
    CHECK(ida_star(puzzle, start, Manhattan{}, {.time = std::chrono::nanoseconds{0}}).status ==
          Status::time_limit);
    std::stop_source source;
    source.request_stop();
    CHECK(ida_star(puzzle, start, Manhattan{}, {.stop = source.get_token()}).status == Status::cancelled);
}

TEST_CASE("An observer sees each event") {
    Counting counting;
    const Board board = npuzzle::random_walk(npuzzle::goal_blank_last(3), 40, std::uint64_t{3});
    const auto result = ida_star(SlidingPuzzle<3>{}, PackedBoard<3>(board), Manhattan{}, {}, counting);
    CHECK(counting.starts == 1);
    CHECK(counting.goals == 1);
    CHECK(counting.expansions == result.statistics.expanded);
    CHECK(counting.generations == result.statistics.generated);
    CHECK(counting.generations > 0);
}

} // namespace
