#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cell_sets.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// Numbers for the regions of the blank. A region is the cells that the blank can reach without moving a
/// piece.

namespace npuzzle::detail {

/// Numbers the pairs of a set of k cells and a region of the blank. A pair has a block of one bit for each
/// order of the tiles, in whole words of 64 bits.
///
/// First come the largest regions of all sets (the first of equals), by the ranks of the sets: most pairs
/// need nothing but the rank. Then come the other regions, by these ranks and by their first cells.
class RegionTables {
public:
    NPUZZLE_NOINLINE RegionTables(int n, int k)
        : ranks_(&shared_tables<PlacementRanking>(n, k)), orders_(ranks_->orders()), sets_(ranks_->sets()),
          divided_(sets_ / 32 + std::size_t{1}) {
        std::uint32_t set = cell_bit(k) - 1;
        for (std::uint32_t rank = 0; rank < sets_; ++rank, set = next_set(set)) {
            Divided& divided = divided_[rank / 32];
            divided.before = rank % 32 == 0 ? static_cast<std::uint32_t>(first_.size()) : divided.before;
            const std::uint32_t free = all_cells(n) & ~set;
            std::vector<std::uint32_t> regions;
            for (std::uint32_t rest = free; rest != 0; rest &= ~regions.back()) {
                regions.push_back(component_of(n, free, rest & (~rest + 1)));
            }
            if (regions.size() > 1) {
                divided.sets |= std::uint32_t{1} << rank % 32;
                regions.erase(std::max_element(regions.begin(), regions.end(), [](auto one, auto other) {
                    return count_cells(one) < count_cells(other);
                }));
                first_.push_back(static_cast<std::uint32_t>(others_.size()));
                others_.insert(others_.end(), regions.begin(), regions.end());
            }
        }
        first_.push_back(static_cast<std::uint32_t>(others_.size()));
    }

    /// The block of a set, by its rank, with the blank in one of the cells `blank`, which are of one region.
    /// O(1), but for sets with several regions linear in their number.
    NPUZZLE_ALWAYS_INLINE std::size_t block(std::uint32_t rank, std::uint32_t blank) const noexcept {
        const Divided& divided = divided_[rank / 32];
        std::size_t block = rank;
        if (const std::uint32_t bit = std::uint32_t{1} << rank % 32; (divided.sets & bit) != 0) {
            const std::uint32_t number = divided.before + count_cells(divided.sets & (bit - 1));
            for (std::uint32_t other = first_[number]; other < first_[number + 1]; ++other) {
                block = (others_[other] & blank) != 0 ? std::size_t{sets_} + other : block;
            }
        }
        return block;
    }

    /// Calls `visit(block, cells)` for each region of a set, whose free cells are given.
    template <class F>
    void for_each_region(std::uint32_t rank, std::uint32_t free, F&& visit) const {
        const Divided& divided = divided_[rank / 32];
        if (const std::uint32_t bit = std::uint32_t{1} << rank % 32; (divided.sets & bit) != 0) {
            const std::uint32_t number = divided.before + count_cells(divided.sets & (bit - 1));
            for (std::uint32_t other = first_[number]; other < first_[number + 1]; ++other) {
                visit(std::size_t{sets_} + other, others_[other]);
                free &= ~others_[other];
            }
        }
        visit(std::size_t{rank}, free);
    }

    /// The number of the bit of a placement with the blank in one of the cells `blank`, which are of one
    /// region.
    template <int N>
    NPUZZLE_ALWAYS_INLINE std::size_t index(Placement placement, std::uint32_t blank) const noexcept {
        return block(ranks_->set_rank<N>(static_cast<std::uint32_t>(placement)), blank) * words() * 64 +
               ranks_->order_rank(placement);
    }

    std::size_t blocks() const noexcept { return sets_ + others_.size(); }
    /// The words of a block.
    std::size_t words() const noexcept { return (orders_ + 63) / 64; }
    /// The number of pairs of a placement and a region.
    std::uint64_t values() const noexcept { return std::uint64_t{blocks()} * orders_; }
    /// The bytes of a bit for each of them.
    std::uint64_t bytes() const noexcept { return std::uint64_t{blocks()} * words() * 8; }

private:
    /// Of 32 sets: those with several regions, and how many there are before them.
    struct Divided {
        std::uint32_t sets = 0;
        std::uint32_t before = 0;
    };

    const PlacementRanking* ranks_;
    std::size_t orders_;
    std::uint32_t sets_;
    std::vector<Divided> divided_;
    std::vector<std::uint32_t> first_;  ///< of each set with several regions; and where the last one ends
    std::vector<std::uint32_t> others_; ///< the regions that are not the largest of their set
};

} // namespace npuzzle::detail
