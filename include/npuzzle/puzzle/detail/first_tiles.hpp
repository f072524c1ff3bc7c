#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#if NPUZZLE_HAS_SSE2
#include <emmintrin.h>
#endif

/// \file
/// Numbers the tiles of the first nine of 25 cells by the code of D. H. Lehmer (1960): each by how many tiles
/// are less that are not in a cell before. Those of the other cells get numbers from 0 to 15 by size.

namespace npuzzle::detail {

/// Tiles or their numbers.
struct FirstAndRest {
    std::uint64_t first;  ///< of eight cells, a byte for each
    std::uint64_t ninth;  ///< of the next cell
    std::uint64_t rest_0; ///< of eight cells
    std::uint64_t rest_1; ///< of the last eight cells
};

/// The numbers of the first tiles, in three parts, and those of the others.
struct FirstNumbers {
    static constexpr std::uint32_t uppers = 25 * 24 * 23 * 22;
    static constexpr std::uint32_t lowers = 21 * 20 * 19 * 18;
    static constexpr std::uint32_t ninths = 17;

    std::uint32_t upper; ///< of four cells, less than `uppers`
    std::uint32_t lower; ///< of the next four cells, less than `lowers`
    std::uint32_t ninth; ///< less than `ninths`
    std::uint64_t rest;  ///< four bits each
};

/// The tiles of eight cells are worked on at once.
struct PortableFirstTiles {
    static FirstNumbers numbers(const FirstAndRest& tiles) {
        FirstAndRest result = tiles;
        for (unsigned cell = 0; cell < 9; ++cell) {
            const std::uint64_t less = cell < 8 ? tiles.first >> (8 * cell) & 31 : tiles.ninth;
            result.first -= greater(tiles.first, less) & cells_after(cell);
            result.ninth -= tiles.ninth > less ? 1 : 0;
            result.rest_0 -= greater(tiles.rest_0, less);
            result.rest_1 -= greater(tiles.rest_1, less);
        }
        const auto digit = [&](unsigned cell) {
            return static_cast<std::uint32_t>(result.first >> (8 * cell) & 31);
        };
        return {((digit(0) * 24 + digit(1)) * 23 + digit(2)) * 22 + digit(3),
                ((digit(4) * 20 + digit(5)) * 19 + digit(6)) * 18 + digit(7),
                static_cast<std::uint32_t>(result.ninth),
                nibbles_of_bytes(result.rest_0) | nibbles_of_bytes(result.rest_1) << 32};
    }

    static FirstAndRest tiles(const FirstNumbers& numbers) {
        const std::array<std::uint32_t, 9> digits{numbers.upper / (24 * 23 * 22),
                                                  numbers.upper / (23 * 22) % 24,
                                                  numbers.upper / 22 % 23,
                                                  numbers.upper % 22,
                                                  numbers.lower / (20 * 19 * 18),
                                                  numbers.lower / (19 * 18) % 20,
                                                  numbers.lower / 18 % 19,
                                                  numbers.lower % 18,
                                                  numbers.ninth};
        FirstAndRest result{0, numbers.ninth, bytes_of_nibbles(numbers.rest),
                            bytes_of_nibbles(numbers.rest >> 32)};
        for (unsigned cell = 8; cell-- > 0;) {
            result.first = result.first << 8 | digits[cell];
        }
        for (unsigned cell = 9; cell-- > 0;) {
            // A number is that of a tile among those that are in no cell before.
            const std::uint64_t digit = digits[cell];
            result.first += not_less(result.first, digit) & cells_after(cell);
            result.ninth += cell < 8 && result.ninth >= digit ? 1 : 0;
            result.rest_0 += not_less(result.rest_0, digit);
            result.rest_1 += not_less(result.rest_1, digit);
        }
        return result;
    }

private:
    static constexpr std::uint64_t ones = 0x0101010101010101;

    static constexpr std::uint64_t cells_after(unsigned cell) {
        return cell < 7 ? ones << (8 * (cell + 1)) : 0;
    }
    static std::uint64_t greater(std::uint64_t bytes, std::uint64_t than) {
        return (bytes + ones * (127 - than)) >> 7 & ones;
    }
    static std::uint64_t not_less(std::uint64_t bytes, std::uint64_t than) {
        return (bytes + ones * (128 - than)) >> 7 & ones;
    }

