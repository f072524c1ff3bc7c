#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/first_tiles.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#if NPUZZLE_HAS_SSE2
#include <emmintrin.h>
#endif

namespace npuzzle {

namespace detail {

/// In how many orders the eight tiles of half a board can be: 8!.
inline constexpr std::uint32_t half_orders = 40'320;

/// What ranks and arranges the tiles of both halves of a board, four bits each. The rank of an order is the
/// code of D. H. Lehmer (1960): for each tile, how many later ones are less.
struct PortableOrders {
    /// The rank of the upper half's order, times `half_orders`, and that of the lower.
    static std::uint32_t rank(std::uint64_t board) {
        return rank_of_half(static_cast<std::uint32_t>(board)) * half_orders +
               rank_of_half(static_cast<std::uint32_t>(board >> 32));
    }

    /// \param tiles those of each half, ascending
    /// \param order for each cell of a half, which of them is there: numbers from 0 to 7
    static std::uint64_t arranged(std::uint64_t tiles, std::uint64_t order) {
        std::uint64_t board = 0;
        for (unsigned i = 0; i < 16; ++i) {
            const std::uint64_t number = (order >> (4 * i) & 7) + (i & 8);
            board |= (tiles >> (4 * number) & 15) << (4 * i);
        }
        return board;
    }

private:
    /// All tiles are compared at once, a byte for each.
    static std::uint32_t rank_of_half(std::uint32_t tiles) {
        constexpr std::uint64_t ones = 0x0101010101010101;
        std::uint64_t inverted = ~tiles;
        inverted = (inverted | inverted << 16) & 0x0000ffff0000ffff;
        inverted = (inverted | inverted << 8) & 0x00ff00ff00ff00ff;
        inverted = (inverted | inverted << 4) & 0x0f0f0f0f0f0f0f0f;
        const std::uint64_t greater_by_one = inverted + ones;
        std::uint64_t less = 0;
        for (unsigned distance = 1; distance < 8; ++distance) {
            // The bytes that are shifted in are zero, and so are never greater.
            less += ((inverted >> (8 * distance) | ones << 7) - greater_by_one) >> 7 & ones;
        }
        // Of each product, the first 16 bits are the sum of the digits of the code, each times a factorial:
        // d0 7! + d2 5! + ... and d1 6! + d3 4! + ... The sums in the other bits are too small to be carried.
        constexpr std::uint64_t even = 5040ULL << 48 | 120ULL << 32 | 6ULL << 16 | 1;
        constexpr std::uint64_t odd = 720ULL << 48 | 24ULL << 32 | 2ULL << 16;
        const std::uint64_t sum =
            ((less & 0x00ff00ff00ff00ff) * even >> 48) + ((less >> 8 & 0x00ff00ff00ff00ff) * odd >> 48);
        return static_cast<std::uint32_t>(sum);
    }
};

#if NPUZZLE_HAS_SSE2

/// The same for both halves at once, a byte for each tile.
struct VectorOrders {
    static std::uint32_t rank(std::uint64_t board) {
        const __m128i inverted = bytes_of(~board);
        __m128i less = _mm_setzero_si128();
        const auto compare = [&]<int... distance>(std::integer_sequence<int, distance...>) {
            // The bytes that are shifted in are zero, and so are never greater.
            ((less =
                  _mm_sub_epi8(less, _mm_cmpgt_epi8(_mm_srli_epi64(inverted, 8 * (distance + 1)), inverted))),
             ...);
        };
        compare(std::make_integer_sequence<int, 7>{});
        // The digits of a code are d0 to d6: d0 * 7 + d1, d2 * 5 + d3, d4 * 3 + d5 and d6 are added up by
        // pairs, too.
        const __m128i bases = _mm_setr_epi16(7, 1, 5, 1, 3, 1, 1, 0);
        const __m128i zero = _mm_setzero_si128();
        const __m128i pairs = _mm_packs_epi32(_mm_madd_epi16(_mm_unpacklo_epi8(less, zero), bases),
                                              _mm_madd_epi16(_mm_unpackhi_epi8(less, zero), bases));
        const __m128i fours = _mm_madd_epi16(pairs, _mm_setr_epi16(30, 1, 2, 1, 30, 1, 2, 1));
        const auto rank_of_half = [](__m128i digits) {
            const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(digits));
            return static_cast<std::uint32_t>(both) * 24 + static_cast<std::uint32_t>(both >> 32);
        };
        return rank_of_half(fours) * half_orders + rank_of_half(_mm_unpackhi_epi64(fours, fours));
    }

