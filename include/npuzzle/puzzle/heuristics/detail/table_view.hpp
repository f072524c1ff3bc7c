#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/regions.hpp"
#include "npuzzle/puzzle/pattern_database/detail/zero_aware_states.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

/// \file
/// Tables as the patterns of a board use them.

namespace npuzzle::detail {

/// Maps cells of a board to cells of a table, and tiles to pieces.
template <int N>
struct BoardView {
    static constexpr std::uint8_t no_piece = 255;

    BoardView() = default;

    /// \param shape the shape of the table, and the symmetry that takes the board to it
    /// \param goal the goal of the puzzle
    NPUZZLE_COLD BoardView(const NormalizedShape& shape, const PackedBoard<N>& goal) {
        piece_of.fill(no_piece);
        for (int cell = 0; cell < N * N; ++cell) {
            const int image = image_of_cell(N, shape.symmetry, cell);
            cell_of[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(image);
            board_cell[static_cast<std::size_t>(image)] = static_cast<std::uint8_t>(cell);
            if ((shape.shape.cells >> image & 1U) != 0) {
                piece_of[static_cast<std::size_t>(goal.tile(cell))] =
                    static_cast<std::uint8_t>(count_cells(shape.shape.cells & (cell_bit(image) - 1)));
            }
        }
        if (shape.shape.kind == TableKind::classical) {
            piece_of[0] = static_cast<std::uint8_t>(count_cells(shape.shape.cells));
        }
        for (int from = 0; from < N * N; ++from) {
            for (std::size_t move = 0; move < 4; ++move) {
                if (const int to = NeighborTable<N>::target[static_cast<std::size_t>(from)][move]; to >= 0) {
                    steps[static_cast<std::size_t>(from)][move] = PlacementStep(
                        image_of_cell(N, shape.symmetry, to), image_of_cell(N, shape.symmetry, from));
                }
            }
        }
    }

    /// The placement of the pieces on a board.
    Placement placement(const PackedBoard<N>& board) const {
        std::uint32_t set = 0;
        Placement order = 0;
        unsigned shift = placement_order_shift;
        for (int cell = 0; cell < N * N; ++cell) {
            const int tile = board.tile(board_cell[static_cast<std::size_t>(cell)]);
            if (const Placement piece = piece_of[static_cast<std::size_t>(tile)]; piece != no_piece) {
                set |= cell_bit(cell);
                order |= piece << shift;
                shift += 3;
            }
        }
        return set | order;
    }

    /// The value that is stored in bits 56 to 63.
    static int value(Placement placement) noexcept { return static_cast<int>(placement >> 56); }

    /// By the blank's cell and its move: the step of the tile that changes places with the blank.
    std::array<std::array<PlacementStep, 4>, std::size_t{N} * std::size_t{N}> steps{};
    std::array<std::uint8_t, std::size_t{N} * std::size_t{N}> cell_of{};
    std::array<std::uint8_t, std::size_t{N} * std::size_t{N}> board_cell{};
    std::array<std::uint8_t, std::size_t{1} << PackedBoard<N>::bits> piece_of{};
};

/// A view of a table with a byte for each placement.
template <int N>
struct TableView : BoardView<N> {
    static constexpr bool is_consistent = false;

    TableView() = default;

    NPUZZLE_COLD TableView(const PatternTable& table, const NormalizedShape& shape,
                           const PackedBoard<N>& goal)
        : BoardView<N>(shape, goal), entries(table.entries().data()),
          ranks(&rank_tables(N, table.shape().pieces(), SetIndex::first_placement)) {}

    /// The placement on a board, with its value.
    Placement evaluate(const PackedBoard<N>& board) const { return valued(this->placement(board)); }

    /// The placement, with its value, after a move of one of its tiles. `from`: the blank's cell before it.
    NPUZZLE_ALWAYS_INLINE Placement after(Placement placement, std::size_t from,
                                          std::size_t move) const noexcept {
        return valued(this->steps[from][move](placement));
    }

    /// The same placement, with its value looked up.
    Placement valued(Placement placement) const noexcept {
        const Placement value = entries[ranks->template index<N>(placement)];
        return (placement & ~(Placement{255} << 56)) | value << 56;
    }

    const std::uint8_t* entries = nullptr;
    const RankTables* ranks = nullptr;
};

/// A view of a zero-aware table. A value follows from the one before the move and a bit.
template <int N>
struct ZeroAwareView : BoardView<N> {
    /// Moves of other tiles do not change the region of the blank.
    static constexpr bool is_consistent = true;

    ZeroAwareView() = default;

    NPUZZLE_COLD ZeroAwareView(const PatternTable& of, const NormalizedShape& shape,
                               const PackedBoard<N>& goal)
        : BoardView<N>(shape, goal), table(&of), bits(of.entries().data()),
          regions(&region_tables(N, of.shape().pieces())) {}

    /// The placement on a board, with its value, which is found on a path to the goal.
    Placement evaluate(const PackedBoard<N>& board) const {
        const Placement placement = this->placement(board);
        const std::uint32_t blank = cell_bit(this->cell_of[static_cast<std::size_t>(board.blank_cell())]);
        // A damaged table gives wrong values.
        const auto value =
            static_cast<Placement>(ZeroAwareStates(*table).value(placement, blank).value_or(0));
        return placement | value << 56;
    }

    NPUZZLE_ALWAYS_INLINE Placement after(Placement placement, std::size_t from,
                                          std::size_t move) const noexcept {
        const Placement next = this->steps[from][move](placement); // with the value before the move
        const Placement raised = next + (Placement{1} << 56);
        const std::size_t index = index_after(next, from, move);
        // Of the values one above and one below, one has this bit.
        return raised - ((raised >> 57 ^ bits[index / 8] >> index % 8) & 1U) * (Placement{2} << 56);
    }

    const PatternTable* table = nullptr;
    const std::uint8_t* bits = nullptr;
    const RegionTables* regions = nullptr;

private:
    std::size_t index_after(Placement next, std::size_t from, std::size_t move) const noexcept {
        // The blank is where the tile was.
        const std::uint32_t blank = this->steps[from][move].flipped & ~static_cast<std::uint32_t>(next);
        return regions->template index<N>(next, blank);
    }
};

} // namespace npuzzle::detail
