#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/move.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/// \file
/// The boards of a solution, checked before they are drawn.

namespace npuzzle::detail {

/// \throws std::invalid_argument if there are no boards or if they are not all of one size
inline void require_boards_of_one_size(const std::vector<Board>& boards) {
    if (boards.empty()) throw std::invalid_argument("there are no boards to draw");
    for (const Board& board : boards) {
        if (board.size() != boards.front().size()) {
            throw std::invalid_argument("boards of size " + std::to_string(boards.front().size()) +
                                        " and of size " + std::to_string(board.size()) +
                                        " are not of one solution");
        }
    }
}

/// \throws std::invalid_argument if an option is out of range
inline void require_option(int value, int least, int most, const std::string& what, const std::string& unit) {
    if (value < least || value > most) {
        throw std::invalid_argument(what + " from " + std::to_string(least) + " to " + std::to_string(most) +
                                    ' ' + unit + ", not " + std::to_string(value));
    }
}

inline void require_tile_size(int pixels) {
    require_option(pixels, 1, 10000, "the size of a tile is", "pixels");
}

inline void require_move_time(int milliseconds) {
    require_option(milliseconds, 1, 60000, "a move takes", "milliseconds");
}

/// The move of the blank that leads from `from` to `to`, two boards of one size; nothing if no single move
/// does. O(n^2).
[[nodiscard]] inline std::optional<Move> move_between(const Board& from, const Board& to) {
    const std::int64_t n = from.size();
    const std::int64_t before = from.blank_cell();
    const std::int64_t after = to.blank_cell();
    Move move{};
    if (after == before - n) {
        move = Move::up;
    } else if (after == before + n) {
        move = Move::down;
    } else if (after == before - 1 && before % n != 0) {
        move = Move::left;
    } else if (after == before + 1 && after % n != 0) {
        move = Move::right;
    } else {
        return std::nullopt;
    }
    for (std::int64_t cell = 0; cell < from.cells(); ++cell) {
        const std::int64_t came_from = cell == before ? after : cell == after ? before : cell;
        if (to.tile(cell) != from.tile(came_from)) return std::nullopt;
    }
    return move;
}

/// The moves of the blank from each board to the next.
/// \throws std::invalid_argument as above, and if a board is not one move from the one before
[[nodiscard]] inline std::vector<Move> moves_of(const std::vector<Board>& boards) {
    require_boards_of_one_size(boards);
    std::vector<Move> moves;
    moves.reserve(boards.size() - 1);
    for (std::size_t step = 1; step < boards.size(); ++step) {
        const std::optional<Move> move = move_between(boards[step - 1], boards[step]);
        if (!move) {
            throw std::invalid_argument("board " + std::to_string(step) +
                                        " of the solution is not one move from the board before");
        }
        moves.push_back(*move);
    }
    return moves;
}

/// "A sliding-tile puzzle of 3 by 3, solved in 1 move"
[[nodiscard]] inline std::string title_of(const std::vector<Board>& boards) {
    const std::string size = std::to_string(boards.front().size());
    const std::string moves = std::to_string(boards.size() - 1);
    return "A sliding-tile puzzle of " + size + " by " + size + ", solved in " + moves +
           (moves == "1" ? " move" : " moves");
}

} // namespace npuzzle::detail
