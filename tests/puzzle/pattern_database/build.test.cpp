#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/pattern_database/build.hpp"

#include "support/catch.hpp"
#include "support/pattern_space.hpp"
#include "support/pattern_tables.hpp"
#include "support/random.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <stop_token>
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
using test::cells_of;

namespace {

using Counts = std::vector<std::uint64_t>;

PatternTable built(const TableShape& shape, unsigned threads = 1) {
    BuildOptions options;
    options.threads = threads;
    return *build_table(shape, options);
}

// Each entry against the search from the goal, and the number of entries of each value.
void check_table(const TableShape& shape) {
    CAPTURE(shape.to_string());
    const bool is_classical = shape.kind == TableKind::classical;
    const oracle::PatternSpace space(shape.n, cells_of(shape.cells), shape.blank,
                                     is_classical ? oracle::Counted::all : oracle::Counted::tiles);
    const PatternTable table = built(shape);
    const auto ranking = shape.ranking();
    Counts counts(256);
    oracle::for_each_placement(shape.n, static_cast<std::size_t>(shape.pieces()),
                               [&](std::vector<int> cells) {
                                   const int entry = table[ranking.index(ranking.place(cells))];
                                   int cost = 0;
                                   if (is_classical) {
                                       const int blank = cells.back();
                                       cells.pop_back();
                                       cost = space.cost(cells, blank);
                                   } else {
                                       cost = space.cost(cells);
                                   }
                                   if (entry != cost) {
                                       FAIL("an entry is " << entry << ", not " << cost);
                                   }
                                   ++counts[static_cast<std::size_t>(cost)];
                               });
    counts[oracle::PatternSpace::unreached] = 0;
    while (counts.back() == 0) {
        counts.pop_back();
    }
    CHECK(table.entries_at_depth() == counts);
}

void check_pattern(int n, std::uint32_t cells, int blank, TableKind kind = TableKind::additive) {
    check_table(normalized_shape(Pattern(n, cells), blank, kind).shape);
}

} // namespace

