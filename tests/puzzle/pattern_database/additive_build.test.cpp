#include "npuzzle/puzzle/pattern_database/additive_build.hpp"

#include "support/catch.hpp"
#include "support/pattern_builds.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using npuzzle::build_table;
using npuzzle::BuildOptions;
using npuzzle::normalized_shape;
using npuzzle::Partition;
using npuzzle::Pattern;
using npuzzle::PatternTable;
using npuzzle::TableShape;
using test::built;
using test::cells_of;
using test::check_pattern;
using test::check_table;

TEST_CASE("tables of the 8-puzzle's partitions agree with a plain search, for a blank in any cell",
          "[additive_build]") {
    std::set<std::string> done;
    for (const std::string_view name : Partition::names(3)) {
        for (int blank = 0; blank < 9; ++blank) {
            for (const Pattern& pattern : Partition::named(name, 3, blank).patterns()) {
                const TableShape shape = normalized_shape(pattern, blank).shape;
                if (done.insert(shape.to_string()).second) {
                    check_table(shape);
                }
            }
        }
    }
    CHECK(done.size() == 10);
}

TEST_CASE("tables of patterns of every number of tiles agree with a plain search", "[additive_build]") {
    check_pattern(2, 0b0001, 3);
    check_pattern(2, 0b0111, 3); // half of the placements cannot be reached
    check_pattern(3, 0b000'000'001, 4);
    check_pattern(3, 0b000'011'010, 0); // the blank is enclosed
    check_pattern(3, 0b000'011'010, 8);
    check_pattern(3, 0b010'110'011, 8);
    check_pattern(4, 0x0013, 15);
    check_pattern(4, 0x0421, 15);
    check_pattern(4, 0x0033, 15);
    check_pattern(4, 0x00d0, 5);
    check_pattern(4, 0x0012, 0); // enclosed in the corner
    check_pattern(5, 0x0000023, 24);
    check_pattern(5, 0x0008401, 24);
}

TEST_CASE("a table of six tiles of the 8-puzzle agrees with a plain search", "[additive_build]") {
    check_pattern(3, 0b001'110'111, 8);
}

TEST_CASE("a move of a tile changes the entry by an odd number", "[additive_build]") {
    const TableShape shape = normalized_shape(Pattern(4, 0x0133), 15).shape;
    const PatternTable table = built(shape, 2);
    const auto ranking = shape.ranking();
    test::Random random(1);
    for (int i = 0; i < 2000; ++i) {
        std::vector<int> cells = ranking.cells(ranking.placement(random.below(ranking.placements())));
        const int before = table[ranking.index(ranking.place(cells))];
        const std::size_t piece = random.below(cells.size());
        const int to = cells[piece] + 1;
        if (to % 4 == 0 || std::find(cells.begin(), cells.end(), to) != cells.end()) {
            continue;
        }
        cells[piece] = to;
        const int after = table[ranking.index(ranking.place(cells))];
        REQUIRE((after - before) % 2 != 0);
    }
}

TEST_CASE("tables of five tiles of the 15-puzzle agree with a plain search", "[additive_build][slow]") {
    const Partition partition = Partition::named("5-5-5", 4, 15);
    const TableShape shape = normalized_shape(partition.patterns()[1], 15).shape;
    const PatternTable table = built(shape);
    const oracle::PatternSpace space(4, cells_of(shape.cells), shape.blank, oracle::Counted::tiles);
    const auto ranking = shape.ranking();
    const oracle::PatternSearch search(4, cells_of(shape.cells), shape.blank);
    test::Random random(2);
    for (int i = 0; i < 50000; ++i) {
        const std::uint64_t index = random.below(ranking.placements());
        const std::vector<int> cells = ranking.cells(ranking.placement(index));
        if (table[index] != space.cost(cells)) {
            FAIL("entry " << index << " is " << table[index] << ", not " << space.cost(cells));
        }
        if (i < 10 && table[index] != search.cost(cells)) {
            FAIL("entry " << index << " is " << table[index] << ", not " << search.cost(cells));
        }
    }
}

TEST_CASE("the table does not depend on the number of threads", "[additive_build]") {
    for (const TableShape& shape :
         {normalized_shape(Pattern(4, 0x0013), 15).shape, normalized_shape(Pattern(4, 0x0333), 15).shape,
          normalized_shape(Pattern(5, 0x0000063), 24).shape}) {
        const PatternTable one = built(shape, 1);
        for (const unsigned threads : {2U, 5U}) {
            const PatternTable several = built(shape, threads);
            CHECK(std::equal(one.entries().begin(), one.entries().end(), several.entries().begin()));
            CHECK(one.entries_at_depth() == several.entries_at_depth());
        }
    }
}

TEST_CASE("a build needs less than two bits per entry beside the table", "[additive_build]") {
    std::uint64_t peak = 0;
    BuildOptions options;
    options.threads = 1;
    options.peak_bytes = &peak;
    const auto table = build_table(normalized_shape(Pattern(4, 0x0137), 15).shape, options);
    REQUIRE(table);
    CHECK(8 * (peak - table->entries().size()) < 2 * table->entries().size());
}
