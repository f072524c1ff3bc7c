#pragma once

#include "npuzzle/puzzle/move.hpp"

#include <array>
#include <cstdint>

/// \file
/// Rows and columns of a board as the constructive solver sees them. The solver fills one line after another.

namespace npuzzle::detail {

/// A row and a column, in the coordinates of a frame.
struct LinePosition {
    int row;
    int column;
};

/// A coordinate frame in which the line to be filled is the topmost open row and is filled from left to
/// right. On the board this line may be any row or column.
class LineFrame {
public:
    /// Rows of the frame run from `first` to `last`, columns from `left` to `right`. Each may run in
    /// increasing or decreasing order. They are rows and columns of the board, or columns and rows if the
    /// frame lies on its side.
    LineFrame(int first, int last, int left, int right, bool is_on_its_side, int size)
        : first_(first), last_(last), left_(left), right_(right), down_(last > first ? 1 : -1),
          rightward_(right > left ? 1 : -1), is_on_its_side_(is_on_its_side), size_(size) {}

    /// The frame without its topmost row, and with left and right exchanged.
    LineFrame mirrored_below() const {
        return LineFrame(first_ + down_, last_, right_, left_, is_on_its_side_, size_);
    }

    int height() const { return (last_ - first_) * down_ + 1; }
    int width() const { return (right_ - left_) * rightward_ + 1; }

    LinePosition at(int board_row, int board_column) const {
        const int across = is_on_its_side_ ? board_column : board_row;
        const int along = is_on_its_side_ ? board_row : board_column;
        return {(across - first_) * down_, (along - left_) * rightward_};
    }

    std::int64_t cell(LinePosition position) const {
        const std::int64_t across = first_ + position.row * down_;
        const std::int64_t along = left_ + position.column * rightward_;
        return is_on_its_side_ ? along * size_ + across : across * size_ + along;
    }

    /// What one step adds to a cell number, for north, east, south and west of the frame.
    std::array<std::int64_t, 4> steps() const {
        const std::int64_t south_step = std::int64_t{down_} * (is_on_its_side_ ? 1 : size_);
        const std::int64_t east_step = std::int64_t{rightward_} * (is_on_its_side_ ? size_ : 1);
        return {-south_step, east_step, south_step, -east_step};
    }

    /// The moves of the blank for north, east, south and west of the frame.
    std::array<Move, 4> moves() const {
        const Move forward = is_on_its_side_ ? Move::right : Move::down;
        const Move sideways = is_on_its_side_ ? Move::down : Move::right;
        const Move south_move = down_ > 0 ? forward : inverse(forward);
        const Move east_move = rightward_ > 0 ? sideways : inverse(sideways);
        return {inverse(south_move), east_move, south_move, inverse(east_move)};
    }

private:
    int first_;
    int last_;
    int left_;
    int right_;
    int down_;
    int rightward_;
    bool is_on_its_side_;
    int size_;
};

} // namespace npuzzle::detail
