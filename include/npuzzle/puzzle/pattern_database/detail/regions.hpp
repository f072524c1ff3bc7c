#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

/// \file
/// Regions of the blank: the cells that it can reach without moving a tile of a pattern.

namespace npuzzle::detail {

/// The number of regions of the cells that are not in `set`.
[[nodiscard]] constexpr unsigned count_regions(int n, std::uint32_t set) noexcept {
    const std::uint32_t free = all_cells(n) & ~set;
    unsigned regions = 0;
    for (std::uint32_t rest = free; rest != 0; ++regions) {
        static_cast<void>(take_region(n, free, rest));
    }
    return regions;
}

/// The number of the region that contains `cell`. The regions of a set's free cells are in the order of their
/// first cells.
[[nodiscard]] constexpr unsigned region_of(int n, std::uint32_t set, int cell) noexcept {
    const std::uint32_t free = all_cells(n) & ~set;
    unsigned region = 0;
    for (std::uint32_t rest = free; (take_region(n, free, rest) >> cell & 1U) == 0;) {
        ++region;
    }
    return region;
}

/// The number of the largest region, the first of several.
[[nodiscard]] constexpr unsigned main_region(int n, std::uint32_t set) noexcept {
    const std::uint32_t free = all_cells(n) & ~set;
    unsigned region = 0;
    unsigned largest = 0;
    unsigned most = 0;
    for (std::uint32_t rest = free; rest != 0; ++region) {
        if (const unsigned cells = count_cells(take_region(n, free, rest)); cells > most) {
            most = cells;
            largest = region;
        }
    }
    return largest;
}

/// Numbers the pairs of a set of k cells and a region of the blank: first the largest regions of all sets, by
/// the ranks of these, then the other regions. So for most pairs the rank is all that is needed. A pair has a
/// block of one bit for each order of the tiles, in whole words of 64 bits.
class RegionTables {
public:
    NPUZZLE_NOINLINE RegionTables(int n, int k)
        : ranks_(n, k, 1), orders_(factorial(k)),
          block_bits_(static_cast<std::size_t>((orders_ + 63) / 64 * 64)),
          sets_(static_cast<std::uint32_t>(binomial(n * n, k))), divided_(sets_ / 32 + std::size_t{1}) {
        std::uint32_t set = cell_bit(k) - 1;
        for (std::uint32_t rank = 0; rank < sets_; ++rank, set = next_set(set)) {
            Divided& divided = divided_[rank / 32];
            divided.before = rank % 32 == 0 ? static_cast<std::uint32_t>(first_.size()) : divided.before;
            const std::uint32_t free = all_cells(n) & ~set;
            std::uint32_t rest = free;
            if (take_region(n, free, rest) == free) {
                continue;
            }
            divided.sets |= std::uint32_t{1} << rank % 32;
            Others others{static_cast<std::uint32_t>(others_.size()), {}};
            const unsigned main = main_region(n, set);
            rest = free;
            for (unsigned region = 0; rest != 0; ++region) {
                if (const std::uint32_t cells = take_region(n, free, rest); region != main) {
                    if (const std::size_t place = others_.size() - others.first; place < 2) {
                        others.cells[place] = cells;
                    }
                    others_.push_back(cells);
                }
            }
            first_.push_back(others);
        }
        first_.push_back({static_cast<std::uint32_t>(others_.size()), {}});
    }

    /// The number of the bit of a placement with the blank in one of the cells `blank`, which are of one
    /// region. O(1), but for sets with several regions linear in their number.
    template <int N>
    [[nodiscard]] NPUZZLE_ALWAYS_INLINE std::size_t index(Placement placement,
                                                          std::uint32_t blank) const noexcept {
        const std::uint32_t rank = ranks_.set_index<N>(static_cast<std::uint32_t>(placement));
        const Divided& divided = divided_[rank / 32];
        std::size_t slot = rank;
        if (const std::uint32_t bit = std::uint32_t{1} << rank % 32; (divided.sets & bit) != 0) {
            const std::uint32_t number = divided.before + count_cells(divided.sets & (bit - 1));
            const Others& others = first_[number];
            slot = (others.cells[0] & blank) != 0 ? std::size_t{sets_} + others.first : slot;
            slot = (others.cells[1] & blank) != 0 ? std::size_t{sets_} + others.first + 1 : slot;
            for (std::uint32_t other = others.first + 2; other < first_[number + 1].first; ++other) {
                slot = (others_[other] & blank) != 0 ? std::size_t{sets_} + other : slot;
            }
        }
        return slot * block_bits_ + ranks_.order_rank(placement);
    }

    /// The same for a size that is known at run time.
    [[nodiscard]] std::size_t index(int n, Placement placement, std::uint32_t blank) const noexcept {
        return n == 5   ? index<5>(placement, blank)
               : n == 4 ? index<4>(placement, blank)
                        : index<3>(placement, blank);
    }

    /// The number of pairs of a placement and a region.
    [[nodiscard]] std::uint64_t values() const noexcept { return blocks() * orders_; }
    /// The bytes of a bit for each of them.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return blocks() * (block_bits_ / 8); }

private:
    /// Of 32 sets: those with several regions, and how many there are before them.
    struct Divided {
        std::uint32_t sets = 0;
        std::uint32_t before = 0;
    };

    /// Of a set with several regions: those that are not its largest. Most sets have one or two of them.
    struct Others {
        std::uint32_t first; ///< in `others_`
        std::array<std::uint32_t, 2> cells;
    };

    [[nodiscard]] std::uint64_t blocks() const noexcept { return sets_ + others_.size(); }

    RankTables ranks_; ///< the index of a set is its rank
    std::uint64_t orders_;
    std::size_t block_bits_;
    std::uint32_t sets_;
    std::vector<Divided> divided_;
    std::vector<Others> first_;         ///< of the sets with several regions, and where the last one ends
    std::vector<std::uint32_t> others_; ///< the regions that are not the largest of their set
};

/// The tables for k tiles on n x n cells, up to 14 MB. Made at the first use, and kept until the program ends.
[[nodiscard]] NPUZZLE_COLD inline const RegionTables& region_tables(int n, int k) {
    static std::array<std::once_flag, 32> made;
    static std::array<RegionTables*, 32> tables{};
    const auto place = static_cast<std::size_t>((n - 2) * 8 + k - 1);
    // Never freed: other static objects may still look values up while the program ends.
    std::call_once(made[place], [&] { tables[place] = new RegionTables(n, k); });
    return *tables[place];
}

} // namespace npuzzle::detail
