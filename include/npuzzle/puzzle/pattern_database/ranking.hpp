#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

/// \file
/// Sets of cells as bits of a word; numbers for the placements of a pattern: which piece is in which cell; and
/// numbers for the regions of the blank: the cells that it can reach without moving a piece.
///
/// A placement is the set of cells that hold a piece, and the order of the pieces along these cells, row by
/// row. Its index is the rank of the set times k!, plus the rank of the order. So all placements on one set
/// are adjacent. A piece that moves within its row changes only the set. A piece that moves up or down passes
/// the pieces between its two cells, which are fewer than n.

namespace npuzzle {

/// A placement of up to eight pieces in one word. From bit 0: one bit for each cell that holds a piece. From
/// bit 32: three bits for each piece, in the order in which they stand. Bits 56 to 63 are free.
using Placement = std::uint64_t;

namespace detail {

/// The number of one bits. The library is also compiled for processors without an instruction for it, on
/// which `std::popcount` is a call.
[[nodiscard]] constexpr unsigned count_cells(std::uint32_t cells) noexcept {
#ifdef __POPCNT__
    return static_cast<unsigned>(std::popcount(cells));
#else
    cells -= cells >> 1 & 0x55555555U;
    cells = (cells & 0x33333333U) + (cells >> 2 & 0x33333333U);
    return ((cells + (cells >> 4)) & 0x0f0f0f0fU) * 0x01010101U >> 24;
#endif
}

/// All cells of an n x n board, for n up to 5.
[[nodiscard]] constexpr std::uint32_t all_cells(int n) noexcept {
    return (std::uint32_t{1} << (n * n)) - 1;
}

[[nodiscard]] constexpr std::uint32_t cell_bit(int cell) noexcept {
    return std::uint32_t{1} << cell;
}

/// The black cells of a chessboard whose first cell is white.
[[nodiscard]] constexpr std::uint32_t black_cells(int n) noexcept {
    std::uint32_t cells = 0;
    for (int cell = 0; cell < n * n; ++cell) cells |= (cell / n + cell % n) % 2 == 1 ? cell_bit(cell) : 0;
    return cells;
}

/// The given cells and their neighbors.
[[nodiscard]] constexpr std::uint32_t grown(int n, std::uint32_t cells) noexcept {
    const std::uint32_t first = all_cells(n) / ((1U << n) - 1); // the first column
    return (cells | cells << n | cells >> n | (cells << 1 & ~first) | (cells & ~first) >> 1) & all_cells(n);
}

/// The cells of `free` that can be reached within `free` from the part of `cells` that is in it.
[[nodiscard]] constexpr std::uint32_t component_of(int n, std::uint32_t free, std::uint32_t cells) noexcept {
    std::uint32_t reached = cells & free;
    for (std::uint32_t before = 0; before != reached;) {
        before = reached;
        reached = grown(n, reached) & free;
    }
    return reached;
}

/// The next greater number with as many one bits: the set of the next rank (W. Gosper, HAKMEM 175, 1972).
[[nodiscard]] constexpr std::uint32_t next_set(std::uint32_t set) noexcept {
    const std::uint32_t lowest = set & (~set + 1);
    const std::uint32_t ripple = set + lowest;
    return ripple | (set ^ ripple) >> 2 >> std::countr_zero(lowest);
}

[[nodiscard]] constexpr std::uint32_t image_of_cells(int n, int symmetry, std::uint32_t cells) noexcept {
    std::uint32_t image = 0;
    for (int cell = 0; cell < n * n; ++cell)
        image |= (cells >> cell & 1U) << image_of_cell(n, symmetry, cell);
    return image;
}

/// A word in the order of bytes of little-endian machines; and back.
[[nodiscard]] constexpr std::uint64_t little_endian(std::uint64_t word) noexcept {
    std::uint64_t reversed = 0;
    for (int byte = 0; byte < 8; ++byte) reversed |= (word >> (8 * byte) & 255) << (56 - 8 * byte);
    return std::endian::native == std::endian::little ? word : reversed;
}

inline constexpr unsigned placement_order_shift = 32;

[[nodiscard]] constexpr std::uint32_t factorial(int k) noexcept {
    return k < 2 ? 1 : static_cast<std::uint32_t>(k) * factorial(k - 1);
}

/// The binomial coefficient n over k.
[[nodiscard]] constexpr std::uint32_t binomial(int n, int k) noexcept {
    std::uint64_t result = k <= n ? 1 : 0;
    for (int i = 1; i <= k && result != 0; ++i) {
        result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
    }
    return static_cast<std::uint32_t>(result);
}

/// The `Tables` for k pieces on n x n cells. Made at the first use, and never freed: other static objects may
/// still look values up while the program ends.
template <class Tables>
[[nodiscard]] NPUZZLE_COLD const Tables& shared_tables(int n, int k) {
    static std::array<std::once_flag, 32> made;
    static std::array<const Tables*, 32> tables{};
    const auto place = static_cast<std::size_t>((n - 2) * 8 + k - 1);
    std::call_once(made[place], [&] { tables[place] = new Tables(n, k); });
    return *tables[place];
}

/// The change of a placement when a piece moves from one cell to a neighboring cell.
struct PlacementStep {
    constexpr PlacementStep() = default;

