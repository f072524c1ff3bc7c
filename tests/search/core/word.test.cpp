#include <npuzzle/search/core/word.hpp>

#include "support/catch.hpp"

#include <bit>
#include <cstdint>
#include <set>

namespace {

using namespace npuzzle::detail;

static_assert(UnsignedWord<std::uint8_t> && UnsignedWord<std::uint16_t> && UnsignedWord<std::uint32_t> &&
              UnsignedWord<std::uint64_t>);
static_assert(UnsignedWord<uint128> == has_uint128);
static_assert(!UnsignedWord<bool> && !UnsignedWord<int> && !UnsignedWord<float> && !UnsignedWord<unsigned*>);

} // namespace

TEST_CASE("mixing is done at compile time, too", "[word]") {
    constexpr std::uint64_t mixed = mix(12345);
    CHECK(mix(12345) == mixed);
    STATIC_REQUIRE(mix_word(std::uint8_t{200}) == mix(200));
    // What splitmix64 (Steele, Lea, Flood 2014) gives first from the seed 0, whose state is then its
    // increment.
    STATIC_REQUIRE(mix(0x9e3779b97f4a7c15ULL) == 0xe220a8397b1dcdafULL);
}

TEST_CASE("each bit of a word changes about half of the bits of its hash", "[word]") {
    for (int bit = 0; bit < 64; ++bit) {
        for (const std::uint64_t word : {0ULL, 0x0123456789abcdefULL, ~0ULL}) {
            const int changed = std::popcount(mix(word) ^ mix(word ^ (std::uint64_t{1} << bit)));
            CHECK(changed >= 12);
            CHECK(changed <= 52);
        }
    }
}

TEST_CASE("both halves of a word of 128 bits go into its hash", "[word]") {
    if constexpr (has_uint128) {
        std::set<std::uint64_t> hashes{mix_word(uint128{0})};
        for (int bit = 0; bit < 128; ++bit) {
            hashes.insert(mix_word(static_cast<uint128>(static_cast<uint128>(1) << bit)));
        }
        CHECK(hashes.size() == 129);
        const uint128 low = 7;
        const uint128 high = low << 64;
        CHECK(mix_word(low) != mix_word(high));
        CHECK(mix_word(static_cast<uint128>(low | high)) != mix_word(uint128{0}));
    }
}
