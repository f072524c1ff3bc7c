#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/window_search.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/// \file
/// Where the cells of a board are, and the order in which they are filled.

namespace npuzzle::detail {

/// The row and the column of a cell.
struct GridPlace {
    std::int16_t row;
    std::int16_t column;
};

/// The Manhattan distance of two cells.
[[nodiscard]] inline int distance(GridPlace a, GridPlace b) {
    const int rows = a.row < b.row ? b.row - a.row : a.row - b.row;
    const int columns = a.column < b.column ? b.column - a.column : a.column - b.column;
    return rows + columns;
}

/// The cells outside of a core of 5 x 5 cells, in the groups in which they are filled, one after another:
/// pieces of the lines that `ConstructiveSolver` fills, in its order. The last tile of a line cannot be
/// brought to its cell while the one beside it stays. So both are in one group.
class TileGroups {
public:
    /// \param usual the cells of each group but the last one of a line
    TileGroups(const Board& goal, std::size_t usual) {
        const int size = goal.size();
        for (int row = 0; row < size; ++row) {
            for (int column = 0; column < size; ++column) {
                places_.push_back({static_cast<std::int16_t>(row), static_cast<std::int16_t>(column)});
            }
        }
        group_of_.assign(places_.size(), (std::numeric_limits<std::int32_t>::max)());
        CellRectangle open{0, size - 1, 0, size - 1};
        const GridPlace blank = place(static_cast<std::int32_t>(goal.blank_cell()));
        bool is_row = true;
        for (; open.last_row - open.first_row >= core || open.last_column - open.first_column >= core;
             is_row = !is_row) {
            std::vector<std::int32_t> line;
            if (is_row) {
                const int row = blank.row > open.first_row ? open.first_row++ : open.last_row--;
                for (int column = open.first_column; column <= open.last_column; ++column) {
                    line.push_back(row * size + column);
                }
            } else {
                const int column =
                    blank.column > open.first_column ? open.first_column++ : open.last_column--;
                for (int row = open.first_row; row <= open.last_row; ++row) {
                    line.push_back(row * size + column);
                }
            }
            divide(line, usual);
        }
    }

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(groups_.size()); }

    /// The cells of a group.
    [[nodiscard]] const std::vector<std::int32_t>& cells(std::int32_t group) const {
        return groups_[static_cast<std::size_t>(group)];
    }

    /// The group of a cell; greater than all of them for a cell of the core.
    [[nodiscard]] std::int32_t group_of(std::int32_t cell) const {
        return group_of_[static_cast<std::size_t>(cell)];
    }

    [[nodiscard]] GridPlace place(std::int32_t cell) const { return places_[static_cast<std::size_t>(cell)]; }

private:
    static constexpr int core = 5;

    void divide(const std::vector<std::int32_t>& line, std::size_t usual) {
        for (std::size_t first = 0; first < line.size();) {
            const std::size_t last = line.size() - first >= usual + 2 ? first + usual : line.size();
            std::vector<std::int32_t>& group = groups_.emplace_back();
            for (; first < last; ++first) {
                group.push_back(line[first]);
                group_of_[static_cast<std::size_t>(line[first])] = count() - 1;
            }
        }
    }

    std::vector<GridPlace> places_;
    std::vector<std::vector<std::int32_t>> groups_;
    std::vector<std::int32_t> group_of_;
};

} // namespace npuzzle::detail
