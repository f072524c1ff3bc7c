#pragma once

#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

/// \file
/// The number of a placement: which pieces of a pattern stand in which cells.
///
/// A placement is the set of cells that hold a piece, and the order in which the pieces stand along these cells, row by
/// row. Its index is the rank of the set times k!, plus the rank of the order. So all placements of one set of cells lie
/// side by side; a piece that moves within its row changes the set alone; and one that moves a row up or down is turned
/// past the fewer than n pieces that lie between its two cells.

namespace npuzzle {

/// A placement of up to eight pieces in one word: from bit 0, a bit for each cell that holds a piece; from bit 32, three
/// bits for each piece in the order in which they stand. The bits from 56 up are anybody's, and 0 here.
using Placement = std::uint64_t;

namespace detail {

inline constexpr int placement_order_shift = 32;
inline constexpr Placement placement_order_mask = 0xffffff;

[[nodiscard]] constexpr std::uint64_t factorial(int k) noexcept {
    std::uint64_t product = 1;
    for (int factor = 2; factor <= k; ++factor) {
        product *= static_cast<std::uint64_t>(factor);
    }
    return product;
}

/// n over k.
[[nodiscard]] constexpr std::uint64_t binomial(int n, int k) noexcept {
    if (k < 0 || k > n) {
        return 0;
    }
    std::uint64_t result = 1;
    for (int i = 1; i <= k; ++i) {
        result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
    }
    return result;
}

/// All that ranking looks up, for k pieces on n x n cells.
///
/// Sets are ranked in the combinatorial number system (E. B. Pascal 1887): the sum over their cells c_0 < c_1 < ... of
/// c_i over i + 1. Up to three parts of the set are looked up, each with the number of cells before it. Orders are ranked
/// lexicographically, by the first four pieces and by the relative order of the others.
struct RankTables {
    static constexpr int low_bits(int n) { return n == 4 ? 8 : 9; }

    explicit RankTables(int n, int k) {
        const std::uint64_t orders = factorial(k);
        for (unsigned bits = 0; bits < 512; ++bits) {
            count[bits] = static_cast<std::uint8_t>(count_cells(bits));
            low[bits] = part(bits, 0, 0, orders);
        }
        for (int before = 0; before <= k; ++before) {
            for (unsigned bits = 0; bits < 256; ++bits) {
                middle[static_cast<std::size_t>(before)][bits] = part(bits, low_bits(n), before, orders);
                high[static_cast<std::size_t>(before)][bits] = part(bits, low_bits(n) + 8, before, orders);
            }
        }
        const int heads = k < 4 ? k : 4;
        for (unsigned fields = 0; fields < 4096; ++fields) {
            first[fields] = static_cast<std::uint16_t>(order_part(fields, heads, k));
            second[fields] = static_cast<std::uint8_t>(tail_rank(fields, k - heads));
        }
    }

    /// The share in a set's index of the cells from `base` on whose bits are set, with `before` cells below.
    static std::uint32_t part(unsigned bits, int base, int before, std::uint64_t orders) {
        std::uint64_t rank = 0;
        for (int cell = base; bits != 0; ++cell, bits >>= 1) {
            if ((bits & 1U) != 0) {
                rank += binomial(cell, ++before);
            }
        }
        return static_cast<std::uint32_t>(rank * orders); // what is cut off belongs to no set of k cells
    }

    /// The share in the rank of the first pieces of the order: how many of the smaller ones are not yet placed.
    static std::uint64_t order_part(unsigned fields, int heads, int k) {
        std::uint64_t rank = 0;
        unsigned seen = 0;
        for (int i = 0; i < heads; ++i, fields >>= 3) {
            const unsigned piece = fields & 7U;
            const unsigned smaller = (1U << piece) - 1;
            rank += (piece - count_cells(seen & smaller)) * factorial(k - 1 - i);
            seen |= 1U << piece;
        }
        return rank;
    }

    /// The rank of the relative order of the last pieces.
    static std::uint64_t tail_rank(unsigned fields, int tails) {
        std::uint64_t rank = 0;
        for (int i = 0; i < tails; ++i, fields >>= 3) {
            for (int j = 1; j < tails - i; ++j) {
                rank += (fields >> (3 * j) & 7U) < (fields & 7U) ? factorial(tails - 1 - i) : 0;
            }
        }
        return rank;
    }

