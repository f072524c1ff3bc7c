#include "npuzzle/puzzle/pattern_database/build.hpp"

#include "support/catch.hpp"
#include "support/pattern_heuristics.hpp"
#include "support/pattern_space.hpp"
#include "support/random.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using npuzzle::build_table;
using npuzzle::BuildOptions;
using npuzzle::BuildProgress;
using npuzzle::normalized_shape;
using npuzzle::PackedBoard;
using npuzzle::Partition;
using npuzzle::Pattern;
using npuzzle::PatternTable;
using npuzzle::Reflection;
using npuzzle::SlidingPuzzle;
using npuzzle::TableKind;
using npuzzle::TableShape;
using oracle::cells_of;

namespace {

/// Builds the table of a shape with a number of threads.
PatternTable built(const TableShape& shape, unsigned threads = 1) {
    BuildOptions options;
    options.threads = threads;
    return *build_table(shape, options);
}

/// Compares each entry with a search from the goal, and checks the number of entries with each value.
void check_table(const TableShape& shape) {
    CAPTURE(shape.to_string());
    const oracle::PatternSpace space(shape.n, cells_of(shape.cells), shape.blank);
    const PatternTable table = built(shape);
    std::vector<std::uint64_t> counts(256);
    oracle::for_each_placement(shape.n, static_cast<std::size_t>(shape.pieces()),
                               [&](const std::vector<int>& cells) {
                                   const int entry = test::entry_of(table, cells);
                                   if (const int cost = space.cost(cells); entry != cost) {
                                       FAIL("an entry is " << entry << ", not " << cost);
                                   }
                                   ++counts[static_cast<std::size_t>(entry)];
                               });
    counts[oracle::PatternSpace::unreached] = 0;
    while (counts.back() == 0) {
        counts.pop_back();
    }
    CHECK(table.entries_at_depth() == counts);
}

/// The same for the table of a pattern, given by the bits of its cells and the cell of the blank.
void check_pattern(int n, std::uint32_t cells, int blank) {
    check_table(normalized_shape(Pattern(n, cells), blank).shape);
}

/// A board with some tiles and the blank in given cells, and the others anywhere.
template <int N>
PackedBoard<N> board_with(const PackedBoard<N>& goal, const std::vector<int>& homes,
                          const std::vector<int>& cells, int blank) {
    std::array<int, std::size_t{N} * std::size_t{N}> tiles{};
    std::vector<int> others;
    for (int cell = 0; cell < N * N; ++cell) {
        if (cell != goal.blank_cell() && std::find(homes.begin(), homes.end(), cell) == homes.end()) {
            others.push_back(goal.tile(cell));
        }
    }
    tiles.fill(-1);
    tiles[static_cast<std::size_t>(blank)] = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        tiles[static_cast<std::size_t>(cells[i])] = goal.tile(homes[i]);
    }
    for (int& tile : tiles) {
        if (tile < 0) {
            tile = others.back();
            others.pop_back();
        }
    }
    return PackedBoard<N>(tiles);
}

/// Compares the value of each placement and each cell of the blank with a search from the goal.
template <int N>
void check_values(std::uint32_t pattern_cells, int blank_cell, int one_in = 1) {
    PackedBoard<N> goal;
    for (const npuzzle::Move move : {npuzzle::Move::up, npuzzle::Move::left}) {
        // From the last cell to the one in which the blank is to be.
        const int distance = move == npuzzle::Move::up ? N - 1 - blank_cell / N : N - 1 - blank_cell % N;
        for (int i = 0; i < distance; ++i) {
            SlidingPuzzle<N>{}.apply(goal, move);
        }
    }
    REQUIRE(goal.blank_cell() == blank_cell);
    const Partition partition({Pattern(N, pattern_cells)}, blank_cell);
    CAPTURE(partition.to_string());
    const auto bound = test::zero_aware(partition, Reflection::none).bind(SlidingPuzzle<N>{goal});
    const auto additive = test::built(partition, Reflection::none).bind(SlidingPuzzle<N>{goal});
    const std::vector<int> homes = cells_of(pattern_cells);
    const oracle::PatternSpace space(N, homes, blank_cell);
    int greater = 0;
    int placements = 0;
    oracle::for_each_placement(N, homes.size() + 1, [&](std::vector<int> cells) {
        if (++placements % one_in != 0) {
            return;
        }
        const int blank = cells.back();
        cells.pop_back();
        const PackedBoard<N> board = board_with(goal, homes, cells, blank);
        const int value = bound(board);
        if (value != space.cost(cells, blank) || value < additive(board)) {
            FAIL(value << " instead of " << space.cost(cells, blank) << ", additive " << additive(board)
                       << ": " << board);
        }
        greater += value > additive(board) ? 1 : 0;
    });
    CHECK((greater > 0) == (homes.size() > 1));
}

} // namespace

