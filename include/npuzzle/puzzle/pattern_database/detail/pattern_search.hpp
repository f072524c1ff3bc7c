#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/regions.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

/// \file
/// The search that fills the table of a pattern.

namespace npuzzle::detail {

/// Memory of a table, on huge pages if it is large.
struct TableMemory {
    explicit TableMemory(std::size_t bytes) { words.grow_zeroed((bytes + 7) / 8); }

    [[nodiscard]] std::uint8_t* data() const { return reinterpret_cast<std::uint8_t*>(words.data()); }

    MemoryBudget budget;
    Storage<std::uint64_t> words{budget};
};

/// Backward breadth-first search from the goal over pairs of a placement and a region of the blank. Moves of
/// the pattern's tiles cost 1; moves of other tiles cost nothing, so they only join cells to regions.
///
/// The states are grouped into blocks: one block for each set of occupied cells and region, with one bit for
/// each order of the tiles. A move of a tile leads from a block to exactly one other block. If the tile moves
/// along its row, all bits move at once. Otherwise a table says where each bit moves.
///
/// A move changes the color of one cell of the set, so the depths of two neighbors differ by exactly one.
/// Hence a block holds only its states of one depth: a new depth consists of the neighbors of the last depth,
/// except the states of the depth before it, which the block itself still holds. A block reads from its
/// neighbors and writes only to itself, so threads need no locks and no fixed order.
///
/// The values are bytes, by the index of a placement: the least of its regions. Or they are bit 1 of the
/// value of each state, in blocks, for a zero-aware table.
class PatternSearch {
public:
    static constexpr std::uint8_t unreached = 255;

    /// What a thread has for itself.
    struct Worker {
        std::vector<std::uint64_t> gathered = {};
        std::atomic<std::uint64_t> found{0}; ///< values
        bool is_alive = false;               ///< whether it has found states
    };

    /// \param cells of the tiles at the goal
    /// \throws std::bad_alloc
    NPUZZLE_NOINLINE PatternSearch(int n, std::uint32_t cells, int blank, bool keeps_bits)
        : pieces_(static_cast<int>(count_cells(cells))),
          ranking_(shared_tables<PlacementRanking>(n, pieces_)), tables_(&region_tables(n, pieces_)),
          orders_(ranking_.orders()), words_(tables_->words()), keeps_bits_(keeps_bits),
          live_(tables_->blocks()), missing_(tables_->blocks(), orders_),
          states_(static_cast<std::size_t>(tables_->bytes())),
          values_(std::make_shared<TableMemory>(
              static_cast<std::size_t>(keeps_bits ? tables_->bytes() : ranking_.placements()))) {
        list_turns(n);
        list_steps(n, cells);
        const std::uint32_t rank = ranking_.set_rank(cells);
        const std::size_t block = tables_->block(rank, cell_bit(blank));
        live_[block] = 1;
        --missing_[block];
        states_.words[block * words_] = 1; // the goal's order has rank 0
        if (!keeps_bits) {
            std::memset(values_->data(), unreached, static_cast<std::size_t>(ranking_.placements()));
            values_->data()[rank * orders_] = 0;
        }
    }

    /// The bytes that a search for k tiles on n x n cells holds beside the values.
    [[nodiscard]] static std::uint64_t bytes_beside_values(int n, int k) {
        const RegionTables& tables = region_tables(n, k);
        return tables.bytes() + tables.blocks() * (sizeof(Region) + 5) + binomial(n * n, k) * sizeof(Set) +
               step_count(n, k) * sizeof(Step) + std::uint64_t{64} * factorial(k);
    }

    [[nodiscard]] const PlacementRanking& ranking() const { return ranking_; }
    [[nodiscard]] const std::shared_ptr<TableMemory>& values() const { return values_; }

    /// Finds the states of depth `depth`, from 1 on, with tiles in the sets of ranks `first` to `last` - 1.
    NPUZZLE_NOINLINE void expand(std::uint32_t first, std::uint32_t last, unsigned depth, Worker& worker) {
        worker.gathered.resize(words_);
        std::size_t region = first == 0 ? 0 : sets_[first - 1].regions;
        for (std::uint32_t rank = first; rank < last; ++rank) {
            const std::size_t end = sets_[rank].regions;
            for (; sets_[rank].parity == depth % 2 && region < end; ++region) {
                make_block(region, rank, depth, worker);
            }
            region = end;
        }
    }

private:
    using Bits = std::uint64_t;

    /// A set of cells: where its regions end, and the parity of the depths that it is in.
    struct Set {
        std::uint32_t regions;
        std::uint32_t parity;
    };

    /// A region of a set: its block, and where the steps that lead to it end.
    struct Region {
        std::uint32_t block;
        std::uint32_t steps;
    };

    /// A move leads here from a block, and changes the order of its tiles.
    struct Step {
        std::uint32_t block;
        std::uint32_t turn;
    };

    /// The ordered pairs of a tile and a free cell beside it, in all sets.
    static std::uint64_t step_count(int n, int k) {
        return std::uint64_t{4} * static_cast<unsigned>(n * (n - 1)) * binomial(n * n - 2, k - 1);
    }

