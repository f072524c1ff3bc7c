#include <npuzzle/search/node_table/packed_line.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"

#include <cstdint>
#include <limits>
#include <set>
#include <type_traits>
#include <vector>

namespace {

using npuzzle::detail::CompactLine;
using npuzzle::detail::Mixer;
using npuzzle::detail::packed_line_t;
using npuzzle::detail::PlainLine;
using test::Compact;
using test::Ring;
using test::WithMoves;
using test::WithWords;

using Walked = WithMoves<WithWords<Ring>>;

template <unsigned bits>
struct Wide : Compact<Walked> {
    static constexpr unsigned word_bits = bits;
};
struct NarrowCosts : Compact<Walked> {
    static constexpr int longest_path = 100;
    std::vector<npuzzle::Edge<int, std::int8_t>> neighbors(int vertex) const;
};

static_assert(std::is_same_v<packed_line_t<Walked, int>, PlainLine<Walked>>);
static_assert(std::is_same_v<packed_line_t<Compact<Walked>, int>, CompactLine<Compact<Walked>>>);
// What does not fit 16 bytes is stored plainly, and so is what has estimates that are not exact.
static_assert(std::is_same_v<packed_line_t<Wide<127>, int>, PlainLine<Wide<127>>>);
static_assert(std::is_same_v<packed_line_t<Compact<Walked>, double>, PlainLine<Compact<Walked>>>);
static_assert(sizeof(CompactLine<Compact<Walked>>) == 64 && sizeof(PlainLine<Walked>) == 64);

template <unsigned bits>
void check_mixer() {
    using Mix = Mixer<bits>;
    std::set<std::uint64_t> mixed;
    std::vector<std::uint64_t> numbers = {0, 1, 2, Mix::mask, Mix::mask - 1, Mix::mask / 2};
    test::Random random(bits);
    for (int i = 0; i < 1000; ++i) {
        numbers.push_back((static_cast<std::uint64_t>(random.below(1U << 31)) << 31 |
                           static_cast<std::uint64_t>(random.below(1U << 31))) &
                          Mix::mask);
    }
    for (const std::uint64_t number : std::set<std::uint64_t>(numbers.begin(), numbers.end())) {
        CHECK(Mix::mix(number) <= Mix::mask);
        CHECK(Mix::unmix(Mix::mix(number)) == number);
        CHECK(mixed.insert(Mix::mix(number)).second);
    }
}

} // namespace

TEST_CASE("a compact node can have the costs that fit eleven bits, or fewer, and are finite",
          "[packed_line]") {
    using Wide = CompactLine<Compact<Walked>>;
    CHECK(Wide::can_hold(0));
    CHECK(Wide::can_hold(2047));
    CHECK_FALSE(Wide::can_hold(2048));
    CHECK_FALSE(Wide::can_hold(std::numeric_limits<int>::max()));
    using Narrow = CompactLine<NarrowCosts>;
    CHECK(Narrow::can_hold(0));
    CHECK(Narrow::can_hold(126));
    CHECK_FALSE(Narrow::can_hold(127)); // the type's infinity
}

TEST_CASE("words are mixed by a bijection", "[packed_line]") {
    check_mixer<32>();
    check_mixer<47>();
    check_mixer<48>();
    check_mixer<60>();
    check_mixer<64>();
}
