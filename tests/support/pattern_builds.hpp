/// @file
/// Builds pattern databases and compares them with a simple search.
#pragma once

#include <npuzzle/puzzle/pattern_database/build.hpp>

#include "support/catch.hpp"
#include "support/pattern_space.hpp"
#include "support/pattern_tables.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

/// Builds the table of a shape with a number of threads.
inline npuzzle::PatternTable built(const npuzzle::TableShape& shape, unsigned threads = 1) {
    npuzzle::BuildOptions options;
    options.threads = threads;
    return *npuzzle::build_table(shape, options);
}

/// Compares each entry with a search from the goal, and checks the number of entries with each value.
inline void check_table(const npuzzle::TableShape& shape) {
    CAPTURE(shape.to_string());
    const bool is_classical = shape.kind == npuzzle::TableKind::classical;
    const oracle::PatternSpace space(shape.n, cells_of(shape.cells), shape.blank,
                                     is_classical ? oracle::Counted::all : oracle::Counted::tiles);
    const npuzzle::PatternTable table = built(shape);
    const auto ranking = shape.ranking();
    std::vector<std::uint64_t> counts(256);
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

/// The same for the table of a pattern, given by the bits of its cells and the cell of the blank.
inline void check_pattern(int n, std::uint32_t cells, int blank,
                          npuzzle::TableKind kind = npuzzle::TableKind::additive) {
    check_table(npuzzle::normalized_shape(npuzzle::Pattern(n, cells), blank, kind).shape);
}

} // namespace test