TEST_CASE("tables of the 8-puzzle's partitions are what a plain search says, for a blank in any cell") {
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

TEST_CASE("tables of patterns of every number of tiles are what a plain search says") {
    check_pattern(2, 0b0001, 3);
    check_pattern(2, 0b0111, 3); // half of the placements cannot be reached
    check_pattern(3, 0b000'000'001, 4);
    check_pattern(3, 0b000'011'010, 0); // the blank is fenced in
    check_pattern(3, 0b000'011'010, 8);
    check_pattern(3, 0b010'110'011, 8);
    check_pattern(4, 0x0013, 15);
    check_pattern(4, 0x0421, 15);
    check_pattern(4, 0x0033, 15);
    check_pattern(4, 0x00d0, 5);
    check_pattern(4, 0x0012, 0); // fenced into the corner
    check_pattern(5, 0x0000023, 24);
    check_pattern(5, 0x0008401, 24);
}

TEST_CASE("a table of six tiles of the 8-puzzle is what a plain search says") {
    check_pattern(3, 0b001'110'111, 8);
}

TEST_CASE("classical tables are what a plain search says") {
    check_pattern(2, 0b0011, 3, TableKind::classical);
    check_pattern(3, 0b000'001'011, 8, TableKind::classical);
    check_pattern(3, 0b000'011'011, 8, TableKind::classical);
    check_pattern(3, 0b101'000'101, 4, TableKind::classical);
    check_pattern(4, 0x0013, 15, TableKind::classical);
    check_pattern(4, 0x0033, 15, TableKind::classical);
    check_pattern(5, 0x0000003, 24, TableKind::classical);
}

TEST_CASE("with all tiles but the blank, the tables count what is known of the 8-puzzle") {
    // The classical table of 7 tiles determines the 8th: half of its entries are the boards of the puzzle.
    const TableShape shape = normalized_shape(Pattern(3, 0b001'111'111), 8, TableKind::classical).shape;
    const PatternTable table = built(shape);
    CHECK(table.entries_at_depth().size() == 32);
    CHECK(std::accumulate(table.entries_at_depth().begin(), table.entries_at_depth().end(),
                          std::uint64_t{0}) == 181'440);
    CHECK(table.entries_at_depth()[31] == 2);
    CHECK(std::count(table.entries().begin(), table.entries().end(), PatternTable::unreached) == 181'440);
}

// A move changes the colour of the tile's cell, and with it the parity of the cost.
TEST_CASE("a move of a tile changes the entry by an odd number") {
    const TableShape shape = normalized_shape(Pattern(4, 0x0133), 15).shape;
    const PatternTable table = built(shape, 2);
    const auto ranking = shape.ranking();
    test::Random random(1);
    for (int i = 0; i < 2000; ++i) {
        std::vector<int> cells =
            ranking.cells(ranking.placement(static_cast<std::uint32_t>(random.below(ranking.placements()))));
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

TEST_CASE("tables of five tiles of the 15-puzzle are what a plain search says") {
    const Partition partition = Partition::named("5-5-5", 4, 15);
    const TableShape shape = normalized_shape(partition.patterns()[1], 15).shape;
    const PatternTable table = built(shape);
    const oracle::PatternSpace space(4, cells_of(shape.cells), shape.blank, oracle::Counted::tiles);
    const auto ranking = shape.ranking();
    const oracle::PatternSearch search(4, cells_of(shape.cells), shape.blank);
    test::Random random(2);
    for (int i = 0; i < 50000; ++i) {
        const auto index = static_cast<std::uint32_t>(random.below(ranking.placements()));
        const std::vector<int> cells = ranking.cells(ranking.placement(index));
        if (table[index] != space.cost(cells)) {
            FAIL("entry " << index << " is " << table[index] << ", not " << space.cost(cells));
        }
        if (i < 10 && table[index] != search.cost(cells)) {
            FAIL("entry " << index << " is " << table[index] << ", not " << search.cost(cells));
        }
    }
}

TEST_CASE("the numbers of entries at each depth are those of the entries") {
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
    // Well above the mean Manhattan distance of the 15-puzzle, 36.9, and below that of 7-8 with reflection, 45.6.
    CHECK(mean(0) + mean(1) + mean(2) == Approx(41.69).margin(0.01));
}

TEST_CASE("the table does not depend on the number of threads") {
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

TEST_CASE("patterns that share a table have it built once") {
    const auto tables = npuzzle::build_tables(Partition::drawn("aab/a.b/...", 3, 8));
    REQUIRE(tables);
    REQUIRE(tables->size() == 2);
    // The two tiles in the middle of the sides are images of each other.
    const auto shared = npuzzle::build_tables(Partition::drawn(".a./b../...", 3, 8));
    REQUIRE(shared);
    CHECK((*shared)[0].entries().data() == (*shared)[1].entries().data());
}

TEST_CASE("progress is told, and rises from nothing to everything") {
    for (const TableKind kind : {TableKind::additive, TableKind::classical}) {
        const TableShape shape = normalized_shape(Pattern(4, 0x0037), 15, kind).shape;
        std::vector<BuildProgress> told;
        BuildOptions options;
        options.progress = [&](const BuildProgress& progress) { told.push_back(progress); };
        std::uint64_t peak = 0;
        options.peak_bytes = &peak;
        const auto table = build_table(shape, options);
        REQUIRE(table);
        REQUIRE(told.size() >= table->entries_at_depth().size());
        CHECK(told.front().entries_done == 1);
        CHECK(told.front().depth == 0);
        for (std::size_t i = 1; i < told.size(); ++i) {
            CHECK(told[i].entries_done >= told[i - 1].entries_done);
            CHECK(told[i].depth >= told[i - 1].depth - 1);
            CHECK(told[i].seconds >= told[i - 1].seconds);
            CHECK(told[i].seconds_left >= 0);
            CHECK(told[i].shape == shape);
        }
        CHECK(told.back().entries_done == table->entries().size());
        CHECK(told.back().entries == table->entries().size());
        CHECK(told.back().percent() == 100);
        CHECK(told.back().seconds_left == 0);
        CHECK(told.back().depth == static_cast<int>(table->entries_at_depth().size()) - 1);
        CHECK(peak >= table->entries().size());
    }
}

TEST_CASE("building needs less than two bits an entry beside the table") {
    std::uint64_t peak = 0;
    BuildOptions options;
    options.threads = 1;
    options.peak_bytes = &peak;
    const auto table = build_table(normalized_shape(Pattern(4, 0x0137), 15).shape, options);
    REQUIRE(table);
    CHECK(8 * (peak - table->entries().size()) < 2 * table->entries().size());
}

TEST_CASE("a building can be stopped") {
    for (const TableKind kind : {TableKind::additive, TableKind::classical}) {
        const TableShape shape = normalized_shape(Pattern(4, 0x37), 15, kind).shape;
        std::stop_source source;
        BuildOptions options;
        options.stop = source.get_token();
        options.progress = [&](const BuildProgress& progress) {
            if (progress.depth == 5) {
                source.request_stop();
            }
        };
        CHECK_FALSE(build_table(shape, options));
        CHECK_FALSE(npuzzle::build_tables(Partition::drawn("aab/b../...", 3, 8), options));
    }
}

TEST_CASE("what the progress callback throws reaches the caller") {
    for (const TableKind kind : {TableKind::additive, TableKind::classical}) {
        BuildOptions options;
        options.threads = 2;
        options.progress = [](const BuildProgress& progress) {
            if (progress.depth == 4) {
                throw std::runtime_error("enough");
            }
        };
        CHECK(message_of<std::runtime_error>([&] {
                  (void)build_table(normalized_shape(Pattern(4, 0x37), 15, kind).shape, options);
              }) == "enough");
    }
}

TEST_CASE("a shape that is not normalized is refused") {
    const TableShape shape{3, TableKind::additive, 0b110'000'000, 0};
    CHECK(
        message_of<std::invalid_argument>([&] { (void)build_table(shape); }) ==
        "no table is made for the shape additive 3x3 _../.../.xx but for its image additive 3x3 xx_/.../...");
    const TableShape too_large{5, TableKind::additive, 0xff, 8};
    CHECK_THROWS_AS(build_table(too_large), std::invalid_argument);
}
