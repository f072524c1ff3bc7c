#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/pattern_search.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

/// \file
/// The pattern databases 5-5-5 for a `Solver` of boards of size 4 that has no tables: they are built within
/// tens of milliseconds, and compiled in a fraction of the time of "npuzzle/puzzle/pattern_database/".

namespace npuzzle::detail {

/// The tables of three patterns of five tiles, for a goal with the blank in one cell: the least number of
/// moves that the tiles of a pattern need. An entry is found by four bits for the cell of each tile.
class FiveTileTables {
public:
    static constexpr std::size_t patterns = 3;
    static constexpr int index_bits = 20;
    static constexpr std::size_t bytes = patterns << index_bits;
    /// What is held at most while they are built.
    static constexpr std::size_t bytes_to_build = bytes + 2'000'000;

    /// \param drawing the goal: a letter from `a` to `c` for the pattern of each tile, a dot for the blank
    /// \throws std::bad_alloc
    NPUZZLE_COLD explicit FiveTileTables(std::string_view drawing)
        : drawing_(drawing), entries_(std::make_unique<std::uint8_t[]>(bytes)) {
        for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
            build(pattern, entries_.get() + (pattern << index_bits));
        }
    }

    /// The pattern of the tile that belongs in a cell; the blank has none.
    [[nodiscard]] std::size_t pattern_of(int cell) const {
        return static_cast<std::size_t>(drawing_[static_cast<std::size_t>(cell)] - 'a');
    }

    [[nodiscard]] int blank_cell() const { return static_cast<int>(drawing_.find('.')); }

    [[nodiscard]] const std::uint8_t* entries(std::size_t pattern) const {
        return entries_.get() + (pattern << index_bits);
    }

private:
    NPUZZLE_COLD void build(std::size_t pattern, std::uint8_t* table) const {
        std::uint32_t goal = 0;
        for (int cell = 0; cell < 16; ++cell) {
            goal |= pattern_of(cell) == pattern ? cell_bit(cell) : 0;
        }
        PatternSearch search(4, goal, blank_cell(), false);
        const PlacementRanking& ranking = search.ranking();
        PatternSearch::Worker worker;
        for (unsigned depth = 1; depth == 1 || std::exchange(worker.is_alive, false); ++depth) {
            search.expand(0, ranking.sets(), depth, worker);
        }
        // Of each order and place: the shift of the tile's cell.
        std::array<std::array<std::uint8_t, 5>, 120> shifts{};
        for (std::uint32_t rank = 0; rank < shifts.size(); ++rank) {
            for (unsigned place = 0; place < 5; ++place) {
                shifts[rank][place] = static_cast<std::uint8_t>(
                    4 * (ranking.order(rank) >> (placement_order_shift + 3 * place) & 7));
            }
        }
        const std::uint8_t* value = search.values()->data();
        for (std::uint32_t set = cell_bit(5) - 1; set <= all_cells(4); set = next_set(set)) {
            std::array<std::uint32_t, 5> cells{};
            for (std::uint32_t rest = set, i = 0; rest != 0; rest &= rest - 1) {
                cells[i++] = static_cast<std::uint32_t>(std::countr_zero(rest));
            }
            for (const auto& shift : shifts) {
                table[cells[0] << shift[0] | cells[1] << shift[1] | cells[2] << shift[2] |
                      cells[3] << shift[3] | cells[4] << shift[4]] = *value++;
            }
        }
    }

    std::string_view drawing_;
    std::unique_ptr<std::uint8_t[]> entries_;
};

/// The tables for goals with the blank in a cell that a symmetry of the square takes to that of the tables: a
/// corner, beside a corner, or in the middle. Built at the first use, by the thread that comes first, and
/// kept until the program ends.
/// \throws std::bad_alloc
[[nodiscard]] inline const FiveTileTables& five_tile_tables(int blank_cell) {
    const bool is_outer_row = blank_cell < 4 || blank_cell >= 12;
    const bool is_outer_column = (blank_cell + 1) % 4 < 2;
    // As `Partition::named` has them.
    if (is_outer_row && is_outer_column) {
        static const FiveTileTables corner("aaaabbacbbccbcc.");
        return corner;
    }
    if (is_outer_row || is_outer_column) {
        static const FiveTileTables beside("aaaabbacbbccbc.c");
        return beside;
    }
    static const FiveTileTables middle("aaaabbacbb.cbccc");
    return middle;
}

/// The greater of the sums of the tables' values of a board and of its mirror image, where the goal has one.
class BoundFiveTileTables {
    using B = PackedBoard<4>;

public:
    using Value = int;

    static constexpr bool is_zero_at_goals = true;

    /// Of the board, and of its mirror image: four bits for the cell of each tile, pattern by pattern, and
    /// the sum of the values.
    struct Evaluation {
        std::array<std::uint64_t, 2> cells;
        std::array<std::int32_t, 2> sums;
    };