    /// The index of a placement. A handful of look-ups in 32 KB.
    template <int N>
    [[nodiscard]] std::uint32_t index(Placement placement) const noexcept {
        constexpr int bits = low_bits(N);
        const auto cells = static_cast<std::uint32_t>(placement);
        const std::uint32_t low_part = cells & ((1U << bits) - 1);
        std::uint32_t result = low[low_part];
        if constexpr (N >= 4) {
            const std::uint32_t middle_part = cells >> bits & 255U;
            const unsigned before = count[low_part];
            result += middle[before][middle_part];
            if constexpr (N == 5) {
                result += high[before + count[middle_part]][cells >> (bits + 8)];
            }
        }
        const auto order =
            static_cast<std::uint32_t>(placement >> placement_order_shift & placement_order_mask);
        return result + first[order & 4095U] + second[order >> 12];
    }

    std::array<std::uint32_t, 512> low;
    std::array<std::array<std::uint32_t, 256>, 9> middle{};
    std::array<std::array<std::uint32_t, 256>, 9> high{};
    std::array<std::uint16_t, 4096> first;
    std::array<std::uint8_t, 4096> second;
    std::array<std::uint8_t, 512> count;
};

/// The tables for k pieces on n x n cells, made when they are first asked for and kept until the program ends.
[[nodiscard]] inline const RankTables& rank_tables(int n, int k) {
    static std::array<std::once_flag, 32> made;
    static std::array<RankTables*, 32> tables{};
    const auto place = static_cast<std::size_t>((n - 2) * 8 + k - 1);
    // Never freed: other objects that live as long as the program may still look things up while it ends.
    std::call_once(made[place], [&] { tables[place] = new RankTables(n, k); });
    return *tables[place];
}

/// How a piece's move from one cell to a cell beside it changes a placement.
struct PlacementStep {
    constexpr PlacementStep() = default;

    /// Requires that the two cells are n x n cells beside each other, in a row or in a column.
    constexpr PlacementStep(int from, int to)
        : flipped(cell_bit(from) | cell_bit(to)), low(static_cast<std::uint8_t>(from < to ? from : to)),
          is_up(from < to) {
        const int high = from < to ? to : from;
        between = (cell_bit(high) - 1) & ~((cell_bit(low) << 1) - 1);
    }

    /// The placement after the move. The bits from 56 up are kept.
    [[nodiscard]] constexpr Placement operator()(Placement placement) const noexcept {
        const auto cells = static_cast<std::uint32_t>(placement);
        placement ^= flipped;
        if (between == 0) {
            return placement;
        }
        // The pieces passed, at most four: counted in the digits of a constant.
        const unsigned passed = 0x4332322132212110U >> (4 * ((cells & between) >> (low + 1))) & 15U;
        const unsigned skipped = count_cells(cells & (cell_bit(low) - 1));
        const unsigned shift = placement_order_shift + 3 * skipped;
        const unsigned width = 3 * passed;
        const Placement window = placement >> shift & ((Placement{8} << width) - 1);
        const Placement turned = is_up ? window >> 3 | (window & 7) << width
                                       : (window << 3 & ((Placement{8} << width) - 1)) | window >> width;
        return placement ^ (window ^ turned) << shift;
    }

    std::uint32_t flipped = 0;
    std::uint32_t between = 0; ///< the cells between the two, row by row
    std::uint8_t low = 0;      ///< the first of the two
    bool is_up = false;        ///< whether the piece moves towards the last cell
};

/// A placement after the pieces in two of its cells have changed places.
[[nodiscard]] constexpr Placement exchanged(Placement placement, int one, int other) noexcept {
    const auto cells = static_cast<std::uint32_t>(placement);
    const unsigned first = placement_order_shift + 3 * count_cells(cells & (cell_bit(one) - 1));
    const unsigned second = placement_order_shift + 3 * count_cells(cells & (cell_bit(other) - 1));
    const Placement difference = (placement >> first ^ placement >> second) & 7;
    return placement ^ (difference << first | difference << second);
}

} // namespace detail

/// Numbers the placements of k pieces on the cells of an n x n board from 0.
class PlacementRanking {
public:
    /// \throws std::invalid_argument if n is not from 2 to 5, or k not from 1 to 8 and at most n * n, or if there are more
    ///         than 2^32 - 1 placements
    PlacementRanking(int n, int pieces) : n_(n), pieces_(pieces) {
        if (n < 2 || n > 5) {
            throw std::invalid_argument("placements are ranked on boards of size 2 to 5, not " +
                                        std::to_string(n));
        }
        if (pieces < 1 || pieces > 8 || pieces > n * n) {
            throw std::invalid_argument(std::to_string(pieces) +
                                        " pieces are not ranked on a board of size " + std::to_string(n) +
                                        "; 1 to " + std::to_string(n * n < 8 ? n * n : 8) + " are");
        }
        if (placements() > std::numeric_limits<std::uint32_t>::max()) {
            throw std::invalid_argument(std::to_string(pieces) + " pieces have " +
                                        std::to_string(placements()) + " placements on a board of size " +
                                        std::to_string(n) + ", more than fit 32 bits");
        }
        tables_ = &detail::rank_tables(n, pieces);
    }

