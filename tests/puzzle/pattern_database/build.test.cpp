#include "npuzzle/puzzle/pattern_database/build.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using npuzzle::build_table;
using npuzzle::BuildOptions;
using npuzzle::BuildProgress;
using npuzzle::normalized_shape;
using npuzzle::Partition;
using npuzzle::Pattern;
using npuzzle::PatternTable;
using npuzzle::TableKind;
using npuzzle::TableShape;

namespace {

using Counts = std::vector<std::uint64_t>;

} // namespace

// A move changes the color of the tile's cell, and with it the parity of the cost.
TEST_CASE("the numbers of entries at each depth are those of the entries", "[build]") {
    // Sums over the entries: the mean value of each pattern.
    const auto sum = [](const PatternTable& table) {
        std::uint64_t total = 0;
        for (std::size_t depth = 0; depth < table.entries_at_depth().size(); ++depth) {
            total += depth * table.entries_at_depth()[depth];
        }
        return total;
    };
    const auto tables = npuzzle::build_tables(Partition::named("5-5-5", 4, 15));
    REQUIRE(tables);
    REQUIRE(tables->size() == 3);
    for (const PatternTable& table : *tables) {
        Counts counts(64);
        std::uint64_t total = 0;
        for (const std::uint8_t entry : table.entries()) {
            ++counts[entry];
            total += entry;
        }
        while (counts.back() == 0) {
            counts.pop_back();
        }
        CHECK(counts == table.entries_at_depth());
        CHECK(total == sum(table));
    }
    const auto mean = [&](std::size_t i) {
        return static_cast<double>(sum((*tables)[i])) / static_cast<double>((*tables)[i].entries().size());
    };
    // Well above the mean Manhattan distance of the 15-puzzle, 36.9, and below that of 7-8 with reflection,
    // 45.6.
    CHECK(mean(0) + mean(1) + mean(2) == Approx(41.69).margin(0.01));
}

TEST_CASE("a table that patterns share is built once", "[build]") {
    const auto tables = npuzzle::build_tables(Partition::drawn("aab/a.b/...", 3, 8));
    REQUIRE(tables);
    REQUIRE(tables->size() == 2);
    // The two tiles in the middle of the sides are images of each other.
    const auto shared = npuzzle::build_tables(Partition::drawn(".a./b../...", 3, 8));
    REQUIRE(shared);
    CHECK((*shared)[0].entries().data() == (*shared)[1].entries().data());
}

TEST_CASE("the bytes of a partition's tables are those of the tables that are built", "[build]") {
    for (const Partition& partition : {Partition::named("3-3-2", 3, 8), Partition::drawn(".a./b../...", 3, 8),
                                       Partition::named("5-5-5", 4, 15)}) {
        const auto tables = npuzzle::build_tables(partition);
        REQUIRE(tables);
        std::set<const std::uint8_t*> counted;
        std::uint64_t bytes = 0;
        for (const PatternTable& table : *tables) {
            bytes += counted.insert(table.entries().data()).second ? table.entries().size() : 0;
        }
        CHECK(npuzzle::table_bytes(partition).held == bytes);
    }
    CHECK(npuzzle::TableBytes{}.held == 0);
    CHECK(npuzzle::TableBytes{}.to_build == 0);
    // Two tables of 25! / 19! for four patterns.
    const npuzzle::TableBytes bytes = npuzzle::table_bytes(Partition::named("6-6-6-6", 5, 24));
    CHECK(bytes.held == 2 * 127'512'000);
    CHECK(bytes.to_build == 2 * 127'512'000 + 127'512'000 / 10 * 3);
}

TEST_CASE("a shape that is not normalized is refused", "[build]") {
    const TableShape shape{3, TableKind::additive, 0b110'000'000, 0};
    CHECK(
        message_of<std::invalid_argument>([&] { (void)build_table(shape); }) ==
        "no table is made for the shape additive 3x3 _../.../.xx but for its image additive 3x3 xx_/.../...");
    const TableShape too_large{5, TableKind::additive, 0xff, 8};
    CHECK_THROWS_AS(build_table(too_large), std::invalid_argument);
}
