#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/twin_search.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/ida_star.hpp"
#include "npuzzle/search/path_finder.hpp"

#include "support/catch.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <random>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <vector>

using npuzzle::astar;
using npuzzle::Board;
using npuzzle::Manhattan;
using npuzzle::Move;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;

namespace {

template <class P>
constexpr bool climbs_the_common_rungs =
    npuzzle::Problem<P> && npuzzle::HasHash<P> && npuzzle::MoveProblem<P> && npuzzle::TwinProblem<P> &&
    npuzzle::HasGoalState<P> && npuzzle::UndirectedProblem<P> && npuzzle::BackwardProblem<P> &&
    !npuzzle::is_weighted<P> && std::same_as<npuzzle::cost_t<P>, int> &&
    std::same_as<npuzzle::move_t<P>, Move>;

static_assert(climbs_the_common_rungs<SlidingPuzzle<>>);
static_assert(climbs_the_common_rungs<SlidingPuzzle<4>>);
static_assert(!npuzzle::PackedProblem<SlidingPuzzle<>> && !npuzzle::IndexedProblem<SlidingPuzzle<>>);
static_assert(npuzzle::PackedProblem<SlidingPuzzle<3>> && npuzzle::IndexedProblem<SlidingPuzzle<3>>);
static_assert(npuzzle::PackedProblem<SlidingPuzzle<5>> && !npuzzle::IndexedProblem<SlidingPuzzle<4>>);
static_assert(std::same_as<SlidingPuzzle<>::State, Board>);
static_assert(std::same_as<SlidingPuzzle<4>::State, PackedBoard<4>>);

// Usable at compile time.
static_assert(SlidingPuzzle<3>{}.is_goal(PackedBoard<3>{}));
static_assert(!SlidingPuzzle<3>{}.is_goal(PackedBoard<3>({1, 2, 3, 4, 5, 6, 7, 0, 8})));
static_assert(SlidingPuzzle<4>{}.goal() == PackedBoard<4>{});
static_assert(SlidingPuzzle<3>{}.is_solvable(PackedBoard<3>({0, 1, 3, 4, 2, 5, 7, 8, 6})));
static_assert(!SlidingPuzzle<3>{}.is_solvable(SlidingPuzzle<3>{}.twin(PackedBoard<3>{})));
static_assert(SlidingPuzzle<3>{}.unpack(SlidingPuzzle<3>{}.pack(PackedBoard<3>{})) == PackedBoard<3>{});
static_assert(SlidingPuzzle<3>::size() == 362880);
static_assert(SlidingPuzzle<2>::size() == 24);
static_assert(SlidingPuzzle<2>{}.index(PackedBoard<2>({0, 1, 2, 3})) == 0);
static_assert(SlidingPuzzle<2>{}.index(PackedBoard<2>({3, 2, 1, 0})) == 23);
static_assert([] {
    constexpr SlidingPuzzle<3> puzzle;
    PackedBoard<3> board;
    puzzle.apply(board, Move::up);
    puzzle.apply(board, Move::left);
    int moves = 0;
    puzzle.for_each_move(board, Move::left, [&](Move) { ++moves; });
    return board == PackedBoard<3>({1, 2, 3, 4, 0, 5, 7, 8, 6}) && moves == 3;
}());

/// Boards of a size: all of them for n = 2, otherwise random ones of both parities.
std::vector<Board> boards_of_size(int n) {
    std::vector<Board> boards;
    if (n == 2) {
        std::vector<int> tiles{0, 1, 2, 3};
        do {
            boards.push_back(Board(tiles));
        } while (std::next_permutation(tiles.begin(), tiles.end()));
        return boards;
    }
    std::mt19937_64 generator(static_cast<unsigned>(n));
    for (int i = 0; i < 200; ++i) {
        boards.push_back(npuzzle::random_solvable(n, generator));
        boards.push_back(boards.back().twin());
    }
    boards.push_back(npuzzle::goal_blank_first(n));
    boards.push_back(npuzzle::goal_blank_last(n));
    return boards;
}

template <class F>
void with_each_puzzle(F check) {
    check(SlidingPuzzle<2>{});
    check(SlidingPuzzle<3>{});
    check(SlidingPuzzle<4>{});
    check(SlidingPuzzle<5>{});
    for (int n = 2; n <= 8; ++n) {
        check(SlidingPuzzle{n});
    }
}

} // namespace