    /// Of the lowest 32 bits.
    static std::uint64_t bytes_of_nibbles(std::uint64_t nibbles) {
        std::uint64_t bytes = (nibbles & 0xffff) | (nibbles & 0xffff0000) << 16;
        bytes = (bytes | bytes << 8) & 0x00ff00ff00ff00ff;
        return (bytes | bytes << 4) & 0x0f0f0f0f0f0f0f0f;
    }
    static std::uint64_t nibbles_of_bytes(std::uint64_t bytes) {
        std::uint64_t nibbles = (bytes | bytes >> 4) & 0x00ff00ff00ff00ff;
        nibbles = (nibbles | nibbles >> 8) & 0x0000ffff0000ffff;
        return (nibbles | nibbles >> 16) & 0xffffffff;
    }
};

#if NPUZZLE_HAS_SSE2

/// The same with the tiles of 16 cells at once.
struct VectorFirstTiles {
    static FirstNumbers numbers(const FirstAndRest& tiles) {
        const __m128i nine = both(tiles.first, tiles.ninth);
        const __m128i rest = both(tiles.rest_0, tiles.rest_1);
        const Spread spread(nine);
        __m128i digits = nine;
        __m128i order = rest;
        const auto compare = [&]<int... cell>(std::integer_sequence<int, cell...>) {
            // A byte of a comparison is 0 or -1.
            ((digits = _mm_add_epi8(digits, _mm_and_si128(_mm_cmpgt_epi8(nine, spread.template of<cell>()),
                                                          cells_after<cell>())),
              order = _mm_add_epi8(order, _mm_cmpgt_epi8(rest, spread.template of<cell>()))),
             ...);
        };
        compare(std::make_integer_sequence<int, 9>{});
        const __m128i pairs = _mm_madd_epi16(_mm_unpacklo_epi8(digits, _mm_setzero_si128()),
                                             _mm_setr_epi16(24, 1, 22, 1, 20, 1, 18, 1));
        const auto fours = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_madd_epi16(
            _mm_packs_epi32(pairs, pairs), _mm_setr_epi16(23 * 22, 1, 19 * 18, 1, 0, 0, 0, 0))));
        const __m128i nibbles =
            _mm_and_si128(_mm_or_si128(order, _mm_srli_epi16(order, 4)), _mm_set1_epi16(0xff));
        return {static_cast<std::uint32_t>(fours), static_cast<std::uint32_t>(fours >> 32),
                static_cast<std::uint32_t>(_mm_extract_epi16(digits, 4)),
                static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(nibbles, nibbles)))};
    }

    static FirstAndRest tiles(const FirstNumbers& numbers) {
        const std::uint32_t p01 = numbers.upper / (23 * 22);
        const std::uint32_t p23 = numbers.upper % (23 * 22);
        const std::uint32_t p45 = numbers.lower / (19 * 18);
        const std::uint32_t p67 = numbers.lower % (19 * 18);
        const __m128i pairs = both(p01 | std::uint64_t{p23} << 32, p45 | std::uint64_t{p67} << 32);
        // The quotients of numbers below 25 * 24: the reciprocals are rounded up, and exact enough for these.
        const __m128i quotients = _mm_mulhi_epu16(
            pairs, _mm_setr_epi32(65536 / 24 + 1, 65536 / 22 + 1, 65536 / 20 + 1, 65536 / 18 + 1));
        const __m128i remainders =
            _mm_sub_epi16(pairs, _mm_mullo_epi16(quotients, _mm_setr_epi32(24, 22, 20, 18)));
        const __m128i eight = _mm_or_si128(quotients, _mm_slli_epi32(remainders, 16));
        __m128i nine = _mm_packus_epi16(eight, _mm_cvtsi32_si128(static_cast<int>(numbers.ninth)));
        __m128i rest = bytes_of_nibbles(numbers.rest);
        const Spread spread(_mm_sub_epi8(nine, _mm_set1_epi8(1)));
        const auto count = [&]<int... before>(std::integer_sequence<int, before...>) {
            // A number is that of a tile among those that are in no cell before.
            ((nine = _mm_sub_epi8(nine, _mm_and_si128(_mm_cmpgt_epi8(nine, spread.template of<8 - before>()),
                                                      cells_after<8 - before>())),
              rest = _mm_sub_epi8(rest, _mm_cmpgt_epi8(rest, spread.template of<8 - before>()))),
             ...);
        };
        count(std::make_integer_sequence<int, 9>{});
        return {lower_of(nine), upper_of(nine), lower_of(rest), upper_of(rest)};
    }

private:
    /// Each of nine bytes, sixteen times.
    class Spread {
    public:
        explicit Spread(__m128i nine) {
            const __m128i twice = _mm_unpacklo_epi8(nine, nine);
            first_ = _mm_unpacklo_epi16(twice, twice);
            second_ = _mm_unpackhi_epi16(twice, twice);
            const __m128i ninth = _mm_unpackhi_epi8(nine, nine);
            third_ = _mm_unpacklo_epi16(ninth, ninth);
        }
        template <int cell>
        [[nodiscard]] __m128i of() const {
            return _mm_shuffle_epi32(cell < 4 ? first_ : cell < 8 ? second_ : third_, cell % 4 * 0x55);
        }

    private:
        __m128i first_;
        __m128i second_;
        __m128i third_;
    };

    /// All bits of the bytes of later cells among the first nine.
    template <int cell>
    static __m128i cells_after() {
        constexpr auto lower = cell < 7 ? ~std::uint64_t{0} << (8 * (cell + 1) % 64) : std::uint64_t{0};
        return both(lower, cell < 8 ? 255 : 0);
    }

    static __m128i both(std::uint64_t lower, std::uint64_t upper) {
        return _mm_set_epi64x(static_cast<long long>(upper), static_cast<long long>(lower));
    }
    static std::uint64_t lower_of(__m128i bytes) {
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(bytes));
    }
    static std::uint64_t upper_of(__m128i bytes) { return lower_of(_mm_unpackhi_epi64(bytes, bytes)); }

    static __m128i bytes_of_nibbles(std::uint64_t nibbles) {
        const __m128i pairs = _mm_cvtsi64_si128(static_cast<long long>(nibbles));
        const __m128i mask = _mm_set1_epi8(15);
        return _mm_unpacklo_epi8(_mm_and_si128(pairs, mask), _mm_and_si128(_mm_srli_epi64(pairs, 4), mask));
    }
};

using FastestFirstTiles = VectorFirstTiles;

#else

using FastestFirstTiles = PortableFirstTiles;

#endif

} // namespace npuzzle::detail
