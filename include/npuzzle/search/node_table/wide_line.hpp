#pragma once

#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/word.hpp"
#include "npuzzle/search/node_table/detail/quotient_line.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

/// \file
/// The cache lines of a packed node table for words of up to 128 bits, or for costs of many bits.

namespace npuzzle::detail {

/// A bijection on numbers of `bits` bits, and its inverse: a Feistel network of two rounds, which mixes the
/// entropy of all bits into the upper half.
template <unsigned bits>
struct WideMixer {
    static_assert(32 <= bits && bits <= 128);

    using Number = std::conditional_t<(bits <= 64), std::uint64_t, uint128>;

    static constexpr Number mix(Number x) {
        const std::uint64_t lower = lower_of(x) ^ weak(upper_of(x));
        return join(upper_of(x) ^ strong(lower), lower);
    }

    static constexpr Number unmix(Number x) {
        const std::uint64_t upper = upper_of(x) ^ strong(lower_of(x));
        return join(upper, lower_of(x) ^ weak(upper));
    }

private:
    static constexpr unsigned lower_bits = bits / 2;

    static constexpr std::uint64_t lower_of(Number x) {
        return static_cast<std::uint64_t>(x) & ~std::uint64_t{0} >> (64 - lower_bits);
    }
    static constexpr std::uint64_t upper_of(Number x) { return static_cast<std::uint64_t>(x >> lower_bits); }
    static constexpr Number join(std::uint64_t upper, std::uint64_t lower) {
        return static_cast<Number>(upper) << lower_bits | lower;
    }

    /// A number as long as the lower half, from the upper half. It need not depend on each bit in the same
    /// way.
    static constexpr std::uint64_t weak(std::uint64_t upper) {
        return upper * 0x9e3779b97f4a7c15ULL >> (64 - lower_bits);
    }
    static constexpr std::uint64_t strong(std::uint64_t lower) {
        return npuzzle::detail::mix(lower) >> (64 - (bits - lower_bits));
    }
};

/// How many bits of a slot of a `WideLine` hold what.
struct WideSlot {
    unsigned word_bits; ///< of the mixed word
    unsigned cost_bits;
    bool fits; ///< whether they are enough
};

/// A table has 2^max_region_bits lines at least if words are as long as that allows: 512 KiB. With more, a
/// segment of a table of 128 MiB would have less than four pages for each region, and would double.
inline constexpr unsigned max_region_bits = 13;

constexpr WideSlot wide_slot(unsigned word_bits, std::uint64_t moves, std::uint64_t longest_path) {
    const auto cost_bits = static_cast<unsigned>(std::bit_width(longest_path));
    const unsigned bits_of_code = code_bits(moves);
    constexpr unsigned max_bits = has_uint128 ? 128 : 64;
    if (bits_of_code + cost_bits < 32) {
        for (const unsigned middle_bytes : {0U, 1U, 2U, 4U, 8U}) {
            const unsigned bits = 64 + 8 * middle_bytes - cost_bits - bits_of_code;
            if (word_bits <= (std::min)(bits + max_region_bits, max_bits) && bits <= max_bits) {
                return {bits, cost_bits, true};
            }
        }
    }
    return {};
}

template <CompactProblem P>
inline constexpr WideSlot wide_slot_of =
    wide_slot(static_cast<unsigned>(P::word_bits), static_cast<std::uint64_t>(P::move_count),
              static_cast<std::uint64_t>(P::longest_path));

/// A line for a `CompactProblem` whose nodes need more than 64 bits, or long costs.
template <CompactProblem P>
    requires(wide_slot_of<P>.fits)
using WideLine = QuotientLine<P, WideMixer, wide_slot_of<P>.word_bits, wide_slot_of<P>.cost_bits>;

} // namespace npuzzle::detail