    NPUZZLE_COLD BoundFiveTileTables(const B& goal, const FiveTileTables& tables)
        : sides_(tables.blank_cell() % 5 == 0 ? 2 : 1) {
        int symmetry = 0;
        while (image_of_cell(4, symmetry, goal.blank_cell()) != tables.blank_cell()) {
            ++symmetry;
        }
        for (std::size_t side = 0; side < 2; ++side) {
            std::array<int, 16> tile_of{};
            for (int cell = 0; cell < 16; ++cell) {
                const int image = image_of_cell(4, static_cast<int>(side), image_of_cell(4, symmetry, cell));
                image_[side][static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(image);
                tile_of[static_cast<std::size_t>(image)] = goal.tile(cell);
            }
            std::array<int, FiveTileTables::patterns> tiles{};
            for (int cell = 0; cell < 16; ++cell) {
                if (cell == tables.blank_cell()) continue;
                const std::size_t pattern = tables.pattern_of(cell);
                const int first = FiveTileTables::index_bits * static_cast<int>(pattern);
                tiles_[side][static_cast<std::size_t>(tile_of[static_cast<std::size_t>(cell)])] = {
                    tables.entries(pattern), static_cast<std::uint8_t>(first + 4 * tiles[pattern]++),
                    static_cast<std::uint8_t>(first)};
            }
        }
    }

    Evaluation evaluate(const B& board) const {
        Evaluation evaluation{};
        for (std::size_t side = 0; side < sides_; ++side) {
            std::uint64_t& cells = evaluation.cells[side];
            for (int cell = 0; cell < 16; ++cell) {
                if (const auto tile = static_cast<std::size_t>(board.tile(cell)); tile != 0) {
                    cells |= std::uint64_t{image_[side][static_cast<std::size_t>(cell)]}
                             << tiles_[side][tile].shift;
                }
            }
            for (const Tile& tile : tiles_[side]) {
                // The first tile of each pattern.
                evaluation.sums[side] +=
                    tile.table != nullptr && tile.shift == tile.pattern ? value(tile, cells) : 0;
            }
        }
        return evaluation;
    }

    Value value(const Evaluation& evaluation) const {
        return evaluation.sums[0] < evaluation.sums[1] ? evaluation.sums[1] : evaluation.sums[0];
    }

    Value operator()(const B& board) const { return value(evaluate(board)); }

    template <class AnyMove>
    Evaluation after(const Evaluation& evaluation, const B& before, AnyMove move, const B& after) const {
        Evaluation result{};
        after_within(result, evaluation, before, move, after, 255);
        return result;
    }

    /// Looks at the mirror image only if the board's own value is within the limit.
    template <class AnyMove>
    NPUZZLE_ALWAYS_INLINE Value after_within(Evaluation& result, const Evaluation& evaluation,
                                             const B& before, AnyMove /*move*/, const B& after,
                                             int limit) const {
        const auto from = static_cast<std::size_t>(before.blank_cell());
        const auto to = static_cast<std::size_t>(after.blank_cell());
        const auto tile = static_cast<std::size_t>(after.tile(static_cast<int>(from)));
        move_tile(result, evaluation, 0, tile, to, from);
        if (result.sums[0] > limit || sides_ == 1) {
            result.sums[1] = 0;
            return result.sums[0];
        }
        move_tile(result, evaluation, 1, tile, to, from);
        return value(result);
    }

private:
    struct Tile {
        const std::uint8_t* table = nullptr;
        std::uint8_t shift = 0;   ///< of its cell
        std::uint8_t pattern = 0; ///< that of the first tile of its pattern
    };

    static int value(const Tile& tile, std::uint64_t cells) {
        return tile.table[cells >> tile.pattern & ((1U << FiveTileTables::index_bits) - 1)];
    }

    NPUZZLE_ALWAYS_INLINE void move_tile(Evaluation& result, const Evaluation& evaluation, std::size_t side,
                                         std::size_t tile, std::size_t from, std::size_t to) const {
        const Tile& moved = tiles_[side][tile];
        const auto flipped = static_cast<std::uint64_t>(image_[side][from] ^ image_[side][to]);
        result.cells[side] = evaluation.cells[side] ^ flipped << moved.shift;
        result.sums[side] =
            evaluation.sums[side] + value(moved, result.cells[side]) - value(moved, evaluation.cells[side]);
    }

    std::array<std::array<Tile, 16>, 2> tiles_{};
    std::array<std::array<std::uint8_t, 16>, 2> image_{};
    std::size_t sides_;
};

/// For `ida_star`: these tables. The first call for a goal with the blank in a new kind of cell builds them.
struct FiveTileDatabases {
    static constexpr bool is_zero_at_goals = true;

    template <int N>
        requires(N == 4)
    [[nodiscard]] auto bind(const SlidingPuzzle<N>& puzzle) const {
        return BoundFiveTileTables(puzzle.goal(), five_tile_tables(puzzle.goal().blank_cell()));
    }
};

} // namespace npuzzle::detail
