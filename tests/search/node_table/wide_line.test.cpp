#include <npuzzle/search/node_table/packed.hpp>
#include <npuzzle/search/node_table/wide_line.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/table_beside_map.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <type_traits>
#include <vector>

// What all lines have in common is in packed_line.test.cpp.

namespace {

using npuzzle::PackedNodeTable;
using npuzzle::detail::packed_line_t;
using npuzzle::detail::uint128;
using npuzzle::detail::wide_slot;
using npuzzle::detail::WideLine;
using npuzzle::detail::WideMixer;

/// Words of `bits` bits. Twelve states at a time have the same key, and differ in single bits all over the
/// rest of the mixed word.
template <unsigned bits, int longest = 1000>
struct EqualKeys : test::WithMoves<test::Ring> {
    using WithMoves::WithMoves;
    using Mixer = WideMixer<bits>;
    using Word = typename Mixer::Number;
    static constexpr unsigned word_bits = bits;
    static constexpr int longest_path = longest;
    static constexpr unsigned group = 12;

    static unsigned place_of_bit(unsigned i) { return i * (bits - 33) / (group - 1); }

    Word pack(int vertex) const {
        const auto number = static_cast<unsigned>(vertex);
        const auto key = static_cast<Word>(number / group * 2654435761U);
        return Mixer::unmix(key << (bits - 32) | Word{1} << place_of_bit(number % group));
    }
    int unpack(Word word) const {
        const Word item = Mixer::mix(word);
        unsigned i = 0;
        while ((item >> place_of_bit(i) & 1) == 0) {
            ++i;
        }
        constexpr std::uint32_t inverse = 244002641; // of 2654435761, modulo 2^32
        return static_cast<int>(static_cast<std::uint32_t>(item >> (bits - 32)) * inverse * group + i);
    }
};

/// Cut into segments when it has 32 lines, or as many as there are regions.
template <class P>
using Cut = PackedNodeTable<P, int, WideLine<P>, 32 * 64>;

// The longest words for a number of slots, with costs of ten bits and six moves.
static_assert(WideLine<EqualKeys<62>>::size == 8 && WideLine<EqualKeys<70>>::size == 7);
static_assert(WideLine<EqualKeys<78>>::size == 6 && WideLine<EqualKeys<94>>::size == 5);
static_assert(WideLine<EqualKeys<126>>::size == 4 && WideLine<EqualKeys<95>>::size == 4);
static_assert(WideLine<EqualKeys<63>>::size == 7 && WideLine<EqualKeys<71>>::size == 6);
static_assert(WideLine<EqualKeys<79>>::size == 5);
static_assert(!wide_slot(127, 6, 1000).fits && wide_slot(127, 6, 511).fits && wide_slot(128, 6, 127).fits);
static_assert(!wide_slot(129, 1, 1).fits);
static_assert(wide_slot(100, 6, (1U << 26) - 1).fits && !wide_slot(100, 6, 1U << 26).fits);
static_assert(!wide_slot(40, 1U << 31, 1).fits);
static_assert(sizeof(WideLine<EqualKeys<93>>) == 64 && sizeof(WideLine<EqualKeys<125>>) == 64);
static_assert(sizeof(WideLine<EqualKeys<77>>) == 64 && sizeof(WideLine<EqualKeys<70>>) == 64);
static_assert(std::is_same_v<packed_line_t<EqualKeys<61>, int>, WideLine<EqualKeys<61>>>);
static_assert(std::is_same_v<packed_line_t<EqualKeys<50, 5000>, int>, WideLine<EqualKeys<50, 5000>>>);
static_assert(!std::is_same_v<packed_line_t<EqualKeys<61>, double>, WideLine<EqualKeys<61>>>);

template <unsigned bits>
void check_mixer() {
    using Mix = WideMixer<bits>;
    using Number = typename Mix::Number;
    constexpr Number mask = static_cast<Number>(~Number{0}) >> (8 * sizeof(Number) - bits);
    for (unsigned shift = 0; shift + 8 <= bits; ++shift) {
        std::set<Number> mixed;
        std::set<unsigned> homes;
        for (unsigned i = 0; i < 256; ++i) {
            const Number number = (static_cast<Number>(i) << shift ^ (i % 2 == 0 ? 0 : mask)) & mask;
            const Number result = Mix::mix(number);
            CHECK(result <= mask);
            CHECK(Mix::unmix(result) == number);
            mixed.insert(result);
            homes.insert(static_cast<unsigned>(result >> (bits - 10)));
        }
        CHECK(mixed.size() == 256);
        // 226 are to be expected of 256 random numbers below 1024, give or take 5.
        CHECK(homes.size() > 200);
    }
}

} // namespace

TEST_CASE("wide words are mixed by a bijection that spreads numbers that are alike", "[wide_line]") {
    check_mixer<49>();
    check_mixer<64>();
    check_mixer<65>();
    check_mixer<83>();
    check_mixer<120>();
    check_mixer<128>();
}

TEMPLATE_TEST_CASE("a table of wide lines agrees with a map, whichever bits its states differ in",
                   "[wide_line]", (EqualKeys<50, 5000>), EqualKeys<61>, EqualKeys<69>, EqualKeys<77>,
                   EqualKeys<83>, EqualKeys<93>, EqualKeys<120>, EqualKeys<125>) {
    test::TableBesideMap<TestType, Cut<TestType>> beside(TestType(1, 101, 0), 12'000, 1);
    int steps = 0;
    for (int round = 0; round < 9'000; ++round) {
        steps += beside.step() ? 1 : 0;
    }
    beside.check_all();
    CHECK(steps >= (WideLine<TestType>::region_bits < 8 ? 20 : 1));
}

TEMPLATE_TEST_CASE("a table of wide lines agrees with a map over 10^8 calls", "[wide_line][.exhaustive]",
                   (EqualKeys<50, 5000>), EqualKeys<61>, EqualKeys<69>, EqualKeys<77>, EqualKeys<83>,
                   EqualKeys<93>, EqualKeys<120>, EqualKeys<125>) {
    test::check_beside_map_for_long<TestType, Cut<TestType>>(TestType(1, 101, 0));
}