    /// Requires two cells of an n x n board that are neighbors in a row or in a column.
    constexpr PlacementStep(int from, int to)
        : flipped(cell_bit(from) | cell_bit(to)), low(static_cast<std::uint8_t>(from < to ? from : to)),
          is_up(from < to) {
        const int high = from < to ? to : from;
        between = (cell_bit(high) - 1) & ~((cell_bit(low) << 1) - 1);
    }

    /// The placement after the move. Bits 56 to 63 are unchanged.
    [[nodiscard]] constexpr Placement operator()(Placement placement) const noexcept {
        const auto cells = static_cast<std::uint32_t>(placement);
        placement ^= flipped;
        if (between == 0) return placement;
        // The number of pieces passed, at most four, is looked up in the digits of a constant.
        const unsigned passed = 0x4332322132212110U >> (4 * ((cells & between) >> (low + 1))) & 15U;
        const unsigned skipped = count_cells(cells & (cell_bit(low) - 1));
        return moved_past(placement, placement_order_shift + 3 * skipped, passed, is_up);
    }

    /// Moves a piece of an order past others, up or down. `shift`: of the first of them.
    [[nodiscard]] static constexpr Placement moved_past(Placement order, unsigned shift, unsigned passed,
                                                        bool is_up) noexcept {
        const unsigned width = 3 * passed;
        const Placement window = order >> shift & ((Placement{8} << width) - 1);
        const Placement rotated = is_up ? window >> 3 | (window & 7) << width
                                        : (window << 3 & ((Placement{8} << width) - 1)) | window >> width;
        return order ^ (window ^ rotated) << shift;
    }

    std::uint32_t flipped = 0;
    std::uint32_t between = 0; ///< the cells between the two, row by row
    std::uint8_t low = 0;      ///< the first of the two
    bool is_up = false;        ///< whether the piece moves toward the last cell
};

} // namespace detail

/// Numbers the placements of k pieces on the cells of an n x n board, from 0, by look-ups in 41 KB.
///
/// Sets are ranked in the combinatorial number system (E. B. Pascal 1887): for cells c_0 < c_1 < ... the rank
/// is the sum of the binomial coefficients c_i over i + 1. It is looked up in parts of 8, 8 and 9 cells, the
/// last two with the number of cells before them. Orders are ranked lexicographically: by the first four
/// pieces, and by the relative order of the others.
class PlacementRanking {
public:
    /// Requires n from 2 to 5 and 1 to 8 pieces. `TableShape::ranking` has one that is made already.
    NPUZZLE_NOINLINE PlacementRanking(int n, int pieces)
        : sets_(detail::binomial(n * n, pieces)), orders_(detail::factorial(pieces)) {
        using detail::count_cells;
        for (unsigned bits = 0; bits < 512; ++bits) {
            for (unsigned before = 0; before < middle_.size(); ++before) {
                if (bits < 256) middle_[before][bits] = part(bits, 8, static_cast<int>(before));
                high_[before][bits] = part(bits, 16, static_cast<int>(before));
            }
            if (bits < 256) count_[bits] = static_cast<std::uint8_t>(count_cells(bits));
            if (bits < 256) low_[bits] = part(bits, 0, 0);
        }
        const int heads = pieces < 4 ? pieces : 4;
        const int tails = pieces - heads;
        for (unsigned fields = 0; fields < 4096; ++fields) {
            unsigned head = 0;
            unsigned tail = 0;
            unsigned seen = 0;
            for (int i = 0; i < heads; ++i) {
                const unsigned piece = fields >> 3 * i & 7;
                head += (piece - count_cells(seen & ((1U << piece) - 1))) * detail::factorial(pieces - 1 - i);
                seen |= 1U << piece;
            }
            for (int i = 0; i < tails; ++i) {
                for (int j = i + 1; j < tails; ++j) {
                    const bool is_smaller = (fields >> 3 * j & 7) < (fields >> 3 * i & 7);
                    tail += is_smaller ? detail::factorial(tails - 1 - i) : 0;
                }
            }
            first_[fields] = static_cast<std::uint16_t>(head);
            second_[fields] = static_cast<std::uint8_t>(tail);
        }
    }