    static std::uint64_t arranged(std::uint64_t tiles, std::uint64_t order) {
        const __m128i numbers = bytes_of(order);
        const __m128i all = bytes_of(tiles);
        const __m128i upper = _mm_unpacklo_epi8(all, all);
        const __m128i lower = _mm_unpackhi_epi8(all, all);
        const __m128i first = _mm_unpacklo_epi64(upper, lower);
        const __m128i last = _mm_unpackhi_epi64(upper, lower);
        __m128i board = _mm_setzero_si128();
        const auto place = [&]<int... number>(std::integer_sequence<int, number...>) {
            ((board = _mm_or_si128(board, in_its_cell<number>(numbers, number < 4 ? first : last))), ...);
        };
        place(std::make_integer_sequence<int, 8>{});
        const __m128i nibbles =
            _mm_and_si128(_mm_or_si128(board, _mm_srli_epi16(board, 4)), _mm_set1_epi16(0xff));
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(nibbles, nibbles)));
    }

private:
    static __m128i bytes_of(std::uint64_t nibbles) {
        const __m128i pairs = _mm_cvtsi64_si128(static_cast<long long>(nibbles));
        const __m128i mask = _mm_set1_epi8(15);
        return _mm_unpacklo_epi8(_mm_and_si128(pairs, mask), _mm_and_si128(_mm_srli_epi64(pairs, 4), mask));
    }

    /// The tile of a number in each half, where the order has that number; else 0.
    /// \param four four tiles of each half, each twice
    template <int number>
    static __m128i in_its_cell(__m128i numbers, __m128i four) {
        constexpr int same = number % 4 * 0x55;
        const __m128i tile = _mm_shufflehi_epi16(_mm_shufflelo_epi16(four, same), same);
        return _mm_and_si128(_mm_cmpeq_epi8(numbers, _mm_set1_epi8(number)), tile);
    }
};

using FastestOrders = VectorOrders;

#else

using FastestOrders = PortableOrders;

#endif

/// The ranks of boards of 4 x 4 cells, in three parts: which eight tiles are in the upper half, and how those
/// of each half are ordered. 270 kB of tables.
/// \tparam Orders ranks and arranges the tiles of the halves
template <class Orders = FastestOrders>
class HalfRanks {
public:
    static constexpr std::uint32_t sets = 12'870;
    /// The orders are in these bits of a rank, and the set before them.
    static constexpr unsigned order_bits = 31;
    static constexpr std::uint64_t order_mask = (std::uint64_t{1} << order_bits) - 1;

    /// Built by the first call, in about a millisecond.
    static const HalfRanks& tables() {
        static const HalfRanks tables;
        return tables;
    }

    [[nodiscard]] std::uint64_t rank(std::uint64_t board) const {
        const auto upper = static_cast<std::uint32_t>(board);
        const std::uint32_t set =
            pairs_[upper & 255] | pairs_[upper >> 8 & 255] | pairs_[upper >> 16 & 255] | pairs_[upper >> 24];
        const std::uint64_t set_rank = std::uint64_t{by_upper_byte_[set >> 8]} + by_lower_byte_[set & 255];
        return set_rank << order_bits | Orders::rank(board);
    }

