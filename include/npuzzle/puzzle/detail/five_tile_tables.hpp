#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/regions.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// \file
/// The pattern databases 5-5-5 for a `Solver` of boards of size 4 that has no tables: they are built within
/// tens of milliseconds, and compiled in a fraction of the time of "npuzzle/puzzle/pattern_database/".

namespace npuzzle::detail {

/// The moves of five tiles on 4 x 4 cells. A block is a set of the tiles' cells with a region of the blank.
/// It has a bit for each order of the tiles along these cells.
class FiveTileMoves {
public:
    static constexpr std::size_t tiles = 5;
    static constexpr std::size_t orders = 120;
    using Bits = std::array<std::uint64_t, 2>;
    using Order = std::array<std::uint8_t, tiles>; ///< the tiles, cell by cell

    /// A move of a tile leads to this block. The order changes by this turn, if it is one of a tile past
    /// others.
    struct Step {
        std::uint16_t block;
        std::uint8_t turn;
    };

    struct Block {
        std::uint16_t set;
        std::uint16_t first_step;
        std::uint16_t end_of_steps;
    };

    NPUZZLE_COLD FiveTileMoves() {
        std::vector<std::uint16_t> ranks(std::size_t{1} << 16);
        for (std::uint32_t set = 31; set < ranks.size(); set = next_set(set)) {
            ranks[set] = static_cast<std::uint16_t>(sets.size());
            std::array<std::uint16_t, 16> by_cell{};
            const std::uint32_t free = all_cells(4) & ~set;
            for (std::uint32_t rest = free; rest != 0;) {
                for (std::uint32_t blanks = take_region(4, free, rest); blanks != 0; blanks &= blanks - 1) {
                    by_cell[static_cast<std::size_t>(std::countr_zero(blanks))] =
                        static_cast<std::uint16_t>(blocks.size());
                }
                blocks.push_back({ranks[set], 0, 0});
            }
            sets.push_back(set);
            block_of.push_back(by_cell);
        }
        make_turns();
        for (std::size_t number = 0; number < blocks.size(); ++number) {
            Block& block = blocks[number];
            block.first_step = static_cast<std::uint16_t>(steps.size());
            const std::uint32_t set = sets[block.set];
            for (std::uint32_t blanks = all_cells(4) & ~set; blanks != 0; blanks &= blanks - 1) {
                const int to = std::countr_zero(blanks);
                if (block_of[block.set][static_cast<std::size_t>(to)] != number) {
                    continue;
                }
                for (std::uint32_t moving = grown(4, cell_bit(to)) & set; moving != 0; moving &= moving - 1) {
                    const int from = std::countr_zero(moving);
                    const std::uint32_t next = set ^ cell_bit(to) ^ cell_bit(from);
                    steps.push_back(
                        {block_of[ranks[next]][static_cast<std::size_t>(from)],
                         static_cast<std::uint8_t>(tiles * before(set, from) + before(next, to))});
                }
            }
            block.end_of_steps = static_cast<std::uint16_t>(steps.size());
        }
    }

    /// Adds the states of a block, which a step leads from, to those of the block that it leads to.
    void take(const Step& step, const Bits& from, Bits& to) const {
        if (step.turn % (tiles + 1) == 0) { // the tile keeps its place among the others
            to = {to[0] | from[0], to[1] | from[1]};
            return;
        }
        const auto& turned = turned_[step.turn];
        for_each_order(from, [&](std::size_t order) {
            to[turned[order] / 64U] |= std::uint64_t{1} << turned[order] % 64U;
        });
    }

    template <class F>
    static void for_each_order(const Bits& bits, const F& visit) {
        for (std::size_t word = 0; word < bits.size(); ++word) {
            for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
                visit(64 * word + static_cast<std::size_t>(std::countr_zero(rest)));
            }
        }
    }

    std::vector<std::uint32_t> sets;
    std::vector<Block> blocks;
    std::vector<Step> steps;
    std::vector<std::array<std::uint16_t, 16>> block_of; ///< by set and the blank's cell
    std::array<Order, orders> all_orders;

private:
    static std::size_t before(std::uint32_t set, int cell) { return count_cells(set & (cell_bit(cell) - 1)); }

    void make_turns() {
        Order next{0, 1, 2, 3, 4};
        for (Order& each : all_orders) {
            each = next;
            std::next_permutation(next.begin(), next.end());
        }
        for (std::size_t from = 0; from < tiles; ++from) {
            for (std::size_t to = 0; to < tiles; ++to) {
                for (std::size_t rank = 0; rank < orders; ++rank) {
                    Order turned = all_orders[rank];
                    for (std::size_t place = from; place != to; place += from < to ? 1 : std::size_t(-1)) {
                        std::swap(turned[place], turned[from < to ? place + 1 : place - 1]);
                    }
                    turned_[tiles * from + to][rank] = static_cast<std::uint8_t>(
                        std::lower_bound(all_orders.begin(), all_orders.end(), turned) - all_orders.begin());
                }
            }
        }
    }

    /// By the place of a tile among the others before and after it has moved.
    std::array<std::array<std::uint8_t, orders>, tiles * tiles> turned_;
};