    /// Lists the rank of each order after a move of a tile past others, by its rank before it.
    void list_turns(int n) {
        for (unsigned turn = 2; turn < turns_.size(); ++turn) {
            const unsigned skipped = turn >> 4;
            const unsigned passed = turn >> 1 & 7;
            if (passed == 0 || passed >= static_cast<unsigned>(n) ||
                skipped + passed >= static_cast<unsigned>(pieces_)) {
                continue;
            }
            for (std::uint32_t rank = 0; rank < orders_; ++rank) {
                const Placement order = PlacementStep::moved_past(
                    ranking_.order(rank), placement_order_shift + 3 * skipped, passed, (turn & 1) != 0);
                turns_[turn].push_back(static_cast<std::uint16_t>(ranking_.order_rank(order)));
            }
        }
    }

    void list_steps(int n, std::uint32_t goal) {
        sets_.reserve(ranking_.sets());
        regions_.reserve(tables_->blocks());
        steps_.reserve(static_cast<std::size_t>(step_count(n, pieces_)));
        std::uint32_t cells = cell_bit(pieces_) - 1;
        for (std::uint32_t rank = 0; rank < ranking_.sets(); ++rank, cells = next_set(cells)) {
            const auto add_region = [&](std::size_t block, std::uint32_t blanks) {
                for (; blanks != 0; blanks &= blanks - 1) {
                    // Before the move the tile was in `from`, and the blank was where the tile is now.
                    const int from = std::countr_zero(blanks);
                    for (std::uint32_t tiles = grown(n, cell_bit(from)) & cells; tiles != 0;
                         tiles &= tiles - 1) {
                        add_step(cells, from, std::countr_zero(tiles));
                    }
                }
                regions_.push_back(
                    {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(steps_.size())});
            };
            tables_->for_each_region(rank, all_cells(n) & ~cells, add_region);
            sets_.push_back({static_cast<std::uint32_t>(regions_.size()),
                             count_cells((cells ^ goal) & black_cells(n)) % 2});
        }
    }

    void add_step(std::uint32_t cells, int from, int to) {
        const PlacementStep step(from, to);
        const std::size_t block = tables_->block(ranking_.set_rank(cells ^ step.flipped), cell_bit(to));
        const unsigned passed = count_cells(cells & step.between);
        const unsigned skipped = count_cells(cells & (cell_bit(step.low) - 1));
        const unsigned turn = passed == 0 ? 0 : skipped << 4 | passed << 1 | (step.is_up ? 1U : 0U);
        steps_.push_back({static_cast<std::uint32_t>(block), turn});
    }

    void make_block(std::size_t region, std::uint32_t rank, unsigned depth, Worker& worker) {
        const std::size_t number = regions_[region].block;
        const bool is_reached = missing_[number] != 0 && gather(region, worker.gathered.data());
        if (!is_reached && live_[number] == 0) return;
        Bits* const block = states_.words.data() + number * words_;
        Bits* const bits = values_->words.data() + number * words_;
        std::uint8_t* const entries = values_->data() + std::size_t{rank} * orders_;
        std::uint32_t states = 0;
        std::uint64_t found = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            Bits fresh = is_reached ? worker.gathered[word] & ~block[word] : 0;
            block[word] = fresh;
            states += count_cells(static_cast<std::uint32_t>(fresh)) +
                      count_cells(static_cast<std::uint32_t>(fresh >> 32));
            if (keeps_bits_) {
                bits[word] |= (depth & 2U) != 0 ? fresh : 0;
                continue;
            }
            for (; fresh != 0; fresh &= fresh - 1) {
                std::uint8_t& entry = entries[word * 64 + static_cast<std::size_t>(std::countr_zero(fresh))];
                if (entry == unreached) {
                    entry = static_cast<std::uint8_t>(depth);
                    ++found;
                }
            }
        }
        missing_[number] -= states;
        live_[number] = states != 0 ? 1 : 0;
        worker.is_alive = worker.is_alive || states != 0;
        worker.found.store(worker.found.load(std::memory_order_relaxed) + (keeps_bits_ ? states : found),
                           std::memory_order_relaxed);
    }

    /// Collects the states from which one move of a tile leads to a region. Returns false if there are none.
    bool gather(std::size_t region, Bits* const gathered) const {
        const std::size_t words = words_;
        bool is_reached = false;
        for (std::size_t i = region == 0 ? 0 : regions_[region - 1].steps; i < regions_[region].steps; ++i) {
            const Step step = steps_[i];
            if (live_[step.block] == 0) continue;
            if (!is_reached) {
                is_reached = true;
                std::fill_n(gathered, words, Bits{0});
            }
            const Bits* const source = states_.words.data() + step.block * words;
            const std::uint16_t* const turned = turns_[step.turn].data();
            for (std::size_t word = 0; word < words; ++word) {
                if (step.turn == 0) {
                    gathered[word] |= source[word];
                    continue;
                }
                for (Bits rest = source[word]; rest != 0; rest &= rest - 1) {
                    const std::size_t order =
                        turned[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
                    gathered[order / 64] |= Bits{1} << order % 64;
                }
            }
        }
        return is_reached;
    }

    int pieces_;
    const PlacementRanking& ranking_;
    const RegionTables* tables_;
    std::uint32_t orders_;
    std::size_t words_; ///< of a block
    bool keeps_bits_;
    std::array<std::vector<std::uint16_t>, 128>
        turns_; ///< by the pieces skipped and passed, and the direction
    std::vector<Set> sets_;
    std::vector<Region> regions_;
    std::vector<Step> steps_;
    std::vector<std::uint8_t> live_;     ///< of a block: it has states
    std::vector<std::uint32_t> missing_; ///< of a block: its states that are not found yet
    TableMemory states_;                 ///< of one depth, by blocks
    std::shared_ptr<TableMemory> values_;
};

} // namespace npuzzle::detail