    /// The board of a rank; some board if the number is no rank.
    [[nodiscard]] std::uint64_t board(std::uint64_t rank) const {
        const auto both = static_cast<std::uint32_t>(rank & order_mask);
        const std::uint32_t upper = std::min(both / orders, orders - 1);
        const std::uint32_t lower = both % orders;
        const std::uint64_t tiles = sets_[std::min<std::uint64_t>(rank >> order_bits, sets_.size() - 1)];
        return Orders::arranged(tiles, orders_[upper] | std::uint64_t{orders_[lower]} << 32);
    }

private:
    static constexpr std::uint32_t orders = half_orders;

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

    std::array<std::uint32_t, orders> orders_{};     // digits from 0 to 7
    std::array<std::uint64_t, sets> sets_{};         // the tiles of both halves, ascending
    std::array<std::uint16_t, 256> pairs_{};         // the set of two tiles
    std::array<std::uint16_t, 256> by_upper_byte_{}; // how many sets of eight have a lesser upper byte
    std::array<std::uint16_t, 256> by_lower_byte_{}; // how many lesser bytes have as many bits
};

#if defined(__SIZEOF_INT128__)

/// The ranks of boards of 5 x 5 cells: the numbers of the first nine tiles by Lehmer's code, and the order of
/// the others, ranked as a board of 4 x 4 cells. One part is the set of tiles in the upper half of that board,
/// with the first eight numbers, another the order of both halves, with the ninth number. Together they have
/// 84 bits, as many as the number of all boards, 25!.
/// \tparam Orders ranks and arranges the tiles of the halves of the board of 4 x 4 cells
/// \tparam FirstTiles numbers the first tiles
template <class Orders = FastestOrders, class FirstTiles = FastestFirstTiles>
class RestRanks {
public:
    /// Built by the first call, in about a millisecond.
    static const RestRanks& tables() {
        static const RestRanks tables;
        return tables;
    }

    [[nodiscard]] uint128 rank(uint128 board) const {
        const FirstNumbers numbers =
            FirstTiles::numbers({bytes_of_fields(static_cast<std::uint64_t>(board)),
                                 static_cast<std::uint64_t>(board) >> ninth_at & 31,
                                 bytes_of_fields(static_cast<std::uint64_t>(board >> rest_0_at)),
                                 bytes_of_fields(static_cast<std::uint64_t>(board >> rest_1_at))});
        const std::uint64_t rest = ranks_->rank(numbers.rest);
        const std::uint64_t set = rest >> Rest::order_bits;
        const std::uint64_t orders = rest & Rest::order_mask;
        const std::uint64_t upper =
            (set * FirstNumbers::uppers + numbers.upper) * FirstNumbers::lowers + numbers.lower;
        return static_cast<uint128>(upper) << lower_bits | (orders * FirstNumbers::ninths + numbers.ninth);
    }

    /// The board of a rank; some board if the number is no rank.
    [[nodiscard]] uint128 board(uint128 rank) const {
        const std::uint64_t lower = static_cast<std::uint64_t>(rank) & lower_mask;
        const auto upper = static_cast<std::uint64_t>(rank >> lower_bits);
        const std::uint64_t sets = upper / FirstNumbers::lowers;
        const std::uint64_t rest =
            sets / FirstNumbers::uppers << Rest::order_bits | lower / FirstNumbers::ninths;
        const FirstAndRest tiles = FirstTiles::tiles(
            {static_cast<std::uint32_t>(sets % FirstNumbers::uppers),
             static_cast<std::uint32_t>(upper % FirstNumbers::lowers),
             static_cast<std::uint32_t>(lower % FirstNumbers::ninths), ranks_->board(rest)});
        return static_cast<uint128>(fields_of_bytes(tiles.rest_1)) << rest_1_at |
               static_cast<uint128>(fields_of_bytes(tiles.rest_0)) << rest_0_at |
               (fields_of_bytes(tiles.first) | tiles.ninth << ninth_at);
    }

private:
    using Rest = HalfRanks<Orders>;

    static constexpr unsigned ninth_at = 5 * 8;
    static constexpr unsigned rest_0_at = 5 * 9;
    static constexpr unsigned rest_1_at = rest_0_at + 5 * 8;
    static constexpr unsigned lower_bits = 35;
    static constexpr std::uint64_t lower_mask = (std::uint64_t{1} << lower_bits) - 1;

