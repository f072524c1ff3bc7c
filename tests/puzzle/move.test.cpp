#include "npuzzle/puzzle/move.hpp"

#include "support/catch.hpp"

#include <string>

using npuzzle::all_moves;
using npuzzle::inverse;
using npuzzle::Move;

TEST_CASE("moves are tried in the order up, left, right, down", "[move]") {
    static_assert(static_cast<int>(Move::up) == 0);
    static_assert(static_cast<int>(Move::left) == 1);
    static_assert(static_cast<int>(Move::right) == 2);
    static_assert(static_cast<int>(Move::down) == 3);
    static_assert(static_cast<int>(Move::none) == 4);
    static_assert(sizeof(Move) == 1);
    int expected = 0;
    for (const Move move : all_moves) CHECK(static_cast<int>(move) == expected++);
    CHECK(expected == 4);
}

TEST_CASE("the inverse of a move takes it back", "[move]") {
    static_assert(inverse(Move::up) == Move::down);
    static_assert(inverse(Move::left) == Move::right);
    static_assert(inverse(Move::right) == Move::left);
    static_assert(inverse(Move::down) == Move::up);
    static_assert(inverse(Move::none) == Move::none);
    for (const Move move : all_moves) CHECK(inverse(inverse(move)) == move);
}

TEST_CASE("moves have names", "[move]") {
    static_assert(to_string(Move::up) == "up");
    std::string names;
    for (const Move move : all_moves) names += std::string(to_string(move)) + ' ';
    CHECK(names + std::string(to_string(Move::none)) == "up left right down none");
}