TEST_CASE("a puzzle is written without template arguments that one does not want", "[sliding_puzzle]") {
    const Board board{{1, 2, 3}, {4, 5, 6}, {7, 0, 8}};
    const PackedBoard<3> packed(board);

    const SlidingPuzzle by_size{4};
    static_assert(std::same_as<decltype(by_size), const SlidingPuzzle<npuzzle::dynamic_size>>);
    CHECK(by_size.goal() == npuzzle::goal_blank_last(4));

    const SlidingPuzzle by_goal{board};
    static_assert(std::same_as<decltype(by_goal), const SlidingPuzzle<>>);
    CHECK(by_goal.goal() == board);

    const SlidingPuzzle by_packed_goal{packed};
    static_assert(std::same_as<decltype(by_packed_goal), const SlidingPuzzle<3>>);
    CHECK(by_packed_goal.goal() == packed);

    CHECK(SlidingPuzzle<4>{}.goal() == PackedBoard<4>(npuzzle::goal_blank_last(4)));
    CHECK(SlidingPuzzle<3>{board}.goal() == packed);
    CHECK(SlidingPuzzle<3>{packed}.goal() == packed);

    // Similar forms are distinguished.
    static_assert(!std::constructible_from<SlidingPuzzle<4>, int>);
    static_assert(!std::default_initializable<SlidingPuzzle<>>);
    static_assert(!std::convertible_to<int, SlidingPuzzle<>>);
    static_assert(!std::convertible_to<Board, SlidingPuzzle<>>);
    static_assert(!std::constructible_from<SlidingPuzzle<4>, PackedBoard<3>>);

    // Puzzles are values.
    SlidingPuzzle copy = by_goal;
    copy = SlidingPuzzle{5};
    CHECK(copy.goal().size() == 5);
    CHECK(by_goal.goal() == board);
}

TEST_CASE("invalid puzzles are refused", "[sliding_puzzle]") {
    CHECK_THROWS_AS(SlidingPuzzle{1}, std::invalid_argument);
    CHECK_THROWS_AS(SlidingPuzzle{0}, std::invalid_argument);
    CHECK_THROWS_AS(SlidingPuzzle{-3}, std::invalid_argument);
    CHECK_THROWS_AS(SlidingPuzzle{32768}, std::invalid_argument);
    CHECK_THROWS_AS(SlidingPuzzle<4>{npuzzle::goal_blank_last(3)}, std::invalid_argument);
    CHECK_THROWS_AS(SlidingPuzzle<2>{npuzzle::goal_spiral(5)}, std::invalid_argument);
    CHECK_THROWS_AS(SlidingPuzzle{3}.is_solvable(npuzzle::goal_blank_last(4)), std::invalid_argument);
}

TEST_CASE("a board of another size is no state of a puzzle", "[sliding_puzzle]") {
    const SlidingPuzzle puzzle(3);
    npuzzle::PathFinder finder(puzzle, Manhattan{});
    for (const int n : {2, 4}) {
        const Board other = npuzzle::goal_blank_last(n);
        CHECK_FALSE(puzzle.contains(other));
        CHECK_THROWS_AS(astar(puzzle, other, Manhattan{}), std::invalid_argument);
        CHECK_THROWS_AS(npuzzle::ida_star(puzzle, other, Manhattan{}), std::invalid_argument);
        CHECK_THROWS_AS(finder.find(puzzle.goal(), other), std::invalid_argument);
    }
    CHECK(puzzle.contains(npuzzle::goal_spiral(3)));
}