    static_assert(std::uint64_t{half_orders} * half_orders * FirstNumbers::ninths <= lower_mask + 1);
    static_assert(std::uint64_t{Rest::sets} * FirstNumbers::uppers * FirstNumbers::lowers <=
                  std::uint64_t{1} << (84 - lower_bits));

    /// Of the lowest 40 bits.
    static std::uint64_t bytes_of_fields(std::uint64_t fields) {
        std::uint64_t bytes = (fields & 0xfffff) | (fields & 0xfffff00000) << 12;
        bytes = (bytes & 0x000003ff000003ff) | (bytes & 0x000ffc00000ffc00) << 6;
        return (bytes & 0x001f001f001f001f) | (bytes & 0x03e003e003e003e0) << 3;
    }
    static std::uint64_t fields_of_bytes(std::uint64_t bytes) {
        std::uint64_t fields = (bytes & 0x001f001f001f001f) | (bytes >> 3 & 0x03e003e003e003e0);
        fields = (fields & 0x000003ff000003ff) | (fields >> 6 & 0x000ffc00000ffc00);
        return (fields & 0xfffff) | (fields >> 12 & 0xfffff00000);
    }

    const Rest* ranks_ = &Rest::tables();
};

#endif

/// What ranks the boards of a size, and in how many bits.
template <int N>
struct RanksOf;

template <>
struct RanksOf<4> {
    static constexpr unsigned bits = 45;
    using Ranks = HalfRanks<>;
};

#if defined(__SIZEOF_INT128__)
template <>
struct RanksOf<5> {
    static constexpr unsigned bits = 84;
    using Ranks = RestRanks<>;
};
#endif

} // namespace detail

/// The 15-puzzle with packed words of 45 bits, the ranks of boards, where those of `SlidingPuzzle<4>` have
/// 60. With `DensePolicy`, a search stores a node in two thirds of the memory:
/// \code
/// #include <npuzzle/search/node_table/dense_line.hpp>
/// astar<DensePolicy>(RankedPuzzle{}, board, Manhattan{});
/// \endcode
/// `RankedPuzzle<5>` is the 24-puzzle with words of 84 bits, where those of `SlidingPuzzle<5>` have 120. They
/// are too long for `DensePolicy`; by default, a search stores a node in two thirds of the memory. It needs
/// an integer of 128 bits.
///
/// To rank a board and to find that of a rank takes some nanoseconds each, which small searches notice. The
/// first object builds tables of 270 kB.
template <int N = 4>
    requires(N == 4 || N == 5)
class RankedPuzzle : public SlidingPuzzle<N> {
    using Ranks = typename detail::RanksOf<N>::Ranks;

public:
    using State = typename SlidingPuzzle<N>::State;

    using SlidingPuzzle<N>::SlidingPuzzle;

    /// Each board of the 15-puzzle has a solution of at most 80 moves (A. Bruengger, A. Marzetta, K. Fukuda,
    /// J. Nievergelt 1999), and of the 24-puzzle of at most 208 (F. Karlemo, P. Ostergard 2000).
    static constexpr int longest_path = 511;

    static constexpr unsigned word_bits = detail::RanksOf<N>::bits;

    /// The board's rank, a number of `word_bits` bits. Not all such numbers are ranks.
    [[nodiscard]] auto pack(const State& board) const { return ranks_->rank(board.word()); }

    /// The board of a word that `pack` returned; some board for any other word.
    [[nodiscard]] State unpack(typename State::Word word) const {
        return State::from_word(ranks_->board(word));
    }

    /// The same puzzle with another goal.
    [[nodiscard]] RankedPuzzle with_goal(const State& goal) const { return RankedPuzzle(goal); }

private:
    const Ranks* ranks_ = &Ranks::tables();
};

template <int N>
RankedPuzzle(PackedBoard<N>) -> RankedPuzzle<N>;

} // namespace npuzzle
