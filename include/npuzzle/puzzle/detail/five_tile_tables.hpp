#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cell_sets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The pattern databases 5-5-5 for a `Solver` of boards of size 4 that has no tables: built in memory, within
/// tens of milliseconds, and compiled in a fraction of the time of "npuzzle/puzzle/pattern_database/".

namespace npuzzle::detail {

/// Breadth-first search from a goal over the placements of five tiles on 16 cells and the regions of the
/// blank: the cells that it can reach without moving one of the five.
///
/// A block has one bit for each order of the tiles in a set of cells, with the blank in one region. A step of
/// a tile leads from a block to another block, and turns all orders in the same way.
class FiveTileSearch {
public:
    NPUZZLE_NOINLINE FiveTileSearch() : first_(std::size_t{1} << 16) {
        list_turns();
        list_blocks();
        list_steps();
    }

    /// Enters the least number of moves of the tiles for each placement.
    /// \param goal the tiles' cells
    /// \param table of 255s, by four bits for the cell of each tile
    NPUZZLE_NOINLINE void fill(std::uint32_t goal, int blank, std::uint8_t* table) {
        for (Block& block : blocks_) block.seen = {};
        blocks_[block_of(goal, blank)].next[0] = 1;
        bool is_alive = true;
        for (std::uint8_t depth = 0; std::exchange(is_alive, false); ++depth) {
            for (Block& block : blocks_) {
                for (std::size_t word = 0; word < 2; ++word) {
                    block.fresh[word] = std::exchange(block.next[word], 0) & ~block.seen[word];
                    block.seen[word] |= block.fresh[word];
                }
                for_each_order(block.fresh, [&](std::size_t rank) {
                    std::size_t index = 0;
                    const std::uint8_t* tile = orders_[rank].data();
                    for (std::uint32_t cells = block.set; cells != 0; cells &= cells - 1) {
                        index |= as_index(std::countr_zero(cells)) << 4 * *tile++;
                    }
                    table[index] = (std::min)(table[index], depth);
                    is_alive = true;
                });
            }
            for (const Block& block : blocks_) {
                if ((block.fresh[0] | block.fresh[1]) != 0) expand(block);
            }
        }
    }

private:
    using Order = std::array<std::uint8_t, 5>; ///< the tile in each place, row by row
    using Bits = std::array<std::uint64_t, 2>; ///< by the rank of the order

    struct Step {
        std::uint32_t block; ///< to which it leads
        std::uint32_t turn;
    };

    struct Block {
        std::uint32_t set;
        std::uint32_t region;
        std::vector<Step> steps = {};
        Bits seen = {};
        Bits fresh = {};
        Bits next = {};
    };

    void list_turns() {
        Order order{0, 1, 2, 3, 4};
        do orders_.push_back(order);
        while (std::next_permutation(order.begin(), order.end()));
        for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
            const auto from = static_cast<std::ptrdiff_t>(turn / 5);
            const auto to = static_cast<std::ptrdiff_t>(turn % 5);
            for (std::size_t rank = 0; rank < orders_.size(); ++rank) {
                order = orders_[rank];
                const auto tile = order.begin() + from;
                from < to ? std::rotate(tile, tile + 1, order.begin() + to + 1)
                          : std::rotate(order.begin() + to, tile, tile + 1);
                turns_[turn][rank] = static_cast<std::uint8_t>(
                    std::lower_bound(orders_.begin(), orders_.end(), order) - orders_.begin());
            }
        }
    }

    void list_blocks() {
        for (std::uint32_t set = 0; set < first_.size(); ++set) {
            if (count_cells(set) != 5) continue;
            first_[set] = static_cast<std::uint16_t>(blocks_.size());
            for (std::uint32_t rest = ~set & all_cells(4); rest != 0; rest &= ~blocks_.back().region) {
                blocks_.push_back({.set = set, .region = component_of(4, rest, rest & (~rest + 1))});
            }
        }
    }

