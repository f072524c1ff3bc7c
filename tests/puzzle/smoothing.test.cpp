#include <npuzzle/puzzle/constructive.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/smoothing.hpp>

#include "support/catch.hpp"
#include "support/puzzle_space.hpp"
#include "support/thrown.hpp"
#include "support/walk.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

using npuzzle::Board;
using npuzzle::constructive_moves;
using npuzzle::goal_blank_last;
using npuzzle::goal_spiral;
using npuzzle::Move;
using npuzzle::random_solvable;
using npuzzle::smooth;
using test::leads;

TEST_CASE("smoothing shortens, and leads to the same board", "[smoothing]") {
    std::mt19937_64 generator(8);
    for (const int n : {2, 3, 4, 5, 6, 8}) {
        std::int64_t before = 0;
        std::int64_t after = 0;
        for (int seed = 0; seed < (n < 6 ? 10 : 2); ++seed) {
            const Board goal = seed % 2 == 0 ? goal_blank_last(n) : goal_spiral(n);
            const Board board = random_solvable(n, generator, goal);
            const auto moves = constructive_moves(board, goal);
            const auto shorter = smooth(board, moves, {.expansions = 5'000});
            CHECK(leads(board, shorter, goal));
            CHECK(shorter.size() <= moves.size());
            before += static_cast<std::int64_t>(moves.size());
            after += static_cast<std::int64_t>(shorter.size());
        }
        if (n <= 3) {
            CHECK(after == before); // they are shortest
        } else {
            CHECK(after * 100 < before * (n == 4 ? 85 : n == 5 ? 90 : 97));
        }
    }
}

TEST_CASE("a window as long as the moves gives the fewest", "[smoothing]") {
    const auto& space = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    std::mt19937_64 generator(5);
    for (const auto& cells : space.solvable(20'011)) {
        // By way of another board.
        const Board board(cells);
        const Board other = random_solvable(3, generator);
        auto moves = constructive_moves(board, other);
        const auto rest = constructive_moves(other);
        moves.insert(moves.end(), rest.begin(), rest.end());
        const auto shortest = smooth(board, moves, {.window = 100, .stride = 100, .expansions = 100'000'000});
        CHECK(leads(board, shortest, goal_blank_last(3)));
        CHECK(static_cast<int>(shortest.size()) == space.depth(cells));
        const auto windows_of_12 = smooth(board, moves, {.window = 12, .stride = 1});
        CHECK(leads(board, windows_of_12, goal_blank_last(3)));
        CHECK(windows_of_12.size() <= moves.size());
    }
}

TEST_CASE("loops that fit in a window are removed", "[smoothing]") {
    const Board board = goal_blank_last(30);
    std::vector<Move> there;
    for (int i = 0; i < 10; ++i) {
        there.push_back(i % 2 == 0 ? Move::up : Move::left);
    }
    std::vector<Move> loop = there;
    for (std::size_t i = there.size(); i-- > 0;) {
        loop.push_back(npuzzle::inverse(there[i]));
    }
    CHECK(smooth(board, loop).empty());
    std::vector<Move> circles;
    for (int i = 0; i < 12; ++i) { // three turns of four cells are the identity
        for (const Move move : {Move::up, Move::left, Move::down, Move::right}) {
            if (circles.size() < 12) {
                circles.push_back(move);
            }
        }
    }
    CHECK(smooth(board, circles).empty());
    CHECK(smooth(board, {}).empty());
    CHECK(smooth(board, there, {.expansions = 0}) == there);
}

TEST_CASE("invalid input of smoothing is refused", "[smoothing]") {
    const Board board = goal_blank_last(4);
    const auto refusal = [&](const std::vector<Move>& moves) {
        return message_of<std::invalid_argument>([&] { return smooth(board, moves); });
    };
    CHECK(refusal({Move::up, Move::up, Move::right}) == "move 2, right, cannot be made");
    CHECK(refusal({Move::down}) == "move 0, down, cannot be made");
    CHECK(refusal({Move::up, Move::none}) == "move 1, none, cannot be made");
    CHECK(refusal({Move::up, static_cast<Move>(77)}) == "move 1, none, cannot be made");
    CHECK(refusal({Move::left, Move::left, Move::left, Move::left}) == "move 3, left, cannot be made");
    CHECK_THROWS_AS(smooth(board, {Move::up}, {.window = 0}), std::invalid_argument);
    CHECK_THROWS_AS(smooth(board, {Move::up}, {.window = 1001}), std::invalid_argument);
    CHECK(smooth(board, {Move::up}, {.window = 1000}).size() == 1);
    CHECK_THROWS_AS(smooth(board, {Move::up}, {.stride = 0}), std::invalid_argument);
}
