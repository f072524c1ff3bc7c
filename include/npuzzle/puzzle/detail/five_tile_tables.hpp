#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

/// \file
/// The pattern databases 5-5-5 for a `Solver` of boards of size 4 that has no tables: they are built within
/// tens of milliseconds, and compiled in a fraction of the time of "npuzzle/puzzle/pattern_database/".

namespace npuzzle::detail {

/// Builds tables of five tiles on 4 x 4 cells, one after another. Plain arrays and loops: every program with
/// a `Solver` compiles this.
///
/// A block is a set of the tiles' cells with a region of the blank. It has a bit for each order of the tiles
/// along these cells, so most moves are made for all orders at once.
class FiveTileBuild {
public:
    static constexpr std::size_t tiles = 5;
    static constexpr std::size_t entries = std::size_t{1} << 4 * tiles;

    NPUZZLE_NOINLINE FiveTileBuild() {
        list_blocks();
        list_orders();
        list_steps();
    }

    /// Writes the least number of moves of the tiles that each placement needs: a breadth-first search from
    /// the goal, in which the blank's own moves cost nothing.
    /// \param goal the cells of the tiles
    /// \param table `entries` of them: by four bits for the cell of each tile
    NPUZZLE_NOINLINE void build(std::uint32_t goal, int blank_cell, std::uint8_t* table) {
        states_ = {};
        states_[block_of(goal, blank_cell)].next[0] = 1;
        bool is_alive = true;
        for (std::uint8_t depth = 0; is_alive; ++depth) {
            is_alive = false;
            for (std::size_t number = 0; number < blocks; ++number) {
                States& states = states_[number];
                States& first = states_[first_block_[sets_[number]]];
                for (std::size_t word = 0; word < 2; ++word) {
                    const std::uint64_t last = states.next[word] & ~states.known[word];
                    states.next[word] = 0;
                    states.known[word] |= last;
                    states.last[word] = last;
                    is_alive = is_alive || last != 0;
                    for (std::uint64_t rest = last & ~first.valued[word]; rest != 0; rest &= rest - 1) {
                        table[index(sets_[number], orders_[64 * word + lowest(rest)])] = depth;
                    }
                    first.valued[word] |= last;
                }
            }
            for (std::size_t number = 0; number < blocks; ++number) {
                if ((states_[number].last[0] | states_[number].last[1]) != 0) {
                    for (std::size_t i = number == 0 ? 0 : steps_end_[number - 1]; i < steps_end_[number];
                         ++i) {
                        take(steps_[i], states_[number].last);
                    }
                }
            }
        }
    }

private:
    static constexpr std::size_t blocks = 7284;
    static constexpr std::size_t steps = 48048;
    static constexpr std::size_t orders = 120;
    using Bits = std::array<std::uint64_t, 2>;

    /// Of a block: the known ones, the last depth's and the next depth's; of a set's first block,
    /// those whose value is known.
    struct States {
        Bits known, last, next, valued;
    };

    /// A move of a tile leads to this block, and its place among the others changes from one to another.
    struct Step {
        std::uint16_t block;
        std::uint8_t from;
        std::uint8_t to;
    };

    static std::size_t lowest(std::uint64_t bits) { return static_cast<std::size_t>(std::countr_zero(bits)); }

    static std::uint8_t place(std::uint32_t set, std::uint32_t cell) {
        return static_cast<std::uint8_t>(count_cells(set & (cell - 1)));
    }

    std::size_t block_of(std::uint32_t set, int blank_cell) const {
        std::size_t number = first_block_[set];
        while ((regions_[number] >> blank_cell & 1) == 0) {
            ++number;
        }
        return number;
    }

    static std::uint32_t index(std::uint32_t set, std::uint32_t order) {
        std::uint32_t result = 0;
        for (; set != 0; set &= set - 1, order >>= 4) {
            result |= static_cast<std::uint32_t>(std::countr_zero(set)) << 4 * (order & 15);
        }
        return result;
    }

    void take(const Step& step, const Bits& last) {
        Bits& next = states_[step.block].next;
        const auto& turned = turned_[step.from][step.to];
        for (std::size_t word = 0; word < 2; ++word) {
            if (step.from == step.to) {
                next[word] |= last[word];
                continue;
            }
            for (std::uint64_t rest = last[word]; rest != 0; rest &= rest - 1) {
                const std::uint8_t order = turned[64 * word + lowest(rest)];
                next[order / 64U] |= std::uint64_t{1} << order % 64U;
            }
        }
    }

