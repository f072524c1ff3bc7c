#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace npuzzle {

namespace detail {

/// The ranks of boards of 4 x 4 cells, in three parts: which eight tiles are in the upper half, and how those of each
/// half are ordered. 270 kB of tables.
class HalfRanks {
public:
    /// Built by the first call, in about a millisecond.
    static const HalfRanks& tables() {
        static const HalfRanks tables;
        return tables;
    }

    [[nodiscard]] std::uint64_t rank(std::uint64_t board) const {
        const auto upper = static_cast<std::uint32_t>(board);
        const auto lower = static_cast<std::uint32_t>(board >> 32);
        const std::uint32_t set =
            pairs_[upper & 255] | pairs_[upper >> 8 & 255] | pairs_[upper >> 16 & 255] | pairs_[upper >> 24];
        const std::uint64_t set_rank = std::uint64_t{by_upper_byte_[set >> 8]} + by_lower_byte_[set & 255];
        return set_rank << order_bits | (rank_of_order(upper) * orders + rank_of_order(lower));
    }

    /// The board of a rank; some board if the number is no rank.
    [[nodiscard]] std::uint64_t board(std::uint64_t rank) const {
        const auto both = static_cast<std::uint32_t>(rank & ((std::uint64_t{1} << order_bits) - 1));
        const std::uint32_t upper = std::min(both / orders, orders - 1);
        const std::uint32_t lower = both % orders;
        const std::uint64_t tiles = sets_[std::min<std::uint64_t>(rank >> order_bits, sets_.size() - 1)];
        return std::uint64_t{arranged(static_cast<std::uint32_t>(tiles), orders_[upper])} |
               std::uint64_t{arranged(static_cast<std::uint32_t>(tiles >> 32), orders_[lower])} << 32;
    }

private:
    static constexpr std::uint32_t orders = 40'320; // 8!
    static constexpr unsigned order_bits = 31;

    HalfRanks() {
        for (std::uint32_t rank = 0; rank < orders; ++rank) {
            std::uint32_t left = 0x76543210;
            std::uint32_t rest = rank;
            std::uint32_t with_this_first = orders;
            for (unsigned i = 0; i < 8; ++i) {
                with_this_first /= 8 - i;
                const unsigned shift = 4 * (rest / with_this_first);
                rest %= with_this_first;
                orders_[rank] |= (left >> shift & 15) << (4 * i);
                const std::uint32_t before = left & ((std::uint32_t{1} << shift) - 1);
                left = before | (left >> shift >> 4 << shift);
            }
        }
        std::array<std::uint16_t, 9> bytes_of_count{};
        for (std::size_t byte = 0; byte < 256; ++byte) {
            pairs_[byte] = static_cast<std::uint16_t>(1U << (byte & 15) | 1U << (byte >> 4));
            by_lower_byte_[byte] = bytes_of_count[static_cast<std::size_t>(std::popcount(byte))]++;
        }
        std::uint16_t sets_before = 0;
        for (std::size_t byte = 0; byte < 256; ++byte) {
            by_upper_byte_[byte] = sets_before;
            sets_before = static_cast<std::uint16_t>(
                sets_before + bytes_of_count[static_cast<std::size_t>(8 - std::popcount(byte))]);
        }
        for (std::uint32_t set = 0; set < 1U << 16; ++set) {
            if (std::popcount(set) == 8) {
                std::uint64_t tiles = 0;
                std::array<unsigned, 2> shift{32, 0}; // of the next tile of each half
                for (std::uint64_t tile = 0; tile < 16; ++tile) {
                    unsigned& next = shift[set >> tile & 1U];
                    tiles |= tile << next;
                    next += 4;
                }
                sets_[std::size_t{by_upper_byte_[set >> 8]} + by_lower_byte_[set & 255]] = tiles;
            }
        }
    }

