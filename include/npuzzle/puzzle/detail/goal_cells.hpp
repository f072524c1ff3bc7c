#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/packed_board.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace npuzzle::detail {

/// The goal cell of each tile: the inverse of a goal board.
template <class B>
class GoalCells;

template <int N>
class GoalCells<PackedBoard<N>> {
public:
    /// The type of heuristic values, cell numbers and coordinates.
    using Value = int;

    explicit constexpr GoalCells(const PackedBoard<N>& goal) {
        for (int cell = 0; cell < N * N; ++cell) {
            cells_[static_cast<std::size_t>(goal.tile(cell))] = static_cast<std::int8_t>(cell);
        }
    }

    constexpr int cell(int tile) const { return cells_[static_cast<std::size_t>(tile)]; }
    static constexpr int row(int cell) { return cell / N; }
    static constexpr int column(int cell) { return cell % N; }

private:
    std::array<std::int8_t, static_cast<std::size_t>(N* N)> cells_{};
};

template <>
class GoalCells<Board> {
public:
    using Value = std::int64_t;

    explicit GoalCells(const Board& goal)
        : row_of_(goal.size()), size_(goal.size()), cells_(static_cast<std::size_t>(goal.cells())) {
        for (std::int64_t cell = 0; cell < goal.cells(); ++cell) {
            cells_[static_cast<std::size_t>(goal.tile(cell))] = static_cast<std::int32_t>(cell);
        }
    }

    std::int64_t cell(int tile) const { return cells_[static_cast<std::size_t>(tile)]; }
    std::int64_t row(std::int64_t cell) const { return row_of_(static_cast<int>(cell)); }
    std::int64_t column(std::int64_t cell) const { return cell - row(cell) * size_; }

private:
    DivideBySize row_of_;
    std::int64_t size_;
    std::vector<std::int32_t> cells_;
};

} // namespace npuzzle::detail
