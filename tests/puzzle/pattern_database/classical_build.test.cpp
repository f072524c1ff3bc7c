#include "npuzzle/puzzle/pattern_database/classical_build.hpp"

#include "support/catch.hpp"
#include "support/pattern_builds.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

using npuzzle::normalized_shape;
using npuzzle::Pattern;
using npuzzle::PatternTable;
using npuzzle::TableKind;
using npuzzle::TableShape;
using test::built;
using test::check_pattern;

TEST_CASE("classical tables agree with a plain search", "[classical_build]") {
    check_pattern(2, 0b0011, 3, TableKind::classical);
    check_pattern(3, 0b000'001'011, 8, TableKind::classical);
    check_pattern(3, 0b000'011'011, 8, TableKind::classical);
    check_pattern(3, 0b101'000'101, 4, TableKind::classical);
    check_pattern(4, 0x0013, 15, TableKind::classical);
    check_pattern(4, 0x0033, 15, TableKind::classical);
    check_pattern(5, 0x0000003, 24, TableKind::classical);
}

TEST_CASE("with all tiles, the tables count the known numbers of the 8-puzzle", "[classical_build]") {
    // The classical table of 7 tiles determines the 8th: half of its entries are the boards of the puzzle.
    const TableShape shape = normalized_shape(Pattern(3, 0b001'111'111), 8, TableKind::classical).shape;
    const PatternTable table = built(shape);
    CHECK(table.entries_at_depth().size() == 32);
    CHECK(std::accumulate(table.entries_at_depth().begin(), table.entries_at_depth().end(),
                          std::uint64_t{0}) == 181'440);
    CHECK(table.entries_at_depth()[31] == 2);
    CHECK(std::count(table.entries().begin(), table.entries().end(), PatternTable::unreached) == 181'440);
}