    void list_steps() {
        for (Block& block : blocks_) {
            for (std::uint32_t tiles = block.set; tiles != 0; tiles &= tiles - 1) {
                const int from = std::countr_zero(tiles);
                for (std::uint32_t free = grown(4, cell_bit(from)) & block.region; free != 0;
                     free &= free - 1) {
                    const int to = std::countr_zero(free);
                    const std::uint32_t set = block.set ^ (cell_bit(from) | cell_bit(to));
                    block.steps.push_back({block_of(set, from), 5 * place(block.set, from) + place(set, to)});
                }
            }
        }
    }

    /// Makes all steps from the newest states of a block.
    void expand(const Block& block) {
        for (const auto& [to, turn] : block.steps) {
            Bits& next = blocks_[to].next;
            if (turn % 6 == 0) { // The tile keeps its place among the others.
                next[0] |= block.fresh[0];
                next[1] |= block.fresh[1];
                continue;
            }
            for_each_order(block.fresh, [&next, &turned = turns_[turn]](std::size_t rank) {
                next[turned[rank] / 64U] |= std::uint64_t{1} << turned[rank] % 64U;
            });
        }
    }

    static std::uint32_t place(std::uint32_t set, int cell) {
        return count_cells(set & (cell_bit(cell) - 1));
    }

    std::uint32_t block_of(std::uint32_t set, int blank) const {
        std::uint32_t block = first_[set];
        while ((blocks_[block].region >> blank & 1U) == 0) ++block;
        return block;
    }

    template <class F>
    static void for_each_order(const Bits& bits, F&& visit) {
        for (std::size_t word = 0; word < 2; ++word) {
            for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
                visit(64 * word + as_index(std::countr_zero(rest)));
            }
        }
    }

    std::vector<Order> orders_;
    /// By 5 times the place of a tile before a step, plus the place after it; and by the rank.
    std::array<std::array<std::uint8_t, 120>, 25> turns_{};
    std::vector<Block> blocks_;
    std::vector<std::uint16_t> first_; ///< block of a set
};

/// The tables of three patterns of five tiles, for a goal with the blank in one cell: the least number of
/// moves that the tiles of a pattern need. The index of an entry has four bits for the cell of each tile.
class FiveTileTables {
public:
    static constexpr unsigned patterns = 3;
    static constexpr unsigned index_bits = 20;
    static constexpr std::size_t bytes = std::size_t{patterns} << index_bits;
    /// What is held at most while they are built.
    static constexpr std::size_t bytes_to_build = bytes + 2'000'000;

    /// \param drawing the goal: a letter from `a` to `c` for the pattern of each tile, a dot for the blank
    /// \throws std::bad_alloc
    NPUZZLE_COLD explicit FiveTileTables(std::string_view drawing)
        : blank_cell_(static_cast<int>(drawing.find('.'))), entries_(bytes, 255) {
        std::array<std::uint32_t, patterns> goals{};
        for (std::size_t cell = 0; cell < 16; ++cell) {
            if (drawing[cell] == '.') continue;
            const auto pattern = static_cast<unsigned>(drawing[cell] - 'a');
            std::uint32_t& goal = goals[pattern];
            shifts_[cell] = static_cast<std::uint8_t>(index_bits * pattern + 4 * count_cells(goal));
            goal |= cell_bit(static_cast<int>(cell));
        }
        FiveTileSearch search;
        for (unsigned pattern = 0; pattern < patterns; ++pattern) {
            search.fill(goals[pattern], blank_cell_, entries_.data() + (std::size_t{pattern} << index_bits));
        }
    }

    /// The goal cell of the blank.
    int blank_cell() const { return blank_cell_; }

    /// The lowest bit of a tile in the three indexes, one above the other, by its goal cell.
    std::uint8_t shift(int cell) const { return shifts_[as_index(cell)]; }

    /// The entries of a pattern.
    const std::uint8_t* entries(unsigned pattern) const {
        return entries_.data() + (std::size_t{pattern} << index_bits);
    }

private:
    int blank_cell_;
    std::array<std::uint8_t, 16> shifts_{};
    std::vector<std::uint8_t> entries_;
};