    /// Eight different digits of four bits, ranked by the code of D. H. Lehmer (1960): for each digit, how many later
    /// ones are less. All are compared at once, a byte for each.
    static std::uint32_t rank_of_order(std::uint32_t digits) {
        constexpr std::uint64_t ones = 0x0101010101010101;
        std::uint64_t inverted = ~digits;
        inverted = (inverted | inverted << 16) & 0x0000ffff0000ffff;
        inverted = (inverted | inverted << 8) & 0x00ff00ff00ff00ff;
        inverted = (inverted | inverted << 4) & 0x0f0f0f0f0f0f0f0f;
        const std::uint64_t greater_by_one = inverted + ones;
        std::uint64_t less = 0;
        for (unsigned distance = 1; distance < 8; ++distance) {
            // The bytes that are shifted in are zero, and so are never greater.
            less += ((inverted >> (8 * distance) | ones << 7) - greater_by_one) >> 7 & ones;
        }
        // Of each product, the first 16 bits are the sum of the digits of the code, each times a factorial: d0 7! + d2 5! + ...
        // and d1 6! + d3 4! + ... The sums in the other bits are too small to be carried.
        constexpr std::uint64_t even = 5040ULL << 48 | 120ULL << 32 | 6ULL << 16 | 1;
        constexpr std::uint64_t odd = 720ULL << 48 | 24ULL << 32 | 2ULL << 16;
        const std::uint64_t sum =
            ((less & 0x00ff00ff00ff00ff) * even >> 48) + ((less >> 8 & 0x00ff00ff00ff00ff) * odd >> 48);
        return static_cast<std::uint32_t>(sum);
    }

    static std::uint32_t arranged(std::uint32_t tiles, std::uint32_t order) {
        std::uint32_t half = 0;
        for (unsigned i = 0; i < 8; ++i) {
            half |= (tiles >> (4 * (order >> (4 * i) & 7)) & 15) << (4 * i);
        }
        return half;
    }

    std::array<std::uint32_t, orders> orders_{};     // digits from 0 to 7
    std::array<std::uint64_t, 12'870> sets_{};       // the tiles of both halves, ascending
    std::array<std::uint16_t, 256> pairs_{};         // the set of two tiles
    std::array<std::uint16_t, 256> by_upper_byte_{}; // how many sets of eight have a lesser upper byte
    std::array<std::uint16_t, 256> by_lower_byte_{}; // how many lesser bytes have as many bits
};

} // namespace detail

/// The 15-puzzle with packed words of 45 bits, the ranks of boards, where those of `SlidingPuzzle<4>` have 60. With
/// `DensePolicy`, a search stores a node in two thirds of the memory:
///
///     #include <npuzzle/search/node_table/dense_line.hpp>
///     astar<DensePolicy>(RankedPuzzle{}, board, Manhattan{});
///
/// To rank a board and to find that of a rank takes some nanoseconds each, which small searches notice. The first object
/// builds tables of 270 kB.
class RankedPuzzle : public SlidingPuzzle<4> {
public:
    using SlidingPuzzle<4>::SlidingPuzzle;

    /// Each board has a solution of at most 80 moves (A. Bruengger, A. Marzetta, K. Fukuda, J. Nievergelt 1999).
    static constexpr int longest_path = 511;

    static constexpr unsigned word_bits = 45;

    /// The board's rank, which is less than 2^45. Not all such numbers are ranks.
    [[nodiscard]] std::uint64_t pack(const State& board) const { return ranks_->rank(board.word()); }

    /// The board of a word that `pack` returned; some board for any other word.
    [[nodiscard]] State unpack(std::uint64_t word) const { return State::from_word(ranks_->board(word)); }

    /// The same puzzle with another goal.
    [[nodiscard]] RankedPuzzle with_goal(const State& goal) const { return RankedPuzzle(goal); }

private:
    const detail::HalfRanks* ranks_ = &detail::HalfRanks::tables();
};

} // namespace npuzzle
