#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/checkpoint.hpp>
#include <npuzzle/search/node_table/dense_line.hpp>
#include <npuzzle/search/node_table/packed.hpp>
#include <npuzzle/search/parallel/parallel_astar.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/table_beside_map.hpp"

#include <cstdint>
#include <cstring>
#include <sstream>
#include <type_traits>
#include <vector>

// What all node tables have in common is in node_table.test.cpp.

namespace {

using npuzzle::DensePolicy;
using npuzzle::MemoryBudget;
using npuzzle::PackedNodeTable;
using npuzzle::detail::DenseLine;
using npuzzle::detail::Mixer;
using test::Compact;
using test::Ring;
using test::WithMoves;
using test::WithWords;

/// A slot has 27 bits for the word, and 13 for the cost and one of six moves.
template <unsigned bits>
struct Words : Compact<WithMoves<WithWords<Ring>>> {
    using Compact::Compact;
    static constexpr unsigned word_bits = bits;
};

/// The word needs more than 32 bits of a slot.
struct ShortPaths : Words<33> {
    using Words::Words;
    static constexpr int longest_path = 15;
};

/// States that begin alike have the same key, in groups of 32: more than a line has slots.
struct EqualKeys : Words<39> {
    using Words::Words;
    std::uint64_t pack(int vertex) const {
        const auto number = static_cast<std::uint64_t>(vertex);
        return Mixer<39>::unmix((number / 32) << 27 | number % 32);
    }
    int unpack(std::uint64_t word) const {
        const std::uint64_t item = Mixer<39>::mix(word);
        return static_cast<int>((item >> 27) * 32 + item % 32);
    }
};

/// All states in the first of 32 regions; those from 5000 on in a hundredth of it.
struct Crowded : Words<32> {
    using Words::Words;
    std::uint64_t pack(int vertex) const {
        const auto number = static_cast<std::uint32_t>(vertex);
        const std::uint32_t most = number < 5000 ? 100'000'000 : 1'000'003;
        return Mixer<32>::unmix(std::uint64_t{number} * 48'271 % most);
    }
};

template <class P>
using Dense = PackedNodeTable<P, int, DenseLine<P>, 32 * 64>; // cut into segments when it has a line a region

static_assert(sizeof(DenseLine<Words<32>>) == 64 && DenseLine<Words<32>>::region_bits == 5);
static_assert(DenseLine<Words<44>>::region_bits == 17);
static_assert(DenseLine<Words<20>>::region_bits == 5);
static_assert(DenseLine<ShortPaths>::region_bits == 0);

} // namespace

TEMPLATE_TEST_CASE("a line of twelve keeps what its slots were told", "[dense_line]", Words<20>, Words<32>,
                   Words<44>, ShortPaths) {
    using Line = DenseLine<TestType>;
    CHECK(Line::size == 12);
    constexpr int longest = TestType::longest_path;
    CHECK(Line::can_hold(longest));
    CHECK_FALSE(Line::can_hold(longest == 15 ? 16 : 1024));
    Line line;
    std::memset(static_cast<void*>(&line), 0, sizeof(line));
    // In the last region, whose bits are all ones.
    constexpr std::uint32_t region = (1U << Line::region_bits) - 1;
    constexpr unsigned stored_bits = std::is_same_v<TestType, ShortPaths> ? 33 : 27;
    std::vector<std::uint64_t> items;
    for (unsigned i = 0; i < Line::size; ++i) {
        const std::uint64_t within = i == 0 ? 0 : i * 0x1234567ULL % (1U << 27);
        items.push_back(std::uint64_t{region} << stored_bits | within);
    }
    for (unsigned i = 0; i < Line::size; ++i) {
        CHECK(line.count() == i);
        CHECK_FALSE(line.is_full());
        CHECK(line.maybe_with_key(Line::key(items[i])) == 0);
        line.put(i, items[i], 6);
    }
    CHECK(line.is_full());
    Line copy;
    std::memset(static_cast<void*>(&copy), 0, sizeof(copy));
    for (unsigned i = 0; i < Line::size; ++i) {
        CHECK(line.is_closed(i));
        CHECK(line.link(i) == 6);
        line.open(i, longest - static_cast<int>(i), static_cast<std::uint8_t>(i % 7));
        CHECK_FALSE(line.is_closed(i));
        if (i % 2 == 0) {
            line.mark_ambiguous(i);
        }
        if (i % 3 == 0) {
            line.close(i);
            line.close(i);
        }
    }
    for (unsigned i = 0; i < Line::size; ++i) {
        copy.set(Line::size - 1 - i, line.get(i));
    }
    CHECK(copy.is_full());
    for (unsigned i = 0; i < Line::size; ++i) {
        const unsigned slot = Line::size - 1 - i;
        CHECK((copy.with_key(Line::key(items[i])) >> slot & 1U) == 1);
        CHECK(copy.holds(slot, items[i]));
        CHECK_FALSE(copy.holds(slot, items[i] ^ 1));
        CHECK(copy.item_at(slot, region) == items[i]);
        CHECK(copy.place_at(slot, region) == Line::place(items[i]));
        CHECK(copy.cost(slot) == longest - static_cast<int>(i));
        CHECK(copy.link(slot) == i % 7);
        CHECK(copy.is_closed(slot) == (i % 3 == 0));
        CHECK(copy.is_ambiguous(slot) == (i % 2 == 0));
        // A mark stays when the node is opened again.
        copy.open(slot, 3, 0);
        CHECK(copy.cost(slot) == 3);
        CHECK_FALSE(copy.is_closed(slot));
        CHECK(copy.is_ambiguous(slot) == (i % 2 == 0));
        CHECK(copy.item_at(slot, region) == items[i]);
    }
}

TEMPLATE_TEST_CASE("a table of dense lines agrees with a map at each step of its growth", "[dense_line]",
                   Words<32>, Words<36>, ShortPaths) {
    test::TableBesideMap<TestType, Dense<TestType>> beside(TestType(1, 101, 0), 100'000, 256);
    int steps = 0;
    int too_empty = 0;
    while (beside.table.size() < 60'000) {
        if (beside.step()) {
            ++steps;
            // Segments grow by a third at most, so three quarters of ten nodes a line are there.
            const std::uint64_t lines = beside.budget.used() / 64;
            too_empty +=
                TestType::word_bits != 36 && lines > 32 * 80 && 10 * beside.table.size() < 68 * lines ? 1 : 0;
        }
    }
    beside.check_all();
    CHECK(too_empty == 0);
    CHECK(steps > 100); // 32 segments, each several times
}

TEMPLATE_TEST_CASE("a table of dense lines agrees with a map over 10^8 calls", "[dense_line][.exhaustive]",
                   Words<32>, Words<36>, ShortPaths) {
    test::check_beside_map_for_long<TestType, Dense<TestType>>(TestType(1, 101, 0));
}

TEST_CASE("dense nodes with one key are told apart", "[dense_line]") {
    const EqualKeys problem(1, 101, 0);
    MemoryBudget budget;
    Dense<EqualKeys> table(problem, budget);
    constexpr int count = 10'016;
    int wrong = 0;
    for (int state = 0; state < count; ++state) {
        auto [node, is_new] = table.insert(state);
        wrong += is_new ? 0 : 1;
        node.relax(3, 0, Dense<EqualKeys>::root(node));
    }
    for (int state = 0; state < count; ++state) {
        wrong += table.insert(state).second ? 1 : 0;
        const auto found = table.find(table.lookup_hint(state), state);
        REQUIRE(found.has_value());
        wrong += found->state() == state && found->is_ambiguous() ? 0 : 1;
        // All are open at the same cost, so only the state tells which one is wanted.
        const auto open = table.find_open(found->key(), 3, [&](int other) { return other == state; });
        wrong += open && open->state() == state ? 0 : 1;
        wrong += table.find_open(found->key(), 2, [](int) { return true; }) ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(table.size() == count);
}

TEST_CASE("a table of dense lines whose nodes crowd in few blocks grows all the same", "[dense_line]") {
    const Crowded problem(1, 101, 0);
    MemoryBudget budget;
    Dense<Crowded> table(problem, budget);
    int wrong = 0;
    for (int state = 0; state < 8000; ++state) {
        auto [node, is_new] = table.insert(state);
        wrong += is_new ? 0 : 1;
        node.relax(state % 1000, 0, Dense<Crowded>::root(node));
    }
    for (int state = 0; state < 8000; ++state) {
        const auto [node, is_new] = table.insert(state);
        wrong += !is_new && node.cost() == state % 1000 ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("DensePolicy finds the same costs, within the same limits", "[dense_line]") {
    const Words<36> ring(3, 20'000, 9'000);
    const auto expected = npuzzle::astar(ring, 0, npuzzle::Zero{});
    const auto found = npuzzle::astar<DensePolicy>(ring, 0, npuzzle::Zero{});
    CHECK(found.status == expected.status);
    CHECK(found.cost == expected.cost);
    CHECK(found.path.size() == expected.path.size());
    CHECK(found.statistics.stored == expected.statistics.stored);
    // A table begins with 2^9 lines.
    const auto least = npuzzle::astar<DensePolicy>(ring, 0, npuzzle::Zero{}, {.bytes = 20'000});
    CHECK(least.status == npuzzle::Status::memory_limit);
    const auto limited = npuzzle::astar<DensePolicy>(ring, 0, npuzzle::Zero{}, {.bytes = 100'000});
    CHECK(limited.status == npuzzle::Status::memory_limit);
    CHECK(limited.statistics.bytes <= 100'000);
}

TEST_CASE("a search of dense nodes goes on from a checkpoint, and runs on two threads", "[dense_line]") {
    const Words<36> ring(3, 20'000, 9'000);
    npuzzle::AStar whole(DensePolicy{}, ring, 0, npuzzle::Zero{});
    whole.run();
    npuzzle::AStar first(DensePolicy{}, ring, 0, npuzzle::Zero{}, {.expansions = 3'000});
    CHECK(first.run() == npuzzle::Status::expansion_limit);
    std::stringstream file;
    npuzzle::save_checkpoint(first, file);
    npuzzle::AStar second(DensePolicy{}, ring, 0, npuzzle::Zero{});
    npuzzle::load_checkpoint(second, file);
    CHECK(second.statistics().expanded == 3'000);
    CHECK(second.run() == npuzzle::Status::solved);
    CHECK(second.result().cost == whole.result().cost);
    CHECK(second.statistics().expanded == whole.statistics().expanded);
    CHECK(second.statistics().stored == whole.statistics().stored);

    const auto parallel = npuzzle::parallel_astar<DensePolicy>(ring, 0, npuzzle::Zero{}, {.threads = 2});
    CHECK(parallel.status == npuzzle::Status::solved);
    CHECK(parallel.cost == whole.result().cost);
}
