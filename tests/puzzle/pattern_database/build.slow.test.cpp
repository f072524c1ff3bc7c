#include "npuzzle/puzzle/pattern_database/build.hpp"

#include "support/catch.hpp"
#include "support/pattern_tables.hpp"

using npuzzle::Partition;

TEST_CASE("entries of six and seven tiles of the 15-puzzle agree with a search for each of them", "[build]") {
    const Partition six = Partition::named("6-6-3", 4, 15);
    for (const npuzzle::Pattern& pattern :
         {six.patterns()[1], six.patterns()[2], npuzzle::Pattern(4, 0x0137U),
          Partition::named("7-8", 4, 15).patterns()[1]}) {
        const npuzzle::TableShape shape = npuzzle::normalized_shape(pattern, 15).shape;
        CAPTURE(shape.to_string());
        const auto table = npuzzle::build_table(shape);
        REQUIRE(table);
        CHECK(test::wrong_entries(*table, 30, 3) == "");
    }
}
