#include "npuzzle/puzzle/pattern_database/build.hpp"

#include "support/catch.hpp"
#include "support/pattern_tables.hpp"

#include <cstdint>

using npuzzle::normalized_shape;
using npuzzle::Partition;
using npuzzle::Pattern;
using npuzzle::TableShape;

TEST_CASE("entries of six tiles of the 15-puzzle agree with a search for each of them", "[build]") {
    const Partition partition = Partition::named("6-6-3", 4, 15);
    for (const std::uint32_t cells :
         {partition.patterns()[1].cells(), partition.patterns()[2].cells(), 0x0137U}) {
        const TableShape shape = normalized_shape(Pattern(4, cells), 15).shape;
        CAPTURE(shape.to_string());
        const auto table = npuzzle::build_table(shape);
        REQUIRE(table);
        CHECK(test::wrong_entries(*table, 24, 3) == "");
    }
}

TEST_CASE("entries of seven tiles of the 15-puzzle agree with a search for each of them", "[build]") {
    const Partition partition = Partition::named("7-8", 4, 15);
    const auto& smaller = partition.patterns()[1];
    REQUIRE(smaller.tiles() == 7);
    const auto table = npuzzle::build_table(normalized_shape(smaller, 15).shape);
    REQUIRE(table);
    CHECK(test::wrong_entries(*table, 36, 4) == "");
}
