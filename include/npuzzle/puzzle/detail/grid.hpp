#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/move.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace npuzzle::detail {

/// A cell, a tile or a move as the index of an array.
template <class Number>
NPUZZLE_ALWAYS_INLINE constexpr std::size_t as_index(Number number) noexcept {
    return static_cast<std::size_t>(number);
}

constexpr bool is_vertical(Move move) {
    return move == Move::up || move == Move::down;
}

/// Calls `visit(move, to)` for each move of the blank from a cell of an n x n board, and the cell where it
/// leads, in the order of `all_moves`.
template <class F>
constexpr void for_each_slide(int n, int blank, F&& visit) {
    const int row = blank / n;
    const int column = blank % n;
    if (row > 0) visit(Move::up, blank - n);
    if (column > 0) visit(Move::left, blank - 1);
    if (column < n - 1) visit(Move::right, blank + 1);
    if (row < n - 1) visit(Move::down, blank + n);
}

/// The cell to which each move takes the blank on an N x N board.
template <int N>
    requires(N >= 2 && N <= 11)
struct NeighborTable {
    /// `target[cell][move]`: the cell that the blank reaches from `cell`; -1 if the move leaves the board.
    static constexpr auto target = [] {
        std::array<std::array<std::int8_t, 4>, N * N> targets{};
        for (std::size_t cell = 0; cell < targets.size(); ++cell) {
            targets[cell] = {-1, -1, -1, -1};
            for_each_slide(N, static_cast<int>(cell), [&](Move move, int to) {
                targets[cell][as_index(move)] = static_cast<std::int8_t>(to);
            });
        }
        return targets;
    }();

    /// `moves[cell]`: one bit for each move that the blank can make from `cell`.
    static constexpr auto moves = [] {
        std::array<std::uint8_t, N * N> possible{};
        for (std::size_t cell = 0; cell < possible.size(); ++cell) {
            for (unsigned move = 0; move < 4; ++move) {
                if (target[cell][move] >= 0) {
                    possible[cell] = static_cast<std::uint8_t>(possible[cell] | 1U << move);
                }
            }
        }
        return possible;
    }();
};

/// The Manhattan distance between any two cells of an N x N board.
template <int N>
    requires(N >= 2 && N <= 11)
struct DistanceTable {
    /// `distance[a][b]`: the Manhattan distance between the cells a and b.
    static constexpr auto distance = [] {
        std::array<std::array<std::int8_t, std::size_t{N} * N>, std::size_t{N} * N> distances{};
        for (int a = 0; a < N * N; ++a) {
            for (int b = 0; b < N * N; ++b) {
                const int rows = a / N < b / N ? b / N - a / N : a / N - b / N;
                const int cols = a % N < b % N ? b % N - a % N : a % N - b % N;
                distances[as_index(a)][as_index(b)] = static_cast<std::int8_t>(rows + cols);
            }
        }
        return distances;
    }();
};

/// The image of a cell under a symmetry of the square, numbered from 0, the identity, to 7. Bit 0 exchanges
/// rows and columns; then bit 1 reverses the rows, and bit 2 the columns.
constexpr int image_of_cell(int n, int symmetry, int cell) noexcept {
    int row = (symmetry & 1) != 0 ? cell % n : cell / n;
    int column = (symmetry & 1) != 0 ? cell / n : cell % n;
    row = (symmetry & 2) != 0 ? n - 1 - row : row;
    column = (symmetry & 4) != 0 ? n - 1 - column : column;
    return row * n + column;
}

/// Divides cell numbers by the size of the board with one multiplication. The size is known at run time only.
///
/// Let m = floor(2^45 / n) + 1. The error m * n - 2^45 lies in (0, n]. So x * m / 2^45 exceeds x / n by at
/// most x / 2^45 < 1 / n for every x < n^2 (n^3 < 2^45 since n < 2^15). This is too little to reach the next
/// integer. And x * m < 2^61 does not overflow. (T. Granlund, P. L. Montgomery, "Division by invariant
/// integers using multiplication", 1994.)
class DivideBySize {
public:
    /// For boards of size n, from 1 to 32767.
    explicit constexpr DivideBySize(int n) noexcept
        : multiplier_((std::uint64_t{1} << 45) / static_cast<std::uint64_t>(n) + 1) {}

    /// `cell / n`, for 0 <= cell < n * n.
    constexpr int operator()(int cell) const noexcept {
        return static_cast<int>((static_cast<std::uint64_t>(cell) * multiplier_) >> 45);
    }

private:
    std::uint64_t multiplier_;
};

} // namespace npuzzle::detail
