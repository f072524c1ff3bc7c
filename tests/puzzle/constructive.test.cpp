#include <npuzzle/puzzle/constructive.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>

#include "support/catch.hpp"
#include "support/puzzle_space.hpp"
#include "support/thrown.hpp"
#include "support/walk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using npuzzle::Board;
using npuzzle::constructive_move_bound;
using npuzzle::constructive_moves;
using npuzzle::for_each_constructive_move;
using npuzzle::goal_blank_first;
using npuzzle::goal_blank_last;
using npuzzle::goal_spiral;
using npuzzle::Move;
using npuzzle::random_solvable;
using test::Walk;

/// Solves a board and checks each move. Returns the number of moves.
std::int64_t check(const Board& board, const Board& goal) {
    Walk walk(board);
    const std::int64_t count = for_each_constructive_move(board, goal, [&](Move move) { walk(move); });
    if (!walk.has_reached(goal) || walk.moves() != count || count > constructive_move_bound(board.size())) {
        FAIL("size " << board.size() << ", " << count << " moves counted, " << walk.moves() << " made"
                     << (board.size() < 9 ? ":\n" + board.to_string() + "to\n" + goal.to_string() : ""));
    }
    return count;
}

} // namespace

TEST_CASE("all boards of size 2 are solved in the fewest moves, to all goals", "[constructive]") {
    std::vector<oracle::Cells<2>> boards;
    oracle::Cells<2> cells{0, 1, 2, 3};
    do {
        boards.push_back(cells);
    } while (std::next_permutation(cells.begin(), cells.end()));
    REQUIRE(boards.size() == 24);
    int solvable = 0;
    for (const auto& goal : boards) {
        const oracle::PuzzleSpace<2> space(goal);
        for (const auto& board : boards) {
            if (space.depth(board) < 0) {
                CHECK_THROWS_AS(constructive_moves(Board(board), Board(goal)), std::invalid_argument);
            } else {
                ++solvable;
                CHECK(check(Board(board), Board(goal)) == space.depth(board));
            }
        }
    }
    CHECK(solvable == 24 * 12);
}

TEST_CASE("boards of size 3 are solved in the fewest moves, to goals of every kind", "[constructive]") {
    for (const auto& goal : oracle::goals_of_size_3) {
        const auto& space = oracle::space_of_size_3(goal);
        const std::size_t stride = goal == oracle::blank_last_of_size_3 ? 29 : 97;
        std::size_t checked = 0;
        for (const auto& cells : space.solvable(stride)) {
            const std::int64_t moves = check(Board(cells), Board(goal));
            if (moves != space.depth(cells)) {
                FAIL(moves << " moves instead of " << space.depth(cells));
            }
            ++checked;
        }
        CHECK(checked >= 181'440 / stride);
        for (const auto& cells : space.unsolvable(10'007)) {
            CHECK_THROWS_AS(constructive_moves(Board(cells), Board(goal)), std::invalid_argument);
        }
    }
}

TEST_CASE("random boards of every size to 60 are solved, to goals of every kind", "[constructive]") {
    std::mt19937_64 generator(60);
    for (int n = 2; n <= 60; ++n) {
        const std::vector<Board> goals{goal_blank_last(n), goal_blank_first(n), goal_spiral(n),
                                       random_solvable(n, generator)};
        for (int seed = 0; seed < (n <= 8 ? 100 : n <= 20 ? 10 : 1); ++seed) {
            for (const Board& goal : goals) {
                check(random_solvable(goal, generator), goal);
            }
        }
    }
}

TEST_CASE("a blank in every cell of the goal, and of the board", "[constructive]") {
    std::mt19937_64 generator(7);
    for (const int n : {4, 5, 6, 7}) {
        for (int cell = 0; cell < n * n; ++cell) {
            std::vector<std::int32_t> tiles = goal_blank_last(n).tiles();
            std::swap(tiles[static_cast<std::size_t>(cell)], tiles.back());
            const Board goal(tiles);
            check(random_solvable(goal, generator), goal);
            const Board board = random_solvable(n, generator);
            check(npuzzle::is_solvable(goal, board) ? goal : goal.twin(), board);
        }
    }
}

TEST_CASE("a random board takes about 2.6 n^3 moves", "[constructive]") {
    CHECK(check(random_solvable(80, 1), goal_blank_last(80)) < 27 * std::int64_t{80 * 80 * 80} / 10);
}

TEST_CASE("the bound is less than 5 n^3, and that of the published count", "[constructive]") {
    CHECK(constructive_move_bound(2) == 6);
    CHECK(constructive_move_bound(3) == 31);
    CHECK(constructive_move_bound(1000) == 4'991'020'914);
    CHECK(constructive_move_bound(Board::max_size) == 175'896'092'409'735);
}

TEST_CASE("what cannot be solved is refused before the first move", "[constructive]") {
    const Board goal = goal_blank_last(6);
    int given = 0;
    const auto count = [&](Move) { ++given; };
    CHECK_THROWS_AS(for_each_constructive_move(random_solvable(6, 1).twin(), goal, count),
                    std::invalid_argument);
    CHECK(message_of<std::invalid_argument>([&] {
              return constructive_moves(random_solvable(6, 1).twin(), goal);
          }) == "the goal cannot be reached from the board");
    CHECK(message_of<std::invalid_argument>([&] {
              return constructive_moves(random_solvable(5, 1), goal);
          }) == "the board has size 5, its goal has size 6");
    CHECK(given == 0);
}

TEST_CASE("what a sink throws passes through, at any move", "[constructive]") {
    const Board board = random_solvable(5, 1);
    const Board goal = goal_blank_last(5);
    const auto all = constructive_moves(board, goal);
    for (std::size_t stop = 0; stop < all.size(); ++stop) {
        std::vector<Move> given;
        bool has_thrown = false;
        try {
            for_each_constructive_move(board, goal, [&](Move move) {
                if (given.size() == stop) {
                    throw std::string("enough");
                }
                given.push_back(move);
            });
        } catch (const std::string& thrown) {
            has_thrown = thrown == "enough";
        }
        if (!has_thrown || !std::equal(given.begin(), given.end(), all.begin()) || given.size() != stop) {
            FAIL("stopped at " << stop);
        }
    }
}

TEST_CASE("as in the documentation", "[constructive]") {
    const npuzzle::Board board = npuzzle::random_solvable(100, 1); // seed 1
    const npuzzle::Board goal = npuzzle::goal_spiral(100);
    std::int64_t upward = 0;
    const npuzzle::Board start = npuzzle::is_solvable(board, goal) ? board : board.twin();
    const std::int64_t moves = npuzzle::for_each_constructive_move(start, goal, [&](npuzzle::Move move) {
        upward += move == npuzzle::Move::up ? 1 : 0; // each move, as soon as it is known
    });
    CHECK(moves <= npuzzle::constructive_move_bound(100));
    CHECK(upward < moves / 2);
}
