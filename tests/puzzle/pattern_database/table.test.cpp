#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using npuzzle::normalized_shape;
using npuzzle::Partition;
using npuzzle::Pattern;
using npuzzle::PatternTable;
using npuzzle::TableKind;
using npuzzle::TableShape;

namespace {

std::vector<TableShape> tables_of(const Partition& partition) {
    std::vector<TableShape> shapes;
    for (const Pattern& pattern : partition.patterns()) {
        const TableShape shape = normalized_shape(pattern, partition.blank_cell()).shape;
        if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
            shapes.push_back(shape);
        }
    }
    return shapes;
}

std::uint64_t bytes_of(const std::vector<TableShape>& shapes) {
    std::uint64_t bytes = 0;
    for (const TableShape& shape : shapes) {
        bytes += shape.ranking().placements();
    }
    return bytes;
}

} // namespace

TEST_CASE("patterns that are images of each other share a table", "[table]") {
    for (int n = 2; n <= 5; ++n) {
        for (const TableKind kind : {TableKind::additive, TableKind::classical}) {
            for (int blank = 1; blank < n * n; ++blank) {
                const std::uint32_t cells = 1U | 1U << (n * n / 2) | 1U << (blank == n ? n + 1 : n);
                if ((cells >> blank & 1U) != 0) {
                    continue;
                }
                const auto normalized = normalized_shape(Pattern(n, cells), blank, kind);
                const TableShape& shape = normalized.shape;
                CHECK(shape.cells == npuzzle::detail::image_of_cells(n, normalized.symmetry, cells));
                CHECK(shape.kind == kind);
                // Normalizing twice changes nothing.
                CHECK(normalized_shape(Pattern(n, shape.cells), shape.blank, kind).shape == shape);
                for (int symmetry = 0; symmetry < 8; ++symmetry) {
                    const Pattern image(n, npuzzle::detail::image_of_cells(n, symmetry, cells));
                    const int image_blank = npuzzle::detail::image_of_cell(n, symmetry, blank);
                    CHECK(normalized_shape(image, image_blank, kind).shape == shape);
                }
            }
        }
    }
}

TEST_CASE("only the region of the blank matters to an additive table, not its cell", "[table]") {
    // Tiles 2, 4 and 5 cut off the first cell.
    const Pattern fence(3, 0b000'011'010);
    const auto in_corner = normalized_shape(fence, 0).shape;
    const auto beyond = normalized_shape(fence, 8).shape;
    CHECK(in_corner != beyond);
    for (const int blank : {2, 5, 6, 7}) {
        CHECK(normalized_shape(fence, blank).shape == beyond);
    }
    const auto classical = normalized_shape(fence, 8, TableKind::classical).shape;
    CHECK(classical != normalized_shape(fence, 5, TableKind::classical).shape);
}

TEST_CASE("the memory that named partitions take", "[table]") {
    const auto last = [](const char* name, int n) {
        return tables_of(Partition::named(name, npuzzle::goal_blank_last(n)));
    };
    CHECK(bytes_of(last("7-8", 4)) == 576'576'000);
    CHECK(last("6-6-6-6", 5).size() == 2);
    CHECK(bytes_of(last("6-6-6-6", 5)) == 255'024'000);
    CHECK(bytes_of(last("7-7-7-3", 5)) == 3 * 2'422'728'000 + 13'800);
    CHECK(bytes_of(last("5-5-5", 4)) == 3 * 524'160);
    // In the mirror, or turned to another corner, the tables are the same.
    const Partition partition = Partition::named("6-6-6-6", 5, 24);
    CHECK(tables_of(partition.reflected()) == tables_of(partition));
    for (const int corner : {0, 4, 20}) {
        auto turned = tables_of(Partition::named("6-6-6-6", 5, corner));
        CHECK(std::is_permutation(turned.begin(), turned.end(), tables_of(partition).begin()));
    }
}

TEST_CASE("a shape gives its text, pieces and ranking", "[table]") {
    const TableShape shape = normalized_shape(Pattern(3, 0b000'000'110), 0).shape;
    CHECK(shape.to_string() == "additive 3x3 xx_/.../...");
    CHECK(shape.pieces() == 2);
    CHECK(shape.ranking().placements() == 72);
    CHECK(shape.ranking().cells(shape.goal()) == std::vector{0, 1});
    const TableShape classical = normalized_shape(Pattern(3, 0b000'000'110), 0, TableKind::classical).shape;
    CHECK(classical.to_string() == "classical 3x3 xx_/.../...");
    CHECK(classical.pieces() == 3);
    CHECK(classical.ranking().cells(classical.goal()) == std::vector{0, 1, 2});
    CHECK(message_of<std::invalid_argument>([] { (void)normalized_shape(Pattern(3, 6), 1); }) ==
          "the blank cannot belong in cell 1: it is in the pattern, or not on the board");
    CHECK(message_of<std::invalid_argument>([] { (void)normalized_shape(Pattern(3, 6), 9); }) ==
          "the blank cannot belong in cell 9: it is in the pattern, or not on the board");
}

TEST_CASE("the layout of tables of eight tiles of the 24-puzzle", "[table]") {
    const Pattern block(5, 0b11110'11110);
    // 25! / 17! placements, 1,081,575 sets of cells with 2,166,627 regions.
    const auto layout = npuzzle::table_layout(normalized_shape(block, 24, TableKind::zero_aware).shape);
    CHECK(layout.values == std::uint64_t{2'166'627} * 40'320);
    CHECK(layout.bytes == layout.values / 8);
    CHECK(npuzzle::table_layout(normalized_shape(block, 24).shape).bytes == 43'609'104'000);
}

TEST_CASE("a table shares its entries with its copies", "[table]") {
    const TableShape shape = normalized_shape(Pattern(2, 1), 3).shape;
    auto bytes = std::make_shared<std::vector<std::uint8_t>>(std::vector<std::uint8_t>{0, 1, 1, 2});
    const std::weak_ptr<std::vector<std::uint8_t>> watched = bytes;
    std::vector<PatternTable> copies;
    {
        const PatternTable table(shape, *bytes, bytes, {1, 2, 1});
        CHECK(table.shape() == shape);
        CHECK(table[3] == 2);
        CHECK(table.entries().size() == 4);
        CHECK(table.entries_at_depth() == std::vector<std::uint64_t>{1, 2, 1});
        copies = {table, table};
    }
    bytes.reset();
    CHECK_FALSE(watched.expired());
    CHECK(copies[0].entries().data() == copies[1].entries().data());
    copies.clear();
    CHECK(watched.expired());
    const std::vector<std::uint8_t> five(5);
    CHECK(message_of<std::invalid_argument>([&] { PatternTable(shape, five, nullptr, {}); }) ==
          "a table of 5 bytes does not fit the pattern additive 2x2 x_/..");
}
