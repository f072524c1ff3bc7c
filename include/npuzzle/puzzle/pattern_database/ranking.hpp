#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cell_sets.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

/// \file
/// Numbers for the placements of a pattern: which piece is in which cell.
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

inline constexpr unsigned placement_order_shift = 32;

constexpr std::uint32_t factorial(int k) noexcept {
    return k < 2 ? 1 : static_cast<std::uint32_t>(k) * factorial(k - 1);
}

/// The binomial coefficient n over k.
constexpr std::uint32_t binomial(int n, int k) noexcept {
    std::uint64_t result = k <= n ? 1 : 0;
    for (int i = 1; i <= k && result != 0; ++i) {
        result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
    }
    return static_cast<std::uint32_t>(result);
}

/// \throws std::invalid_argument if there are no tables for so many pieces on n x n cells
NPUZZLE_COLD inline void require_placements(int n, int pieces) {
    if (n < 2 || n > 5 || pieces < 1 || pieces > 8 || pieces > n * n) {
        throw_invalid({pieces, " pieces cannot be numbered on a board of size ", n});
    }
}

/// The `Tables` for k pieces on n x n cells. Made at the first use, and never freed: other static objects may
/// still look values up while the program ends.
/// \throws std::invalid_argument as `require_placements`
template <class Tables>
NPUZZLE_COLD const Tables& shared_tables(int n, int k) {
    require_placements(n, k);
    static std::array<std::once_flag, 32> made;
    static std::array<const Tables*, 32> tables{};
    const std::size_t place = as_index((n - 2) * 8 + k - 1);
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
    constexpr Placement operator()(Placement placement) const noexcept {
        const auto cells = static_cast<std::uint32_t>(placement);
        placement ^= flipped;
        if (between == 0) return placement;
        // The number of pieces passed, at most four, is looked up in the digits of a constant.
        const unsigned passed = 0x4332322132212110U >> (4 * ((cells & between) >> (low + 1))) & 15U;
        const unsigned skipped = count_cells(cells & (cell_bit(low) - 1));
        return moved_past(placement, placement_order_shift + 3 * skipped, passed, is_up);
    }

    /// Moves a piece of an order past others, up or down. `shift`: of the first of them.
    static constexpr Placement moved_past(Placement order, unsigned shift, unsigned passed,
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
    /// `TableShape::ranking` shares one that is made already.
    /// \throws std::invalid_argument if n is not from 2 to 5, or if there are no pieces, more than eight, or
    ///     more than cells
    NPUZZLE_NOINLINE PlacementRanking(int n, int pieces) {
        using detail::count_cells;
        detail::require_placements(n, pieces);
        sets_ = detail::binomial(n * n, pieces);
        orders_ = detail::factorial(pieces);
        for (unsigned bits = 0; bits < 512; ++bits) {
            for (unsigned before = 0; before < middle_.size(); ++before) {
                if (bits < 256) middle_[before][bits] = share(bits, 8, static_cast<int>(before));
                high_[before][bits] = share(bits, 16, static_cast<int>(before));
            }
            if (bits < 256) count_[bits] = static_cast<std::uint8_t>(count_cells(bits));
            if (bits < 256) low_[bits] = share(bits, 0, 0);
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
    /// The share in the rank of a set of its cells in `bits`, whose bit 0 is the cell `base`. `before` cells
    /// of the set come before them.
    static std::uint32_t share(unsigned bits, int base, int before) {
        std::uint32_t rank = 0;
        for (int cell = base; bits != 0; ++cell, bits >>= 1) {
            rank += (bits & 1U) != 0 ? detail::binomial(cell, ++before) : 0;
        }
        return rank;
    }

    std::uint32_t sets_;
    std::uint32_t orders_;
    std::array<std::uint32_t, 256> low_; ///< share in the rank of cells 0 to 7
    std::array<std::array<std::uint32_t, 256>, 9>
        middle_;                                         ///< of cells 8 to 15, by the number of cells before
    std::array<std::array<std::uint32_t, 512>, 9> high_; ///< of cells 16 to 24
    std::array<std::uint16_t, 4096> first_;              ///< share in the rank of the first four pieces
    std::array<std::uint8_t, 4096> second_;              ///< of the others
    std::array<std::uint8_t, 256> count_;
};

} // namespace npuzzle