/// The tables of three patterns of five tiles, for a goal with the blank in one cell: the least number of
/// moves that the tiles of a pattern need. An entry is found by four bits for the cell of each tile.
class FiveTileTables {
public:
    static constexpr std::size_t patterns = 3;
    static constexpr int tiles = static_cast<int>(FiveTileMoves::tiles);
    static constexpr int index_bits = 4 * tiles;
    static constexpr std::size_t bytes = patterns << index_bits;
    /// What is held at most while they are built.
    static constexpr std::size_t bytes_to_build = bytes + (std::size_t{1} << 20);

    /// \param drawing the goal: a letter from `a` to `c` for the pattern of each tile, a dot for the blank
    /// \throws std::bad_alloc
    NPUZZLE_COLD explicit FiveTileTables(std::string_view drawing) : drawing_(drawing), entries_(bytes) {
        const FiveTileMoves moves;
        for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
            build(moves, pattern);
        }
    }

    FiveTileTables(const FiveTileTables&) = delete;
    FiveTileTables& operator=(const FiveTileTables&) = delete;

    /// The pattern of the tile that belongs in a cell.
    [[nodiscard]] std::size_t pattern_of(int cell) const {
        return static_cast<std::size_t>(drawing_[static_cast<std::size_t>(cell)] - 'a');
    }

    [[nodiscard]] int blank_cell() const { return static_cast<int>(drawing_.find('.')); }

    [[nodiscard]] const std::uint8_t* entries(std::size_t pattern) const {
        return entries_.data() + (pattern << index_bits);
    }

private:
    using Bits = FiveTileMoves::Bits;

    /// A breadth-first search from the goal, over states of a placement and a region of the blank, whose own
    /// moves cost nothing.
    NPUZZLE_COLD void build(const FiveTileMoves& moves, std::size_t pattern) {
        std::uint32_t goal = 0;
        for (int cell = 0; cell < 16; ++cell) {
            goal |= cell != blank_cell() && pattern_of(cell) == pattern ? cell_bit(cell) : 0;
        }
        struct States {
            Bits known, last, next;
        };
        std::vector<States> states(moves.blocks.size());
        std::vector<Bits> has_value(moves.sets.size());
        const auto rank = std::lower_bound(moves.sets.begin(), moves.sets.end(), goal) - moves.sets.begin();
        states[moves.block_of[static_cast<std::size_t>(rank)][static_cast<std::size_t>(blank_cell())]]
            .next[0] = 1;
        std::uint8_t* const table = entries_.data() + (pattern << index_bits);
        bool is_alive = true;
        for (std::uint8_t depth = 0; is_alive; ++depth) {
            is_alive = false;
            for (std::size_t number = 0; number < states.size(); ++number) {
                auto& [known, last, next] = states[number];
                last = {next[0] & ~known[0], next[1] & ~known[1]};
                next = {};
                if ((last[0] | last[1]) == 0) {
                    continue;
                }
                is_alive = true;
                known = {known[0] | last[0], known[1] | last[1]};
                const std::size_t set = moves.blocks[number].set;
                Bits& valued = has_value[set];
                write(moves, moves.sets[set], {last[0] & ~valued[0], last[1] & ~valued[1]}, depth, table);
                valued = {valued[0] | last[0], valued[1] | last[1]};
            }
            for (std::size_t number = 0; number < states.size(); ++number) {
                const Bits last = states[number].last;
                if ((last[0] | last[1]) != 0) {
                    const FiveTileMoves::Block& block = moves.blocks[number];
                    for (std::size_t i = block.first_step; i < block.end_of_steps; ++i) {
                        moves.take(moves.steps[i], last, states[moves.steps[i].block].next);
                    }
                }
            }
        }
    }

    static void write(const FiveTileMoves& moves, std::uint32_t set, const Bits& bits, std::uint8_t value,
                      std::uint8_t* table) {
        std::array<std::uint32_t, tiles> cells{};
        for (std::uint32_t& cell : cells) {
            cell = static_cast<std::uint32_t>(std::countr_zero(set));
            set &= set - 1;
        }
        FiveTileMoves::for_each_order(bits, [&](std::size_t rank) {
            const FiveTileMoves::Order& order = moves.all_orders[rank];
            table[cells[0] << 4 * order[0] | cells[1] << 4 * order[1] | cells[2] << 4 * order[2] |
                  cells[3] << 4 * order[3] | cells[4] << 4 * order[4]] = value;
        });
    }

    std::string_view drawing_;
    std::vector<std::uint8_t> entries_;
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
                int image = image_of_cell(4, symmetry, cell);
                image = side == 0 ? image : image_of_cell(4, 1, image);
                image_[side][static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(image);
                tile_of[static_cast<std::size_t>(image)] = goal.tile(cell);
            }
            std::array<int, FiveTileTables::patterns> shifts{0, FiveTileTables::index_bits,
                                                             2 * FiveTileTables::index_bits};
            for (int cell = 0; cell < 16; ++cell) {
                if (cell != tables.blank_cell()) {
                    const std::size_t pattern = tables.pattern_of(cell);
                    const auto tile = static_cast<std::size_t>(tile_of[static_cast<std::size_t>(cell)]);
                    tiles_[side][tile] = {
                        tables.entries(pattern), static_cast<std::uint8_t>(shifts[pattern]),
                        static_cast<std::uint8_t>(FiveTileTables::index_bits * static_cast<int>(pattern))};
                    shifts[pattern] += 4;
                }
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