TEST_CASE("tables of the 8-puzzle's partitions agree with a plain search, for a blank in any cell",
          "[build]") {
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

TEST_CASE("tables of patterns of every number of tiles agree with a plain search", "[build]") {
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

TEST_CASE("zero-aware values agree with a plain search, for each placement and cell of the blank",
          "[build]") {
    check_values<2>(0b0001, 3);
    check_values<3>(0b000'000'001, 4);
    check_values<3>(0b000'011'010, 8); // the blank is enclosed in the goal's other region
    check_values<3>(0b000'011'010, 0); // and here in the goal
    check_values<3>(0b000'010'011, 8);
    check_values<3>(0b010'010'011, 8);
    check_values<3>(0b010'110'011, 8, 7);
    check_values<3>(0b001'110'111, 8, 11); // as many tiles as can be
    check_values<4>(0x0013, 15, 5);
    check_values<4>(0x0012, 0, 5); // enclosed in the corner
    check_values<4>(0x00d0, 5, 31);
    check_values<5>(0x0000022, 0);
    check_values<5>(0x0008401, 24, 31);
}

TEST_CASE("the table does not depend on the number of threads", "[build]") {
    for (const TableKind kind : {TableKind::additive, TableKind::zero_aware}) {
        for (const TableShape& shape : {normalized_shape(Pattern(4, 0x0333), 15, kind).shape,
                                        normalized_shape(Pattern(5, 0x0000063), 24, kind).shape}) {
            const PatternTable one = built(shape, 1);
            for (const unsigned threads : {2U, 5U}) {
                const PatternTable several = built(shape, threads);
                CHECK(std::equal(one.entries().begin(), one.entries().end(), several.entries().begin()));
                CHECK(one.entries_at_depth() == several.entries_at_depth());
            }
        }
    }
}

TEST_CASE("progress is reported, and rises from nothing to everything", "[build]") {
    for (const TableKind kind : {TableKind::additive, TableKind::zero_aware}) {
        const TableShape shape = normalized_shape(Pattern(4, 0x0037), 15, kind).shape;
        std::vector<BuildProgress> told;
        BuildOptions options;
        options.progress = [&](const BuildProgress& progress) { told.push_back(progress); };
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
        CHECK(told.back().entries_done == npuzzle::table_layout(shape).values);
        CHECK(told.back().entries == npuzzle::table_layout(shape).values);
        CHECK(told.back().percent() == 100);
        CHECK(told.back().seconds > 0);
        CHECK(told.back().seconds_left == 0);
        CHECK(told.back().depth == static_cast<int>(table->entries_at_depth().size()) - 1);
    }
}

TEST_CASE("a build ends at 100 %, although placements cannot be reached", "[build]") {
    BuildProgress last;
    BuildOptions options;
    options.progress = [&](const BuildProgress& progress) { last = progress; };
    for (const auto& [tiles, reached] : {std::pair{0xffU, 181'440U}, {0x7fU, 131'040U}}) {
        const Pattern pattern(3, tiles);
        REQUIRE(build_table(normalized_shape(pattern, 8).shape, options));
        CHECK(last.entries_done == reached);
        CHECK(last.percent() == 100);
        CHECK(last.seconds_left == 0);
    }
}

TEST_CASE("a build can be stopped", "[build]") {
    for (const TableKind kind : {TableKind::additive, TableKind::zero_aware}) {
        const TableShape shape = normalized_shape(Pattern(4, 0x37), 15, kind).shape;
        npuzzle::StopSource source;
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

TEST_CASE("what the progress callback throws reaches the caller", "[build]") {
    for (const TableKind kind : {TableKind::additive, TableKind::zero_aware}) {
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
    // Two tables of 25! / 19! for four patterns. Beside one of them stand 251,400 blocks of 96 bytes and more.
    const npuzzle::TableBytes bytes = npuzzle::table_bytes(Partition::named("6-6-6-6", 5, 24));
    CHECK(bytes.held == 2 * 127'512'000);
    CHECK(bytes.to_build > 2 * 127'512'000 + 251'400 * 96);
    CHECK(bytes.to_build < 2 * 127'512'000 + 127'512'000 / 2);
}

TEST_CASE("a shape that is not normalized, or has no zero-aware table, is refused", "[build]") {
    const TableShape shape{3, TableKind::additive, 0b110'000'000, 0};
    CHECK(
        message_of<std::invalid_argument>([&] { (void)build_table(shape); }) ==
        "no table is made for the shape additive 3x3 _../.../.xx but for its image additive 3x3 xx_/.../...");
    const TableShape large = normalized_shape(Pattern(3, 0x7f), 8, TableKind::zero_aware).shape;
    CHECK(
        message_of<std::invalid_argument>([&] { (void)build_table(large); }) ==
        "a zero-aware table leaves at least two tiles out of its pattern, unlike zero-aware 3x3 xxx/xxx/x_.");
}