    void list_blocks() {
        std::uint16_t number = 0;
        for (std::uint32_t set = 31; set <= all_cells(4); set = next_set(set)) {
            first_block_[set] = number;
            const std::uint32_t free = all_cells(4) & ~set;
            for (std::uint32_t rest = free; rest != 0; ++number) {
                sets_[number] = static_cast<std::uint16_t>(set);
                regions_[number] = static_cast<std::uint16_t>(take_region(4, free, rest));
            }
        }
    }

    /// An order has four bits for the tile in each place. The first is the goal's.
    void list_orders() {
        std::size_t count = 0;
        for (std::uint32_t order = 0x43210; count < orders; --order) {
            unsigned seen = 0;
            for (std::uint32_t rest = order; rest != 0; rest >>= 4) {
                seen |= 1U << (rest & 15);
            }
            if ((seen | 1) == 31 && count_cells(order) == 5) {
                orders_[count++] = order;
            }
        }
        for (unsigned from = 0; from < tiles; ++from) {
            for (unsigned to = 0; to < tiles; ++to) {
                for (std::size_t number = 0; number < orders; ++number) {
                    const std::uint32_t order = orders_[number];
                    const std::uint32_t below = (1U << 4 * from) - 1;
                    const std::uint32_t others = (order & below) | (order >> 4 & ~below);
                    const std::uint32_t before = (1U << 4 * to) - 1;
                    const std::uint32_t turned =
                        (others & before) | (order >> 4 * from & 15) << 4 * to | (others & ~before) << 4;
                    std::uint8_t found = 0;
                    while (orders_[found] != turned) {
                        ++found;
                    }
                    turned_[from][to][number] = found;
                }
            }
        }
    }

    void list_steps() {
        std::uint16_t end = 0;
        for (std::size_t number = 0; number < blocks; ++number) {
            const std::uint32_t set = sets_[number];
            for (std::uint32_t blanks = regions_[number]; blanks != 0; blanks &= blanks - 1) {
                const std::uint32_t to = blanks & (~blanks + 1);
                for (std::uint32_t moving = grown(4, to) & set; moving != 0; moving &= moving - 1) {
                    const std::uint32_t from = moving & (~moving + 1);
                    const std::uint32_t next = set ^ from ^ to;
                    steps_[end++] = {static_cast<std::uint16_t>(block_of(next, std::countr_zero(from))),
                                     place(set, from), place(next, to)};
                }
            }
            steps_end_[number] = end;
        }
    }

    std::array<std::uint16_t, std::size_t{1} << 16> first_block_; ///< by set
    std::array<std::uint16_t, blocks> sets_;
    std::array<std::uint16_t, blocks> regions_;
    std::array<std::uint16_t, blocks> steps_end_;
    std::array<Step, steps> steps_;
    std::array<std::uint32_t, orders> orders_;
    std::array<std::array<std::array<std::uint8_t, orders>, tiles>, tiles> turned_;
    std::array<States, blocks> states_;
};

/// The tables of three patterns of five tiles, for a goal with the blank in one cell: the least number of
/// moves that the tiles of a pattern need. An entry is found by four bits for the cell of each tile.
class FiveTileTables {
public:
    static constexpr std::size_t patterns = 3;
    static constexpr int index_bits = 20;
    static constexpr std::size_t bytes = patterns * FiveTileBuild::entries;
    /// What is held at most while they are built.
    static constexpr std::size_t bytes_to_build = bytes + sizeof(FiveTileBuild);

    /// \param drawing the goal: a letter from `a` to `c` for the pattern of each tile, a dot for the blank
    /// \throws std::bad_alloc
    NPUZZLE_COLD explicit FiveTileTables(std::string_view drawing)
        : drawing_(drawing), entries_(std::make_unique<std::uint8_t[]>(bytes)) {
        const auto building = std::make_unique<FiveTileBuild>();
        for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
            std::uint32_t goal = 0;
            for (int cell = 0; cell < 16; ++cell) {
                goal |= pattern_of(cell) == pattern ? cell_bit(cell) : 0;
            }
            building->build(goal, blank_cell(), entries_.get() + pattern * FiveTileBuild::entries);
        }
    }

    /// The pattern of the tile that belongs in a cell; the blank has none.
    [[nodiscard]] std::size_t pattern_of(int cell) const {
        return static_cast<std::size_t>(drawing_[static_cast<std::size_t>(cell)] - 'a');
    }

    [[nodiscard]] int blank_cell() const { return static_cast<int>(drawing_.find('.')); }

    [[nodiscard]] const std::uint8_t* entries(std::size_t pattern) const {
        return entries_.get() + pattern * FiveTileBuild::entries;
    }

private:
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
