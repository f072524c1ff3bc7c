#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace npuzzle::detail {

/// Eight bytes as a little-endian number, on every machine.
[[nodiscard]] inline std::uint64_t read_u64(const std::uint8_t* bytes) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        std::uint64_t word;
        std::memcpy(&word, bytes, sizeof word);
        return word;
    } else {
        std::uint64_t word = 0;
        for (int i = 7; i >= 0; --i) {
            word = word << 8 | bytes[i];
        }
        return word;
    }
}

/// A 64-bit checksum against accidents, not against malice. It runs at about the speed of memory.
///
/// Four lanes take turns with words of eight bytes, little-endian: lane = rotate_left(lane xor word, 29) * m,
/// m odd. The last words are padded with zeros. Then the lanes are folded into the number of bytes one after
/// the other, each by sum = rotate_left(sum xor lane, 31) * m. Finally the sum is mixed by two shifts and
/// products.
///
/// Each step is a bijection of the lane and of the word. So a change that is confined to one word is always
/// detected. Any other change is missed with a chance of about 1 in 2^64.
[[nodiscard]] NPUZZLE_NOINLINE inline std::uint64_t checksum(const std::uint8_t* bytes,
                                                             std::size_t size) noexcept {
    constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;
    std::array<std::uint64_t, 4> lanes{1, 2, 3, 4};
    std::size_t at = 0;
    for (; size - at >= 32; at += 32) {
        for (std::size_t lane = 0; lane < 4; ++lane) {
            lanes[lane] = std::rotl(lanes[lane] ^ read_u64(bytes + at + 8 * lane), 29) * multiplier;
        }
    }
    std::array<std::uint8_t, 32> rest{};
    if (size > at) {
        std::memcpy(rest.data(), bytes + at, size - at);
    }
    std::uint64_t sum = size;
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const std::uint64_t last = std::rotl(lanes[lane] ^ read_u64(rest.data() + 8 * lane), 29) * multiplier;
        sum = std::rotl(sum ^ last, 31) * multiplier;
    }
    sum = (sum ^ sum >> 32) * multiplier;
    return sum ^ sum >> 29;
}

} // namespace npuzzle::detail
