#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

/// \file
/// The 15-puzzle with two optional capabilities: boards that are integers, and moves.

namespace problems {

struct Packed15Puzzle {
    using State =
        std::uint64_t;        // cell c in the bits 4 c to 4 c + 3, 0 is the blank; the goal is 0 1 2 ... 15
    using Move = std::int8_t; // where the blank goes
    static constexpr Move no_move = 0;
    static constexpr State goal = 0xfedcba9876543210;

    static int tile(State board, int cell) { return static_cast<int>(board >> (4 * cell) & 15); }

    static int blank(State board) {
        int cell = 0;
        while (tile(board, cell) != 0) ++cell;
        return cell;
    }

    // PackedProblem
    State pack(State board) const { return board; }
    State unpack(State word) const { return word; }

    // MoveProblem
    template <class F>
    void for_each_move(State board, Move last, F&& visit) const {
        const int from = blank(board);
        if (from >= 4 && last != 4) visit(Move{-4});
        if (from % 4 > 0 && last != 1) visit(Move{-1});
        if (from % 4 < 3 && last != -1) visit(Move{1});
        if (from < 12 && last != -4) visit(Move{4});
    }
    void apply(State& board, Move move) const {
        const int from = blank(board);
        const int to = from + move;
        const State moving = board >> (4 * to) & 15;
        board ^= moving << (4 * to) | moving << (4 * from);
    }
    Move inverse(Move move) const { return static_cast<Move>(-move); }

    // Problem
    std::vector<State> neighbors(State board) const {
        std::vector<State> result;
        for_each_move(board, no_move, [&](Move move) {
            result.push_back(board);
            apply(result.back(), move);
        });
        return result;
    }
    bool is_goal(State board) const { return board == goal; }
};

inline constexpr auto packed_manhattan = [](Packed15Puzzle::State board) {
    int sum = 0;
    for (int cell = 0; cell < 16; ++cell) {
        const int tile = Packed15Puzzle::tile(board, cell);
        if (tile != 0) sum += std::abs(tile / 4 - cell / 4) + std::abs(tile % 4 - cell % 4);
    }
    return sum;
};

} // namespace problems
