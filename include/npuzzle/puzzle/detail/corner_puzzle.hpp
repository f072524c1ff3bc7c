#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// The puzzles of sizes 2 to W as one problem, so that a search is compiled once for all of them. A board
/// lies in the upper left corner of one of size W, whose other tiles never move. At size W it is
/// `SlidingPuzzle<W>`.
template <int W>
class CornerPuzzle : public SlidingPuzzle<W> {
    static constexpr int width = W;

public:
    using State = PackedBoard<W>;

    NPUZZLE_COLD explicit CornerPuzzle(const Board& goal)
        : SlidingPuzzle<W>(placed(goal)), size_(goal.size()) {
        for (int cell = 0; cell < width * width; ++cell) {
            unsigned moves = NeighborTable<width>::moves[static_cast<std::size_t>(cell)];
            if (cell % width + 1 == size_) moves &= ~(1U << static_cast<unsigned>(Move::right));
            if (cell / width + 1 == size_) moves &= ~(1U << static_cast<unsigned>(Move::down));
            moves_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(moves);
        }
    }

    [[nodiscard]] int size() const { return size_; }

    void with_place() const = delete;

    std::vector<State> neighbors(const State& board) const {
        std::vector<State> result;
        for_each_move(board, Move::none, [&](Move move) {
            result.push_back(board);
            this->apply(result.back(), move);
        });
        return result;
    }

    /// As those of `SlidingPuzzle`, within the corner.
    template <class F>
    void for_each_move(const State& board, Move last, F&& visit) const {
        unsigned moves = moves_[static_cast<std::size_t>(board.blank_cell())];
        moves &= ~(1U << static_cast<unsigned>(inverse(last)));
        for (; moves != 0; moves &= moves - 1) visit(static_cast<Move>(std::countr_zero(moves)));
    }

    /// A board, in the corner.
    NPUZZLE_COLD static State placed(const Board& board) {
        const int n = board.size();
        std::array<int, std::size_t{width} * width> tiles{};
        int others = n * n;
        for (int cell = 0; cell < width * width; ++cell) {
            const int row = cell / width;
            const int column = cell % width;
            tiles[static_cast<std::size_t>(cell)] =
                row < n && column < n ? board.tile(row * n + column) : others++;
        }
        return State(tiles);
    }

    /// The board that is in the corner.
    NPUZZLE_COLD Board taken_out(const State& board) const {
        std::vector<std::int32_t> tiles;
        for (int row = 0; row < size_; ++row) {
            for (int column = 0; column < size_; ++column) tiles.push_back(board.tile(row * width + column));
        }
        return Board(std::move(tiles));
    }

private:
    int size_;
    std::array<std::uint8_t, std::size_t{width} * width> moves_{};
};

} // namespace npuzzle::detail
