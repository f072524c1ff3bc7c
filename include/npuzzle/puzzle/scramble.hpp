#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solvability.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

/// \file
/// Random boards from a seed: the same on every platform. Only the raw output of std::mt19937_64 is used,
/// which the standard specifies exactly, unlike its distributions.

namespace npuzzle {

namespace detail {

/// A number from 0 to bound - 1, all equally likely. Requires a bound of 1 or more. 2^64 is rarely a multiple
/// of the bound: as many numbers as are over are drawn again.
inline std::uint64_t draw_below(std::mt19937_64& generator, std::uint64_t bound) {
    const std::uint64_t incomplete = (0 - bound) % bound;
    std::uint64_t drawn = generator();
    while (drawn < incomplete) drawn = generator();
    return drawn % bound;
}

} // namespace detail

/// The end of a random walk of `moves` moves from `from`. All moves of the blank but the one that undoes the
/// last move are equally likely. The walk may cross its own path. O(n^2 + moves).
/// \throws std::invalid_argument if `moves` is negative
[[nodiscard]] inline Board random_walk(const Board& from, std::int64_t moves, std::mt19937_64& generator) {
    if (moves < 0) {
        detail::throw_invalid({"a random walk cannot have ", moves, " moves"});
    }
    const SlidingPuzzle<> puzzle(from);
    Board board = from;
    Move last = Move::none;
    for (std::int64_t made = 0; made < moves; ++made) {
        std::array<Move, 4> choices{};
        std::size_t count = 0;
        puzzle.for_each_move(board, last, [&](Move move) { choices[count++] = move; });
        last = choices[static_cast<std::size_t>(detail::draw_below(generator, count))];
        puzzle.apply(board, last);
    }
    return board;
}

/// The same with a new std::mt19937_64 of this seed.
[[nodiscard]] inline Board random_walk(const Board& from, std::int64_t moves, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    return random_walk(from, moves, generator);
}

/// A random board from which `goal` can be reached, all such boards equally likely. O(n^2).
///
/// A shuffle (R. Durstenfeld, 1964) makes every arrangement equally likely. One of the wrong parity is
/// replaced by its twin: twins pair each unsolvable board with one solvable board.
[[nodiscard]] inline Board random_solvable(const Board& goal, std::mt19937_64& generator) {
    std::vector<std::int32_t> tiles = goal_blank_first(goal.size()).tiles();
    for (std::size_t left = tiles.size(); left > 1; --left) {
        std::swap(tiles[left - 1], tiles[static_cast<std::size_t>(detail::draw_below(generator, left))]);
    }
    Board board(std::move(tiles));
    return is_solvable(board, goal) ? board : board.twin();
}

/// The same for the blank-last goal of size n.
/// \throws std::invalid_argument if n is not from 2 to 32767
[[nodiscard]] inline Board random_solvable(int n, std::mt19937_64& generator) {
    return random_solvable(goal_blank_last(n), generator);
}

/// The same with a new std::mt19937_64 of this seed.
[[nodiscard]] inline Board random_solvable(const Board& goal, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    return random_solvable(goal, generator);
}

/// The same for the blank-last goal of size n.
/// \throws std::invalid_argument if n is not from 2 to 32767
[[nodiscard]] inline Board random_solvable(int n, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    return random_solvable(n, generator);
}

} // namespace npuzzle
