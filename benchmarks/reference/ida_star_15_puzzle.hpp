#pragma once

#include "astar_15_puzzle.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

/// \file
/// A reference for the greatest speed: IDA* written only for the 15-puzzle with Manhattan distance and the
/// goal 0 1 2 ... 15. It has one function for each cell of the blank and each last move.

namespace reference {

class FifteenPuzzleIdaStar {
public:
    Outcome run(const std::array<int, 16>& tiles) {
        std::size_t blank = 0;
        while (tiles[blank] != 0) {
            ++blank;
        }
        const std::uint64_t board = pack(tiles);
        const int h = manhattan(tiles);
        int bound = h;
        while (!(this->*from_cell[blank])(board, h, bound)) {
            bound += 2; // each move changes the distance by one, so f rises by two or not at all
        }
        Outcome outcome;
        outcome.cost = bound;
        outcome.generated = generated_;
        return outcome;
    }

private:
    enum Direction { up, left, right, down, nowhere };

    /// Whether the goal is within `left_over` moves.
    template <int blank, int last>
    bool search(std::uint64_t board, int h, int left_over) {
        return h == 0 || attempt<blank, last, up>(board, h, left_over) ||
               attempt<blank, last, left>(board, h, left_over) ||
               attempt<blank, last, right>(board, h, left_over) ||
               attempt<blank, last, down>(board, h, left_over);
    }

    template <int blank, int last, int direction>
    bool attempt(std::uint64_t board, int h, int left_over) {
        constexpr bool is_possible = direction == up      ? blank >= 4
                                     : direction == left  ? blank % 4 > 0
                                     : direction == right ? blank % 4 < 3
                                                          : blank < 12;
        if constexpr (is_possible && direction != 3 - last) {
            constexpr int steps[] = {-4, -1, 1, 4};
            constexpr int to = blank + steps[direction];
            const std::uint64_t tile = board >> (4 * to) & 15;
            const int after = h + slide_table.change[tile][to][blank];
            ++generated_;
            return after < left_over &&
                   search<to, direction>((board ^ tile << (4 * to)) | tile << (4 * blank), after,
                                         left_over - 1);
        } else {
            return false;
        }
    }

    using Search = bool (FifteenPuzzleIdaStar::*)(std::uint64_t, int, int);

    static constexpr std::array<Search, 16> from_cell =
        []<int... cells>(std::integer_sequence<int, cells...>) {
            return std::array<Search, 16>{&FifteenPuzzleIdaStar::search<cells, nowhere>...};
        }(std::make_integer_sequence<int, 16>{});

    std::uint64_t generated_ = 0;
};

/// IDA* for a board from which the goal can be reached. Of the outcome, only cost and generated are set.
/// Generated counts each move made in all iterations, but not the root, which published counts include.
inline Outcome ida_star_15_puzzle(const std::array<int, 16>& tiles) {
    return FifteenPuzzleIdaStar().run(tiles);
}

} // namespace reference
