#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// \file
/// Compares half a cache line of numbers at once.

namespace npuzzle::detail {

/// Must be aligned to its size.
using EightNumbers = std::array<std::uint32_t, 8>;

/// A bit mask of the numbers that equal `value` in the bits of `mask`.
inline unsigned equal(const EightNumbers& numbers, std::uint32_t value, std::uint32_t mask = ~0U) {
#if defined(__SSE2__)
    const __m128i masks = _mm_set1_epi32(static_cast<int>(mask));
    const __m128i values = _mm_set1_epi32(static_cast<int>(value));
    const auto* quarters = reinterpret_cast<const __m128i*>(numbers.data());
    const __m128i low = _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(quarters), masks), values);
    const __m128i high = _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(quarters + 1), masks), values);
    return static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(low)) |
                                 _mm_movemask_ps(_mm_castsi128_ps(high)) << 4);
#else
    unsigned matches = 0;
    for (unsigned i = 0; i < numbers.size(); ++i) {
        matches |= static_cast<unsigned>((numbers[i] & mask) == value) << i;
    }
    return matches;
#endif
}

} // namespace npuzzle::detail
