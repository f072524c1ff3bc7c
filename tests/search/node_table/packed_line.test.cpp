#include <npuzzle/search/node_table/packed_line.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <type_traits>
#include <vector>

namespace {

using npuzzle::detail::CompactLine;
using npuzzle::detail::Mixer;
using npuzzle::detail::packed_line_t;
using npuzzle::detail::PlainLine;
using npuzzle::detail::WideLine;
using test::Compact;
using test::Ring;
using test::WithMoves;
using test::WithWords;

using Walked = WithMoves<WithWords<Ring>>;

template <unsigned bits>
struct Wide : Compact<Walked> {
    static constexpr unsigned word_bits = bits;
};
struct LongPaths : Compact<Walked> {
    static constexpr int longest_path = 5000;
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

template <class Line>
struct Filled {
    Line line;
    std::vector<std::uint32_t> words;

    Filled() {
        std::memset(static_cast<void*>(&line), 0, sizeof(line));
        // All in one region: their mixed words begin alike.
        for (std::uint32_t word = 0; words.size() < Line::size; ++word) {
            const auto item = Line::item(word);
            if (std::uint64_t{Line::place(item)} >> (32 - Line::region_bits) == 0) {
                CHECK(line.count() == words.size());
                CHECK(line.with_key(Line::key(item)) == 0);
                line.put(static_cast<unsigned>(words.size()), item, 6);
                words.push_back(word);
            }
        }
    }
};

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

TEMPLATE_TEST_CASE("a line keeps what its slots were told", "[packed_line]", PlainLine<Walked>,
                   CompactLine<Compact<Walked>>, CompactLine<Wide<60>>, CompactLine<Wide<50>>,
                   WideLine<LongPaths>, WideLine<Wide<64>>, WideLine<Wide<75>>, WideLine<Wide<93>>,
                   WideLine<Wide<120>>) {
    using Line = TestType;
    Filled<Line> filled;
    Line& line = filled.line;
    CHECK(line.count() == Line::size);
    for (unsigned i = 0; i < Line::size; ++i) {
        const auto item = Line::item(filled.words[i]);
        CHECK(Line::word(item) == filled.words[i]);
        CHECK(line.with_key(Line::key(item)) == 1U << i);
        CHECK(line.holds(i, item));
        CHECK(line.item_at(i, 0) == item);
        CHECK(line.place_at(i, 0) == Line::place(item));
        CHECK(Line::place_of_key(Line::key(item)) == Line::place(item));
        CHECK(line.is_closed(i));
        CHECK_FALSE(line.is_ambiguous(i));
    }
    for (unsigned i = 0; i < Line::size; ++i) {
        line.open(i, static_cast<int>(900 + i), static_cast<std::uint8_t>(i % 7));
        CHECK_FALSE(line.is_closed(i));
        if (i % 2 == 0) {
            line.mark_ambiguous(i);
            line.close(i);
            line.close(i);
        }
    }
    Line open;
    std::memset(static_cast<void*>(&open), 0, sizeof(open));
    for (unsigned i = 0; i < Line::size; ++i) {
        CHECK_FALSE(open.is_full());
        open.put(i, Line::item(filled.words[i]), 6);
        open.open(i, 0, 0);
        CHECK(open.count() == i + 1);
    }
    CHECK(open.is_full());
    Line copy;
    std::memset(static_cast<void*>(&copy), 0, sizeof(copy));
    for (unsigned i = 0; i < Line::size; ++i) {
        copy.set(Line::size - 1 - i, line.get(i));
    }
    for (unsigned i = 0; i < Line::size; ++i) {
        const unsigned slot = Line::size - 1 - i;
        CHECK(copy.item_at(slot, 0) == Line::item(filled.words[i]));
        CHECK(copy.cost(slot) == static_cast<int>(900 + i));
        CHECK(copy.link(slot) == i % 7);
        CHECK(copy.is_closed(slot) == (i % 2 == 0));
        CHECK(copy.is_ambiguous(slot) == (i % 2 == 0 && std::is_same_v<typename Line::Key, std::uint32_t> &&
                                          !std::is_same_v<Line, PlainLine<Walked>>));
        if (i % 2 == 0) {
            // A mark stays when the node is opened again.
            copy.open(slot, 3, 0);
            CHECK(copy.cost(slot) == 3);
            CHECK(copy.link(slot) == 0);
            CHECK(copy.is_ambiguous(slot) == !std::is_same_v<Line, PlainLine<Walked>>);
        }
    }
}
