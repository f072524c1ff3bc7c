#pragma once

#include "npuzzle/macros.hpp"

#include <concepts>
#include <cstdint>

/// \file
/// Unsigned words of up to 128 bits, and how their bits are mixed into a hash.

namespace npuzzle::detail {

#if !NPUZZLE_HAS_INT128
struct uint128 {};
#endif
inline constexpr bool has_uint128 = NPUZZLE_HAS_INT128 == 1;

/// `std::unsigned_integral`, and the 128-bit type that strict ISO mode leaves out of it.
template <class T>
concept UnsignedWord =
    (std::unsigned_integral<T> && !std::same_as<T, bool>) || (has_uint128 && std::same_as<T, uint128>);

/// Spreads the entropy of all 64 bits over all bits: a finalizer of two multiplications, each a bijection
/// (the constants are those of splitmix64: Steele, Lea, Flood 2014).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

template <UnsignedWord Word>
[[nodiscard]] constexpr std::uint64_t mix_word(Word word) {
    if constexpr (sizeof(Word) > sizeof(std::uint64_t)) {
        return mix(static_cast<std::uint64_t>(word) ^ mix(static_cast<std::uint64_t>(word >> 64)));
    } else {
        return mix(word);
    }
}

} // namespace npuzzle::detail
