#pragma once

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>

#include "problems/plain_puzzle.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace micro {

/// A walk of boards as in a depth-first search: each is one step from the last. It is so short that it stays
/// in the first-level cache.
inline constexpr std::size_t walk_length = 256;

inline std::vector<npuzzle::Board> walk_of_boards(int n) {
    std::mt19937_64 generator(1);
    std::vector<npuzzle::Board> boards{npuzzle::random_walk(npuzzle::goal_blank_last(n), 1'000, generator)};
    while (boards.size() < walk_length) {
        boards.push_back(npuzzle::random_walk(boards.back(), 1, generator));
    }
    return boards;
}

inline std::vector<npuzzle::PackedBoard<4>> walk_of_packed_boards() {
    std::vector<npuzzle::PackedBoard<4>> boards;
    for (const npuzzle::Board& board : walk_of_boards(4)) {
        boards.emplace_back(board);
    }
    return boards;
}

inline std::vector<problems::Plain15Puzzle::State> walk_of_plain_boards() {
    std::vector<problems::Plain15Puzzle::State> boards;
    for (const npuzzle::Board& board : walk_of_boards(4)) {
        problems::Plain15Puzzle::State& plain = boards.emplace_back();
        for (std::size_t cell = 0; cell < plain.size(); ++cell) {
            plain[cell] = static_cast<std::uint8_t>(board.tiles()[cell]);
        }
    }
    return boards;
}

} // namespace micro
