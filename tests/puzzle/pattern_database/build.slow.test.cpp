#include "npuzzle/puzzle/pattern_database/build.hpp"

#include "support/catch.hpp"
#include "support/pattern_heuristics.hpp"
#include "support/pattern_space.hpp"

#include <cstdint>
#include <utility>
#include <vector>

using npuzzle::Partition;
using npuzzle::Pattern;

TEST_CASE("all entries of five tiles of the 15-puzzle agree with a plain search", "[build]") {
    const npuzzle::TableShape shape = npuzzle::normalized_shape(Pattern(4, 0x1126), 15).shape;
    const auto table = npuzzle::build_table(shape);
    REQUIRE(table);
    const oracle::PatternSpace space(4, oracle::cells_of(shape.cells), shape.blank);
    std::uint64_t wrong = 0;
    oracle::for_each_placement(4, 5, [&](const std::vector<int>& cells) {
        wrong += test::entry_of(*table, cells) == space.cost(cells) ? 0 : 1;
    });
    CHECK(wrong == 0);
}

TEST_CASE("the entries of six and seven tiles of the 15-puzzle add up to the known sums", "[build]") {
    const Partition six = Partition::named("6-6-3", 4, 15);
    const Partition seven = Partition::named("7-8", 4, 15);
    for (const auto& [pattern, known] : {std::pair{six.patterns()[0], std::uint64_t{97'262'942}},
                                         std::pair{six.patterns()[2], std::uint64_t{98'464'486}},
                                         std::pair{seven.patterns()[1], std::uint64_t{1'205'746'634}}}) {
        const auto table = npuzzle::build_table(npuzzle::normalized_shape(pattern, 15).shape);
        REQUIRE(table);
        std::uint64_t sum = 0;
        for (const std::uint8_t entry : table->entries()) sum += entry;
        CAPTURE(table->shape().to_string());
        CHECK(sum == known);
    }
}
