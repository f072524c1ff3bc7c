/// @file
/// Makes moves on arrays of tiles, independently of the library's boards.
#pragma once

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/puzzle/move.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace test {

/// Makes moves on an array of tiles, one after the other.
class Walk {
public:
    explicit Walk(const npuzzle::Board& board)
        : tiles_(board.tiles()), size_(board.size()), row_(static_cast<int>(board.blank_cell() / size_)),
          column_(static_cast<int>(board.blank_cell() % size_)) {}

    void operator()(npuzzle::Move move) {
        const int row = row_ + (move == npuzzle::Move::down ? 1 : 0) - (move == npuzzle::Move::up ? 1 : 0);
        const int column =
            column_ + (move == npuzzle::Move::right ? 1 : 0) - (move == npuzzle::Move::left ? 1 : 0);
        const bool is_move =
            (row != row_ || column != column_) && 0 <= row && row < size_ && 0 <= column && column < size_;
        if (!is_move) {
            is_legal_ = false;
            return;
        }
        std::swap(tiles_[cell(row_, column_)], tiles_[cell(row, column)]);
        row_ = row;
        column_ = column;
        ++moves_;
    }

    /// Whether all moves were legal and led to this board.
    bool has_reached(const npuzzle::Board& goal) const { return is_legal_ && tiles_ == goal.tiles(); }
    std::int64_t moves() const { return moves_; }

private:
    std::size_t cell(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_) +
               static_cast<std::size_t>(column);
    }

    std::vector<std::int32_t> tiles_;
    int size_;
    int row_;
    int column_;
    std::int64_t moves_ = 0;
    bool is_legal_ = true;
};

/// Whether the moves lead from one board to another and all of them are legal.
inline bool leads(const npuzzle::Board& from, const std::vector<npuzzle::Move>& moves,
                  const npuzzle::Board& to) {
    Walk walk(from);
    for (const npuzzle::Move move : moves) {
        walk(move);
    }
    return walk.has_reached(to);
}

} // namespace test
