#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"

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

TEST_CASE("a shape gives its text, pieces and ranking", "[table]") {
    const TableShape shape = normalized_shape(Pattern(3, 0b000'000'110), 0).shape;
    CHECK(shape.to_string() == "additive 3x3 xx_/.../...");
    CHECK(shape.pieces() == 2);
    CHECK(shape.ranking().placements() == 72);
    CHECK(message_of<std::invalid_argument>([] { (void)normalized_shape(Pattern(3, 6), 1); }) ==
          "the blank cannot belong in cell 1: it is in the pattern, or not on the board");
    CHECK(message_of<std::invalid_argument>([] { (void)normalized_shape(Pattern(3, 6), 9); }) ==
          "the blank cannot belong in cell 9: it is in the pattern, or not on the board");
}

TEST_CASE("a ranking of placements refuses boards and pieces without one", "[table]") {
    CHECK(npuzzle::PlacementRanking(3, 2).placements() == 72);
    for (const auto& [n, pieces] :
         {std::pair{1, 1}, std::pair{6, 3}, std::pair{4, 0}, std::pair{5, 9}, std::pair{2, 5}}) {
        CHECK(message_of<std::invalid_argument>([n = n, k = pieces] { npuzzle::PlacementRanking(n, k); }) ==
              std::to_string(pieces) + " pieces cannot be numbered on a board of size " + std::to_string(n));
    }
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
        CHECK(table.entries()[3] == 2);
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
