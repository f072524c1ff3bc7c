#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/hash.hpp"

#include <bit>
#include <cstdint>

namespace npuzzle::detail {

/// The number of zero bits below the lowest one bit. For 0, the width of the type.
[[nodiscard]] constexpr int count_trailing_zeros(std::uint64_t word) noexcept {
    return std::countr_zero(word);
}

/// The number of one bits.
[[nodiscard]] constexpr int count_ones(std::uint64_t word) noexcept {
    return std::popcount(word);
}

#if NPUZZLE_HAS_INT128

/// The same for 128 bits.
[[nodiscard]] constexpr int count_trailing_zeros(uint128 word) noexcept {
    const auto low = static_cast<std::uint64_t>(word);
    const auto high = static_cast<std::uint64_t>(word >> 64);
    return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
}

/// The same for 128 bits.
[[nodiscard]] constexpr int count_ones(uint128 word) noexcept {
    return std::popcount(static_cast<std::uint64_t>(word)) +
           std::popcount(static_cast<std::uint64_t>(word >> 64));
}

#endif

} // namespace npuzzle::detail
