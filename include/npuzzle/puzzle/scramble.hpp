#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/solvability.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Random boards from a seed. The same seed gives the same boards on every platform and with every
/// compiler: only the raw output of std::mt19937_64 is used, which the C++ standard fixes to the bit, and
/// never the standard's distributions or std::shuffle, which it leaves to each library.

namespace npuzzle {

namespace detail {

/// A number from 0 to bound - 1, all equally likely; bound is 1 or more. Numbers from the incomplete last run
/// of `bound` numbers among the 2^64 are drawn again; here that run is the first one.
[[nodiscard]] inline std::uint64_t draw_below(std::mt19937_64& generator, std::uint64_t bound) {
    const std::uint64_t incomplete = (0 - bound) % bound;
    std::uint64_t drawn = generator();
    while (drawn < incomplete) drawn = generator();
    return drawn % bound;
}

} // namespace detail

/// The board that a random walk of `moves` moves leads to from `from`: each move is drawn from all that the
/// blank can make, all equally likely, other than the one that takes the last move back.
///
/// The walk may cross its own track, so the board may be nearer to `from` than `moves` moves.
/// O(n^2 + moves) time; draws from `generator` once a move, very rarely more often.
/// \throws std::invalid_argument if `moves` is negative.
[[nodiscard]] inline Board random_walk(const Board& from, std::int64_t moves, std::mt19937_64& generator) {
    if (moves < 0) {
        throw std::invalid_argument("a random walk cannot have " + std::to_string(moves) + " moves");
    }
    std::vector<std::int32_t> tiles = from.tiles();
    const int n = from.size();
    std::int64_t blank = from.blank_cell();
    Move undo = Move::none;
    for (std::int64_t made = 0; made < moves; ++made) {
        const std::int64_t row = blank / n;
        const std::int64_t col = blank % n;
        const std::array<bool, 4> possible{row > 0, col > 0, col < n - 1, row < n - 1};
        std::array<Move, 4> choices{};
        std::size_t count = 0;
        for (const Move move : all_moves) {
            if (possible[static_cast<std::size_t>(move)] && move != undo) choices[count++] = move;
        }
        const Move move = choices[static_cast<std::size_t>(detail::draw_below(generator, count))];
        const std::array<std::int64_t, 4> steps{-n, -1, 1, n};
        const std::int64_t next = blank + steps[static_cast<std::size_t>(move)];
        std::swap(tiles[static_cast<std::size_t>(blank)], tiles[static_cast<std::size_t>(next)]);
        blank = next;
        undo = inverse(move);
    }
    return Board(std::move(tiles));
}

/// The random walk of a new std::mt19937_64 seeded with `seed`.
/// \throws std::invalid_argument if `moves` is negative.
[[nodiscard]] inline Board random_walk(const Board& from, std::int64_t moves, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    return random_walk(from, moves, generator);
}

/// A board of size n from which `goal` can be reached, all such boards equally likely. O(n^2).
///
/// A shuffle (R. Durstenfeld's, 1964) makes every arrangement equally likely. One of the wrong parity is
/// exchanged for its twin: since twin() is its own inverse and leaves the blank where it is, it pairs each
/// unsolvable board with one solvable board, so that every solvable board is the outcome of exactly two
/// arrangements and stays as likely as any other.
/// \throws std::invalid_argument if n is not from 2 to 32767 or not the size of `goal`.
[[nodiscard]] inline Board random_solvable(int n, std::mt19937_64& generator, const Board& goal) {
    if (goal.size() != n) {
        throw std::invalid_argument("the goal has size " + std::to_string(goal.size()) + ", not " +
                                    std::to_string(n));
    }
    std::vector<std::int32_t> tiles(detail::cells_of_size(n));
    for (std::size_t cell = 0; cell < tiles.size(); ++cell) tiles[cell] = static_cast<std::int32_t>(cell);
    for (std::size_t left = tiles.size(); left > 1; --left) {
        std::swap(tiles[left - 1], tiles[static_cast<std::size_t>(detail::draw_below(generator, left))]);
    }
    Board board(std::move(tiles));
    return is_solvable(board, goal) ? board : board.twin();
}

/// The same for the blank-last goal.
/// \throws std::invalid_argument if n is not from 2 to 32767.
[[nodiscard]] inline Board random_solvable(int n, std::mt19937_64& generator) {
    return random_solvable(n, generator, goal_blank_last(n));
}

/// The first board of a new std::mt19937_64 seeded with `seed`.
/// \throws std::invalid_argument if n is not from 2 to 32767 or not the size of `goal`.
[[nodiscard]] inline Board random_solvable(int n, std::uint64_t seed, const Board& goal) {
    std::mt19937_64 generator(seed);
    return random_solvable(n, generator, goal);
}

/// The same for the blank-last goal.
/// \throws std::invalid_argument if n is not from 2 to 32767.
[[nodiscard]] inline Board random_solvable(int n, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    return random_solvable(n, generator);
}

} // namespace npuzzle
