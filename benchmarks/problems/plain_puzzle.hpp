#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

/// \file
/// The sliding puzzle as the minimal problem, without optional capabilities.

namespace problems {

template <std::size_t n>
struct PlainPuzzle {
    using State = std::array<std::uint8_t, n * n>; // row by row, 0 is the blank; the goal is 0 1 2 ...

    std::vector<State> neighbors(const State& board) const {
        std::size_t blank = 0;
        while (board[blank] != 0) ++blank;
        std::vector<State> result;
        const auto slide = [&](std::size_t cell) {
            result.push_back(board);
            std::swap(result.back()[blank], result.back()[cell]);
        };
        if (blank >= n) slide(blank - n);
        if (blank % n > 0) slide(blank - 1);
        if (blank % n < n - 1) slide(blank + 1);
        if (blank < n * (n - 1)) slide(blank + n);
        return result;
    }

    bool is_goal(const State& board) const {
        for (std::size_t cell = 0; cell < n * n; ++cell) {
            if (board[cell] != cell) return false;
        }
        return true;
    }

    /// Manhattan distance.
    static int distance(const State& board) {
        constexpr int size = static_cast<int>(n);
        int sum = 0;
        for (int cell = 0; cell < size * size; ++cell) {
            const int tile = board[static_cast<std::size_t>(cell)];
            if (tile != 0) sum += std::abs(tile / size - cell / size) + std::abs(tile % size - cell % size);
        }
        return sum;
    }
};

using Plain8Puzzle = PlainPuzzle<3>;
using Plain15Puzzle = PlainPuzzle<4>;

inline constexpr auto plain_manhattan = [](const Plain15Puzzle::State& board) {
    return Plain15Puzzle::distance(board);
};

} // namespace problems
