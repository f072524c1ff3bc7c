#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#if NPUZZLE_HAS_SSE2
#include <emmintrin.h>
#endif

/// \file
/// Compares half a cache line of numbers at once, or three quarters.

namespace npuzzle::detail {

/// Must be aligned to its size.
using EightNumbers = std::array<std::uint32_t, 8>;

/// A bit mask of the numbers, eight or twelve, that equal `value` in the bits of `mask`. They must be aligned
/// to 16 bytes.
template <std::size_t count>
    requires(count == 8 || count == 12)
unsigned equal(const std::array<std::uint32_t, count>& numbers, std::uint32_t value,
               std::uint32_t mask = ~0U) {
#if NPUZZLE_HAS_SSE2
    const __m128i masks = _mm_set1_epi32(static_cast<int>(mask));
    const __m128i values = _mm_set1_epi32(static_cast<int>(value));
    const auto* quarters = reinterpret_cast<const __m128i*>(numbers.data());
    const auto compare = [&](std::size_t i) {
        const __m128i equal = _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(quarters + i), masks), values);
        return _mm_movemask_ps(_mm_castsi128_ps(equal));
    };
    int matches = compare(0) | compare(1) << 4;
    if constexpr (count == 12) {
        matches |= compare(2) << 8;
    }
    return static_cast<unsigned>(matches);
#else
    unsigned matches = 0;
    for (unsigned i = 0; i < count; ++i) {
        matches |= static_cast<unsigned>((numbers[i] & mask) == value) << i;
    }
    return matches;
#endif
}

} // namespace npuzzle::detail