TEST_CASE("the moves lead where neighbors leads, in the same order, and back", "[sliding_puzzle]") {
    with_each_puzzle([](const auto& puzzle) {
        using State = npuzzle::state_t<std::remove_cvref_t<decltype(puzzle)>>;
        const int n = puzzle.goal().size();
        CAPTURE(n);
        for (const Board& board : boards_of_size(n)) {
            const State state(board);
            std::vector<State> expected;
            std::vector<Move> directions;
            for (const auto& step : oracle::steps_from(oracle::tiles_of(board), n)) {
                expected.push_back(State(Board(step.board)));
                directions.push_back(static_cast<Move>(step.direction));
            }
            const auto neighbors = puzzle.neighbors(state);
            CHECK(std::vector<State>(neighbors.begin(), neighbors.end()) == expected);

            for (const Move last : {Move::none, Move::up, Move::left, Move::right, Move::down}) {
                std::vector<Move> wanted = directions;
                std::erase(wanted, last == Move::none ? Move::none : npuzzle::inverse(last));
                std::vector<Move> moves;
                puzzle.for_each_move(state, last, [&](Move move) { moves.push_back(move); });
                CHECK(moves == wanted);
            }
            for (std::size_t i = 0; i < directions.size(); ++i) {
                State moved = state;
                puzzle.apply(moved, directions[i]);
                CHECK(moved == expected[i]);
                CHECK(moved.blank_cell() == expected[i].blank_cell());
                puzzle.apply(moved, puzzle.inverse(directions[i]));
                CHECK(moved == state);
            }
        }
    });
}

TEST_CASE("exactly one of a board and its twin is solvable, whatever the goal", "[sliding_puzzle]") {
    with_each_puzzle([](const auto& blank_last) {
        using P = std::remove_cvref_t<decltype(blank_last)>;
        using State = npuzzle::state_t<P>;
        const int n = blank_last.goal().size();
        for (const Board& goal :
             {npuzzle::goal_blank_last(n), npuzzle::goal_blank_first(n), npuzzle::goal_spiral(n)}) {
            const P puzzle{goal};
            CHECK(puzzle.is_goal(State(goal)));
            CHECK(puzzle.is_solvable(State(goal)));
            for (const Board& board : boards_of_size(n)) {
                const State state(board);
                const State twin = puzzle.twin(state);
                CHECK(puzzle.is_solvable(state) != puzzle.is_solvable(twin));
                CHECK(puzzle.twin(twin) == state);
                CHECK(puzzle.is_goal(state) == (board == goal));
            }
        }
    });
}

TEST_CASE("words give the boards back", "[sliding_puzzle]") {
    const auto check = []<int N>(const SlidingPuzzle<N>& puzzle) {
        for (const Board& board : boards_of_size(N)) {
            CHECK(puzzle.unpack(puzzle.pack(PackedBoard<N>(board))) == PackedBoard<N>(board));
        }
    };
    check(SlidingPuzzle<2>{});
    check(SlidingPuzzle<3>{});
    check(SlidingPuzzle<4>{});
    check(SlidingPuzzle<5>{});
}

TEST_CASE("the boards of sizes 2 and 3 are numbered densely", "[sliding_puzzle]") {
    std::vector<bool> seen(SlidingPuzzle<3>::size(), false);
    for (const auto& cells : oracle::space_of_size_3(oracle::blank_last_of_size_3).boards()) {
        const std::size_t index = SlidingPuzzle<3>{}.index(PackedBoard<3>(cells));
        REQUIRE(index < seen.size());
        REQUIRE(SlidingPuzzle<3>{}.state_at(index) == PackedBoard<3>(cells));
        REQUIRE(SlidingPuzzle<3>{}.unpack(SlidingPuzzle<3>{}.pack(PackedBoard<3>(cells))) ==
                PackedBoard<3>(cells));
        seen[index] = true;
    }
    CHECK(std::count(seen.begin(), seen.end(), true) == 362880);

    std::set<std::size_t> small;
    for (const Board& board : boards_of_size(2)) {
        small.insert(SlidingPuzzle<2>{}.index(PackedBoard<2>(board)));
        CHECK(SlidingPuzzle<2>{}.state_at(*small.rbegin()) == PackedBoard<2>(board));
    }
    CHECK(small.size() == 24);
    CHECK(*small.begin() == 0);
    CHECK(*small.rbegin() == 23);
}

TEST_CASE("an unsolvable board of size 3 is proved unsolvable by searching all states that can be reached "
          "from it",
          "[sliding_puzzle]") {
    const PackedBoard<3> board = PackedBoard<3>{}.twin();
    const auto result = astar(SlidingPuzzle<3>{}, board, Manhattan{});
    CHECK(result.status == Status::unsolvable);
    CHECK(result.statistics.expanded == 181440);
    CHECK(result.statistics.stored == 181440);
    CHECK(astar(SlidingPuzzle{3}, Board(board), Manhattan{}).statistics.expanded == 181440);
}