/// The tables for goals with the blank in a cell, or in its image under a symmetry of the square: there are
/// tables for a corner, beside a corner, and the middle. Built at the first use, and never freed: other static
/// objects may still look values up while the program ends.
/// \throws std::bad_alloc
inline const FiveTileTables& five_tile_tables(int blank_cell) {
    const bool is_outer_row = blank_cell < 4 || blank_cell >= 12;
    const bool is_outer_column = (blank_cell + 1) % 4 < 2;
    // As `Partition::named` has them.
    if (is_outer_row && is_outer_column) {
        static const FiveTileTables& corner = *new FiveTileTables("aaaabbacbbccbcc.");
        return corner;
    }
    if (is_outer_row || is_outer_column) {
        static const FiveTileTables& beside = *new FiveTileTables("aaaabbacbbccbc.c");
        return beside;
    }
    static const FiveTileTables& middle = *new FiveTileTables("aaaabbacbb.cbccc");
    return middle;
}

/// The greater of the sums of the tables' values of a board and of its mirror image, where the goal has one.
class BoundFiveTileTables {
    using B = PackedBoard<4>;

public:
    using Value = int;

    static constexpr bool is_zero_at_goals = true;

    /// By side (the board or its mirror image): the three indexes, one above the other, and the sum of the
    /// values.
    struct Evaluation {
        std::array<std::uint64_t, 2> cells;
        std::array<std::int32_t, 2> sums;
    };

    /// \param tables those of `five_tile_tables` for the goal's blank
    NPUZZLE_COLD BoundFiveTileTables(const B& goal, const FiveTileTables& tables)
        : tables_(&tables), sides_(tables.blank_cell() % 5 == 0 ? 2 : 1) {
        int symmetry = 0;
        while (image_of_cell(4, symmetry, goal.blank_cell()) != tables.blank_cell()) ++symmetry;
        for (std::size_t side = 0; side < 2; ++side) {
            for (int cell = 0; cell < 16; ++cell) {
                // The second symmetry exchanges rows and columns.
                const int image = image_of_cell(4, static_cast<int>(side), image_of_cell(4, symmetry, cell));
                const std::uint8_t shift = tables.shift(image);
                const unsigned pattern = shift / FiveTileTables::index_bits;
                image_[side][as_index(cell)] = static_cast<std::uint8_t>(image);
                tiles_[side][as_index(goal.tile(cell))] = {
                    tables.entries(pattern), shift,
                    static_cast<std::uint8_t>(pattern * FiveTileTables::index_bits)};
            }
        }
    }

    Evaluation evaluate(const B& board) const {
        Evaluation evaluation{};
        for (std::size_t side = 0; side < sides_; ++side) {
            std::uint64_t& cells = evaluation.cells[side];
            for (int cell = 0; cell < 16; ++cell) {
                if (const std::size_t tile = as_index(board.tile(cell)); tile != 0) {
                    cells |= std::uint64_t{image_[side][as_index(cell)]} << tiles_[side][tile].shift;
                }
            }
            for (unsigned pattern = 0; pattern < FiveTileTables::patterns; ++pattern) {
                evaluation.sums[side] +=
                    tables_->entries(pattern)[index(cells, pattern * FiveTileTables::index_bits)];
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
        const std::size_t from = as_index(before.blank_cell());
        const std::size_t to = as_index(after.blank_cell());
        const std::size_t tile = as_index(after.tile(static_cast<int>(from)));
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
        std::uint8_t shift = 0; ///< of its cell in the indexes
        std::uint8_t first = 0; ///< where the index of its pattern begins
    };

    static std::size_t index(std::uint64_t cells, unsigned shift) {
        return cells >> shift & ((1U << FiveTileTables::index_bits) - 1);
    }

    NPUZZLE_ALWAYS_INLINE void move_tile(Evaluation& result, const Evaluation& evaluation, std::size_t side,
                                         std::size_t tile, std::size_t from, std::size_t to) const {
        const auto& [table, shift, first] = tiles_[side][tile];
        const auto flipped = static_cast<std::uint64_t>(image_[side][from] ^ image_[side][to]);
        result.cells[side] = evaluation.cells[side] ^ flipped << shift;
        result.sums[side] = evaluation.sums[side] + table[index(result.cells[side], first)] -
                            table[index(evaluation.cells[side], first)];
    }

    const FiveTileTables* tables_;
    std::size_t sides_;
    std::array<std::array<Tile, 16>, 2> tiles_{};
    std::array<std::array<std::uint8_t, 16>, 2> image_{};
};

} // namespace npuzzle::detail