    [[nodiscard]] int size() const noexcept { return n_; }
    [[nodiscard]] int pieces() const noexcept { return pieces_; }

    /// How many placements there are: n * n (n * n - 1) ... in `pieces` factors.
    [[nodiscard]] std::uint64_t placements() const noexcept { return sets() * orders(); }

    /// How many sets of cells there are: n * n over `pieces`.
    [[nodiscard]] std::uint64_t sets() const noexcept { return detail::binomial(n_ * n_, pieces_); }

    /// In how many orders the pieces can stand: `pieces` factorial.
    [[nodiscard]] std::uint64_t orders() const noexcept { return detail::factorial(pieces_); }

    /// The placement with piece i in `cells[i]`; the cells must differ.
    [[nodiscard]] Placement place(const std::vector<int>& cells) const {
        std::uint32_t set = 0;
        for (const int cell : cells) {
            set |= detail::cell_bit(cell);
        }
        Placement order = 0;
        for (std::size_t piece = 0; piece < cells.size(); ++piece) {
            const unsigned before = detail::count_cells(set & (detail::cell_bit(cells[piece]) - 1));
            order |= static_cast<Placement>(piece) << (3 * before);
        }
        return set | order << detail::placement_order_shift;
    }

    /// The cells of the pieces: the inverse of `place`.
    [[nodiscard]] std::vector<int> cells(Placement placement) const {
        std::vector<int> result(static_cast<std::size_t>(pieces_));
        auto set = static_cast<std::uint32_t>(placement);
        for (Placement order = placement >> detail::placement_order_shift; set != 0;
             set &= set - 1, order >>= 3) {
            result[static_cast<std::size_t>(order & 7)] = std::countr_zero(set);
        }
        return result;
    }

    /// The number of a placement, from 0 to placements() - 1. The bits from 56 up do not count.
    [[nodiscard]] std::uint32_t index(Placement placement) const noexcept {
        switch (n_) {
        case 5:
            return tables_->index<5>(placement);
        case 4:
            return tables_->index<4>(placement);
        default:
            return tables_->index<3>(placement);
        }
    }

    /// The placement of a number: the inverse of `index`.
    [[nodiscard]] Placement placement(std::uint32_t index) const noexcept {
        const auto all = static_cast<std::uint32_t>(orders());
        return set(index / all) | static_cast<Placement>(order(index % all)) << detail::placement_order_shift;
    }

    /// The set of cells of a rank, one bit a cell.
    [[nodiscard]] std::uint32_t set(std::uint32_t rank) const noexcept {
        std::uint32_t cells = 0;
        int cell = n_ * n_;
        for (int i = pieces_; i > 0; --i) {
            do {
                --cell;
            } while (detail::binomial(cell, i) > rank);
            rank -= static_cast<std::uint32_t>(detail::binomial(cell, i));
            cells |= detail::cell_bit(cell);
        }
        return cells;
    }

    /// The pieces in the order of a rank, three bits each.
    [[nodiscard]] std::uint32_t order(std::uint32_t rank) const noexcept {
        std::uint32_t fields = 0;
        std::uint32_t unused = (1U << pieces_) - 1;
        for (int i = 0; i < pieces_; ++i) {
            const auto block = static_cast<std::uint32_t>(detail::factorial(pieces_ - 1 - i));
            std::uint32_t rest = unused;
            for (std::uint32_t smaller = rank / block; smaller > 0; --smaller) {
                rest &= rest - 1;
            }
            rank %= block;
            const int piece = std::countr_zero(rest);
            unused &= ~(1U << piece);
            fields |= static_cast<std::uint32_t>(piece) << (3 * i);
        }
        return fields;
    }

    /// The rank of a set of cells.
    [[nodiscard]] std::uint32_t set_rank(std::uint32_t cells) const noexcept {
        return index(cells) / static_cast<std::uint32_t>(orders()); // an order of all zeros has the rank 0
    }

    /// The rank of an order, given as by `order`.
    [[nodiscard]] std::uint32_t order_rank(std::uint32_t order) const noexcept {
        return static_cast<std::uint32_t>(tables_->first[order & 4095U]) + tables_->second[order >> 12];
    }

private:
    int n_;
    int pieces_;
    const detail::RankTables* tables_ = nullptr;
};

} // namespace npuzzle