    /// The number of sets of cells: the binomial coefficient n * n over `pieces`.
    [[nodiscard]] std::uint32_t sets() const noexcept { return sets_; }

    /// The number of orders of the pieces: `pieces` factorial.
    [[nodiscard]] std::uint32_t orders() const noexcept { return orders_; }

    /// The number of placements: n * n (n * n - 1) ... with `pieces` factors.
    [[nodiscard]] std::uint64_t placements() const noexcept { return std::uint64_t{sets_} * orders_; }

    /// The rank of a set of cells. Faster if n is known to be less than 5.
    template <int N = 5>
    [[nodiscard]] std::uint32_t set_rank(std::uint32_t cells) const noexcept {
        const std::uint32_t low = cells & 255U;
        std::uint32_t result = low_[low];
        if constexpr (N >= 3) {
            const std::uint32_t middle = cells >> 8 & 255U;
            const unsigned before = count_[low];
            result += middle_[before][middle];
            if constexpr (N == 5) result += high_[before + count_[middle]][cells >> 16];
        }
        return result;
    }

    /// The rank of the order in a placement.
    [[nodiscard]] std::uint32_t order_rank(Placement placement) const noexcept {
        const auto order = static_cast<std::uint32_t>(placement >> detail::placement_order_shift);
        return first_[order & 4095U] + std::uint32_t{second_[order >> 12 & 4095U]};
    }

private:
    /// What the cells in `bits` add to the rank: the first of them is the cell `base`, and `before` cells of
    /// the set come before it.
    static std::uint32_t part(unsigned bits, int base, int before) {
        std::uint32_t rank = 0;
        for (int cell = base; bits != 0; ++cell, bits >>= 1) {
            rank += (bits & 1U) != 0 ? detail::binomial(cell, ++before) : 0;
        }
        return rank;
    }

    std::uint32_t sets_;
    std::uint32_t orders_;
    std::array<std::uint32_t, 256> low_;
    std::array<std::array<std::uint32_t, 256>, 9> middle_;
    std::array<std::array<std::uint32_t, 512>, 9> high_;
    std::array<std::uint16_t, 4096> first_;
    std::array<std::uint8_t, 4096> second_;
    std::array<std::uint8_t, 256> count_;
};

namespace detail {

/// Numbers the pairs of a set of k cells and a region of the blank. A pair has a block of one bit for each
/// order of the tiles, in whole words of 64 bits.
///
/// First come the largest regions of all sets (the first of equals), by the ranks of the sets: for most pairs
/// the rank is all that is needed. Then come the other regions, by these ranks and by their first cells.
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
    [[nodiscard]] NPUZZLE_ALWAYS_INLINE std::size_t block(std::uint32_t rank,
                                                          std::uint32_t blank) const noexcept {
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
    [[nodiscard]] NPUZZLE_ALWAYS_INLINE std::size_t index(Placement placement,
                                                          std::uint32_t blank) const noexcept {
        return block(ranks_->set_rank<N>(static_cast<std::uint32_t>(placement)), blank) * words() * 64 +
               ranks_->order_rank(placement);
    }

    [[nodiscard]] std::size_t blocks() const noexcept { return sets_ + others_.size(); }
    /// The words of a block.
    [[nodiscard]] std::size_t words() const noexcept { return (orders_ + 63) / 64; }
    /// The number of pairs of a placement and a region.
    [[nodiscard]] std::uint64_t values() const noexcept { return std::uint64_t{blocks()} * orders_; }
    /// The bytes of a bit for each of them.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return std::uint64_t{blocks()} * words() * 8; }

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

} // namespace detail

} // namespace npuzzle
