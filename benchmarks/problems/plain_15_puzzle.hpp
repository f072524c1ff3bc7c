#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

/// \file
/// The 15-puzzle as the minimal problem, without optional capabilities.

namespace problems {

struct Plain15Puzzle {
    using State = std::array<std::uint8_t, 16>; // row by row, 0 is the blank; the goal is 0 1 2 ... 15

    std::vector<State> neighbors(const State& board) const {
        std::size_t blank = 0;
        while (board[blank] != 0) ++blank;
        std::vector<State> result;
        const auto slide = [&](std::size_t cell) {
            result.push_back(board);
            std::swap(result.back()[blank], result.back()[cell]);
        };
        if (blank >= 4) slide(blank - 4);
        if (blank % 4 > 0) slide(blank - 1);
        if (blank % 4 < 3) slide(blank + 1);
        if (blank < 12) slide(blank + 4);
        return result;
    }

    bool is_goal(const State& board) const {
        for (std::size_t cell = 0; cell < 16; ++cell) {
            if (board[cell] != cell) return false;
        }
        return true;
    }
};

inline constexpr auto plain_manhattan = [](const Plain15Puzzle::State& board) {
    int sum = 0;
    for (int cell = 0; cell < 16; ++cell) {
        const int tile = board[static_cast<std::size_t>(cell)];
        if (tile != 0) sum += std::abs(tile / 4 - cell / 4) + std::abs(tile % 4 - cell % 4);
    }
    return sum;
};

} // namespace problems
